"""The layout of a tree at one level of detail: the places of the nodes with their
boxes and notes.
"""

from collections.abc import Container, Sequence
from copy import copy
from functools import lru_cache
from math import inf

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter

from engine.base.notation import counted
from engine.base.records import replace
from engine.scene.scene import TreeNode
from engine.scene.tree_layout import depths, tidy
from gui.figures.row_names import NUMBERED, RowNames
from gui.figures.tree_look import (
    COMPACT,
    FOCUSED,
    FULL,
    MORE,
    Measured,
    label_width,
    measure,
    more_width,
    paint_edge,
    scale,
)
from gui.look import theme

LINK, TIGHT_LINK, SHORT_LINK, LEAST_LINK = 44.0, 30.0, 24.0, 20.0
WIDE, USUAL, NARROW, LEAST = 48.0, 18.0, 10.0, 5.0  # gaps between neighbouring nodes
MANY = 60  # with more nodes only the compact form is tried

ARRANGEMENTS = (
    (FULL, LINK, WIDE),
    (FULL, LINK, USUAL),
    (FULL, TIGHT_LINK, USUAL),
    (FOCUSED, LINK, WIDE),
    (FOCUSED, LINK, USUAL),
    (FOCUSED, TIGHT_LINK, USUAL),
    (FOCUSED, SHORT_LINK, NARROW),
    (FOCUSED, LEAST_LINK, NARROW),
)


def least_scale(detail: int, link: float = LEAST_LINK) -> float:
    """The smallest scale that the figure uses by itself. Text stays at least as large as a caption;
    nodes with boxes shrink only where their rows cannot move closer.
    """
    sizes = theme.current().type_sizes
    shrinks = detail == COMPACT or (detail == FOCUSED and link == LEAST_LINK)
    return sizes["caption"][0] / sizes["body"][0] if shrinks else 1.0


class Sized:
    """The sizes of a tree's nodes at one level of detail, independent of their places."""

    def __init__(
        self,
        nodes: Sequence[TreeNode],
        classes: int,
        detail: int,
        names: RowNames = NUMBERED,
        widest: float = inf,
        drawn: Sequence[int] | None = None,
    ) -> None:
        """widest: longer texts of nodes are cut in the middle; drawn: the nodes to draw in
        ascending order, all by default
        """
        look = theme.current().key
        self.detail = detail
        self.drawn = range(len(nodes)) if drawn is None else drawn
        own = [nodes[k] for k in self.drawn]
        self.measured = [_measured(node, detail, classes, names, widest, look) for node in own]
        self.parents = _among([node.parent for node in own], self.drawn)
        self.labels = [label_width(node.branch) for node in own]
        self.unseen = [node.below for node in own]
        self._sum_up()

    def only(self, drawn: Sequence[int]) -> "Sized":
        """The sizes of some nodes, in ascending order. Those without their parent become roots."""
        part = copy(self)
        part.drawn = drawn
        part.measured = [self.measured[node] for node in drawn]
        part.parents = _among([self.parents[node] for node in drawn], drawn)
        part.labels = [self.labels[node] for node in drawn]
        part.unseen = [self.unseen[node] for node in drawn]
        part._sum_up()
        return part

    def marked(self, cut: Container[int], wide: float) -> "Sized":
        """The sizes with room for the count of what is left out below each node in `cut`: `wide`
        pixels beside a node with drawn children, else a line below it. The room is part of the
        node, so that no edge crosses it.
        """
        part = copy(self)
        parents = set(self.parents)
        part.measured = list(self.measured)
        for k, node in enumerate(self.drawn):
            if node in cut:
                m = self.measured[k]
                right, height = (
                    (m.right + wide, m.height)
                    if k in parents
                    else (m.right, m.height + MORE * scale())
                )
                part.measured[k] = replace(m, right=right, height=height)
        part._sum_up()
        return part

    def _sum_up(self) -> None:
        """Compute the depths, and height, width and number of nodes of each row."""
        self.depth = depths(self.parents)
        rows = max(self.depth, default=-1) + 1
        self.row_height = [0.0] * rows
        self._row_width = [0.0] * rows
        self._row_count = [0] * rows
        for depth, m in zip(self.depth, self.measured, strict=True):
            self.row_height[depth] = max(self.row_height[depth], m.height)
            self._row_width[depth] += m.left + m.right
            self._row_count[depth] += 1

    def least(self, link: float, gap: float) -> tuple[float, float]:
        """A lower bound (width, height) of any layout: the widest row, and all rows with the links
        between.
        """
        rows = zip(self._row_width, self._row_count, strict=True)
        wide = max((width + (count - 1) * gap for width, count in rows), default=0.0)
        return wide, sum(self.row_height) + link * max(0, len(self.row_height) - 1)


def _among(parents: list[int], drawn: Sequence[int]) -> list[int]:
    """The index of each parent among the drawn nodes; −1 where it is not drawn."""
    if isinstance(drawn, range):
        return parents
    where = {node: k for k, node in enumerate(drawn)}
    return [where.get(parent, -1) for parent in parents]


class Laid:
    """A tree laid out at one level of detail, with the first root at (0, 0).

    Several trees stand side by side, in rows no wider than `across` where each tree fits into that.
    """

    def __init__(self, sized: Sized, link: float, gap: float, across: float = inf) -> None:
        self.detail = sized.detail
        self.link = link
        self.gap = gap
        self.drawn = sized.drawn
        self._where = (
            None
            if isinstance(self.drawn, range)
            else {node: k for k, node in enumerate(self.drawn)}
        )
        # node with children that are not drawn → number of nodes left out below it
        self.more: dict[int, int] = {}
        self.above = 0  # number of nodes left out on the way from the root
        self.measured, self.parents, self.depth = sized.measured, sized.parents, sized.depth
        self.row_height = sized.row_height
        lefts = [m.left for m in self.measured]
        rights = [m.right for m in self.measured]
        x = _tidy(tuple(self.parents), tuple(lefts), tuple(rights), tuple(sized.labels), gap)
        self.tops = [0.0]
        for height in self.row_height:
            self.tops.append(self.tops[-1] + height + link)
        self.places = [QPointF(px, self.tops[d]) for px, d in zip(x, self.depth, strict=True)]
        self.bounds = QRectF()
        if x:
            left = min(px - reach for px, reach in zip(x, lefts, strict=True))
            right = max(px + reach for px, reach in zip(x, rights, strict=True))
            self.bounds = QRectF(left, 0, right - left, self.tops[-1] - link)
        if self.bounds.width() > across and self.parents.count(-1) > 1:
            self._wrap(across)

    def _wrap(self, across: float) -> None:
        """Arrange the trees in rows. Each row has the height of its highest tree and of the count
        below it.
        """
        roots = list[int]()
        for k, parent in enumerate(self.parents):
            roots.append(k if parent < 0 else roots[parent])
        boxes = dict[int, QRectF]()
        for root, measured, place in zip(roots, self.measured, self.places, strict=True):
            box = QRectF(
                place.x() - measured.left,
                place.y(),
                measured.left + measured.right,
                measured.height,
            )
            boxes[root] = boxes.get(root, box).united(box)
        corner = QPointF(0, 0)
        below = 0.0
        moves = dict[int, QPointF]()
        for root, box in boxes.items():
            if corner.x() and corner.x() + box.width() > across:
                corner = QPointF(0, below + MORE * scale() + self.gap)
                below = 0.0
            moves[root] = corner - box.topLeft()
            below = max(below, corner.y() + box.height())
            corner += QPointF(box.width() + 2 * self.gap, 0)
        self.places = [place + moves[root] for root, place in zip(roots, self.places, strict=True)]
        self.bounds = QRectF()
        for root, box in boxes.items():
            self.bounds = self.bounds.united(box.translated(moves[root]))

    def at(self, node: int) -> int:
        """The index of a node among the drawn ones; −1 where it is not drawn."""
        return node if self._where is None else self._where.get(node, -1)

    def rect(self, node: int) -> QRectF:
        """The rectangle of a node with boxes and note; empty where it is not drawn."""
        k = self.at(node)
        if k < 0:
            return QRectF()
        m = self.measured[k]
        at = self.places[k]
        return QRectF(at.x() - m.left, at.y(), m.left + m.right, m.height)

    def body(self, node: int) -> QRectF:
        """The rectangle of a drawn node without boxes and note."""
        k = self.at(node)
        return self.measured[k].body.translated(self.places[k])

    def text(self, node: int) -> str:
        """The text in the body of a drawn node."""
        return self.measured[self.at(node)].text

    def left_out(self) -> list[tuple[QPointF, str]]:
        """The places and texts of the counts of nodes left out: in the room from `Sized.marked`,
        and above the first node.
        """
        s = scale()
        places = []
        for node, count in self.more.items():
            k = self.at(node)
            words = f"+{count}"
            m = self.measured[k]
            beside = QPointF(m.right - more_width(words) / 2, m.body.center().y())
            places.append(
                (
                    self.places[k]
                    + (beside if k in self.parents else QPointF(0, m.height - MORE / 2 * s)),
                    words,
                )
            )
        return (
            [*places, (self.places[0] - QPointF(0, MORE / 2 * s), above_text(self.above))]
            if self.above
            else places
        )

    def whole(self, sized: Sized) -> "Laid":
        """The layout of the whole tree with the same lengths of links and gaps. sized: the sizes of
        all its nodes
        """
        return Laid(sized, self.link, self.gap)

    def paint_edge(
        self, painter: QPainter, tree_node: TreeNode, k: int, strong: bool, visible: QRectF
    ) -> None:
        """Paint the edge to a drawn node from its parent."""
        paint_edge(painter, tree_node, *self.edge(k), strong, visible)

    def edge(self, node: int) -> tuple[float, QLineF]:
        """(top of the stem below the parent, line from the end of the stem to the top of the node);
        both nodes are drawn.
        """
        k = self.at(node)
        parent = self.parents[k]
        start = self.places[parent]
        line = QLineF(
            QPointF(start.x(), start.y() + self.row_height[self.depth[parent]] + 3), self.places[k]
        )
        return start.y() + self.measured[parent].height + 3, line


def above_text(count: int) -> str:
    """The text for so many nodes left out above."""
    return f"{counted(count, 'node')} above"


@lru_cache(maxsize=64)
def _tidy(
    parents: tuple[int, ...],
    left: tuple[float, ...],
    right: tuple[float, ...],
    labels: tuple[float, ...],
    gap: float,
) -> list[float]:
    """`tidy`, cached: link lengths share its result, and so do steps with a tree of
    the same shape.
    """
    return tidy(parents, left, right, labels, gap)


@lru_cache(maxsize=4096)
def _measured(
    node: TreeNode, detail: int, classes: int, names: RowNames, widest: float, look: tuple[str, int]
) -> Measured:
    """`measure` in the theme with that key, cached: every layout of every step
    measures the nodes.
    """
    return measure(node, detail, classes, names, widest)


def arrangements(nodes: int, at_work: bool) -> tuple[tuple[int, float, float], ...]:
    """The (detail, link, gap) to try in turn; the last one is used in any case.

    While a node is at work its examples stay visible, even if the tree must scroll; else the whole
    tree counts more.
    """
    if nodes > MANY:
        return ((COMPACT, TIGHT_LINK, NARROW),)
    whole = (
        (COMPACT, TIGHT_LINK, USUAL),
        (COMPACT, SHORT_LINK, NARROW),
        (COMPACT, SHORT_LINK, LEAST),
    )
    return (*ARRANGEMENTS, *(((FOCUSED, TIGHT_LINK, USUAL),) if at_work else whole))
