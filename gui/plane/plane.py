"""The plane: axes, the scene's layers, the tools, zoom and pan."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent

from engine.base.arrays import Int
from engine.base.errors import EngineError
from engine.base.records import replace
from engine.base.tags import joined, row_tag, rows_of
from engine.document.document import Document
from engine.document.edits import Shown, shown
from engine.scene.legend import without
from engine.scene.scene import Layer, Points, Role, thinned
from engine.sources.own_points import axis_titles
from gui.base.guard import guarded
from gui.look import theme
from gui.painters import keep_clear, paint_scene
from gui.painters.axes import draw_names, name_places
from gui.painters.hits import hit, nearest_point
from gui.painters.view import Brushwork, View
from gui.plane.axis import Axis
from gui.plane.grid import Grid
from gui.plane.key_pointer import KeyPointer
from gui.plane.kind_switch import KindSwitch
from gui.plane.lighting import lightable
from gui.plane.limits import Limits
from gui.plane.probe import Asking, probe_layers, with_answer
from gui.plane.ranges import Ranges
from gui.plane.scene_item import SceneItem
from gui.plane.tool import Place, Tool
from gui.session.lane_view import LaneView
from gui.session.selection import carried
from gui.session.session import Session

ALT = Qt.KeyboardModifier.AltModifier
NUMBERS = (40, 48)  # room for those of the left axis at least; in the projector theme


class Plane(pg.PlotWidget):
    """Shows the scene of the lane `lane_view` and hands the pointer to the chosen tool; edits go to
    the session.
    """

    def __init__(self, session: Session, lane_view: LaneView) -> None:
        self._axes = {"bottom": Axis("bottom"), "left": Axis("left")}
        super().__init__(axisItems=self._axes, background=None, enableMenu=False)
        self.session, self.lane_view = session, lane_view
        self.setAccessibleName("Plane with the examples")
        self.plot_item: pg.PlotItem = self.getPlotItem()
        self.plot_item.hideButtons()
        self.view_box: pg.ViewBox = self.plot_item.getViewBox()
        self.view_box.setMouseEnabled(True, True)
        self.view_box.setDefaultPadding(0.0)
        self.grid = Grid(self._axes, self.view_box)
        self.item = SceneItem(self.view_box, self.paint_scene)
        self.ranges = Ranges(session, lane_view, self.view_box, self.axis_names)
        self.asking = Asking(lane_view)
        self.tools: dict[str, Tool] = {}
        self.answering: Tool | None = None  # in hand while the next step is asked about
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
        # another height has other numbers
        for resized in (self.item.prepareGeometryChange, self._make_room):
            self.view_box.sigResized.connect(lambda *_, resized=resized: resized())
        for signal in (
            lane_view.cursor_moved,
            lane_view.playback_budget.numbers,
            lane_view.surface_ready,
            lane_view.pointer.lit_changed,
            lane_view.pointer.moved,
            lane_view.pointer.selected_changed,
            session.playing_changed,
        ):
            signal.connect(self.redraw)
        lane_view.run_changed.connect(self._on_run)
        lane_view.playback_budget.numbers.connect(self.ranges.keep)
        self.kind_switch = KindSwitch(session, lane_view, self, self.view_box)
        # nothing below it is painted for nothing
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.restyle()
        self._on_run()

    # -- look --------------------------------------------------------------------------------------

    def restyle(self) -> None:
        """Take over the theme in force."""
        look = theme.current()
        self.setBackground(look.colour("window"))
        self.view_box.setBackgroundColor(look.colour("plane"))
        for axis in self._axes.values():
            axis.restyle()
        self._axes["left"].setWidth(NUMBERS[hall := look.name == "projector"])
        self._axes["bottom"].setHeight(32 if hall else 24)
        self.plot_item.layout.setContentsMargins(0, 0, 10, 0)
        self._cache.clear()
        self._make_room()
        self.redraw()

    def redraw(self) -> None:
        """Of what is in the frame."""
        self.viewport().update(self._frame())

    def _frame(self) -> QRect:
        """The view box in pixels of the viewport."""
        return self._in_frame().toRect()

    def _in_frame(self) -> QRectF:
        return self.viewportTransform().mapRect(self.view_box.mapRectToScene(self.view_box.rect()))

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """What lies in the frame is the scene alone: finding that out, and painting the ground of
        all items, takes Qt longer than most layers.
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
        """Whether the frame divides no pixel of the screen, so that what fills it leaves nothing of
        the frame before.
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
        """The left axis is as wide as its widest number so far: it never becomes narrow again by a
        zoom or a step.
        """
        axis = self._axes["left"]
        low, high = self.view_box.viewRange()[1]
        needed = axis.room(low, high, self.view_box.height())
        if needed > axis.width():
            axis.setWidth(needed)

    def view(self) -> View:
        (x0, x1), (y0, y1) = self.view_box.viewRange()
        return View((x0, x1), (y0, y1), QRectF(self.view_box.rect()))

    def radius(self) -> float:
        """Of an ordinary point: smaller when there are very many."""
        look = theme.current()
        n = self.lane_view.problem.n if self.lane_view.problem is not None else 0
        radius = look.radius * self._density
        return radius if n <= 600 else max(2.5, radius * (600 / n) ** 0.25)

    def set_density(self, times: float) -> None:
        """Points so many times as large as usual."""
        if times != self._density:
            self._density = times
            self._cache.clear()
            self.redraw()

    def paint_scene(self, painter: QPainter) -> None:
        """Ground, grid, then the marks back to front, the tool's on top."""
        lane_view = self.lane_view
        view = self.view()
        look = theme.current()
        held = QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton  # more is to come
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        brushwork = Brushwork(
            painter,
            view,
            look,
            lane_view.pointer.lit,
            lambda name: lane_view.raster(name, view.x, view.y, held),
            self.hatch,
            self.radius(),
            self._cache,
            not lane_view.playback_budget.whole,
            lane_view.playback_budget.flying,
            self._bare,
        )
        if len(self._cache) > 400:
            self._cache.clear()
        keep_clear(brushwork, name_places(brushwork, self.axis_names(), "caption"))
        paint_scene(brushwork, self.layers(), lambda: self.grid.paint(painter, view))
        self._paint_frame(brushwork)

    def layers(self) -> tuple[Layer, ...]:
        """Everything on the plane now: the scene, held-out points, the probe and the
        tool's marks.
        """
        lane_view = self.lane_view
        problem = self.lane_view.problem
        if problem is None or not problem.plane:
            return self._tool_layers()
        scene = lane_view.scene.layers or (
            thinned(problem, Points(problem.xy, problem.codes, Role.POINT, tag="data")),
        )
        kept = lane_view.drawn(
            without((*scene, *lane_view.marks.held_out()), lane_view.marks.hidden)
        )
        asked = probe_layers(lane_view, self.asking.question())
        return (*with_answer((*kept, *self._ringed()), asked), *self._tool_layers())

    def _tool_layers(self) -> tuple[Layer, ...]:
        return (*(self.tool.layers() if self.tool is not None else ()), *self.pointer.layers())

    def _paint_frame(self, brushwork: Brushwork) -> None:
        """The frame, and the axes' names inside it."""
        painter = brushwork.painter
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pg.mkPen(brushwork.theme.colour("line"), width=1))
        painter.drawRect(brushwork.view.rect.adjusted(0.5, 0.5, -0.5, -0.5))
        draw_names(brushwork, self.axis_names(), "caption")

    def axis_names(self) -> tuple[str, str]:
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
        """The table's rows as they stand on the plane now."""
        document = self.session.document
        if self._shown is None or self._shown[0] is not document:
            self._shown = (
                document,
                shown(document.of_lane(self.lane_view.place), self.lane_view.problem),
            )
        return self._shown[1]

    def point_at(self, place: Place) -> int | None:
        """The table's row under the pointer."""
        xy, rows = self.shown().in_sight
        found = nearest_point(self.view(), xy, place.px, place.py, self.radius() + 4)
        return None if found is None else int(rows[found])

    def points_near(self, place: Place, radius: float) -> Int:
        """The table's rows within `radius` pixels."""
        points = self.shown()
        apart = np.linalg.norm(self.view().to_pixels(points.xy) - (place.px, place.py), axis=1)
        return points.rows[apart <= radius]

    @property
    def selected(self) -> frozenset[int]:
        """The marked points as rows of this lane's table: they are marked on the planes of all
        lanes that have them.
        """
        return carried(self.lane_view.pointer.selected, self.session.data, self.lane_view.data)

    def select(self, rows: Iterable[int]) -> None:
        """Mark these rows of the table; edits of the selection work on them."""
        self.lane_view.pointer.select(rows)

    def edit(
        self, change: Callable[[Document], Document], label: str, merge: str | None = None
    ) -> None:
        """Put the changed document in force, or say why it cannot be."""
        try:
            self.session.edit(
                self.session.document.in_lane(self.lane_view.place, change), label, merge
            )
        except EngineError as sentence:
            self.session.say(str(sentence), "error")

    def _ringed(self) -> tuple[Layer, ...]:
        """The selection, and what is pointed at in a table."""
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
        """Fit when other columns or another table are shown."""
        problem = self.lane_view.problem
        upright = problem is None or len(problem.plane) != 1 or bool(self.axis_names()[1])
        # numbers stand beside no axis without a column or a value
        self._axes["left"].give_meaning(upright)
        if self.ranges.elsewhere():
            # numbers of another length
            self._axes["left"].setWidth(NUMBERS[theme.current().name == "projector"])
            self.ranges.keep()
            self.fit()
            self._make_room()
        self.redraw()

    # -- mouse and keys ----------------------------------------------------------------------------

    @property
    def tool(self) -> Tool | None:
        return (
            self.answering
            if self.session.predicting.open
            else self.tools.get(self.lane_view.pointer.tool)
        )

    def place(self, event: Any) -> Place:
        """Where a mouse event is, in plane units and pixels."""
        local = self.view_box.mapFromScene(self.mapToScene(event.position().toPoint()))
        x, y = self.view().to_plane(local.x(), local.y())
        keys = event.modifiers()
        held = Qt.KeyboardModifier
        shift, ctrl, alt = (
            bool(keys & key) for key in (held.ShiftModifier, held.ControlModifier, held.AltModifier)
        )
        return self.snapped(Place(x, y, local.x(), local.y(), event.button(), shift, ctrl, alt))

    def snapped(self, place: Place) -> Place:
        """With snapping on: on the finest grid that the axes show ticks for, a tenth of the
        labelled one.
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
        """Two quick clicks are two clicks; beside the frame, on the numbers, they ask for the
        ranges.
        """
        if event.button() == Qt.MouseButton.LeftButton and not self.inside(self.place(event)):
            self.ask_limits()
        self.mousePressEvent(event)

    def ask_limits(self) -> None:
        """The ranges of the axes, to be typed."""
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
            held = self.holding
            self.holding = None
            held.release(self.place(event))
        event.accept()

    @guarded
    def wheelEvent(self, event: Any) -> None:
        """Zooms at the cursor; with Ctrl or Alt the tool has it first."""
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
        """The menu key; right clicks have come as presses."""
        event.accept()
        if event.reason() == event.Reason.Keyboard:
            self.pointer.open_menu()

    def open_menu(self, row: int | None, place: QPoint) -> None:
        """What can be done with the point of this row, or with the selection when it is
        part of it.
        """
        if row is not None:
            from gui.plane.point_menu import PointMenu

            PointMenu(self, self, row).popup(place)

    def open_menu_at(self, row: int) -> None:
        """Where the point of this row stands."""
        points = self.shown()
        px, py = self.view().to_pixels(points.xy[points.rows == row][0])
        local = self.mapFromScene(self.view_box.mapToScene(QPointF(px, py)))
        self.open_menu(row, self.viewport().mapToGlobal(local))

    @guarded
    def leaveEvent(self, event: Any) -> None:
        self.hover(None)
        super().leaveEvent(event)

    def hover(self, place: Place | None) -> None:
        """The pointer, of the mouse or the keyboard, is there; None: nowhere on the plane."""
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
        self.setCursor(self.tool.cursor if self.tool is not None else Qt.CursorShape.ArrowCursor)

    def zoom(self, factor: float) -> None:
        """Zoom in (> 1) or out about the middle."""
        self.view_box.scaleBy((1 / factor, 1 / factor))
