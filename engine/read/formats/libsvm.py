"""Reads LIBSVM, also called svmlight: each line a label and place:value pairs of nonzero values.

Places count from 1.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import BinaryIO

from engine.base.errors import EngineError
from engine.read.formats.form import (
    DeclaredColumn,
    Form,
    Opener,
    check_cells,
    rows_kept,
    text_lines,
)
from engine.read.regular import MAX_COLUMNS, LeftOut, Line
from engine.table.dataset import ColumnRole, Kind

_NUMBER = r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?"
_ONE_NUMBER = re.compile(_NUMBER)
_PAIR = re.compile(rf"(qid|\d++):({_NUMBER})")
_LABEL = re.compile(r"[^\W\d][\w.-]*+")
_SURE = 3  # the fewest words in a line, label included, if labels are no numbers
_CLOCK = re.compile(r"(?:[01]?\d|2[0-4]):[0-5]\d")
_MOST_DIGITS = 400  # of a place; int() refuses longer ones, and these are refused anyway
Pairs = list[tuple[int, str]]  # place, value


def is_libsvm(lines: Sequence[str]) -> bool:
    """Whether the first lines, without blank ones, look like LIBSVM.

    Pairs such as 10:30 alone may be times of the day, so they do not suffice.
    """
    words = [_words(line) for line in lines if not line.startswith("#")]
    found = [_pairs(each) for each in words]
    pairs = [word for each in words for word in each[1:]]
    named = not all(_labels(each[:1]) for each in words)
    if named and max(map(len, words)) < _SURE:
        return False
    if not pairs or all(map(_CLOCK.fullmatch, pairs)):
        return False
    good = [each for each in found if each is not None and _rising([place for place, _ in each])]
    if len(good) == len(found):
        return True
    pairing = [each for each in good if each]
    # some lines may be broken
    return 2 * len(pairing) >= len(found) and max(map(len, pairing), default=0) >= _SURE - 1


def _words(line: str) -> list[str]:
    """The words of a line without its remark; blanks around a colon are removed."""
    parts = line.partition("#")[0].split(":")
    return ":".join(map(str.strip, parts)).split()


def _pairs(words: Sequence[str]) -> Pairs | None:
    """The (place, value) pairs of a line without qid; None if a word is no label or pair."""
    found = [_PAIR.fullmatch(word) for word in words[1:]]
    if not words or not all(found) or not (_labels(words) or _LABEL.fullmatch(words[0])):
        return None
    given = [match.groups() for match in found if match is not None]
    return [(int(place[:_MOST_DIGITS]), value) for place, value in given if place != "qid"]


def _labels(words: Sequence[str]) -> bool:
    """Whether a line begins with one or several numbers."""
    return bool(words) and all(map(_ONE_NUMBER.fullmatch, words[0].split(",")))


def _rising(places: Sequence[int]) -> bool:
    return all(a < b for a, b in pairwise(places))


def libsvm_form(name: str, opener: Opener, encoding: str) -> Form:
    """The reader of a LIBSVM file; reads it once to find its width. Raises EngineError."""
    width = rows = 0
    with opener() as stream:
        for number, line in _lines(stream, encoding):
            places = _places(name, number, line)
            rows = rows + 1
            width = max(width, places[-1] if places else 0)
            if width >= MAX_COLUMNS:
                raise EngineError(
                    f"Line {number} of {name} has place {f'{width:,}'[:40]}; the lab takes at most"
                    f" {MAX_COLUMNS:,} columns."
                )
            if places and places[0] == 0:
                raise EngineError(
                    f"Line {number} of {name} has a place 0; in LIBSVM files places count from 1."
                    " Write it anew with zero_based=False."
                )
    check_cells(name, min(rows, rows_kept(width + 1)), width + 1)
    said = (
        DeclaredColumn(None, ColumnRole.TARGET),
        *(DeclaredColumn(Kind.NUMERIC, None) for _ in range(width)),
    )
    notice = "It is read as LIBSVM: a label, then place:value for what is not 0; x1 is place 1."
    return Form(partial(_rows, name, encoding, width), said, notices=(notice,))


def _lines(stream: BinaryIO, encoding: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text_lines(stream, encoding), start=1):
        line = line.partition("#")[0].strip()
        if line:
            yield number, line


def _places(name: str, number: int, line: str) -> list[int]:
    """The places of a line's values; raises EngineError for a line of another kind."""
    label = line.split(None, 1)[0]
    if "," in label:
        raise EngineError(
            f"Line {number} of {name} has several labels, “{label[:40]}”; the lab learns one."
        )
    if "qid:" in line:
        raise EngineError(f"{name} holds queries to rank (qid:), which the lab does not learn.")
    pairs = _pairs(_words(line))
    places = [place for place, _ in pairs or ()]
    if pairs is None or not _rising(places):
        raise EngineError(
            f"Line {number} of {name} is no line of a LIBSVM file: a label, then place:value with"
            " rising places, as 1 3:0.5 7:2. If it is another table, choose the separator."
        )
    return places


def _rows(name: str, encoding: str, width: int, stream: BinaryIO, left: LeftOut) -> Iterator[Line]:
    yield 1, ["label", *(f"x{k}" for k in range(1, width + 1))]
    for number, line in _lines(stream, encoding):
        row = ["0"] * (width + 1)
        row[0] = line.split(None, 1)[0]
        for place, value in _pairs(_words(line)) or ():
            row[place] = value
        yield number, row
