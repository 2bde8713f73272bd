"""A tree arranged at one level of detail: where every node with its boxes and note lies."""

from functools import lru_cache

from PySide6.QtCore import QLineF, QPointF, QRectF

from engine.core.scene import TreeNode
from gui import theme
from gui.figures.row_names import NUMBERED, RowNames
from gui.figures.tree_layout import depths, tidy
from gui.figures.tree_look import COMPACT, FOCUSED, FULL, Measured, label_width, measure

LINK, TIGHT_LINK, SHORT_LINK, LEAST_LINK = 44.0, 30.0, 24.0, 20.0
WIDE, USUAL, NARROW, LEAST = 48.0, 18.0, 10.0, 5.0  # gaps between neighbours
MANY = 60  # nodes from which only the compact form is tried

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
    """How far the figure shrinks by itself: no text below the size of a caption, and boxes only where the rows of nodes
    cannot move together any more."""
    sizes = theme.current().type_sizes
    shrinks = detail == COMPACT or (detail == FOCUSED and link == LEAST_LINK)
    return sizes["caption"][0] / sizes["body"][0] if shrinks else 1.0


class Sized:
    """What the nodes of a tree need at one level of detail, wherever they stand."""

    def __init__(self, nodes: list[TreeNode], classes: int, detail: int, names: RowNames = NUMBERED) -> None:
        look = theme.current().name
        self.detail = detail
        self.measured = [_measured(node, detail, classes, names, look) for node in nodes]
        self.parents = [node.parent for node in nodes]
        self.labels = [label_width(node.branch) for node in nodes]
        self.depth = depths(self.parents)
        rows = max(self.depth, default=-1) + 1
        self.row_height, self._row_width, self._row_count = [0.0] * rows, [0.0] * rows, [0] * rows
        for depth, m in zip(self.depth, self.measured, strict=True):
            self.row_height[depth] = max(self.row_height[depth], m.height)
            self._row_width[depth] += m.left + m.right
            self._row_count[depth] += 1

    def least(self, link: float, gap: float) -> tuple[float, float]:
        """(width, height) that no arrangement stays below: of the widest row, and of all rows with the lines between."""
        rows = zip(self._row_width, self._row_count, strict=True)
        wide = max((width + (count - 1) * gap for width, count in rows), default=0.0)
        return wide, sum(self.row_height) + link * max(0, len(self.row_height) - 1)


class Laid:
    """A tree laid out at one detail: places of the nodes, first root at (0, 0)."""

    def __init__(self, sized: Sized, link: float, gap: float) -> None:
        self.detail, self.link, self.gap = sized.detail, link, gap
        self.measured, self.parents, self.depth = sized.measured, sized.parents, sized.depth
        self.row_height = sized.row_height
        lefts, rights = [m.left for m in self.measured], [m.right for m in self.measured]
        x = tidy(self.parents, lefts, rights, sized.labels, gap)
        self.tops = [0.0]
        for height in self.row_height:
            self.tops.append(self.tops[-1] + height + link)
        self.places = [QPointF(px, self.tops[d]) for px, d in zip(x, self.depth, strict=True)]
        self.bounds = QRectF()
        if x:
            left = min(px - reach for px, reach in zip(x, lefts, strict=True))
            right = max(px + reach for px, reach in zip(x, rights, strict=True))
            self.bounds = QRectF(left, 0, right - left, self.tops[-1] - link)

    def rect(self, k: int) -> QRectF:
        """All that belongs to node k."""
        m, at = self.measured[k], self.places[k]
        return QRectF(at.x() - m.left, at.y(), m.left + m.right, m.height)

    def edge(self, k: int) -> tuple[float, QLineF]:
        """(where the stem below the parent begins, the slanting line from below the parent's row to the top of node k)."""
        parent = self.parents[k]
        start = self.places[parent]
        line = QLineF(QPointF(start.x(), start.y() + self.row_height[self.depth[parent]] + 3), self.places[k])
        return start.y() + self.measured[parent].height + 3, line


@lru_cache(maxsize=4096)
def _measured(node: TreeNode, detail: int, classes: int, names: RowNames, look: str) -> Measured:
    """`measure` in the theme called `look`; nodes are looked at many times, in every arrangement of every step."""
    return measure(node, detail, classes, names)


def arrangements(nodes: int, at_work: bool) -> tuple[tuple[int, float, float], ...]:
    """(detail, link, gap) to try in turn, the last one in any case. While a node is at work its examples stay in sight,
    even if the rest of the tree has to be scrolled; else seeing the whole tree counts more."""
    if nodes > MANY:
        return ((COMPACT, TIGHT_LINK, NARROW),)
    whole = (COMPACT, TIGHT_LINK, USUAL), (COMPACT, SHORT_LINK, NARROW), (COMPACT, SHORT_LINK, LEAST)
    return (*ARRANGEMENTS, *(((FOCUSED, TIGHT_LINK, USUAL),) if at_work else whole))
