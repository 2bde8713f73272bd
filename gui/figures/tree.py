"""The figure of a tree. It shows the whole tree while that is legible, else a part around the node
at work or an outline. It can be dragged and zoomed; it also gives the tree as plain text.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from math import ceil, inf

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.base.notation import counted
from engine.scene.scene import Role, Tree, TreeNode
from engine.scene.tree_layout import depths, preorder
from gui.base import plain_text as plain
from gui.base.guard import guarded
from gui.figures import shows
from gui.figures.row_names import NUMBERED, RowNames
from gui.figures.tree_arrangement import (
    LEAST_LINK,
    MANY,
    NARROW,
    ROOMS,
    Laid,
    Sized,
    arrangements,
    fold,
    following,
    holds,
    least_scale,
    to_fold,
    way_to,
)
from gui.figures.tree_look import (
    COMPACT,
    COUNTED,
    FOCUSED,
    LINES,
    Measured,
    Stamps,
    fade_edges,
    legend_size,
    legend_spot,
    measure,
    paint_legend,
    paint_more,
    paint_node,
    scale,
)
from gui.figures.tree_outline import LEAST_BODY, NARROW_ROOM, Outline, outline
from gui.figures.tree_overview import FEW, LEAST_ROOM, Overview, spot
from gui.figures.wish import Wish
from gui.look import theme

MARGIN, MOST_SCALE, FAR = 5.0, 3.0, 0.15

MOVE = "The whole tree. Click: move there. Double click beside it: back"
OPEN, CLOSE = "Click: more of this tree", "Click: all trees alike again"


@shows(Tree)
class TreeFigure(QWidget):
    """Shows a `Tree`.

    hovered: tag of the node under the pointer, '' when it leaves; node_hovered, node_clicked: index
    of the node; menu_wanted: a context menu was requested on a node, with the column of its test
    and a place on the screen

    laid: where the nodes stand, before `scale` and `origin`; None before there was a tree
    """

    hovered = Signal(str)
    node_hovered = Signal(int)
    node_clicked = Signal(int)
    menu_wanted = Signal(str, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        # spares Qt painting the background below
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.tree = Tree("", ())
        self.names = NUMBERED
        self.nodes: list[TreeNode] = []
        self.way: tuple[int, ...] = ()
        self.path: frozenset[int] = frozenset()
        self.lit: frozenset[str] = frozenset()
        self.scale = 1.0
        self.origin = QPointF()  # place of the first root in the widget
        self.by_hand = self.rapid = False  # rapid: fast playback
        # what a person opened: the root of one of several trees, or a folded node; −1: none
        self.opened = -1
        self.legend = True  # show the legend: nothing else explains the boxes
        self.laid: Laid | None = None
        self.overview: Overview | None = None  # of a tree that has no room
        self.roomy = False
        self._overviewed = False  # the pointer moves the view by the overview
        self._whole: Laid | None = None  # the layout of the whole tree; None: it must be folded
        self._theme = "", 0
        self._about: tuple[object, ...] = ()  # what the last layout depended on
        self._on_path: frozenset[int] = frozenset()
        self._stamps = Stamps()
        self._grabbed: QPointF | None = None
        self._moved = False
        self._under = -1

    # -- in ----------------------------------------------------------------------------------------

    def set_roomy(self, roomy: bool) -> None:
        """Set whether the figure is on the stage, where a tree without room has an overview."""
        if roomy != self.roomy:
            self.roomy = roomy
            self._refresh()

    def set_names(self, names: RowNames) -> None:
        """Set the names of the examples, for the trees that follow."""
        self.names = names

    def set_figure(self, tree: Tree, way: Iterable[int] = ()) -> None:
        """Show a tree. The view follows the node at work; size and place chosen by hand stay while
        that node is in sight.

        way: nodes on the path of a query from the root on, drawn strong; its end is kept in sight
        when no node is at work
        """
        before = (self._at_work(), self._focus(), self.way)
        nodes = self.nodes
        laid_out = self._about
        self.tree = tree
        self.nodes = list(tree.nodes)
        self.way = tuple(way)
        self.path = frozenset(self.way)
        self.opened = self.opened if nodes == self.nodes else -1
        look = self.names, self.legend, self.rapid, self.size(), theme.current().key
        self._about = (self.nodes, tree.title, tree.classes, *look)
        if self._about != laid_out:  # most details do not change the tree
            self._refresh()
        elif self.way != before[2]:
            self._find_path()
            if not self.by_hand and self._focus() != before[1]:
                self._place()
            self.update()
        if self.by_hand and (
            self._at_work() not in (before[0], -1) or not (self._in_sight() or nodes == self.nodes)
        ):
            self._bring(max(self._focus(), 0))

    def _at_work(self) -> int:
        """The node that the step is about; −1 for none."""
        return next((k for k, node in enumerate(self.nodes) if node.role is Role.ACTIVE), -1)

    def _focus(self) -> int:
        """The node to keep in sight: the one at work, else what a person opened, else the end of
        the query's path. Of several trees, where there is a path in each, only what was opened. −1
        for none.
        """
        if self._at_work() < 0 and (self.opened >= 0 or self._parents().count(-1) > 1):
            return self.opened
        ends = [k for k in self.way if k < len(self.nodes)]
        return self._at_work() if self._at_work() >= 0 or not ends else ends[-1]

    def _bring(self, node: int) -> None:
        """Move the tree just far enough to show this node."""
        if self.laid is None or not self.nodes:
            return
        rect = self.laid.rect(node)
        room = self._room()
        spot = QRectF(self.origin + rect.topLeft() * self.scale, rect.size() * self.scale)
        dx = max(0.0, room.left() - spot.left()) or min(0.0, room.right() - spot.right())
        dy = max(0.0, room.top() - spot.top()) or min(0.0, room.bottom() - spot.bottom())
        self.origin += QPointF(round(dx), round(dy))

    def _in_sight(self) -> bool:
        """Whether any node is in sight."""
        laid = self.laid
        visible = self.visible()
        return laid is not None and any(laid.body(k).intersects(visible) for k in laid.drawn)

    def visible(self) -> QRectF:
        """The visible part of the drawing, in its coordinates."""
        return QRectF(-self.origin / self.scale, self.size() / self.scale)

    def set_lit(self, tags: frozenset[str]) -> None:
        if tags != self.lit:
            self.lit = tags
            self.update()

    def fit(self) -> None:
        """Return to the automatic view, with no tree opened."""
        self.by_hand = False
        self.opened = -1
        self._refresh()

    # -- out ---------------------------------------------------------------------------------------

    def as_text(self) -> str:
        return tree_text(self.nodes, self.names)

    def node_at(self, at: QPointF) -> int:
        """Index of the node at a place of the widget, −1 for none."""
        if self.laid is None:
            return -1
        spot = (at - self.origin) / self.scale
        rects = ((k, self.laid.rect(k)) for k in self.laid.drawn)
        return next((k for k, rect in rects if rect.contains(spot)), -1)

    def wish(self) -> Wish:
        """The whole tree with the counts at its nodes; any room for a tree that must be folded."""
        least = self.minimumSizeHint().toTuple()
        if not self.nodes or len(self.nodes) > MANY or self._parents().count(-1) > 1:
            return Wish(least=least)
        factor = theme.current().line_height("body") / 18
        across, _ = self._sized(FOCUSED).least(LEAST_LINK * factor, NARROW)
        # counts stand beside the nodes where that is not too wide, else below them
        beside = across + 2 * MARGIN <= self.width()
        wide, high = self._sized(COMPACT if beside else COUNTED).least(LEAST_LINK * factor, NARROW)
        wide = across if beside else wide
        around = 2 * MARGIN + 2  # two pixels for the edge of the view and for rounding
        small = ceil(high * least_scale(COUNTED) + around)
        return Wish((ceil(wide + around), ceil(high + around)), (least[0], small))

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(520, 250)

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(160, 110)

    # -- layout ------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        """Lay the tree out for the current size and theme."""
        self._theme = theme.current().key
        self._find_path()
        self.setAccessibleName(f"{self.tree.title}, {counted(len(self.nodes), 'node')}")
        if self.by_hand and self.laid is not None:
            self.laid = self.laid.whole(self._sized(self.laid.detail))
        else:
            self._whole = None if self.narrow else self._best()
            self._place()
        self.update()

    def _sized(self, detail: int, widest: float = inf, drawn: Sequence[int] | None = None) -> Sized:
        return Sized(self.nodes, len(self.tree.classes), detail, self.names, widest, drawn)

    def _line(self, node: int, widest: float) -> Measured:
        """The measures of a node in an outline."""
        return measure(self.nodes[node], LINES, len(self.tree.classes), self.names, widest)

    @property
    def narrow(self) -> bool:
        """Whether the room is too narrow for branches side by side."""
        return self.width() < NARROW_ROOM * scale()

    def _all_room(self) -> QRectF:
        return QRectF(self.rect()).adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)

    def _room(self) -> QRectF:
        """The room for the tree, above its overview where there is one."""
        room = self._all_room()
        return room if self.overview is None else room.adjusted(0, 0, 0, -spot(room).height())

    def overview_spot(self) -> QRectF:
        """The rectangle of the overview; empty where there is none."""
        return QRectF() if self.overview is None else spot(self._all_room())

    def _find_overview(self, laid: Laid) -> bool:
        """Make the overview of a tree of which `laid` leaves out a part; whether it is new."""
        room = self._all_room()
        large = min(room.width(), room.height()) >= LEAST_ROOM * scale()
        before = self.overview
        self.overview = None
        parents = self._parents()
        single = len(parents) > FEW and parents.count(-1) == 1
        if self.roomy and large and single and self._lacks(laid):
            same = before is not None and before.parents == tuple(parents)
            self.overview = before if same else Overview(parents)
        return (self.overview is None) != (before is None)

    def _lacks(self, laid: Laid) -> bool:
        """Whether a layout leaves nodes out, or has no room for all of them."""
        if len(laid.drawn) < len(self.nodes):
            return True
        size = laid.bounds.size() * least_scale(laid.detail)
        return not holds(self._all_room().size(), QRectF(QPointF(), size))

    def _best(self) -> Laid | None:
        """The layout with the most detail that fits, else the last one to try. None where the tree
        is far too large and must be folded: its layout would take long.
        """
        factor = theme.current().line_height("body") / 18
        room = self._room()
        *wished, last = arrangements(
            len(self.nodes), any(n.role is Role.ACTIVE for n in self.nodes)
        )
        sized = {detail: self._sized(detail) for detail in {detail for detail, _, _ in wished}}
        for detail, link, gap in wished:
            wide, tall = sized[detail].least(link * factor, gap)
            scale = least_scale(detail, link)
            # several trees wrap into the next row
            wide = 0.0 if sized[detail].parents.count(-1) > 1 else wide
            if wide * scale > room.width() or tall * scale > room.height():
                # most do not fit: skip the costly layout
                continue
            laid = Laid(sized[detail], link * factor, gap, room.width() / scale)
            if self._fitting(laid) >= scale:
                return laid
        detail, link, gap = last
        whole = self._sized(detail)
        far_too_large = (
            whole.least(link * factor, gap)[0] * least_scale(detail) > ROOMS * room.width()
        )
        return None if far_too_large else Laid(whole, link * factor, gap)

    def _fitting(self, laid: Laid) -> float:
        """The scale, at most 1, at which a layout and the legend fit."""
        room = self._room()
        wide, tall = max(laid.bounds.width(), 1.0), max(laid.bounds.height(), 1.0)
        if laid.bounds.isNull():
            return 1.0
        legend = self._legend()
        fit = min(1.0, room.width() / wide, room.height() / tall)
        if not legend.isEmpty() and fit == 1.0 and self._covers_legend(laid, legend):
            fit = min(fit, (room.height() - legend.height() - 6) / tall)
        return fit

    def _covers_legend(self, laid: Laid, legend: QSize) -> bool:
        """Whether a centred tree would cover the legend."""
        room = self._room()
        shift = QPointF(room.center().x() - laid.bounds.center().x(), room.top())
        spot = QRectF(room.left(), room.bottom() - legend.height(), legend.width(), legend.height())
        return any(laid.rect(k).translated(shift).intersects(spot) for k in laid.drawn)

    def _drawn(self) -> Laid:
        """The layout to draw: the whole tree where it fits or can be followed, else a part that
        fits. An outline holds more than a tree where the room is narrow, or higher than wide.
        """
        whole = self._whole
        focus = self._focus()
        opened = focus >= 0 and focus == self.opened
        room = self._room().size()
        if not self.nodes:
            return Laid(self._sized(COMPACT), 0.0, 0.0)
        if whole is not None:
            most = room / least_scale(whole.detail)
            if holds(most, whole.bounds):
                return whole
        if self.narrow or room.height() > room.width():
            sized_lines = partial(self._sized, LINES, inf)
            return outline(self.nodes, sized_lines, focus, room, self._line, opened)
        parents = self._parents()
        if (
            whole is not None
            and parents.count(-1) == 1
            and not opened
            and not to_fold(whole, parents, focus, most)
        ):
            return whole
        room /= least_scale(COMPACT)
        notes = self._at_work() >= 0 and len(self.nodes) <= MANY
        widest = max(room.width(), LEAST_BODY)
        sized = self._sized(FOCUSED if notes else COMPACT, widest)
        if notes and max(m.left + m.right for m in sized.measured) > room.width():
            sized = self._sized(COMPACT, widest)  # cut notes are useless
        return fold(sized, focus, room, opened)

    def _place(self) -> None:
        """Choose layout, scale and position: centred where the tree fits, else legible with the
        node to keep in sight.
        """
        self.overview = None
        laid = self._drawn()
        if self._find_overview(laid):
            laid = self._drawn()
        room = self._room()
        self.laid = laid
        if laid.bounds.isNull():
            return
        if isinstance(laid, Outline):
            self.scale = 1.0
            self.origin = room.topLeft()
            return
        fitting = self._fitting(laid)
        self.scale = max(least_scale(laid.detail), fitting)
        bounds = QRectF(laid.bounds.topLeft() * self.scale, laid.bounds.size() * self.scale)
        x = room.center().x() - bounds.center().x()
        y = (
            room.top()
            + (max(0.0, room.height() - bounds.height()) / 2 if bounds.height() < 60 else 0.0)
            - bounds.top()
        )
        if not holds(room.size(), bounds):
            x, y = following(laid, self._parents(), max(self._focus(), 0), room, self.scale)
        self.origin = QPointF(round(x), round(y))

    def _parents(self) -> list[int]:
        return [node.parent for node in self.nodes]

    def _find_path(self) -> None:
        """Find the nodes with a strong edge from the parent: on the path of the query, or on the
        way to the node at work.
        """
        parents = self._parents()
        strong = {k for k in self.path if k < len(self.nodes)}
        strong |= {k for k, node in enumerate(self.nodes) if node.role is Role.NEAREST}
        for k, node in enumerate(self.nodes):
            if node.role is Role.ACTIVE:
                strong.update(way_to(parents, k))
        self._on_path = frozenset(strong)

    # -- painting ----------------------------------------------------------------------------------

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            look = theme.current()
            painter.fillRect(self.rect(), look.colour("plane"))
            laid = self.laid
            if laid is None:
                return
            painter.save()
            painter.translate(self.origin)
            painter.scale(self.scale, self.scale)
            visible = self.visible()
            below = (k for at, k in enumerate(laid.drawn) if laid.parents[at] >= 0)
            below_first = sorted(below, key=self._on_path.__contains__)  # strong edges on top
            for paint_part in (laid.paint_edge, laid.paint_branch):
                for k in below_first:
                    paint_part(painter, self.nodes[k], k, k in self._on_path, visible)
            paint = self._stamps.paint_node if self.rapid and self.scale == 1 else paint_node
            for at, k in enumerate(laid.drawn):
                if laid.rect(k).intersects(visible):
                    node = self.nodes[k]
                    on_path = k in self.path
                    paint(
                        painter,
                        node,
                        laid.measured[at],
                        laid.places[at],
                        len(self.tree.classes),
                        on_path,
                        self.lit,
                    )
            for place, words in laid.left_out():
                paint_more(painter, place, words)
            painter.restore()
            bounds = QRectF(
                laid.bounds.topLeft() * self.scale + self.origin, laid.bounds.size() * self.scale
            )
            fade_edges(painter, QRectF(self.rect()), bounds)
            paint_legend(painter, self.legend_spot(), self.tree.classes)
            if self.overview is not None:
                self._paint_overview(painter, self.overview, laid)

    def _paint_overview(self, painter: QPainter, overview: Overview, laid: Laid) -> None:
        if len(overview.places) != len(self.nodes):
            return
        visible = self.visible()
        seen = {k for k in laid.drawn if laid.body(k).intersects(visible)}
        current = [k for k, node in enumerate(self.nodes) if node.role is Role.ACTIVE]
        overview.paint(painter, self.overview_spot(), seen, current)

    def _legend(self) -> QSize:
        return legend_size(self.tree) if self.legend else QSize()

    def legend_spot(self) -> QRectF:
        """A rectangle for the legend that covers no node; empty where there is
        none, or no legend.
        """
        laid = self.laid
        size = self._legend()
        if size.isEmpty() or laid is None or laid.detail >= COUNTED:
            return QRectF()
        rects = [laid.rect(k) for k in laid.drawn]
        taken = [
            QRectF(self.origin + r.topLeft() * self.scale, r.size() * self.scale) for r in rects
        ]
        return legend_spot(size, self._room(), taken)

    # -- mouse and keys ----------------------------------------------------------------------------

    def zoom(self, factor: float, at: QPointF) -> None:
        """Scale by `factor` around a place of the widget."""
        self._take_in_hand(at)
        scale = min(MOST_SCALE, max(FAR, self.scale * factor))
        self.origin = at + (self.origin - at) * (scale / self.scale)
        self.scale = scale
        self.update()

    def pan(self, by: QPointF) -> None:
        """Move the tree by so many pixels."""
        self._take_in_hand(
            self._grabbed if self._grabbed is not None else QPointF(self.rect().center())
        )
        self.origin += by
        self.update()

    def _take_in_hand(self, at: QPointF) -> None:
        """Start a view chosen by hand. A folded tree unfolds; the node nearest to `at` keeps its
        place.
        """
        self.by_hand, laid = True, self.laid
        if laid is None or len(laid.drawn) == len(self.nodes):
            return
        spot = (at - self.origin) / self.scale
        node = min(laid.drawn, key=lambda k: (laid.body(k).center() - spot).manhattanLength())
        self.laid = laid.whole(self._sized(laid.detail))
        self.origin += (laid.body(node).center() - self.laid.body(node).center()) * self.scale

    @guarded
    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom(1.2 ** (event.angleDelta().y() / 120), event.position())
        event.accept()

    def show_node(self, node: int) -> None:
        """Move the whole tree so that this node stands in the middle of the room."""
        self._take_in_hand(QPointF(self.rect().center()))
        if self.laid is None:
            return
        self.scale = max(self.scale, least_scale(self.laid.detail))
        self.origin = self._room().center() - self.laid.body(node).center() * self.scale
        self.update()

    def _move_to(self, at: QPointF) -> None:
        """Show the node that stands at a place of the overview."""
        if self.overview is not None and len(self.overview.places) == len(self.nodes):
            self.show_node(self.overview.node_at(at, self.overview_spot()))

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.overview_spot().contains(event.position()):
            self._overviewed = True
            self._move_to(event.position())
            return
        self._grabbed = event.position()
        self._moved = False

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._overviewed:
            self._move_to(at)
            return
        if self.overview_spot().contains(at):
            self._point_at(-1)
            self.setToolTip(plain.tip(MOVE))
            return
        if self._grabbed is not None and event.buttons() & Qt.MouseButton.LeftButton:
            if self._moved or (at - self._grabbed).manhattanLength() > 4:
                self._moved = True
                self.setCursor(Qt.CursorShape.ClosedHandCursor)
                self.pan(at - self._grabbed)
                self._grabbed = at
            return
        self._point_at(self.node_at(at))

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.unsetCursor()
        self._overviewed = False
        if self._grabbed is not None and not self._moved and self.node_at(event.position()) >= 0:
            self.node_clicked.emit(self.node_at(event.position()))
            self._open(self.node_at(event.position()))
        self._grabbed = None

    def _open(self, node: int) -> None:
        """Show more below a node where some is folded; of several trees, show more of the one with
        this node. Show all alike where it was open.
        """
        parents = self._parents()
        several = parents.count(-1) > 1
        wanted = way_to(parents, node)[0] if several else node
        if several or node == self.opened or self._folded(node):
            self.opened = -1 if wanted == self.opened else wanted
            self._refresh()

    def _folded(self, node: int) -> int:
        """How many nodes below a node this figure could show and does not."""
        if self.laid is None or self.nodes[node].below or node not in self.laid.more:
            return 0
        return self.laid.more[node]

    @guarded
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Request the menu of the node under the pointer; from the keyboard, of the node to keep in
        sight, or the first.
        """
        by_hand = event.reason() == QContextMenuEvent.Reason.Mouse
        node = (
            self.node_at(QPointF(event.pos()))
            if by_hand
            else max(self._focus(), 0)
            if self.nodes
            else -1
        )
        if (
            node >= 0
            and self.nodes[node].column
            and self.laid is not None
            and self.laid.at(node) >= 0
        ):
            at = (self.origin + self.laid.body(node).bottomLeft() * self.scale).toPoint()
            self.menu_wanted.emit(
                self.nodes[node].column, event.globalPos() if by_hand else self.mapToGlobal(at)
            )

    @guarded
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if not self.overview_spot().contains(event.position()):
            self.fit()

    @guarded
    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(-1)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = Qt.Key
        centre = QPointF(self.width() / 2, self.height() / 2)
        across: dict[int, tuple[int, int]] = {keys.Key_Left: (40, 0), keys.Key_Right: (-40, 0)}
        steps = across | {keys.Key_Up: (0, 40), keys.Key_Down: (0, -40)}
        if event.key() in (keys.Key_Plus, keys.Key_Minus):
            self.zoom(1.2 if event.key() == keys.Key_Plus else 1 / 1.2, centre)
        elif event.key() == keys.Key_F:
            self.fit()
        elif event.key() in steps and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.pan(QPointF(*steps[event.key()]))
        else:
            super().keyPressEvent(event)

    def _point_at(self, k: int) -> None:
        """Update the tool tip and emit the signals for the node under the pointer; −1 for none."""
        if k == self._under:
            return
        before = self.nodes[self._under].tag if 0 <= self._under < len(self.nodes) else ""
        self._under = k
        tag = self.nodes[k].tag if k >= 0 else ""
        cut = k >= 0 and self.laid is not None and self.laid.text(k) != self.nodes[k].text
        words = node_text(self.nodes[k], self.names, cut) if k >= 0 else ""
        if k >= 0:
            words = "\n".join(filter(None, (words, self._click_words(k))))
        self.setToolTip(plain.tip(words))
        self.node_hovered.emit(k)
        if tag != before:
            self.hovered.emit(tag)

    def _click_words(self, node: int) -> str:
        """What a click on a node would do, for its tip; "" for nothing here."""
        if self._parents().count(-1) > 1:
            return CLOSE if self.opened in way_to(self._parents(), node) else OPEN
        if folded := self._folded(node):
            return f"{counted(folded, 'node')} below folded. Click: show more of them"
        return "Click: fold as before" if node == self.opened else ""

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._refresh()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if (
            event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange)
            and self._theme != theme.current().key
        ):
            self._refresh()


LISTED = 60  # most examples in a tool tip


def tree_text(nodes: Sequence[TreeNode], names: RowNames) -> str:
    """One line per node, indented by depth: branch, text, note, examples."""
    lines = []
    parents = [node.parent for node in nodes]
    depth_of = depths(parents)
    for k in preorder(parents):
        node = nodes[k]
        depth = depth_of[k]
        branch = f"{node.branch}: " if node.branch else ""
        rows = " ".join(names.title(index + 1) for index, _ in node.boxes)
        parts = [
            node.text or "?",
            f"({node.note})" if node.note else "",
            f"[{rows}]" if rows else "",
            "← now" if node.role is Role.ACTIVE else "",
        ]
        lines.append("  " * depth + branch + " ".join(p for p in parts if p))
    return "\n".join(lines)


def node_text(node: TreeNode, names: RowNames, cut: bool) -> str:
    """The tool tip of a node: note, examples, and its text where the picture cuts it."""
    rows = ", ".join(names.title(index + 1) for index, _ in node.boxes[:LISTED])
    hint = "Right click: put its column on an axis" if node.column else ""
    parts = (node.text if cut else "", node.note, rows and f"rows {rows}", hint)
    return "\n".join(part for part in parts if part)
