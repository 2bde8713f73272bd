"""The whole tree as dots, in a strip below the part that a figure shows of it."""

from collections.abc import Collection, Sequence
from itertools import pairwise

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from engine.base.notation import counted
from engine.scene.scene import Role, TreeNode
from engine.scene.tree_layout import depths, thumbnail
from gui.look import theme
from gui.look.ink import face, pen, write

LEAST_ROOM = (150.0, 190.0)  # width and height of a figure, from which it spares a strip
SHARE = 0.22  # most of the height of the figure
PITCH, LEAST_HIGH = 7.0, 26.0  # pixels of a level and of all levels
SIDE, TOP = 10.0, 5.0  # pixels around the dots and above the words
DOT, LEAST_DOT = 2.25, 1.0  # half a side of a dot
REACH = 14.0  # pixels from a dot within which it is meant


class Overview:
    """The dots of a tree, and which of them are in sight.

    strip: where it is painted; empty for none
    """

    def __init__(self) -> None:
        self.strip = QRectF()
        self._parents: list[int] = []
        self._spots: list[tuple[float, float]] = []
        self._levels = 1

    def set_tree(self, parents: list[int]) -> None:
        """Lay out a tree with one root."""
        if parents != self._parents:
            self._parents = parents
            self._spots = thumbnail(parents)
            self._levels = max(depths(parents), default=0) + 1

    def find_strip(self, figure: QRectF) -> QRectF:
        """The strip at the foot of a figure of this size; empty where there is no room for it."""
        factor = theme.current().line_height("caption") / 16
        if figure.width() < LEAST_ROOM[0] * factor or figure.height() < LEAST_ROOM[1] * factor:
            return QRectF()
        words = theme.current().line_height("caption") + TOP
        dots = max(LEAST_HIGH * factor, self._levels * PITCH * factor) + 2 * SIDE
        strip = QRectF(figure)
        strip.setTop(round(figure.bottom() - min(words + dots, SHARE * figure.height())))
        return strip

    def places(self) -> list[QPointF]:
        """Where the dots lie."""
        top = TOP + theme.current().line_height("caption") + SIDE / 2
        room = self.strip.adjusted(SIDE, top, -SIDE, -SIDE)
        return [
            QPointF(room.left() + x * room.width(), room.top() + y * room.height())
            for x, y in self._spots
        ]

    def node_at(self, at: QPointF) -> int:
        """The index of the node nearest to a place of the strip; −1 for none near it."""
        ways = [(spot - at).manhattanLength() for spot in self.places()]
        nearest = min(ways, default=REACH + 1)
        return ways.index(nearest) if nearest <= REACH else -1

    def paint(self, painter: QPainter, nodes: Sequence[TreeNode], seen: Collection[int]) -> None:
        """Paint the strip: what is in sight is dark and framed, the node at work amber."""
        look = theme.current()
        painter.fillRect(self.strip, look.colour("dock"))
        painter.setPen(pen("line", 1))
        painter.drawLine(self.strip.topLeft(), self.strip.topRight())
        line = look.line_height("caption")
        whole, count = how_many(nodes)
        words = f"{whole}; framed: shown above"
        short = face("caption").cut(words, self.strip.width() - 2 * SIDE)
        write(
            painter,
            self.strip.left() + SIDE,
            self.strip.top() + TOP + line / 2,
            short if short == words else count,
            face("caption"),
            "ink2",
        )
        spots = self.places()
        self._paint_frame(painter, [spots[k] for k in seen])
        self._paint_nodes(painter, nodes, spots, seen)

    def _paint_frame(self, painter: QPainter, seen: Sequence[QPointF]) -> None:
        if not seen:
            return
        across, down = [spot.x() for spot in seen], [spot.y() for spot in seen]
        frame = QRectF(QPointF(min(across), min(down)), QPointF(max(across), max(down)))
        painter.setPen(pen("ink", 1.25))
        painter.setBrush(theme.current().colour("plane"))
        painter.drawRoundedRect(frame.adjusted(-6, -5, 6, 5), 4, 4)

    def _paint_nodes(
        self,
        painter: QPainter,
        nodes: Sequence[TreeNode],
        spots: Sequence[QPointF],
        seen: Collection[int],
    ) -> None:
        look = theme.current()
        half = self._half()
        lines: dict[bool, list[QLineF]] = {False: [], True: []}
        dots: dict[bool, list[QRectF]] = {False: [], True: []}
        work: list[QRectF] = []
        for k, (node, spot) in enumerate(zip(nodes, spots, strict=True)):
            dark = k in seen
            if node.parent >= 0:
                lines[dark and node.parent in seen].append(QLineF(spots[node.parent], spot))
            dot = QRectF(spot.x() - half, spot.y() - half, 2 * half, 2 * half)
            (work if node.role is Role.ACTIVE else dots[dark]).append(dot)
        for dark, colour in ((False, "strong"), (True, "ink")):
            painter.setPen(pen(colour, 1))
            painter.drawLines(lines[dark])
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.colour(colour))
            painter.drawRects(dots[dark])
        painter.setPen(pen("ink", 1.25))
        painter.setBrush(look.colour("now"))
        painter.drawRects([dot.adjusted(-1.5, -1.5, 1.5, 1.5) for dot in work])

    def _half(self) -> float:
        """Half a side of a dot: smaller where a level has many."""
        across = sorted({x for x, _ in self._spots})
        gaps = [b - a for a, b in pairwise(across)]
        room = min(gaps, default=1.0) * self.strip.width()
        return max(LEAST_DOT, min(DOT * theme.current().stroke, 0.7 * room))


def how_many(nodes: Sequence[TreeNode]) -> tuple[str, str]:
    """How many nodes the dots stand for, in many words and in few: all, or of a very large tree
    those that its figure holds.
    """
    out = sum(node.below for node in nodes)
    if not out:
        count = counted(len(nodes), "node")
        return f"the whole tree, {count}", f"all {count}"
    count = f"{len(nodes):,} of {counted(len(nodes) + out, 'node')}"
    return f"the tree, {count}", count
