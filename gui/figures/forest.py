"""The figure of small trees side by side, each with its answer about one row."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, floor

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath
from PySide6.QtWidgets import QWidget

from engine.base.notation import counted
from engine.base.tags import is_lit
from engine.scene.figures import Forest, TreeNode
from engine.scene.layers import Role
from engine.scene.roles import CLASS_SHAPES
from engine.scene.tree_layout import thumbnail
from gui.base.guard import guarded
from gui.figures import shows
from gui.figures.scrolled import ScrolledFigure
from gui.look import theme
from gui.look.ink import face, pen, write
from gui.look.swatches import paint_class
from gui.look.symbols import symbol_path

EDGE, GAP = 10.0, 6.0  # pixels around the trees, between two of them
LEAST = (72.0, 64.0)  # least width and height of one; with less room the figure scrolls
SHAPE = 1.25  # width / height of a box that looks best
INSIDE = 10.0  # from the frame to the outermost node
NODE = 3.0  # half a side of a test
LIT = 1.25  # factor for the leaf of the row
FILLS = {"test": "ink"}  # of a node by its kind
LARGEST = 5.0  # most pixels of the radius of a leaf


@shows(Forest)
class ForestFigure(ScrolledFigure):
    """Shows a `Forest`: frames in rows, as large as the room allows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.forest = Forest("", (), (), np.zeros(0, np.intp))
        self.boxed = False  # show the two classes light and dark, as in the legend
        self._laid: list[list[tuple[float, float]]] = []

    def set_figure(self, forest: Forest) -> None:
        self.forest = forest
        self._laid = [thumbnail([node.parent for node in nodes]) for nodes in forest.trees]
        self.content_changed()

    def name(self) -> str:
        return self.forest.title or "Trees"

    def as_text(self) -> str:
        """One line for each tree: its name, its number of nodes, the number of its class."""
        f = self.forest
        lines = [f.title]
        for name, nodes, vote in zip(f.names, f.trees, f.votes, strict=True):
            said = f", says class {int(vote) + 1}" if vote >= 0 else ""
            lines.append(f"{name}: {counted(len(nodes), 'node')}{said}" if nodes else f"{name}: –")
        return "\n".join(lines)

    # -- measures ----------------------------------------------------------------------------------

    def columns(self, width: float, height: float) -> int:
        """How many trees stand in a row, so that their frames are large and of a good shape."""
        count = max(1, len(self.forest.trees))

        def side(columns: int) -> float:
            rows = ceil(count / columns)
            wide = (width - 2 * EDGE - GAP * (columns - 1)) / columns
            high = (height - 2 * EDGE - GAP * (rows - 1)) / rows
            return min(wide, SHAPE * high) * (count / (rows * columns)) ** 0.5  # few empty places

        most = int((width - 2 * EDGE + GAP) // (LEAST[0] + GAP))
        return max(range(1, max(1, min(count, most)) + 1), key=side)

    def frames(self) -> list[QRectF]:
        """The frame of each tree."""
        room = self.maximumViewportSize()
        count = len(self.forest.trees)
        columns = self.columns(room.width(), room.height())
        rows = max(1, ceil(count / columns))
        wide = max(LEAST[0], (room.width() - 2 * EDGE + GAP) / columns - GAP)
        high = max(LEAST[1], (room.height() - 2 * EDGE + GAP) / rows - GAP)
        return [
            QRectF(
                floor(EDGE + column * (wide + GAP)),
                floor(EDGE + row * (high + GAP)),
                floor(wide),
                floor(high),
            )
            for row, column in (divmod(k, columns) for k in range(count))
        ]

    def content_size(self, width: int) -> QSize:
        frames = self.frames()
        if not frames:
            return QSize(width, 0)
        right = max(frame.right() for frame in frames)
        return QSize(int(right + EDGE), int(frames[-1].bottom() + EDGE))

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(320, 280)

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(140, 110)

    def tree_at(self, at: QPointF) -> int:
        """The index of the tree at a place; −1 for none."""
        return next((k for k, frame in enumerate(self.frames()) if frame.contains(at)), -1)

    def tag_at(self, at: QPointF) -> str:
        k = self.tree_at(at)
        return self.forest.tags[k] if k >= 0 and self.forest.tags else ""

    def tip_at(self, at: QPointF) -> str:
        """The name of a tree and the words of its node at a place."""
        k = self.tree_at(at)
        if k < 0:
            return ""
        nodes, places = self.forest.trees[k], self.places(k, self.frames()[k])
        near = [
            node.text
            for node, place in zip(nodes, places, strict=True)
            if (place - at).manhattanLength() < 3 * NODE
        ]
        leaves = sum(node.kind == "leaf" for node in nodes)
        size = f"{counted(len(nodes) - leaves, 'test')}, {counted(leaves, 'leaf', 'leaves')}"
        return f"{self.forest.names[k]}: {near[0] if near and near[0] else size if nodes else '–'}"

    def places(self, k: int, frame: QRectF) -> list[QPointF]:
        """Where the nodes of tree k lie."""
        top = theme.current().line_height("caption") + 8
        inside = max(INSIDE, LARGEST * LIT * theme.current().stroke + 6)
        inner = frame.adjusted(inside, top, -inside, -inside)
        return [
            QPointF(inner.left() + x * inner.width(), inner.top() + y * inner.height())
            for x, y in self._laid[k]
        ]

    # -- painting ----------------------------------------------------------------------------------

    def paint_content(self, painter: QPainter, visible: QRectF) -> None:
        painter.fillRect(visible, theme.current().colour("plane"))
        for k, frame in enumerate(self.frames()):
            if frame.intersects(visible):
                self._paint_tree(painter, k, frame)

    def _paint_tree(self, painter: QPainter, k: int, frame: QRectF) -> None:
        look = theme.current()
        f = self.forest
        nodes = f.trees[k]
        lit = bool(f.tags) and is_lit(f.tags[k], self.lit)
        painter.setBrush(look.colour("hover") if lit else look.colour("field"))
        self._paint_frame(painter, frame, k == f.current, bool(nodes))
        bold = face("caption", 600)
        line = frame.top() + 4 + look.line_height("caption") / 2
        colour = "ink" if nodes else "ink3"
        write(painter, frame.left() + 7, line, f.names[k], bold, colour)
        if f.votes[k] >= 0:
            centre = QPointF(frame.right() - 12, line + 1)
            paint_class(painter, look, int(f.votes[k]), centre, 5.0 * look.stroke, self.boxed)
        self._paint_nodes(painter, k, self.places(k, frame))

    def _paint_frame(self, painter: QPainter, frame: QRectF, now: bool, grown: bool) -> None:
        """Paint the frame: amber on ink for the tree of this step, dashed for one to come."""
        if now:
            painter.setPen(pen("ink", 4))
            painter.drawRoundedRect(frame, 4, 4)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(pen("now", 2.5))
        else:
            painter.setPen(pen("strong", 1) if grown else pen("line", 1, (4, 3)))
        painter.drawRoundedRect(frame, 4, 4)

    def _paint_nodes(self, painter: QPainter, k: int, places: list[QPointF]) -> None:
        """Paint branches, tests and leaves, those of one look at once: a forest has many nodes."""
        nodes = self.forest.trees[k]
        ways: dict[bool, list[QLineF]] = {False: [], True: []}  # those of the row lie above
        for node, place in zip(nodes, places, strict=True):
            if node.parent >= 0:
                strong = node.role in (Role.NEAREST, Role.ACTIVE)
                ways[strong].append(QLineF(places[node.parent], place))
        for strong, lines in ways.items():
            painter.setPen(pen("ink", 2.25) if strong else pen("ink3", 1))
            painter.drawLines(lines)
        self._paint_tests(painter, nodes, places)
        self._paint_leaves(painter, nodes, places)

    def _paint_tests(
        self, painter: QPainter, nodes: Sequence[TreeNode], places: list[QPointF]
    ) -> None:
        look = theme.current()
        half = min(NODE, self._radius(places)) * look.stroke
        squares: dict[str, list[QRectF]] = {}
        for node, place in zip(nodes, places, strict=True):
            if node.kind != "leaf" or node.group < 0:
                fill = "now" if node.role is Role.ACTIVE else FILLS.get(node.kind, "field")
                square = QRectF(place.x() - half, place.y() - half, 2 * half, 2 * half)
                squares.setdefault(fill, []).append(square)
        painter.setPen(pen("ink", 1.25))
        for fill, rects in squares.items():
            painter.setBrush(look.colour(fill))
            painter.drawRects(rects)

    def _paint_leaves(
        self, painter: QPainter, nodes: Sequence[TreeNode], places: list[QPointF]
    ) -> None:
        look = theme.current()
        radius = self._radius(places)
        marks: dict[int, QPainterPath] = {}
        for node, place in zip(nodes, places, strict=True):
            if node.kind != "leaf" or node.group < 0:
                continue
            size = radius * (LIT if node.role is Role.NEAREST else 1.0)
            if self.boxed:
                paint_class(painter, look, node.group, place, size, True)
            else:
                shape = symbol_path(CLASS_SHAPES[node.group % len(CLASS_SHAPES)], size)
                marks.setdefault(node.group, QPainterPath()).addPath(shape.translated(place))
        painter.setPen(Qt.PenStyle.NoPen)
        for group, path in marks.items():
            painter.setBrush(look.group(group))
            painter.drawPath(path)

    def _radius(self, places: list[QPointF]) -> float:
        """The radius of a leaf: smaller where the nodes of a level, or two levels, stand close."""
        levels: dict[float, list[float]] = {}
        for place in places:
            levels.setdefault(round(place.y(), 3), []).append(place.x())
        gaps = [after - before for xs in levels.values() for before, after in pairwise(sorted(xs))]
        heights = sorted(levels)
        gaps += [below - above for above, below in pairwise(heights)]
        return max(1.5, min(LARGEST * theme.current().stroke, 0.45 * min(gaps, default=99.0)))
