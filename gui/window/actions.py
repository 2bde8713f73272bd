"""Every command of the window: its words, key and effect, once. Menus, the search and tool tips read it from here."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from engine.core.step import Level
from gui.look.theme import THEMES
from gui.widgets.plain_text import as_words

if TYPE_CHECKING:
    from gui.window.commands import Hands
    from gui.window.main_window import MainWindow

ALSO = {"zoom_in": ("Ctrl+=",), "redo": ("Ctrl+Y",)}  # where plus needs Shift; habit of other programs
SEPARATOR = ("", "", "", None)


class Actions:
    """The window's QActions by name, and the menus made of them."""

    def __init__(self, window: "MainWindow") -> None:
        self.window = window
        self.all: dict[str, QAction] = {}
        self.menus: list[QMenu] = []
        hands = window.hands
        self._file_and_edit(hands)
        self._view_and_data(hands)
        self._run_and_help(hands)
        for name in ("snap", "hatch", *THEMES):
            self.all[name].setCheckable(True)
        window.session.document_changed.connect(self.refresh)
        window.session.run_changed.connect(self._refresh_run)
        self.refresh()

    def _file_and_edit(self, hands: "Hands") -> None:
        session, window = self.window.session, self.window
        self._menu(
            "&File",
            [
                ("new", "New, with an empty plane", "Ctrl+N", hands.new),
                ("open", "Open table or project…", "Ctrl+O", hands.open),
                ("recent", "Open recent", "", None),
                SEPARATOR,
                ("save", "Save project", "Ctrl+S", hands.save),
                ("save_as", "Save project as…", "Ctrl+Shift+S", hands.save_as),
                ("export", "Save the plane as a picture…", "Ctrl+E", hands.export_plane),
                SEPARATOR,
                ("quit", "Quit", "Ctrl+Q", window.close),
            ],
        )
        self._menu(
            "&Edit",
            [
                ("undo", "Undo", "Ctrl+Z", session.undo),
                ("redo", "Redo", "Ctrl+Shift+Z", session.redo),
                SEPARATOR,
                ("copy", "Copy points", "Ctrl+C", hands.copy),
                ("paste", "Paste points or a table", "Ctrl+V", hands.paste),
                ("select_all", "Select all points", "Ctrl+A", hands.select_all),
                ("delete", "Delete selected points", "Del", hands.delete),
            ],
        )

    def _view_and_data(self, hands: "Hands") -> None:
        window = self.window
        self._menu(
            "&View",
            [
                ("fit", "Fit all points", "F", window.plane.ranges.fit_points),
                ("zoom_in", "Zoom in", "Ctrl++", lambda: window.plane.zoom(1.25)),
                ("zoom_out", "Zoom out", "Ctrl+-", lambda: window.plane.zoom(0.8)),
                ("snap", "Snap to grid", "G", hands.toggle_snap),
                ("hatch", "Hatch the regions", "H", hands.toggle_hatch),
                SEPARATOR,
                ("light", "Light theme", "", lambda: window.use_theme("light")),
                ("dark", "Dark theme", "", lambda: window.use_theme("dark")),
                ("projector", "Projector", "P", window.toggle_projector),
                ("blank", "Blank the screen", ".", window.toggle_blank),
                ("full", "Full screen", "F11", window.toggle_full_screen),
            ],
        )
        self._menu(
            "&Data",
            [
                ("table", "Edit table…", "Ctrl+T", hands.edit_table),
                ("rename_class", "Rename the class…", "", hands.rename_class),
                ("clear", "Remove all points", "", hands.clear),
                ("probe_off", "Take the probe away", "Escape", hands.remove_probe),
            ],
        )

    def _run_and_help(self, hands: "Hands") -> None:
        session = self.window.session
        self._menu(
            "&Run",
            [
                ("play", "Play or pause\tSpace", "", session.player.toggle),  # the key is read by gui/window/keys.py
                ("next", "One step on", "Right", session.next),
                ("previous", "One step back", "Left", session.previous),
                ("next_round", "One round on", "Shift+Right", lambda: session.next(Level.ROUND)),
                ("previous_round", "One round back", "Shift+Left", lambda: session.previous(Level.ROUND)),
                ("first", "To the start", "Home", lambda: session.seek(0)),
                ("last", "To the end", "End", hands.to_end),
                SEPARATOR,
                ("slower", "Slower", "[", session.player.slower),
                ("faster", "Faster", "]", session.player.faster),
                ("breakpoints", "Stop at events on or off", "B", hands.toggle_breakpoints),
                ("seed", "Another seed", "", hands.next_seed),
                SEPARATOR,
                ("go_on", "Go on from this step", "", session.going_on.from_here),
                ("anew", "Start anew", "", session.going_on.anew),
            ],
        )
        self._menu("&Help", [
            ("keys", "Keys", "F1", hands.show_keys),
            ("step_text", "Copy this step as text", "Ctrl+Shift+C", hands.copy_step),
            ("about", "About Learnscope", "", hands.about),
        ])  # fmt: skip

    def _menu(self, title: str, rows: list[tuple[str, str, str, Callable[[], object] | None]]) -> None:
        menu = QMenu(title, self.window)
        for name, text, key, effect in rows:
            if not name:
                menu.addSeparator()
            elif name == "recent":
                menu.addMenu(self.window.recent_menu)
            else:
                menu.addAction(self._action(name, text, key, effect))
        self.menus.append(menu)

    def _action(self, name: str, text: str, key: str, effect: Callable[[], object] | None) -> QAction:
        action = QAction(text, self.window)
        if key:
            action.setShortcuts([QKeySequence(each) for each in (key, *ALSO.get(name, ()))])
        action.triggered.connect(lambda *_: effect() if effect is not None else None)
        self.window.addAction(action)
        self.all[name] = action
        return action

    def refresh(self) -> None:
        """Say what undo and redo would do; grey what cannot be done now."""
        history = self.window.session.history
        for name, edits, word in (("undo", history.done, "Undo"), ("redo", history.undone, "Redo")):
            self.all[name].setEnabled(bool(edits))
            self.all[name].setText(as_words(f"{word}: {edits[-1].label}") if edits else word)
        self._refresh_run()

    def _refresh_run(self) -> None:
        going_on = self.window.session.going_on
        self.all["go_on"].setEnabled(going_on.possible)
        self.all["anew"].setEnabled(going_on.went_on)
