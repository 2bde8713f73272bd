"""Choosing the columns of the plane where their names differ only at the end."""

import pytest
from laboratory import LEFT, Key, Lab
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import engine
from engine.document.document import Document
from engine.document.lane import lane
from gui.widgets.controls import Combo


def wide(open_lab) -> Lab:
    columns = {f"column_number_{k}": [float(k + row * row) for row in range(6)] for k in range(60)}
    data = engine.Dataset.from_columns({**columns, "y": ["a", "b"] * 3}, target="y")
    return open_lab(Document(data, (lane("perceptron"),)))


def picture(box: Combo) -> QImage:
    return box.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


@pytest.mark.slow
def test_the_ends_of_long_names_can_be_seen(open_lab) -> None:
    lab = wide(open_lab)
    x, y = lab.window.left_dock.data.axes.boxes
    assert x.currentText() == "column_number_0"
    seen = []
    for k in range(10, 16):
        x.setCurrentIndex(k)
        seen.append(bytes(picture(x).constBits()))
    assert len(set(seen)) == len(seen), "every one looks different"
    assert y.isVisible()


@pytest.mark.slow
def test_in_the_list_too(open_lab) -> None:
    lab = wide(open_lab)
    x = lab.window.left_dock.data.axes.boxes[0]
    QTest.mouseClick(x, LEFT)
    lab.settle_drawing()
    view = x.view()
    assert view.isVisible()
    view.scrollTo(x.model().index(10, 0), view.ScrollHint.PositionAtTop)
    QApplication.processEvents()
    rows = [view.visualRect(x.model().index(k, 0)) for k in range(11, 15)]
    image = view.viewport().grab().toImage()
    looks = [image.copy(rect) for rect in rows]
    assert all(a != b for k, a in enumerate(looks) for b in looks[:k])
    x.hidePopup()


def long_names(open_lab) -> Lab:
    columns = {
        f"feature number {k} with a long name": [float(k + row * row) for row in range(6)]
        for k in range(20)
    }
    data = engine.Dataset.from_columns({**columns, "y": ["a", "b"] * 3}, target="y")
    return open_lab(Document(data, (lane("perceptron"),)))


@pytest.mark.slow
def test_a_name_that_differs_in_its_middle_is_whole_in_the_tool_tip(open_lab) -> None:
    lab = long_names(open_lab)
    x, y = lab.window.left_dock.data.axes.boxes
    assert x.toolTip() == "Column on the x axis: feature number 0 with a long name"
    assert y.toolTip() == "Column on the y axis: feature number 1 with a long name"
    x.setFocus()
    lab.key(Key.Key_Down)
    lab.key(Key.Key_Down)
    lab.settle()
    assert x.toolTip() == f"Column on the x axis: {x.currentText()}"
    assert lab.session.problem.features[lab.session.problem.plane[0]].name == x.currentText()
    assert x.accessibleName() == "Column on the x axis"


@pytest.mark.slow
def test_the_open_list_is_as_wide_as_its_names(open_lab) -> None:
    x = long_names(open_lab).window.left_dock.data.axes.boxes[0]
    QTest.mouseClick(x, LEFT)
    QApplication.processEvents()
    row = x.view().visualRect(x.model().index(3, 0))
    wide = x.view().fontMetrics().horizontalAdvance("feature number 3 with a long name")
    assert min(row.width(), x.view().viewport().width()) >= wide
    assert x.itemData(3, Qt.ItemDataRole.ToolTipRole) == "feature number 3 with a long name"
    x.hidePopup()
