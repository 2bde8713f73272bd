"""The page that steps in a real browser: it opens, steps, jumps, answers, prints, and asks for
nothing from outside.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from chromium import Browser

import engine
from engine.base.place import ASSETS
from engine.document.document import Document
from engine.document.lane import lane
from engine.lessons.package import open_lesson
from engine.protocol.step import Level, Pace
from engine.runs.trace import Trace
from engine.sources.generators import generate
from engine.web.lanes import page_of
from engine.web.lesson import lesson_page
from engine.web.page import Shown, chips_of, page

pytestmark = pytest.mark.slow
SIZES = ((1280, 800), (360, 720), (740, 360))


@cache
def trace() -> Trace:
    X = np.array([[2.0, 1.0], [1.0, 2.5], [-1.0, -0.5], [-2.0, -1.5], [1.5, -0.25], [-0.5, 1.0]])
    return engine.run("perceptron", (X, np.array([1, 1, -1, -1, 1, -1])), pace=Pace(Level.STEP))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def address(folder: Path) -> str:
    path = folder / "run.html"
    path.write_text(page([Shown(trace(), "six points", chips_of(trace()))]), "utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as found:
        yield found
        assert found.faults == []


@pytest.fixture
def shown(browser: Browser, address: str) -> Browser:
    browser.media()
    browser.size(1280, 800)
    browser.open("about:blank", "true")
    browser.requests.clear()
    browser.open(address)
    return browser


def steps() -> list[str]:
    return [trace()[k].note.text() for k in trace().indices(Level.STEP)]


def test_it_opens_at_the_first_step_and_asks_for_nothing_else(shown: Browser, address: str) -> None:
    assert shown.text("#lead") == steps()[0]
    assert shown.text("#now") == "0"
    shown.key("End")
    assert [each for each in shown.requests if not each.startswith("data:")] == [address]


def test_keys_step_jump_and_turn(shown: Browser) -> None:
    last = len(steps()) - 1
    shown.key("ArrowRight")
    assert (shown.text("#lead"), shown.run("location.hash")) == (steps()[1], "#1")
    shown.key("End")
    assert (shown.text("#lead"), shown.text("#now")) == (steps()[-1], str(last))
    shown.key("ArrowRight")
    assert shown.text("#now") == str(last)
    shown.key("Home")
    assert shown.text("#now") == "0"
    shown.key("PageDown")
    rounds = trace().indices(Level.ROUND)
    assert int(shown.text("#now")) in (
        trace().indices(Level.STEP).index(rounds[0]),
        trace().indices(Level.STEP).index(rounds[0]) + 1,
    )
    shown.key("PageUp")
    assert shown.text("#now") == "0"
    shown.key("ArrowLeft")
    assert shown.text("#now") == "0"
    before = shown.run("getComputedStyle(document.body).backgroundColor")
    shown.key("t")
    assert shown.run("getComputedStyle(document.body).backgroundColor") != before


def test_the_address_holds_the_step(shown: Browser, address: str) -> None:
    for mark, step in (("#3", 3), ("#99999", len(steps()) - 1), ("#nonsense", 0)):
        shown.open("about:blank", "true")
        shown.open(address + mark)
        assert shown.text("#now") == str(step)
    shown.run("location.hash = '#2'")
    shown.wait("document.getElementById('now').textContent === '2'")


def test_space_plays_and_stops(shown: Browser) -> None:
    shown.key(" ")
    shown.wait("+document.getElementById('now').textContent >= 2")
    shown.key(" ")
    assert shown.run("page.timer") == 0


def test_every_step_shows_the_words_the_line_and_a_picture(shown: Browser) -> None:
    for k, words in enumerate(steps()):
        shown.run(f"page.show({k})")
        assert shown.text("#lead") == words
        assert shown.run("document.querySelectorAll('#code .lit').length") == 1
        assert shown.run("document.querySelectorAll('#stage svg.plane use').length") >= 6
        assert shown.run(
            "document.getElementById('range').getAttribute('aria-valuetext')"
        ).startswith(f"step {k}: ")


def question_number(shown: Browser) -> int:
    """The first step with numbers to fill in."""
    return int(
        shown.run(
            "page.lead.steps.findIndex(step => step.q && step.q.blanks && step.q.blanks.length > 1)"
        )
    )


def ask(shown: Browser) -> list[list[object]]:
    k = question_number(shown)
    shown.run(f"page.show({k - 1})")
    shown.key("p")
    assert shown.run("page.asking") == k
    found: list[list[object]] = shown.run(f"page.lead.steps[{k}].q.blanks")
    return found


def fill(shown: Browser, values: list[str]) -> None:
    for k, value in enumerate(values):
        shown.run(
            "(box => { box.value = ''; box.focus(); })(document.querySelectorAll('#blanks"
            f" input')[{k}])"
        )
        shown.write(value)
    shown.key("Enter")


def test_a_right_answer_reveals_the_step_and_counts(shown: Browser) -> None:
    blanks = ask(shown)
    k = question_number(shown)
    assert shown.run("document.getElementById('says').hidden")
    assert shown.run("location.hash") == f"#{k}?"
    assert shown.run("getComputedStyle(document.getElementById('veil')).display") == "grid"
    fill(shown, [str(blank[2]).replace(".", ",") for blank in blanks])
    assert (shown.text("#verdict"), shown.text("#now")) == ("Right.", str(k))
    assert shown.run("[page.right, page.asked]") == [1, 1]


def test_wrong_and_empty_answers_are_repeated_and_do_not_count_later(shown: Browser) -> None:
    blanks = ask(shown)
    fill(shown, [""] * len(blanks))
    assert "A number in each blank" in shown.text("#reply")
    fill(shown, ["1e9"] * len(blanks))
    assert "Not yet" in shown.text("#reply")
    fill(shown, [str(blank[2]) for blank in blanks])
    assert shown.run("[page.right, page.asked]") == [0, 1]


def test_show_answer_and_escape(shown: Browser) -> None:
    ask(shown)
    shown.key("Escape")
    assert (shown.run("page.asking"), shown.run("page.asked")) == (0, 0)
    shown.key("p")
    ask(shown)
    shown.run("document.getElementById('show').click()")
    assert shown.text("#verdict").startswith("The answer:")
    assert shown.run("[page.right, page.asked]") == [0, 1]


@pytest.mark.parametrize(
    ("typed", "value"),
    [("−0,5", -0.5), ("3/8", 0.375), ("1.5·10⁻³", 0.0015), ("+2", 2), ("50%", 50)],
)
def test_numbers_are_read_as_people_write_them(shown: Browser, typed: str, value: float) -> None:
    assert shown.run(f"read({json.dumps(typed)})") == pytest.approx(value)


@pytest.mark.parametrize("typed", ["", "x", "1/0", "1/2/3", "--1"])
def test_what_is_no_number_is_none(shown: Browser, typed: str) -> None:
    assert shown.run(f"Number.isNaN(read({json.dumps(typed)}))")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_screen(
    shown: Browser, size: tuple[int, int], scheme: str
) -> None:
    shown.size(*size, mobile=size[0] < 500)
    shown.media(prefers_color_scheme=scheme)
    shown.key("End")
    assert shown.run("document.documentElement.scrollWidth") <= size[0]
    assert (
        shown.run("document.querySelector('#stage svg.plane').getBoundingClientRect().height") > 100
    )
    small = shown.run(
        "[...document.querySelectorAll('#stage svg.plane text')].filter(t =>"
        " getComputedStyle(t).display !== 'none').map(t =>"
        " t.getBoundingClientRect().height).filter(h => h < 10).length"
    )
    assert small == 0
    if size[0] < 500:
        assert (
            shown.run(
                "Math.min(...[...document.querySelectorAll('#keys > button')].filter(b =>"
                " b.offsetWidth).map(b => b.offsetHeight))"
            )
            >= 44
        )


def test_paper_gets_a_strip_of_steps(shown: Browser) -> None:
    shown.run("dispatchEvent(new Event('beforeprint'))")
    shown.media("print")
    assert shown.run("document.querySelectorAll('#strip figure svg').length") > 2
    assert shown.run("getComputedStyle(document.getElementById('time')).display") == "none"


def test_without_scripts_the_last_step_stands_there(tmp_path: Path, address: str) -> None:
    with Browser(tmp_path, scripts=False) as quiet:
        quiet.visit(address)
        root = quiet.call("DOM.getDocument", depth=-1)["root"]
        text = quiet.call("DOM.getOuterHTML", nodeId=root["nodeId"])["outerHTML"]
        assert steps()[-1] in text
        assert "Without scripts this page shows the last step only." in text
        assert "<svg viewBox" in text


def test_lanes_stand_side_by_side(browser: Browser, folder: Path) -> None:
    document = Document(
        generate("leaning_clouds", 20, seed=2), (lane("perceptron"), lane("decision_tree"))
    )
    path = folder / "lanes.html"
    path.write_text(page_of(document, last=20), "utf-8")
    browser.media()
    browser.size(1280, 800)
    browser.open(path.as_uri())
    assert browser.run("document.querySelectorAll('.lane').length") == 2
    browser.key("End")
    assert browser.run("document.documentElement.scrollWidth") <= 1280


def click_place(browser: Browser, x: float, y: float) -> None:
    """Click a place of the view that the task of a lesson is about."""
    at = browser.run(
        f"""(() => {{
        const task = page.page.task, [wide, high] = task.size;
        const share = (value, [low, most]) => (value - low) / (most - low);
        const layer = document.querySelector('#stage .asks > g:last-child');
        const inside = [share({x}, task.x) * wide, high - share({y}, task.y) * high];
        const place = new DOMPoint(...inside).matrixTransform(layer.getScreenCTM());
        return [place.x, place.y];
        }})()"""
    )
    for kind in ("mousePressed", "mouseReleased"):
        browser.call(
            "Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", clickCount=1
        )


def test_places_of_a_lesson_are_clicked(browser: Browser, folder: Path) -> None:
    """MMDS Fig 12.14: the rings are (4, 5), (2, 1) and (6, 3), in any order; a drawn curve needs
    the lab.
    """
    path = folder / "places.html"
    found = open_lesson(ASSETS / "lessons" / "mmds" / "three_rings.toml")
    path.write_text(lesson_page(found), "utf-8")
    browser.media()
    browser.size(1280, 800)
    browser.open("about:blank", "true")
    browser.open(path.as_uri() + "#2")
    browser.run("document.getElementById('check').click()")
    assert browser.text("#reply") == "Click 3 places first."
    for place in ((6, 3), (4, 5), (5, 2)):
        click_place(browser, *place)
    browser.run("document.getElementById('check').click()")
    assert browser.text("#reply").startswith("A kerb through (5, 2) and (6, 3)")
    click_place(browser, 2.2, 1.1)  # all are there: the nearest one moves
    browser.run("document.getElementById('check').click()")
    assert browser.text("#reply") == "Right: the farthest is 0.22 away, up to 0.3 counts."
    assert browser.text("#points") == "1 of 6 points"
    assert browser.run("document.querySelectorAll('.away').length") == 3
    path.write_text(
        lesson_page(open_lesson(ASSETS / "lessons" / "aima" / "how_large_a_tree.toml")), "utf-8"
    )
    browser.open("about:blank", "true")
    browser.open(path.as_uri() + "#3")
    assert "needs the lab" in browser.text("#task")


def test_a_lesson_is_answered(browser: Browser, folder: Path) -> None:
    """MMDS Fig 12.6: a wrong w gets the lesson's reply, the right one the step that follows."""
    path = folder / "lesson.html"
    found = open_lesson(ASSETS / "lessons" / "mmds" / "six_e_mails.toml")
    path.write_text(lesson_page(found), "utf-8")
    browser.media()
    browser.size(1280, 800)
    browser.open("about:blank", "true")
    browser.requests.clear()
    browser.open(path.as_uri() + "#3")
    type_in = "[...document.querySelectorAll('.blank')].forEach((e, k) => e.value = [%s][k])"
    for numbers, says in (("0.5,0.5,0.5,1,0.5", "You added the row"), (".5,.5,-.5,0,1/2", "Right")):
        browser.run(type_in % ",".join(f"'{each}'" for each in numbers.split(",")))
        browser.run("document.getElementById('check').click()")
        assert browser.text("#reply").startswith(says)
    assert browser.text("#points") == "1 of 10 points"
    assert browser.text("#lead").startswith("Mistake: b is −1")
    browser.key("PageDown")
    assert browser.text("#title") == "On the line"
    browser.run("document.querySelectorAll('#options button')[1].click()")
    assert browser.text("#reply").startswith("The test is ≤, not <")
    browser.key("End")
    assert "needs the lab" in browser.text("#task")
    browser.run("page.show(6); page.walk(99)")
    assert browser.text("#reply") == "Right." and browser.text("#points") == "3 of 10 points"
    assert [each for each in browser.requests if not each.startswith("data:")] == [path.as_uri()]
