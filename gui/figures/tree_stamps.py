"""Cached pictures of tree nodes, for fast playback: most nodes look the same in the next step."""

from math import ceil

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPixmap

from engine.base.tags import is_lit
from engine.scene.scene import TreeNode
from gui.figures.tree_look import Measured, paint_node
from gui.look import theme

RIM, MOST = 6.0, 500  # pixels of a frame around a node; number of cached pictures


class Stamps:
    """The cache, keyed by everything that changes the look of a node."""

    def __init__(self) -> None:
        self._pictures: dict[object, QPixmap] = {}

    def paint_node(
        self,
        painter: QPainter,
        node: TreeNode,
        at: Measured,
        place: QPointF,
        classes: int,
        on_path: bool,
        lit: frozenset[str],
    ) -> None:
        """Like `tree_look.paint_node`, on whole pixels. Nodes with boxes or under the pointer are
        not cached.
        """
        if at.boxes or is_lit(node.tag, lit):
            paint_node(painter, node, at, place, classes, on_path, lit)
            return
        ratio = painter.device().devicePixelRatio()
        body = at.text, at.body.getRect(), at.note, at.note_x
        look = (node.kind, node.role, on_path, *body, theme.current().key, ratio)
        if look not in self._pictures:
            if len(self._pictures) >= MOST:
                self._pictures.clear()
            self._pictures[look] = made = _clear(
                at.left + at.right + 2 * RIM, at.height + 2 * RIM, ratio
            )
            with QPainter(made) as inner:
                inner.setRenderHint(QPainter.RenderHint.Antialiasing)
                paint_node(inner, node, at, QPointF(at.left + RIM, RIM), classes, on_path, lit)
        corner = QPointF(round(place.x() - at.left - RIM), round(place.y() - RIM))
        painter.drawPixmap(corner, self._pictures[look])


def _clear(wide: float, high: float, ratio: float) -> QPixmap:
    """A transparent pixmap."""
    made = QPixmap(ceil(wide * ratio), ceil(high * ratio))
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    return made
