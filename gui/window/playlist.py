"""A playlist at work: Page Down opens the next station, Page Up the one before."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from engine.base.errors import EngineError
from engine.base.notation import cut
from engine.files import PLAYLIST
from engine.files import SUFFIX as PROJECT
from gui.session.session import Session
from gui.setup.data_commands import DataCommands
from gui.window.recent import Files

FILTER = f"Playlists (*{PLAYLIST} *.txt);;All files (*)"
NO_MORE = "That was the last station; Page Up goes back."
NO_LESS = "This is the first station; Page Down goes on."


class PlaylistWalk:
    """The open playlist, if there is one, and the station that is shown.

    stations: as the file names them, () without a playlist
    at: the number of the shown station, −1 before the first
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        files: Files,
        data_commands: DataCommands,
        open_file: Callable[[str], None],
        lesson_here: Callable[[], str],
    ) -> None:
        """open_file: opens a project file or a lesson; raises EngineError
        lesson_here: key or file of the open lesson, "" without one
        """
        self.window, self.session, self.files = window, session, files
        self.data_commands, self._open_file = data_commands, open_file
        self._lesson_here = lesson_here
        self.stations: tuple[str, ...] = ()
        self.folder = Path()
        self.at = -1

    @property
    def running(self) -> bool:
        return bool(self.stations)

    def choose(self) -> None:
        """Ask for the file of a playlist, and open it."""
        path, _ = QFileDialog.getOpenFileName(
            self.window, "Open a playlist", self.files.folder(), FILTER
        )
        if path:
            self.open(path)

    def open(self, path: str) -> None:
        """Open a playlist at its first station that can be opened."""
        from engine.files.playlist import read_playlist  # reads the books, later than the window

        try:
            playlist = read_playlist(path)
        except EngineError as sentence:
            self.session.say(str(sentence), "error")
            return
        self.files.remember(path)
        self.begin(playlist.folder, playlist.stations)

    def begin(self, folder: Path, stations: tuple[str, ...]) -> None:
        """Walk through these stations; project files are seen from `folder`."""
        self.folder, self.stations, self.at = folder, stations, -1
        self.step(1)

    def leave(self) -> None:
        """Close the playlist: Page Up and Page Down step through the run again."""
        if self.running:
            self.stations, self.at = (), -1
            self.session.say("The playlist is closed; Page Up and Page Down step through the run.")

    def step(self, way: int) -> None:
        """Open the next station (way 1) or the one before (−1).

        Those that cannot be opened are walked over, with a sentence for each.
        """
        self.session.say("", "error")
        refused: list[str] = []
        place = self.at + way
        while 0 <= place < len(self.stations):
            try:
                self._show(self.stations[place])
            except EngineError as sentence:
                refused.append(f"Station {place + 1} is left out. {sentence}")
                place += way
                continue
            self.at = place
            name = Path(self.stations[place]).name.removesuffix(PROJECT)
            said = f"Station {place + 1} of {len(self.stations)}: {cut(name)}."
            break
        else:
            said = NO_MORE if way > 0 else NO_LESS
        self.session.say(" ".join([*refused, said]), "error" if refused else "info")

    def go_on(self, way: int) -> bool:
        """Leave the first or last page of a lesson for the next station; False where none is."""
        if not 0 <= self.at + way < len(self.stations):
            return False
        self.step(way)
        return True

    def _show(self, station: str) -> None:
        from engine.files.playlist import is_file, opening_of
        from engine.lessons.library import with_key

        if is_file(station):
            self._open_file(str(self.folder / station))
            return
        if (head := with_key(station)) is not None:
            self._open_file(str(head.path))
            return
        place, way = opening_of(station)
        document = way.document(self.session.document, self.session.active)
        self.files.shelve()
        self.session.player.pause()
        self.session.open(document)  # no file, so that saving overwrites none
        self.data_commands.show_place(place, way, document)

    def here(self) -> str:
        """The station that names what is shown now.

        Raises EngineError where it is no place of a text, no lesson, and not saved in a project
        file.
        """
        named = self._lesson_here() or self.data_commands.station()
        if named:
            return named
        if self.session.path is None or self.session.unsaved:
            raise EngineError(
                "What is shown is in no file yet: save the project (Ctrl+S), and add it then."
            )
        return str(Path(self.session.path).resolve())

    def make(self) -> None:
        """Open the dialog that makes a playlist or changes the open one."""
        from gui.dialogs.playlist import PlaylistDialog

        PlaylistDialog(self.window, self).show()
