"""Puts data in force as one edit: a data set of the lab or a table of this window, for the present
method or another one.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from engine.base.errors import EngineError
from engine.base.notation import cut
from engine.base.records import replace
from engine.document.document import Document
from engine.document.fitting import with_data
from engine.document.mending import mends
from engine.protocol.registry import algorithm
from engine.table.dataset import Dataset
from engine.table.prepare import Split
from gui.session.own_tables import OwnTables
from gui.session.session import Session
from gui.session.sync_mode import END
from gui.setup.picker import Entry
from gui.setup.picker_catalogue import as_it_comes, data_names, kind_and_name, load

if TYPE_CHECKING:
    from engine.files.books import Place
    from engine.files.openings import Opening

TESTED = 0.3  # the share of rows that `hold_out` holds out
MENDED = "mend:"  # begins the keys of the changes that `mends` finds


class DataCommands:
    """The commands that change the data of the document.

    A key names the data: 'textbook:restaurant' for a set of the lab, 'own:3' for the table at that
    place in `tables`, '' for the present data.
    """

    def __init__(
        self,
        session: Session,
        fit: Callable[[], object],
        lead: Callable[[Sequence[str]], object],
        browse: Callable[[str], object],
    ) -> None:
        """fit: shows all points;
        lead: shows these views of the scene first;
        browse: shows where a book speaks of something.
        """
        self.session, self.fit, self.lead_with, self.browse = session, fit, lead, browse
        self.show_curve: Callable[[str], object] = lambda metric: None  # over the timeline
        self.tables = OwnTables(session)
        self._mended: list[Document] = []
        self._opened: tuple[Place, Opening, Document] | None = None  # the opening shown last

    def key(self) -> str:
        """The key of the present data."""
        data = self.session.document.data
        place = kind_and_name(data)
        if place is not None and as_it_comes(data):
            return ":".join(place)
        return f"own:{self.tables.all.index(self.tables.here)}"

    def document(self, key: str) -> Document:
        """The present document with the data of `key`; raises EngineError for a set that does not
        come with the lab.
        """
        kind, _, name = key.partition(":")
        if kind == "own":
            return self.tables.restored(self.tables.all[int(name)])
        if kind == "textbook":
            from engine.files.books import as_in_its_book

            return as_in_its_book(self.session.document, name)
        return with_data(self._left(), load(kind, name)) if key else self.session.document

    def _left(self) -> Document:
        """The present document before other data replace its set: parameters that a book names for
        that set are back at their usual values.
        """
        kind, name = kind_and_name(self.session.document.data) or ("", "")
        if kind != "textbook":
            return self.session.document
        from engine.files.books import without_its_book

        return without_its_book(self.session.document, name)

    def mends(self, key: str, method: str) -> list[Entry]:
        """Changes after which `method`, by default the present one, can use the data of `key`; each
        entry's key is for `put`.
        """
        document = self.document(key)
        active = self.session.active
        if method:
            document = document.with_lane(active, key=method, params=algorithm(method).params())
        found = list(mends(document, active))
        self._mended = [changed for _, changed in found]
        group = (
            f"{document.lanes[active].algorithm.title} with"
            f" {cut(document.of_lane(active).data.name)}"
        )
        return [Entry(f"{MENDED}{k}", words, group) for k, (words, _) in enumerate(found)]

    def put(self, key: str, method: str = "") -> None:
        """Put the data of `key` in force, or the change with that key from the last call of
        `mends`.

        method: the key of another method, "" for the present one. Raises EngineError for a set that
        does not come with the lab.
        """
        if key.startswith(MENDED):
            document = self._mended[int(key.removeprefix(MENDED))]
            method = document.lanes[self.session.active].key
        else:
            document = self.document(key)
        self.use(document, method)

    def use(self, document: Document, method: str = "") -> None:
        """Use `document`, with other data, axes or transforms, and show all points."""
        if document.data is not self.session.document.data:
            self.tables.begin(document.data)
        if method and method != self.session.lane.key:
            self.session.choose(method, document)
        else:
            self.session.edit(document, f"take the data {cut(document.data.name)}")
        self.fit()

    def show(self, document: Document, way: "Opening") -> None:
        """Open `document` at the moment of an opening, with the pictures that it names.

        One undo restores what was there.
        """
        session = self.session
        session.player.pause()
        self.tables.begin(document.data)
        if session.unit is not way.unit:
            session.set_unit(way.unit)
        session.begin(document, f"open {way.words()}", (way.unit, max(0, way.step)))
        self.fit()
        if way.step < 0:
            session.seek(END)
        self.lead_with(way.views)
        self.show_curve(way.curve)

    def names(self) -> list[Entry]:
        """An entry for every data set, whether or not it suits the method."""
        return data_names(self.tables.all, self.tables.here)

    def use_data(self, data: Dataset) -> None:
        """Use `data` for the same method; axes, transforms and probe are reset."""
        self.use(with_data(self._left(), data))

    def take(self, kind: str, name: str) -> None:
        """Use a data set of the lab; an error is shown as a message."""
        try:
            self.put(f"{kind}:{name}")
        except EngineError as sentence:
            self.session.say(str(sentence), "error")

    def open_place(self, place: "Place", way: "Opening") -> None:
        """Open what a book shows at a place in the active lane; an error is shown as a message."""
        from engine.files.books import remark

        try:
            document = way.document(self.session.document, self.session.active)
        except EngineError as sentence:
            self.session.say(str(sentence), "error")
            return
        self.show_place(place, way, document)
        said = remark(place, way)
        self.session.say(
            f"{place.citation} is open; Ctrl+Z brings back what was there before. {said}".rstrip(),
            "remark" if said else "info",
        )

    def show_place(self, place: "Place", way: "Opening", document: Document) -> None:
        """Show the document of an opening, and remember which it was."""
        self.show(document, way)
        self._opened = (place, way, self.session.document)

    def station(self) -> str:
        """The station of a playlist that names the shown opening; "" if none is shown."""
        if self._opened is None or self._opened[2] != self.session.document:
            return ""
        from engine.files.playlist import station_of

        return station_of(*self._opened[:2])

    def hold_out(self) -> None:
        """Hold rows out if none are, and say where their measures are shown."""
        document = self.session.document
        if not document.split.share and not document.split.rows:
            self.session.edit(replace(document, split=Split(TESTED)), "hold out rows")
        problem = self.session.problem
        classes = problem is not None and not problem.regress
        where = (
            "Confusion matrix and ROC are among the figures" if classes else "Its errors are there"
        )
        self.session.say(
            f"Test split, at the left, holds rows out. {where}, for methods that predict."
        )
