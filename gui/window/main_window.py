"""The main window: the layout of its parts, and what the projector theme hides."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QPoint, QRect, QSettings, QSize, Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QMainWindow,
    QMenu,
    QMenuBar,
    QToolButton,
    QWidget,
)

from engine.base.notation import cut
from engine.base.records import cached_property
from gui.base import remembered
from gui.base.guard import guarded
from gui.frame.chips import ChipRow
from gui.frame.left_dock import LeftDock
from gui.frame.message import MessageLine
from gui.frame.projector import CaptionBand, SideStrip, TitleRow
from gui.frame.right_dock import RightDock
from gui.frame.tool_strip import ToolStrip
from gui.lanes.lanes_beside import LanesBeside
from gui.lessons.what_next import WhatNext
from gui.look import dressing, icons, sizes, style, theme
from gui.plane.plane import Plane
from gui.reading.note_view import LeadLine
from gui.session.changes import Change, Changes
from gui.session.session import Session
from gui.setup.search import SearchBox
from gui.stage.lanes import Lanes
from gui.stage.stage import Stage
from gui.timeline.counter import Counter
from gui.timeline.timeline import Timeline
from gui.timeline.transport import Transport
from gui.widgets.controls import describe
from gui.widgets.layouts import column, row, rule
from gui.window import dropping, tab_order
from gui.window.actions import Actions, ViewEffects
from gui.window.blank import Blank
from gui.window.commands import Commands
from gui.window.keys import Keys
from gui.window.pen import Pen
from gui.window.predict_mode import PredictMode, add_button
from gui.window.room import Parts, Room
from gui.window.spotlight import Spotlight
from gui.window.type_size import TypeSize

if TYPE_CHECKING:
    from gui.lessons.gallery import Gallery
    from gui.lessons.locks import Locks
    from gui.lessons.player import LessonPlayer
    from gui.window.author_mode import AuthorMode
    from gui.window.lesson_mode import LessonMode

LOOKING = ("select", "probe")  # tools that change no data
TOOLS = {"Probe": "probe", "Points": "add"}  # tools with a button in the projector's strip
# least and greatest width of the search, at type step 0; width kept for its neighbours
SEARCH, BESIDE_SEARCH = (200, 420), 560


class MainWindow(QMainWindow):
    """Layout and wiring only; every part listens to the session itself."""

    def __init__(self, session: Session, settings: QSettings) -> None:
        super().__init__()
        self.session, self.settings = session, settings
        self.setMinimumSize(sizes.LEAST_W, sizes.LEAST_H)
        self.resize(sizes.START_W, sizes.START_H)
        self.recent_menu = QMenu("Open recent", self)
        self.lanes = Lanes(session, settings)
        self.commands = Commands(
            self,
            session,
            self.lanes,
            settings,
            self.recent_menu,
            self._dismiss,
            self._class_place,
        )
        self.blank = Blank(self, lambda: self.plane)
        self.pen = Pen(self.lanes, self._show_hand)
        self.spotlight = Spotlight(self, self._show_hand)
        self.type_size = TypeSize(self, settings, lambda: self.use_theme(theme.current().name))
        self.actions_ = Actions(self, self.commands, self.blank, self._view_effects())
        self.before_projector = "light"
        self.keys: Keys | None = None
        self._build()
        self._restore()
        self.use_theme(remembered.text(settings, "theme", "light"))
        # last, as it filters every event of the application
        self.keys = self.predict.keys = Keys(self, self.commands, self.blank)
        session.changed.connect(self._on_changed)
        # otherwise its connections would keep the session and its runs alive
        self.destroyed.connect(session.deleteLater)
        dropping.install(self, self.commands.open_path, session.say)
        self._name()

    def _view_effects(self) -> ViewEffects:
        """The effects of the menu View on this window; the lambda is needed as `room` is made
        later.
        """
        return ViewEffects(
            self.use_theme,
            self.toggle_projector,
            self.type_size.zoom,
            lambda: self.room.next_edge(),
            self.pen,
            self.spotlight,
        )

    def _dismiss(self) -> bool:
        """Put the pen down, switch the spotlight off, close a message, or hide what could be tried
        next; returns whether there was one of them.
        """
        return (
            self.pen.leave()
            or self.spotlight.leave()
            or self.message.dismiss()
            or self.what_next.dismiss()
        )

    def _show_hand(self) -> None:
        """Show whether the pen and the spotlight are in use."""
        for name, word, on in (
            ("pen", "Pen", self.pen.on),
            ("spotlight", "Spot", self.spotlight.on),
        ):
            self.action(name).setChecked(on)
            self.left_strip.tick(word, on)

    stage: Stage = property(lambda self: self.lanes.stage)  # type: ignore[assignment]  # of the active lane
    plane: Plane = property(lambda self: self.lanes.plane)  # type: ignore[assignment]
    chips: ChipRow = property(lambda self: self.lanes.cell.chips)  # type: ignore[assignment]

    # -- layout ------------------------------------------------------------------------------------

    def _body(self) -> QBoxLayout:
        """The strips, rails and docks beside the centre, from left to right."""
        rail = self.room.add_rail(self.left_dock, self.left_dock.sections())
        return row(
            self.left_strip,
            self.tool_strip,
            rule(),
            rail,
            self.left_dock,
            rule(),
            (self.centre, 1),
            rule(),
            self.right_dock,
            self._right_rail(),
            self.right_strip,
        )

    def _build(self) -> None:
        session = self.session
        lanes = self.lanes
        self.menu_row = self._menu_row()
        self.tool_strip = ToolStrip(session, self.plane.tools)
        self.left_dock = LeftDock(session, self.commands)
        lanes.chip_clicked.connect(self.left_dock.focus_section)
        lanes.added.connect(self.left_dock.ask_for_algorithm)
        self.right_dock = RightDock(
            session, session.shown_lane, self.stage, LanesBeside(session, self)
        )
        self.timeline = Timeline(session, session.player, session.lead_lane)
        self.commands.exports.curves = lambda: self.timeline.curves
        self.commands.data_commands.show_curve = self.timeline.show_metric
        self.transport = Transport(session)
        self.counter = Counter(session, session.lead_lane)
        self.message = MessageLine(session)
        self.lead = LeadLine(session)
        self.title_row = TitleRow(session)
        self.caption_band = CaptionBand(session)
        self.left_strip = SideStrip(self._left_buttons())
        self.right_strip = SideStrip(self._right_buttons())
        lanes.placed.connect(self._offer_hands)
        self._curve_leads = False
        lanes.placed.connect(self._show_leading_curve)
        lanes.turned.connect(lambda: self.right_dock.follow(self.stage))
        self._show_tool()
        self.centre = column(self.title_row, (lanes, 1), self.lead, self.caption_band)
        self.foot, whole = QWidget(self), QWidget(self)
        self.over_timeline = column(self.timeline)
        self.foot.setLayout(row((self.over_timeline, 1), self.counter))
        lessons = self.commands.lessons
        self.what_next = WhatNext(
            session, lambda: lessons.running, self.transport.what_next, lessons.thumbnails
        )
        self.what_next.appeared.connect(self.transport.make_room)
        self.what_next.lesson_wanted.connect(lessons.open_reported)
        self.below = column(self.what_next, self.message, self.foot)
        self.room = Room(
            Parts(
                whole,
                self.tool_strip,
                self.left_dock,
                lanes,
                self.right_dock,
                self.timeline,
                self.foot,
                self.lead,
            ),
            self.settings,
        )
        lanes.placed.connect(self.room.arrange)
        self.commands.show_code = self.room.show_code
        lanes.expand_clicked.connect(self.room.fold_docks)
        self.left_dock.wanted.connect(lambda: self.room.reveal(self.left_dock))
        body = self._body()
        whole.setLayout(
            column(self.menu_row, rule(False), (body, 1), rule(False), self.below, self.transport)
        )
        self.setCentralWidget(whole)
        self.message.grown.connect(self._make_room_for_message)
        self.predict = PredictMode(self, session, self.right_dock, self.room)
        add_button(self.predict, self.theme_button)
        self.lesson_mode: LessonMode | None = None
        self.commands.lessons.made = self._make_lesson_mode
        self.commands.lessons.writing = self._make_author_mode
        self.commands.lessons.listed = self._follow_gallery
        self.commands.lessons.top = lambda: (
            self.menu_row.height() if self.menu_row.isVisible() else 0
        )

    def _make_lesson_mode(self, player: "LessonPlayer") -> None:
        """Make the panel of lessons, when the first one is opened."""
        from gui.window.lesson_mode import LessonMode

        self.lesson_mode = LessonMode(
            self,
            self.session,
            player,
            self.left_dock,
            self.room,
            self.predict,
            self.locks,
            self.commands.lessons.menu,
            self._dismiss,
        )

    @cached_property
    def locks(self) -> "Locks":
        """Covers what a page of a lesson locks, created with the first lesson."""
        from gui.lessons.locks import Locks

        return Locks(self.session, self._lockable)

    def _make_author_mode(self) -> "AuthorMode":
        """Make the panels in which a lesson is written, when the first one is begun."""
        from gui.window.author_mode import AuthorMode

        lessons = self.commands.lessons
        self.locks.refresh()
        return AuthorMode(
            self,
            self.session,
            lambda: lessons.player,
            (self.left_dock, self.right_dock),
            self.room,
            self.predict.button,
            (self.over_timeline, self.timeline),
            (
                lambda: tuple(name for name, _ in self.stage.panes()),
                self.commands.data_commands.lead_with,
            ),
            lessons.files.folder,
            lessons.files.remember,
            lessons.shelf.folder / "written" / "lesson.toml",
        )

    def _follow_gallery(self, gallery: "Gallery") -> None:
        """Leave all keys to the list of lessons while it is shown."""
        if self.keys is not None:
            self.keys.over = gallery
        gallery.closed.connect(self.setFocus)

    def _lockable(self) -> "Mapping[str, Iterable[tuple[QWidget, bool]]]":
        """What a lesson can lock: the widgets, and whether each is a whole part of the window."""
        dock = self.left_dock
        tools = self.tool_strip.buttons.items()
        hands = [(button, False) for tool, button in tools if tool not in LOOKING]
        return {
            "data": [(dock.data, True), (dock.split, True), *hands],
            "method": [(dock.algorithm, True)],
            "parameters": [(dock.params, True)],
            "timeline": [
                (self.transport, True),
                (self.timeline, False),
                (self.caption_band, False),
            ],
            "lanes": [(cell.chips.plus, False) for cell in self.lanes.cells],
        }

    def _menu_row(self) -> QWidget:
        frame = QFrame()
        style.mark(frame, "dock")
        line = QHBoxLayout(frame)
        line.setContentsMargins(12, 0, 16, 0)
        self.menus = QMenuBar()
        self.menus.setNativeMenuBar(False)
        for menu in self.actions_.menus:
            self.menus.addMenu(menu)
        self.search = SearchBox(
            self.session,
            self.actions_.all,
            self.commands.data_commands,
            self._change_columns,
            self.commands.lessons.open_reported,
        )
        self.search.left.connect(self._end_search)
        QShortcut(QKeySequence("Ctrl+K"), self).activated.connect(self.begin_search)
        self.theme_button = self._quiet("moon", "Dark or light theme", self.toggle_dark)
        right = QHBoxLayout()
        right.addStretch(1)
        right.addWidget(self.theme_button)
        right.addWidget(self._quiet("projector", "Projector theme (P)", self.toggle_projector))
        line.addWidget(self.menus, 1, Qt.AlignmentFlag.AlignVCenter)
        line.addWidget(self.search)
        line.addLayout(right, 1)
        return frame

    def _change_columns(self, kind: str) -> None:
        self.left_dock.data.toggle(kind)

    def _quiet(self, icon: str, tip: str, effect: Any) -> QToolButton:
        button = QToolButton()
        icons.put(button, icon, "ink2", 20)
        describe(button, tip)
        button.clicked.connect(lambda *_: effect())
        return button

    def _right_rail(self) -> QWidget:
        dock = self.right_dock
        return self.room.add_rail(
            dock, {"Pseudo-code": dock.refresh, "This step": dock.refresh, "Why?": dock.show_why}
        )

    def _left_buttons(self) -> list[tuple[str, str, Any]]:
        dock = self.left_dock
        return [
            ("data", "Data", lambda: self.room.unfold(dock, dock.focus_data)),
            ("method", "Method", lambda: self.room.unfold(dock, dock.focus_algorithm)),
            ("probe", "Probe", lambda: self.commands.take_tool(TOOLS["Probe"])),
            ("add", "Points", lambda: self.commands.take_tool(TOOLS["Points"])),
            ("question", "Predict", self.session.predicting.toggle),
            ("pen", "Pen", self.pen.toggle),
            ("spotlight", "Spot", self.spotlight.toggle),
            ("expand", "Full", self.commands.toggle_full_screen),
        ]

    def _right_buttons(self) -> list[tuple[str, str, Any]]:
        return [
            ("code", "Code", lambda: self.room.unfold(self.right_dock)),
            ("why", "Why?", lambda: self.room.unfold(self.right_dock, self.right_dock.show_why)),
            ("curves", "Curves", lambda: self._show_curves(self.foot.isHidden())),
            ("back", "Back", self.session.previous),
            ("play", "Play", self.session.player.toggle),
            ("next", "Next", self.session.next),
            ("leave", "Leave", self.toggle_projector),
        ]

    def _on_changed(self, changes: Changes) -> None:
        if changes.window & Change.DOCUMENT:
            self._name()
        if changes.window & Change.PLAYING:
            self._show_playing()
        if changes.window & Change.SETTINGS:
            self._show_tool()
        if changes.window & Change.QUESTION:
            predicting = self.session.predicting
            self.left_strip.tick("Predict", predicting.on and predicting.given is None)

    def _show_playing(self) -> None:
        name, word = ("pause", "Pause") if self.session.player.playing else ("play", "Play")
        self.right_strip.dress("Play", name, word)

    def _show_tool(self) -> None:
        for word, tool in TOOLS.items():
            self.left_strip.tick(word, self.session.tool == tool)

    # -- looks -------------------------------------------------------------------------------------

    def use_theme(self, name: str) -> None:
        """Switch to a theme; the projector theme also folds the docks."""
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        if self.keys is not None:
            # the filter would see a thousand events of the new style for nothing
            app.removeEventFilter(self.keys)
        layouts = [self.centralWidget().layout(), *(cell.layout() for cell in self.lanes.cells)]
        for layout in layouts:
            layout.setEnabled(False)  # laid out once, when every part has its new size
        with dressing.postponed(app):
            # first, as hidden widgets need not be styled at once
            folded = self._fold(name == "projector")
            style.apply(app, name, self.type_size.step(name), folded)
        self._arrange()
        for layout in reversed(layouts):
            layout.setEnabled(True)
        layouts[0].activate()
        self.what_next.room_changed()
        self.message.place()
        if self.keys is not None:
            app.installEventFilter(self.keys)
        for each in theme.THEMES:
            self.action(each).setChecked(each == theme.current().name)
        if name != "projector":
            self.settings.setValue("theme", name)
        icons.put(self.theme_button, "sun" if name == "dark" else "moon", "ink2", 20)
        for plane in self.lanes.planes:
            plane.restyle()

    def _fold(self, projector: bool) -> list[QWidget]:
        """Show the parts of the projector theme, or of the other two; returns the widgets they
        hide.
        """
        large_parts = [self.title_row, self.caption_band, self.left_strip, self.right_strip]
        for large in large_parts:
            large.setVisible(projector)
        for part in (self.menu_row, self.transport):
            part.setVisible(not projector)
        self._place_message(projector)
        self.lanes.show_as(projector)
        self._offer_hands()
        self.room.set_projector(projector)
        # the timeline lies below everything; in the projector theme below the plane, and the number
        # is in the band
        (self.centre if projector else self.below).addWidget(self.foot)
        self.counter.setVisible(not projector)
        self._show_curves(not projector or self.stage.curve_leads)
        docks = [self.left_dock, self.right_dock, *(cell.chips for cell in self.lanes.cells)]
        return (
            [self.menu_row, self.transport, self.tool_strip, *docks] if projector else large_parts
        )

    def _offer_hands(self) -> None:
        """Show the tool strip only while the plane is shown."""
        self.tool_strip.setVisible(not self.lanes.projector and self.lanes.plane_shown)

    def _place_message(self, projector: bool) -> None:
        """Show messages in a line over the timeline; in the projector theme over the head, the
        remark on what is open below the caption.
        """
        if projector:
            self.below.removeWidget(self.message)
            self.message.setParent(self.centralWidget())
            self.message.give_remark(self.centre, self.centre.indexOf(self.caption_band) + 1)
            self.message.stand(self._head, floats=True)
        else:
            self.below.insertWidget(1, self.message)
            self.message.give_remark(None)
            self.message.stand(
                lambda: [QRect(0, 0, self.width(), self.timeline.spare())], floats=False
            )

    def _head(self) -> list[QRect]:
        """The part of the central widget for messages of the projector theme: title and settings;
        for long ones the legend and the choice of views too.
        """
        header = self.lanes.cells[0].projector_header
        beside = max(self.title_row.legend_width(), self.stage.switcher.width())
        top = self.title_row.mapTo(self.room.parts.whole, QPoint(0, 0))
        high = self.title_row.height() + header.height()
        whole = self.title_row.width()
        short = max(whole - round(beside), whole // 2)
        return [QRect(top, QSize(wide, high)) for wide in (short, whole)]

    def _make_room_for_message(self) -> None:
        """Take the height of the message from the timeline, before the pictures are laid out."""
        self.timeline.set_message(self.message.line_height)
        for part in (self.foot, self.centralWidget()):
            part.layout().activate()

    def _show_curves(self, shown: bool) -> None:
        """Show or hide the curves.

        They scrub too: in the projector theme they replace the scrubber of the band.
        """
        self.foot.setVisible(shown)
        self.caption_band.lend_scrubber(shown)
        self.right_strip.tick("Curves", shown)

    def _show_leading_curve(self) -> None:
        """Show the curve of the run while it is the lead picture; without a person's choice the
        projector theme hides it again afterwards.
        """
        leads = self.stage.curve_leads
        if leads != self._curve_leads:
            self._curve_leads = leads
            self._show_curves(leads or not self.lanes.projector)

    def toggle_dark(self) -> None:
        self.use_theme("light" if theme.current().name == "dark" else "dark")

    def toggle_projector(self) -> None:
        if theme.current().name == "projector":
            self.use_theme(self.before_projector)
        else:
            self.before_projector = theme.current().name
            self.use_theme("projector")

    def _class_place(self) -> QWidget:
        """The widget that shows the class, below which its name is edited."""
        return self.left_dock.data.picker if self.left_dock.isVisible() else self.chips

    def _arrange(self) -> None:
        look = theme.current()
        self.menu_row.setFixedHeight(style.bar(look, "menu"))
        least, most = (style.scale(look, wide) for wide in SEARCH)
        self.search.setFixedWidth(
            max(least, min(most, self.width() - style.scale(look, BESIDE_SEARCH)))
        )
        self.room.arrange()

    def begin_search(self) -> None:
        """Open the search; the projector theme shows its row while it is used."""
        self.menu_row.show()
        self.search.begin()

    def _end_search(self) -> None:
        self.menu_row.setVisible(theme.current().name != "projector")

    # -- state -------------------------------------------------------------------------------------

    def _name(self) -> None:
        self.setWindowTitle(
            f"{'*' * self.session.unsaved}{cut(self.commands.document_name())} – Learnscope"
        )

    def _restore(self) -> None:
        geometry = remembered.value(self.settings, "geometry")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)

    @guarded
    def closeEvent(self, event: Any) -> None:
        if not self.commands.may_leave():
            event.ignore()
            return
        self.settings.setValue("geometry", self.saveGeometry())
        self.commands.leave()
        self.session.close()
        super().closeEvent(event)

    @guarded
    def focusNextPrevChild(self, forward: bool) -> bool:
        parts = (
            self.menu_row,
            self.left_strip,
            self.tool_strip,
            self.left_dock,
            self.lanes,
            self.what_next,
            self.message,
            self.right_dock,
            self.right_strip,
            self.foot,
            self.transport,
        )
        return tab_order.move(parts, forward) or super().focusNextPrevChild(forward)

    @guarded
    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        self.blank.cover()
        self._arrange()
        self.what_next.room_changed()
        self.message.place()
        self.type_size.window_resized()

    def action(self, name: str) -> QAction:
        """The command of this name, for tests and the search."""
        return self.actions_.all[name]
