"""The data sets that come with the lab, for the picker, the search and the commands."""

import engine
from engine.data.generators import GENERATORS
from engine.data.real import REAL
from engine.data.textbook import TEXTBOOK

HEADINGS = {"generate": "Drawn by lot", "textbook": "From the textbooks", "real": "Measured"}


def offered() -> list[tuple[str, str, str]]:
    """(kind, name, title) of every data set that comes with the lab."""
    return [
        *(("generate", name, entry.title) for name, entry in GENERATORS.items()),
        *(("textbook", name, entry.title) for name, entry in TEXTBOOK.items()),
        *(("real", name, entry.title) for name, entry in REAL.items()),
    ]


def load(kind: str, name: str) -> engine.Dataset:
    """A data set that comes with the lab; raises EngineError."""
    return {"generate": engine.generate, "textbook": engine.textbook, "real": engine.real}[kind](name)
