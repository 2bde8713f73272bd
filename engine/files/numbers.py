"""Writes the numbers of a run as CSV: a row per chosen step, with its metrics or its state."""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from enum import Enum, StrEnum
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np

from engine.base.errors import EngineError
from engine.base.notation import Share
from engine.base.records import field_names
from engine.files.atomic import write_atomic
from engine.files.csv_table import csv_bytes
from engine.protocol.step import Level
from engine.runs.trace import Trace

# numbers of one field of a state; longer ones, such as one per row, are left out
LONGEST = 1_000
MOST_CELLS = 5_000_000
Tick = Callable[[float], bool]


class Numbers(StrEnum):
    """The choice of columns for a file of numbers: metrics or state."""

    METRICS = "metrics"
    STATES = "states"


def save_numbers(
    trace: Trace,
    numbers: Sequence[int],
    places: Sequence[int],
    unit: Level,
    what: Numbers,
    path: str | Path,
    tick: Tick = lambda fraction: True,
) -> tuple[str, ...] | None:
    """Write a row for each of the steps `places`, numbered `numbers` in the unit; returns the
    fields left out.

    Numbers keep all digits, True is 1, unknown values are empty. A vector w has the columns w[0],
    w[1], …, a table W[0,0], W[0,1], …. If tick(fraction) returns False, nothing is written and None
    is returned. Raises EngineError for more than 5,000,000 cells, with their number, and if the
    file cannot be written.
    """
    names, left_out = (
        metric_columns(trace) if what is Numbers.METRICS else state_columns(trace, places)
    )
    _check_cells(len(places), len(names))
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([unit.name.lower(), "line", "level", "events", *names])
    for done, (number, index) in enumerate(zip(numbers, places, strict=True), 1):
        step = trace[index]
        row = step.metrics if what is Numbers.METRICS else dict(state_cells(step.state))
        cells = [number, step.line, step.level.name.lower(), " ".join(step.events)]
        table.writerow([*cells, *(written(row.get(name)) for name in names)])
        if not tick(done / len(places)):
            return None
    write_atomic(path, [csv_bytes(text.getvalue())])
    return left_out


def _check_cells(rows: int, columns: int) -> None:
    if rows * columns > MOST_CELLS:
        raise EngineError(
            f"That would be {rows:,} rows of {columns:,} numbers; one file holds at most"
            f" {MOST_CELLS:,} of them. Choose fewer steps, or one in"
            f" {-(-rows // max(1, MOST_CELLS // columns)):,}."
        )


def metric_columns(trace: Trace) -> tuple[list[str], tuple[str, ...]]:
    """(names of the metrics, ()): no metric is left out."""
    return list(trace.metrics), ()


def state_columns(trace: Trace, places: Sequence[int]) -> tuple[list[str], tuple[str, ...]]:
    """(column names of all these steps, fields of states that are no numbers or too many)."""
    names: dict[str, None] = {}
    for index in places:
        names.update(dict.fromkeys(name for name, _ in state_cells(trace[index].state)))
    fields_ = dict.fromkeys(
        name for index in places for name, _ in state_fields(trace[index].state)
    )
    shown = {name.partition("[")[0] for name in names}
    return _in_order(names, list(fields_)), tuple(name for name in fields_ if name not in shown)


def _in_order(names: dict[str, None], order: list[str]) -> list[str]:
    """The columns in the order of their fields; columns of a growing vector stay together."""
    place = {name: k for k, name in enumerate(order)}
    return sorted(names, key=lambda name: (place[name.partition("[")[0]], _indices(name)))


def _indices(name: str) -> tuple[int, ...]:
    inside = name.partition("[")[2].rstrip("]")
    return tuple(map(int, inside.split(","))) if inside else ()


def state_fields(state: Any) -> Iterator[tuple[str, Any]]:
    """(name, value) of each field of a state."""
    for name in field_names(state):
        yield name, getattr(state, name)


def state_cells(state: Any) -> Iterator[tuple[str, Any]]:
    """(column, value) of all numbers and texts of a state; vectors and tables entry by entry."""
    for name, value in state_fields(state):
        if _single(value):
            yield name, value
        else:
            for place, entry in _entries(value) or ():
                yield f"{name}[{','.join(map(str, place))}]", entry


def _single(value: Any) -> bool:
    return value is None or isinstance(value, (Real, str, Enum, Share))


def _entries(value: Any) -> list[tuple[tuple[int, ...], Any]] | None:
    """(indices, number) of a vector, a table, or a list of them, such as the weights of layers.

    None if an entry is no number, and for more than LONGEST numbers.
    """
    if isinstance(value, np.ndarray):
        numbers = value.dtype.kind in "biuf" and value.size <= LONGEST
        return list(np.ndenumerate(value)) if numbers else None
    if not isinstance(value, (tuple, list)) or len(value) > LONGEST:
        return None
    found: list[tuple[tuple[int, ...], Any]] = []
    for k, entry in enumerate(value):
        inner = [((), entry)] if isinstance(entry, Real) else _entries(entry)
        if inner is None or len(found) + len(inner) > LONGEST:
            return None
        found += [((k, *place), number) for place, number in inner]
    return found


def written(value: Any) -> Any:
    """A value as a cell: numbers with all digits, "" for unknown ones, infinity as inf."""
    if value is None or isinstance(value, str):
        return value.name.lower() if isinstance(value, Enum) else value or ""
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, (bool, np.bool_, Integral)):
        return int(value)
    number = float(value)
    return "" if np.isnan(number) else repr(number)
