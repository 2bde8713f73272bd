"""“In my book”: the sections, figures and exercises of the five texts in their order, and what
opens each.

Derived from the `source` of methods and data sets; `contents` adds titles, data and parameters.
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
    """A place in a text as a source names it.

    kind: 'Fig', 'Ex' …, '' for a section
    low, high: the ends of a range of numbers, equal for a single place
    part: '(a)' of a figure
    """

    text: str
    kind: str
    low: Number
    high: Number
    part: str = ""

    def names(self, other: "Cite") -> bool:
        """Whether both places are the same or overlap."""
        parted = self.part and other.part and self.part != other.part
        return (
            self.group == other.group
            and not parted
            and self.low <= other.high
            and other.low <= self.high
        )

    @property
    def group(self) -> tuple[str, str, int]:
        """(text, kind, depth); only places with equal ones can overlap."""
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
    if kind == "Exercise" and found["text"] != "MMDS":  # where “Ex” is a worked example
        kind = "Ex"
    return Cite(found["text"], kind, low, high, found["part"] or "")


class Given(NamedTuple):
    """The data and parameters with which a text shows a place.

    data: as a command line names it
    params: (name, value) as text
    step: the step to show, −1 for the last
    change: the kind of a transformation of the columns
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
        """The title of the data set, with its rows and noise where a generator's differ from the
        defaults.
        """
        entry, (_, n, noise, *_) = _entry(self.data), f"{self.data}::".split(":")
        rows = [f"{n} rows"] if isinstance(entry, Recipe) and n and int(n) != entry.n else []
        changed = [_CHANGES[self.change]] if self.change else []
        return ", ".join([entry.title, *rows, *([f"noise {noise}"] if noise else []), *changed])


class Opening(Record, eq=True):
    """What one click opens: a method, by its key, with data and parameters."""

    key: str
    given: Given

    @property
    def method(self) -> Algorithm[Any, Any]:
        return algorithms()[self.key]

    @property
    def settings(self) -> Any:
        """The parameters of the method; raises EngineError."""
        return build(self.method.params, dict(self.given.params))

    def document(self, before: Document, active: int) -> Document:
        """`before` with this method in lane `active`, all rows of the data set to learn from, and
        seed 0.

        Nothing set for another table stays, neither in the other lanes nor in `put_away`.
        """
        settings = self.settings
        chosen = before.with_lane(active, key=self.key, params=settings)
        document = as_in_its_book(chosen, self.given.data)
        document = document.with_lane(active, params=settings, seed=0, start=None)
        return replace(document, transforms=self.given.transforms)

    def words(self) -> str:
        """The opening in words: 'Winnow on Spam, Threshold θ learned'."""
        fields = {field.name: field for field in params_fields(self.method.params)}
        choices = [
            fields[name].label + (f" {_signed(text)}" if fields[name].kind != "bool" else "")
            for name, text in self.given.params
        ]
        return ", ".join([f"{self.method.title} on {self.given.set_title}", *choices])

    def command(self) -> str:
        """The arguments of “main.py run”, which have no transformations."""
        options = shlex.join(f"{name}={text}" for name, text in self.given.params)
        return f"{self.key} --data {self.given.data}" + (f" --set {options}" if options else "")


def _signed(text: str) -> str:
    """The text with true minus signs before numbers."""
    return re.sub(r"(?<!\w)-(?=\d)", MINUS, text)


class Place(Record, eq=True):
    """A line of a table of contents.

    name: 'Fig 18.24', '18.7.4', 'Validation'
    section: the section that it is in, or itself
    given: the openings that the contents ask for
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
        """The places cited in brackets in its title, which treat the same subject."""
        return cites(self.title)

    @property
    def citation(self) -> str:
        """The place as a source cites it: "AIMA 18.3", "LS, Validation"."""
        return f"{self.text}, {self.name}" if self.text == "LS" else f"{self.text} {self.name}"


@cache
def contents() -> Mapping[str, tuple[Place, ...]]:
    """All places of each text in order, whether or not the lab shows them."""
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
    values = tuple(
        (name, value if name == "learner" else value.replace("_", " ")) for name, value in params
    )
    return Given(data, values, step, change)


# -- what opens a place ----------------------------------------------------------------------------


Shown = list[tuple[Place, tuple[Opening, ...]]]


def in_my_book() -> dict[str, Shown]:
    """By text: the places that something opens, each with its openings."""
    return {text: in_text(text) for text in TEXTS}


def in_text(text: str) -> Shown:
    """The places of one text that something opens, each with its openings."""
    return _in_text(tuple(algorithms().values()), text)


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

    def within(self, text: str, number: Number) -> list[str]:
        """The names that cite a section inside section `number`."""
        sections = (all_ for group, all_ in self._groups.items() if group[:2] == (text, ""))
        return list(
            dict.fromkeys(
                n for all_ in sections for cite, n in all_ if cite.low[: len(number)] == number
            )
        )


class _Page:
    """The indices of methods and data sets by the places that they cite."""

    def __init__(self, methods: Iterable[Algorithm[Any, Any]]) -> None:
        self.methods = _Index({each.key: each.source for each in methods})
        self.bundled = _bundled()
        self.sets = _Index({name: (entry.source,) for name, entry in self.bundled.items()})

    def openings(self, place: Place) -> tuple[Opening, ...]:
        """The openings of a place: those in the contents, then other sets and methods that cite
        this very place.
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
        """`given` with the methods of this place that have its parameters and suit its data.

        If there are none, with those of its section, or with one from the neighbouring sections.
        """
        for ring, alone in self._rings(place):
            found = [
                Opening(key, given) for key in ring if _has(key, given.params) and suits(key, given)
            ]
            if found:
                return found[:1] if alone else found
        return []

    def _rings(self, place: Place) -> Iterator[tuple[list[str], bool]]:
        """(methods, whether one of them suffices), the nearest first."""
        yield self.methods.at(place.cite, *place.alike), False
        yield self.methods.at(place.section), False
        yield self.methods.within(place.text, place.section.low[:2]), True

    def _sets_near(self, place: Place) -> Iterator[str]:
        """Data sets by distance: of this place, its section, the sections around it, the text, then
        all.
        """
        for wide in (4, 3, 2, 0):
            for beside in contents()[place.text]:
                if beside.section.low[:wide] == place.section.low[:wide] and (
                    wide < 4 or beside is place
                ):
                    yield from (given.data for given in beside.given)
                    yield from self.sets.at(beside.cite)
        yield from self.bundled


def _has(key: str, params: tuple[tuple[str, str], ...]) -> bool:
    try:
        build(algorithms()[key].params, dict(params))
    except EngineError:
        return False
    return True


def suits(key: str, given: Given) -> bool:
    """Whether the method accepts the data set after its transformation."""
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


def _bundled() -> dict[str, Entry]:
    """The bundled data sets by their names on the command line."""
    drawn = {
        f"{name}:{recipe.n}" if name in TEXTBOOK else name: recipe
        for name, recipe in GENERATORS.items()
    }
    return dict(TEXTBOOK) | {name: entry for name, entry in REAL.items() if entry.file} | drawn


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
        for given in (each for place in places for each in place.given if each.data == name):
            if _has(key, given.params):
                yield build(algorithms()[key].params, dict(given.params))


# -- for reading -----------------------------------------------------------------------------------


def book_lines() -> list[str]:
    """The page for a terminal: each place with its arguments of “main.py run”."""
    lines: list[str] = []
    for text, rows in in_my_book().items():
        wide = max(len(place.name) for place, _ in rows) + 2
        lines += ["", f"{text}: {TEXTS[text][0]}", ""]
        for place, ways in rows:
            lines.append(f"  {place.name:<{wide}}{place.title}")
            lines += [f"  {'':<{wide}}  {way.command()}{_also(way.given)}" for way in ways]
    return lines[1:]


def _also(given: Given) -> str:
    """What the arguments cannot express, in brackets: transformations and the step to look at."""
    step = "" if not given.step else "its end" if given.step < 0 else f"step {given.step}"
    remark = ", ".join(filter(None, (_CHANGES.get(given.change, ""), step)))
    return f"  ({remark})" if remark else ""


def book_to_plain() -> dict[str, list[dict[str, Any]]]:
    """The places with their openings as plain values, by text."""
    return {
        text: [_plain(place, ways) for place, ways in rows] for text, rows in in_my_book().items()
    }


def _plain(place: Place, ways: tuple[Opening, ...]) -> dict[str, Any]:
    opened = [
        {"key": way.key, **way.given._asdict(), "params": dict(way.given.params)} for way in ways
    ]
    return {"place": place.citation, "title": place.title, "opens": opened}
