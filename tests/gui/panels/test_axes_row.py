"""Choosing the columns of the plane where their names differ only at the end."""

from laboratory import LEFT, Lab
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import engine
from engine.files.document import Document, lane
from gui.widgets import Combo


def wide(open_lab) -> Lab:
    columns = {f"column_number_{k}": [float(k + row * row) for row in range(6)] for k in range(60)}
    data = engine.Dataset.from_columns({**columns, "y": ["a", "b"] * 3}, target="y")
    return open_lab(Document(data, (lane("perceptron"),)))


def picture(box: Combo) -> QImage:
    return box.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


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
