"""The overview of a tree that has no room: all of it very small, with what the figure shows."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from engine.scene.tree_layout import thumbnail
from gui.figures.tree_look import scale
from gui.look import theme
from gui.look.ink import face, pen, write

HIGH, WIDE, LEAST_ROOM = 76.0, 460.0, 200.0  # pixels; below the last a figure has no overview
SHARE = 0.25  # of the height of the room, for the overview
REST = 1 << 14  # pixels: up to the right end of any figure
FEW = 20  # nodes up to which a tree needs none
PAD, DOT, REACH = 8.0, 1.7, 5.0
NAME = "the whole tree"


class Overview:
    """Where the nodes of a whole tree stand in a small rectangle."""

    def __init__(self, parents: Sequence[int]) -> None:
        self.parents = tuple(parents)
        self.places = thumbnail(self.parents)

    def place(self, node: int, rect: QRectF) -> QPointF:
        """Where a node stands in the rectangle of the overview."""
        inner = within(rect)
        x, y = self.places[node]
        return QPointF(inner.left() + x * inner.width(), inner.top() + y * inner.height())

    def node_at(self, at: QPointF, rect: QRectF) -> int:
        """The node nearest to a place in the rectangle."""
        return min(
            range(len(self.places)),
            key=lambda k: (self.place(k, rect) - at).manhattanLength(),
        )

    def paint(
        self, painter: QPainter, rect: QRectF, shown: Collection[int], current: Collection[int]
    ) -> None:
        """Paint the tree pale, the nodes that are shown in ink with a frame round them, the current
        one in amber.
        """
        look = theme.current()
        beside = QRectF(rect.left(), rect.top(), REST, rect.height() + PAD)
        painter.fillRect(beside, look.colour("plane"))  # the tree ends above
        painter.fillRect(rect, look.colour("dock"))
        small = face("caption")
        write(painter, rect.left() + PAD, rect.top() + 0.7 * small.size, NAME, small, "ink3")
        places = [self.place(k, rect) for k in range(len(self.places))]
        self._paint_edges(painter, places, shown)
        if 0 < len(shown) < len(places):
            frame = around([places[k] for k in shown])
            painter.setPen(pen("ink", 1.25))
            painter.setBrush(QColor(0, 0, 0, 0))
            painter.drawRect(frame.intersected(rect.adjusted(1, 1, -1, -1)))
        for node in current:
            painter.setPen(pen("ink", 1))
            painter.setBrush(look.colour("now"))
            painter.drawEllipse(places[node], 2 * DOT * scale(), 2 * DOT * scale())

    def _paint_edges(
        self, painter: QPainter, places: list[QPointF], shown: Collection[int]
    ) -> None:
        pale: list[QLineF] = []
        strong: list[QLineF] = []
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                both = node in shown and parent in shown
                (strong if both else pale).append(QLineF(places[parent], places[node]))
        for lines, how in ((pale, pen("strong", 1)), (strong, pen("ink", 1.75))):
            painter.setPen(how)
            painter.drawLines(lines)
        painter.setPen(QPen(theme.current().colour("ink"), 2 * DOT * scale()))
        painter.drawPoints([places[node] for node in shown])


def spot(room: QRectF) -> QRectF:
    """The strip for the overview at the lower end of a room."""
    high = min(HIGH * scale(), SHARE * room.height())
    wide = min(room.width(), WIDE * scale())
    return QRectF(room.left(), room.bottom() - high, wide, high)


def within(rect: QRectF) -> QRectF:
    """The part of the overview where nodes stand, below its name."""
    line = theme.current().line_height("caption")
    return rect.adjusted(PAD, line + 2.0, -PAD, -PAD)


def around(places: Sequence[QPointF]) -> QRectF:
    """A frame round some places."""
    x = [place.x() for place in places]
    y = [place.y() for place in places]
    frame = QRectF(QPointF(min(x), min(y)), QPointF(max(x), max(y)))
    return frame.adjusted(-REACH, -REACH, REACH, REACH)
