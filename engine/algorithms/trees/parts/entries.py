"""The training table of a tree laid out by column, and the entries that stand at its nodes.

AIMA 18.3.6.

An *entry* is an example at a node; one that lacks a tested value is an entry, with part of its
weight, of several nodes.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.base.arrays import Bool, Float, Int
from engine.base.records import Record, replace
from engine.base.sums import add_up
from engine.numerics.impurity import impurity_of
from engine.table.dataset import Feature


class Examples(Record):
    """The training table laid out by column.

    numeric, nominal: which columns are what (nominal ones with at least one category); numbers
    (numeric, n); values (nominal, n): category codes behind one another, column c starting at
    start[c]; the last cell is for '?'; is_nominal, branches (columns,): branches of a test of each
    whole column; apart: missing values go their own way, as one more category of words, and as a
    third branch of A > v and A = v
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
    apart: bool

    @classmethod
    def of(
        cls, X: Float, features: Sequence[Feature], codes: Int, classes: int, apart: bool = False
    ) -> "Examples":
        gaps = bool(np.isnan(X).any())
        numeric = np.array([j for j, f in enumerate(features) if f.numeric], dtype=np.intp)
        nominal = np.array(
            [j for j, f in enumerate(features) if not f.numeric and f.categories], dtype=np.intp
        )
        sizes = np.array([len(features[j].categories) + apart for j in nominal], dtype=np.intp)
        if apart and gaps:
            X = X.copy()
            X[:, nominal] = np.where(np.isnan(X[:, nominal]), sizes - 1, X[:, nominal])
        start = np.cumsum(sizes) - sizes
        raw = X[:, nominal].T
        values = np.where(np.isnan(raw), sizes.sum(), raw + start[:, None]).astype(np.intp)
        numbers = np.ascontiguousarray(X[:, numeric].T)
        is_nominal = np.array([not f.numeric for f in features], dtype=bool)
        branches = np.array(
            [2 if f.numeric else len(f.categories) + apart for f in features], dtype=np.intp
        )
        return cls(
            X,
            codes,
            classes,
            numeric,
            nominal,
            numbers,
            values,
            start,
            sizes,
            is_nominal,
            branches,
            gaps,
            apart,
        )

    @property
    def terms(self) -> Any:
        """(n,) the contribution of each row to the sums of its node."""
        return self.codes

    def sums(self, cells: Any, terms: Any, count: int, weight: Float | None) -> Any:
        """(count, classes) how much of each class the entries bring to their cells: whole numbers
        when every entry counts 1.
        """
        return np.bincount(
            (cells * self.classes + terms).ravel(), weight, count * self.classes
        ).reshape(-1, self.classes)

    def totals(self, sample: "Sample") -> Any:
        """(groups, classes) of the nodes of a sample."""
        return self.sums(sample.group, self.codes[sample.rows], sample.groups, sample.weight)

    def size(self, sums: Sequence[Any]) -> Any:
        """(…) the number of examples of all classes together."""
        return add_up(sums)

    def whole(self, totals: Any) -> Any:
        """(g,) the number of examples of each node, of which the importance of a test is a
        share.
        """
        return totals.sum(1)

    def kinds(self, totals: Any) -> Any:
        """(g,) the number of different classes or values in each node."""
        return (totals > 0).sum(1)

    def unknown(self, totals: Sequence[float]) -> float:
        """The impurity of a node times its number of examples, in bits. totals: (classes,)"""
        return add_up(totals) * impurity_of(totals)

    def centred(self, sample: "Sample", totals: Any) -> "tuple[Examples, Any]":
        """The table and totals by which tests are scored."""
        return self, totals

    def left(self, terms: Any, place: Int, many: Any, node: Int, totals: Any) -> list[Any]:
        """The sums of what lies at or below each place of whole examples with these terms (columns,
        m), in order; many: how many of its node.
        """
        before = totals.cumsum(0) - totals
        left = [
            (terms == k).cumsum(1).ravel()[place] - before[node, k] for k in range(self.classes - 1)
        ]
        return [*left, many - add_up(left)]  # the last class has all the others

    def ways(self, value: Float, column: Any, point: Any) -> tuple[Any, Bool | None]:
        """(branch of each value in the test (column, point), which values are missing or None)."""
        way: Any = value > point
        gap = np.isnan(value) if self.gaps else None
        if len(self.nominal):
            nominal = self.is_nominal[column]
            whole = np.isnan(point)
            way = np.where(nominal, np.where(whole, value, value == point), way)
            if gap is not None and self.apart:
                gap |= nominal & ~whole & (value == self.branches[column] - 1)
        if gap is not None and self.apart:
            return np.where(gap, 2, way), None
        return way, gap

    def widths(self, column: Int, point: Float) -> Int:
        """(g,) the number of branches of the tests (column, point)."""
        if not len(self.nominal):
            return np.full(len(column), 2 + self.apart)
        by_value = self.is_nominal[column] & np.isnan(point)
        return np.asarray(np.where(by_value, self.branches[column], 2 + self.apart))


class Sample(Record):
    """The entries of `groups` nodes.

    rows, group (m,): example and node of each; weight (m,) or None when every entry counts 1;
    orders (numeric columns, m): entries by (node, value), missing ones last in their node; twins:
    whether entries of different class may share a value of a numeric column; ordered: False between
    a division and the `pick` that brings the orders up to date
    """

    rows: Int
    group: Int
    groups: int
    weight: Float | None
    orders: Int
    twins: bool = True
    ordered: bool = True

    @classmethod
    def root(cls, table: Examples) -> "Sample":
        """The sample of all labelled examples, in one group."""
        rows = np.flatnonzero(table.codes >= 0)
        numbers = table.numbers.take(rows, axis=1)
        orders = np.argsort(numbers, axis=1, kind="stable" if table.gaps else None)
        twins = table.gaps or _have_twins(numbers, orders, table.codes[rows])
        return cls(rows, np.zeros(len(rows), dtype=np.intp), 1, None, orders, twins)

    def weighed(self, weights: Float) -> "Sample":
        """The sample with other weights (n,), without examples of weight 0."""
        weight = np.asarray(weights, np.float64)[self.rows]
        return replace(self, weight=weight).where(weight > 0)

    def resampled(self, copies: Int) -> "Sample":
        """The sample with each example as often as `copies` (n,) says; every copy is an entry of
        weight 1.
        """
        times = copies[self.rows]
        rows, group = self.rows.repeat(times), self.group.repeat(times)
        return replace(
            self, rows=rows, group=group, weight=None, orders=multiplied(self.orders, times)
        )

    def where(self, stays: Bool) -> "Sample":
        """The sample of the entries with `stays` (m,), in the same groups."""
        if stays.all():
            return self
        entry = np.cumsum(stays) - 1
        orders = entry[self.orders[stays[self.orders]]].reshape(len(self.orders), int(stays.sum()))
        weight = None if self.weight is None else self.weight[stays]
        return replace(
            self, rows=self.rows[stays], group=self.group[stays], weight=weight, orders=orders
        )

    def pick(self, keep: Bool) -> "Sample":
        """The sample of the groups with `keep` (groups,), renumbered in order."""
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
        return Sample(
            self.rows.compress(stays), group.astype(np.intp), groups, weight, orders, self.twins
        )


def beside(samples: Sequence[Sample]) -> Sample:
    """Samples of one group each, joined as the groups of one sample."""
    sizes = np.array([len(sample.rows) for sample in samples])
    shift = sizes.cumsum() - sizes
    orders = np.hstack(
        [sample.orders + at for sample, at in zip(samples, shift.tolist(), strict=True)]
    )
    rows = np.concatenate([sample.rows for sample in samples])
    group = np.arange(len(samples)).repeat(sizes)
    return replace(samples[0], rows=rows, group=group, groups=len(samples), orders=orders)


def multiplied(orders: Int, copies: Int) -> Int:
    """The orders (columns, m) after each entry is replaced by so many consecutive copies (m,)."""
    many, first = copies[orders].ravel(), (copies.cumsum() - copies)[orders].ravel()
    ramp = np.arange(int(many.sum())) - (many.cumsum() - many).repeat(many)
    return (first.repeat(many) + ramp).reshape(len(orders), int(copies.sum()))


def _have_twins(numbers: Float, orders: Int, codes: Int) -> bool:
    """Whether entries of different class share a value. numbers, orders (columns, m): the values,
    ascending by orders
    """
    ascending = numbers.ravel()[orders + np.arange(len(orders))[:, None] * len(codes)]
    change = codes[orders[:, 1:]] != codes[orders[:, :-1]]
    return bool((change & (ascending[:, 1:] == ascending[:, :-1])).any())


def branch_totals(table: Examples, sample: Sample, here: Bool, column: int, point: float) -> Float:
    """(branches, …) the totals of one test's branches among the entries `here` (m,); those without
    the value are left out.
    """
    rows = sample.rows[here]
    way, gap = table.ways(table.X[rows, column], column, point)
    known = slice(None) if gap is None else ~gap
    weight = None if sample.weight is None else sample.weight[here][known]
    width = int(table.widths(np.array([column]), np.array([point]))[0])
    parts = replace(
        sample, rows=rows[known], group=way[known].astype(np.intp), groups=width, weight=weight
    )
    return np.asarray(table.totals(parts), np.float64)
