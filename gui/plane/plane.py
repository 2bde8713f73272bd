"""The plane: axes, the scene's layers, the tools, zoom and pan."""

import sys
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent

from engine.base.arrays import Int
from engine.base.errors import EngineError
from engine.base.records import replace
from engine.base.tags import is_lit, joined, row_tag, rows_of
from engine.document.document import Document
from engine.document.edits import Shown, shown
from engine.scene.legend import without
from engine.scene.scene import Boxes, Layer, Points, Polygons, Role, Segments, thinned
from engine.sources.own_points import axis_titles
from gui.base.guard import guarded
from gui.look import theme
from gui.painters import keep_clear, paint_scene
from gui.painters.axes import draw_names, name_places
from gui.painters.hits import hit, nearest_point
from gui.painters.view import Brushwork, View
from gui.plane.axes import Axis, Grid
from gui.plane.key_pointer import KeyPointer
from gui.plane.kind_switch import KindSwitch
from gui.plane.limits import Limits
from gui.plane.probe import Asking, probe_layers, with_answer
from gui.plane.ranges import Ranges
from gui.plane.tool import Place, Tool
from gui.session.changes import Change, Changes
from gui.session.lane_view import LaneView
from gui.session.pointer import carried
from gui.session.session import Session


class SceneItem(pg.GraphicsObject):
    """Calls `draw` with a painter in the pixels of the view box."""

    def __init__(self, view_box: pg.ViewBox, draw: Callable[[QPainter], None]) -> None:
        super().__init__(view_box)
        self._view_box, self.draw = view_box, draw
        self._reported = ""
        self.setZValue(10)

    @guarded
    def boundingRect(self) -> QRectF:
        return QRectF(self._view_box.rect())

    @guarded
    def paint(self, painter: QPainter, *_: Any) -> None:
        """Call `draw`. An exception must not leave this method: Qt would end the process."""
        painter.save()
        try:
            self.draw(painter)
            self._reported = ""
        except BaseException as fault:  # also sys.exit() in a person's own page
            self._report(fault)
        finally:
            painter.restore()

    def _report(self, fault: BaseException) -> None:
        """Pass an exception to `sys.excepthook`, once for repeated paints with the
        same exception.
        """
        if self._reported != repr(fault):
            self._reported = repr(fault)
            QTimer.singleShot(
                0, self, lambda: sys.excepthook(type(fault), fault, fault.__traceback__)
            )


def lightable(lane_view: LaneView) -> list[Layer]:
    """The layers of the shown step that can be highlighted: those with tags of their own, those of
    one piece, and those that the words of the step name. Others, such as all the cells of a
    diagram, would be lit wherever the pointer rests. Empty with the probe tool: there the pointer
    is the query.
    """
    if lane_view.pointer.tool == "probe":
        return []
    layers = lane_view.scene.layers
    spoken = spoken_of(lane_view)
    return [
        layer
        for layer in layers
        if getattr(layer, "tags", ()) or _pieces(layer) <= 1 or is_lit(layer.tag, spoken)
    ]


def spoken_of(lane_view: LaneView) -> frozenset[str]:
    """The tags in the note and the options of the shown step, which the plane highlights."""
    step = lane_view.step
    if step is None:
        return frozenset()
    options = step.choice.options if step.choice is not None else ()
    return frozenset((*(o.about for o in step.note.operands.values()), *(o.about for o in options)))


def _pieces(layer: Layer) -> int:
    """The number of shapes in a layer of lines, boxes or polygons; 1 for every other kind."""
    if isinstance(layer, Segments):
        return len(layer.ends)
    if isinstance(layer, Boxes):
        return len(layer.bounds)
    return len(layer.rings) if isinstance(layer, Polygons) else 1


# what another picture of the plane comes with
REDRAWN = (
    Change.CURSOR
    | Change.NUMBERS
    | Change.SURFACE
    | Change.LIT
    | Change.POINTER
    | Change.SELECTION
    | Change.PLAYING
    | Change.SETTINGS
    | Change.QUESTION
    | Change.CANDIDATE
)
ALT = Qt.KeyboardModifier.AltModifier
NUMBERS = (40, 48)  # least width of the left axis in pixels; in the projector theme


class Plane(pg.PlotWidget):
    """The plot widget that shows the scene of `lane_view` and passes mouse and keys to the tool in
    use. Edits go to the session.
    """

    def __init__(self, session: Session, lane_view: LaneView) -> None:
        self.axes = {"bottom": Axis("bottom"), "left": Axis("left")}
        super().__init__(axisItems=self.axes, background=None, enableMenu=False)
        self.session, self.lane_view = session, lane_view
        self.setAccessibleName("Plane with the examples")
        self.plot_item: pg.PlotItem = self.getPlotItem()
        self.plot_item.hideButtons()
        self.view_box: pg.ViewBox = self.plot_item.getViewBox()
        self.view_box.setMouseEnabled(True, True)
        self.view_box.setDefaultPadding(0.0)
        self.grid = Grid(self.axes, self.view_box)
        self.item = SceneItem(self.view_box, self.paint_scene)
        self.ranges = Ranges(session, lane_view, self.view_box, self.axis_names)
        self.asking = Asking(lane_view)
        self.tools: dict[str, Tool] = {}
        self.answering: Tool | None = None  # in use while a question is open
        self.sketching: Tool | None = None  # in use while a task wants a drawing on this plane
        self.pointer = KeyPointer(session, self)
        self.space_held = self.panned = self.snap = self.hatch = self._bare = False
        self._density = 1.0
        self._shown: tuple[Document, Shown] | None = None
        self._pan_from: QPointF | None = None
        self.holding: Tool | None = None  # the tool whose stroke the left button draws
        self._cache: dict[object, object] = {}
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.view_box.sigRangeChanged.connect(self._on_range)
        # another height shows other numbers
        for resized in (self.item.prepareGeometryChange, self._make_room):
            self.view_box.sigResized.connect(lambda *_, resized=resized: resized())
        session.changed.connect(self._on_changed)
        self.kind_switch = KindSwitch(session, lane_view, self, self.view_box)
        # spares Qt painting the background below
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.restyle()
        self._on_run()

    def _on_changed(self, changes: Changes) -> None:
        here = changes.of(self.lane_view)
        if here & Change.RUN:
            self._on_run()
        if here & Change.NUMBERS:
            self.ranges.keep()
        if here & (Change.SETTINGS | Change.QUESTION):
            self.update_cursor()
        if here & Change.DOCUMENT:
            self.kind_switch.refresh()
        if here & REDRAWN:
            self.redraw()

    # -- look --------------------------------------------------------------------------------------

    def restyle(self) -> None:
        """Apply the current theme."""
        look = theme.current()
        self.setBackground(look.colour("window"))
        self.view_box.setBackgroundColor(look.colour("plane"))
        for axis in self.axes.values():
            axis.restyle()
        self.axes["left"].setWidth(NUMBERS[projector := look.name == "projector"])
        self.axes["bottom"].setHeight(32 if projector else 24)
        self.plot_item.layout.setContentsMargins(0, 0, 10, 0)
        self._cache.clear()
        self._make_room()
        self.redraw()

    def redraw(self) -> None:
        """Schedule a repaint of the frame."""
        self.viewport().update(self._frame())

    def _frame(self) -> QRect:
        """The view box in pixels of the viewport."""
        return self._in_frame().toRect()

    def _in_frame(self) -> QRectF:
        """The view box in viewport pixels, not rounded."""
        return self.viewportTransform().mapRect(self.view_box.mapRectToScene(self.view_box.rect()))

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the scene alone where the event lies inside the frame. Qt would collect all items
        and paint their backgrounds there, which costs more than most layers.
        """
        if not self._frame().contains(event.rect()):
            super().paintEvent(event)
            return
        with QPainter(self.viewport()) as painter:
            self._bare = self._on_whole_pixels()
            if not self._bare:
                painter.fillRect(event.rect(), theme.current().colour("plane"))
            painter.setTransform(self.item.sceneTransform() * self.viewportTransform())
            self.item.paint(painter)
        self._bare = False

    def _on_whole_pixels(self) -> bool:
        """Whether the edges of the frame lie on whole device pixels. What fills the frame then
        covers the previous picture completely.
        """
        frame = self._in_frame()
        ratio = self.devicePixelRatio()
        edges = (
            ratio * edge for edge in (frame.left(), frame.top(), frame.right(), frame.bottom())
        )
        return all(abs(edge - round(edge)) < 1e-6 for edge in edges)

    def _on_range(self, *_: Any) -> None:
        self._make_room()
        self.redraw()

    def _make_room(self) -> None:
        """Widen the left axis to its widest number. It never narrows again by a zoom or a step."""
        axis = self.axes["left"]
        low, high = self.view_box.viewRange()[1]
        needed = axis.room(low, high, self.view_box.height())
        if needed > axis.width():
            axis.setWidth(needed)

    def view(self) -> View:
        """The visible ranges of both axes and the view box in pixels."""
        (x0, x1), (y0, y1) = self.view_box.viewRange()
        return View((x0, x1), (y0, y1), QRectF(self.view_box.rect()))

    def radius(self) -> float:
        """The radius of an ordinary point in pixels, smaller beyond 600 points."""
        look = theme.current()
        n = self.lane_view.problem.n if self.lane_view.problem is not None else 0
        radius = look.radius * self._density
        return radius if n <= 600 else max(2.5, radius * (600 / n) ** 0.25)

    def set_density(self, times: float) -> None:
        """Scale the size of the points by `times`."""
        if times != self._density:
            self._density = times
            self._cache.clear()
            self.redraw()

    def paint_scene(self, painter: QPainter) -> None:
        """Paint ground and grid, then the layers back to front, the tool's last."""
        lane_view = self.lane_view
        view = self.view()
        look = theme.current()
        dragged = QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton  # a drag goes on
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        brushwork = Brushwork(
            painter,
            view,
            look,
            lane_view.pointer.lit,
            lambda name: lane_view.raster(name, view.x, view.y, dragged),
            self.hatch,
            self.radius(),
            self._cache,
            not lane_view.playback_budget.labels,
            lane_view.playback_budget.flying,
            self._bare,
        )
        if len(self._cache) > 400:
            self._cache.clear()
        keep_clear(brushwork, name_places(brushwork, self.axis_names(), "caption"))
        paint_scene(brushwork, self.layers(), lambda: self.grid.paint(painter, view))
        self._paint_frame(brushwork)

    def layers(self) -> tuple[Layer, ...]:
        """All layers on the plane: the scene, held-out points, the explanation of what is asked
        about, and the tool's layers.
        """
        lane_view = self.lane_view
        problem = self.lane_view.problem
        if problem is None or not problem.plane:
            return self._tool_layers()
        scene = lane_view.scene.layers or (
            thinned(problem, Points(problem.xy, problem.codes, Role.POINT, tag="data")),
        )
        kept = lane_view.with_difference(
            without((*scene, *lane_view.marks.held_out()), lane_view.marks.hidden)
        )
        explained = probe_layers(lane_view, self.asking.question())
        shown = with_answer((*kept, *self.ringed()), explained)
        return (*shown, *lane_view.coming, *self._tool_layers())

    def _tool_layers(self) -> tuple[Layer, ...]:
        return (*(self.tool.layers() if self.tool is not None else ()), *self.pointer.layers())

    def _paint_frame(self, brushwork: Brushwork) -> None:
        """Paint the frame, and the names of the axes inside it."""
        painter = brushwork.painter
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pg.mkPen(brushwork.theme.colour("line"), width=1))
        painter.drawRect(brushwork.view.rect.adjusted(0.5, 0.5, -0.5, -0.5))
        draw_names(brushwork, self.axis_names(), "caption")

    def axis_names(self) -> tuple[str, str]:
        """The titles of the x and the y axis, "" where an axis has none."""
        problem = self.lane_view.problem
        if problem is None:
            return (
                ("", "") if self.session.document.transforms else axis_titles(self.lane_view.data)
            )
        names = [problem.features[j].title for j in problem.plane]
        if problem.regress and problem.target is not None and len(names) == 1:
            names.append(problem.target.title)
        return (*names, "", "")[:2]  # type: ignore[return-value]

    # -- points ------------------------------------------------------------------------------------

    def shown(self) -> Shown:
        """The rows of the table with their places on the plane, cached per document."""
        document = self.session.document
        if self._shown is None or self._shown[0] is not document:
            self._shown = (
                document,
                shown(document.of_lane(self.lane_view.place), self.lane_view.problem),
            )
        return self._shown[1]

    def point_at(self, place: Place) -> int | None:
        """The table row of the point at `place`; None where there is none."""
        xy, rows = self.shown().in_sight
        found = nearest_point(self.view(), xy, place.px, place.py, self.radius() + 4)
        return None if found is None else int(rows[found])

    def points_near(self, place: Place, radius: float) -> Int:
        """The table rows of the points within `radius` pixels of `place`."""
        points = self.shown()
        apart = np.linalg.norm(self.view().to_pixels(points.xy) - (place.px, place.py), axis=1)
        return points.rows[apart <= radius]

    @property
    def selected(self) -> frozenset[int]:
        """The selected points as rows of this lane's table. All lanes that share the points show
        the selection.
        """
        return carried(self.lane_view.pointer.selected, self.session.data, self.lane_view.data)

    def select(self, rows: Iterable[int]) -> None:
        """Select these rows of the table."""
        self.lane_view.pointer.select(rows)

    def edit(
        self, change: Callable[[Document], Document], label: str, merge: str | None = None
    ) -> None:
        """Edit the document with `change`; an `EngineError` becomes a message of the session."""
        try:
            self.session.edit(
                self.session.document.in_lane(self.lane_view.place, change), label, merge
            )
        except EngineError as sentence:
            self.session.say(str(sentence), "error")

    def ringed(self) -> tuple[Layer, ...]:
        """Rings around the selected points and around those that the pointer highlights."""
        pointed = rows_of(self.lane_view.pointer.lit)
        if not (pointed or self.selected):
            return ()
        points = self.shown()
        chosen, here = points.seen(self.selected), points.seen(row - 1 for row in pointed)
        # with a halo
        rings = ((Role.SUPPORT, chosen, ""), (Role.ACCEPTED, here, joined(*map(row_tag, pointed))))
        return tuple(
            Points(points.xy[at], points.codes[at], role, tag=tag)
            for role, at, tag in rings
            if len(at)
        )

    # -- range -------------------------------------------------------------------------------------

    def fit(self) -> None:
        """Show all points, or the document's declared range."""
        self.ranges.fit()

    def _on_run(self) -> None:
        """Fit when a run shows other columns or another table."""
        problem = self.lane_view.problem
        upright = problem is None or len(problem.plane) != 1 or bool(self.axis_names()[1])
        # an axis without a column or a value shows no numbers
        self.axes["left"].give_meaning(upright)
        if self.ranges.elsewhere():
            # the new numbers may be shorter
            self.axes["left"].setWidth(NUMBERS[theme.current().name == "projector"])
            self.ranges.keep()
            self.fit()
            self._make_room()
        self.redraw()

    # -- mouse and keys ----------------------------------------------------------------------------

    @property
    def tool(self) -> Tool | None:
        """The tool in use: the one that draws or answers a question, else the chosen one."""
        if self.session.predicting.draws_in(self.lane_view, ""):
            return self.sketching
        return (
            self.answering
            if self.session.predicting.open
            else self.tools.get(self.lane_view.pointer.tool)
        )

    def place(self, event: Any) -> Place:
        """The place of a mouse event, in plane units and in pixels of the view box."""
        local = self.view_box.mapFromScene(self.mapToScene(event.position().toPoint()))
        x, y = self.view().to_plane(local.x(), local.y())
        keys = event.modifiers()
        key = Qt.KeyboardModifier
        shift, ctrl, alt = (
            bool(keys & each) for each in (key.ShiftModifier, key.ControlModifier, key.AltModifier)
        )
        return self.snapped(Place(x, y, local.x(), local.y(), event.button(), shift, ctrl, alt))

    def snapped(self, place: Place) -> Place:
        """The place on the snapping grid, a tenth of the labelled ticks; unchanged with snapping
        off.
        """
        if not self.snap:
            return place
        view = self.view()
        steps = [
            np.diff(self.grid.ticks(a, *r)[:2]) for a, r in (("bottom", view.x), ("left", view.y))
        ]
        # 0: an axis without ticks
        dx, dy = (float(step[0]) / 10 if len(step) else 0.0 for step in steps)
        x, y = (round(at / d) * d if d else at for at, d in ((place.x, dx), (place.y, dy)))
        return replace(place, x=x, y=y)

    def inside(self, place: Place) -> bool:
        """Whether `place` lies in the frame."""
        return QRectF(self.view_box.rect()).contains(place.px, place.py)

    @guarded
    def mousePressEvent(self, event: Any) -> None:
        place = self.place(event)
        pan = event.button() == Qt.MouseButton.MiddleButton or (
            self.space_held and event.button() == Qt.MouseButton.LeftButton
        )
        if pan:
            self._pan_from = event.position()
            self.panned = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif (
            event.button() == Qt.MouseButton.LeftButton
            and self.tool is not None
            and self.inside(place)
        ):
            self.holding = self.tool
            self.tool.press(place)
        elif (
            event.button() == Qt.MouseButton.RightButton
            and self.holding is None
            and self.inside(place)
        ):
            self.open_menu(self.point_at(place), event.globalPosition().toPoint())
        event.accept()

    @guarded
    def mouseDoubleClickEvent(self, event: Any) -> None:
        """Treat two quick clicks as two clicks. Outside the frame, on the numbers of the axes, open
        the form for the ranges as well.
        """
        if event.button() == Qt.MouseButton.LeftButton and not self.inside(self.place(event)):
            self.ask_limits()
        self.mousePressEvent(event)

    def ask_limits(self) -> None:
        """Open the form in which the ranges of the axes are typed."""
        Limits(self.session, self.ranges, self).open_over(self)

    @guarded
    def mouseMoveEvent(self, event: Any) -> None:
        place = self.place(event)
        self.pointer.hide()
        if self._pan_from is not None:
            moved = event.position() - self._pan_from
            self._pan_from = event.position()
            sx, sy = self.view().unit
            self.view_box.translateBy(x=-moved.x() / sx, y=moved.y() / sy)
        elif self.holding is not None:
            self.holding.drag(place)
        else:
            self.hover(place if self.inside(place) else None)
        event.accept()

    @guarded
    def mouseReleaseEvent(self, event: Any) -> None:
        if self._pan_from is not None and event.button() != Qt.MouseButton.RightButton:
            self._pan_from = None
            self.update_cursor()
        elif self.holding is not None and event.button() == Qt.MouseButton.LeftButton:
            handle = self.holding
            self.holding = None
            handle.release(self.place(event))
        event.accept()

    @guarded
    def wheelEvent(self, event: Any) -> None:
        """Zoom at the pointer. With Ctrl or Alt the tool gets the event first."""
        ctrl, alt = (
            bool(event.modifiers() & key) for key in (Qt.KeyboardModifier.ControlModifier, ALT)
        )
        turned = event.angleDelta().y() or event.angleDelta().x()  # Alt turns the wheel on its side
        tool = self.tool
        if (
            turned
            and tool is not None
            and (ctrl or alt)
            and tool.wheel(1 if turned > 0 else -1, alt)
        ):
            event.accept()
        else:
            super().wheelEvent(event)

    @guarded
    def contextMenuEvent(self, event: Any) -> None:
        """Open the menu for the menu key. Right clicks arrive in `mousePressEvent`."""
        event.accept()
        if event.reason() == event.Reason.Keyboard:
            self.pointer.open_menu()

    def open_menu(self, row: int | None, place: QPoint) -> None:
        """Open the menu of the point with this row, at the global position `place`. Do nothing for
        None.
        """
        if row is not None:
            from gui.plane.point_menu import PointMenu

            PointMenu(self, self, row).popup(place)

    def open_menu_at(self, row: int) -> None:
        """Open the menu of the point with this row, beside the point."""
        points = self.shown()
        px, py = self.view().to_pixels(points.xy[points.rows == row][0])
        local = self.mapFromScene(self.view_box.mapToScene(QPointF(px, py)))
        self.open_menu(row, self.viewport().mapToGlobal(local))

    @guarded
    def leaveEvent(self, event: Any) -> None:
        self.hover(None)
        super().leaveEvent(event)

    def hover(self, place: Place | None) -> None:
        """Move the pointer, of the mouse or the keyboard, to `place`; None: it left the plane."""
        if self.tool is not None:
            self.tool.hover(place)
        if place is None:
            self.lane_view.pointer.light(())
            self.lane_view.pointer.move_to(None)
            return
        self.lane_view.pointer.move_to(place.xy)
        tag = hit(self.view(), lightable(self.lane_view), place.px, place.py)
        row = self.point_at(place)
        self.lane_view.pointer.light(
            (tag if tag and tag != "data" else "", row_tag(0 if row is None else row + 1))
        )

    def update_cursor(self) -> None:
        """Show the mouse cursor of the tool."""
        self.setCursor(self.tool.cursor if self.tool is not None else Qt.CursorShape.ArrowCursor)

    def zoom(self, factor: float) -> None:
        """Zoom in (factor > 1) or out about the middle of the view."""
        self.view_box.scaleBy((1 / factor, 1 / factor))
