"""A folder with the person's own algorithms: chosen once, remembered, read at every start."""

from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QFileDialog, QWidget

from engine.base.errors import EngineError
from engine.base.notation import counted, cut, quoted
from engine.protocol.registry import add_algorithms, broken
from gui.base import remembered
from gui.session.session import Session

KEY = "own_algorithms"


class OwnAlgorithms:
    """Registers the algorithms in the remembered folder in addition to the built-in ones."""

    def __init__(self, session: Session, settings: QSettings, window: QWidget) -> None:
        self.session, self.settings, self.window = session, settings, window

    @property
    def folder(self) -> str:
        return remembered.text(self.settings, KEY)

    def load(self) -> None:
        """Register the pages of the remembered folder, at the start; they are imported when the
        list is opened.
        """
        if self.folder:
            self._add(self.folder)

    def choose(self) -> None:
        found = QFileDialog.getExistingDirectory(
            self.window, "A folder with algorithms of your own", self.folder
        )
        if found:
            self.use(found)

    def use(self, folder: str) -> None:
        """Remember a folder and read its files, again where they have changed."""
        keys = self._add(folder)
        if keys is None:
            return
        self.settings.setValue(KEY, folder)
        bad = [key for key in keys if key in broken()]
        good = [key for key in keys if key not in bad]
        if not keys:
            self.session.say(
                f"There is no Python file in {quoted(cut(Path(folder).name))} yet.", "error"
            )
        elif bad:
            self.session.say(
                f"The algorithm {quoted(bad[0])} cannot be loaded: {broken()[bad[0]]:.300}", "error"
            )
        else:
            self.session.say(
                f"{counted(len(good), 'algorithm')} of your own in the list:"
                f" {cut(', '.join(good))}."
            )

    def _add(self, folder: str) -> tuple[str, ...] | None:
        try:
            return add_algorithms(folder)
        except EngineError as sentence:
            self.session.offer(str(sentence), "Choose a folder…", self.choose, "error")
            return None
