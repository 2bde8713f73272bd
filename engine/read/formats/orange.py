"""Reads tables of Orange (.tab): above the values three rows with names, kinds and roles.

CSV files and workbooks may have these rows too, or flags before the names, as in “cD#k”: lower-case
letters for the role, a capital for the kind.
"""

import csv
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import BinaryIO

from engine.base.errors import EngineError
from engine.base.notation import counted, quoted
from engine.read.formats.form import DeclaredColumn, Form, Opener, text_lines
from engine.read.number_cells import MISSING, is_number
from engine.read.regular import LeftOut, Line, Row
from engine.table.dataset import ColumnRole, Kind

_KINDS = {
    "continuous": Kind.NUMERIC,
    "c": Kind.NUMERIC,
    "numeric": Kind.NUMERIC,
    "n": Kind.NUMERIC,
    "discrete": Kind.CATEGORICAL,
    "d": Kind.CATEGORICAL,
    "categorical": Kind.CATEGORICAL,
    "string": None,
    "s": None,
    "text": None,
    "time": None,
    "t": None,
    "": None,
    "basket": None,
}
_ROLES = {
    "class": ColumnRole.TARGET,
    "c": ColumnRole.TARGET,
    "meta": ColumnRole.IGNORED,
    "m": ColumnRole.IGNORED,
    "ignore": ColumnRole.IGNORED,
    "i": ColumnRole.IGNORED,
    "weight": ColumnRole.IGNORED,
    "w": ColumnRole.IGNORED,
    "": ColumnRole.FEATURE,
}
_PLAIN = frozenset(("string", "text", "time", "basket"))  # kinds that are ordinary words too
_FLAG_KINDS = {
    "C": "continuous",
    "N": "numeric",
    "D": "discrete",
    "S": "string",
    "T": "time",
    "": "",
}
_FLAG_ROLES = {"c": "class", "m": "meta", "i": "ignore", "w": "weight", "": ""}


def headed(rows: Iterator[Line], left: LeftOut) -> Iterator[Line]:
    """The rows of a table, names first, without Orange's flags or rows of kinds and roles.

    `left` records what they declare.
    """
    head = list(islice(rows, 4))
    table = [[*map(str.strip, row)] for _, row in head]
    flags = _flags(table[0]) if head else None
    skipped = 0
    if flags is not None:
        first = next(
            name for name, (kind, role, _) in zip(table[0], flags, strict=True) if kind or role
        )
        left.orange = (
            f"The flags before the names, as in {quoted(first)}, are read as Orange's: kinds and"
            " roles of columns."
        )
        left.kinds = [(kind, role) for kind, role, _ in flags]
        head[0] = head[0][0], [name for _, _, name in flags]
    elif len(table) > 2 and _tells_kinds(table) and not _plain_kinds(table[-1]):
        known = _known_roles(table[2])
        skipped = 2 if known else 1
        left.orange = (
            f"The {'rows' if known else 'row'} below the names, as Orange writes, tell kinds and"
            " roles of the columns."
        )
        left.kinds = list(zip(table[1], table[2] if known else [""] * len(table[1]), strict=True))
        if not known and left.empty:
            left.empty -= 1  # the row of roles
        del head[1 : 1 + skipped]
    yield from head[:1]
    for number, row in chain(head[1:], rows):
        yield number - skipped, row


def _flags(names: Sequence[str]) -> list[tuple[str, str, str]] | None:
    """(kind, role, name without flags) of each name.

    None without flags, if other text precedes a #, or if only numbers follow it.
    """
    found = []
    for name in names:
        flags, mark, rest = name.partition("#")
        kind, role = ("".join(filter(part, flags)) for part in (str.isupper, str.islower))
        if mark and not (
            rest.strip() and 0 < len(flags) < 3 and kind in _FLAG_KINDS and role in _FLAG_ROLES
        ):
            return None
        known = mark and len(kind + role) == len(flags)
        if mark and not known:
            return None
        found.append(
            (_FLAG_KINDS[kind], _FLAG_ROLES[role], rest.strip()) if known else ("", "", name)
        )
    flagged = [(role, rest) for kind, role, rest in found if kind or role]
    if not flagged or all(not role and rest.isdecimal() for role, rest in flagged):
        return None
    return found


def _tells_kinds(table: Sequence[Row]) -> bool:
    """Whether the second row holds kinds of columns.

    Either words, one of which is no ordinary word such as text unless roles follow in the next row;
    or letters with roles below and numbers where the kind says so.
    """
    row = table[1]
    roles = table[2] if _known_roles(table[2]) else []
    if _plain_kinds(row):
        return any(len(role) > 1 for role in roles) or not _PLAIN.issuperset(
            w for w in row if len(w.split()) == 1
        )
    if not roles or len(table) < 4 or not all(len(kind) < 2 and kind in _KINDS for kind in row):
        return False
    numbers = [
        cell for kind, cell in zip(row, table[3], strict=True) if kind in ("c", "n") and cell
    ]
    return bool(numbers) and all(map(is_number, numbers))


def _known_roles(row: Row) -> bool:
    return any(row) and all(_role(role) is not None for role in row)


def _plain_kinds(row: Row) -> bool:
    words = [cell for cell in row if cell]
    whole = [word for word in words if len(word) > 1 and word in _KINDS]
    return bool(whole) and all(word in whole or len(word.split()) > 1 for word in words)


def said_of(columns: Sequence[tuple[str, str]]) -> tuple[DeclaredColumn, ...]:
    """The declarations from (kind, role) of each column; of several classes the first is the
    target.
    """
    said: list[DeclaredColumn] = []
    for kind, flags in columns:
        role = _role(flags)
        if role is ColumnRole.TARGET and any(each.role is role for each in said):
            role = ColumnRole.IGNORED
        domain = _domain(kind) if kind not in _KINDS else ()
        said.append(DeclaredColumn(_KINDS.get(kind, Kind.CATEGORICAL), role, domain))
    return tuple(said)


def is_orange(lines: Sequence[str], tab: bool) -> bool:
    """Whether the second line names kinds and the third roles.

    tab: whether the file is a .tab, which may abbreviate them
    """
    if len(lines) < 3 or '"' in "".join(lines[1:3]):
        return False
    names, kinds, roles = (
        [cell.strip() for cell in line.rstrip("\r\n").split("\t")] for line in lines[:3]
    )
    if not len(names) == len(kinds) >= len(roles) or not any(kinds):
        return False
    words = [kind for kind in kinds if kind]
    known = all(kind in _KINDS or (tab and len(kind.split()) > 1) for kind in words)
    return (
        known
        and (tab or all(len(kind) > 1 for kind in words))
        and all(_role(role) is not None for role in roles)
    )


def _role(flags: str) -> ColumnRole | None:
    """The role of a column from its flags, which may include settings, as in “class color=red”.

    None for anything else.
    """
    words = [word for word in flags.split() if "=" not in word]
    return _ROLES.get(" ".join(words))


def orange_form(name: str, opener: Opener, encoding: str) -> Form:
    """The reader of a table of Orange; of several classes the first is the target.

    Raises EngineError if the three rows do not match.
    """
    with opener() as stream:
        head = list(islice(_cells(name, stream, encoding), 3))
    # quotation marks may have joined lines
    if len(head) < 3 or len(head[0]) != len(head[1]) or len(head[2]) > len(head[1]):
        raise EngineError(f"The three rows above the values of {name} do not match.")
    _, kinds, roles = head
    roles += [""] * (len(kinds) - len(roles))
    said = said_of(list(zip(kinds, roles, strict=True)))
    return Form(partial(_rows, name, encoding), said, encoding=encoding)


def _domain(words: str) -> tuple[str, ...]:
    """The values that a heading lists, separated by blanks; a backslash escapes a blank, as in
    Orange.
    """
    listed = (word.replace("\0", " ") for word in words.replace("\\ ", "\0").split())
    return tuple(dict.fromkeys(word for word in listed if word not in MISSING))


def _cells(name: str, stream: BinaryIO, encoding: str) -> Iterator[Row]:
    try:
        for row in csv.reader(text_lines(stream, encoding), delimiter="\t", strict=True):
            yield [cell.strip() for cell in row]
    except csv.Error:
        raise EngineError(
            f"The quotation marks in {name} do not match, or a cell of it is too long."
        ) from None


def _rows(name: str, encoding: str, stream: BinaryIO, left: LeftOut) -> Iterator[Line]:
    width = 0
    for number, row in enumerate(_cells(name, stream, encoding), start=1):
        if number == 1:
            width = len(row)
        if number in (2, 3) or not any(row):
            continue
        if len(row) > width:
            raise EngineError(
                f"Line {number} of {name} has {counted(len(row), 'cell')}, the first row has"
                f" {width}."
            )
        yield number, row + [""] * (width - len(row))
