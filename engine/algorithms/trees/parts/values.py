"""A table whose target is a number, for the one growth of a tree: a node has a mean, and its tests
take squares away. AIMA 18.3.6.

The text leaves the measure open; variance reduction is an extension.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.algorithms.trees.parts.entries import Examples, Sample
from engine.base.arrays import Float, Int
from engine.base.errors import EngineError
from engine.base.records import field_names, replace
from engine.table.problem import Problem

LARGEST = 1e140  # the squares of larger numbers would overflow


def known_values(problem: Problem) -> Float:
    """(n,) the values to learn, NaN where not known.

    Raises EngineError without any, and where they are too large.
    """
    y = np.asarray(problem.y, np.float64)
    if not np.isfinite(y).any():
        raise EngineError("No row has a value to learn from: fill in the target column.")
    if np.abs(y[np.isfinite(y)]).max() > LARGEST:
        raise EngineError(
            "Some values are too large to be squared: measure the target in a larger unit."
        )
    return y


class Values(Examples):
    """A table without gaps whose `classes` are 0; totals (g, 3): the examples of a node, their
    mean, the squares around it.

    y (n,): NaN where not known; units (n,): the values as whole numbers of `unit`, so fine as their
    sums are exact: added up in whatever order they come to the same sum, and the same tests
    are equal
    """

    y: Float
    units: Float
    unit: float

    @classmethod
    def learnt(cls, table: Examples, y: Float) -> "Values":
        """The rows of a table whose value is known."""
        known = np.isfinite(y)
        low, high = (float(y[known].min()), float(y[known].max())) if known.any() else (0.0, 0.0)
        unit = (high - low) / 2 ** (52 - len(y).bit_length()) or 1.0
        units = np.rint((np.where(known, y, low) - low) / unit)
        laid_out = {name: getattr(table, name) for name in field_names(Examples)}
        return cls(**laid_out | {"codes": known - 1, "classes": 0}, y=y, units=units, unit=unit)

    @property
    def terms(self) -> Any:
        return self.units

    def sums(self, cells: Any, terms: Any, count: int, weight: Float | None) -> Any:
        """(count, 2) the number of entries in each cell, and the sum of their terms."""
        cells, terms = cells.ravel(), terms.ravel()
        sums = np.bincount(cells, terms if weight is None else terms * weight, count)
        return np.column_stack([np.bincount(cells, weight, count), sums])

    def around(self, sample: Sample) -> Float:
        """(m,) the units of each entry less a whole number near their mean in its node."""
        units = self.units[sample.rows]
        group = sample.group
        many, sums = self.sums(group, units, sample.groups, None).T
        return np.asarray(units - np.floor(sums / np.maximum(many, 1) + 0.5)[group])

    def totals(self, sample: Sample) -> Float:
        y = self.y[sample.rows]
        group = sample.group
        many, sums = self.sums(group, y, sample.groups, sample.weight).T
        mean = sums / np.where(many > 0, many, 1)
        squares = self.sums(group, (y - mean[group]) ** 2, sample.groups, sample.weight)[:, 1]
        # else only rounding is left
        differ = np.bincount(group, np.abs(self.around(sample)), sample.groups) > 0
        return np.column_stack([many, mean, np.where(differ, squares, 0.0)])

    def size(self, sums: Sequence[Any]) -> Any:
        return sums[0]

    def whole(self, totals: Any) -> Any:
        """(g,) the squares around the mean of each node."""
        return totals[:, 2]

    def kinds(self, totals: Any) -> Any:
        return (totals[:, 0] > 0) + (totals[:, 2] > 0).astype(np.intp)

    def unknown(self, totals: Sequence[float]) -> float:
        return totals[2]

    def centred(self, sample: Sample, totals: Any) -> tuple[Examples, Any]:
        """The table with each value counted from the middle of its node, and (g, 3): examples, sum
        of these values, squares.
        """
        terms = np.zeros(len(self.y))
        terms[sample.rows] = around = self.around(sample)
        sums = self.sums(sample.group, around, sample.groups, sample.weight)
        return replace(self, units=terms), np.column_stack(
            [sums, (np.sqrt(totals[:, 2]) / self.unit) ** 2]
        )

    def left(self, terms: Any, place: Int, many: Int, node: Int, totals: Any) -> list[Any]:
        before = totals[:, 1].cumsum() - totals[:, 1]
        return [many, terms.cumsum(1).ravel()[place] - before[node]]
