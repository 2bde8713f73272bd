"""Project files: a document as JSON.

Data only: nothing in a file is executed, everything is checked.
"""

import os
import stat
from collections.abc import Mapping
from numbers import Integral
from pathlib import Path
from types import NoneType
from typing import Any

import numpy as np

from engine.base.arrays import Float, frozen
from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.base.records import Record, field_names
from engine.document.document import MAX_LANES, Document
from engine.document.lane import Lane
from engine.files.atomic import in_folder, reason, write_atomic
from engine.files.lanes import lane_to_plain, read_flag, read_lane, read_level, read_seed
from engine.files.plain import (
    MAX_WHOLE,
    WORDS,
    Part,
    ended,
    is_finite,
    number_or_word,
    optional,
    parse,
    pieces,
)
from engine.protocol.step import Level
from engine.runs.start import Start
from engine.table.dataset import (
    Column,
    ColumnRole,
    Dataset,
    Feature,
    Kind,
    Label,
    check_classes,
    number_column,
)
from engine.table.given import check_plane, check_type, file_path, seen
from engine.table.origin import Origin
from engine.table.prepare import Split, Transform
from engine.table.transforms import KINDS

FORMAT = "learnscope project"
VERSION = 5
MAX_BYTES = 512 * 2**20


class Project(Record, eq=True):
    """The contents of a project file.

    cursor: the number of the shown step among those of `level` that a run records, or None
    """

    document: Document
    cursor: int | None = None
    level: Level = Level.STEP


def save_project(
    document: Document,
    path: str | os.PathLike[str],
    cursor: int | None = None,
    level: Level = Level.STEP,
) -> None:
    """Write `document` to `path`, completely or not at all; cursor, level: see `Project`.

    Raises EngineError for an invalid path, a failed write, and a document that a file could not
    give back (such as an infinite number in the table).
    """
    check_type("What is saved", document, Document, "Document(data, lanes)")
    if cursor is not None and not isinstance(cursor, Integral):
        raise EngineError(f"The step to open at must be a whole number; it is {seen(cursor)}.")
    plain = to_plain(document, cursor, level)
    try:
        from_plain(plain)
    except EngineError as fault:
        raise EngineError(f"The project cannot be saved: {ended(fault)}") from None
    write_atomic(file_path(path), _with_newline(plain))


def load_project(path: str | os.PathLike[str]) -> Document:
    """The document of a project file.

    Raises EngineError, with one sentence, for any fault of the file.
    """
    return read_project(path).document


def read_project(path: str | os.PathLike[str]) -> Project:
    """The document of a project file with its cursor; raises EngineError as `load_project` does."""
    text = _text(file_path(path))
    name = Path(path).name
    try:
        return from_plain(parse(text))
    except _Newer as newer:
        raise EngineError(
            f"{quoted(name)} was written by a newer Learnscope {newer}. Update Learnscope to"
            " open it."
        ) from None
    except EngineError as fault:
        raise EngineError(f"{quoted(name)} cannot be opened: {ended(fault)}") from None


class _Newer(EngineError):
    """Raised for a file with a later format version."""


def _with_newline(plain: Mapping[str, Any]) -> Any:
    yield from pieces(plain)
    yield b"\n"


def _text(path: Path) -> str:
    """The text of the file at `path`; raises EngineError if it is missing, empty, too large or no
    text.
    """
    name = path.name
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise EngineError(f"{quoted(name)} is not a file.")
        if found.st_size > MAX_BYTES:
            raise EngineError(
                f"{quoted(name)} is too large for a project file: {found.st_size / 2**20:,.0f} MB."
            )
        raw = path.read_bytes()
    except FileNotFoundError:
        raise EngineError(f"There is no file {quoted(name)}{in_folder(path)}.") from None
    except (OSError, ValueError) as refused:
        if isinstance(refused, EngineError):
            raise
        raise EngineError(f"{quoted(name)} could not be read: {reason(refused)}.") from None
    if not raw.strip():
        raise EngineError(f"{quoted(name)} is empty.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise EngineError(
            f"{quoted(name)} is not a Learnscope project: it is not a text file."
        ) from None
    if not text.lstrip().startswith("{"):
        raise EngineError(f"{quoted(name)} is not a Learnscope project.")
    return text


# -- writing ---------------------------------------------------------------------------------------


def to_plain(
    document: Document, cursor: int | None = None, level: Level = Level.STEP
) -> dict[str, Any]:
    """The document as JSON values; cursor, level: see `Project`."""
    plain: dict[str, Any] = {
        "format": FORMAT,
        "version": version_of(document),
        "notes": document.notes,
        "lanes": [_lane_to_plain(lane) for lane in document.lanes],
        "transforms": [{"kind": t.kind, "columns": list(t.names)} for t in document.transforms],
        "plane": list(document.plane),
        "split": _split_to_plain(document.split),
        "probe": None if document.probe is None else [float(v) for v in document.probe],
        "view": (
            None if document.view is None else [[float(v) for v in axis] for axis in document.view]
        ),
        "data": _data_to_plain(document.data),
    }
    if document.put_away:
        plain["put_away"] = [lane_to_plain(lane) for lane in document.put_away]
    if document.compared is not None:
        plain |= {"compared": [int(k) for k in document.compared], "ghost": bool(document.ghost)}
    if cursor is None:
        return plain
    if level is not Level.STEP:
        plain |= {"version": VERSION, "level": level.name.lower()}
    return plain | {"cursor": int(cursor)}


def version_of(document: Document) -> int:
    """The oldest format version that can hold the document, so that older programs can read it."""
    own = any(lane.data is not None or _branched(lane) for lane in document.lanes)
    if document.put_away or document.compared is not None or own:
        return 4
    if document.split.rows:
        return 3
    return 2 if any(lane.start is not None for lane in document.lanes) else 1


def _branched(run: Lane | Start) -> bool:
    """Whether the run, or one that it goes on from, has branches."""
    return bool(run.branches) or (run.start is not None and _branched(run.start))


def _lane_to_plain(lane: Lane) -> dict[str, Any]:
    plain = lane_to_plain(lane)
    return plain if lane.data is None else plain | {"data": _data_to_plain(lane.data)}


def _split_to_plain(split: Split) -> dict[str, Any]:
    plain: dict[str, Any] = {"share": float(split.share), "seed": int(split.seed)}
    return plain | {"rows": [int(row) for row in split.rows]} if split.rows else plain


def _data_to_plain(data: Dataset) -> dict[str, Any]:
    plane = {"plane": list(data.plane)} if data.plane else {}
    generated = (
        {"origin": {name: getattr(data.origin, name) for name in field_names(data.origin)}}
        if data.origin is not None and data.origin.seed <= MAX_WHOLE
        else {}
    )
    columns = [_column_to_plain(c) for c in data.columns]
    return {"name": data.name, "about": data.about, **plane, **generated, "columns": columns}


def _column_to_plain(column: Column) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "name": column.name,
        "kind": column.kind.value,
        "role": column.role.value,
    }
    if not column.feature.numeric:
        plain["categories"] = [_label_to_plain(label) for label in column.categories]
    return plain | {"values": _values_to_plain(column)}


def _label_to_plain(label: Label) -> Any:
    label = label.item() if isinstance(label, np.generic) else label
    word = number_or_word(label)
    return label if word is label else {"number": word}


def _values_to_plain(column: Column) -> list[Any]:
    missing = np.isnan(column.values)
    values = (
        column.values
        if column.feature.numeric
        else np.where(missing, 0, column.values).astype(np.int64)
    )
    plain: list[Any] = values.tolist()
    for row in np.flatnonzero(missing).tolist():
        plain[row] = None
    return plain


# -- reading ---------------------------------------------------------------------------------------


def from_plain(value: Any) -> Project:
    """The project that JSON values describe; raises EngineError at the first fault."""
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise EngineError("it is not a Learnscope project")
    version = Part(value.get("version"), "version").whole(1, MAX_WHOLE)
    if version > VERSION:
        raise _Newer(f"(format {version}); this one reads up to {VERSION}")
    parts = Part(value).record(
        ("format", "version", "lanes", "data"),
        (
            "notes",
            "transforms",
            "plane",
            "split",
            "probe",
            "view",
            "put_away",
            "cursor",
            "level",
            "compared",
            "ghost",
        ),
    )
    lanes = tuple(read_lane(part, _data) for part in parts["lanes"].items(1, MAX_LANES))
    document = Document(
        data=_data(parts["data"]),
        lanes=lanes,
        transforms=optional(
            parts, "transforms", lambda part: tuple(map(_transform, part.items())), ()
        ),
        plane=optional(parts, "plane", _plane, ()),
        split=optional(parts, "split", _split, Split()),
        probe=optional(parts, "probe", _pair, None),
        notes=optional(parts, "notes", Part.text, ""),
        view=optional(parts, "view", _view, None),
        put_away=optional(parts, "put_away", _put_away, ()),
        compared=optional(parts, "compared", lambda part: _compared(part, len(lanes)), None),
        ghost=optional(parts, "ghost", read_flag, False),
    )
    return Project(
        document,
        optional(parts, "cursor", lambda part: part.whole(0, MAX_WHOLE), None),
        optional(parts, "level", read_level, Level.STEP),
    )


def _put_away(part: Part) -> tuple[Lane, ...]:
    """The parameters of methods that are in no lane now."""
    lanes = tuple(map(read_lane, part.items()))
    if len({lane.key for lane in lanes}) < len(lanes):
        raise EngineError(f"{part.place} names a method twice")
    return lanes


def _plane(part: Part) -> tuple[str, ...]:
    names = tuple(name.text() for name in part.items(0, 2))
    check_plane(names)
    return names


def _compared(part: Part, count: int) -> tuple[int, int]:
    """The indices of two different lanes."""
    place, other = (each.whole(0, count - 1) for each in part.items(2, 2))
    if place == other:
        part.fail("the numbers of two different lanes, from 0")
    return place, other


def _pair(part: Part) -> tuple[float, float]:
    x, y = part.items(2, 2)
    return x.finite(), y.finite()


def _view(part: Part) -> tuple[tuple[float, float], tuple[float, float]]:
    x, y = (_pair(axis) for axis in part.items(2, 2))
    if not (x[0] < x[1] and y[0] < y[1]):
        raise EngineError(f"{part.place} must give the lower end of each axis before the upper one")
    for axis, (low, high) in zip(part.items(), (x, y), strict=True):
        if not is_finite(high - low):
            raise EngineError(f"{axis.place} is too wide; its ends must lie closer together")
    return x, y


def _split(part: Part) -> Split:
    parts = part.record((), ("share", "seed", "rows"))
    rows = optional(
        parts, "rows", lambda rows: tuple(row.whole(1, MAX_WHOLE) for row in rows.items()), ()
    )
    share = optional(parts, "share", Part.finite, 0.0)
    if not 0 <= share < 1:
        parts["share"].fail("a share from 0 up to, but not with, 1")
    return Split(share, optional(parts, "seed", read_seed, 0), rows)


def _transform(part: Part) -> Transform:
    parts = part.record(("kind",), ("columns",))
    columns = optional(
        parts, "columns", lambda names: tuple(name.text() for name in names.items()), ()
    )
    if parts["kind"].text() not in KINDS:
        parts["kind"].fail("one of " + ", ".join(KINDS))
    return Transform(parts["kind"].text(), columns)


def _data(part: Part) -> Dataset:
    parts = part.record(("columns",), ("name", "about", "plane", "origin"))
    columns = tuple(_column(column) for column in parts["columns"].items())
    for role in (ColumnRole.TARGET, ColumnRole.NAME):
        if sum(column.role is role for column in columns) > 1:
            raise EngineError(f"{part.place} has more than one column in the role {quoted(role)}")
    name = optional(parts, "name", Part.text, "data")
    about, plane = optional(parts, "about", Part.text, ""), optional(parts, "plane", _plane, ())
    return Dataset(columns, name, about, plane, optional(parts, "origin", _origin, None))


def _origin(part: Part) -> Origin:
    """How the table was generated; an unknown generator is kept unchanged."""
    given = part.record(("generator", "n", "noise", "seed", "classes", "check"))
    whole = {name: given[name].whole(0, MAX_WHOLE) for name in ("n", "seed", "classes", "check")}
    return Origin(generator=given["generator"].text(), noise=given["noise"].finite(), **whole)


def _column(part: Part) -> Column:
    parts = part.record(("name", "kind", "values"), ("role", "categories"))
    kind = parts["kind"].option(Kind)
    categories = optional(parts, "categories", _categories, ())
    if kind is Kind.NUMERIC and categories:
        raise EngineError(f"{part.place} holds numbers and cannot have categories")
    if kind is Kind.BOOLEAN and len(categories) != 2:
        raise EngineError(
            f"{part.place}.categories must name two values, because the column is boolean"
        )
    role = optional(parts, "role", lambda given: given.option(ColumnRole), ColumnRole.FEATURE)
    count = None if kind is Kind.NUMERIC else len(categories)
    name = parts["name"].text()
    values = _values(parts["values"], count)
    if kind is Kind.NUMERIC:
        return number_column(name, values, role)
    column = Column(Feature(name, kind, categories), values, role)
    return check_classes(column) if role is ColumnRole.TARGET else column


def _categories(part: Part) -> tuple[Label, ...]:
    labels = tuple(_label(entry) for entry in part.items())
    if len(set(labels)) < len(labels):
        raise EngineError(f"{part.place} names a value twice")
    return labels


def _label(part: Part) -> Label:
    if isinstance(part.value, dict):
        word = part.record(("number",))["number"]
        return (
            WORDS[word.value]
            if isinstance(word.value, str) and word.value in WORDS
            else word.fail("inf or -inf")
        )
    if isinstance(part.value, (str, bool)):
        return part.value
    number = part.finite()
    return part.value if isinstance(part.value, int) else number


def _values(part: Part, count: int | None) -> Float:
    """The stored values of a column: numbers, or codes below `count`; null means missing."""
    given = part.value if isinstance(part.value, list) else part.fail("a list in brackets")
    wanted = (
        "a number or null"
        if count is None
        else f"null or the place of a category, 0 to {count - 1}"
    )
    allowed = {int, float, NoneType} if count is None else {int, NoneType}
    if not set(map(type, given)) <= allowed:
        row = next(row for row, value in enumerate(given) if type(value) not in allowed)
        Part(given[row], f"{part.place}[{row}]").fail(wanted)
    try:
        values = np.asarray(
            [np.nan if value is None else value for value in given], dtype=np.float64
        )
    except OverflowError:
        raise EngineError(f"{part.place} holds a whole number that is too large") from None
    beyond = np.isinf(values) if count is None else (values < 0) | (values >= count)
    if beyond.any():
        row = int(beyond.argmax())
        what = "is an infinite number" if count is None else f"must be {wanted}; it is {given[row]}"
        raise EngineError(f"{part.place}[{row}] {what}")
    return frozen(values)
