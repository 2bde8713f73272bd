"""The dialog that makes a playlist: its stations in their order."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.base.errors import EngineError
from engine.base.notation import cut
from engine.files import PLAYLIST
from engine.files.playlist import MOST, is_file, opening_of, write_playlist
from engine.lessons.library import with_key
from gui.dialogs.rows import without_check
from gui.widgets.controls import ErrorLine, describe, label

if TYPE_CHECKING:
    from gui.window.playlist import PlaylistWalk

FILES = "Projects and lessons (*.learnscope *.lesson *.toml)"
EXAMPLE = "AIMA Fig 18.6, a lesson (AI03), or a file"
SAID = "Page Down opens the next station, Page Up the one before."


class PlaylistDialog(QDialog):
    """Lists the stations; each can be added, moved and removed. It is not modal.

    walk: the open playlist, from whose stations it begins
    """

    def __init__(self, parent: QWidget, walk: "PlaylistWalk") -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Playlist")
        self.walk = walk
        self.list = QListWidget()
        describe(self.list, "Stations, in their order", "")
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for station in walk.stations:
            whole = walk.folder / station
            self.list.addItem(str(whole) if is_file(station) else station)
        self.field = QLineEdit()
        self.field.setPlaceholderText(EXAMPLE)
        describe(self.field, "A further station", f"A further station: {EXAMPLE}")
        self.field.returnPressed.connect(lambda: self.add(self.field.text().strip()))
        self.error = ErrorLine()
        self.buttons: dict[str, QPushButton] = {}
        self._build()
        self.resize(640, 420)

    def _build(self) -> None:
        side = QVBoxLayout()
        effect: Callable[[], object]
        for words, about, effect in (
            (
                "Add what is shown",
                "Add the opening or project that the window shows",
                self.add_here,
            ),
            ("Add files…", "Add project files and lessons", self.add_files),
            ("Up", "Move the station up", lambda: self.shift(-1)),
            ("Down", "Move the station down", lambda: self.shift(1)),
            ("Remove", "Remove the station", self.remove),
        ):
            side.addWidget(self._button(words, about, effect))
        side.addStretch(1)
        foot = QHBoxLayout()
        foot.addStretch(1)
        for words, about, effect in (
            ("Close", "Close (Escape)", self.close),
            ("Begin", "Open the first station", self.begin),
            ("Save…", "Save the playlist as a file", self.save),
        ):
            foot.addWidget(self._button(words, about, effect))
        grid = QGridLayout(self)
        grid.setContentsMargins(20, 16, 20, 16)
        grid.setSpacing(10)
        grid.addWidget(self.list, 0, 0)
        grid.addLayout(side, 0, 1)
        grid.addWidget(self.field, 1, 0)
        grid.addWidget(self._button("Add", "Add this station", self._add_typed), 1, 1)
        grid.addWidget(self.error, 2, 0, 1, 2)
        grid.addWidget(label(SAID, "caption"), 3, 0, 1, 2)
        grid.addLayout(foot, 4, 0, 1, 2)

    def _button(self, words: str, about: str, effect: Callable[[], object]) -> QPushButton:
        button = self.buttons[words] = QPushButton(words)
        button.setAutoDefault(False)
        describe(button, words, about)
        without_check(button, effect)
        return button

    @property
    def stations(self) -> tuple[str, ...]:
        return tuple(self.list.item(k).text() for k in range(self.list.count()))

    # -- changes -----------------------------------------------------------------------------------

    def _add_typed(self) -> None:
        self.add(self.field.text().strip())

    def add(self, station: str) -> None:
        """Add a station below the marked one, or say what is wrong with it."""
        self.error.show_error("")
        try:
            self._check(station)
        except EngineError as sentence:
            self.error.show_error(str(sentence))
            return
        row = self.list.currentRow() + 1 if self.list.currentRow() >= 0 else self.list.count()
        self.list.insertItem(row, station)
        self.list.setCurrentRow(row)
        self.field.clear()

    def _check(self, station: str) -> None:
        if self.list.count() >= MOST:
            raise EngineError(f"A playlist has at most {MOST} stations.")
        if not is_file(station):
            _ = with_key(station) or opening_of(station)
        elif not (self.walk.folder / station).is_file():
            raise EngineError(f"There is no file {cut(station)}.")

    def add_here(self) -> None:
        """Add what the window shows."""
        try:
            station = self.walk.here()
        except EngineError as sentence:
            self.error.show_error(str(sentence))
            return
        self.add(station)

    def add_files(self) -> None:
        """Ask for project files, and add them."""
        paths, _ = QFileDialog.getOpenFileNames(
            self, "Add projects and lessons", self.walk.files.folder(), FILES
        )
        for path in paths:
            self.add(path)

    def shift(self, way: int) -> None:
        """Move the marked station up (−1) or down (1)."""
        row = self.list.currentRow()
        if row >= 0 and 0 <= row + way < self.list.count():
            self.list.insertItem(row + way, self.list.takeItem(row))
            self.list.setCurrentRow(row + way)

    def remove(self) -> None:
        if self.list.currentRow() >= 0:
            self.list.takeItem(self.list.currentRow())

    # -- what becomes of it ------------------------------------------------------------------------

    def begin(self) -> None:
        """Close, and open the first station."""
        if not self.stations:
            self.error.show_error("There is no station yet.")
            return
        self.close()
        self.walk.begin(self.walk.folder, self.stations)

    def save(self) -> None:
        """Ask for the file, and write the playlist; it stays open where that fails."""
        if not self.stations:
            self.error.show_error("There is no station yet.")
            return
        start = str(Path(self.walk.files.folder()) / f"lecture{PLAYLIST}")
        path, _ = QFileDialog.getSaveFileName(
            self, "Save the playlist", start, f"Playlist (*{PLAYLIST})"
        )
        if not path:
            return
        path = path if Path(path).suffix else f"{path}{PLAYLIST}"
        try:
            write_playlist(path, self.stations)
        except EngineError as sentence:
            self.error.show_error(str(sentence))
            return
        self.walk.files.remember(path)
        self.walk.session.say(f"Saved as {cut(Path(path).name)}; File → Open playlist walks it.")
        self.close()
