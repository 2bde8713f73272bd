"""The training table of a tree laid out by column, and the entries that stand at its nodes. AIMA 18.3.6.

An *entry* is an example at a node; one that lacks a tested value is an entry, with part of its weight, of several nodes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.core.arrays import Bool, Float, Int
from engine.core.dataset import Feature
from engine.core.records import quick


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """The training table laid out by column.

    numeric, nominal: which columns are what (nominal ones with at least one category); numbers (numeric, n);
    values (nominal, n): category codes behind one another, column c starting at start[c]; the last cell is for '?';
    is_nominal, branches (columns,): branches of a test of each whole column
    """

    X: Float
    codes: Int
    classes: int
    numeric: Int
    nominal: Int
    numbers: Float
    values: Int
    start: Int
    sizes: Int
    is_nominal: Bool
    branches: Int
    gaps: bool

    @classmethod
    def of(cls, X: Float, features: Sequence[Feature], codes: Int, classes: int) -> "Examples":
        numeric = np.array([j for j, f in enumerate(features) if f.numeric], dtype=np.intp)
        nominal = np.array([j for j, f in enumerate(features) if not f.numeric and f.categories], dtype=np.intp)
        sizes = np.array([len(features[j].categories) for j in nominal], dtype=np.intp)
        start = np.cumsum(sizes) - sizes
        raw = X[:, nominal].T
        values = np.where(np.isnan(raw), sizes.sum(), raw + start[:, None]).astype(np.intp)
        numbers = np.ascontiguousarray(X[:, numeric].T)
        is_nominal = np.array([not f.numeric for f in features], dtype=bool)
        branches = np.array([2 if f.numeric else len(f.categories) for f in features], dtype=np.intp)
        gaps = bool(np.isnan(X).any())
        return cls(X, codes, classes, numeric, nominal, numbers, values, start, sizes, is_nominal, branches, gaps)


@quick
@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """The entries of `groups` nodes.

    rows, group (m,): example and node of each; weight (m,) or None when every entry counts 1;
    orders (numeric columns, m): entries by (node, value), missing ones last in their node; twins: whether entries of
    different class may share a value of a numeric column; ordered: False between a division and the `pick` that brings the
    orders up to date
    """

    rows: Int
    group: Int
    groups: int
    weight: Float | None
    orders: Int
    twins: bool = True
    ordered: bool = True

    @classmethod
    def root(cls, table: Examples, rows: Int, weight: Float | None) -> "Sample":
        whole = weight is None and not table.gaps  # equal values may then stand in any order: whole sums are exact
        numbers = table.numbers.take(rows, axis=1)
        orders = np.argsort(numbers, axis=1, kind=None if whole else "stable")
        twins = table.gaps or _have_twins(numbers, orders, table.codes[rows])
        return cls(rows, np.zeros(len(rows), dtype=np.intp), 1, weight, orders, twins)

    def class_totals(self, table: Examples) -> Any:
        """(groups, classes): whole numbers when every entry counts 1."""
        cells = self.group * table.classes + table.codes[self.rows]
        return np.bincount(cells, self.weight, self.groups * table.classes).reshape(self.groups, table.classes)

    def pick(self, keep: Bool) -> "Sample":
        """The entries of the groups with `keep` (groups,), numbered anew and in order."""
        if self.ordered and keep.all():
            return self
        stays = keep[self.group]
        number = keep.cumsum(dtype=np.int16 if len(keep) < 2**15 else np.intp) - 1
        entry = stays.cumsum() - 1
        group = number[self.group.compress(stays)]
        orders = self.orders.ravel()
        orders = entry[orders.compress(stays[orders])].reshape(len(self.orders), len(group))
        by_group = group[orders].argsort(axis=1, kind="stable")
        orders = orders.ravel()[by_group + np.arange(len(orders))[:, None] * orders.shape[1]]
        weight = None if self.weight is None else self.weight[stays]
        groups = int(np.count_nonzero(keep))
        return Sample(self.rows.compress(stays), group.astype(np.intp), groups, weight, orders, self.twins)


def _have_twins(numbers: Float, orders: Int, codes: Int) -> bool:
    """Whether entries of different class share a value. numbers, orders (columns, m): the values, ascending by orders"""
    ascending = numbers.ravel()[orders + np.arange(len(orders))[:, None] * len(codes)]
    change = codes[orders[:, 1:]] != codes[orders[:, :-1]]
    return bool((change & (ascending[:, 1:] == ascending[:, :-1])).any())


def branch_totals(table: Examples, sample: Sample, here: Bool, column: int, point: float) -> Float:
    """(branches, classes) of one test among the entries `here` (m,); those without the value are left out."""
    rows = sample.rows[here]
    value = table.X[rows, column]
    known = ~np.isnan(value)
    by_value = bool(table.is_nominal[column]) and np.isnan(point)
    if by_value:
        way, width = value[known].astype(np.intp), int(table.branches[column])
    else:
        yes = value[known] == point if table.is_nominal[column] else value[known] > point
        way, width = yes.astype(np.intp), 2
    weight = None if sample.weight is None else sample.weight[here][known]
    cells = way * table.classes + table.codes[rows[known]]
    counts = np.bincount(cells, weight, width * table.classes).reshape(width, table.classes)
    return counts.astype(np.float64)
