"""Every command of the window, defined once: its words, key and effect.

Menus, the search and tool tips read it from here.
"""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from engine.base.records import Record
from engine.document.document import MAX_LANES
from engine.protocol.step import Level
from gui.base.plain_text import as_words
from gui.look.theme import THEMES
from gui.session.changes import Change, Changes
from gui.session.sync_mode import SyncMode
from gui.window.blank import Blank
from gui.window.commands import Commands
from gui.window.pen import Pen
from gui.window.spotlight import Spotlight

Effect = Callable[[], object]
# second keys: where a keyboard needs Shift, or as in other programs
ALSO = {"larger": ("Ctrl+=",), "redo": ("Ctrl+Y",), "predict": ("Shift+?",)}
SEPARATOR = ("", "", "", None)


class ViewEffects(Record, eq=True):
    """What the commands of the menu View do to the window.

    zoom_type: by this many steps; 0: the size that the window suggests
    """

    use_theme: Callable[[str], object]
    toggle_projector: Effect
    zoom_type: Callable[[int], object]
    next_edge: Effect
    pen: Pen
    spotlight: Spotlight


class Actions(QObject):
    """Creates the actions and menus of the window.

    The window owns them, so that a session that outlives it keeps no stale connections.
    """

    def __init__(
        self, window: QWidget, commands: Commands, blank: Blank, view: ViewEffects
    ) -> None:
        super().__init__(window)
        self._window = window
        self._commands = commands
        self._session = commands.session
        self.all: dict[str, QAction] = {}
        self.menus: list[QMenu] = []
        self._file_and_edit()
        self._view(blank, view)
        self._data()
        self._lane()
        self._run_and_help()
        for name in ("snap", "hatch", "pen", "spotlight", "start_with_lessons", *THEMES):
            self.all[name].setCheckable(True)
        self.all["start_with_lessons"].setChecked(commands.lessons.first)
        self._session.changed.connect(self._on_changed)
        self.refresh()

    def _on_changed(self, changes: Changes) -> None:
        here = changes.of(self._session.lane_view)
        if here & (Change.DOCUMENT | Change.ACTIVE):
            self.refresh()
        elif here & Change.RUN:
            self._refresh_run()
        if here & Change.CURSOR:
            self._refresh_model()
        if here & Change.SETTINGS:
            self._tick_time()

    def _file_and_edit(self) -> None:
        commands, session = self._commands, self._session
        self._menu(
            "&File",
            [
                ("new", "New, with an empty plane", "Ctrl+N", commands.new),
                ("open", "Open table or project…", "Ctrl+O", commands.open),
                ("recent", "Open recent", "", None),
                SEPARATOR,
                ("save", "Save project", "Ctrl+S", commands.save),
                ("save_as", "Save project as…", "Ctrl+Shift+S", commands.save_as),
                ("export", "Save a picture…", "Ctrl+E", commands.exports.picture),
                ("exports", "Export", "", None),
                ("lessons", "Lessons…", "Ctrl+L", commands.lessons.browse),
                ("start_with_lessons", "Start with the lessons", "", commands.lessons.start_with),
                ("open_lesson", "Open lesson…", "", commands.lessons.choose),
                ("present", "Presenter’s window", "", commands.lessons.present),
                ("hand_in", "Hand in what you did…", "", commands.lessons.hand_in),
                ("make_lesson", "Make a lesson from here…", "", commands.lessons.write),
                ("hand_ins", "Hand-ins of a class…", "", commands.lessons.show_marks),
                ("playlist", "Open playlist…", "", commands.playlist.choose),
                ("make_playlist", "Make a playlist…", "", commands.playlist.make),
                ("leave_playlist", "Leave the playlist", "", commands.playlist.leave),
                ("own_algorithms", "Folder of your own algorithms…", "", commands.own.choose),
                SEPARATOR,
                ("quit", "Quit", "Ctrl+Q", self._window.close),
            ],
        )
        self._menu(
            "&Edit",
            [
                ("undo", "Undo", "Ctrl+Z", session.undo),
                ("redo", "Redo", "Ctrl+Shift+Z", session.redo),
                SEPARATOR,
                ("copy", "Copy points", "Ctrl+C", commands.copy),
                ("paste", "Paste points or a table", "Ctrl+V", commands.paste),
                ("select_all", "Select all points", "Ctrl+A", commands.select_all),
                ("delete", "Delete selected points", "Del", commands.delete),
            ],
        )

    def _view(self, blank: Blank, view: ViewEffects) -> None:
        commands = self._commands
        lanes = self._commands.lanes
        self._menu(
            "&View",
            [
                ("fit", "Fit all points", "F", commands.fit),
                ("limits", "Ranges of the axes…", "", lambda: lanes.planes[0].ask_limits()),
                ("zoom_in", "Zoom in", "", lambda: lanes.plane.zoom(1.25)),
                ("zoom_out", "Zoom out", "", lambda: lanes.plane.zoom(0.8)),
                ("larger", "Larger type", "Ctrl++", lambda: view.zoom_type(1)),
                ("smaller", "Smaller type", "Ctrl+-", lambda: view.zoom_type(-1)),
                (
                    "usual",
                    "Type as large as the window suggests",
                    "Ctrl+0",
                    lambda: view.zoom_type(0),
                ),
                ("edge", "To the next edge, which arrows move", "F6", view.next_edge),
                ("snap", "Snap to grid", "G", commands.toggle_snap),
                ("hatch", "Hatch the regions", "H", commands.toggle_hatch),
                SEPARATOR,
                ("light", "Light theme", "", lambda: view.use_theme("light")),
                ("dark", "Dark theme", "", lambda: view.use_theme("dark")),
                ("projector", "Projector", "P", view.toggle_projector),
                ("pen", "Draw over the picture", "D", view.pen.toggle),
                ("clear_pen", "Clear what was drawn", "C", view.pen.clear),
                ("spotlight", "Spotlight at the pointer", "T", view.spotlight.toggle),
                ("blank", "Blank the screen", ".", blank.toggle),
                ("full", "Full screen", "F11", commands.toggle_full_screen),
            ],
        )

    def _data(self) -> None:
        commands = self._commands
        self._menu(
            "&Data",
            [
                ("table", "Edit table…", "Ctrl+T", commands.edit_table),
                ("save_table", "Save table as CSV…", "", commands.exports.table),
                ("rename_class", "Rename the class…", "", commands.rename_class),
                ("clear", "Remove all points", "", commands.clear),
                ("probe_off", "Take the probe away", "Escape", commands.remove_probe),
            ],
        )

    def _lane(self) -> None:
        lanes = self._commands.lanes
        lane_commands = self._commands.lanes.lane_commands
        self._menu(
            "&Lane",
            [
                ("add_lane", "Add a lane beside", "", lanes.add),
                ("duplicate_lane", "Duplicate this lane", "", lane_commands.duplicate),
                ("fork_lane", "Fork here", "Ctrl+D", lane_commands.fork),
                (
                    "take_other",
                    "Fork and take the other of a tie",
                    "Ctrl+Shift+D",
                    lane_commands.take_other,
                ),
                ("set_weight", "Set a weight by hand…", "", self._commands.set_weight),
                ("own_points", "Points of its own for this lane", "", lane_commands.own_points),
                ("sweep", "Compare values of a parameter…", "", self._commands.compare_values),
                SEPARATOR,
                ("next_lane", "To the next lane", "Ctrl+Tab", lane_commands.next_lane),
                ("swap_lane", "Swap this lane with the next", "", lane_commands.swap_with_next),
                ("only_lane", "Keep only this lane", "", lane_commands.keep_only),
                ("remove_lane", "Remove this lane", "", lane_commands.remove),
                SEPARATOR,
                *(
                    (
                        each.name,
                        f"Same time: {each.value}",
                        "",
                        partial(self._session.set_together, each),
                    )
                    for each in SyncMode
                ),
            ],
        )
        for name in ("own_points", *(each.name for each in SyncMode)):
            self.all[name].setCheckable(True)
        self._tick_time()

    def _tick_time(self) -> None:
        for each in SyncMode:
            self.all[each.name].setChecked(each is self._session.together)

    def _run_and_help(self) -> None:
        commands, session = self._commands, self._session
        self._menu(
            "&Run",
            [
                # the key is read by gui/window/keys.py
                ("play", "Play or pause\tSpace", "", session.player.toggle),
                ("next", "One step on", "Right", session.next),
                ("previous", "One step back", "Left", session.previous),
                ("next_round", "One round on", "Shift+Right", lambda: session.next(Level.ROUND)),
                (
                    "previous_round",
                    "One round back",
                    "Shift+Left",
                    lambda: session.previous(Level.ROUND),
                ),
                (
                    "next_mark",
                    "To the next mark of a figure",
                    "Alt+Right",
                    lambda: session.go_to_mark(+1),
                ),
                ("previous_mark", "To the mark before", "Alt+Left", lambda: session.go_to_mark(-1)),
                ("first", "To the start", "Home", lambda: session.seek(0)),
                ("last", "To the end", "End", commands.to_end),
                SEPARATOR,
                ("slower", "Slower", "[", session.player.slower),
                ("faster", "Faster", "]", session.player.faster),
                ("breakpoints", "Stop at events on or off", "B", commands.toggle_breakpoints),
                (
                    "predict",
                    "Predict the next steps, or show them again",
                    "?",
                    session.predicting.toggle,
                ),
                ("seed", "Another seed", "", commands.next_seed),
                SEPARATOR,
                ("go_on", "Go on from this step", "", session.continuation.from_here),
                ("anew", "Start anew", "", session.continuation.restart),
                (
                    "open_run",
                    "Open the run shown on the plane",
                    "Ctrl+Return",
                    session.continuation.open_run,
                ),
            ],
        )
        self._menu(
            "&Help",
            [
                ("book", "Books and topics…", "", commands.show_book),
                ("keys", "Keys", "F1", commands.show_keys),
                ("step_text", "Copy this step as text", "Ctrl+Shift+C", commands.copy_step),
                ("about", "About Learnscope", "", commands.about),
            ],
        )

    def _menu(self, title: str, rows: list[tuple[str, str, str, Effect | None]]) -> None:
        menu = QMenu(title, self._window)
        for name, text, key, effect in rows:
            if not name:
                menu.addSeparator()
            elif name == "recent":
                menu.addMenu(self._commands.files.menu)
            elif name == "exports":
                menu.addMenu(self._exports())
            else:
                menu.addAction(self._action(name, text, key, effect))
        self.menus.append(menu)

    def _exports(self) -> QMenu:
        """The submenu of exports of a run."""
        exports = self._commands.exports
        menu = QMenu("Export", self._window)
        for name, text, effect in (
            ("export_page", "Page to step through…", exports.page),
            ("film", "Moving picture…", exports.moving_picture),
            ("handout", "Handout…", exports.handout),
            ("export_questions", "Questions for a course…", exports.questions),
            ("script", "Python script…", exports.script),
            ("numbers", "Numbers as CSV…", exports.numbers),
        ):
            menu.addAction(self._action(name, text, "", effect))
        return menu

    def _action(self, name: str, text: str, key: str, effect: Effect | None) -> QAction:
        action = QAction(text, self._window)
        if key:
            action.setShortcuts([QKeySequence(each) for each in (key, *ALSO.get(name, ()))])
        action.triggered.connect(lambda *_: effect() if effect is not None else None)
        self._window.addAction(action)
        self.all[name] = action
        return action

    def refresh(self) -> None:
        """Update the texts of undo and redo, and enable what is possible now."""
        history = self._session.history
        for name, edits, word in (("undo", history.done, "Undo"), ("redo", history.undone, "Redo")):
            self.all[name].setEnabled(bool(edits))
            self.all[name].setText(as_words(f"{word}: {edits[-1].label}") if edits else word)
        count = len(self._session.document.lanes)
        for name in ("next_lane", "swap_lane", "only_lane", "remove_lane"):
            self.all[name].setEnabled(count > 1)
        self.all["own_points"].setChecked(self._session.lane.data is not None)
        for name in ("add_lane", "duplicate_lane", "fork_lane", "take_other"):
            self.all[name].setEnabled(count < MAX_LANES)
        self._refresh_run()

    def _refresh_run(self) -> None:
        continuation = self._session.continuation
        self.all["go_on"].setEnabled(continuation.possible)
        self.all["anew"].setEnabled(continuation.went_on)
        self._refresh_model()

    def _refresh_model(self) -> None:
        self.all["open_run"].setEnabled(self._session.continuation.model is not None)
