"""The small tables of the textbooks; their values and texts are in assets/data/textbook.

Each entry names its source.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from engine.base.arrays import frozen
from engine.base.errors import EngineError
from engine.base.lazy import LazyMap
from engine.base.notation import quoted
from engine.sources.bundled import Entry, bundled_rows, bundled_text
from engine.table.dataset import (
    Column,
    ColumnRole,
    Dataset,
    Feature,
    Kind,
    category_column,
    number_column,
)
from engine.table.problem import Task


@cache
def _catalogue() -> Mapping[str, Mapping[str, Any]]:
    """The catalogue, read on first use."""
    import tomllib

    return tomllib.loads(bundled_text("textbook", "catalogue.toml"))


def _entries() -> dict[str, Entry]:
    return {
        name: Entry(
            said["title"], Task(said.get("task", "classify")), said["source"], said.get("about", "")
        )
        for name, said in _catalogue().items()
    }


TEXTBOOK: Mapping[str, Entry] = LazyMap(_entries)


def textbook(name: str) -> Dataset:
    """The table `name` of TEXTBOOK; raises EngineError, which lists the known names."""
    if not isinstance(name, str) or name not in TEXTBOOK:
        raise EngineError(
            f"There is no textbook set {quoted(name)}; there are {', '.join(TEXTBOOK)}."
        )
    return _made(name)


@cache
def _made(name: str) -> Dataset:
    entry = TEXTBOOK[name]
    columns = _COMPUTED[name]() if name in _COMPUTED else _read(name)
    return Dataset(columns, entry.title, f"{entry.source}. {entry.about}".strip())


def _read(name: str) -> tuple[Column, ...]:
    header, rows = bundled_rows("textbook", f"{name}.csv")
    said = _catalogue()[name]
    roles = {"name": ColumnRole.NAME, said.get("target", header[-1]): ColumnRole.TARGET}
    roles |= dict.fromkeys(said.get("ignored", ()), ColumnRole.IGNORED)
    return tuple(
        _column(name, key, [row[j] for row in rows], roles.get(key, ColumnRole.FEATURE))
        for j, key in enumerate(header)
    )


def _column(name: str, key: str, cells: list[str], role: ColumnRole) -> Column:
    said = _catalogue()[name]
    domain = tuple(cells) if role is ColumnRole.NAME else said.get("domains", {}).get(key)
    if domain is not None or not _numeric(cells):
        return category_column(key, [cell or None for cell in cells], domain, role)
    answers = role in (
        ColumnRole.TARGET,
        ColumnRole.IGNORED,
    )  # an ignored column is an alternative target
    if answers and TEXTBOOK[name].task is Task.CLASSIFY:
        return category_column(key, [int(cell) for cell in cells], role=role)
    values = np.asarray([cell or "nan" for cell in cells], np.float64)
    return _bits(key, values) if said.get("bits") else number_column(key, values, role)


def _numeric(cells: list[str]) -> bool:
    return all(cell.replace(".", "").removeprefix("-").isdigit() for cell in cells if cell)


def _bits(name: str, values: Any) -> Column:
    """A Boolean column of 0 and 1."""
    return Column(Feature(name, Kind.BOOLEAN, (0, 1)), frozen(values, np.float64))


def _majority() -> tuple[Column, ...]:
    rows = np.arange(2048)[:, None] >> np.arange(10, -1, -1) & 1
    target = category_column("y", (rows.sum(1) >= 6).astype(int), role=ColumnRole.TARGET)
    return (*(_bits(f"x{j + 1}", rows[:, j]) for j in range(11)), target)


def _polynomial_seven() -> tuple[Column, ...]:
    x = np.arange(0.0, 13.0, 2.0)
    return number_column("x", x), number_column("y", 0.4 * x + 3 + np.sin(x), ColumnRole.TARGET)


def _polynomial_eight() -> tuple[Column, ...]:
    x = np.arange(8.0)
    return number_column("x", x), number_column("y", 0.4 * x + 3, ColumnRole.TARGET)


def _polynomial_eight_off() -> tuple[Column, ...]:
    x = np.arange(8.0)
    y = 0.4 * x + 3 + 0.05 * (-1) ** x
    return number_column("x", x), number_column("y", y, ColumnRole.TARGET)


_COMPUTED = {
    "majority": _majority,
    "polynomial_seven": _polynomial_seven,
    "polynomial_eight": _polynomial_eight,
    "polynomial_eight_off": _polynomial_eight_off,
}
