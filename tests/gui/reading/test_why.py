"""The panel “Why this label?”."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from engine.algorithms.linear.perceptron import ALGORITHM
from engine.protocol.algorithm import Explanation
from engine.protocol.params import build
from engine.protocol.step import Fact, Formula, Operand, note
from engine.runs.run import Run
from engine.scene.scene import Bars
from engine.table.dataset import Dataset
from engine.table.prepare import prepare
from gui.formulas.formula import number_items
from gui.look import style, theme
from gui.reading.why import WhyPanel, opening, shorten_sum


@pytest.fixture
def panel(qtbot, qapp):
    style.apply(qapp, "light")
    made = WhyPanel()
    qtbot.addWidget(made)
    made.resize(324, 300)
    made.show()
    return made


@pytest.fixture(scope="module")
def run():
    problem = prepare(
        Dataset.from_arrays([[1.0, 2.0], [2.0, 1.0], [-1.0, 0.5], [-1.0, -2.0]], [1, -1, 1, -1])
    )
    made = Run(ALGORITHM, problem, build(ALGORITHM.params, {}))
    made.advance()
    return made


def explained(run, row):
    trace = run.trace
    return ALGORITHM.explain(trace.given, trace[-1].state, trace.problem.X[row])


def test_it_begins_with_a_hint(panel):
    assert panel.as_text().startswith("Point at the plane")
    assert not panel.swatch.isVisible()


def test_it_reckons_the_label_of_a_place(panel, run):
    found = explained(run, 0)
    panel.show_explanation(found, run.problem, "x₁", "probe: current point")
    lines = panel.as_text().splitlines()
    assert lines[0].startswith("x₁ is now called +1")
    assert panel.caption.full_text() == "probe: current point"
    w = run.trace[-1].state.w
    total = float(w @ [1.0, 2.0])
    assert found.note["score"] == pytest.approx(total)
    assert f"= {total:.2f}" in panel.as_text() or f"= {total:.0f}" in panel.as_text()
    assert panel.bars.isVisible() == (found.bars is not None)


def test_the_swatch_has_the_colour_of_the_class(panel, run):
    for row in (0, 1):
        found = explained(run, row)
        panel.show_explanation(found, run.problem, "x")
        image = panel.swatch.grab().toImage()
        assert image.pixelColor(10, 9).name().upper() == theme.current().classes[found.label]


def test_a_hint_takes_the_place_of_the_answer(panel, run):
    panel.show_explanation(explained(run, 0), run.problem, "x₁")
    panel.show_hint("This algorithm cannot tell {why}.")
    assert panel.as_text() == "This algorithm cannot tell {why}."
    assert not panel.bars.isVisible()
    assert not panel.lead.isVisible()


def test_a_sentence_of_its_own_follows_the_answer(run):
    plain = Explanation(1, note("Two of {k} neighbours say so.", k=3))
    said = opening(plain, run.problem, "(1.02, 0.22)")
    assert said.text() == "(1.02, 0.22) is now called −1. Two of 3 neighbours say so."
    no_class = opening(Explanation(-1, note("They disagree.")), run.problem, "")
    assert no_class.text() == "This place has no class. They disagree."
    tie = opening(
        Explanation(-1, note("This place stays unclassified, because its neighbours disagree.")),
        run.problem,
        "x₃",
    )
    assert tie.text() == "x₃ stays unclassified, because its neighbours disagree."
    numbered = prepare(Dataset.from_arrays([[1.0], [2.0]], [-1, 1]))
    ends = {opening(Explanation(k, note("So it is.")), numbered, "x").text() for k in (0, 1)}
    assert ends == {"x is now called +1. So it is.", "x is now called −1. So it is."}


def test_facts_and_votes_show_and_terms_tell_their_tags(qtbot, panel, run):
    words = note(
        "This place is called {name}.",
        Formula("d =", "{a} − {b}", "{d}"),
        Fact("nearest", "{d} away"),
        name="+1",
        a=Operand(3.0, about="query"),
        b=Operand(1.5, about="neighbour"),
        d=1.5,
    )
    votes = Bars(
        "Votes", ("+1", "−1"), np.array([2.0, 1.0]), group=np.array([0, 1]), digits=0, tag="votes"
    )
    panel.show_explanation(Explanation(0, words, votes), run.problem, "q")
    assert panel.bars.isVisible()
    assert panel.as_text().splitlines()[-3:] == ["Votes", "+1: 2", "−1: 1"]
    tags = []
    panel.hovered.connect(tags.append)
    qtbot.waitUntil(lambda: panel.calculation.height() > 30)
    sheet = panel.calculation.sheet(panel.calculation.width())
    box, x, y = next(part for part in sheet.placed if part[0].tag == "neighbour")
    qtbot.mouseMove(panel.calculation, QPoint(int(x + box.width / 2), int(y - box.above / 2)))
    qtbot.waitUntil(lambda: tags == ["neighbour"])


def test_a_long_sum_keeps_its_beginning_and_its_end(qapp):
    count = 40
    made = note("", **{f"w{k}": float(k + 2) for k in range(count)})
    items = shorten_sum(number_items(made, " + ".join(f"{{w{k}}}" for k in range(count)), "body"))
    texts = [item.box.text for item in items]
    assert texts == ["2", "+", "3", "+", "4", "+", "5", "+", "6", "+", "…", "+", "41"]


def test_the_middle_of_a_long_sum_unfolds(qtbot, panel, run):
    """Nothing of a formula is out of reach: the number of folded terms is shown, and a click brings
    them.
    """
    made = {f"w{k}": float(k + 2) for k in range(40)}
    words = note(
        "",
        Formula("f =", " + ".join(f"{{w{k}}}" for k in range(40)), "{s}"),
        **made,
        s=sum(made.values()),
    )

    def terms() -> list[str]:
        placed = panel.calculation.sheet(panel.calculation.width()).placed
        return [box.text for box, _, _ in placed if box.text not in ("+", "=", "…")]

    panel.show_explanation(Explanation(0, words), run.problem, "x₁")
    assert panel.calculation.more.isVisible()
    assert (len(terms()), panel.calculation.more.text()) == (5 + 1 + 1, "34 more terms")
    qtbot.mouseClick(panel.calculation.more, Qt.MouseButton.LeftButton)
    assert terms() == [*(str(k + 2) for k in range(40)), "860"]
    qtbot.mouseClick(panel.calculation.more, Qt.MouseButton.LeftButton)
    assert len(terms()) == 7
    panel.show_explanation(explained(run, 0), run.problem, "x₁")
    assert not panel.calculation.more.isVisible()
