"""“In my book”: the sections, figures and exercises of the five texts in their order, and what
opens each.

The places and their openings stand in assets/books, see `engine.files.openings`. A section also
opens the methods and data sets whose `source` cites it.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from engine.base.notation import unbroken
from engine.base.place import ASSETS
from engine.base.records import Record, replace
from engine.document.document import Document
from engine.document.fitting import with_data
from engine.files.cites import Cite, cites
from engine.files.openings import COLUMNS, IN_KIND, NO_DATA, STAND_IN, Given, Opening, read_opening
from engine.files.sources import find_source
from engine.protocol.algorithm import Algorithm
from engine.protocol.registry import algorithms
from engine.sources.bundled import Entry
from engine.sources.generators import GENERATORS
from engine.sources.real import REAL
from engine.sources.textbook import TEXTBOOK
from engine.table.prepare import Split, prepare
from engine.table.problem import Problem

TEXTS = {"AIMA": "aima", "MIT": "mit", "MMDS": "mmds", "ML": "ml", "LS": "slides"}


class Place(Record, eq=True):
    """A line of a table of contents.

    name: 'Fig 18.24', '18.7.4', 'Validation'
    section: the section that it is in, or itself
    alike: places that treat the same subject, whose methods open this one too
    opens: what the file of the text lists
    """

    text: str
    name: str
    title: str
    cite: Cite
    section: Cite
    alike: tuple[Cite, ...]
    opens: tuple[Opening, ...]

    @property
    def is_section(self) -> bool:
        return not self.cite.kind

    @property
    def citation(self) -> str:
        """The place as a source cites it: "AIMA 18.3", "LS, Validation"."""
        return f"{self.text}, {self.name}" if self.text == "LS" else f"{self.text} {self.name}"


class NamedOnly(Record, eq=True):
    """Something that a text shows or names and that the lab does not open.

    name: its place, 'Ex 6.3'
    cards: the items of the reference cards that describe it, 'mitchell A11 E6.3', or ''
    why: a sentence
    """

    text: str
    name: str
    title: str
    cards: str
    why: str


def remark(place: Place, way: Opening) -> str:
    """The remarks on an opening: that its data stand in for those of the text, or that the text has
    none there; an erratum; "" for nothing.
    """
    said = [way.says] if way.says else []
    if way.kind == IN_KIND:
        whose = "The figure’s" if place.cite.kind == "Fig" else "The text’s"
        sets = "these sets behave" if any(each.data for each in way.lanes) else "this set behaves"
        said.insert(0, f"{whose} own data are not printed; {sets} as the text says.")
    elif way.kind == STAND_IN:
        said.insert(0, "The text’s own data are not printed; this set stands in for them.")
    elif way.kind == NO_DATA:
        said.insert(0, "The text has no data here; this set is an example.")
    return unbroken(" ".join(said))


@cache
def _file(text: str) -> Mapping[str, Any]:
    path = ASSETS / "books" / f"{TEXTS[text]}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def title_of(text: str) -> str:
    """The full title of a text: authors, book, chapter."""
    return str(_file(text)["title"])


@cache
def contents() -> Mapping[str, tuple[Place, ...]]:
    """All places of each text in order, whether or not the lab shows them."""
    return {text: tuple(_places(text)) for text in TEXTS}


def named_only(text: str) -> tuple[NamedOnly, ...]:
    """What the lab does not open of a text, each with its reason, in the order of the text."""
    written = _file(text).get("named_only", ())
    return tuple(NamedOnly(text, **each) for each in written)


def _places(text: str) -> Iterator[Place]:
    section = Cite(text, "", (), ())
    for written in _file(text)["place"]:
        name = written["name"]
        called = f"{text}, {name}" if text == "LS" else f"{text} {name}"
        (cite,) = cites(called)
        section = section if cite.kind else cite
        yield Place(
            text,
            name,
            written["title"],
            cite,
            section,
            cites(written.get("alike", "")),
            tuple(read_opening(each, called) for each in written.get("opens", ())),
        )


# -- what opens a place ----------------------------------------------------------------------------


Shown = list[tuple[Place, tuple[Opening, ...]]]


def in_my_book() -> dict[str, Shown]:
    """By text: the places that something opens, each with its openings."""
    return {text: in_text(text) for text in TEXTS}


def in_text(text: str) -> Shown:
    """The places of one text that something opens, each with its openings."""
    return _in_text(tuple(algorithms().values()), text)


def by_topic() -> dict[str, Shown]:
    """By topic, the family of the methods: the same openings for those without a book.

    Each opening stands once, at the first place that has it, and sections come before figures.
    """
    found: dict[str, dict[Opening, Place]] = {}
    rows = [row for text in TEXTS for row in in_text(text)]
    for place, ways in sorted(rows, key=lambda row: not row[0].is_section):
        for way in ways:
            found.setdefault(way.method.family, {}).setdefault(way, place)
    return {
        topic: [(place, (way,)) for way, place in ways.items()]
        for topic, ways in sorted(found.items())
    }


def ready() -> bool:
    """Whether `in_my_book` is cached for all texts."""
    return _in_text.cache_info().currsize == len(TEXTS)


@lru_cache(len(TEXTS))
def _in_text(methods: tuple[Algorithm[Any, Any], ...], text: str) -> Shown:
    """As `in_text`, cached by the methods, which a folder of one's own may change."""
    page = _page(methods)
    found = ((place, page.openings(place)) for place in contents()[text])
    return [(place, ways) for place, ways in found if ways]


@lru_cache(1)
def _page(methods: tuple[Algorithm[Any, Any], ...]) -> "_Page":
    return _Page(methods)


class _Index:
    """An index of names by the places that their sources cite."""

    def __init__(self, sources: Mapping[str, Iterable[str]]) -> None:
        self._groups: defaultdict[tuple[str, str, int], list[tuple[Cite, str]]] = defaultdict(list)
        for name, all_ in sources.items():
            for cite in (each for source in all_ for each in cites(source)):
                self._groups[cite.group].append((cite, name))

    def at(self, *wanted: Cite) -> list[str]:
        return list(
            dict.fromkeys(
                n for cite in wanted for each, n in self._groups[cite.group] if cite.names(each)
            )
        )


class _Page:
    """The indices of methods and data sets by the places that they cite."""

    def __init__(self, methods: Iterable[Algorithm[Any, Any]]) -> None:
        self.methods = _Index({each.key: each.source for each in methods})
        self.sets = _Index({name: (entry.source,) for name, entry in _bundled().items()})

    def openings(self, place: Place) -> tuple[Opening, ...]:
        """The openings of a place: those of its file; of a section also the methods and the data
        sets that cite it, with data of its neighbourhood.
        """
        found = list(place.opens)
        if place.is_section:
            keys = self.methods.at(place.cite, *place.alike)
            for data in self.sets.at(place.cite):
                if all(each.given.data != data for each in found):
                    found += [Opening(key, Given(data)) for key in keys if suits(key, Given(data))]
            for key in self.methods.at(place.cite):
                if all(each.key != key for each in found):
                    near = map(Given, self._sets_near(place))
                    first = next((given for given in near if suits(key, given)), None)
                    found += [Opening(key, first)] if first is not None else []
        return tuple(dict.fromkeys(found))

    def _sets_near(self, place: Place) -> Iterator[str]:
        """Data sets by distance: of this place, its section, the sections around it, the text, then
        all.
        """
        for wide in (4, 3, 2, 0):
            for other in contents()[place.text]:
                if other.section.low[:wide] == place.section.low[:wide] and (
                    wide < 4 or other is place
                ):
                    yield from (each.given.data for each in other.opens)
                    yield from self.sets.at(other.cite)
        yield from _bundled()


def suits(key: str, given: Given) -> bool:
    """Whether the method accepts the data set after its transformation."""
    return algorithms()[key].needs.refusal(problem_of(given)) is None


@cache
def problem_of(given: Given) -> Problem:
    """The prepared problem of a data set as a text uses it; raises EngineError."""
    data = find_source(given.data).data
    return prepare(data, transforms=given.transforms, split=given.held_out)


def _bundled() -> dict[str, Entry]:
    """The bundled data sets by their names on the command line."""
    generated = {
        f"{name}:{recipe.n}" if name in TEXTBOOK else name: recipe
        for name, recipe in GENERATORS.items()
    }
    return dict(TEXTBOOK) | {name: entry for name, entry in REAL.items() if entry.file} | generated


# -- a set by itself -------------------------------------------------------------------------------


def as_in_its_book(before: Document, name: str) -> Document:
    """`before` with the textbook set `name`, all rows to learn from, and the parameters of its
    text.

    Parameters chosen for another table are dropped. Lanes that compare parameters of one method
    keep them.
    """
    document = replace(with_data(before, find_source(name).data), split=Split(), put_away=())
    keys = [each.key for each in document.lanes]
    for index, key in enumerate(keys):
        if keys.count(key) == 1:
            document = document.with_lane(index, params=_first_settings(name, key), seed=0)
    return document


def without_its_book(before: Document, name: str) -> Document:
    """`before`, about the textbook set `name`, with default parameters instead of its text's.

    Parameters changed by hand stay, and so do lanes that compare parameters of one method.
    """
    keys = [each.key for each in before.lanes]
    for index, each in enumerate(before.lanes):
        if keys.count(each.key) == 1 and each.params in _settings(name, each.key):
            before = before.with_lane(index, params=each.algorithm.params())
    return before


def _first_settings(name: str, key: str) -> Any:
    """The parameters with which a text first shows the set to this method, else the defaults."""
    return next(_settings(name, key), algorithms()[key].params())


def _settings(name: str, key: str) -> Iterator[Any]:
    """All parameters of this method with which the texts show the set, in their order."""
    for places in contents().values():
        for each in (each for place in places for each in place.opens):
            if (each.given.data, each.key) == (name, key):
                yield each.params


# -- for reading -----------------------------------------------------------------------------------


def book_lines() -> list[str]:
    """The page for a terminal: each place with its arguments of “main.py run”."""
    lines: list[str] = []
    for text, rows in in_my_book().items():
        wide = max(len(place.name) for place, _ in rows) + 2
        lines += ["", f"{text}: {title_of(text)}", ""]
        for place, ways in rows:
            lines.append(f"  {place.name:<{wide}}{place.title}")
            lines += [f"  {'':<{wide}}  {way.command()}{_also(way)}" for way in ways]
    return lines[1:]


def _also(way: Opening) -> str:
    """What the arguments cannot express, in brackets: columns, held-out rows, lanes, the step."""
    remarks = (
        COLUMNS.get(way.given.columns, ""),
        "some rows held out" if way.given.split else "",
        f"beside {', '.join(each.method for each in way.lanes)}" if way.lanes else "",
        way.moment().removeprefix("at "),
    )
    remark = ", ".join(filter(None, remarks))
    return f"  ({remark})" if remark else ""


def book_to_plain() -> dict[str, list[dict[str, Any]]]:
    """The places with their openings as plain values, by text."""
    return {
        text: [_plain(place, ways) for place, ways in rows] for text, rows in in_my_book().items()
    }


def _plain(place: Place, ways: tuple[Opening, ...]) -> dict[str, Any]:
    return {
        "place": place.citation,
        "title": place.title,
        "opens": [_opening_to_plain(way) for way in ways],
    }


def _opening_to_plain(way: Opening) -> dict[str, Any]:
    return {
        "key": way.key,
        "data": way.given.data,
        "columns": way.given.columns,
        "split": way.given.split,
        "params": dict(way.settings),
        "unit": way.unit.name.lower(),
        "step": way.step,
        "fact": way.fact,
        "card": way.card,
        "kind": way.kind,
    }
