"""A lesson as a page: what it shows, and which tasks can be done in it."""

import re
from pathlib import Path

import pytest
from pages import Balanced, as_xml, unpacked

import main
from engine.base.errors import EngineError
from engine.base.place import ASSETS
from engine.lessons.package import lesson_of, open_lesson
from engine.web.lesson import lesson_page
from tests.engine.lessons.lessons import SMALL

SPAM = ASSETS / "lessons" / "mmds" / "six_e_mails.toml"


def test_the_six_e_mails_as_a_page(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """MMDS Fig 12.6: w after the second mistake, the replies, and what needs the lab."""
    out = tmp_path / "six.html"
    assert main.main(["render", str(SPAM), "--out", str(out)]) == 0
    assert main.main(["render", str(SPAM), "--out", str(tmp_path / "six.png")]) == 2
    html = out.read_text("utf-8")
    reader = Balanced()
    reader.feed(html)
    reader.close()
    assert (reader.faults, reader.open) == ([], [])
    assert not re.search(r"https?:", html) and "viagra and nigeria" not in html
    lesson = unpacked(html)
    parts = lesson["parts"]
    assert all(len(list(as_xml(page["text"]))) for page in lesson["pages"])
    kinds = [page.get("task", {}).get("kind") for page in lesson["pages"]]
    assert kinds == [None, None, "type", "pick", "pick", "pick", "step", "lab"]
    second, third, who, _, run, order = lesson["pages"][2:]
    assert "w = (0.50, 0.50, 0, 0.50, 0.50)" in second["text"]
    assert [right for right, _ in second["task"]["blanks"]] == [0.5, 0.5, -0.5, 0, 0.5]
    assert second["task"]["wrong"][0][0] == [0.5, 0.5, 0.5, 1, 0.5]
    assert sum(row.count("<input") for row in second["task"]["rows"]) == 5
    assert [right for _, right, _ in third["task"]["options"]] == [True, False, False]
    assert [label for label, right, _ in who["task"]["options"] if right] == ["d"]
    assert {a: says for a, _, says in who["task"]["options"]}["b"].startswith("b lies on the line")
    table = "".join(parts[k] for k in who["open"][0]["v"]["Examples"])
    assert ">d</th>" in table and parts[who["open"][0]["t"]] == ""
    after = "".join(parts[k] for k in who["done"][0]["v"]["Examples"])
    assert re.search(r'class="now">.{0,60}>d</th>', after)
    assert [step["met"] for step in run["task"]["steps"]].index(True) > 1
    assert order["task"]["explains"].startswith("Each w") and "lab" in html


def test_what_cannot_be_shown_is_said() -> None:
    with pytest.raises(EngineError, match="TOML"):
        lesson_page(lesson_of("title"))
    strange = SMALL.replace('method = "perceptron"', 'method = "oracle"')
    with pytest.raises(EngineError, match="No page of this lesson"):
        lesson_page(lesson_of(strange))
    late = unpacked(lesson_page(lesson_of(SMALL.replace("number = 2", "number = 99"))))
    assert "4 times only" in late["pages"][1]["fault"] and late["pages"][0]["lanes"]


def test_what_a_page_lights_is_lit_in_its_pictures() -> None:
    """MIT 2.2.23: “all three lit rows” are x₂, x₄ and x₆; the table of the book has six."""
    html = lesson_page(open_lesson(ASSETS / "lessons" / "mit" / "conjunction_by_hand.toml"))
    run = unpacked(html)
    row = run["pages"][1]["open"][0]
    table = "".join(run["parts"][k] for k in row["v"]["Examples"])
    lit = [k for k, line in enumerate(table.split("<tr")[2:], 1) if line.startswith(' class="now"')]
    assert lit == [2, 4, 6]
