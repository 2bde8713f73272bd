"""The soft-margin loss of a line and its slope, over all examples, one, or a part of them. MMDS 12.3.3-12.3.6."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.core.arrays import Bool, Float, Int
from engine.core.grid import Grid
from engine.core.problem import Problem
from engine.numerics.linear import linear_surface, size_surface, with_column
from engine.numerics.mistakes import EQUAL, settled_scores

CALM = np.errstate(over="ignore", invalid="ignore")  # the run ends when a loss is not finite any more
TOUCHING = 1e-12  # z this near to 1, relative to its terms, counts as 1: points on the margin are not bad


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

    @classmethod
    def of(cls, problem: Problem, C: float, penalise_b: bool) -> "SoftMargin":
        return cls(with_column(problem.X, 1.0), problem.sign, C, penalise_b)

    @cached_property
    def widest(self) -> Float:
        """(d + 1,) largest size in each column."""
        return np.abs(self.X).max(axis=0, initial=0.0)  # type: ignore[no-any-return]

    def reach(self, rate: float) -> Float:
        """(d + 1,) what the examples add to each weight in a step at most."""
        return rate * self.C * len(self.X) * self.widest

    def scores(self, w: Float, rate: float, X: Float) -> Float:
        """(m,) w·x + b of rows X (m, d), 0 where only rounding keeps it from being so."""
        return np.asarray(settled_scores(with_column(X, 1.0), w, self.reach(rate)))

    def grid_scores(self, problem: Problem, w: Float, rate: float, grid: Grid) -> Float:
        """(ny, nx) the same on the plane."""
        score, sizes = linear_surface(problem, w, float(w[-1]), grid), np.abs(w) + self.reach(rate)
        return np.where(np.abs(score) <= EQUAL * size_surface(problem, sizes, grid), 0.0, score)

    @CALM
    def wrong(self, w: Float, rate: float) -> int:
        """How many of the rows do not lie on their side, or lie on the line."""
        return int(((self.y * settled_scores(self.X, w, self.reach(rate)) <= 0) & (self.y != 0)).sum())

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
