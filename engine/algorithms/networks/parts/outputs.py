"""A layer of output units that learn independently of each other: what each should say, and a round of each. AIMA 18.7.2."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from engine.core.arrays import Float, Int, frozen
from engine.core.dataset import Column, Feature
from engine.core.problem import Problem
from engine.core.sums import add_up
from engine.core.work import Work
from engine.numerics.class_scores import classify
from engine.numerics.compiled import Changing, ChangingRows, Numbers, Rows, loop
from engine.numerics.linear import with_column
from engine.numerics.mistakes import EQUAL, LEFT, cleared, next_mistake, reach_of, settled_scores
from engine.numerics.visits import Visits

PART = 100_000  # numbers of the examples that the units look at, between two moments
SAFE = 1e100  # of a column: sums of products with such numbers are still numbers


@dataclass(frozen=True, eq=False)
class Outputs:
    """names of the m units; Y (n, m) 1 or 0, NaN where not known; the first `own` units tell the target's class."""

    names: tuple[str, ...]
    Y: Float
    own: int


def outputs(problem: Problem, further: bool, each: bool = False) -> Outputs:
    """One unit for two classes, one for each of several, or of any number; further: also one for every column aside of 0/1
    or of a pair."""
    told = range(own_units(problem, each))
    title = problem.target.title if problem.target is not None else "y"
    names = [title] if len(told) == 1 else [problem.class_text(code) for code in told]
    known = np.where(problem.labelled, 1.0, np.nan)
    columns = [known * (problem.codes == code) for code in told]
    for column in problem.aside if further else ():
        values = ones(column)
        if values is not None:
            names.append(column.feature.title)
            columns.append(values)
    return Outputs(tuple(map(_without_braces, names)), np.column_stack(columns), len(told))


def _without_braces(name: str) -> str:
    """Names become parts of templates, in which braces have a meaning."""
    return name.replace("{", "(").replace("}", ")")


def own_units(problem: Problem, each: bool = False) -> int:
    """How many units tell the target's class."""
    return len(problem.classes) if each or len(problem.classes) > 2 else 1


def ones(column: Column) -> Float | None:
    """A column as 0 and 1, NaN where missing; None when it holds more than two values."""
    values, gaps = column.values, np.isnan(column.values)
    if column.feature.numeric:
        pair = set(values[~gaps].tolist()) == {0.0, 1.0}
        return values if pair else None
    if len(column.feature.categories) != 2:
        return None
    return np.where(gaps, np.nan, values == positive_code(column.feature))


def positive_code(feature: Feature) -> int:
    """Which category of a pair means 1: that of False, True and of 0, 1 the second; else the first, the positive one."""
    return 1 if feature.categories in ((False, True), (0, 1)) else 0


@dataclass(frozen=True, eq=False)
class UnitRound:
    """What happened to one unit: inputs (n,) its in for each example in order, and the weights after each change."""

    inputs: Float
    changes: Mapping[int, Any]
    size: int

    def weights(self, at: int) -> Float:
        """After the change at this place of the order."""
        return np.array(self.changes[at][: self.size], np.float64)

    def after(self, w: Float) -> Float:
        """The weights after the round that began with w."""
        return self.weights(max(self.changes)) if self.changes else w


def threshold_round(X: Float, y: Float, order: Int, w: Float, rate: float) -> UnitRound:
    """w ← w + α (y − h) x after every mistake. X (n, d + 1) with the 1s last. Between two mistakes w stands still, so
    the examples up to the next mistake are judged together; up to three columns are quicker in plain numbers."""
    sign, reach = np.nan_to_num(2.0 * y - 1.0), reach_of(X, rate)
    if X.shape[1] <= 3:
        return _round_of_three(X[order], sign[order], w, rate, reach)
    at, inputs = 0, []
    changes: dict[int, Any] = {}
    while at < len(order):
        miss, scores = next_mistake(X, sign, order, at, w, fires_at_zero=True, reach=reach)
        inputs.append(scores[: miss + 1 - at])
        if miss < len(order):
            row = order[miss]
            w = frozen(cleared(w + rate * sign[row] * X[row], reach))  # y − h is ±1 at a mistake
            changes[miss] = w
        at = miss + 1
    return UnitRound(np.concatenate(inputs) if inputs else np.zeros(0), changes, len(w))


def _round_of_three(X: Float, sign: Float, w: Float, rate: float, reach: Float) -> UnitRound:
    inputs, d = [], X.shape[1]
    largest = float(np.abs(X).max(initial=0.0))
    near = EQUAL * largest * (float((np.abs(w) + reach).sum()) + 3 * largest * abs(rate) * len(X))
    ru, rv, rt = np.pad(reach, (0, 3 - d)).tolist()
    changes: dict[int, Any] = {}
    u, v, t = np.pad(w, (0, 3 - d)).tolist()
    columns = np.pad(X, ((0, 0), (0, 3 - d))).T.tolist()
    for at, (x, y, z, side) in enumerate(zip(*columns, sign.tolist(), strict=True)):
        score = u * x + v * y + t * z
        if -near <= score <= near:  # perhaps 0, but for rounding, which a weight of 0 has none of
            terms = zip((u, v, t), (ru, rv, rt), (x, y, z), strict=True)
            size = add_up((abs(w) + more) * abs(value) for w, more, value in terms if w)
            score = 0.0 if abs(score) <= EQUAL * size else score
        inputs.append(score)
        if side and (score >= 0) != (side > 0):
            step = rate * side
            u, v, t = changes[at] = (
                _cleared(u + step * x, ru),
                _cleared(v + step * y, rv),
                _cleared(t + step * z, rt),
            )
    return UnitRound(np.asarray(inputs, np.float64), changes, d)


def _cleared(w: float, reach: float) -> float:
    return 0.0 if abs(w) <= LEFT * reach else w


@loop()
def sigmoid_visits(
    rows: Rows, wanted: Numbers, rate: float, w: Changing, inputs: Changing, after: ChangingRows
) -> None:
    """Each row whose y is known changes w. inputs: in of every row; after: w then, of as many rows as there is room for."""
    for at in range(len(wanted)):
        row, score = rows[at], 0.0
        for i in range(len(w)):
            score += w[i] * row[i]
        inputs[at] = score
        if wanted[at] == wanted[at]:
            h = 0.5 * math.tanh(0.5 * score) + 0.5
            step = rate * (wanted[at] - h) * h * (1.0 - h)
            for i in range(len(w)):
                w[i] += step * row[i]
        if at < len(after):
            after[at] = w[:]


def sigmoid_round(X: Float, y: Float, order: Int, w: Float, rate: float, watched: bool = True) -> UnitRound:
    """w ← w + α (y − h) h(1 − h) x after every example whose y is known. AIMA Eq 18.8"""
    rows, wanted, inputs, learnt = np.ascontiguousarray(X[order]), y[order], np.zeros(len(order)), w.copy()
    after = np.zeros((len(order) if watched else 0, len(w)))
    compiled = sigmoid_visits.compiled_for(rows.size)
    if compiled:
        compiled(rows, wanted, rate, learnt, inputs, after)
    else:
        plain = learnt.tolist(), inputs.tolist(), after.tolist()
        sigmoid_visits(rows.tolist(), wanted.tolist(), rate, *plain)
        learnt, inputs, after = (np.asarray(numbers, np.float64) for numbers in plain)
    known = np.flatnonzero(~np.isnan(wanted)).tolist()
    changes = {at: after[at] for at in known} if watched else dict.fromkeys(known[-1:], learnt)
    return UnitRound(inputs, changes, len(w))


@dataclass(frozen=True, eq=False)
class Teacher:
    """Rounds over X (n, d + 1), the 1s last, for units that should say Y (n, m); no unit looks at another."""

    X: Float
    Y: Float
    rate: float
    threshold: bool

    def round(self, order: Int, W: Float, watched: bool) -> Work[list[UnitRound]]:
        """A round of every unit; unless somebody watches, without what happened on the way."""
        units = []
        for j in range(W.shape[1]):
            units.append(self._unit(order, W[:, j], j, watched))
            yield
        return units

    @np.errstate(over="ignore", invalid="ignore")
    def _unit(self, order: Int, w: Float, j: int, watched: bool) -> UnitRound:
        if self.threshold and not watched and self._safe:
            return self._unwatched(order, w, j)
        if self.threshold:
            return threshold_round(self.X, self.Y[:, j], order, w, self.rate)
        return sigmoid_round(self.X, self.Y[:, j], order, w, self.rate, watched)

    @cached_property
    def _safe(self) -> bool:
        return bool(np.abs(self.X).max() < SAFE)

    def parts(self, order: Int) -> list[Int]:
        """The order in pieces that are learnt in a few hundredths of a second each."""
        size = max(1, PART // (self.X.shape[1] * self.Y.shape[1]))
        return [order[at : at + size] for at in range(0, len(order), size)]

    @cached_property
    def _visits(self) -> dict[int, Visits]:
        return {}

    def _unwatched(self, order: Int, w: Float, j: int) -> UnitRound:
        """The same sums; the only change that is told is where the weights end."""
        if j not in self._visits:
            sign = np.nan_to_num(2.0 * self.Y[:, j] - 1.0)
            self._visits[j] = Visits(self.X, sign, True, reach=reach_of(self.X, self.rate))
        after, mistakes = self._visits[j].whole_round(order, w, self.rate)
        return UnitRound(np.zeros(0), {len(order) - 1: after} if mistakes else {}, len(w))


def finite(units: Sequence[UnitRound], W: Float) -> bool:
    """No number of the round, nor a weight after it, has left all bounds."""
    return bool(np.isfinite(W).all()) and all(np.isfinite(unit.inputs).all() for unit in units)


class Answers:
    """in of every unit for every example of X (n, d + 1), kept while single units change: `reach` as in `settled_scores`."""

    def __init__(self, X: Float, told: Outputs, codes: Int, reach: Float, W: Float) -> None:
        self._X, self._told, self._codes, self._reach = X, told, codes, reach
        self._inputs = np.empty(told.Y.shape, order="F")
        self._wrong = [0] * len(told.names)
        for j in range(len(told.names)):
            self.change(j, W[:, j])

    @np.errstate(over="ignore", invalid="ignore")
    def change(self, j: int, w: Float) -> None:
        """Unit j has the weights w (d + 1,) now."""
        inputs = self._inputs[:, j] = settled_scores(self._X, w, self._reach)
        y = self._told.Y[:, j]
        self._wrong[j] = int((((inputs >= 0) != (y > 0.5)) & ~np.isnan(y)).sum())  # it says 1 where in ≥ 0

    @property
    def wrong(self) -> tuple[int, ...]:
        """For each unit, how many examples it gets wrong."""
        return tuple(self._wrong)

    @property
    def errors(self) -> int:
        """How many examples are given another class than theirs."""
        wrong = classify(self._inputs[:, : self._told.own]) != self._codes
        return int((wrong & (self._codes >= 0)).sum())


def extended(X: Float) -> Float:
    """X with the dummy input 1 as the last column."""
    return with_column(X, 1.0)
