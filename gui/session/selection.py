"""Finds the rows of a selection again in an edited table."""

from collections.abc import Iterable

import numpy as np

from engine.base.arrays import Float, Int
from engine.table.dataset import Dataset

AT_ONCE = 4096  # rows compared together


def carried(rows: Iterable[int], before: Dataset, after: Dataset) -> frozenset[int]:
    """The numbers in `after`, the edited table, of the rows that are `rows` in `before`.

    They shift where rows were removed or added, and stay where there are as many rows as before.
    Empty for another table, and where rows changed beside those removed or added.
    """
    rows = frozenset(rows)
    if not rows or before is after:
        return rows
    if (before.name, before.about, before.origin) != (after.name, after.about, after.origin):
        return frozenset()
    if len(before) == len(after):
        return rows
    if len(before.columns) != len(after.columns):
        return frozenset()
    old, new = (
        np.column_stack([column.values for column in data.columns]) for data in (before, after)
    )
    where = places(new, old) if len(new) < len(old) else places(old, new)
    if where is None:
        return frozenset()
    if len(new) > len(old):
        return frozenset(where[sorted(rows)].tolist())
    return frozenset(np.flatnonzero(np.isin(where, sorted(rows))).tolist())


def places(fewer: Float, more: Float) -> Int | None:
    """The positions (k,) of the rows of `fewer` (k, d) in `more` (m, d), in order, or None."""
    found: list[Int] = []
    at = passed = 0
    while at < len(fewer):
        count = min(AT_ONCE, len(fewer) - at, len(more) - passed)
        a = fewer[at : at + count]
        b = more[passed : passed + count]
        same = ((a == b) | (np.isnan(a) & np.isnan(b))).all(axis=1)
        alike = count if same.all() else int(same.argmin())
        found.append(np.arange(passed, passed + alike))
        at = at + alike
        passed = passed + alike + (alike < count)
        if not count:
            return None
    return np.concatenate([np.zeros(0, np.intp), *found])
