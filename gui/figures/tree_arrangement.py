"""The layout of a tree at one level of detail: the places of the nodes with their boxes and notes.

Of a tree that does not fit, a part is drawn: the node at work and its way from the root, or the
root and the rows below.
"""

from collections import Counter
from collections.abc import Container, Sequence
from copy import copy
from functools import lru_cache
from math import inf

from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainter

from engine.base.notation import counted
from engine.base.records import replace
from engine.scene.scene import TreeNode
from engine.scene.tree_layout import children_of, depths, tidy
from gui.figures.row_names import NUMBERED, RowNames
from gui.figures.tree_look import (
    COMPACT,
    COUNTED,
    FOCUSED,
    FULL,
    MORE,
    Measured,
    label_width,
    measure,
    more_width,
    paint_branch,
    paint_edge,
    scale,
)
from gui.look import theme

LINK, TIGHT_LINK, SHORT_LINK, LEAST_LINK = 44.0, 30.0, 24.0, 20.0
WIDE, USUAL, NARROW, LEAST = 48.0, 18.0, 10.0, 5.0  # gaps between neighbouring nodes
MANY = 60  # with more nodes only the compact form is tried
FEW = 20  # with at most so many nodes the whole tree counts more than the examples of one

ARRANGEMENTS = (
    (FULL, LINK, WIDE),
    (FULL, LINK, USUAL),
    (FULL, TIGHT_LINK, USUAL),
    (FULL, SHORT_LINK, NARROW),
    (FOCUSED, LINK, WIDE),
    (FOCUSED, LINK, USUAL),
    (FOCUSED, TIGHT_LINK, USUAL),
    (FOCUSED, SHORT_LINK, NARROW),
    (FOCUSED, LEAST_LINK, NARROW),
)
ROOMS = 6.0  # a tree wider than so many rooms is folded
MARK_GAP = 4.0  # pixels between a node and the count of what is left out below it
VAIN = 6  # after so many families that did not fit no more are tried


def least_scale(detail: int, link: float = LEAST_LINK) -> float:
    """The smallest scale that the figure uses by itself. Text stays at least as large as a caption;
    nodes with boxes shrink only where their rows cannot move closer.
    """
    sizes = theme.current().type_sizes
    shrinks = detail in (COUNTED, COMPACT) or (detail == FOCUSED and link == LEAST_LINK)
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
                if k in parents:
                    part.measured[k] = replace(m, right=m.right + wide)
                else:
                    part.measured[k] = replace(
                        m,
                        left=max(m.left, wide / 2),
                        right=max(m.right, wide / 2),
                        height=m.height + MORE * scale(),
                    )
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
        """Paint the edge to a drawn node from its parent, without the name of the branch."""
        paint_edge(painter, tree_node, *self.edge(k), strong, visible)

    def paint_branch(
        self, painter: QPainter, tree_node: TreeNode, k: int, strong: bool, visible: QRectF
    ) -> None:
        """Paint the name of the branch to a drawn node."""
        paint_branch(painter, tree_node, *self.edge(k), strong, visible)

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

    While a node of a large tree is at work its examples stay visible, even if the tree must scroll;
    else the whole tree counts more.
    """
    if nodes > MANY:
        return ((COMPACT, TIGHT_LINK, NARROW),)
    whole = (
        (COUNTED, TIGHT_LINK, USUAL),
        (COUNTED, SHORT_LINK, NARROW),
        (COUNTED, LEAST_LINK, LEAST),
        (COMPACT, TIGHT_LINK, USUAL),
        (COMPACT, SHORT_LINK, NARROW),
        (COMPACT, SHORT_LINK, LEAST),
        (COMPACT, LEAST_LINK, LEAST),
    )
    seen = ((FOCUSED, TIGHT_LINK, USUAL),) if at_work else ()
    return (*ARRANGEMENTS, *(whole if nodes <= FEW or not at_work else ()), *seen)


def holds(room: QSizeF, rect: QRectF) -> bool:
    """Whether `rect` fits into `room`, with a pixel of tolerance."""
    return rect.width() <= room.width() + 1 and rect.height() <= room.height() + 1


def way_to(parents: Sequence[int], node: int) -> list[int]:
    """The nodes from the root to this one. parents: of each node, −1 for a root"""
    way = []
    while node >= 0:
        way.append(node)
        node = parents[node]
    return way[::-1]


def spot_of(laid: Laid, parents: Sequence[int], focus: int, room: QSizeF) -> QRectF:
    """The rectangle of a node with as much around it as fits into `room`: parent, boxes and note,
    children, the way from the root.
    """
    *above, _ = way_to(parents, focus)
    kids = [k for k in range(focus + 1, len(parents)) if parents[k] == focus]
    near = above[-1:]
    spot = laid.body(focus)
    for rect in (
        *map(laid.body, near),
        laid.rect(focus),
        *map(laid.rect, kids),
        *map(laid.rect, near),
    ):
        wider = spot.united(rect)
        spot = wider if holds(room, wider) else spot
    for k in above[-2::-1]:
        wider = spot.united(laid.body(k))
        if not holds(room, wider):
            break
        spot = wider
    return spot


def following(
    laid: Laid, parents: Sequence[int], focus: int, room: QRectF, size: float
) -> tuple[float, float]:
    """(x, y) of the first root in a room that is too small at the scale `size`, so that a node is
    in sight with its surroundings and no margin is empty.
    """
    spot = spot_of(laid, parents, focus, room.size() / size)
    bounds = laid.bounds
    wide = spot.width() * size > room.width()
    x = room.left() - spot.left() * size if wide else room.center().x() - spot.center().x() * size
    y = min(
        room.top() - bounds.top() * size,
        max(room.bottom() - spot.bottom() * size, room.top() - spot.top() * size),
    )
    if bounds.width() * size > room.width():
        return (
            min(max(x, room.right() - bounds.right() * size), room.left() - bounds.left() * size),
            y,
        )
    return room.center().x() - bounds.center().x() * size, y


def to_fold(whole: Laid, parents: Sequence[int], focus: int, room: QSizeF) -> bool:
    """Whether to fold a tree larger than `room` rather than show a part: no node is at work (focus
    −1), or a node does not fit together with its parent.
    """
    if focus < 0 or whole.bounds.width() > ROOMS * room.width():
        return True
    around = whole.body(focus)
    if parents[focus] >= 0:
        around = around.united(whole.body(parents[focus]))
    return not holds(room, around)


def fold(sized: Sized, focus: int, room: QSizeF, opened: bool = False) -> Laid:
    """The layout of the part that fits into `room`, chosen in this order: the node, its parent, its
    children, the way from the root, the siblings along the way, then row by row from the top.
    opened: a person opened the node: all below it comes first
    """
    folding = _Arranging(sized, room)
    folding.fill(focus, opened)
    return folding.spread()


class Folding:
    """Chooses the nodes to draw: the first ones always, others while there is room."""

    def __init__(self, parents: list[int], unseen: list[int]) -> None:
        """unseen: for each node, how many nodes below it the figure does not hold"""
        self.parents = parents
        self.unseen = unseen
        self.kids = children_of(parents)
        self.drawn: set[int] = set()

    def fill(self, focus: int, opened: bool = False) -> None:
        """Choose the nodes. focus: the node that matters; of several trees, the root of the opened
        one; −1 for none; opened: whether a person opened it
        """
        opened = opened or (focus >= 0 and self.parents[focus] < 0)
        focus = max(focus, 0)
        way = way_to(self.parents, focus)
        self.add([focus])
        if opened:
            self.add(way)
            self.add_rows([focus])
        if way == [focus]:
            self.add_trees()
        self.add(way[-2:-1])
        self.add_children(focus)
        for node in way[-2::-1]:
            if node not in self.drawn and not self.add([node]):
                break
        for node in way[-2::-1]:
            if node in self.drawn:
                self.add(self.kids[node])
        if way[0] in self.drawn:
            self.add_trees()
        self.add_rows([k for k in sorted(self.drawn) if self.parents[k] not in self.drawn])

    def add(self, nodes: Sequence[int]) -> bool:
        """Draw these nodes too. False where there is no room or all are drawn already."""
        wanted = self.drawn.union(nodes)
        if wanted == self.drawn or (self.drawn and not self.holds(wanted)):
            return False
        self.drawn = wanted
        return True

    def holds(self, wanted: set[int]) -> bool:
        """Whether there is room for these nodes. Subclasses implement it."""
        raise NotImplementedError

    def add_trees(self) -> None:
        """Add the roots of all trees, or the first ones that fit."""
        roots = [k for k, parent in enumerate(self.parents) if parent < 0]
        if not self.add(roots):
            for root in roots:
                if not self.add([root]) and root not in self.drawn:
                    break

    def add_children(self, node: int) -> None:
        """Add all children of a node, or the first ones that fit."""
        if self.kids[node] and not self.add(self.kids[node]):
            for kid in self.kids[node]:
                if not self.add([kid]) and kid not in self.drawn:
                    break

    def add_rows(self, row: list[int]) -> None:
        """Add the children of the drawn nodes from this row on, upper rows first."""
        vain = 0
        while row:
            below: list[int] = []
            for node in row:
                if vain < VAIN and not self.drawn.issuperset(self.kids[node]):
                    vain += not self.add(self.kids[node])
                below += [kid for kid in self.kids[node] if kid in self.drawn]
            row = below

    def left_out(self) -> dict[int, int]:
        """The number of nodes that are not drawn below a drawn node, for those with any. A node
        counts for its nearest drawn ancestor.
        """
        nearest: dict[int, int] = {}
        for k, parent in enumerate(self.parents):
            nearest[k] = k if k in self.drawn else nearest.get(parent, -1)
        counts = Counter[int]()
        for k, above in nearest.items():
            counts[above] += self.unseen[k] + (k not in self.drawn)
        return {k: counts[k] for k in sorted(self.drawn) if counts[k]}

    def cut(self, node: int, drawn: set[int]) -> bool:
        """Whether any child of a node is not drawn."""
        return bool(self.unseen[node]) or not drawn.issuperset(self.kids[node])

    def above(self) -> int:
        """How many ancestors of the first drawn node are not drawn."""
        return len(way_to(self.parents, min(self.drawn))) - 1


class _Arranging(Folding):
    """Chooses nodes whose tree layout fits into a room."""

    def __init__(self, sized: Sized, room: QSizeF) -> None:
        super().__init__(sized.parents, sized.unseen)
        self.sized, self.room = sized, room
        self.factor = theme.current().line_height("body") / 18
        self.mark = more_width(f"+{len(self.parents) + sum(self.unseen)}") + MARK_GAP * self.factor

    def spread(self) -> Laid:
        """The layout of the chosen nodes, with longer links where there is room."""
        links = TIGHT_LINK * self.factor, LEAST_LINK * self.factor
        loose, laid = (self._laid(self.sized.only(sorted(self.drawn)), link) for link in links)
        laid = loose if holds(self.room, loose.bounds) else laid
        laid.more = self.left_out()
        laid.above = self.above()
        return laid

    def _laid(self, part: Sized, link: float) -> Laid:
        """The layout of some nodes, with room for the counts of what is left out."""
        drawn = set(part.drawn)
        marked = part.marked({k for k in part.drawn if self.cut(k, drawn)}, self.mark)
        laid = Laid(marked, link, NARROW, self.room.width())
        above = self.parents[part.drawn[0]] >= 0
        laid.bounds.adjust(0, -MORE * scale() if above else 0, 0, 0)
        return laid

    def holds(self, wanted: set[int]) -> bool:
        part = self.sized.only(sorted(wanted))
        wide, tall = part.least(LEAST_LINK * self.factor, NARROW)
        wide = 0.0 if part.parents.count(-1) > 1 else wide  # several trees wrap into the next row
        if wide > self.room.width() + 1 or tall > self.room.height() + 1:
            return False  # most do not fit: skip the costly layout
        return holds(self.room, self._laid(part, LEAST_LINK * self.factor).bounds)
