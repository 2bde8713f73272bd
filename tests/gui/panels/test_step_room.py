"""The right dock shares its height: words of the step, the picture of the method; in the lecture hall it is wider."""

from itertools import pairwise
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laboratory import LEFT, Lab
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

import engine
from engine.core.scene import Table
from engine.document.document import Document
from engine.document.lane import lane
from gui.look import theme
from gui.look.sizes import type_step
from gui.panels.pseudocode import CodeCard
from gui.panels.step_room import DRAWN, LISTED, PICTURE, shares, worth_measuring

SMALL = (1280, 800)


@given(st.integers(1, 5000))
def test_of_a_kind_the_first_steps_are_measured_and_then_ever_fewer(count: int) -> None:
    chosen = [k for k in range(count) if worth_measuring(k)]
    assert chosen[:10] == list(range(min(count, 10)))
    assert len(chosen) <= 10 + 2 * log2(count)
    assert all(b <= 1.8 * a for a, b in pairwise(chosen[9:]))


@given(
    st.integers(360, 1400),
    st.integers(60, 1200),
    st.booleans(),
    st.sampled_from([0, LISTED, DRAWN, PICTURE]),
)
def test_shares_fill_the_height(height: int, needed: int, why: bool, room: int) -> None:
    sizes = shares(height, needed, 140, 60, why, room)
    assert sum(sizes) == height
    assert all(size >= 0 for size in sizes)
    assert (sizes[1] > 0) == why


def test_words_have_what_they_need_and_the_picture_the_rest(qapp) -> None:
    step, _, figure = shares(600, 180, 140, 60, False, PICTURE)
    assert step == 181  # and the rule below
    assert figure == 419
    step, _, figure = shares(600, 300, 140, 60, False, LISTED)
    assert step == 301
    step, _, figure = shares(400, 500, 140, 60, False, PICTURE)
    assert figure >= PICTURE  # which stays readable beside long words


def run_of(open_lab, data, key: str, **params) -> Lab:
    lab = open_lab(Document(data, (lane(key, **params),)), SMALL)
    lab.settle()
    return lab


def sizes_of(lab: Lab) -> list[int]:
    return lab.window.right_dock.split.sizes()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "key", "params"),
    [
        (lambda: engine.textbook("six_points"), "hinge_descent", {}),
        (lambda: engine.textbook("xor"), "backpropagation", {"epochs": 30}),
        (lambda: engine.generate("moons", 40, 0.25), "adaboost", {"rounds": 5}),
    ],
)
def test_no_step_moves_the_parts(open_lab, data, key: str, params: dict) -> None:
    """Once every figure of the method has had its tab: tabs may need one line more."""
    lab = run_of(open_lab, data(), key, **params)
    passes: list[list[tuple[int, ...]]] = [[], []]
    for seen in passes:
        for at in range(0, len(lab.session.trace), 7):
            lab.session.seek(at)
            lab.settle_drawing()
            seen.append(tuple(sizes_of(lab)))
    steps = [sizes[0] for sizes in passes[0]]
    assert sorted(steps, reverse=True) == steps
    assert len(set(passes[1])) == 1


@pytest.mark.slow
def test_words_that_fit_need_no_scroll_bar(open_lab) -> None:
    """Steps of back-propagation that tell of an epoch are short: the network beside them leaves them their lines."""
    lab = run_of(open_lab, engine.textbook("xor"), "backpropagation", epochs=30)
    dock = lab.window.right_dock
    told = [k for k in range(len(lab.session.trace)) if "is over" in lab.session.trace[k].note.text()]
    assert told
    for at in told[:5]:
        lab.session.seek(at)
        lab.settle_drawing()
        assert not dock.step.scroller.verticalScrollBar().isVisible()
    network = lab.window.stage.first.widget()
    assert network.verticalScrollBar().maximum() == 0  # and the whole network is seen


@pytest.mark.slow
def test_a_plot_that_is_chosen_gets_the_room_to_be_read(open_lab) -> None:
    lab = run_of(open_lab, engine.generate("moons", 40, 0.25), "adaboost", rounds=5)
    for at in (*range(len(lab.session.trace)), 10):  # every figure has had its tab
        lab.session.seek(at)
        lab.settle_drawing()
    figure = lab.window.right_dock.figure
    titles = [title for _, title in figure.pages()]
    QTest.mouseClick(figure.tabs.tabs[titles.index("Margins: how clear the vote is")], LEFT)
    lab.settle_drawing()
    assert figure.body.height() >= 0.9 * DRAWN  # the words keep their least height
    after = sizes_of(lab)
    lab.session.seek(11)
    lab.settle_drawing()
    assert sizes_of(lab) == after


@pytest.mark.slow
def test_the_projector_leaves_no_trace_in_the_shares(open_lab) -> None:
    lab = run_of(open_lab, engine.generate("leaning_clouds"), "perceptron", start=(-1.0, 0.5))
    lab.session.seek(9)
    lab.settle_drawing()
    before = sizes_of(lab)
    lab.window.toggle_projector()
    lab.settle_drawing()
    lab.window.toggle_projector()
    lab.settle_drawing()
    assert sizes_of(lab) == before


@pytest.mark.slow
def test_what_a_person_dragged_stays_until_another_method_comes(open_lab) -> None:
    lab = run_of(open_lab, engine.textbook("six_points"), "hinge_descent")
    split = lab.window.right_dock.split
    handle = split.handle(2)
    before = sizes_of(lab)
    QTest.mousePress(handle, LEFT, pos=QPoint(50, 0))
    for dy in (-10, -30, -30):
        QTest.mouseMove(handle, QPoint(50, dy))
    QTest.mouseRelease(handle, LEFT, pos=QPoint(50, 0))
    dragged = sizes_of(lab)
    assert dragged[0] < before[0]
    lab.session.set_params("C", C=2.0)
    lab.settle()
    lab.session.seek(5)
    lab.settle()
    assert sizes_of(lab) == dragged
    lab.session.choose("perceptron")
    lab.settle()
    QTest.qWait(20)
    assert not lab.window.right_dock.dragged


def adaboost(open_lab, size: tuple[int, int]) -> Lab:
    lab = open_lab(Document(engine.generate("leaning_clouds"), (lane("adaboost"),)), size)
    lab.settle()
    return lab


def show(lab: Lab, at: int) -> list[int]:
    """The shares of the dock at a step."""
    lab.session.seek(at)
    lab.settle()
    QTest.qWait(20)
    return sizes_of(lab)


@pytest.mark.slow
@pytest.mark.parametrize("size", [SMALL, (1920, 1080), (2560, 1440)])
def test_the_shares_are_the_same_whatever_was_visited_before(open_lab, size: tuple[int, int]) -> None:
    """“Weight in all” of step 8 was hidden above 531 pixels with one bar, where a fresh window showed it."""
    fresh = adaboost(open_lab, size)
    usual = show(fresh, 8)
    lab = open_lab(Document(engine.textbook("restaurant"), (lane("decision_tree"),)), SMALL)
    show(lab, 4)
    lab.window.resize(960, 620)
    lab.session.open(Document(engine.generate("leaning_clouds"), (lane("perceptron"),)))
    show(lab, 1)
    lab.session.choose("adaboost")
    show(lab, 8)
    for passed in ((2560, 1440), (1280, 800), (1920, 1080), size):
        lab.window.resize(*passed)
        lab.until(lambda size=passed: theme.current().step == type_step(*size))  # the type follows when it stands still
        lab.settle()
    assert show(lab, 8) == usual
    assert show(lab, len(lab.session.trace) - 1) == usual
    assert show(lab, 8) == usual
    bar = lab.window.right_dock.step.scroller.verticalScrollBar()
    assert size == SMALL or not bar.isVisible()


@pytest.mark.slow
def test_a_run_needs_the_same_in_pieces_and_as_a_whole(open_lab) -> None:
    lab = adaboost(open_lab, (1920, 1080))
    room, trace = lab.window.right_dock.room, lab.session.trace
    QTest.qWait(20)
    width = room.panel.scroller.text_width()
    needed = room.needed
    assert needed == max(room.panel.height_for(step, width) for step in trace)
    room._about = ()
    room.measure()
    QTest.qWait(20)
    assert room.needed == needed


def test_runs_that_follow_each_other_at_once_are_measured_when_the_last_one_is_there(open_lab, monkeypatch) -> None:
    """A slider that is dragged starts one run after the other: none of them may wait for words that nobody reads."""
    lab = adaboost(open_lab, (1920, 1080))
    room, measured = lab.window.right_dock.room, []
    lab.until(lambda: not room._waiting)
    height_for = room.panel.height_for
    monkeypatch.setattr(room.panel, "height_for", lambda step, width: measured.append(step) or height_for(step, width))
    for rounds in (30, 20, 10):
        lab.session.set_params("rounds", rounds=rounds)
        assert not measured
    lab.settle()
    lab.until(lambda: bool(measured) and not room._waiting)
    trace = lab.session.trace
    assert all(any(step is own for own in trace) for step in measured)
    assert len(measured) < 60


@pytest.mark.slow
def test_a_step_that_needs_more_than_all_that_were_measured_gets_it(open_lab, monkeypatch) -> None:
    monkeypatch.setattr("gui.panels.step_room.worth_measuring", lambda count: False)
    monkeypatch.setattr("gui.panels.step_room.last_ones", lambda trace: set())
    lab = adaboost(open_lab, (1920, 1080))
    dock, found = lab.window.right_dock, []
    for at in [*range(12), *reversed(range(12))]:
        found.append(show(lab, at)[0])
        assert not dock.step.scroller.verticalScrollBar().isVisible(), at
    assert sorted(found) == found, "it keeps what it was given: the dock moves for the longest words only"


def test_words_above_a_hint_have_what_they_need(qapp) -> None:
    """Beside a table there is no figure in the dock; the answer below the words may be a single line."""
    assert shares(640, 430, 140, 60, True, 0, 84) == [431, 209, 0]
    step, asked, _ = shares(640, 600, 140, 60, True, 0, 400)
    assert asked == 34 * 640 // 100 and step == 640 - asked


# -- in the lecture hall -----------------------------------------------------------------------------------------------


def in_the_hall(open_lab, data, key: str) -> Lab:
    lab = run_of(open_lab, data, key)
    lab.window.toggle_projector()
    lab.window.room.unfold(lab.window.right_dock)
    QTest.qWait(50)
    lab.settle()
    return lab


@pytest.mark.slow
@pytest.mark.parametrize("key", ["svm", "perceptron", "nearest_neighbours"])
def test_the_dock_grows_with_the_type(open_lab, key: str) -> None:
    lab = in_the_hall(open_lab, engine.generate("blobs", 20, 0.6), key)
    dock = lab.window.right_dock
    code = dock.code.findChild(CodeCard)
    assert code.horizontalScrollBar().maximum() == 0  # every line is seen whole, as on the desk
    wide = dock.width()
    lab.window.toggle_projector()
    QTest.qWait(50)
    assert dock.width() == theme.RIGHT_DOCK < wide


def test_every_table_can_be_reached_in_the_hall(open_lab) -> None:
    """Winnow has its visits beside the examples, MMDS Fig 12.7."""
    lab = run_of(open_lab, engine.textbook("spam"), "winnow")
    stage = lab.window.stage
    lab.session.seek(4)
    lab.window.toggle_projector()
    QTest.qWait(50)
    assert stage.switcher.names == ("Weights w", "Examples", "Visits")
    tables = {figure.title: figure for figure in lab.session.scene.figures if isinstance(figure, Table)}

    def words() -> dict[str, QWidget]:
        return {word.name: word for word in stage.switcher.words}

    for title in ("Visits", "Examples"):
        QTest.mouseClick(words()[title], LEFT)
        shown = dict(stage.panes())[title].widget()
        assert shown.isVisible() and shown.model_.table is tables[title]
    lab.session.seek(5)  # the choice stays in the next step
    assert "Visits" in stage.arrangement.names
    lab.session.seek(0)  # nothing is visited yet: its place is kept
    lab.settle()
    assert dict(stage.panes())["Visits"].widget() is dict(stage.panes())["Visits"].absent


def test_an_answer_that_was_asked_for_has_the_room_it_needs(open_lab) -> None:
    lab = run_of(open_lab, engine.generate("moons", 40, 0.3), "nearest_neighbours", k=1)
    dock = lab.window.right_dock
    before = dock.split.sizes()
    lab.session.set_settings(tool="probe")
    lab.click(0.3, 0.2)
    lab.settle()
    lab.session.seek(len(lab.session.trace) - 1)
    lab.settle()
    assert dock.why.isVisible()
    assert dock.why.scroller.viewport().height() >= min(dock.why.scroller.needed(), 0.3 * sum(before))
    assert dock.split.sizes()[2] > before[2]
    dock.figure.tabs.chosen.emit(1)
    lab.settle()
    assert dock.split.sizes() == before, "the figures have their own share again"


def test_an_answer_whose_page_was_chosen_has_the_room_it_needs(open_lab) -> None:
    lab = run_of(open_lab, engine.generate("moons", 40, 0.3), "nearest_neighbours", k=1)
    dock = lab.window.right_dock
    lab.session.seek(len(lab.session.trace) - 1)
    lab.settle()
    before = dock.split.sizes()
    dock.figure.tabs.chosen.emit(0)
    lab.settle()
    assert dock.why.isVisible()
    assert dock.split.sizes()[2] > before[2]
    assert dock.why.scroller.viewport().height() >= min(dock.why.scroller.needed(), 0.3 * sum(before))
    dock.figure.tabs.chosen.emit(1)
    lab.settle()
    assert dock.split.sizes() == before


def test_long_answers_take_no_more_than_a_third_from_the_rest(qapp) -> None:
    assert shares(900, 300, 140, 60, True, PICTURE)[1] < shares(900, 300, 140, 60, True, PICTURE, 250)[1]
    assert shares(900, 300, 140, 60, True, PICTURE, 250)[1] == 250
    assert shares(900, 300, 140, 60, True, PICTURE, 800)[1] == 306


@pytest.mark.slow
@pytest.mark.parametrize("size", [SMALL, (1920, 1080)])
def test_no_step_of_a_tree_moves_the_dock_and_the_formula_is_seen(open_lab, size) -> None:
    """AIMA Fig 18.3: the step's own answers and the candidates of a choice scroll before the words move or are cut."""
    lab = open_lab(Document(engine.textbook("restaurant"), (lane("decision_tree"),)), size)
    lab.settle()
    dock, last = lab.window.right_dock, len(lab.session.trace) - 1
    found = set()
    for at in (*range(last + 1), *reversed(range(last + 1))):
        lab.session.seek(at)
        lab.settle()
        found.add(tuple(dock.split.sizes()))
        formulas = dock.step.formulas
        if lab.session.step.choice is not None and lab.session.step.note.formulas:
            bottom = formulas.mapTo(dock.step.scroller.viewport(), QPoint(0, formulas.height())).y()
            assert bottom <= dock.step.scroller.viewport().height(), at
            bars = dock.step.options
            ends = [int(bars._top(k)) for k in range(len(bars.rows) + 1)]
            assert bars.height() in ends or not bars.withheld(), "no half name below the last bar"
    assert len(found) == 1
