"""Reads JSON with checks that name the faulty place, and writes readable JSON in pieces."""

import json
import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NoReturn, TypeVar

from engine.base.errors import EngineError
from engine.base.notation import cut, plural, quoted
from engine.base.records import Record

E = TypeVar("E", bound=StrEnum)
_CHUNK = 4096
MAX_WHOLE = 2**53
_TO_ESCAPE = re.compile("[\x7f-\x9f\ud800-\udfff]")
WORDS = {"inf": float("inf"), "-inf": float("-inf")}


class Part(Record, eq=True):
    """A value of a parsed file and its place there ('data.columns[2].kind').

    Each reader checks the value and raises EngineError with the place.
    """

    value: Any
    place: str = ""

    def fail(self, wanted: str) -> NoReturn:
        raise EngineError(f"{self.place or 'the file'} must be {wanted}; it is {_seen(self.value)}")

    def record(self, needed: Sequence[str], optional: Sequence[str] = ()) -> dict[str, "Part"]:
        """The members of an object by name; raises EngineError for missing and unknown names."""
        if not isinstance(self.value, dict):
            self.fail("an object in braces")
        for name in needed:
            if name not in self.value:
                raise EngineError(f"{self.place or 'the file'} has no {quoted(name)}")
        unknown = next((n for n in self.value if n not in needed and n not in optional), None)
        if unknown is not None:
            raise EngineError(
                f"{self.place or 'the file'} holds {quoted(unknown)}, which means nothing there"
            )
        prefix = f"{self.place}." if self.place else ""
        return {name: Part(value, prefix + name) for name, value in self.value.items()}

    def items(self, least: int = 0, most: int | None = None) -> list["Part"]:
        """The entries of a list of `least` to `most` entries; raises EngineError for other
        values.
        """
        if not isinstance(self.value, list):
            self.fail("a list in brackets")
        if len(self.value) < least or (most is not None and len(self.value) > most):
            entries = (
                f"{least}"
                if least == most
                else (f"at least {least}" if most is None else f"{least} to {most}")
            )
            raise EngineError(
                f"{self.place} must have {entries}"
                f" {plural(least if most is None else most, 'entry', 'entries')}; it has"
                f" {len(self.value)}"
            )
        return [Part(value, f"{self.place}[{i}]") for i, value in enumerate(self.value)]

    def text(self) -> str:
        if not isinstance(self.value, str):
            self.fail("text in quotes")
        return self.value

    def whole(self, low: int, high: int) -> int:
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.fail(f"a whole number from {low} to {high}")
        return value

    def finite(self) -> float:
        if (
            isinstance(self.value, bool)
            or not isinstance(self.value, (int, float))
            or not is_finite(self.value)
        ):
            self.fail("a finite number")
        return float(self.value)

    def option(self, kinds: type[E]) -> E:
        if not isinstance(self.value, str) or self.value not in list(kinds):
            self.fail("one of " + ", ".join(kinds))
        return kinds(self.value)


def optional(
    parts: Mapping[str, Part], name: str, read: Callable[[Part], Any], default: Any
) -> Any:
    """What `read` returns for the member `name`; `default` if it is absent, or null and None is
    allowed.
    """
    part = parts.get(name)
    if part is None or (part.value is None and default is None):
        return default
    return read(part)


def bare(fault: EngineError) -> str:
    """The error's sentence without its full stop, for use inside another one."""
    return str(fault).removesuffix(".")


def ended(fault: EngineError) -> str:
    """The error's sentence for the end of another one, with a full stop unless it is a question."""
    text = bare(fault)
    return text if text.endswith("?") else f"{text}."


def is_finite(value: float) -> bool:
    """Whether a number is within the range of floats; whole numbers may exceed it."""
    return abs(value) <= sys.float_info.max


def _seen(value: Any) -> str:
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    return quoted(value) if isinstance(value, str) else cut(json.dumps(value))


def parse(text: str) -> Any:
    """The JSON value of `text`.

    Raises EngineError for invalid, truncated or too deeply nested JSON, repeated names, and NaN.
    """
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_unique)
    except EngineError:
        raise
    except RecursionError:
        raise EngineError("it is nested too deeply") from None
    except json.JSONDecodeError as fault:
        if fault.pos >= len(text.rstrip()) or not text.rstrip().endswith("}"):
            raise EngineError("it ends in the middle; a part of the file is missing") from None
        raise EngineError(
            f"it is not valid JSON at line {fault.lineno}, column {fault.colno}"
        ) from None
    except ValueError:  # a whole number of thousands of digits
        raise EngineError("it holds a number of more digits than any computer number has") from None


def _no_constant(word: str) -> NoReturn:
    raise EngineError(f"it holds {word}, which is no number; write null where a value is missing")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise EngineError(f"it names {quoted(twice)} twice in one place")
    return found


def pieces(value: Any, indent: int = 0) -> Iterator[bytes]:
    """`value` as readable UTF-8 JSON: objects over several lines, lists of plain values on one.

    Yields small pieces, so that other threads run while a large table is written.
    """
    if isinstance(value, dict) and value:
        entries = ((one_line(str(name)) + b": ", entry) for name, entry in value.items())
        yield from _block(b"{", entries, b"}", indent)
    elif isinstance(value, list) and any(isinstance(entry, (dict, list)) for entry in value):
        yield from _block(b"[", ((b"", entry) for entry in value), b"]", indent)
    elif isinstance(value, list) and len(value) > _CHUNK:
        for start in range(0, len(value), _CHUNK):
            yield (b", " if start else b"[") + one_line(value[start : start + _CHUNK])[1:-1]
        yield b"]"
    else:
        yield one_line(value)


def _block(
    opening: bytes, entries: Iterable[tuple[bytes, Any]], closing: bytes, indent: int
) -> Iterator[bytes]:
    lead = opening
    for name, entry in entries:
        yield lead + b"\n" + b" " * (indent + 1) + name
        yield from pieces(entry, indent + 1)
        lead = b","
    yield b"\n" + b" " * indent + closing


def one_line(value: Any) -> bytes:
    """`value` as one line of JSON.

    Escapes lone surrogates, which UTF-8 cannot hold, and DEL and C1 control characters, which JSON
    allows but a terminal obeys.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return (json.dumps(value, allow_nan=False) if _TO_ESCAPE.search(text) else text).encode()


def number_or_word(value: Any) -> Any:
    """A float as JSON can hold it: infinities as 'inf' and '-inf', NaN as null; other values
    unchanged.
    """
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("inf" if value > 0 else "-inf")
    return value
