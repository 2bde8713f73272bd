"""Entries for the pickers, the search and the commands: algorithms and data sets with their size or
source, and whether they suit.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

import engine
from engine.protocol.algorithm import Algorithm
from engine.protocol.registry import algorithms, broken
from engine.sources.bundled import Entry as Shelf
from engine.sources.generators import GENERATORS
from engine.sources.real import REAL
from engine.sources.textbook import TEXTBOOK
from engine.table.dataset import ColumnRole, Dataset
from engine.table.prepare import prepare
from engine.table.problem import Problem
from gui.session.own_tables import OwnTable
from gui.setup import known_as
from gui.setup.picker import Entry

HEADINGS = {"own": "My own", "textbook": "Textbook", "real": "Real", "generate": "Generators"}
BUNDLED: dict[str, Mapping[str, Shelf]] = {
    "textbook": TEXTBOOK,
    "real": REAL,
    "generate": GENERATORS,
}
BROKEN = "Cannot be loaded"


def bundled_sets() -> list[tuple[str, str, str]]:
    """(kind, name, title) of every data set that comes with the lab."""
    return [
        (kind, name, entry.title)
        for kind, bundled in BUNDLED.items()
        for name, entry in bundled.items()
    ]


def load(kind: str, name: str) -> Dataset:
    """A data set that comes with the lab; raises EngineError."""
    return {"generate": engine.generate, "textbook": engine.textbook, "real": engine.real}[kind](
        name
    )


def kind_and_name(data: Dataset) -> tuple[str, str] | None:
    """(kind, name) of the data set of the lab that has the name of `data`; None if none has.

    Data drawn by a generator name it in their origin, so the other sets need not be searched.
    """
    generator = GENERATORS.get(data.origin.generator) if data.origin is not None else None
    if generator is not None and data.origin is not None and generator.title == data.name:
        return "generate", data.origin.generator
    return next(((kind, name) for kind, name, known in bundled_sets() if known == data.name), None)


def as_it_comes(data: Dataset) -> bool:
    """Whether the lab can give exactly this table again."""
    if data.origin is not None:
        return data.as_drawn
    place = kind_and_name(data)
    return place is not None and place[0] != "generate" and data == bundled_set(*place)


@cache
def bundled_set(kind: str, name: str) -> Dataset:
    """The data set as it comes, loaded once."""
    return load(kind, name)


@cache
def _problem(kind: str, name: str) -> Problem:
    return prepare(bundled_set(kind, name))


def load_all() -> None:
    """Load and prepare every data set of the lab, so that the list of data opens at once."""
    for kind, name, _ in bundled_sets():
        _problem(kind, name)


# -- entries for the pickers -----------------------------------------------------------------------


def algorithm_entries(problem: Problem | None, name: str) -> list[Entry]:
    """An entry for every algorithm, by family; then those that do not suit the data called `name`,
    and pages that cannot be loaded.
    """
    found, others = [], []
    for each in algorithms().values():
        refusal = each.needs.refusal(problem, sampled=True) if problem is not None else None
        entry = Entry(
            each.key,
            each.title,
            each.family.capitalize().replace("_", " "),
            source(each),
            about=each.summary,
            said=" ".join([each.key, each.family, *each.source, each.summary]),
            also=known_as.METHODS.get(each.title, ""),
        )
        if refusal is None:
            found.append(entry)
        else:
            others.append(
                entry._replace(group=f"Not for {name}", why=refusal.sentence, fact=refusal.fact)
            )
    for key, fault in broken().items():
        why = f"cannot be loaded: {fault:.300}"
        others.append(Entry(key, key, BROKEN, why=why, fact="a fault in its file", said=BROKEN))
    return found + others


def source(chosen: Algorithm[Any, Any]) -> str:
    """The first source of an algorithm; "extension" for an extension or one without a source."""
    return "extension" if chosen.extension or not chosen.source else str(chosen.source[0])


def data_entries(own: list[OwnTable], here: OwnTable, chosen: Algorithm[Any, Any]) -> list[Entry]:
    """Entries for the tables of this window and the data sets of the lab, those that the algorithm
    cannot take last.
    """
    judged = []
    for entry in data_names(own, here):
        kind, _, name = entry.key.partition(":")
        problem = own[int(name)].problem() if kind == "own" else _problem(kind, name)
        refusal = chosen.needs.refusal(problem, sampled=True) if problem is not None else None
        if refusal is not None:
            entry = entry._replace(
                group=f"Not for {chosen.title}", why=refusal.sentence, fact=refusal.fact
            )
        judged.append(entry)
    return sorted(judged, key=lambda entry: bool(entry.why))


def data_names(own: list[OwnTable], here: OwnTable) -> list[Entry]:
    """Entries for the tables of this window and the data sets of the lab, suitable or not."""
    found = [_own_entry(k, table.data) for k, table in enumerate(own) if _listed(table, here)]
    return _numbered(found) + [_bundled_entry(kind, name) for kind, name, _ in bundled_sets()]


def _listed(table: OwnTable, here: OwnTable) -> bool:
    return not as_it_comes(table.data) and (len(table.data) > 0 or table is here)


def _numbered(entries: list[Entry]) -> list[Entry]:
    """The entries; a title that comes again gets a number: “Iris”, “Iris (2)”."""
    titles = [entry.title for entry in entries]
    return [
        (
            e._replace(title=f"{e.title} ({titles[: k + 1].count(e.title)})")
            if titles[:k].count(e.title)
            else e
        )
        for k, e in enumerate(entries)
    ]


def _own_entry(place: int, data: Dataset) -> Entry:
    title = f"{data.name}, changed" if kind_and_name(data) else data.name
    return Entry(
        f"own:{place}",
        title,
        HEADINGS["own"],
        size(data),
        about=data.about,
        said=_said(data, data.about),
    )


@cache
def _bundled_entry(kind: str, name: str) -> Entry:
    found = _entry_without_aliases(kind, name)
    return found._replace(also=known_as.DATA.get(found.title, ""))


def _entry_without_aliases(kind: str, name: str) -> Entry:
    bundled = BUNDLED[kind][name]
    data = bundled_set(kind, name)
    about = f"{bundled.source}. {bundled.about}".strip()
    note = _kinds(data, name) if kind == "generate" else size(data)
    return Entry(
        f"{kind}:{name}",
        bundled.title,
        HEADINGS[kind],
        note,
        about=about,
        said=_said(data, f"{name} {about}"),
    )


def size(data: Dataset) -> str:
    """“rows × columns”; columns of names are not counted."""
    return f"{len(data):,} × {sum(c.role is not ColumnRole.NAME for c in data.columns)}"


def _kinds(data: Dataset, name: str) -> str:
    """What a generator gives to learn: “values”, “no target” or its number of classes.

    It stands in place of the size: the number of rows is free.
    """
    least, _, most = GENERATORS[name].classes
    if data.target is None or data.target.feature.numeric:
        return "values" if data.target is not None else "no target"
    count = len(data.classes)
    return f"{least}–{most} classes" if most > least else f"{count} classes"


def _said(data: Dataset, about: str) -> str:
    return " ".join([about, *(column.name for column in data.columns[:200])])
