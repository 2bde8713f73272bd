"""LIBSVM, also called svmlight: each line a label and then place:value for what is not 0; places count from 1."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import BinaryIO

from engine.core.dataset import ColumnRole, Kind
from engine.core.errors import EngineError
from engine.data.formats.form import Fault, Form, Opener, Said, check_cells, rows_kept, text_lines
from engine.data.regular import MAX_COLUMNS, Line

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_LINE = re.compile(rf"{_NUMBER}(?:,{_NUMBER})*((?:[ \t]+(?:qid|\d+):{_NUMBER})*)[ \t]*(?:#.*)?")
_PAIR = re.compile(r"(\d+):(\S+)")
_CLOCK = re.compile(r"(?:[ \t]+(?:[01]?\d|2[0-4]):[0-5]\d)+")


def is_libsvm(lines: Sequence[str]) -> bool:
    """Whether the first lines of a text, without blank ones, are of this kind: 1 10:30 alone may be a time of the day."""
    found = [_LINE.fullmatch(line.strip()) for line in lines if not line.startswith("#")]
    pairs = [match[1] for match in found if match is not None and match[1]]
    if not all(found) or not pairs or all(map(_CLOCK.fullmatch, pairs)):
        return False
    return all(_rising([int(place) for place, _ in _PAIR.findall(each)]) for each in pairs)


def _rising(places: Sequence[int]) -> bool:
    return all(a < b for a, b in pairwise(places))


def libsvm_form(name: str, opener: Opener, encoding: str) -> Form:
    """The reader of a LIBSVM file; it is read once to know how wide its table is."""
    width = rows = 0
    with opener() as stream:
        for number, line in _lines(stream, encoding):
            places = _places(name, number, line)
            rows, width = rows + 1, max(width, places[-1] if places else 0)
            if width >= MAX_COLUMNS:
                raise EngineError(
                    f"Line {number} of {name} has place {f'{width:,}'[:40]}; the lab takes at most {MAX_COLUMNS:,} columns."
                )
            if places and places[0] == 0:
                raise EngineError(
                    f"Line {number} of {name} has a place 0; in LIBSVM files places count from 1. Write it anew with zero_based=False."
                )
    check_cells(name, min(rows, rows_kept(width + 1)), width + 1)
    said = (Said(None, ColumnRole.TARGET), *(Said(Kind.NUMERIC, None) for _ in range(width)))
    notice = "It is read as LIBSVM: a label, then place:value for what is not 0; x1 is place 1."
    return Form(partial(_rows, name, encoding, width), said, notices=(notice,))


def _lines(stream: BinaryIO, encoding: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text_lines(stream, encoding), start=1):
        line = line.partition("#")[0].strip()
        if line:
            yield number, line


def _places(name: str, number: int, line: str) -> list[int]:
    """Where the values of a line stand. Raises EngineError for a line of another kind."""
    label = line.split(None, 1)[0]
    if "," in label:
        raise EngineError(f"Line {number} of {name} has several labels, “{label[:40]}”; the lab learns one.")
    if "qid:" in line:
        raise EngineError(f"{name} holds queries to rank (qid:), which the lab does not learn.")
    places = [int(place) for place, _ in _PAIR.findall(line)] if _LINE.fullmatch(line) else None
    if places is None or not _rising(places):
        raise EngineError(
            f"Line {number} of {name} is no line of a LIBSVM file: a label, then place:value with rising places, as 1 3:0.5 7:2."
        )
    return places


def _rows(name: str, encoding: str, width: int, stream: BinaryIO, fault: Fault) -> Iterator[Line]:
    yield 1, ["label", *(f"x{k}" for k in range(1, width + 1))]
    for number, line in _lines(stream, encoding):
        row = ["0"] * (width + 1)
        row[0] = line.split(None, 1)[0]
        for place, value in _PAIR.findall(line):
            row[int(place)] = value
        yield number, row
