"""The middle of the window: one or two views of the shown lane, those that tell the step or those
that a person chose.
"""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSettings, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QRubberBand, QSizePolicy, QSplitter, QStackedLayout, QWidget

from engine.scene.scene import Scene, Table
from engine.scene.views import PLANE, View, leads, views
from engine.sources.own_points import kind_of
from gui.base import remembered
from gui.base.guard import guarded, guarded_filter
from gui.figures.not_yet import NotYet
from gui.frame.figure_panel import NOTHING, Asked, FigureStack
from gui.frame.switcher import Switcher
from gui.look import sizes, theme
from gui.look.style import describe
from gui.plane.plane import Plane
from gui.session.lane_view import LaneView
from gui.stage.arrangement import LEAST, Arrangement, arrange, table_share
from gui.stage.chosen_views import Choice, ChosenViews
from gui.widgets.edge import STRIDE
from gui.widgets.sentence import label

ABSENT = "This step has no such picture."
EDGE = "Drag: one view larger, the other smaller. Double click: as large as the window suggests"
ARROWS = {
    Qt.Orientation.Horizontal: {Qt.Key.Key_Left: -STRIDE, Qt.Key.Key_Right: STRIDE},
    Qt.Orientation.Vertical: {Qt.Key.Key_Up: -STRIDE, Qt.Key.Key_Down: STRIDE},
}  # pixels


class Stage(QSplitter):
    """Shows up to two views and gives the other figures back.

    What is shown stays from step to step, so that nothing jumps: a step without one of the pictures
    leaves its place empty. The choice of a person holds for an algorithm and its data, the size of
    a view that was dragged for an algorithm; both are remembered.

    arranged: other views may be wanted, or there is other room; placed: the plane came or went, or
    as many views as are wanted need other room; row_chosen: a row of the examples, −1 for none
    """

    arranged = Signal()
    placed = Signal()
    row_chosen = Signal(int)

    def __init__(self, view: LaneView, plane: Plane, settings: QSettings) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.view, self.plane, self.settings = view, plane, settings
        self.switcher = Switcher()
        self.switcher.picked.connect(self.choose)
        self.switcher.carried.connect(self._carry)
        self.switcher.dropped.connect(self._drop)
        self.first, self.second = Pane(view), Pane(view, plane)
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
        self.known: dict[str, View] = {PLANE: None}  # what was to be seen of this run so far
        self.there: dict[str, View] = dict(self.known)  # in this step
        self._leading: tuple[str, ...] = (PLANE,)
        self._about: object = None
        self._choices = ChosenViews(settings)
        self.choice = Choice()
        self._rows = 0  # pixels that the table on the stage has wanted so far
        self._shared: object = None
        self._band: QRubberBand | None = None
        self._look: object = None
        self.hands = 0  # pixels that the tools take beside the stage while the plane is there
        # the plane was there; the least width that the window knew, when last told
        self._planar, self._got = True, 0
        self.first.hide()

    # -- what is shown -----------------------------------------------------------------------------

    def recent(self) -> tuple[str, ...]:
        """The views that are wanted on the stage, the latest last: what leads most is
        let go last.
        """
        chosen = tuple(name for name in self.choice.recent if name in self.known)
        return chosen or tuple(reversed(self._leading))

    def show_scene(self, scene: Scene, asked: Asked = NOTHING) -> tuple[Any, ...]:
        """Shows what leads, or what was chosen, and returns the figures that are not on
        the stage.
        """
        self._learn(scene)
        self._place(self._wanted())
        for name, pane in self.panes():
            pane.show_view(self.there.get(name, ABSENT), asked)
        self._share()
        missing = frozenset(self.known) - frozenset(self.there)
        self.switcher.show_views(tuple(self.known), self.arrangement.names, missing)
        self._ask_for_room()
        return tuple(
            f
            for name, f in self.there.items()
            if f is not None and name not in self.arrangement.names
        )

    def _learn(self, scene: Scene) -> None:
        """What there is to see, and what leads: that stays as long as it is there, and a step that
        names less than one before it changes nothing.
        """
        view = self.view
        problem = self.view.problem
        planar = problem is None or bool(problem.plane)
        about = (view.lane.key, view.data.name, planar)
        if about != self._about:
            self._about = about
            self.known = {}
            self._leading = ()
            self._rows = 0
            self.choice = self._choices.of(about)
        self.there = views(scene, problem) if problem is not None else {PLANE: None}
        self.known |= self.there
        lead = leads(scene, problem)[:2] or tuple(self.there)[:1]
        if PLANE in self.there and kind_of(self.view.data) is not None:
            # no second view makes the plane narrow under the pointer that clicks points onto it
            lead = (PLANE,)
        if len(lead) > len(self._leading) or (
            len(lead) == len(self._leading) and not set(self._leading) <= set(self.there)
        ):
            self._leading = lead

    def panes(self) -> list[tuple[str, "Pane"]]:
        """The plane is always in the second pane, which stands at the left where a person put it
        there.
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
        self._rows = 0
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
        """Whether there is something that takes hands."""
        return PLANE in self.arrangement.names

    # -- what a person wants -----------------------------------------------------------------------

    def choose(self, name: str, beside: bool = False, side: int | None = None) -> None:
        """Show a view in place of the one chosen longer ago; one that is shown with another then
        has the stage alone. beside: in addition; side: in this half, 0 for the left or upper one.
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

    def fit_figures(self) -> None:
        """Figures that were zoomed show all again."""
        for _, pane in self.panes():
            pane.figures.fit()

    def show_plane(self) -> None:
        """Beside what is shown, where it is not yet."""
        if not self.plane_shown:
            self.choose(PLANE, beside=True)

    def choose_nth(self, number: int) -> None:
        """The view with this number, from 1."""
        if 0 < number <= len(self.known):
            self.choose(tuple(self.known)[number - 1])

    def add(self, figure: Any) -> None:
        """Show this figure of the scene beside what is shown."""
        name = next((name for name, view in self.there.items() if view is figure), "")
        self.choose(name, beside=True)

    def _carry(self, name: str, place: QPoint) -> None:
        """A word over a half of the stage: that half is framed."""
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
        """Which half of the stage a place of the screen lies in, and its pixels; the halves are
        those of the two views that there would be.
        """
        at = self.mapFromGlobal(place)
        wide = self.width()
        high = self.height()
        if not self.rect().contains(at):
            return None
        pair = (*[other for other in self.recent() if other != name][-1:], name)
        if arrange(pair, self.known, (wide, high)).upright:
            side = int(at.y() > high / 2)
            return side, QRect(0, side * high // 2, wide, high // 2)
        side = int(at.x() > wide / 2)
        return side, QRect(side * wide // 2, 0, wide // 2, high)

    # -- sizes -------------------------------------------------------------------------------------

    def _wanted(self, wide: int = 0) -> Arrangement:
        """Of the wanted views those with room, on a stage of `wide` pixels or of its own width; the
        tools that come and go with the plane are taken off, so that two views do not chase each
        other away.
        """
        recent = self.recent()
        wide = wide or self.width() + self.hands * (self.plane_shown - (PLANE in recent[-2:]))
        return arrange(recent, self.known, (wide, self.height()), self.choice.sides)

    def least_width(self) -> int:
        """What the wanted views need, and the tools with the plane where they are not there yet."""
        wanted = self._wanted(sizes.STAGE_TWO)
        if len(wanted.names) < 2 or wanted.upright:
            return sizes.STAGE
        return sizes.STAGE_TWO + self.hands * (PLANE in wanted.names and not self.plane_shown)

    def grant(self, hands: int) -> int:
        """The window is shared, with tools so wide: returns the least width of the stage."""
        self.hands = hands
        self._got = self.least_width()
        return self._got

    def _ask_for_room(self) -> None:
        if (self.plane_shown, self.least_width()) != (self._planar, self._got):
            self._planar = self.plane_shown
            self.placed.emit()

    def _key(self) -> str:
        return f"stage/{self.view.lane.key}-{'upright' if self.arrangement.upright else 'across'}"

    def _share(self) -> None:
        """By the rule, or as a person dragged it."""
        panes = self.panes()
        if len(panes) < 2:
            return
        upright = self.arrangement.upright
        share = remembered.share(self.settings, self._key())
        if share is None:
            share = self._by_rows(panes) if upright else self.arrangement.share
        whole = self.height() if upright else self.width()
        if (whole, share) != self._shared:
            self._shared = (whole, share)
            self.setSizes([round(share * whole), whole - round(share * whole)])

    def _by_rows(self, panes: list[tuple[str, "Pane"]]) -> float:
        """The table is as high as its rows, the lower one of two; it does not become lower from
        step to step.
        """
        tables = [k for k, (name, _) in enumerate(panes) if isinstance(self.known[name], Table)]
        if not tables:
            return self.arrangement.share
        self._rows = max(self._rows, panes[tables[-1]][1].figures.wanted())
        return table_share(self._rows, self.height(), tables[-1] == 0)

    def edge(self) -> QWidget | None:
        """Between two views, for the keyboard; None where there is one view."""
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
        """A double click on the edge gives it back to the rule; arrows move it."""
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
        if self.known and self._wanted() != self.arrangement:
            self.arranged.emit()
        self._share()
        self._ask_for_room()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Other type, other rows."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self._look != theme.current().key:
            self._look = theme.current().key
            self._shared = None
            self._rows = 0
            self.arranged.emit()


class Pane(QWidget):
    """The place of one view: a figure of any kind, a sentence in its place, or the plane."""

    def __init__(self, view: LaneView, plane: Plane | None = None) -> None:
        super().__init__()
        self.plane = plane
        self.figures = FigureStack(view, large=True, roomy=True)
        self.absent = label(ABSENT, "caption")
        self.absent.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.stack = QStackedLayout(self)
        self.stack.addWidget(self.figures)
        self.stack.addWidget(self.absent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        if plane is not None:
            self.stack.setCurrentIndex(self.stack.addWidget(plane))
        self.not_yet = NotYet(self, view)

    def show_view(self, view: Any, asked: Asked) -> None:
        """A figure, None for the plane, or ABSENT."""
        if view is None and self.plane is not None:
            self.stack.setCurrentWidget(self.plane)
        elif view is ABSENT:
            self.stack.setCurrentWidget(self.absent)
        else:
            self.stack.setCurrentWidget(self.figures)
            self.figures.show_figure(view, asked)

    def widget(self) -> QWidget | None:
        """What is seen in it."""
        current = self.stack.currentWidget()
        return self.figures.stack.currentWidget() if current is self.figures else current
