"""The panel of this step, with real notes and a real mouse."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible

from engine.algorithms.linear.perceptron import ALGORITHM
from engine.base.notation import Share
from engine.protocol.params import build
from engine.protocol.step import Choice, Formula, Operand, Option, note
from engine.runs.run import Run
from engine.table.dataset import Dataset
from engine.table.prepare import prepare
from gui.figures.bars import KEPT
from gui.look import style
from gui.reading.this_step import ThisStepPanel
from tests.steps import Known, known_step


@pytest.fixture(scope="module")
def trace():
    rng = np.random.default_rng(1)
    X = np.vstack([rng.normal((-0.5, 1), 0.8, (20, 2)), rng.normal((0.3, -1), 0.9, (20, 2))])
    problem = prepare(Dataset.from_arrays(X, [1] * 20 + [-1] * 20))
    run = Run(ALGORITHM, problem, build(ALGORITHM.params, {"start": (-1.0, 0.5)}))
    run.advance(max_steps=200)
    return run.trace


@pytest.fixture
def panel(qtbot, qapp):
    style.apply(qapp, "light")
    made = ThisStepPanel()
    qtbot.addWidget(made)
    made.resize(324, 400)
    made.show()
    return made


def mistake(trace):
    return next((k, step) for k, step in enumerate(trace) if "mistake" in step.events)


def tied():
    options = tuple(Option(name, 0.25, f"attr {name}") for name in ("Hungry", "Price", "Res"))
    words = note(
        "Split the rows on {best}.",
        Formula("Gain =", "B({p}) − B({q})", "{gain} bits"),
        best=Operand("Hungry", about="attr Hungry"),
        p=Share((2, 6)),
        q=Share((2, 4)),
        gain=Operand(0.25, digits=4),
    )
    return known_step(
        "choose",
        Known(words, Choice("Which column?", options, (0, 1, 2), 0, "first in the table", "bits")),
    )


def place(view, tag, panel):
    """The middle of the first box with that tag."""
    sheet = view.sheet(view.width())
    box, x, y = next(part for part in sheet.placed if part[0].tag == tag)
    return QPoint(int(x + box.width / 2), int(y - box.above / 2))


def test_it_says_everything_of_the_step(panel, trace):
    index, step = mistake(trace)
    panel.show_step(step, index)
    assert panel.caption.full_text() == f"step {index}"
    assert panel.as_text() == "\n".join(step.note.lines())
    assert panel.lead.isVisible()
    assert panel.formulas.isVisible()
    assert not panel.options.isVisible()


def test_terms_tell_their_tags_under_the_mouse(qtbot, panel, trace):
    index, step = mistake(trace)
    panel.show_step(step, index)
    qtbot.waitUntil(lambda: panel.formulas.height() > 50)
    tags = []
    panel.term_hovered.connect(tags.append)
    for view, tag in (
        (panel.formulas, "before"),
        (panel.formulas, "change"),
        (panel.formulas, "w"),
        (panel.lead, "current"),
    ):
        qtbot.mouseMove(view, place(view, tag, panel))
        qtbot.waitUntil(lambda tag=tag: tags[-1:] == [tag])
    qtbot.mouseMove(panel.lead, QPoint(1, 1))
    assert set(tags) >= {"before", "change", "w", "current"}


def test_lit_tags_show_on_their_terms(qtbot, panel, trace):
    index, step = mistake(trace)
    panel.show_step(step, index)
    qtbot.waitUntil(lambda: panel.formulas.height() > 50)
    plain = panel.grab().toImage()
    panel.set_lit(frozenset({"before"}))
    assert panel.grab().toImage() != plain
    panel.set_lit(frozenset())
    assert panel.grab().toImage() == plain


def test_a_choice_shows_its_candidates_and_tells_which_is_pointed_at(qtbot, panel, trace):
    panel.show_step(tied(), 4)
    assert panel.caption.full_text() == "choice"
    assert panel.options.isVisible()
    assert "Price: 0.2500 (tie)" in panel.as_text()
    tags = []
    panel.option_hovered.connect(tags.append)
    pitch = panel.options.pitch()
    qtbot.waitUntil(lambda: panel.options.viewport().height() > 2 * pitch)
    qtbot.mouseMove(panel.options.viewport(), QPoint(100, int(1.5 * pitch)))
    qtbot.waitUntil(lambda: tags == ["attr Price"])
    panel.show_step(trace[0], 0)
    assert not panel.options.isVisible()
    assert "Price" not in panel.as_text()


@pytest.mark.parametrize("name", ["light", "dark", "projector"])
def test_nothing_is_cut_when_there_is_room(qtbot, qapp, panel, trace, name):
    style.apply(qapp, name)
    panel.resize(324, 900)
    for index, step in (mistake(trace), (4, tied()), (0, trace[0])):
        panel.show_step(step, index)
        assert panel.fit(panel.width(), 900) <= 900
        for view in (panel.lead, panel.formulas):
            qtbot.waitUntil(lambda view=view: view.height() >= view.heightForWidth(view.width()))
    style.apply(qapp, "light")


def test_a_screen_reader_gets_every_step(monkeypatch, panel, trace):
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    index, step = mistake(trace)
    panel.show_step(step, index)
    assert panel.lead.accessibleName() == panel.lead.as_text() != ""
    assert panel.formulas.accessibleName() == panel.formulas.as_text() != ""


def test_clearing_leaves_nothing(panel, trace):
    panel.show_step(trace[1], 1)
    panel.clear()
    assert panel.as_text() == ""
    assert panel.caption.full_text() == ""


def crowded(count):
    """A decision among many, the best one first."""
    step = tied()
    more = tuple(Option(f"column {k}", 0.2 - k / 100, f"attr {k}") for k in range(count))
    choice = Choice(
        "Which column?", (*step.choice.options, *more), (0, 1, 2), 0, "first in the table", "bits"
    )
    return known_step("choose", Known(step.note, choice))


@pytest.mark.parametrize("height", [230, 300, 400, 700])
def test_many_candidates_fold_before_the_formula_is_cut(qtbot, panel, height):
    """Whole bars, the best ones first; nothing scrolls in the panel, and the words stay whole."""
    panel.show_step(crowded(9), 4)
    high = panel.fit(324, height)
    panel.resize(324, high)
    panel.grab()
    bars = panel.options
    assert high <= max(height, panel.height_at(324)) and len(bars.rows) >= KEPT
    assert high <= height or len(bars.rows) == KEPT
    assert bars.verticalScrollBar().maximum() == 0 and bars.height() == bars.whole()
    assert bars.rows == bars.every[: len(bars.rows)] and bars.rows[0].mark == "check"
    folded = 12 - len(bars.rows)
    assert bars.more.isVisible() == (folded > 0)
    assert bars.more.text() == (f"{folded} more" if folded else "fewer")
    assert panel.formulas.geometry().bottom() <= high
    assert panel.formulas.height() >= panel.formulas.heightForWidth(panel.formulas.width())
    assert "column 8" in panel.as_text(), "those that are folded are read aloud"
    if folded:
        qtbot.mouseClick(bars.more, Qt.MouseButton.LeftButton)
        assert (
            panel.fit(324, height) > high and len(bars.rows) == 12 and bars.more.text() == "fewer"
        )
        qtbot.mouseClick(bars.more, Qt.MouseButton.LeftButton)
        assert panel.fit(324, height) == high


def test_folded_candidates_come_back_with_room(panel):
    panel.show_step(crowded(9), 4)
    panel.fit(324, 230)
    assert len(panel.options.rows) < 12
    panel.fit(324, 700)
    assert len(panel.options.rows) == 12
    panel.fit(324, 230)
    panel.show_step(tied(), 5)
    panel.fit(324, 300)
    assert len(panel.options.rows) == 3 and not panel.options.more.isVisible()
