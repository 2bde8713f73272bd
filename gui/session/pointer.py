"""Where the pointer is, for all lanes at once: the place over the plane, what lights up with it, the tool in hand."""

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from engine.core.tags import names_in


class Pointer(QObject):
    """lit: the names under it, see core/tags.py; place: over the plane, None elsewhere.

    lit_changed: other names; moved: to another place of the plane, or the probe was placed; tool_taken: a tool was taken, or
    is used anew
    """

    lit_changed = Signal()
    moved = Signal()
    tool_taken = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.lit: frozenset[str] = frozenset()
        self.place: tuple[float, float] | None = None
        self.tool = "add"

    def light(self, tags: Iterable[str]) -> None:
        """Objects and terms with these tags are under the pointer; all places light up together."""
        lit = frozenset(name for tag in tags for name in names_in(tag))
        if lit != self.lit:
            self.lit = lit
            self.lit_changed.emit()

    def move_to(self, place: tuple[float, float] | None) -> None:
        """Over this place of the plane; reads values there without changing the document."""
        self.place = place
        self.moved.emit()
