"""What is remembered between sessions: recent files, the last folder, and the safety copy of the document."""

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSettings, QStandardPaths, QTimer
from PySide6.QtWidgets import QMenu

from engine.core.errors import EngineError
from engine.files.autosave import Autosave
from engine.files.project import SUFFIX
from gui.session import Session

PROJECT = SUFFIX
RECENT = 8
SAVE_AFTER_MS = 700


class Files:
    """Recent files and autosave for one window."""

    def __init__(self, session: Session, settings: QSettings, open_path: Callable[[str], None], menu: QMenu) -> None:
        self.session, self.settings, self.menu = session, settings, menu
        self._open = open_path
        place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation)
        self.autosave = Autosave(str(settings.value("autosave_folder", "")) or str(Path(place) / "autosave"))
        self._timer = QTimer(session)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SAVE_AFTER_MS)
        self._timer.timeout.connect(self._store)
        self._fault, self._closed = "", False
        self._writing = threading.Lock()
        session.document_changed.connect(self._timer.start)
        self._fill_menu()

    # -- recent ----------------------------------------------------------------------------------------------------

    def recent(self) -> list[str]:
        """Paths opened or saved last, newest first, of files that are still there."""
        value = self.settings.value("recent", [])
        paths = [value] if isinstance(value, str) else list(value or [])
        return [path for path in paths if Path(path).exists()][:RECENT]

    def remember(self, path: str) -> None:
        whole = str(Path(path).resolve())
        self.settings.setValue("recent", [whole, *(p for p in self.recent() if p != whole)][:RECENT])
        self.settings.setValue("folder", str(Path(whole).parent))
        self._fill_menu()

    def folder(self) -> str:
        return str(self.settings.value("folder", "") or Path.home())

    def _fill_menu(self) -> None:
        self.menu.clear()
        for path in self.recent():
            action = self.menu.addAction(Path(path).name, partial(self._open, path))
            action.setToolTip(path)
        self.menu.setEnabled(bool(self.menu.actions()))

    # -- safety copy -----------------------------------------------------------------------------------------------

    def _store(self) -> None:
        """Write in the background; a document never changes, so that is safe."""
        threading.Thread(target=self._write, args=(self.session.document, self.session.cursor), daemon=True).start()

    def _write(self, document: object, cursor: int) -> None:
        try:
            with self._writing:
                if not self._closed:
                    self.autosave.store(document, cursor)  # type: ignore[arg-type]
            self._fault = ""
        except EngineError as sentence:
            if str(sentence) != self._fault:
                self._fault = str(sentence)
                self.session.said.emit(self._fault, "error")

    def close(self) -> None:
        """The session ends in order: a copy that is being written is waited for and removed too."""
        self._timer.stop()
        with self._writing:
            self._closed = True
            self.autosave.clear()
