"""The legend of a tree's boxes: the class of each kind of box, in a corner that no node covers."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter

from engine.base.notation import label_text
from engine.scene.scene import Tree
from gui.look import theme
from gui.look.ink import box_size, example_box, face, write


def legend_size(tree: Tree) -> QSize:
    """The size of the legend; empty where the nodes have no boxes."""
    side, _ = box_size()
    words = sum(face("body").width(label_text(c)) + side + 24 for c in tree.classes)
    shown = any(node.boxes for node in tree.nodes) and tree.classes
    return QSize(int(words), int(side)) if shown else QSize()


def legend_spot(size: QSize, room: QRectF, taken: Sequence[QRectF]) -> QRectF:
    """The first corner of the room, from the bottom left, that overlaps none of the rectangles
    `taken`; empty where there is none.
    """
    right = room.right() - size.width() - 6
    low = room.bottom() - size.height() - 6
    for x, y in (
        (room.left() + 6, low),
        (right, low),
        (room.left() + 6, room.top()),
        (right, room.top()),
    ):
        spot = QRectF(x, y, size.width(), size.height())
        if not any(spot.adjusted(-4, -3, 4, 3).intersects(rect) for rect in taken):
            return spot
    return QRectF()


def paint_legend(painter: QPainter, spot: QRectF, classes: Sequence[Any]) -> None:
    """Paint a box and the name of each class side by side; nothing where the spot is empty."""
    if spot.isEmpty():
        return
    painter.fillRect(spot.adjusted(-4, -3, 0, 3), theme.current().colour("plane"))
    side, _ = box_size()
    x = spot.x()
    top = spot.y()
    for code, label in enumerate(classes):
        box = (
            QRectF(x, top + 2, side - 4, side - 4)
            if len(classes) <= 2
            else QRectF(x, top, side, side)
        )
        example_box(painter, box, "", code, len(classes))
        write(painter, x + side + 2, top + side / 2, label_text(label), face("body"), "ink2")
        x += side + 24 + face("body").width(label_text(label))
