"""In my book: the sections, figures and exercises of the five texts that the lab can show, in their
order, and what opens them. Derived from the sources that methods and data sets name; `contents`
adds titles, and with what a text shows a thing.
"""

import re
import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

from engine.base.errors import EngineError
from engine.base.notation import MINUS
from engine.base.records import Record, replace
from engine.document.document import Document
from engine.document.fitting import with_data
from engine.files.contents import TEXTS
from engine.files.sources import find_source
from engine.protocol.algorithm import Algorithm
from engine.protocol.params import build, params_fields
from engine.protocol.registry import algorithms
from engine.sources.bundled import Entry
from engine.sources.generators import GENERATORS, Recipe
from engine.sources.real import REAL
from engine.sources.textbook import TEXTBOOK
from engine.table.prepare import Split, Transform, prepare
from engine.table.problem import Problem

_CITED = re.compile(
    r"(?P<text>AIMA|MIT|MMDS|ML) (?:(?P<kind>Fig|Ex|Exercise|Eq|Table|Theorem) )?"
    r"(?P<low>\d+(?:\.\d+)*)(?:-(?P<high>\d+(?:\.\d+)*))?(?P<part>\([a-z]\))?"
    r"|LS, (?P<heading>[^;]+)"
)
Number = tuple[int | str, ...]
_CHANGES = {
    "polar": "polar columns",
    "quadratic": "squares and products too",
    "one_hot": "words as 0/1 columns",
}


class Cite(NamedTuple):
    """A place of a text as a source names it. kind: 'Fig', 'Ex' …, '' for a section; low to high:
    its numbers, the same but for a range; part: '(a)' of a figure.
    """

    text: str
    kind: str
    low: Number
    high: Number
    part: str = ""

    def names(self, other: "Cite") -> bool:
        """Whether both mean the same place, or have one in common."""
        parted = self.part and other.part and self.part != other.part
        return (
            self.shelf == other.shelf
            and not parted
            and self.low <= other.high
            and other.low <= self.high
        )

    @property
    def shelf(self) -> tuple[str, str, int]:
        """Only places of one shelf can be the same."""
        return self.text, self.kind, len(self.low)


def cites(source: str) -> tuple[Cite, ...]:
    """The places that `source` names: 'AIMA Fig 18.1(c)', 'MIT 2.2.11-2.2.30', 'LS, Validation'."""
    return tuple(map(_cite, _CITED.finditer(source)))


def _cite(found: re.Match[str]) -> Cite:
    if found["heading"]:
        heading = (found["heading"].strip(),)
        return Cite("LS", "", heading, heading)
    low, high = (
        tuple(map(int, text.split("."))) for text in (found["low"], found["high"] or found["low"])
    )
    kind = found["kind"] or ""
    if kind == "Exercise" and found["text"] != "MMDS":  # whose “Ex” is a worked example
        kind = "Ex"
    return Cite(found["text"], kind, low, high, found["part"] or "")


class Given(NamedTuple):
    """With what a text shows a thing. data: as a command line names it; params: by name, as text;
    step: how many steps to go on from the start, −1 for the end; change: of the columns, the kind
    of a transformation
    """

    data: str
    params: tuple[tuple[str, str], ...] = ()
    step: int = 0
    change: str = ""

    @property
    def transforms(self) -> tuple[Transform, ...]:
        return (Transform(self.change),) if self.change else ()

    @property
    def set_title(self) -> str:
        """What the data set is called, with rows and noise of a generator that are not the usual
        ones.
        """
        entry, (_, n, noise, *_) = _entry(self.data), f"{self.data}::".split(":")
        rows = [f"{n} rows"] if isinstance(entry, Recipe) and n and int(n) != entry.n else []
        changed = [_CHANGES[self.change]] if self.change else []
        return ", ".join([entry.title, *rows, *([f"noise {noise}"] if noise else []), *changed])


class Opening(Record, eq=True):
    """One click: a method, by its key, on what is given."""

    key: str
    given: Given

    @property
    def method(self) -> Algorithm[Any, Any]:
        return algorithms()[self.key]

    @property
    def settings(self) -> Any:
        """Its parameters; raises EngineError."""
        return build(self.method.params, dict(self.given.params))

    def document(self, before: Document, active: int) -> Document:
        """`before` with this method in the lane `active`, all rows of the data set to learn from,
        and seed 0. Nothing that was set for another table stays, neither in the other lanes nor for
        methods that are chosen again.
        """
        settings = self.settings
        chosen = before.with_lane(active, key=self.key, params=settings)
        document = as_in_its_book(chosen, self.given.data)
        document = document.with_lane(active, params=settings, seed=0, start=None)
        return replace(document, transforms=self.given.transforms)

    def words(self) -> str:
        """'Winnow on Spam, Threshold θ learned'."""
        fields = {field.name: field for field in params_fields(self.method.params)}
        told = [
            fields[name].label + (f" {_signed(text)}" if fields[name].kind != "bool" else "")
            for name, text in self.given.params
        ]
        return ", ".join([f"{self.method.title} on {self.given.set_title}", *told])

    def command(self) -> str:
        """What comes behind “main.py run”, which changes no columns."""
        told = shlex.join(f"{name}={text}" for name, text in self.given.params)
        return f"{self.key} --data {self.given.data}" + (f" --set {told}" if told else "")


def _signed(text: str) -> str:
    """With a true minus before numbers."""
    return re.sub(r"(?<!\w)-(?=\d)", MINUS, text)


class Place(Record, eq=True):
    """A line of a table of contents. name: 'Fig 18.24', '18.7.4', 'Validation'; section: that it
    stands in, or is itself; given: what the contents ask for
    """

    text: str
    name: str
    title: str
    cite: Cite
    section: Cite
    given: tuple[Given, ...]

    @property
    def is_section(self) -> bool:
        return not self.cite.kind

    @property
    def alike(self) -> tuple[Cite, ...]:
        """Places of other texts that are about the same."""
        return cites(self.title)

    @property
    def called(self) -> str:
        """As a source names it."""
        return f"{self.text}, {self.name}" if self.text == "LS" else f"{self.text} {self.name}"


@cache
def contents() -> Mapping[str, tuple[Place, ...]]:
    """Every place of every text in its order, whether or not the lab shows it."""
    return {text: tuple(_places(text, table)) for text, (_, table) in TEXTS.items()}


def _places(text: str, table: str) -> Iterator[Place]:
    section = Cite(text, "", (), ())
    for line in table.strip().splitlines():
        name, title, asked = ([part.strip() for part in line.split(" | ")] + [""])[:3]
        (cite,) = cites(f"{text}, {name}" if text == "LS" else f"{text} {name}")
        section = section if cite.kind else cite
        yield Place(
            text, name, title, cite, section, tuple(map(_asked, filter(None, asked.split(";"))))
        )


def _asked(words: str) -> Given:
    data, *rest = words.split()
    step = next((int(word[1:]) for word in rest if word[0] == "@"), 0)
    change = next((word[1:] for word in rest if word[0] == "+"), "")
    params = (word.partition("=")[::2] for word in rest if word[0] not in "@+")
    told = tuple(
        (name, value if name == "learner" else value.replace("_", " ")) for name, value in params
    )
    return Given(data, told, step, change)


# -- what opens a place ----------------------------------------------------------------------------


Shown = list[tuple[Place, tuple[Opening, ...]]]


def in_my_book() -> dict[str, Shown]:
    """By text: the places that something opens, each with its openings."""
    return {text: in_text(text) for text in TEXTS}


def in_text(text: str) -> Shown:
    """The places of one text that something opens, each with its openings."""
    return _in_text(tuple(algorithms().values()), text)


def ready() -> bool:
    """Whether `in_my_book` has been worked out, for the methods there are or were."""
    return _in_text.cache_info().currsize == len(TEXTS)


@lru_cache(len(TEXTS))
def _in_text(methods: tuple[Algorithm[Any, Any], ...], text: str) -> Shown:
    """For these methods, which a folder of one's own may change."""
    page = _page(methods)
    found = ((place, page.openings(place)) for place in contents()[text])
    return [(place, ways) for place, ways in found if ways]


@lru_cache(1)
def _page(methods: tuple[Algorithm[Any, Any], ...]) -> "_Page":
    return _Page(methods)


class _Index:
    """Which of the named things cite a place."""

    def __init__(self, sources: Mapping[str, Iterable[str]]) -> None:
        self._shelves: defaultdict[tuple[str, str, int], list[tuple[Cite, str]]] = defaultdict(list)
        for name, all_ in sources.items():
            for cite in (each for source in all_ for each in cites(source)):
                self._shelves[cite.shelf].append((cite, name))

    def at(self, *wanted: Cite) -> list[str]:
        return list(
            dict.fromkeys(
                n for cite in wanted for each, n in self._shelves[cite.shelf] if cite.names(each)
            )
        )

    def within(self, text: str, number: Number) -> list[str]:
        """Those that cite a section inside the one called so."""
        sections = (all_ for shelf, all_ in self._shelves.items() if shelf[:2] == (text, ""))
        return list(
            dict.fromkeys(
                n for all_ in sections for cite, n in all_ if cite.low[: len(number)] == number
            )
        )


class _Page:
    """Who cites what, looked up once."""

    def __init__(self, methods: Iterable[Algorithm[Any, Any]]) -> None:
        self.methods = _Index({each.key: each.source for each in methods})
        self.shelf = _shelf()
        self.sets = _Index({name: (entry.source,) for name, entry in self.shelf.items()})

    def openings(self, place: Place) -> tuple[Opening, ...]:
        """As the contents ask for; then every other set, and every other method, that names this
        very place.
        """
        found = [each for given in place.given for each in self._asked(place, given)]
        for data in self.sets.at(place.cite):
            if all(each.given.data != data for each in found):
                found += self._asked(place, Given(data))
        for key in self.methods.at(place.cite):
            if all(each.key != key for each in found):
                near = (Given(data) for data in self._sets_near(place))
                first = next((given for given in near if suits(key, given)), None)
                found += [Opening(key, first)] if first is not None else []
        return tuple(dict.fromkeys(found))

    def _asked(self, place: Place, given: Given) -> list[Opening]:
        """What is given, with the methods of this place that have such parameters; if there are
        none, with those of its section, or with one of the sections beside it.
        """
        for ring, alone in self._rings(place):
            found = [
                Opening(key, given) for key in ring if _has(key, given.params) and suits(key, given)
            ]
            if found:
                return found[:1] if alone else found
        return []

    def _rings(self, place: Place) -> Iterator[tuple[list[str], bool]]:
        """Methods, the nearest first; whether one of them will do."""
        yield self.methods.at(place.cite, *place.alike), False
        yield self.methods.at(place.section), False
        yield self.methods.within(place.text, place.section.low[:2]), True

    def _sets_near(self, place: Place) -> Iterator[str]:
        """Data sets, those of this place first, then of its section, of the sections round it, of
        the text, then all.
        """
        for wide in (4, 3, 2, 0):
            for beside in contents()[place.text]:
                if beside.section.low[:wide] == place.section.low[:wide] and (
                    wide < 4 or beside is place
                ):
                    yield from (given.data for given in beside.given)
                    yield from self.sets.at(beside.cite)
        yield from self.shelf


def _has(key: str, params: tuple[tuple[str, str], ...]) -> bool:
    try:
        build(algorithms()[key].params, dict(params))
    except EngineError:
        return False
    return True


def suits(key: str, given: Given) -> bool:
    """Whether the method can take the data set, changed as it is."""
    return algorithms()[key].needs.refusal(problem_of(given.data, given.change)) is None


@cache
def problem_of(data: str, change: str = "") -> Problem:
    return prepare(find_source(data).data, transforms=Given(data, change=change).transforms)


def _entry(data: str) -> Entry:
    name, _, numbers = data.partition(":")
    return (
        GENERATORS[name]
        if numbers or name in GENERATORS.keys() - TEXTBOOK.keys()
        else TEXTBOOK.get(name) or REAL[name]
    )


def _shelf() -> dict[str, Entry]:
    """The sets that come with the lab, as a command line names them."""
    drawn = {
        f"{name}:{recipe.n}" if name in TEXTBOOK else name: recipe
        for name, recipe in GENERATORS.items()
    }
    return dict(TEXTBOOK) | {name: entry for name, entry in REAL.items() if entry.file} | drawn


# -- a set by itself -------------------------------------------------------------------------------


def as_in_its_book(before: Document, name: str) -> Document:
    """`before` about the textbook set `name` as its book has it: every row is learnt from, and no
    parameter stays that was chosen for another table. Lanes that compare settings of one method
    keep what they compare.
    """
    document = replace(with_data(before, find_source(name).data), split=Split(), put_away=())
    keys = [each.key for each in document.lanes]
    for index, key in enumerate(keys):
        if keys.count(key) == 1:
            document = document.with_lane(index, params=_first_settings(name, key), seed=0)
    return document


def without_its_book(before: Document, name: str) -> Document:
    """`before`, about the textbook set `name`, with the usual parameters in place of those that a
    text names for it: they mean nothing for another table. What was changed by hand stays, and so
    do lanes that compare settings of one method.
    """
    keys = [each.key for each in before.lanes]
    for index, each in enumerate(before.lanes):
        if keys.count(each.key) == 1 and each.params in _settings(name, each.key):
            before = before.with_lane(index, params=each.algorithm.params())
    return before


def _first_settings(name: str, key: str) -> Any:
    """The parameters with which the texts first show the set to this method; the usual ones where
    they name none.
    """
    return next(_settings(name, key), algorithms()[key].params())


def _settings(name: str, key: str) -> Iterator[Any]:
    """The parameters of this method with which the texts show the set, in their order."""
    for places in contents().values():
        for given in (each for place in places for each in place.given if each.data == name):
            if _has(key, given.params):
                yield build(algorithms()[key].params, dict(given.params))


# -- for reading -----------------------------------------------------------------------------------


def book_lines() -> list[str]:
    """The page for a terminal: behind each place what “main.py run” makes of it."""
    lines: list[str] = []
    for text, rows in in_my_book().items():
        wide = max(len(place.name) for place, _ in rows) + 2
        lines += ["", f"{text}: {TEXTS[text][0]}", ""]
        for place, ways in rows:
            lines.append(f"  {place.name:<{wide}}{place.title}")
            lines += [f"  {'':<{wide}}  {way.command()}{_also(way.given)}" for way in ways]
    return lines[1:]


def _also(given: Given) -> str:
    """What a run cannot be told: where to look, and changes of the columns."""
    step = "" if not given.step else "its end" if given.step < 0 else f"step {given.step}"
    told = ", ".join(filter(None, (_CHANGES.get(given.change, ""), step)))
    return f"  ({told})" if told else ""


def book_to_plain() -> dict[str, list[dict[str, Any]]]:
    """The same as plain values, by text."""
    return {
        text: [_plain(place, ways) for place, ways in rows] for text, rows in in_my_book().items()
    }


def _plain(place: Place, ways: tuple[Opening, ...]) -> dict[str, Any]:
    opened = [
        {"key": way.key, **way.given._asdict(), "params": dict(way.given.params)} for way in ways
    ]
    return {"place": place.called, "title": place.title, "opens": opened}
