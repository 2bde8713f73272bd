"""The same with keys, wheel and menu as a person has them: Ctrl+N, Escape, F, Change →
Standardise.
"""

from collections.abc import Callable

import numpy as np
import pytest
from laboratory import CTRL, LEFT, Key, Lab
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import engine
from engine.document.document import Document
from engine.document.lane import lane
from engine.table.prepare import prepare
from gui.figures.table import TableFigure
from gui.figures.tree import TreeFigure

VIEW = ((-150.0, 250.0), (-150.0, 250.0))  # that the document declares


def at_end(open_lab: Callable[..., Lab], key: str, data: engine.Dataset) -> Lab:
    lab = open_lab(Document(data, (lane(key),)))
    lab.session.seek(1 << 60)
    lab.settle()
    return lab


def test_ctrl_n_puts_the_tool_that_adds_in_hand(lab: Lab) -> None:
    lab.key(Key.Key_S)
    before = lab.session.tool
    lab.key(Key.Key_N, CTRL)
    lab.settle()
    assert before != "add" and lab.session.tool == "add" and not len(lab.data)
    lab.click(0.5, 0.5)
    assert len(lab.data) == 1


def test_escape_takes_a_row_away_that_was_clicked(open_lab: Callable[..., Lab]) -> None:
    lab = at_end(open_lab, "random_forest", engine.textbook("restaurant"))
    table = next(one for one in lab.window.lanes.stage.findChildren(TableFigure) if one.isVisible())
    view = table.viewport() if hasattr(table, "viewport") else table
    QTest.mouseClick(view, LEFT, pos=QPoint(view.width() // 2, view.height() // 2))
    lab.settle()
    assert lab.window.plane.asking.row >= 0
    lab.key(Key.Key_Escape)
    assert lab.window.plane.asking.row == -1


def wheel(figure: TreeFigure) -> None:
    place = QPointF(figure.rect().center())
    event = QWheelEvent(
        place,
        QPointF(figure.mapToGlobal(place.toPoint())),
        QPoint(),
        QPoint(0, 240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(figure, event)


@pytest.mark.parametrize("focused", [False, True])
def test_f_resets_the_zoom_of_a_tree_wherever_the_keyboard_is(
    open_lab: Callable[..., Lab], focused: bool
) -> None:
    lab = at_end(open_lab, "decision_tree", engine.textbook("restaurant"))
    tree = next(one for one in lab.window.lanes.stage.findChildren(TreeFigure) if one.isVisible())
    before = tree.scale
    wheel(tree)
    assert tree.scale > before
    if focused:
        tree.setFocus()
    lab.key(Key.Key_F)
    assert tree.scale == before and not tree.by_hand


@pytest.mark.usefixtures("less_ahead")
@pytest.mark.parametrize("kind", ["standardise", "unit_range", "polar"])
@pytest.mark.parametrize("declared", [None, VIEW])
def test_a_change_of_the_columns_by_the_menu_shows_all_points(
    open_lab: Callable[..., Lab], kind: str, declared
) -> None:
    """Also where a person zoomed before, and where the document declares a range: that is of the
    columns as they were.
    """
    moons = prepare(engine.generate("moons", 40, seed=1))
    data = engine.Dataset.from_arrays(100 * moons.X, [("a", "b")[code] for code in moons.codes])
    lab = open_lab(Document(data, (lane("perceptron"),), view=declared))
    for _ in range(2):  # and back
        lab.wheel(*lab.points()[0], 3)
        lab.window.left_dock.data.toggle(kind)
        lab.settle()
        low, high = np.transpose(lab.plane.view_box.viewRange())
        xy = lab.session.problem.xy
        assert ((xy >= low) & (xy <= high)).all()
        assert (np.ptp(xy, axis=0) / (high - low)).max() > 0.4
