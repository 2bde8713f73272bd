"""TOML tables read one key after the other: what does not fit is left out and said, with its
line.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from engine.base.errors import EngineError
from engine.base.notation import counted, cut, listed, quoted
from engine.base.records import Record, cached_property

T = TypeVar("T")
Place = tuple[str | int, ...]  # ("page", 2, "task", "kind"): of the third page
MAX_BYTES = 2**20
HEADER = re.compile(r"\s*\[(\[?)\s*([^\[\]#]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*("[^"]*"|'[^']*'|[\w-]+)\s*[.=]""")


class Fault(Record, eq=True):
    """What is not as it should be. line: in the text, from 1; 0 for the whole of it."""

    line: int
    sentence: str

    def words(self, name: str = "") -> str:
        """'file.toml, line 12: …'."""
        place = ", ".join(filter(None, (name, f"line {self.line}" if self.line else "")))
        return f"{place}: {self.sentence}" if place else self.sentence


def lines_of(text: str) -> dict[Place, int]:
    """The line, from 1, of each key and table in a TOML text, as far as its layout tells."""
    found: dict[Place, int] = {}
    counts: dict[Place, int] = {}
    here: Place = ()
    within = ""  # the quotes of a text over several lines
    for number, line in enumerate(text.split("\n"), 1):
        if within:
            within = "" if line.count(within) % 2 else within
            continue
        if header := HEADER.match(line):
            here = _opened(header[2], bool(header[1]), counts)
            found.setdefault(here, number)
        elif key := _KEY.match(line):
            found.setdefault((*here, key[1].strip("\"'")), number)
        within = next((q for q in ('"""', "'''") if line.count(q) % 2), "")
    return found


def _opened(name: str, one_more: bool, counts: dict[Place, int]) -> Place:
    """The place of a table by its header; counts: of the lists of tables so far."""
    here: Place = ()
    parts = [part.strip().strip("\"'") for part in name.split(".")]
    for depth, part in enumerate(parts):
        here = (*here, part)
        if one_more and depth == len(parts) - 1:
            counts[here] = counts.get(here, 0) + 1
        if here in counts:
            here = (*here, counts[here] - 1)
    return here


class Notes:
    """The faults found in a text, each with its line."""

    def __init__(self, written: str = "") -> None:
        self.written, self.faults = written, list[Fault]()

    @cached_property
    def lines(self) -> Mapping[Place, int]:
        """See `lines_of`; most texts have no fault and need none."""
        return lines_of(self.written)

    def say(self, place: Place, sentence: str) -> None:
        """Note a fault; its line is that of the place, or of the nearest table around it."""
        near = next((place[:n] for n in range(len(place), 0, -1) if place[:n] in self.lines), ())
        self.faults.append(Fault(self.lines.get(near, 0), sentence))


class Table:
    """A table of a TOML text. Each reader takes a key; `end` says which keys none has taken."""

    def __init__(self, value: Any, place: Place, notes: Notes) -> None:
        self.values: dict[str, Any] = value if isinstance(value, dict) else {}
        self.place, self.notes = place, notes
        self.taken: set[str] = set()
        if not isinstance(value, dict):
            self.say("", f"{_name(place)} must be a table.")

    def say(self, key: str, sentence: str) -> None:
        self.notes.say((*self.place, key), sentence)

    def end(self) -> None:
        unknown = sorted(self.values.keys() - self.taken)
        for key in unknown[:3]:
            self.say(key, f"{quoted(key)} in {_name(self.place)} is not known and is left out.")
        if len(unknown) > 3:
            rest = listed(unknown[3:], quoted)
            self.say(unknown[3], f"In {_name(self.place)} {rest} are not known and are left out.")

    def has(self, key: str) -> bool:
        return key in self.values

    def take(self, key: str, read: Callable[[Any], T], default: T) -> T:
        """What `read` makes of the key's value; `default` where it is absent or does not fit."""
        self.taken.add(key)
        if key not in self.values:
            return default
        try:
            return read(self.values[key])
        except EngineError as wanted:
            name = _name((*self.place, key))
            self.say(key, f"{name} must be {wanted}; it is {_seen(self.values[key])}.")
            return default

    def text(self, key: str, most: int, default: str = "") -> str:
        """A text; one of more than `most` letters is cut."""
        found = self.take(key, text, default)
        if len(found) > most:
            self.say(key, f"{_name((*self.place, key))} has over {most:,} letters and is cut.")
        return found[:most]

    def words(self, key: str, most: int, known: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Texts; a single one may stand without brackets. Of `known` others are left out."""
        none: tuple[str, ...] = ()
        found = self.take(key, lambda v: tuple(map(text, several(v, most))), none)
        if known and (strange := [word for word in found if word not in known]):
            name = _name((*self.place, key))
            self.say(key, f"{name} can hold {listed(known)}, not {listed(strange, quoted)}.")
            found = tuple(word for word in found if word in known)
        return found

    def table(self, key: str) -> "Table":
        self.taken.add(key)
        return Table(self.values.get(key, {}), (*self.place, key), self.notes)

    def tables(self, key: str, most: int, what: str) -> Iterator["Table"]:
        """The tables of a list, at most `most`."""
        self.taken.add(key)
        found = self.values.get(key, [])
        if not isinstance(found, list):
            self.say(key, f"{_name((*self.place, key))} must stand in double brackets: [[{key}]].")
            found = []
        if len(found) > most:
            self.say(
                key,
                f"There are at most {counted(most, what)}; this text has {len(found):,}: the first"
                f" {most} are opened.",
            )
        for index, value in enumerate(found[:most]):
            yield Table(value, (*self.place, key, index), self.notes)


def parsed(written: str, most: int = MAX_BYTES) -> tuple[dict[str, Any], list[Fault]]:
    """The values of a TOML text of at most `most` letters; {} with a sentence where it is none."""
    if len(written) > most:
        return {}, [Fault(0, f"It is longer than {most:,} letters.")]
    try:
        return tomllib.loads(written), []
    except tomllib.TOMLDecodeError as fault:
        said = str(fault)
        line = re.search(r"at line (\d+)", said)
        why = re.sub(r" \(at .*\)", "", said)
        end = written.rstrip().count("\n") + 1
        return {}, [Fault(int(line[1]) if line else end, f"This is not readable as TOML: {why}.")]
    except (RecursionError, ValueError, OverflowError):
        return {}, [Fault(0, "It is nested too deeply or holds numbers of too many digits.")]


# -- values: each returns the value or raises EngineError with what it must be ---------------------


def text(value: Any) -> str:
    if not isinstance(value, str):
        raise EngineError("a text in quotation marks")
    return value


def whole(value: Any, low: int = 0, high: int = 2**32 - 1) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise EngineError(f"a whole number from {low} to {high:,}")
    return value


def number(value: Any) -> float:
    plain = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not plain or not abs(value) <= 1e150:
        raise EngineError("a number")
    return float(value)


def flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise EngineError("true or false")
    return value


def several(value: Any, most: int) -> list[Any]:
    """The entries of a list, a single value as the only one."""
    found = value if isinstance(value, list) else [value]
    if len(found) > most:
        raise EngineError(f"a list of at most {most:,} entries")
    return found


def numbers(value: Any, count: int) -> tuple[float, ...]:
    found = several(value, count)
    if len(found) != count:
        raise EngineError(f"{counted(count, 'number')} in brackets")
    return tuple(map(number, found))


def _seen(value: Any) -> str:
    if isinstance(value, list):
        return f"a list of {len(value):,}"
    if isinstance(value, dict):
        return "a table"
    return quoted(value) if isinstance(value, str) else cut(value)


def _name(place: Place) -> str:
    """A place in words: 'task of page 3', 'the text'."""
    parts: list[str] = []
    for part in place:
        if isinstance(part, int):
            parts[-1] += f" {part + 1}"
        elif part:
            parts.append(cut(part))
    return " of ".join(reversed(parts)) or "the text"
