"""The part of a tree to draw when it does not fit: the node at work and its way from the root, or
the root and the rows below.
"""

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSizeF

from engine.scene.tree_layout import children_of
from gui.figures.tree_arrangement import LEAST_LINK, NARROW, TIGHT_LINK, Laid, Sized
from gui.figures.tree_look import MORE, more_width, scale
from gui.look import theme

ROOMS = 6.0  # a tree wider than so many rooms is folded
MARK_GAP = 4.0  # pixels between a node and the count of what is left out below it
VAIN = 6  # after so many families that did not fit no more are tried


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


def fold(sized: Sized, focus: int, room: QSizeF) -> Laid:
    """The layout of the part that fits into `room`, chosen in this order: the node, its parent, its
    children, the way from the root, the siblings along the way, then row by row from the top.
    """
    folding = _Arranging(sized, room)
    folding.fill(focus)
    return folding.spread()


class Folding:
    """Chooses the nodes to draw: the first ones always, others while there is room."""

    def __init__(self, parents: list[int], unseen: list[int]) -> None:
        """unseen: for each node, how many nodes below it the figure does not hold"""
        self.parents = parents
        self.unseen = unseen
        self.kids = children_of(parents)
        self.drawn: set[int] = set()

    def fill(self, focus: int) -> None:
        """Choose the nodes. focus: the node that matters; of several trees, the root of the opened
        one; −1 for none
        """
        opened = focus >= 0 and self.parents[focus] < 0
        focus = max(focus, 0)
        way = way_to(self.parents, focus)
        self.add([focus])
        if opened:
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
