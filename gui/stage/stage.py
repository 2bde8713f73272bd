"""The stage of a lane: one or two views, which the scene names or a person chose."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSettings, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QRubberBand, QSizePolicy, QSplitter, QStackedLayout, QWidget

from engine.scene.figure_legend import figure_legend, figure_without
from engine.scene.legend import Mark
from engine.scene.scene import Bars, Matrix, Plot, Scene, Table, Tree
from engine.scene.views import CURVE, PLANE, View, heading, leads, name_in, views
from engine.sources.own_points import kind_of
from gui.base import remembered
from gui.base.guard import guarded, guarded_filter
from gui.figures.not_yet import NotYet
from gui.figures.wish import ANY, Wish, larger
from gui.frame.figure_panel import NOTHING, ExplainedRow, FigureStack
from gui.frame.switcher import Switcher
from gui.look import sizes, theme
from gui.look.style import describe
from gui.plane.plane import Plane
from gui.session.changes import Change, Changes
from gui.session.lane_view import LaneView
from gui.session.session import Session
from gui.stage.arrangement import (
    LEAST,
    Arrangement,
    Choice,
    StoredViews,
    arrange,
    lead_share,
    least_pair,
)
from gui.stage.heading import Heading
from gui.widgets.edge import STRIDE
from gui.widgets.layouts import column
from gui.widgets.sentence import label

ABSENT = "This step has no such picture."
HIDDEN = "This page of the lesson hides this picture."
EDGE = "Drag: one view larger, the other smaller. Double click: as large as the window suggests"
ARROWS = {
    Qt.Orientation.Horizontal: {Qt.Key.Key_Left: -STRIDE, Qt.Key.Key_Right: STRIDE},
    Qt.Orientation.Vertical: {Qt.Key.Key_Up: -STRIDE, Qt.Key.Key_Down: STRIDE},
}  # pixels


class Stage(QSplitter):
    """Shows up to two views and returns the figures of the scene that it does not show.

    The views stay from step to step. A step without one of them gives its place to the other until
    it is there again. The settings keep a person's choice of views by algorithm and data, and a
    dragged size by algorithm.

    arranged: the choice of views or the room for them changed; placed: the plane appeared or
    disappeared, or the wanted views need another width; row_chosen: a row of the examples, −1 for
    none
    """

    arranged = Signal()
    placed = Signal()
    row_chosen = Signal(int)

    def __init__(
        self,
        session: Session,
        lane: Callable[[], LaneView],
        plane: Plane,
        settings: QSettings,
    ) -> None:
        """lane: the lane that is shown"""
        super().__init__(Qt.Orientation.Horizontal)
        self.lane, self.plane, self.settings = lane, plane, settings
        self.switcher = Switcher()
        self.switcher.picked.connect(self.choose)
        self.switcher.carried.connect(self._carry)
        self.switcher.dropped.connect(self._drop)
        self.first, self.second = Pane(session, lane), Pane(session, lane, plane)
        self.setChildrenCollapsible(False)
        for pane in (self.first, self.second):
            self.addWidget(pane)
            pane.figures.row_chosen.connect(self.row_chosen)
            pane.figures.axis_chosen.connect(self.show_plane)
        for at in range(2):
            self.handle(at).installEventFilter(self)
            describe(self.handle(at), "Edge of two views", EDGE)
        self.splitterMoved.connect(self._on_drag)
        self.arrangement = Arrangement((PLANE,))
        self.known: dict[str, View] = {PLANE: None}  # all views of this method and data so far
        self.there: dict[str, View] = dict(self.known)  # the views of this step
        self._leading: tuple[str, ...] = (PLANE,)
        self._about: object = None
        self._choices = StoredViews(settings)
        self.choice = Choice()
        self._first_views: tuple[str, ...] = ()  # of an opening of a book, the latest last
        self.curve_leads = False  # the curve of the run is the picture of an opening
        self._wishes: dict[str, Wish] = {}  # largest of each view on the stage so far
        self._shared: object = None
        self._band: QRubberBand | None = None
        self._look: object = None
        self.hands = 0  # width in pixels of the hand tools, which are shown with the plane only
        # what the window knows: what is shown beside the figures, and the least width of the stage
        self._wants, self._got = (True, False), 0
        self.first.hide()

    @property
    def view(self) -> LaneView:
        return self.lane()

    # -- what is shown -----------------------------------------------------------------------------

    def recent(self) -> tuple[str, ...]:
        """The names of the wanted views: the chosen ones, the latest last, else the leading ones in
        reverse, so that the most telling is last. Without those that this step lacks.
        """
        chosen = tuple(name for name in self.choice.recent if name in self.there)
        leading = [name for name in self._leading if name in self.there]
        leading = leading or list(self.there)[:1] or list(self._leading)
        return chosen or tuple(reversed(leading))[-1 if self.curve_leads else 0 :]

    def show_scene(self, scene: Scene, explained: ExplainedRow = NOTHING) -> tuple[Any, ...]:
        """Show the chosen or leading views of a scene; returns the figures that have no place on
        the stage. explained: the row and path that “Why?” is about.
        """
        self._learn(scene)
        for _ in range(2):  # what the figures wish may change how they stand
            self._place(self._wanted())
            self._show_panes(scene, explained)
            for name, pane in self.panes():
                self._hear_wish(name, pane)
            if self._wanted() == self.arrangement:
                break
        self._share()
        missing = frozenset(self.known) - frozenset(self.there)
        self.switcher.show_views(tuple(self.known), self.arrangement.names, missing)
        self._ask_for_room()
        return tuple(
            f
            for name, f in self.there.items()
            if f is not None and name not in self.arrangement.names
        )

    def _show_panes(self, scene: Scene, explained: ExplainedRow) -> None:
        """Show each view in its pane, with its name where another stands beside it."""
        panes = self.panes()
        for name, pane in panes:
            view = self.there.get(name, ABSENT)
            pane.show_view(view, explained, self._title(scene, name, view), len(panes))
        self._align()

    def _title(self, scene: Scene, name: str, view: Any) -> str:
        """The heading of a view; "" for one alone that has nothing to say but its name, which is in
        the switcher, for a matrix, which has its name inside, and for a tree or table in a stack,
        which needs the height and says itself what it is. A plane onto which a person clicks points
        always has one: a heading that comes later would move it.
        """
        alone = len(self.arrangement.names) < 2
        if view is None:
            alone = alone and kind_of(self.view.data) is None
            return scene.plane if alone else heading(scene, view)
        stacked = self.arrangement.upright and isinstance(view, (Tree, Table))
        telling = stacked or isinstance(view, Matrix)
        if telling or (alone and (view is ABSENT or ":" not in view.title)):
            return ""
        return name if view is ABSENT else heading(scene, view)

    def _align(self) -> None:
        """Give the headings of two views side by side as many lines."""
        headings = [pane.heading for _, pane in self.panes()]
        beside = len(headings) == 2 and not self.arrangement.upright
        most = max((one.lines for one in headings), default=1) if beside else 1
        for one in headings:
            one.set_least(most)

    def _learn(self, scene: Scene) -> None:
        """Update the known and the leading views. More leading views replace the present ones; as
        many do where this step lacks one of the present ones; fewer never do.
        """
        view = self.view
        problem = self.view.problem
        planar = problem is None or bool(problem.plane)
        about = (view.lane.key, view.data.name, planar)
        if about != self._about:
            self._about = about
            self.known = {}
            self._leading = ()
            self._wishes.clear()
            self.choice = (
                Choice(self._first_views) if self._first_views else self._choices.of(about)
            )
            self.curve_leads = CURVE in self._first_views
            self._first_views = ()
        self.there = views(scene, problem) if problem is not None else {PLANE: None}
        self.known |= self.there
        lead = leads(scene, problem)[:2] or tuple(self.there)[:1]
        if PLANE in self.there and kind_of(self.view.data) is not None:
            # a second view would narrow the plane while a person clicks points onto it
            lead = (PLANE,)
        if len(lead) > len(self._leading) or (
            len(lead) == len(self._leading) and not set(self._leading) <= set(self.there)
        ):
            self._leading = lead

    def panes(self) -> list[tuple[str, "Pane"]]:
        """(name, pane) of the shown views, in their order. The plane is always in the second pane,
        even where a person put it to the left.
        """
        names = self.arrangement.names
        if PLANE in names:
            return [(name, self.second if name == PLANE else self.first) for name in names]
        return list(zip(names, (self.first, self.second), strict=False))

    def _place(self, to: Arrangement) -> None:
        if to == self.arrangement:
            return
        self.arrangement = to
        self._shared = None
        panes = [pane for _, pane in self.panes()]
        ahead = panes[0] if len(panes) == 2 else self.first
        if self.indexOf(ahead) != 0:
            self.insertWidget(0, ahead)
        self.setOrientation(Qt.Orientation.Vertical if to.upright else Qt.Orientation.Horizontal)
        for pane in (self.first, self.second):
            pane.setMinimumWidth(LEAST[0] if len(panes) == 2 and not to.upright else 0)
            pane.setVisible(pane in panes)

    @property
    def plane_shown(self) -> bool:
        """Whether the plane is shown, which the hand tools can work on."""
        return PLANE in self.arrangement.names

    # -- what a person wants -----------------------------------------------------------------------

    def choose(self, name: str, beside: bool = False, side: int | None = None) -> None:
        """Show a view in place of the one chosen longer ago; a view that already shares the stage
        gets it alone.

        beside: show it in addition to the latest one; side: the half to show it in, 0 for the left
        or upper one
        """
        if name not in self.known:
            return
        shown = self.arrangement.names
        before = self.recent()
        others = tuple(other for other in before if other != name)
        sides: Mapping[str, int] = {}
        if name in shown and side is None:
            if len(shown) == 1 or beside:
                return
            recent: tuple[str, ...] = (name,)
        else:
            kept = others[-1:] if beside or side is not None or len(before) > 1 else ()
            recent = (*kept, name)
            sides = {} if side is None else {name: side, **dict.fromkeys(kept, 1 - side)}
        self.choice = Choice(recent, sides)
        self._choices.put(self._about, self.choice)
        self.arranged.emit()

    def lead_with(self, names: Sequence[str]) -> None:
        """Show these views of the present run first, the first name in the first place.

        Unlike a choice by hand it is not kept for the method. CURVE among them gives the timeline
        most of the room, and what is left goes to the other names or to the best of the views.
        """
        self._first_views = tuple(reversed(names))
        self._about = None
        self.arranged.emit()

    def fit_figures(self) -> None:
        """Reset the zoom of the shown figures."""
        for _, pane in self.panes():
            pane.figures.fit()

    def show_plane(self) -> None:
        """Show the plane too, unless it is shown already."""
        if not self.plane_shown:
            self.choose(PLANE, beside=True)

    def choose_nth(self, number: int) -> None:
        """Choose the view with this number, counted from 1."""
        if 0 < number <= len(self.known):
            self.choose(tuple(self.known)[number - 1])

    def add(self, figure: Any) -> None:
        """Show this figure of the scene in addition to the latest view."""
        name = next((name for name, view in self.there.items() if view is figure), "")
        self.choose(name, beside=True)

    def _carry(self, name: str, place: QPoint) -> None:
        """Frame the half of the stage over which the name of a view is dragged."""
        if self._band is None:
            self._band = QRubberBand(QRubberBand.Shape.Rectangle, self.window())
        half = self._half(name, place)
        self._band.setVisible(half is not None)
        if half is not None:
            self._band.setGeometry(
                QRect(self.mapTo(self.window(), half[1].topLeft()), half[1].size())
            )

    def _drop(self, name: str, place: QPoint) -> None:
        if self._band is not None:
            self._band.hide()
        if (half := self._half(name, place)) is not None:
            self.choose(name, side=half[0])

    def _half(self, name: str, place: QPoint) -> tuple[int, QRect] | None:
        """(side, rectangle in pixels) of the half under a place on the screen, as the stage would
        be divided with the view `name`; None outside the stage.
        """
        at = self.mapFromGlobal(place)
        wide = self.width()
        high = self.height()
        if not self.rect().contains(at):
            return None
        pair = (*[other for other in self.recent() if other != name][-1:], name)
        if arrange(pair, self.known, (wide, high), wishes=self._wishes).upright:
            side = int(at.y() > high / 2)
            return side, QRect(0, side * high // 2, wide, high // 2)
        side = int(at.x() > wide / 2)
        return side, QRect(side * wide // 2, 0, wide // 2, high)

    # -- sizes -------------------------------------------------------------------------------------

    def _wanted(self, wide: int = 0) -> Arrangement:
        """The arrangement of the wanted views on a stage `wide` pixels wide; 0: its own width.

        The hand tools come and go with the plane and change the width of the stage. The rule
        counts their width, else the arrangement would flip back and forth.
        """
        recent = self.recent()
        wide = wide or self.width() + self.hands * (self.plane_shown - (PLANE in recent[-2:]))
        size = wide, self.height()
        return arrange(recent, self.known, size, self.choice.sides, self._wishes)

    def least_width(self) -> int:
        """The least width in pixels for the wanted views; it includes the hand tools where they are
        still to appear with the plane.
        """
        wanted = self._wanted(sizes.STAGE_TWO)
        if len(wanted.names) < 2 or wanted.upright:
            return sizes.STAGE
        recent = self.recent()[-1:-3:-1]  # the lead first
        views = (self.known[recent[0]], self.known[recent[1]])
        pair = least_pair(views, [self._wishes.get(name, ANY) for name in recent])
        return pair + self.hands * (PLANE in wanted.names and not self.plane_shown)

    def grant(self, hands: int) -> int:
        """Take the width of the hand tools, in pixels, while the window is laid out; returns the
        least width of the stage, in pixels.
        """
        self.hands = hands
        self._got = self.least_width()
        return self._got

    def _ask_for_room(self) -> None:
        wants = self.plane_shown, self.curve_leads
        if (*wants, self.least_width()) != (*self._wants, self._got):
            self._wants = wants
            self.placed.emit()

    def _key(self) -> str:
        return f"stage/{self.view.lane.key}-{'upright' if self.arrangement.upright else 'across'}"

    def _share(self) -> None:
        """Divide the stage by the stored share of a drag, else by the rules of `arrangement`."""
        panes = self.panes()
        if len(panes) < 2:
            return
        upright = self.arrangement.upright
        share = remembered.share(self.settings, self._key())
        whole = self.height() if upright else self.width()
        if share is None:
            share = self._by_wishes(whole)
        if (whole, share) != self._shared:
            self._shared = (whole, share)
            self.setSizes([round(share * whole), whole - round(share * whole)])

    def _hear_wish(self, name: str, pane: "Pane") -> None:
        """Keep what a view wishes. No wish shrinks from step to step, so that they move little."""
        if self.there.get(name) is not None:
            wish = pane.wish()
            self._wishes[name] = larger(self._wishes.get(name, wish), wish)

    def _by_wishes(self, whole: int) -> float:
        """The first view's share of `whole` pixels. Beside the plane only the rule counts, so that
        steps do not move it.
        """
        if self.plane_shown:
            return self.arrangement.share
        names = self.arrangement.names
        lead = names.index(self.recent()[-1])
        first, other = (self._wishes.get(name, ANY) for name in (names[lead], names[1 - lead]))
        share = lead_share(first, other, whole, int(self.arrangement.upright))
        return share if lead == 0 else 1 - share

    def edge(self) -> QWidget | None:
        """The handle between the two views; None where there is one view or the stage is hidden."""
        return self.handle(1) if len(self.panes()) == 2 and self.isVisible() else None

    def _move_edge(self, by: int) -> None:
        first, second = self.sizes()
        self.setSizes([first + by, second - by])
        self._on_drag()

    def _on_drag(self) -> None:
        sizes = self.sizes()
        if sum(sizes) and len(self.panes()) == 2:
            share = round(sizes[0] / sum(sizes), 3)
            self.settings.setValue(self._key(), share)
            self._shared = (self.height() if self.arrangement.upright else self.width(), share)

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A double click on the edge forgets the dragged size; the arrow keys move the edge."""
        pressed = (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and watched is self.handle(1)
        )
        if pressed and (by := ARROWS[self.orientation()].get(Qt.Key(event.key()), 0)):  # type: ignore[attr-defined]
            self._move_edge(by)
            return True
        if event.type() == QEvent.Type.MouseButtonDblClick and watched is not self:
            self.settings.remove(self._key())
            self._shared = None
            self._share()
            return True
        return super().eventFilter(watched, event)

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(LEAST[0], LEAST[1])

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._align()
        if self.known and self._wanted() != self.arrangement:
            self.arranged.emit()
        self._share()
        self._ask_for_room()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Measure the rows of tables again with another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self._look != theme.current().key:
            self._look = theme.current().key
            self._shared = None
            self._wishes.clear()
            self.arranged.emit()


class Pane(QWidget):
    """Holds one view: a figure of any kind, the plane, or a sentence where the view is absent."""

    def __init__(
        self, session: Session, lane: Callable[[], LaneView], plane: Plane | None = None
    ) -> None:
        super().__init__()
        self.lane, self.plane = lane, plane
        self.heading = Heading(self)
        self.heading.toggled.connect(lambda words, on: self.lane().marks.show(words, on))
        self.heading.folded.connect(self._fold)
        self.figures = FigureStack(session, lane, large=True, roomy=True)
        self.absent = label(ABSENT, "caption")
        self.absent.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.stack = QStackedLayout()
        # first the layout: a stack without a parent shows its widgets as windows of their own
        self.setLayout(column(self.heading, (self.stack, 1)))
        self.stack.addWidget(self.figures)
        self.stack.addWidget(self.absent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        if plane is not None:
            self.stack.setCurrentIndex(self.stack.addWidget(plane))
        self.not_yet = NotYet(self, session, lane)
        self._shown: tuple[Any, ExplainedRow, str, int] = (ABSENT, NOTHING, "", 1)
        session.changed.connect(self._on_changed)

    def _on_changed(self, changes: Changes) -> None:
        if changes.of(self.lane()) & Change.MARKS and self.isVisible():
            self.show_view(*self._shown)

    def show_view(
        self, view: Any, explained: ExplainedRow, title: str = "", panes: int = 1
    ) -> None:
        """Show a figure, the plane (None) or the sentence for an absent view (ABSENT).

        title: its name above it; "" where it stands alone; panes: how many views the stage shows
        """
        self._shown = view, explained, title, panes
        hidden = self.lane().marks.hidden
        self._name(view, title, panes, hidden)
        if view is None and self.plane is not None:
            self.stack.setCurrentWidget(self.plane)
        elif view is ABSENT:
            self.absent.setText(HIDDEN if "figures" in self.lane().hidden else ABSENT)
            self.stack.setCurrentWidget(self.absent)
        else:
            self.stack.setCurrentWidget(self.figures)
            self.figures.show_figure(figure_without(view, hidden), explained)

    def _name(self, view: Any, title: str, panes: int, hidden: frozenset[str]) -> None:
        """Show the heading: the name, and the legend of a figure.

        The left dock explains the plane; where the projector hides the dock, the heading does.
        """
        marks: tuple[Mark, ...] = ()
        capable = isinstance(view, (Plot, Bars))
        if capable:
            marks = figure_legend(view)
        elif view is None and theme.current().stroke > 1:
            marks = self.lane().marks.legend()
            capable = True
        lane = self.lane()
        kind = lane.lane.key, lane.data.name, type(view), panes
        named = "" if view is None else name_in(title)  # that of a plane says the step
        about = *kind, named, lane.hidden, capable
        self.heading.show_view(title, marks, hidden, about, capable, kind)

    def _fold(self) -> None:
        """Hide the legend, or bring it back."""
        self.heading.legend_shown = not self.heading.legend_shown
        self.show_view(*self._shown)

    def wish(self) -> Wish:
        """The sizes of the present figure with its heading."""
        wish = self.figures.wish()
        above = 0 if self.heading.isHidden() else self.heading.height()
        (wide, high), (narrow, low) = wish.enough, wish.least
        return Wish((wide, high + above), (narrow, low + above))

    def widget(self) -> QWidget | None:
        """The widget that is shown now."""
        current = self.stack.currentWidget()
        return self.figures.stack.currentWidget() if current is self.figures else current
