"""The files beside an algorithm's page, words, picture and fast, imported on first use.

A small algorithm is one file that holds everything; there the words of a line are called
say_<line>.
"""

import importlib
import sys
from functools import cache
from types import ModuleType
from typing import Any

from engine.base.faults import contained
from engine.base.records import Record


class PageFiles(Record, eq=True):
    """Looks up names for the algorithm whose page is the module `page`."""

    page: str

    def find(self, part: str, name: str, own: str = "") -> Any:
        """The object that the page calls `own`, else the one that the file `part` ('words',
        'picture', 'fast') calls `name`.

        None when neither exists.
        """
        here = getattr(sys.modules[self.page], own, None) if own else None
        found = here if here is not None else getattr(_part(self.page, part), name, None)
        return contained(self.page, found)

    def needed(self, part: str, name: str, own: str) -> Any:
        """As `find`; raises LookupError, a fault of the algorithm, when neither exists."""
        found = self.find(part, name, own)
        if found is None:
            raise LookupError(
                f"the page {self.page.rpartition('.')[2]} has no {own}, nor a file “{part}” beside"
                f" it with {name}"
            )
        return found

    def read(self) -> None:
        """Import all of the files."""
        for part in ("words", "picture", "fast"):
            _part(self.page, part)


@cache
def _part(page: str, part: str) -> ModuleType | None:
    """The module `part` in the folder of a page; None where there is no folder or no such file."""
    name = f"{page}.{part}"
    try:
        return importlib.import_module(name) if hasattr(sys.modules[page], "__path__") else None
    except ModuleNotFoundError as missing:
        if missing.name != name:
            raise
        return None


def forget_page_files() -> None:
    """Clear the cache of files beside the pages; needed after a page was loaded again."""
    _part.cache_clear()
