"""What the longest step of a run needs is measured beside the run; in the lecture hall the right
dock is wider.
"""

from itertools import pairwise
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laboratory import LEFT, Lab
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.scene.scene import Table
from gui.figures.bars import BarsFigure
from gui.look import theme
from gui.reading import step_room
from gui.reading.pseudocode import CodeCard
from gui.reading.step_room import worth_measuring
from gui.reading.this_step import ThisStepPanel

SMALL = (1280, 800)


@given(st.integers(1, 5000))
def test_of_a_kind_the_first_steps_are_measured_and_then_ever_fewer(count: int) -> None:
    chosen = [k for k in range(count) if worth_measuring(k)]
    assert chosen[:10] == list(range(min(count, 10)))
    assert len(chosen) <= 10 + 2 * log2(count)
    assert all(b <= 1.8 * a for a, b in pairwise(chosen[9:]))


def run_of(open_lab, data, key: str, **params) -> Lab:
    lab = open_lab(Document(data, (lane(key, **params),)), SMALL)
    lab.settle()
    return lab


def adaboost(open_lab, size: tuple[int, int]) -> Lab:
    lab = open_lab(Document(engine.generate("leaning_clouds"), (lane("adaboost"),)), size)
    lab.settle()
    return lab


@pytest.mark.slow
def test_a_run_needs_the_same_in_pieces_and_as_a_whole(open_lab) -> None:
    lab = adaboost(open_lab, (1920, 1080))
    room = lab.window.right_dock.room
    trace = lab.session.trace
    lab.until(lambda: room.needed > 0 and room.measured)
    width = room.width
    needed = room.needed
    assert needed == max(room.panel.height_for(step, width) for step in trace)
    room.forget()
    room.measure()
    lab.until(lambda: room.measured)
    assert room.needed == needed


@pytest.mark.slow
def test_what_was_never_shown_is_as_high_at_the_first_look_as_at_the_second(open_lab) -> None:
    """The caption of candidates that stand nowhere was folded at the width that a widget is born
    with.
    """
    lab = adaboost(open_lab, (1920, 1080))
    panel = ThisStepPanel()
    step = next(step for step in lab.session.trace if step.choice is not None)
    first = panel.height_for(step, 432)
    for bars in panel.findChildren(BarsFigure):
        bars.viewport().resize(432, 10)  # as when their layout has come to it
    assert panel.height_for(step, 432) == first
    panel.deleteLater()


@pytest.mark.slow
def test_runs_that_follow_each_other_at_once_are_measured_when_the_last_one_is_there(
    open_lab, monkeypatch
) -> None:
    """A slider that is dragged starts one run after the other: none of them may wait for words that
    are not read.
    """
    lab = adaboost(open_lab, (1920, 1080))
    room = lab.window.right_dock.room
    measured = []
    lab.until(lambda: room.measured)
    height_for = room.panel.height_for
    monkeypatch.setattr(
        room.panel,
        "height_for",
        lambda step, width: measured.append(step) or height_for(step, width),
    )
    for rounds in (30, 20, 10):
        lab.session.set_params("rounds", rounds=rounds)
        assert not measured
    lab.settle()
    lab.until(lambda: bool(measured) and room.measured)
    trace = lab.session.trace
    assert all(any(step is own for own in trace) for step in measured)
    assert len(measured) < 60


# -- in the lecture hall ---------------------------------------------------------------------------


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
    # every line is seen on one row, as on the desk
    assert len(code.rows(code.width() - 2)) == len(code.lines)
    wide = dock.width()
    lab.window.toggle_projector()
    QTest.qWait(50)
    assert dock.width() == theme.RIGHT_DOCK < wide


@pytest.mark.slow
def test_every_table_can_be_reached_under_the_projector(open_lab) -> None:
    """Winnow has its visits beside the examples, MMDS Fig 12.7."""
    lab = run_of(open_lab, engine.textbook("spam"), "winnow")
    stage = lab.window.stage
    lab.session.seek(4)
    lab.window.toggle_projector()
    QTest.qWait(50)
    assert stage.switcher.names == ("Weights w", "Examples", "Visits")
    tables = {
        figure.title: figure for figure in lab.session.scene.figures if isinstance(figure, Table)
    }

    def words() -> dict[str, QWidget]:
        return {word.name: word for word in stage.switcher.words}

    for title in ("Visits", "Examples"):
        QTest.mouseClick(words()[title], LEFT)
        shown = dict(stage.panes())[title].widget()
        assert shown.isVisible() and shown.model_.table is tables[title]
    lab.session.seek(5)  # the choice stays in the next step
    assert "Visits" in stage.arrangement.names
    lab.session.seek(0)  # nothing is visited yet: the other view has its place
    lab.settle()
    assert "Visits" not in stage.arrangement.names and stage.arrangement.names
    lab.session.seek(5)
    lab.settle()
    assert "Visits" in stage.arrangement.names


def test_in_another_width_the_steps_of_a_run_are_not_looked_through_again(
    open_lab, monkeypatch
) -> None:
    """Ten thousand of them held up a change of theme, and a window that is made larger, for 80 ms
    each time.
    """
    lab = adaboost(open_lab, (1920, 1080))
    room = lab.window.right_dock.room
    counts = []
    lab.until(lambda: room.needed > 0 and room.measured)
    needed = room.needed
    usual = step_room.worth_measuring
    monkeypatch.setattr(
        step_room, "worth_measuring", lambda count: counts.append(count) or usual(count)
    )
    room.set_width(room.width - 60)
    room.set_width(room.width + 60)
    lab.until(lambda: room.measured)
    assert room.needed == needed
    assert not counts
