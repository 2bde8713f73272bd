"""A tree arranged at one level of detail: where every node with its boxes and note lies."""

from functools import lru_cache

from PySide6.QtCore import QLineF, QPointF, QRectF

from engine.core.scene import TreeNode
from gui import theme
from gui.figures.tree_layout import depths, tidy
from gui.figures.tree_look import COMPACT, FOCUSED, FULL, Measured, label_width, measure

LINK, TIGHT_LINK, SHORT_LINK, LEAST_LINK = 44.0, 30.0, 24.0, 20.0
WIDE, USUAL, NARROW = 48.0, 18.0, 10.0  # gaps between neighbours
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


def least_scale(detail: int) -> float:
    """How far the figure shrinks by itself: no text below the size of a caption."""
    sizes = theme.current().type_sizes
    return sizes["caption"][0] / sizes["body"][0] if detail == COMPACT else 1.0


class Laid:
    """A tree laid out at one detail: places of the nodes, first root at (0, 0)."""

    def __init__(self, nodes: list[TreeNode], classes: int, detail: int, link: float, gap: float) -> None:
        self.detail, self.link, self.gap = detail, link, gap
        look = theme.current().name
        self.measured = [_measured(node, detail, classes, look) for node in nodes]
        self.parents = [node.parent for node in nodes]
        self.depth = depths(self.parents)
        x = tidy(self.parents, [m.left for m in self.measured], [m.right for m in self.measured],
                 [label_width(node.branch) for node in nodes], gap)  # fmt: skip
        tall = [0.0] * (max(self.depth, default=-1) + 1)
        for depth, m in zip(self.depth, self.measured, strict=True):
            tall[depth] = max(tall[depth], m.height)
        self.tops = [0.0]
        for height in tall:
            self.tops.append(self.tops[-1] + height + link)
        self.row_height = tall
        self.places = [QPointF(px, self.tops[d]) for px, d in zip(x, self.depth, strict=True)]
        self.bounds = QRectF()
        if nodes:
            left = min(px - m.left for px, m in zip(x, self.measured, strict=True))
            right = max(px + m.right for px, m in zip(x, self.measured, strict=True))
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
def _measured(node: TreeNode, detail: int, classes: int, look: str) -> Measured:
    """`measure` in the theme called `look`; nodes are looked at many times, in every arrangement of every step."""
    return measure(node, detail, classes)


def arrangements(nodes: int, at_work: bool) -> tuple[tuple[int, float, float], ...]:
    """(detail, link, gap) to try in turn, the last one in any case. While a node is at work its examples stay in sight,
    even if the rest of the tree has to be scrolled; else seeing the whole tree counts more."""
    if nodes > MANY:
        return ((COMPACT, TIGHT_LINK, NARROW),)
    rest = ((FOCUSED, TIGHT_LINK, USUAL),) if at_work else ((COMPACT, TIGHT_LINK, USUAL), (COMPACT, SHORT_LINK, NARROW))
    return (*ARRANGEMENTS, *rest)
