"""The files beside an algorithm's page: words, picture, fast.

They are imported when somebody first asks for them.

A small algorithm is one file, and all of it stands on the page; there the words of a line are
called say_<line>.
"""

import importlib
import sys
from functools import cache
from types import ModuleType
from typing import Any

from engine.base.faults import contained
from engine.base.records import Record


class Beside(Record, eq=True):
    """Looks names up for the algorithm whose page is the module `page`."""

    page: str

    def find(self, part: str, name: str, own: str = "") -> Any:
        """What the file `part` ('words', 'picture', 'fast') calls `name` or the page calls `own`;
        None when neither does.
        """
        here = getattr(sys.modules[self.page], own, None) if own else None
        found = here if here is not None else getattr(_part(self.page, part), name, None)
        return contained(self.page, found)

    def needed(self, part: str, name: str, own: str) -> Any:
        """The same; raises LookupError when there is no such thing, which is a fault of the
        algorithm.
        """
        found = self.find(part, name, own)
        if found is None:
            raise LookupError(
                f"the page {self.page.rpartition('.')[2]} has no {own}, nor a file “{part}” beside"
                f" it with {name}"
            )
        return found

    def read(self) -> None:
        """All of the files, before anybody asks for what is in them."""
        for part in ("words", "picture", "fast"):
            _part(self.page, part)


@cache
def _part(page: str, part: str) -> ModuleType | None:
    """The module `part` in the folder of a page; None for a page that has no folder, or no such
    file in it.
    """
    name = f"{page}.{part}"
    try:
        return importlib.import_module(name) if hasattr(sys.modules[page], "__path__") else None
    except ModuleNotFoundError as missing:
        if missing.name != name:
            raise
        return None


def read_anew() -> None:
    """Forget which files stand beside the pages: one of them has been read again."""
    _part.cache_clear()
