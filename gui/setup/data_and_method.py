"""The picker of data: the tables of this window, those of the lab by kind, and last those that the
algorithm cannot take.
"""

from PySide6.QtCore import Signal

from engine.base.notation import cut
from engine.protocol.registry import algorithms
from gui.session.changes import Change, Changes
from gui.session.session import Session
from gui.setup.data_commands import MENDED, DataCommands
from gui.setup.picker import Entry, Picker
from gui.setup.picker_catalogue import BROKEN, algorithm_entries, data_entries, source


class AlgorithmPicker(Picker):
    """picked(key): an algorithm was chosen that the present data suit."""

    picked = Signal(str)

    def __init__(self, session: Session, data_commands: DataCommands) -> None:
        super().__init__("Algorithm")
        self.session, self.data_commands = session, data_commands
        session.changed.connect(self._on_changed)
        self._show_choice()

    def _on_changed(self, changes: Changes) -> None:
        if changes.of(self.session.lane_view) & Change.RUN:
            self._on_run()

    def _on_run(self) -> None:
        """Show the algorithm in force; list the algorithms again only while the list is open.

        A point that is dragged changes the data, and with them what suits, at every move.
        """
        self._show_choice()
        if self.popup.isVisible():
            self.refresh()

    def _show_choice(self) -> None:
        self.field.show_choice(self.session.algorithm.title, source(self.session.algorithm))

    def entries(self) -> list[Entry]:
        return algorithm_entries(self.session.problem, cut(self.session.data.name))

    def here(self) -> str:
        return self.session.lane.key

    def take(self, key: str) -> None:
        self.picked.emit(key)

    def ways(self, entry: Entry) -> tuple[str, list[Entry]]:
        """(sentence, entries) for an unsuitable algorithm: the present data with a change, then all
        data sets that suit it. No entries for a page that cannot be loaded.
        """
        if entry.group == BROKEN:
            return "", []
        tables = self.data_commands.tables
        suited = [
            e for e in data_entries(tables.all, tables.here, algorithms()[entry.key]) if not e.why
        ]
        return self.sentence_of(entry), self.data_commands.mends("", entry.key) + suited

    def take_way(self, key: str, way: str) -> None:
        self.data_commands.put(way, key)


class DataPicker(Picker):
    """The picker of data; the chosen data replace the present ones."""

    def __init__(self, session: Session, data_commands: DataCommands) -> None:
        super().__init__("Data set")
        self.session, self.data_commands = session, data_commands
        session.changed.connect(self._on_changed)
        self._show_choice()

    def _on_changed(self, changes: Changes) -> None:
        if changes.window & (Change.DOCUMENT | Change.ACTIVE):
            self._show_choice()

    def _show_choice(self) -> None:
        self.field.show_choice(self.session.data.name)

    def entries(self) -> list[Entry]:
        tables = self.data_commands.tables
        return data_entries(tables.all, tables.here, self.session.algorithm)

    def here(self) -> str:
        return self.data_commands.key()

    def take(self, key: str) -> None:
        self.data_commands.put(key)

    def ways(self, entry: Entry) -> tuple[str, list[Entry]]:
        """(sentence, entries) for unsuitable data: the present algorithm with a change of these
        data, then all algorithms that can take them as they are.
        """
        title = cut(entry.title)
        every = algorithm_entries(self.data_commands.document(entry.key).problem(), title)
        suited = [each._replace(group=f"For {title}") for each in every if not each.why]
        return self.sentence_of(entry), self.data_commands.mends(entry.key, "") + suited

    def sentence_of(self, entry: Entry) -> str:
        return f"{self.session.algorithm.title} {entry.why}."

    def take_way(self, key: str, way: str) -> None:
        if way.startswith(MENDED):
            self.data_commands.put(way)
        else:
            self.data_commands.put(key, way)
