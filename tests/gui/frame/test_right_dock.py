"""The right dock: its height goes to the words of the step before anything else, and at most one
thing in it scrolls.
"""

from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
from laboratory import LEFT, Key, Lab, double_click
from PySide6.QtCore import QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import engine
from engine.document.document import Document
from engine.document.lane import lane
from gui.frame.right_dock import FIGURE
from gui.look import theme
from gui.look.sizes import type_step


def resize(lab: Lab, size: tuple[int, int]) -> None:
    lab.window.resize(*size)
    lab.until(lambda: theme.current().step == type_step(*size))
    lab.settle()


# -- figures ---------------------------------------------------------------------------------------

TALL = (1280, 1400)


def tall(open_lab) -> Lab:
    lab = open_lab(size=TALL)
    lab.until(lambda: not lab.window.right_dock.room._waiting)
    lab.session.seek(37)
    lab.settle()
    return lab


@pytest.mark.slow
def test_figures_are_there_only_where_160_pixels_are_left(open_lab) -> None:
    """Of what the stage does not show; the rest is reached by its switcher."""
    lab = tall(open_lab)
    dock = lab.window.right_dock
    assert dock.figure.isVisible() and dock.figure.height() >= FIGURE
    assert "Examples" in dock.figure.tabs.titles
    lab.window.resize(1280, 800)
    lab.settle()
    assert not dock.figure.isVisible() and not lab.window.room.edges["figures"].isVisible()
    assert "Examples" in lab.window.stage.switcher.names
    lab.window.resize(*TALL)
    lab.settle()
    assert dock.figure.isVisible()


@pytest.mark.slow
def test_the_edge_of_the_figures_is_dragged_and_remembered(open_lab, settings: QSettings) -> None:
    lab = tall(open_lab)
    dock = lab.window.right_dock
    edge = lab.window.room.edges["figures"]
    usual = dock.figure.height()
    corner = dock.figure.mapTo(lab.window.centralWidget(), QPoint(0, 0))
    assert (edge.height(), edge.geometry().center().y()) == (9, corner.y() - 1)
    start = edge.mapToGlobal(edge.rect().center())
    QTest.mousePress(edge, LEFT, pos=edge.rect().center())
    QTest.mouseMove(edge, edge.mapFromGlobal(start + QPoint(0, usual - 220)))
    QTest.mouseRelease(edge, LEFT, pos=edge.rect().center())
    lab.settle()
    assert dock.figure.height() == 220
    assert dock.figure.geometry().bottom() == dock.height() - 1, (
        "at the lower end, so that no step moves it"
    )
    again = tall(open_lab)
    assert again.window.right_dock.figure.height() == 220
    while QApplication.focusWidget() is not again.window.room.edges["figures"]:
        again.key(Key.Key_F6)
    for _ in range(2):
        again.key(Key.Key_Up)
    assert again.window.right_dock.figure.height() == 252
    again.key(Key.Key_Down)
    assert again.window.right_dock.figure.height() == 236
    assert again.session.cursor == 37
    edge = again.window.room.edges["figures"]
    double_click(edge, edge.rect().center())
    again.settle()
    assert again.window.right_dock.figure.height() == usual, "the rule has it back"


@pytest.mark.slow
def test_no_hand_can_push_the_words_out(open_lab) -> None:
    lab = tall(open_lab)
    dock = lab.window.right_dock
    lab.window.room.drag("figures", 5000)
    lab.settle()
    assert dock.page.verticalScrollBar().maximum() == 0
    high = dock.figure.height()
    lab.window.room.drag("figures", 1)
    lab.settle()
    assert 0 < dock.figure.height() < high


@pytest.mark.slow
def test_a_wide_table_of_the_dock_folds_columns_instead_of_scrolling_sideways(open_lab) -> None:
    lab = open_lab(
        Document(engine.generate("leaning_clouds"), (lane("hinge_descent"),)), size=(2560, 1440)
    )
    lab.until(lambda: not lab.window.right_dock.room._waiting)
    lab.session.seek(104)
    lab.settle()
    panel = lab.window.right_dock.figure
    QTest.mouseClick(panel.tabs.tabs[panel.tabs.titles.index("Steps")], LEFT)
    lab.settle()
    table: Any = panel.body.stack.currentWidget()
    columns = len(table.model_.table.columns)
    hidden = [k for k in range(columns) if table.isColumnHidden(k + 1)]
    assert hidden and table.folded == len(hidden)
    assert sum(table.columnWidth(k) for k in range(columns + 1)) <= table.viewport().width()
    assert panel.enlarge.text() == f"+{len(hidden)}"
    QTest.mouseClick(panel.enlarge, LEFT)
    lab.settle()
    large: Any = next(pane.widget() for name, pane in lab.window.stage.panes() if name == "Steps")
    assert not any(large.isColumnHidden(k + 1) for k in range(columns))


# -- scrolling -------------------------------------------------------------------------------------


def low(open_lab) -> Lab:
    lab = open_lab(
        Document(engine.generate("blobs", 60, 1.2), (lane("nearest_neighbours", k=9),)),
        size=(1280, 620),
    )
    lab.session.seek(len(lab.session.trace) - 1)
    lab.settle()
    return lab


@pytest.mark.slow
def test_words_that_overflow_are_scrolled_by_keys_and_only_then_a_stop_for_tab(open_lab) -> None:
    lab = low(open_lab)
    bar = lab.window.right_dock.page.verticalScrollBar()
    assert bar.isVisible()
    lab.plane.setFocus()
    for _ in range(150):
        lab.key(Key.Key_Tab)
        if QApplication.focusWidget() is bar:
            break
    assert bar.hasFocus()
    cursor = lab.session.cursor
    lab.key(Key.Key_End)
    assert bar.value() == bar.maximum() > 0
    lab.key(Key.Key_Home)
    lab.key(Key.Key_Down)
    assert 0 < bar.value() < bar.maximum()
    assert lab.session.cursor == cursor, "the run is steered by them only without the frame"


def test_the_wheel_scrolls_all_words_as_one(open_lab) -> None:
    """Over the bars of an answer too: what would scroll by itself leaves the wheel to the page."""
    lab = low(open_lab)
    dock = lab.window.right_dock
    bar = dock.page.verticalScrollBar()
    assert dock.why.bars.isVisible()
    for over, before in ((dock.why.bars.viewport(), False), (dock.page.viewport(), True)):
        bar.setValue(0)
        place = QPointF(over.width() / 2, 20)
        event = QWheelEvent(
            place,
            QPointF(over.mapToGlobal(place.toPoint())),
            QPoint(),
            QPoint(0, -120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(over, event)
        assert event.isAccepted() is before
    assert bar.value() > 0


@pytest.mark.slow
def test_the_place_scrolled_to_stays_from_step_to_step(open_lab) -> None:
    lab = low(open_lab)
    bar = lab.window.right_dock.page.verticalScrollBar()
    bar.setValue(min(12, bar.maximum()))
    before = bar.value()
    assert before > 0
    lab.session.seek(len(lab.session.trace) - 2)
    lab.session.seek(len(lab.session.trace) - 1)
    lab.settle()
    assert bar.value() == before


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_the_formula_of_a_choice_is_seen_without_scrolling(open_lab, size: tuple[int, int]) -> None:
    """AIMA Fig 18.3: candidates fold and code gives way before a formula is out of sight; the same
    again on the way back.
    """
    lab = open_lab(Document(engine.textbook("restaurant"), (lane("decision_tree"),)), size)
    lab.settle()
    dock = lab.window.right_dock
    last = len(lab.session.trace) - 1
    found = {}
    for at in (*range(last + 1), *reversed(range(last + 1))):
        lab.session.seek(at)
        lab.settle()
        heights = tuple(section.height() for section in dock.page.sections)
        assert found.setdefault(at, heights) == heights, "whatever was shown before"
        formulas = dock.step.formulas
        if formulas.isVisible():
            bottom = formulas.mapTo(dock.page.viewport(), QPoint(0, formulas.height())).y()
            assert bottom <= dock.page.viewport().height(), at


def test_words_stay_while_steps_fly_by_and_are_those_of_the_step_where_the_clock_rests(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = lab.session
    dock = lab.window.right_dock
    clock = count()
    lab.until(lambda: session.finished)
    said: list[object] = []
    show = dock.step.show_step
    monkeypatch.setattr(
        dock.step, "show_step", lambda step, *more: (said.append(step), show(step, *more))
    )
    monkeypatch.setattr(
        "gui.session.playback_budget.time", SimpleNamespace(perf_counter=lambda: next(clock) / 100)
    )
    session.player.play()
    session.player._timer.stop()  # this test is the clock: a step each hundredth of a second
    for _ in range(12):
        session.player.advance(1)
        QApplication.processEvents()
    assert len(said) == 1
    session.player.pause()
    lab.settle()
    assert said[1:] == [session.step]
    assert dock.code.card.label == session.step.line
    for at in (2, 3):
        session.seek(at)
        lab.settle()
    assert [step.line for step in said[2:]] == [session.trace[2].line, session.trace[3].line]


def test_the_plane_of_a_step_that_is_jumped_to_is_painted_before_its_words_are_laid_out(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.until(lambda: lab.session.finished)
    lab.settle()
    dock = lab.window.right_dock
    order = list[str]()
    show = dock.step.show_step
    layers = lab.plane.layers
    monkeypatch.setattr(dock.step, "show_step", lambda *told: (order.append("words"), show(*told)))
    monkeypatch.setattr(
        lab.plane, "layers", lambda *given: (order.append("plane"), layers(*given))[1]
    )
    lab.session.seek(3)
    lab.settle()
    assert order[0] == "plane" and order.count("words") == 1
    lab.session.seek(5)
    lab.session.seek(7)
    lab.settle()
    assert order.count("words") == 2, "of two jumps at once the words of the last one alone"
    assert dock.step.caption.full_text() == "step 7"


def test_a_step_that_flies_by_with_its_words_leaves_its_pictures_to_the_next_one(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = lab.session
    dock = lab.window.right_dock
    clock = count()
    lab.until(lambda: session.finished)
    said: list[object] = []
    drawn: list[object] = []
    show = dock.step.show_step
    draw = dock.stage.show_scene
    monkeypatch.setattr(
        dock.step, "show_step", lambda step, *more: (said.append(step), show(step, *more))
    )
    monkeypatch.setattr(
        dock.stage, "show_scene", lambda *scene: (drawn.append(session.step), draw(*scene))[1]
    )
    monkeypatch.setattr(
        "gui.session.playback_budget.time", SimpleNamespace(perf_counter=lambda: next(clock) / 100)
    )
    monkeypatch.setattr(session.player, "playing", True)
    for at in range(1, 50):
        session.seek(at)
        if at == 1:
            QApplication.processEvents()
    first, worded = said
    assert first in drawn and worded not in drawn
    assert session.trace[[*session.trace].index(worded) + 1] in drawn
    monkeypatch.setattr(session.player, "playing", False)
    session.shown_lane.playback_budget.land()
    lab.settle()
    assert said[-1] is drawn[-1] is session.step
