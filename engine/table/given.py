"""Checks of script input: cells of columns, tables, tasks, seeds, shares are converted or
refused.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from numbers import Integral, Real
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

from engine.base.errors import EngineError
from engine.base.notation import counted, plural, quoted, written

TASKS = ("classify", "regress")
MAX_SEED = 2**31 - 1  # what the seed boxes of the window can show, and project files hold
# missing values of numpy and pandas, by type name: neither is imported for them
_GAPS = ("MaskedConstant", "NaTType", "NAType")
_TOO_LARGE = 10**400
WHOLE = 1e15  # floats from here on stay floats: as integers their labels would be very long


def file_path(path: Any) -> Path:
    """The path of a file, given as text or a Path; raises EngineError for anything else."""
    if not isinstance(path, (str, PathLike)) or isinstance(fspath(path), bytes):
        raise EngineError(
            "A file is named by its path as text, or a Path; this is of the type"
            f" {type(path).__name__}."
        )
    return Path(path)


def plain(value: Any) -> Any:
    """A cell as a Python number, truth value or text; None for None, NaN and masked entries.

    Whole floats become int, decimals and fractions numbers; bytes, dates and other things become
    their text. What cannot be a cell (a list, an array) is returned as it is, for `plain_cells` to
    refuse.
    """
    if value is None or type(value).__name__ in _GAPS:
        return None
    if isinstance(value, np.generic):
        value = _item(value)
    if isinstance(value, (Decimal, Fraction)):
        value = _float(value)
    if isinstance(value, float):
        return _number(value)
    if value is None or isinstance(value, (str, int)) or type(value).__hash__ is None:
        return value
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _number(value: float) -> float | int | None:
    if value != value:
        return None
    return int(value) if value.is_integer() and abs(value) < WHOLE else value


def _item(value: Any) -> Any:
    """The Python value of a numpy scalar; dates and times as text, since some would become bare
    numbers.
    """
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return None if np.isnat(value) else str(value)
    return float(value) if isinstance(value, np.floating) else value.item()


def _float(value: Decimal | Fraction) -> float | int:
    """A decimal or fraction as a float; one too large as an integer that `plain_cells` refuses."""
    if isinstance(value, Decimal) and not value.is_finite():
        return float("nan") if value.is_nan() else float(value)
    try:
        near = float(value)
    except OverflowError:
        return _TOO_LARGE
    return near if abs(near) <= sys.float_info.max else _TOO_LARGE


def plain_cells(name: str, values: Iterable[Any]) -> list[Any]:
    """The cells of column `name` as `plain` makes them.

    Raises EngineError for what is no cell, and for integers beyond floats.
    """
    if type(values) is np.ndarray and values.dtype.kind in "biuf" and values.itemsize <= 8:
        # `plain` for each cell would be slow for a large table
        bare = values.tolist()
        return bare if values.dtype.kind != "f" else [_number(value) for value in bare]
    cells = [plain(value) for value in values]
    for row, cell in enumerate(cells, start=1):
        if isinstance(cell, int) and abs(cell) > sys.float_info.max:
            raise EngineError(
                f"Column {quoted(name)} holds a number of too many digits in row {row}; make it"
                " smaller or text."
            )
        if cell is not None and not isinstance(cell, (str, int, float)):
            kind = type(cell).__name__
            raise EngineError(
                f"Column {quoted(name)} holds more than one value in row {row} ({kind}); give every"
                " row one number or word."
            )
    return cells


def entries(name: str, values: Any) -> list[Any]:
    """The values of a column as a list; raises EngineError for a single value."""
    try:
        if isinstance(values, (str, bytes, Mapping)):
            raise TypeError
        return list(unmasked(values))
    except TypeError:
        raise EngineError(
            f"Column {quoted(name)} must be a list of values, one for each row; it is"
            f" {values!r:.40}."
        ) from None


def unmasked(values: Any) -> Any:
    """`values` with masked entries as None, where it is a masked array; else as it is."""
    masked = _masks_of(values)
    if masked is None:
        return values
    bare = masked.getdata(values).astype(object)
    bare[masked.getmaskarray(values)] = None
    return bare


def _masks_of(values: Any) -> Any:
    """`numpy.ma` where `values` is a masked array; else None.

    Never imports it, which would slow the start of the window. While another thread imports it, no
    value can be of its type yet.
    """
    masked = sys.modules.get("numpy.ma")
    kind = getattr(masked, "MaskedArray", None)
    return masked if kind is not None and isinstance(values, kind) else None


def _array(values: Any) -> Any:
    """`values` as an array; in lists of numbers and words each entry keeps its type.

    Raises ValueError for ragged lists.
    """
    array = np.asarray(values)
    return (
        np.asarray(values, dtype=object)
        if array.dtype.kind in "US" and array is not values
        else array
    )


def rows_given(rows: Any) -> Any:
    """Rows to predict as an array: of numbers, NaN where masked, or else of objects.

    Raises EngineError for rows of different lengths.
    """
    masked = _masks_of(rows)
    if masked is not None and rows.dtype.kind in "fiub":
        return masked.filled(rows.astype(np.float64), np.nan)
    try:
        array = np.asarray(unmasked(rows))
        return array if array.dtype.kind in "fiub" else np.asarray(unmasked(rows), dtype=object)
    except ValueError:
        raise EngineError(
            "The rows to predict have different lengths; give every row the same columns."
        ) from None


def named_columns(value: Any) -> Mapping[Any, Any] | None:
    """The columns of a mapping, or of a pandas or polars frame, by name; None for anything else."""
    if isinstance(value, Mapping):
        return value
    names = getattr(value, "columns", None)
    if (
        names is None
        or isinstance(value, type)
        or not hasattr(value, "shape")
        or not hasattr(value, "__getitem__")
    ):
        return None
    return {name: value[name] for name in names}


def table(X: Any) -> Any:
    """X as a 2-D array; a flat list is one column. Raises EngineError for other shapes."""
    try:
        X = _array(unmasked(X))
    except ValueError:
        raise EngineError(
            "The rows of X have different lengths; give every row the same columns."
        ) from None
    X = X.reshape(-1, 1) if X.ndim == 1 else X
    if X.ndim != 2:
        raise EngineError(f"X must have two dimensions (rows, columns), not {X.ndim}.")
    return X


def labels(y: Any, rows: int) -> Any:
    """y as an array (rows,); raises EngineError for other shapes."""
    try:
        y = _array(unmasked(y))
    except ValueError:
        raise EngineError(
            "The entries of y have different lengths; give every row one label."
        ) from None
    if y.shape != (rows,):
        needed = (
            "one label for the only row"
            if rows == 1
            else f"one label for each of the {rows:,} rows"
        )
        raise EngineError(f"y must hold {needed}, its shape is {y.shape}.")
    return y


def check_task(task: str | None) -> None:
    if task is not None and task not in TASKS:
        raise EngineError(
            f"The task is “classify” or “regress”, or None to guess it; {quoted(task)} is neither."
        )


def check_seed(seed: Any) -> None:
    # int first: isinstance with an abstract class is slow
    if not (isinstance(seed, (int, Integral)) and int(seed) >= 0):
        raise EngineError(f"The seed must be a whole number from 0 on; it is {seen(seed)}.")


def check_share(share: Any) -> None:
    if not 0 <= real(share) < 1:
        raise EngineError(
            f"The share held out must be from 0 up to, but not with, 1; it is {seen(share)}."
        )


def real(value: Any) -> float:
    """A number of any type as a float; NaN for anything else."""
    try:
        return float(value) if isinstance(value, (Real, Decimal)) else float("nan")
    except (OverflowError, ValueError):
        return float("nan")


def check_steps(most: Any) -> None:
    if isinstance(most, bool) or not (isinstance(most, Integral) and int(most) >= 1):
        raise EngineError(
            f"The number of steps must be a whole number from 1 on; it is {seen(most)}."
        )


def check_type(what: str, value: Any, wanted: type[Any], example: str) -> None:
    """Raises EngineError when `value` is no `wanted`; example: how one is written."""
    if not isinstance(value, wanted):
        raise EngineError(
            f"{what} must be a {wanted.__name__}, as in {example}; it is {seen(value)}."
        )


def columns_named(what: str, value: Any) -> tuple[str, ...]:
    """Names of columns as texts, () for None; raises EngineError for anything but a list."""
    if value is None:
        return ()
    if isinstance(value, (str, bytes, Mapping)) or not np.iterable(value):
        raise EngineError(
            f'{what} must be a list of column names, as in ("x1", "x2"); it is {seen(value)}.'
        )
    return tuple(str(name) for name in value)


def check_plane(names: Sequence[str]) -> None:
    """Raises EngineError for one column on both axes and for more than two."""
    if len(names) > 2:
        raise EngineError(
            f"The plane has two axes; {counted(len(names), 'column')}"
            f" {plural(len(names), 'was', 'were')} named."
        )
    if len(names) == 2 and names[0] == names[1]:
        raise EngineError(f"The two axes need two different columns; both are {quoted(names[0])}.")


def check_place(query: Any) -> None:
    """Raises EngineError for anything but a place (x, y) of finite numbers."""
    place = (
        []
        if isinstance(query, (str, bytes)) or not np.iterable(query)
        else [real(value) for value in query]
    )
    if len(place) != 2 or not all(map(isfinite, place)):
        raise EngineError(
            f"The query must be a place on the plane, as in (0.5, -1); it is {seen(query)}."
        )


def next_seed(seed: int) -> int:
    """The seed after `seed`; after the last one that a project can hold, 0."""
    return seed + 1 if 0 <= seed < MAX_SEED else 0


def seen(value: Any) -> str:
    """A value as short text on one line, for error messages."""
    if isinstance(value, Integral) and abs(int(value)) >= _TOO_LARGE:
        return "a number of too many digits"
    return quoted(value) if isinstance(value, str) else f"{' '.join(written(value).split()):.40}"
