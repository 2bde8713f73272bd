"""The problems that documents pose: one object as long as nothing that it is made of changes."""

from collections.abc import Sequence

from engine.base.errors import EngineError
from engine.document.document import MAX_LANES, Document
from engine.table.problem import Problem
from engine.table.row_words import MANY

ABOUT = ("data", "transforms", "plane", "split", "probe")


class Prepared:
    """A cache of the latest problems, because undo or another method often needs one again."""

    def __init__(self) -> None:
        self._latest: list[tuple[tuple[object, ...], int, Problem | None, str]] = []

    def of(self, document: Document, used: Sequence[Problem | None]) -> tuple[Problem | None, str]:
        """The problem of a document and "", or None and the sentence that says why there is none.

        used: the problems that the window shows now. Of those with very many rows no other is kept,
            so that the problems of a drag, one after the other, do not fill the memory.
        """
        about = tuple(getattr(document, name) for name in ABOUT)
        rows = min(document.most, len(document.data))
        for known in self._latest:
            if (
                all(new is old for new, old in zip(about, known[0], strict=True))
                and known[1] == rows
            ):
                return known[2:]
        kept = self._latest[-MAX_LANES:]
        self._latest = [
            known for known in kept if known[1] <= MANY or any(known[2] is one for one in used)
        ]
        try:
            found: tuple[Problem | None, str] = document.problem(), ""
        except EngineError as fault:
            found = None, str(fault)
        self._latest.append((about, rows, *found))
        return found
