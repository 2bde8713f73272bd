"""A tree in a narrow room: one line per node, indented by level.

Branches that do not fit show how many nodes they hold.
"""

from collections.abc import Callable, Sequence
from math import inf

from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainter

from engine.base.notation import counted
from engine.base.records import replace
from engine.scene.scene import TreeNode
from engine.scene.tree_layout import preorder
from gui.figures.tree_arrangement import Folding, Laid, Sized, above_text
from gui.figures.tree_look import NOTE_GAP, Measured, paint_elbow, scale
from gui.look.ink import face

NARROW_ROOM = 320.0  # pixels; narrower figures show an outline
AIRY, DENSE = 33.0, 26.0  # from line to line
INDENT, LEAST_INDENT = 26.0, 8.0  # from level to level
LEAST_BODY = 60.0  # least width of a node's body, however narrow the figure
ELBOW, BRANCH, LABEL_GAP = (
    8.0,
    8.0,
    4.0,
)  # from the level to the vertical line, from that to the branch's name, gap before the name


Fit = Callable[[int, float], Measured]  # measures node k, cut to so many pixels


class Outline(Laid):
    """The drawn nodes in reading order, each on a line of its own. pitch: height of a line; wide:
    width of the room in pixels, to which `fit` cuts longer texts; folding: what is left out.
    """

    def __init__(
        self,
        sized: Sized,
        pitch: float,
        wide: float = inf,
        fit: Fit | None = None,
        folding: Folding | None = None,
    ) -> None:
        self.detail = sized.detail
        self.link = 0.0
        self.gap = 0.0
        self.pitch = pitch
        self.drawn, self.parents, self.depth = sized.drawn, sized.parents, sized.depth
        self._where = (
            None
            if isinstance(self.drawn, range)
            else {node: k for k, node in enumerate(self.drawn)}
        )
        unseen = {
            node: below for node, below in zip(sized.drawn, sized.unseen, strict=True) if below
        }
        self.more = folding.left_out() if folding is not None else unseen
        self.above = folding.above() if folding is not None else 0
        s = scale()
        gap = NOTE_GAP * scale()
        starts = [
            (ELBOW + BRANCH) * s + width if d else width
            for width, d in zip(sized.labels, self.depth, strict=True)
        ]
        least = [
            gap + face("body").width(f"+{self.more[node]}") if node in self.more else 0.0
            for node in self.drawn
        ]
        bodies = [m.body.width() for m in sized.measured]
        longest = max(map(sum, zip(starts, bodies, least, strict=True)), default=0.0)
        levels = max(1, max(self.depth, default=1) - 1)
        self.indent = max(LEAST_INDENT * s, min(INDENT * s, (wide - longest) / levels))
        self.measured, self.places = [], [QPointF()] * len(self.drawn)
        starts = [max(0, d - 1) * self.indent + x for x, d in zip(starts, self.depth, strict=True)]
        for node, m, start, words in zip(self.drawn, sized.measured, starts, least, strict=True):
            if fit is not None and m.body.width() > wide - start - words:
                m = fit(node, max(wide - start - words, LEAST_BODY * s))
            self.measured.append(
                _noted(m, self.more.get(node, 0), wide - start - m.body.width() - gap)
            )
        for line, k in enumerate(preorder(self.parents)):
            body = self.measured[k].body
            top = (line + bool(self.above)) * pitch + (pitch - body.height()) / 2
            self.places[k] = QPointF(starts[k] + body.width() / 2, top)
        right = max(
            (p.x() + m.right for p, m in zip(self.places, self.measured, strict=True)), default=0.0
        )
        self.bounds = QRectF(0, 0, right, (len(self.drawn) + bool(self.above)) * pitch)

    def whole(self, sized: Sized) -> "Outline":
        return Outline(sized, self.pitch)

    def left_out(self) -> list[tuple[QPointF, str]]:
        """The place and text of the count above. The lines of the nodes show the other counts."""
        text = above_text(self.above)
        return (
            [(QPointF(face("caption", 600).width(text) / 2 + 3, self.pitch / 2), text)]
            if self.above
            else []
        )

    def edge(self, node: int) -> tuple[float, QLineF]:
        """(top of the vertical line, horizontal line from its end to the branch's name)"""
        k = self.at(node)
        parent = self.parents[k]
        middle = self.places[k].y() + self.measured[k].body.height() / 2
        x = max(0, self.depth[k] - 1) * self.indent + ELBOW * scale()
        begin = self.places[parent].y() + self.measured[parent].body.height() + 1
        return begin, QLineF(x, middle, x + (BRANCH - LABEL_GAP) * scale(), middle)

    def paint_edge(
        self, painter: QPainter, tree_node: TreeNode, k: int, strong: bool, visible: QRectF
    ) -> None:
        paint_elbow(painter, tree_node, *self.edge(k), strong, visible)

    def paint_branch(
        self, painter: QPainter, tree_node: TreeNode, k: int, strong: bool, visible: QRectF
    ) -> None:
        """Nothing: no line crosses the name beside the elbow."""


class _Lines(Folding):
    """Chooses nodes for at most `most` lines."""

    def __init__(self, parents: list[int], unseen: list[int], most: int) -> None:
        super().__init__(parents, unseen)
        self.most = most

    def holds(self, wanted: set[int]) -> bool:
        return len(wanted) + (self.parents[min(wanted)] >= 0) <= self.most


def _noted(m: Measured, below: int, room: float) -> Measured:
    """The measures with the longest note that fits into `room` pixels: the node's note and the
    count below it, the count alone, or just a number.
    """
    words = f"{counted(below, 'node')} below" if below else ""
    both = (
        m.note
        if words and m.note.endswith(words)
        else ", ".join(part for part in (m.note, words) if part)
    )
    texts = [both, words, f"+{below}" if below else ""]
    note = next((text for text in texts if face("body").width(text) <= room), texts[-1])
    x = m.body.right() + NOTE_GAP * scale()
    return replace(
        m, note=note, note_x=x, right=x + face("body").width(note) if note else m.body.right()
    )


def outline(
    nodes: Sequence[TreeNode],
    sized: Callable[[Sequence[int]], Sized],
    focus: int,
    room: QSizeF,
    fit: Fit,
    opened: bool = False,
) -> Outline:
    """An outline with as many lines as fit, chosen as `Folding.fill` does for the node `focus` (−1:
    the first), which a person opened or not. sized: measures some nodes; only those with a line are
    measured.
    """
    airy = AIRY * scale()
    dense = DENSE * scale()
    lines = len(nodes)
    if lines * dense <= room.height():
        return Outline(
            sized(range(lines)), airy if lines * airy <= room.height() else dense, room.width(), fit
        )
    folding = _Lines(
        [node.parent for node in nodes], [node.below for node in nodes], int(room.height() // dense)
    )
    folding.fill(focus, opened)
    return Outline(sized(sorted(folding.drawn)), dense, room.width(), fit, folding)
