"""Marks of figures that stand for a step: a hand and a tool tip over them, a click or a key goes
there.
"""

from functools import partial
from typing import Any

import numpy as np
import pytest
from laboratory import ALT, LEFT, RIGHT, Key, Lab, point_at
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

import engine
from engine.base.tags import step_tag
from engine.document.document import Document
from engine.document.lane import lane
from engine.protocol.step import Level
from engine.scene.scene import Boxes, Points, Segments
from engine.scene.views import name_in
from gui.figures.bars import BarsFigure
from gui.figures.plot import PlotFigure

MOONS = engine.generate("moons", 40, 0.3, seed=1)
HAND, ARROW = Qt.CursorShape.PointingHandCursor, Qt.CursorShape.ArrowCursor


def opened(open_lab, *keys: str, size=(1280, 800), **params: Any) -> Lab:
    lab = open_lab(Document(MOONS, tuple(lane(key, **params) for key in keys)), size)
    lab.until(lambda: all(view.finished for view in lab.session.lane_views))
    lab.settle()
    return lab


def shown(lab: Lab, title: str) -> list[PlotFigure]:
    """The second planes with this title, from left to right."""
    found = [
        f
        for f in lab.window.findChildren(PlotFigure)
        if f.isVisible() and name_in(f.plot.title) == title
    ]
    return sorted(found, key=lambda f: f.mapToGlobal(QPoint(0, 0)).x())


def place(figure: PlotFigure, tag: str) -> QPoint:
    """The pixel of the mark with this tag; of a box a little inside its left edge."""
    for layer in figure.plot.layers:
        if isinstance(layer, (Points, Boxes, Segments)) and tag in layer.tags:
            k = layer.tags.index(tag)
            if isinstance(layer, Segments):  # a tick from the lower edge up
                x, top = figure.view().pixels(layer.ends[k, 1:])[0].tolist()
                return QPoint(round(x), round((top + figure.view().rect.bottom()) / 2))
            box = isinstance(layer, Boxes)
            xy = (
                np.array([[layer.bounds[k, 0], layer.bounds[k, [1, 3]].mean()]])
                if box
                else layer.xy[[k]]
            )
            return QPoint(*np.round(figure.view().pixels(xy)[0]).astype(int).tolist()) + QPoint(
                2 * box, 0
            )
    raise AssertionError(f"no mark {tag}")


def hand_over(widget) -> bool:
    return widget.cursor().shape() == HAND


def test_a_click_on_a_complexity_shows_its_model_on_the_plane(open_lab) -> None:
    """From the end to the fourth, from there, where the others lie at the floor, on to the ninth;
    each has its own tree.
    """
    lab = opened(open_lab, "overfitting_curve", values=11, splits=3)
    lab.session.seek(len(lab.session.trace) - 1)
    lab.settle()
    for nth in (3, 8):
        (figure,) = shown(lab, "Error by complexity")
        where = place(figure, step_tag("mean", nth))
        point_at(figure, where, partial(hand_over, figure))
        QTest.mouseClick(figure, LEFT, pos=where)
        lab.settle()
        state = lab.session.step.state
        assert (lab.session.step.line, state.value) == (
            "mean",
            lab.session.trace.given.sweep.values[nth],
        )
        shown_model = lab.session.continuation.model
        assert shown_model is state.model and shown_model.learner.params.nodes == state.value
        boxes = [layer for layer in lab.session.scene.layers if isinstance(layer, Boxes)]
        assert sum(len(layer.bounds) for layer in boxes) == sum(
            node.kind == "leaf" for node in state.model.state.nodes
        )


def test_over_a_mark_are_a_hand_and_the_number_of_its_step(
    open_lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab = opened(open_lab, "overfitting_curve", values=5, splits=3)
    said: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda at, text, widget: said.append(text))
    (figure,) = shown(lab, "Error by complexity")

    def ask(at: QPoint) -> None:
        QApplication.sendEvent(figure, QHelpEvent(QEvent.Type.ToolTip, at, figure.mapToGlobal(at)))

    where = place(figure, step_tag("mean", 2))
    beside = QPoint(figure.width() - 4, figure.height() // 2)
    point_at(figure, where, lambda: hand_over(figure))
    ask(where)
    assert said == ["Step 3: click to go there"]
    lab.session.set_unit(Level.DETAIL)
    lab.until(lambda: lab.session.finished)
    (figure,) = shown(lab, "Error by complexity")
    point_at(figure, beside, lambda: not hand_over(figure))
    ask(beside)
    assert len(said) == 1
    where = place(figure, step_tag("mean", 2))
    point_at(figure, where, lambda: hand_over(figure))
    ask(where)
    assert said[1:] == [f"Detail {lab.session.trace.named(step_tag('mean', 2))}: click to go there"]


def test_another_button_or_a_press_that_leaves_the_mark_goes_nowhere(open_lab) -> None:
    lab = opened(open_lab, "overfitting_curve", values=5, splits=3)
    (figure,) = shown(lab, "Error by complexity")
    one, other = (place(figure, step_tag("mean", nth)) for nth in (1, 3))
    QTest.mouseClick(figure, RIGHT, pos=one)
    QTest.mousePress(figure, LEFT, pos=one)
    QTest.mouseMove(figure, other)
    QTest.mouseRelease(figure, LEFT, pos=other)
    lab.settle()
    assert lab.session.cursor == 0


def test_in_the_second_lane_it_is_a_step_of_its_run(open_lab) -> None:
    lab = opened(open_lab, "overfitting_curve", "cross_validation")
    (figure,) = shown(lab, "Folds")
    QTest.mouseClick(figure, LEFT, pos=place(figure, step_tag("learn", 3)))
    lab.settle()
    assert lab.session.active == 1
    step = lab.session.lane_views[1].step
    assert (step.line, step.state.fold) == ("learn", 3)


def test_in_the_dock_a_bar_is_clicked_too(open_lab) -> None:
    lab = opened(open_lab, "cross_validation", size=(1280, 1400))
    lab.session.seek(len(lab.session.trace) - 1)
    lab.settle()
    panel = lab.window.right_dock.figure
    strip = panel.tabs
    QTest.mouseClick(
        strip.tabs[next(k for k, t in enumerate(strip.titles) if t.startswith("Errors"))], LEFT
    )
    lab.settle_drawing()
    (bars,) = (f for f in panel.findChildren(BarsFigure) if f.isVisible())
    at = bars.viewport()
    lines = [y for y in range(at.height()) if bars.row_at(QPointF(20, y)) is bars.rows[1]]
    where = QPoint(20, lines[len(lines) // 2])
    point_at(at, where, lambda: hand_over(at))
    QTest.mouseClick(at, LEFT, pos=where)
    lab.settle()
    assert (lab.session.step.line, lab.session.step.state.fold) == ("test", 1)


def test_alt_and_an_arrow_go_from_mark_to_mark(open_lab) -> None:
    lab = opened(open_lab, "learning_curve", sizes=4, trials=3)
    sizes = lab.session.trace.given.sizes
    seen = []
    for key in (Key.Key_Right, Key.Key_Right, Key.Key_Right, Key.Key_Left):
        lab.key(key, ALT)
        lab.settle()
        seen.append(lab.session.step.state.points[-1].size)
    assert seen == [*sizes[:3], sizes[1]]


def test_where_no_mark_stands_for_a_step_the_key_says_so(open_lab) -> None:
    lab = opened(open_lab, "decision_tree")
    lab.key(Key.Key_Right, ALT)
    assert "stands for a step" in lab.window.message.text()
    assert lab.session.cursor == 0
