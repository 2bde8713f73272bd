"""The tables that were opened, pasted, drawn or changed in this window, kept until it closes."""

from dataclasses import dataclass

from engine.base.errors import EngineError
from engine.base.records import replace
from engine.document.document import Document
from engine.document.fitting import with_data
from engine.table.dataset import Dataset
from engine.table.problem import Problem
from gui.session.changes import Change, Changes
from gui.session.session import Session


@dataclass(eq=False)
class OwnTable:
    """A table of this window as last used, with its transformations, axes and split."""

    document: Document

    @property
    def data(self) -> Dataset:
        return self.document.data

    def problem(self) -> Problem | None:
        try:
            return self.document.problem()
        except EngineError:
            return None


class OwnTables:
    """Follows the session's document: a table that keeps its name is the same one, changed.

    here: the table of the present document
    all: every table of this window
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.here = OwnTable(session.document)
        self.all = [self.here]
        session.changed.connect(self._on_changed)

    def begin(self, data: Dataset) -> None:
        """Announce that `data` comes next and is another table, even under the same name."""
        same = next((table for table in self.all if table.data is data or table.data == data), None)
        if same is None:
            same = OwnTable(with_data(self._session.document, data))
            self.all.append(same)
        self.here = same

    def restored(self, table: OwnTable) -> Document:
        """The present document with an earlier table.

        The transformations, axes, section and split come back with it. A method that is in one lane
        only gets the parameters that it had with that table.
        """
        seen = table.document
        again = with_data(self._session.document, seen.data)
        settings = {each.key: each.params for each in (*seen.put_away, *seen.lanes)}
        keys = [each.key for each in again.lanes]
        lanes = tuple(
            (
                replace(each, params=settings.get(each.key, each.params))
                if keys.count(each.key) == 1
                else each
            )
            for each in again.lanes
        )
        again = replace(again, lanes=lanes, put_away=seen.put_away)
        return replace(
            again, transforms=seen.transforms, plane=seen.plane, view=seen.view, split=seen.split
        )

    def _on_changed(self, changes: Changes) -> None:
        if changes.window & Change.DOCUMENT:
            self._follow()

    def _follow(self) -> None:
        """Note the present table. Dragging a point calls this at every move: keep it cheap."""
        document = self._session.document
        here = self.here
        if here.data is not document.data:
            known = next((table for table in self.all if table.data is document.data), None)
            if known is None and here.data.name != document.data.name:
                known = OwnTable(document)
                self.all.append(known)
            self.here = known or here
        self.here.document = document
