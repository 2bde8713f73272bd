"""Tables of Orange (.tab): three rows above the values, the names, the kinds, and what each column is for."""

import csv
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import BinaryIO

from engine.core.dataset import ColumnRole, Kind
from engine.core.errors import EngineError
from engine.data.formats.form import Form, Opener, Said, text_lines
from engine.data.regular import LeftOut, Line, Row

_KINDS = {
    "continuous": Kind.NUMERIC, "c": Kind.NUMERIC, "numeric": Kind.NUMERIC, "n": Kind.NUMERIC,
    "discrete": Kind.CATEGORICAL, "d": Kind.CATEGORICAL, "categorical": Kind.CATEGORICAL,
    "string": None, "s": None, "text": None, "time": None, "t": None, "": None, "basket": None,
}  # fmt: skip
_ROLES = {
    "class": ColumnRole.TARGET, "c": ColumnRole.TARGET,
    "meta": ColumnRole.IGNORED, "m": ColumnRole.IGNORED,
    "ignore": ColumnRole.IGNORED, "i": ColumnRole.IGNORED,
    "weight": ColumnRole.IGNORED, "w": ColumnRole.IGNORED,
    "": ColumnRole.FEATURE,
}  # fmt: skip


def is_orange(lines: Sequence[str], tab: bool) -> bool:
    """Whether the second line names kinds and the third roles; tab: the file is called so, and may abbreviate them."""
    if len(lines) < 3 or '"' in "".join(lines[1:3]):
        return False
    names, kinds, roles = ([cell.strip() for cell in line.rstrip("\r\n").split("\t")] for line in lines[:3])
    if not len(names) == len(kinds) >= len(roles) or not any(kinds):
        return False
    words = [kind for kind in kinds if kind]
    known = all(kind in _KINDS or (tab and len(kind.split()) > 1) for kind in words)
    return known and (tab or all(len(kind) > 1 for kind in words)) and all(_role(role) is not None for role in roles)


def _role(flags: str) -> ColumnRole | None:
    """What the column is for; flags may have settings beside them, as “class color=red”. None: that is no flag."""
    words = [word for word in flags.split() if "=" not in word]
    return _ROLES.get(" ".join(words))


def orange_form(name: str, opener: Opener, encoding: str) -> Form:
    """The reader of a table of Orange; of several classes the first is the target."""
    with opener() as stream:
        head = list(islice(_cells(name, stream, encoding), 3))
    if len(head) < 3 or len(head[0]) != len(head[1]) or len(head[2]) > len(head[1]):  # marks of quotation join lines
        raise EngineError(f"The three rows above the values of {name} do not match.")
    _, kinds, roles = head
    said: list[Said] = []
    for kind, flags in zip(kinds, [*roles, *[""] * (len(kinds) - len(roles))], strict=True):
        role = _role(flags)
        if role is ColumnRole.TARGET and any(each.role is role for each in said):
            role = ColumnRole.IGNORED
        said.append(Said(_KINDS.get(kind, Kind.CATEGORICAL), role))
    return Form(partial(_rows, name, encoding), tuple(said), encoding=encoding)


def _cells(name: str, stream: BinaryIO, encoding: str) -> Iterator[Row]:
    try:
        for row in csv.reader(text_lines(stream, encoding), delimiter="\t", strict=True):
            yield [cell.strip() for cell in row]
    except csv.Error:
        raise EngineError(f"The quotation marks in {name} do not match, or a cell of it is too long.") from None


def _rows(name: str, encoding: str, stream: BinaryIO, left: LeftOut) -> Iterator[Line]:
    width = 0
    for number, row in enumerate(_cells(name, stream, encoding), start=1):
        if number == 1:
            width = len(row)
        if number in (2, 3) or not any(row):
            continue
        if len(row) > width:
            raise EngineError(f"Line {number} of {name} has {len(row)} cells, the first row has {width}.")
        yield number, row + [""] * (width - len(row))
