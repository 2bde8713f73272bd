"""The pointer for all lanes: its place on the plane, what lights up with it, the tool in hand."""

from collections.abc import Iterable

import numpy as np

from engine.base.arrays import Float, Int
from engine.base.tags import names_in
from engine.table.dataset import Dataset
from gui.session.changes import Announce, Change

AT_ONCE = 4096  # rows compared together


def carried(rows: Iterable[int], before: Dataset, after: Dataset) -> frozenset[int]:
    """The numbers in `after`, the edited table, of the rows that are `rows` in `before`.

    They shift where rows were removed or added, and stay where there are as many rows as before.
    Empty for another table, and where rows changed beside those removed or added.
    """
    rows = frozenset(rows)
    if not rows or before is after:
        return rows
    if (before.name, before.about, before.origin) != (after.name, after.about, after.origin):
        return frozenset()
    if len(before) == len(after):
        return rows
    if len(before.columns) != len(after.columns):
        return frozenset()
    old, new = (
        np.column_stack([column.values for column in data.columns]) for data in (before, after)
    )
    where = places(new, old) if len(new) < len(old) else places(old, new)
    if where is None:
        return frozenset()
    if len(new) > len(old):
        return frozenset(where[sorted(rows)].tolist())
    return frozenset(np.flatnonzero(np.isin(where, sorted(rows))).tolist())


def places(fewer: Float, more: Float) -> Int | None:
    """The positions (k,) of the rows of `fewer` (k, d) in `more` (m, d), in order, or None."""
    found: list[Int] = []
    at = passed = 0
    while at < len(fewer):
        count = min(AT_ONCE, len(fewer) - at, len(more) - passed)
        a = fewer[at : at + count]
        b = more[passed : passed + count]
        same = ((a == b) | (np.isnan(a) & np.isnan(b))).all(axis=1)
        alike = count if same.all() else int(same.argmin())
        found.append(np.arange(passed, passed + alike))
        at = at + alike
        passed = passed + alike + (alike < count)
        if not count:
            return None
    return np.concatenate([np.zeros(0, np.intp), *found])


class Pointer:
    """The pointer, the tool and the selection, shared by all lanes.

    pointed: the names under the pointer, see `engine/base/tags.py`
    kept: the names that a page of a lesson lights
    lit: the names that are lit, both of these
    place: the pointer's place on the plane, None elsewhere
    selected: numbers of the table's rows that are marked on every plane
    tool: the key of the tool in hand
    """

    def __init__(self, announce: Announce) -> None:
        """announce: says that LIT, POINTER or SELECTION changed."""
        self._announce = announce
        self.pointed: frozenset[str] = frozenset()
        self.kept: frozenset[str] = frozenset()
        self.lit: frozenset[str] = frozenset()
        self.place: tuple[float, float] | None = None
        self.selected: frozenset[int] = frozenset()
        self.tool = "add"

    def light(self, tags: Iterable[str]) -> None:
        """Highlight everything that has one of the names in these tags."""
        self.pointed = frozenset(name for tag in tags for name in names_in(tag))
        self._light()

    def keep(self, tags: Iterable[str]) -> None:
        """Highlight these wherever the pointer is, until called with others."""
        self.kept = frozenset(name for tag in tags for name in names_in(tag))
        self._light()

    def _light(self) -> None:
        lit = self.pointed | self.kept
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
