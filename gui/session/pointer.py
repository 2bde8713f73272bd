"""Where the pointer is, for all lanes at once: the place over the plane, what lights up with it,
the tool in hand.
"""

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QObject, Signal

from engine.base.tags import names_in
from engine.table.dataset import Dataset
from gui.session.selection import carried


class Pointer(QObject):
    """lit: the names under it, see core/tags.py; place: over the plane, None elsewhere.

    selected: rows of the table that are marked on every plane

    lit_changed: other names; selected_changed: other rows; moved: to another place of the plane, or
    the probe was placed; tool_taken: a tool was taken, or is used anew
    """

    lit_changed = Signal()
    moved = Signal()
    tool_taken = Signal()
    selected_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.lit: frozenset[str] = frozenset()
        self.place: tuple[float, float] | None = None
        self.selected: frozenset[int] = frozenset()
        self.tool = "add"

    def light(self, tags: Iterable[str]) -> None:
        """Objects and terms with these tags are under the pointer; all places light up together."""
        lit = frozenset(name for tag in tags for name in names_in(tag))
        if lit != self.lit:
            self.lit = lit
            self.lit_changed.emit()

    def select(self, rows: Iterable[int]) -> None:
        """Mark these rows of the table, and no others."""
        self.selected = frozenset(np.fromiter(rows, np.intp).tolist())
        self.selected_changed.emit()

    def carry(self, before: Dataset, after: Dataset) -> None:
        """The table was edited: the same points stay selected, whatever their rows are now."""
        self.selected = carried(self.selected, before, after)

    def move_to(self, place: tuple[float, float] | None) -> None:
        """Over this place of the plane; reads values there without changing the document."""
        self.place = place
        self.moved.emit()
