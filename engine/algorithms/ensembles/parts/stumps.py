"""Weak learners as they vote and as they read: decision stumps, small trees, lines. AIMA 18.10."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from engine.base.arrays import Float, Int
from engine.base.notation import cut, label_text, number, parting
from engine.base.records import Record
from engine.numerics.closeness import OF_TERMS, SHARE, settled, tied_with_best
from engine.table.dataset import Feature

Criterion = Literal["error", "gain", "gini"]
Test = Literal["none", "threshold", "values", "equals"]
BLUR = 0.01  # of a column's width: a written threshold may be so far off


class Stump(Record):
    """One test and a class for each of its branches.

    test: 'threshold' x > value (branches: no, yes), 'equals' x = value (no, yes), 'values' one
    branch per category, 'none' a single branch
    classes: of each branch, last of all of the branch of missing values
    room: between which two numbers a written threshold has to lie
    """

    column: int
    test: Test
    value: float
    classes: tuple[int, ...]
    room: tuple[float, float] = (-np.inf, np.inf)

    @property
    def _compared(self) -> tuple[Any, ...]:
        """All but the room: two stumps that say the same of every row are equal."""
        return self.column, self.test, self.value, self.classes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stump) and self._compared == other._compared

    def __hash__(self) -> int:
        return hash(self._compared)

    def branches(self, X: Float) -> Int:
        """(m,) the index of the branch that each row of X (m, d) takes."""
        if self.test == "none":
            return np.zeros(len(X), np.intp)
        x = X[:, self.column]
        gaps = np.isnan(x)
        if self.test == "values":
            return np.where(gaps, len(self.classes) - 1, x).astype(np.intp)
        yes = x > self.value if self.test == "threshold" else x == self.value
        taken = yes.astype(np.intp)
        if np.count_nonzero(gaps):
            taken[gaps] = 2
        return taken

    def predict(self, X: Float) -> Int:
        """(m,) the class of the branch that each row takes."""
        return np.asarray(self.classes, np.intp).take(self.branches(X))

    @property
    def parts_missing(self) -> bool:
        """Whether the stump gives one class to all values and another to missing ones."""
        return len(set(self.classes[:-1])) == 1 and self.classes[-1] != self.classes[0]

    def text(self, features: Sequence[Feature]) -> str:
        """A short text of the test: 'x₂ > 0.36', 'Hungry = Yes', 'Patrons', or 'x₂ missing' where
        only that matters.
        """
        if self.parts_missing:
            return f"{features[self.column].title} missing"
        return self.question(features)

    def question(self, features: Sequence[Feature]) -> str:
        """The text of the test alone, as at the node of a tree: 'x₂ > 0.36'."""
        if self.test == "none":
            return "no test"
        feature = features[self.column]
        if self.test == "values":
            return feature.title
        sign = ">" if self.test == "threshold" else "="
        return f"{feature.title} {sign} {self._value(feature)}"

    def rule(self, features: Sequence[Feature], classes: Sequence[str], gaps: bool = False) -> str:
        """The stump as a rule: 'x₂ > 0.36: Yes, else No' or 'Patrons: None → No, Some → Yes'. gaps:
        whether values are missing
        """
        said = [classes[c] for c in self.classes]
        if gaps and self.parts_missing:
            return f"{self.text(features)}: {said[-1]}, else {said[0]}"
        if self.test == "none" or len(set(self.classes[:-1])) == 1:
            return f"always {said[0]}"
        if self.test == "values":
            feature = features[self.column]
            names = [cut(label_text(value)) for value in feature.categories]
            if gaps:
                names.append("missing")
            branches = (f"{name} → {each}" for name, each in zip(names, said, strict=False))
            return f"{feature.title}: {', '.join(branches)}"
        rule = f"{self.question(features)}: {said[1]}, else {said[0]}"
        if gaps and said[2] != said[0]:
            rule += f"; missing: {said[2]}"
        return rule

    def _value(self, feature: Feature) -> str:
        """The value or threshold as it is written: so that it parts what it parts."""
        if self.test == "equals":
            return feature.text(self.value)
        low, high = self.room
        width = high - low
        value = self.value
        if np.isfinite(width):
            value = settled(value, width, SHARE)  # half-way from −1 to 1 it is 0
        digits = 2
        if 1e-4 <= abs(value) < 0.1:
            digits = int(2 - np.floor(np.log10(abs(value))))
        return parting(value, low, high, number(value, digits))


class Tree(Record):
    """A small tree.

    tests: stumps, parents before children
    children: for each branch of each test the next test, or −1 where that branch is a leaf with the
    stump's class
    """

    tests: tuple[Stump, ...]
    children: tuple[tuple[int, ...], ...]

    def predict(self, X: Float) -> Int:
        """(m,) the class of the leaf that each row reaches."""
        label = np.zeros(len(X), np.intp)
        place = np.zeros(len(X), np.intp)
        for node, (stump, children) in enumerate(zip(self.tests, self.children, strict=True)):
            rows = np.flatnonzero(place == node)
            branch = stump.branches(X[rows])
            label[rows] = np.asarray(stump.classes, np.intp)[branch]
            place[rows] = np.asarray(children, np.intp)[branch]
        return label

    def text(self, features: Sequence[Feature]) -> str:
        """A short text of the tree by its root: 'tree at x₂ > 0.36'."""
        return f"tree at {self.tests[0].question(features)}"


class Line(Record):
    """Class scores (x − centre)·W + b.

    W: (d, k)
    b: (k,)
    centre: (d,) the middle of the examples

    The highest wins; equal scores go to the last class, as in a leaf. A missing value counts as the
    centre's.
    """

    W: Float
    b: Float
    centre: Float

    def scores(self, X: Float) -> Float:
        """(m, k) the score of each class for rows X (m, d)."""
        return np.asarray(np.nan_to_num(X - self.centre) @ self.W + self.b)

    def predict(self, X: Float) -> Int:
        """(m,) the class with the highest score, the last of equals."""
        return last_highest(self.scores(X), self.sizes(X))

    def sizes(self, X: Float) -> Float:
        """(m, k) the sizes of the terms of the scores; rounding is relative to them."""
        return np.asarray(np.abs(np.nan_to_num(X - self.centre)) @ np.abs(self.W) + np.abs(self.b))

    def text(self, features: Sequence[Feature]) -> str:
        """The short text 'line'."""
        return "line"


Learner = Stump | Tree | Line


def room(value: float, low: float, high: float, width: float) -> tuple[float, float]:
    """(low, high) between which a threshold may be rounded for display: its neighbouring values, or
    close to it in a wide column.
    """
    return min(low, value - BLUR * width), max(high, value + BLUR * width)


def last_highest(scores: Float, sizes: Float) -> Int:
    """(m,) the last class among those with the highest of the scores (m, k), up to rounding; sizes
    (m, k): of what was added up for them, which on the line is much more than is left.
    """
    size = sizes.max(axis=1, keepdims=True)
    ties = tied_with_best(scores, size=size, share=OF_TERMS)
    return np.asarray(scores.shape[1] - 1 - ties[:, ::-1].argmax(axis=1))
