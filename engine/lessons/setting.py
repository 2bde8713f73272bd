"""The table and the document with which a page of a lesson opens."""

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any

from engine.base.errors import EngineError
from engine.base.notation import counted, quoted
from engine.base.records import replace
from engine.document.document import Document
from engine.document.lane import Lane
from engine.files.openings import COLUMNS
from engine.files.sources import named_set
from engine.lessons.lesson import MOST_ROWS, Cell, Data, Lesson, LessonLane
from engine.protocol.params import build
from engine.protocol.registry import algorithms
from engine.sources.generators import GENERATORS
from engine.sources.real import REAL
from engine.sources.textbook import TEXTBOOK
from engine.table.dataset import ColumnRole, Dataset
from engine.table.prepare import Split, Transform

Files = Mapping[str, bytes]  # what a lesson brings, by name
MOST_DRAWN = 10_000  # rows of a generator


def dataset(data: Data, files: Files, title: str = "data") -> Dataset:
    """The table that a lesson names, brings or holds; raises EngineError. It reads no file."""
    if data.columns:
        return _of_rows(data.columns, data.rows, data.target, title)
    if data.file:
        return _of_file(data, files, title)
    name, _, numbers = data.name.partition(":")
    if not name:
        raise EngineError("The lesson names no data.")
    if name not in {*TEXTBOOK, *REAL, *GENERATORS}:
        raise EngineError(f"There is no data set {quoted(name)} in this program.")
    drawn = numbers.partition(":")[0]
    if drawn.strip().isdecimal() and (len(drawn) > 9 or int(drawn) > MOST_DRAWN):
        raise EngineError(f"A lesson draws at most {MOST_DRAWN:,} rows, not {quoted(drawn)}.")
    found = named_set(data.name)
    return _aimed(found, data.target) if data.target else found


def _aimed(data: Dataset, target: str) -> Dataset:
    return data.with_role(data[target].name, ColumnRole.TARGET)


def _of_rows(
    names: tuple[str, ...], rows: Iterable[tuple[Cell, ...]], target: str, title: str
) -> Dataset:
    """The last column is the target if none is named; '' is a gap.

    A target of decimals, 2.0 and not 2, is predicted as a number, however few values it has.
    """
    if len(set(names)) < len(names):
        raise EngineError("Two columns of the table have the same name.")
    table = list(rows)
    if not table:
        raise EngineError("The table has no rows that can be read.")
    cells = {
        name: [None if row[k] == "" else row[k] for row in table] for k, name in enumerate(names)
    }
    aim = target or names[-1]
    given = [value for value in cells.get(aim, ()) if value is not None]
    decimals = all(isinstance(value, float) for value in given)
    return Dataset.from_columns(cells, aim, name=title, task="regress" if decimals else None)


def _of_file(data: Data, files: Files, title: str) -> Dataset:
    raw = files.get(data.file)
    if raw is None:
        raise EngineError(f"The table {quoted(data.file)} is missing beside the lesson.")
    try:
        rows = [row for row in csv.reader(io.StringIO(raw.decode("utf-8-sig"))) if row]
    except (UnicodeDecodeError, csv.Error):
        raise EngineError(f"{quoted(data.file)} is no CSV table in UTF-8.") from None
    names, *cells = rows or [[]]
    if not cells or not names:
        raise EngineError(f"{quoted(data.file)} has no rows below its heading.")
    if len(cells) > MOST_ROWS:
        raise EngineError(f"{quoted(data.file)} has more than {counted(MOST_ROWS, 'row')}.")
    for number, row in enumerate(cells, 2):
        if len(row) != len(names):
            raise EngineError(
                f"{quoted(data.file)}, line {number}: there are {counted(len(row), 'cell')} for"
                f" {counted(len(names), 'column')}."
            )
    return _of_rows(tuple(names), [tuple(map(_read, row)) for row in cells], data.target, title)


def _read(cell: str) -> Cell:
    for kind in (int, float):
        try:
            found = kind(cell)
        except ValueError:
            continue
        return cell if found != found else found
    return cell.strip()


# -- lanes -----------------------------------------------------------------------------------------


def params_of(lane: LessonLane) -> tuple[Any, dict[str, str]]:
    """The parameters of a lane's method, and why those are left out that it cannot have, by name.

    Raises EngineError for a method that this program does not have.
    """
    if lane.method not in algorithms():
        raise EngineError(f"This program has no method {quoted(lane.method)}.")
    kind = algorithms()[lane.method].params
    good: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for name, text in lane.settings:
        try:
            build(kind, {**good, name: text})
            good[name] = text
        except EngineError as sentence:
            wrong[name] = str(sentence)
    return build(kind, good), wrong


def document(lesson: Lesson, page: int, files: Files) -> Document:
    """The document of page `page`, from 0: the lanes that it shows, as the lesson sets them.

    Methods that this program does not have are left out, and so are parameters that a method
    cannot have. Raises EngineError where nothing is left to show.
    """
    known = [lesson.lanes[k] for k in lesson.shown(page) if lesson.lanes[k].method in algorithms()]
    if not known:
        raise EngineError("This page needs a method that this program does not have.")
    view = lesson.view
    made = Document(
        dataset(lesson.data, files, lesson.title),
        tuple(_lane(each, files) for each in known),
        transforms=(Transform(view.transform),) if view.transform in COLUMNS else (),
        plane=view.axes,
        split=_split(lesson),
        probe=(view.probe[0], view.probe[1]) if view.probe else None,
    )
    if view.x and view.y:
        made = replace(made, view=((view.x[0], view.x[1]), (view.y[0], view.y[1])))
    return made


def _lane(lane: LessonLane, files: Files) -> Lane:
    own = None if lane.data is None else dataset(lane.data, files)
    return Lane(lane.method, params_of(lane)[0], lane.seed, data=own)


def _split(lesson: Lesson) -> Split:
    view = lesson.view
    if isinstance(view.split, tuple):
        return Split(rows=view.split)
    return Split(view.split, view.split_seed)
