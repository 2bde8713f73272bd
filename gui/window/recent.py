"""What is remembered between sessions: recent files, the last folder, and unsaved documents."""

import os
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSettings, QStandardPaths, QTimer
from PySide6.QtWidgets import QMenu

from engine.base.errors import EngineError
from engine.base.notation import cut, quoted
from engine.document.document import Document
from engine.files.autosave import Autosave, Kept, Leftover
from engine.protocol.step import Level
from gui.base import remembered
from gui.base.plain_text import as_words, tip
from gui.session.changes import Change, Changes
from gui.session.session import Session

RECENT = 8
SAVE_AFTER_MS = 700


class Files:
    """Recent files and autosave for one window."""

    def __init__(
        self,
        session: Session,
        settings: QSettings,
        open_path: Callable[[str], None],
        show: Callable[[Document, int, Level], None],
        menu: QMenu,
        kept: Callable[[], Document],
    ) -> None:
        """open_path: opens a file; show: shows a document that is in no file, at a step of a
        level; kept: returns the document as it goes into a file, with the shown ranges of the
        plane.
        """
        self.session, self.settings, self.menu = session, settings, menu
        self._open, self._show, self._kept = open_path, show, kept
        place = QStandardPaths.writableLocation(
            QStandardPaths.StandardLocation.AppLocalDataLocation
        )
        self.autosave = Autosave(
            remembered.text(settings, "autosave_folder", str(Path(place) / "autosave"))
        )
        self._timer = QTimer(session)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SAVE_AFTER_MS)
        self._timer.timeout.connect(self._store)
        self._rest = QTimer(session, singleShot=True, interval=SAVE_AFTER_MS)
        self._rest.timeout.connect(self._store_step)
        self._fault = ""
        self._closed = False
        self._writing = threading.Lock()
        self._leftover: Leftover | None = None
        menu.aboutToShow.connect(self._fill_menu)
        session.changed.connect(self._on_changed)
        self._fill_menu()

    def _on_changed(self, changes: Changes) -> None:
        here = changes.of(self.session.lane_view)
        if here & Change.DOCUMENT:
            self._store_soon()
        if here & (Change.CURSOR | Change.PLAYING):
            self._rest.start()

    # -- recent ------------------------------------------------------------------------------------

    def recent(self) -> list[str]:
        """The paths opened or saved last, newest first; files that no longer exist are left out."""
        return [path for path in remembered.texts(self.settings, "recent") if os.path.exists(path)][
            :RECENT
        ]

    def remember(self, path: str) -> None:
        whole = str(Path(path).resolve())
        self.settings.setValue(
            "recent", [whole, *(p for p in self.recent() if p != whole)][:RECENT]
        )
        self.settings.setValue("folder", str(Path(whole).parent))
        self._fill_menu()

    def folder(self) -> str:
        return remembered.text(self.settings, "folder", str(Path.home()))

    def _fill_menu(self) -> None:
        self.menu.clear()
        for path in self.recent():
            action = self.menu.addAction(as_words(cut(Path(path).name)), partial(self._open, path))
            action.setToolTip(tip(path))
        self._add_unsaved()
        self.menu.setEnabled(bool(self.menu.actions()))

    def _add_unsaved(self) -> None:
        shelf = self.autosave.shelf()
        leftover = self._leftover
        if not shelf and leftover is None:
            return
        self.menu.addSeparator()
        if leftover is not None:
            self.menu.addAction(
                as_words(_unsaved_text(leftover.document.data.name, leftover.saved)),
                self.bring_back,
            )
        for kept in shelf:
            self.menu.addAction(
                as_words(_unsaved_text(kept.name, kept.saved)), partial(self._take, kept)
            )
        if shelf:
            self.menu.addAction("Forget what was not saved", self._forget)

    # -- safety copy -------------------------------------------------------------------------------

    def _store_soon(self) -> None:
        """Start the timer of the next safety copy.

        Further edits do not restart it, so a copy is never much older.
        """
        if not self._timer.isActive():
            self._timer.start()

    def _store(self) -> None:
        """Write the safety copy on a thread; documents are immutable, so this is safe."""
        threading.Thread(
            target=self._write, args=(self._kept(), *self._step()), daemon=True
        ).start()

    def _step(self) -> tuple[int, Level]:
        """The number of the shown step, and the level in which it counts."""
        return self.session.first_cursor, self.session.pace().level

    def rest(self) -> None:
        """Restart the timer that stores the shown step and ranges when they have not changed for a
        moment.
        """
        self._rest.start()

    def _store_step(self) -> None:
        """Store the shown step, after it has been shown for a moment.

        Not during playback.
        """
        if not self.session.player.playing and self.session.unsaved:
            self._store()

    def _write(self, document: Document, cursor: int, level: Level) -> None:
        try:
            with self._writing:
                if not self._closed:
                    self.autosave.store(document, cursor, level)
            if self._fault:
                self._fault = ""
                self.session.said.emit("", "fault")
        except EngineError as sentence:
            if str(sentence) != self._fault:
                self._fault = str(sentence)
                self.session.said.emit(self._fault, "fault")

    def secure(self) -> bool:
        """Write the safety copy now; returns whether that succeeded."""
        self._stop()
        try:
            with self._writing:
                self.autosave.store(self._kept(), *self._step())
        except EngineError:
            return False
        return True

    def _stop(self) -> None:
        """Stop both timers."""
        self._timer.stop()
        self._rest.stop()

    def close(self, keep: bool) -> None:
        """End the session: wait for a copy that is being written, then keep it or remove it.

        An unsaved document of the last session that was not opened goes on the shelf.
        """
        self._stop()
        with self._writing:
            self._closed = True
            (self.autosave.keep if keep else self.autosave.clear)()
        if self._leftover is not None:
            self._leftover.shelve()
            self._leftover = None

    # -- work that was never saved -----------------------------------------------------------------

    def offer(self) -> None:
        """Offer what the last session left, at the start; older documents go into the menu."""
        self._leftover = self.autosave.pending()
        if self._leftover is None:
            return
        while (older := self.autosave.pending()) is not None:
            older.shelve()
        name = self._leftover.document.data.name
        self.session.offer(
            f"Unsaved work on {quoted(name)} was kept.", "Bring it back", self.bring_back
        )
        self._fill_menu()

    def bring_back(self) -> None:
        """Open what the last session left."""
        leftover = self._leftover
        self._leftover = None
        if leftover is not None:
            try:
                self.shelve()
                project = leftover.project
                self._show(self.autosave.adopt(leftover), project.cursor or 0, project.level)
            except EngineError as sentence:
                self._leftover = leftover
                self.session.say(str(sentence), "error")
            self._fill_menu()

    def shelve(self) -> None:
        """Put an unsaved document on the shelf before another one is opened."""
        if self.session.unsaved:
            try:
                self.autosave.shelve(self._kept(), *self._step())
            except EngineError as sentence:
                self.session.say(str(sentence), "fault")
            self._fill_menu()

    def _take(self, kept: Kept) -> None:
        try:
            self.shelve()
            project = self.autosave.take(kept)
            self._show(project.document, project.cursor or 0, project.level)
        except EngineError as sentence:
            self.session.say(str(sentence), "error")
        self._fill_menu()

    def _forget(self) -> None:
        self.autosave.clear_shelf()
        self._fill_menu()


def _unsaved_text(name: str, saved: float) -> str:
    return (
        f"{quoted(name)}, not saved,"
        f" {time.strftime('%d %b %H:%M', time.localtime(saved)).lstrip('0')}"
    )
