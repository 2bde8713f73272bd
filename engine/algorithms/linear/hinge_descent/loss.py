"""The soft-margin loss of a line and its slope, over all examples, one, or a part of them. MMDS 12.3.3-12.3.6."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from engine.algorithms.linear.parts import Rows
from engine.core.arrays import Bool, Float, Int, frozen
from engine.numerics.descent import decayed

CALM = np.errstate(over="ignore", invalid="ignore")  # the run ends when a loss is not finite any more
SETTLED = 1e-9  # a step of this share of w changes nothing that can be seen
AWAY = 1e30  # f this many times its start: the steps lead away for good
TOUCHING = 1e-12  # z this near to 1, relative to its terms, counts as 1: points on the margin are not bad


def longer(f: float, before: float) -> bool:
    """A step was too long: f rose."""
    return f > before * (1 + 1e-9)


@dataclass(frozen=True, eq=False)
class SoftMargin:
    """f(w) = ½ Σ w² + C Σ max(0, 1 − z), z = y (w·x): MMDS Eq 12.4.

    X (n, d + 1): rows with a last 1, so the last weight is b; y (n,) ±1, 0 = unlabelled, never bad; penalise_b: Σ w² runs
    over b too, as in Eq 12.6, or not, as in Eq 12.4. Who is bad, z < 1, is reckoned once for each w and handed on.
    """

    X: Float
    y: Float
    C: float
    penalise_b: bool

    @cached_property
    def widest(self) -> Float:
        """(d + 1,) largest size in each column."""
        return np.abs(self.X).max(axis=0, initial=0.0)  # type: ignore[no-any-return]

    @CALM
    def in_range(self) -> bool:
        """The slope is a number wherever w is one."""
        return bool(np.isfinite(self.C * len(self.X) * self.widest.sum()))

    @CALM
    def z(self, w: Float, rows: Int | slice = slice(None)) -> Float:
        """y (w·x + b) of the rows."""
        return np.asarray(self.y[rows] * (self.X[rows] @ w))

    @CALM
    def bad(self, w: Float, z: Float) -> Bool:
        """Which of these z do not reach 1, up to rounding."""
        return np.asarray(z < 1.0 - TOUCHING * max(1.0, float(self.widest @ np.abs(w))))

    def penalties(self, w: Float, bad: Bool) -> Float:
        """(n,) max(0, 1 − z); 0 for the rows that count as touching."""
        return np.where(bad, 1.0 - self.z(w), 0.0)

    @CALM
    def value(self, w: Float, z: Float, bad: Bool) -> float:
        return 0.5 * float(self.shrunk(w) @ w) + self.C * float((1.0 - z[bad]).sum())

    def shrunk(self, w: Float) -> Float:
        """The slope of ½ Σ w²: w itself, without b when that is free."""
        return w if self.penalise_b else np.append(w[:-1], 0.0)

    def pulling(self, bad: Bool, rows: Int | slice = slice(None)) -> Float:
        """Σ y x over the rows, of which `bad` tells the bad ones."""
        return np.asarray((self.y[rows] * bad) @ self.X[rows])

    @CALM
    def push(self, bad: Bool, rows: Int | slice = slice(None)) -> Float:
        """The slope of C Σ max(0, 1 − z) over the rows: −C Σ y x of the bad ones."""
        return -self.C * self.pulling(bad, rows)

    @CALM
    def slope(self, w: Float, bad: Bool, rows: Int | slice = slice(None), times: float = 1.0) -> Float:
        """∂f/∂w, or its guess from some rows alone, whose part is taken `times` as often."""
        return self.shrunk(w) + times * self.push(bad, rows)

    @CALM
    def guess(self, w: Float, rows: Int, times: float) -> Float:
        """The slope that some rows alone suggest."""
        return self.slope(w, self.bad(w, self.z(w, rows)) & (self.y[rows] != 0), rows, times)

    @CALM
    def local(self, w: Float, rows: Int, parts: int, steps: int, rate: float) -> Float:
        """Where `steps` steps lead that know only one of `parts` parts of the examples. MMDS 12.3.6."""
        for _ in range(steps):
            w = w - rate * self.guess(w, rows, parts)
        return w


class Setting(Rows[Any]):
    """What the steps of soft-margin descent go by. rows: those with a class; f: the loss; reach (d + 1,): what the examples
    add to each weight in a step at most."""

    column = property(lambda given: 1.0)
    rows = cached_property(lambda given: np.flatnonzero(given.problem.labelled))
    f = cached_property(lambda given: SoftMargin(given.X, given.sign, given.p.C, given.p.penalise_b))
    reach = cached_property(lambda given: given.p.rate * given.f.C * len(given.X) * given.f.widest)
    names = cached_property(lambda given: (*(feature.title for feature in given.problem.features), "b"))

    def line(self, s: Any) -> Float:
        return s.weights  # type: ignore[no-any-return]

    def rate(self, s: Any) -> float:
        return decayed(self.p.rate, self.p.schedule, self.p.decay, s.round - 1)

    @CALM
    def downhill(self, s: Any) -> Float:
        """The weights a step from those of s down its slope."""
        return frozen(s.weights - self.rate(s) * s.slope)

    def slope_of_one(self, w: Float, i: int) -> Float:
        """The slope that one example suggests: its part counts as often as there are examples."""
        return frozen(self.f.guess(w, np.asarray([i]), len(self.rows)))
