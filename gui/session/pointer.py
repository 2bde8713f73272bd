"""The pointer for all lanes: its place on the plane, what lights up with it, the tool in hand."""

from collections.abc import Iterable

import numpy as np

from engine.base.tags import names_in
from engine.table.dataset import Dataset
from gui.session.changes import Announce, Change
from gui.session.selection import carried


class Pointer:
    """The pointer, the tool and the selection, shared by all lanes.

    lit: the names under the pointer, see `engine/base/tags.py`
    place: the pointer's place on the plane, None elsewhere
    selected: numbers of the table's rows that are marked on every plane
    tool: the key of the tool in hand
    """

    def __init__(self, announce: Announce) -> None:
        """announce: says that LIT, POINTER or SELECTION changed."""
        self._announce = announce
        self.lit: frozenset[str] = frozenset()
        self.place: tuple[float, float] | None = None
        self.selected: frozenset[int] = frozenset()
        self.tool = "add"

    def light(self, tags: Iterable[str]) -> None:
        """Highlight everything that has one of the names in these tags."""
        lit = frozenset(name for tag in tags for name in names_in(tag))
        if lit != self.lit:
            self.lit = lit
            self._announce(Change.LIT)

    def select(self, rows: Iterable[int]) -> None:
        """Select these rows of the table, and no others."""
        self.selected = frozenset(np.fromiter(rows, np.intp).tolist())
        self._announce(Change.SELECTION)

    def carry(self, before: Dataset, after: Dataset) -> None:
        """Keep the same points selected after an edit of the table, although their row numbers may
        change.
        """
        self.selected = carried(self.selected, before, after)

    def move_to(self, place: tuple[float, float] | None) -> None:
        """Set the place of the plane under the pointer, None for none; the document does not
        change.
        """
        self.place = place
        self._announce(Change.POINTER)
