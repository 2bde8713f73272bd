"""The measures and the painting of tree nodes, and the legend of their boxes.

Test nodes are dark, leaves rounded, open nodes dashed. In fast playback nodes are copies of cached
pictures, as most look the same in the next step.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from math import ceil, inf
from typing import Any

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen, QPixmap

from engine.base.notation import label_text
from engine.base.records import Record
from engine.base.tags import is_lit, row_tag
from engine.scene.scene import Role, Tree, TreeNode
from engine.scene.tree_layout import LABEL_AT
from gui.figures.row_names import NUMBERED, RowNames
from gui.look import theme
from gui.look.ink import Face, box_size, box_width, example_box, face, pen, write, write_centred

NODE, PAD, BOX_DROP, CLASS_GAP, NOTE_GAP = 28.0, 14.0, 5.0, 8.0, 12.0
LINE, LINE_PAD = 22.0, 9.0  # height and padding of a node in an outline
TEST_WIDTH, LEAF_WIDTH = 92.0, 54.0
MOST_BOXES, BOXES_IN_ROW = 36, 12
FRAME_PAD = 8.0
PALE, FAINT = 0.45, 0.7
MORE = 18.0  # height of the count of nodes left out
COUNT = re.compile(r"(\d+)(?: (.+))?")  # of a class, in the note of a node
FADE = 20.0  # pixels over which a tree fades where it continues beyond its room

# boxes everywhere; only at open and current nodes; none, but counts below leaves; neither; one line
# per node
FULL, FOCUSED, COUNTED, COMPACT, LINES = range(5)
RIM, MOST_STAMPS = 6.0, 500  # pixels of a frame around a node; number of cached pictures


class Measured(Record, eq=True):
    """The parts of a node relative to the middle of its top edge. left, right: how far it extends;
    count: the examples of each class, below the body.
    """

    left: float
    right: float
    height: float
    body: QRectF
    boxes: tuple[QRectF, ...]
    rows: tuple[str, ...]  # texts in the boxes
    note_x: float
    note: str
    text: str  # in the body
    count: str = ""


def scale() -> float:
    """The factor of the theme's font size, for measures in pixels."""
    return theme.current().line_height("plane") / 18


def node_face(node: TreeNode) -> Face:
    return face("plane", 700 if node.kind == "leaf" or node.role is Role.ACTIVE else 600)


def shows_boxes(node: TreeNode, detail: int) -> bool:
    """Whether a node shows its examples as boxes at this detail."""
    if not node.boxes or len(node.boxes) > MOST_BOXES or detail >= COUNTED:
        return False
    return detail == FULL or node.kind == "open" or node.role is Role.ACTIVE


def measure(
    node: TreeNode, detail: int, classes: int, names: RowNames = NUMBERED, widest: float = inf
) -> Measured:
    """The places of body, boxes and note of a node. A body wider than `widest` has its text cut in
    the middle.
    """
    s = scale()
    text = node.text
    tall, pad = (LINE * s, LINE_PAD * s) if detail == LINES else (NODE * s, PAD * s)
    rows = (
        tuple(names.box(index + 1) for index, _ in node.boxes) if shows_boxes(node, detail) else ()
    )
    boxes = box_rects(node, rows, classes) if rows else ()
    if node.kind == "open" and boxes:
        body, boxes = _framed(boxes, FRAME_PAD * s)
    else:
        wide = face("plane", 700).width(node.text or "?") + 2 * pad
        if wide > widest:
            text = face("plane", 700).metrics.elidedText(
                node.text, Qt.TextElideMode.ElideMiddle, widest - 2 * pad
            )
            wide = widest
        least = (LEAF_WIDTH if node.kind != "test" else TEST_WIDTH if detail == FULL else 0.0) * s
        body = QRectF(-max(wide, least) / 2, 0, max(wide, least), tall)
        boxes = tuple(b.translated(0, body.height() + BOX_DROP * s) for b in boxes)
    left = min([body.left(), *(b.left() for b in boxes)])
    right = max([body.right(), *(b.right() for b in boxes)])
    bottom = max([body.bottom(), *(b.bottom() for b in boxes)])
    count = counts_text(node) if detail == COUNTED and node.kind == "leaf" else ""
    if count:
        half = face("body").width(count) / 2
        left, right = min(left, -half), max(right, half)
        bottom += face("body").size  # digits have nothing below their line
    note = node.note if detail not in (COUNTED, COMPACT) else ""
    note_x = 0.0
    if note:
        wide = face("body").width(note)
        before = node.kind == "open" and bool(boxes)
        note_x = body.left() - NOTE_GAP * s - wide if before else body.right() + NOTE_GAP * s
        left = min(left, note_x)
        right = max(right, note_x + wide)
    return Measured(-left, right, bottom, body, boxes, rows, note_x, note, text, count)


def counts_text(node: TreeNode) -> str:
    """The counts in the note of a leaf, without the names of the classes, its own class first: “47
    versicolor, 1 virginica” becomes “47 : 1”. "" where the note says something else.
    """
    parts = [COUNT.fullmatch(part) for part in node.note.split(", ")]
    counts = [(found[2] != node.text, found[1]) for found in parts if found]
    if len(counts) < len(parts):
        return ""
    return " : ".join(count for _, count in sorted(counts, key=lambda each: each[0]))


def box_rects(node: TreeNode, texts: tuple[str, ...], classes: int) -> tuple[QRectF, ...]:
    """The rectangles of the example boxes, centred at x = 0, in rows of twelve with a gap between
    classes.
    """
    side, pitch = box_size()
    rects: list[QRectF] = []
    for row, first in enumerate(range(0, len(node.boxes), BOXES_IN_ROW)):
        line = []
        x = 0.0
        for k, (_, code) in enumerate(node.boxes[first : first + BOXES_IN_ROW]):
            if k and code != node.boxes[first + k - 1][1]:
                x += CLASS_GAP * scale()
            wide = box_width(texts[first + k], classes)
            line.append(QRectF(x, row * pitch, wide, side))
            x += wide + pitch - side
        shift = -(x - pitch + side) / 2
        rects += [r.translated(shift, 0) for r in line]
    return tuple(rects)


def _framed(boxes: tuple[QRectF, ...], pad: float) -> tuple[QRectF, tuple[QRectF, ...]]:
    """A frame around the boxes, and the boxes moved into it."""
    boxes = tuple(b.translated(0, pad - 2) for b in boxes)
    left = min(b.left() for b in boxes)
    right = max(b.right() for b in boxes)
    return (
        QRectF(left - pad, 0, right - left + 2 * pad, max(b.bottom() for b in boxes) + pad - 2),
        boxes,
    )


# -- painting --------------------------------------------------------------------------------------


def paint_node(
    painter: QPainter,
    node: TreeNode,
    at: Measured,
    place: QPointF,
    classes: int,
    on_path: bool,
    lit: frozenset[str],
) -> None:
    """Paint a node with its boxes and note, the middle of its top edge at `place`."""
    painter.save()
    painter.translate(place)
    if node.role is Role.INACTIVE:
        painter.setOpacity(FAINT)
    _paint_body(painter, node, at, on_path or node.role is Role.NEAREST)
    for rect, text, (row, code) in zip(at.boxes, at.rows, node.boxes, strict=False):
        example_box(painter, rect, text, code, classes, PALE if node.role is Role.REJECTED else 1.0)
        if row_tag(row + 1) in lit:
            _paint_ring(painter, rect.adjusted(-2, -2, 2, 2))
    if at.note:
        write(painter, at.note_x, at.body.center().y(), at.note, face("body"), "ink2")
    if at.count:
        digits = face("body")
        write_centred(painter, 0, at.body.bottom() + 0.55 * digits.size, at.count, digits, "ink2")
    if node.role is Role.REJECTED:
        painter.setPen(pen("ghost", 2))
        middle = at.body.center().y()
        painter.drawLine(QLineF(at.body.left() - 3, middle, at.body.right() + 3, middle))
    if is_lit(node.tag, lit):
        _paint_ring(painter, at.body.adjusted(-4, -4, 4, 4))
    painter.restore()


def _paint_ring(painter: QPainter, rect: QRectF) -> None:
    """Paint the ring of what the pointer highlights."""
    painter.setPen(pen("ink", 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect, 6, 6)


def _paint_body(painter: QPainter, node: TreeNode, at: Measured, on_path: bool) -> None:
    look = theme.current()
    body = at.body
    radius = body.height() / 2 if node.kind == "leaf" else theme.RADIUS
    fill, edge, ink = body_colours(node.kind, node.role, on_path, look.key)
    half = edge.widthF() / 2
    painter.setPen(edge)
    painter.setBrush(fill)
    painter.drawRoundedRect(body.adjusted(half, half, -half, -half), radius - half, radius - half)
    if node.kind != "open" or body.height() <= NODE * scale() + 1:
        text = at.text or ("?" if node.kind == "open" else "")
        write_centred(painter, body.center().x(), body.center().y(), text, node_face(node), ink)
    if on_path and node.kind == "test" and node.role is not Role.ACTIVE:
        painter.setPen(QPen(look.colour("ink"), 2 * look.stroke))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(body.adjusted(-3, -3, 3, 3), radius + 2, radius + 2)


@lru_cache(maxsize=256)
def body_colours(
    kind: str, role: Role, on_path: bool, key: tuple[str, int]
) -> tuple[QColor, QPen, QColor]:
    """(fill, edge, text) of a node's body in the theme with that key."""
    look = theme.look(*key)
    if role is Role.ACTIVE:
        return look.colour("now"), pen("ink", 2), look.colour("now_ink")
    if role is Role.REJECTED:
        return look.colour("plane"), pen("ghost", 1.5, (2, 4)), look.colour("ghost")
    if role is Role.INACTIVE:
        return look.colour("plane"), pen("strong", 1.5), look.colour("ink2")
    if kind == "open":
        return (
            look.colour("plane"),
            pen("ink" if on_path else "strong", 1.5, (5, 3)),
            look.colour("ink2"),
        )
    if kind == "leaf":
        return (
            look.colour("dock"),
            pen("ink", 2.5) if on_path else pen("strong", 1.5),
            look.colour("ink"),
        )
    return look.colour("sel"), pen("sel", 1), look.colour("sel_ink")


@lru_cache(maxsize=256)
def edge_pen(kind: str, role: Role, on_path: bool, key: tuple[str, int]) -> QPen:
    """The pen of the edge from the parent to a node, in the theme with that key."""
    if on_path:
        return pen("ink", 2.25)
    if role is Role.REJECTED:
        return pen("ghost", 1.5, (2, 4))
    return pen("strong", 1.5, (5, 4) if kind == "open" else ())


def paint_edge(
    painter: QPainter, node: TreeNode, top: float, line: QLineF, strong: bool, visible: QRectF
) -> None:
    """Paint the stem below the parent and the line to `node`, if any of it is `visible`."""
    if not _reaches(node, top, line, visible):
        return
    painter.setPen(edge_pen(node.kind, node.role, strong, theme.current().key))
    if line.y1() - top > 4:
        painter.drawLine(QLineF(line.x1(), top, line.x1(), line.y1()))
    painter.drawLine(line)


def paint_branch(
    painter: QPainter, node: TreeNode, top: float, line: QLineF, strong: bool, visible: QRectF
) -> None:
    """Paint the name of the branch on the edge of `paint_edge`. No line crosses it where all edges
    are painted before.
    """
    if not node.branch or not _reaches(node, top, line, visible):
        return
    look = face("body", 700 if strong else 0)
    at = line.pointAt(LABEL_AT)
    wide = look.width(node.branch) + 8
    tall = theme.current().line_height("body")
    painter.fillRect(
        QRectF(at.x() - wide / 2, at.y() - tall / 2, wide, tall),
        theme.current().colour("plane"),
    )
    write_centred(painter, at.x(), at.y(), node.branch, look, "ink" if strong else "ink2")


def _reaches(node: TreeNode, top: float, line: QLineF, visible: QRectF) -> bool:
    """Whether any of an edge and of its name is visible."""
    reach = label_width(node.branch) / 2
    return (
        min(line.x1(), line.x2() - reach) <= visible.right()
        and max(line.x1(), line.x2() + reach) >= visible.left()
        and top <= visible.bottom()
        and line.y2() >= visible.top()
    )


def label_width(text: str) -> float:
    """The width of a branch's name with padding; 0 for none."""
    return ceil(face("body", 600).width(text)) + 8.0 if text else 0.0


def more_width(text: str) -> float:
    """The width of `paint_more` in pixels."""
    return face("caption", 600).width(text) + 6


def paint_more(painter: QPainter, at: QPointF, text: str) -> None:
    """Write a count of nodes left out, centred at `at`."""
    look = face("caption", 600)
    wide = more_width(text)
    tall = theme.current().line_height("caption") - 2
    painter.fillRect(
        QRectF(at.x() - wide / 2, at.y() - tall / 2, wide, tall), theme.current().colour("plane")
    )
    write_centred(painter, at.x(), at.y(), text, look, "ink2")


def paint_elbow(
    painter: QPainter, node: TreeNode, top: float, line: QLineF, strong: bool, visible: QRectF
) -> None:
    """Paint the line down from the parent and to the right, and the name of the branch after it."""
    if not (top <= visible.bottom() and line.y1() >= visible.top()):
        return
    painter.setPen(edge_pen(node.kind, node.role, strong, theme.current().key))
    painter.drawPolyline([QPointF(line.x1(), top), line.p1(), line.p2()])
    if node.branch:
        write(
            painter,
            line.x2() + 4,
            line.y2(),
            node.branch,
            face("body", 700 if strong else 0),
            "ink" if strong else "ink2",
        )


def fade_edges(painter: QPainter, room: QRectF, content: QRectF) -> None:
    """Fade the edges of the room where the content continues beyond it."""
    plane = theme.current().colour("plane")
    clear = QColor(plane)
    clear.setAlpha(0)
    left, right = QRectF(room), QRectF(room)
    left.setWidth(FADE)
    right.setLeft(room.right() - FADE)
    top, bottom = QRectF(room), QRectF(room)
    top.setHeight(FADE)
    bottom.setTop(room.bottom() - FADE)
    for beyond, edge, start, end in (
        (room.left() - content.left(), left, left.topLeft(), left.topRight()),
        (content.right() - room.right(), right, right.topRight(), right.topLeft()),
        (room.top() - content.top(), top, top.topLeft(), top.bottomLeft()),
        (content.bottom() - room.bottom(), bottom, bottom.bottomLeft(), bottom.topLeft()),
    ):
        if beyond > 1:
            shade = QLinearGradient(start, end)
            shade.setColorAt(0, plane)
            shade.setColorAt(1, clear)
            painter.fillRect(edge, shade)


def legend_size(tree: Tree) -> QSize:
    """The size of the legend; empty where the nodes have no boxes."""
    side, _ = box_size()
    words = sum(face("body").width(label_text(c)) + side + 24 for c in tree.classes)
    shown = any(node.boxes for node in tree.nodes) and tree.classes
    return QSize(int(words), int(side)) if shown else QSize()


def legend_spot(size: QSize, room: QRectF, taken: Sequence[QRectF]) -> QRectF:
    """The first corner of the room, from the bottom left, that overlaps none of the rectangles
    `taken`; empty where there is none.
    """
    right = room.right() - size.width() - 6
    low = room.bottom() - size.height() - 6
    for x, y in (
        (room.left() + 6, low),
        (right, low),
        (room.left() + 6, room.top()),
        (right, room.top()),
    ):
        spot = QRectF(x, y, size.width(), size.height())
        if not any(spot.adjusted(-4, -3, 4, 3).intersects(rect) for rect in taken):
            return spot
    return QRectF()


def paint_legend(painter: QPainter, spot: QRectF, classes: Sequence[Any]) -> None:
    """Paint a box and the name of each class side by side; nothing where the spot is empty."""
    if spot.isEmpty():
        return
    painter.fillRect(spot.adjusted(-4, -3, 0, 3), theme.current().colour("plane"))
    side, _ = box_size()
    x = spot.x()
    top = spot.y()
    for code, label in enumerate(classes):
        box = (
            QRectF(x, top + 2, side - 4, side - 4)
            if len(classes) <= 2
            else QRectF(x, top, side, side)
        )
        example_box(painter, box, "", code, len(classes))
        write(painter, x + side + 2, top + side / 2, label_text(label), face("body"), "ink2")
        x += side + 24 + face("body").width(label_text(label))


class Stamps:
    """A cache of pictures of nodes, keyed by everything that changes the look of a node."""

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
        """Like the function `paint_node`, on whole pixels. Nodes with boxes or under the pointer
        are not cached.
        """
        if at.boxes or is_lit(node.tag, lit):
            paint_node(painter, node, at, place, classes, on_path, lit)
            return
        ratio = painter.device().devicePixelRatio()
        body = at.text, at.body.getRect(), at.note, at.note_x, at.count
        look = (node.kind, node.role, on_path, *body, theme.current().key, ratio)
        if look not in self._pictures:
            if len(self._pictures) >= MOST_STAMPS:
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
