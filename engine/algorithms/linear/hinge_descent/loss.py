"""The soft-margin loss of a line and its slope, over all examples, one, or a part of them.

MMDS 12.3.3-12.3.6.
"""

from typing import Any

from engine.algorithms.linear.parts.descent import CALM, Descent
from engine.authoring import (
    Bool,
    EngineError,
    Float,
    Int,
    Sequence,
    cached_property,
    np,
)
from engine.numerics.closeness import OF_TERMS

AWAY = 1e30  # f this many times its start: the steps lead away for good
# z this near to 1, relative to its terms, counts as 1: points on the margin are not bad
TOUCHING = OF_TERMS
ALL = slice(None)
Rows = Int | slice


class SoftMargin(Descent):
    """f(w) = ½ Σ w² + C Σ max(0, 1 − z), z = y (w·x + b): MMDS Eq 12.4.

    With `penalise_b`, Σ w² includes b, as in Eq 12.6.
    """

    @property
    def shared(self) -> bool:
        """Whether the table is divided into parts."""
        return bool(self.p.mode in ("average-of-changes", "sum-of-parts"))

    @cached_property
    def shares(self) -> list[Any]:
        """The rows of each part; a single part of all rows where the table is not divided."""
        return [*np.array_split(self.rows, self.p.parts)] if self.shared else [ALL]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the weights: column titles and "b"."""
        return (*(feature.title for feature in self.problem.features), "b")

    @cached_property
    def is_b(self) -> Bool:
        """(d + 1,) which weight is b."""
        return np.asarray(np.arange(self.X.shape[1]) == self.problem.d)

    @cached_property
    def widest(self) -> Float:
        """(d + 1,) the largest |x| of each column."""
        return np.asarray(np.abs(self.X).max(axis=0, initial=0.0))

    @cached_property
    def reach(self) -> Float:
        """(d + 1,) the largest change of each weight by the examples in one step."""
        return np.asarray(self.base_rate * self.p.C * len(self.X) * self.widest)

    @cached_property
    def signed(self) -> Float:
        """(d + 1, n) y x."""
        return np.ascontiguousarray((self.X * self.sign[:, None]).T)

    @cached_property
    def pull(self) -> float:
        """n · C, the factor of a single example's gradient that stands for all n."""
        return float(len(self.rows) * self.p.C)

    @property
    def steepest(self) -> float:
        """The largest curvature of f; that of ½ w² is 1.

        The slope of the penalties jumps, so there is no bound: with these numbers a step moves z by
        about ½ where all points are bad, and by ¼ at most where one of them has a step of its own.
        """
        if self.p.mode == "stochastic":
            return float(max(1.0, self.p.C * 0.4 * len(self.rows)))
        return float(max(1.0, self.p.C * 2))

    @CALM
    def start(self, weights: Sequence[float]) -> Float:
        """(d + 1,) the start weights: as set, or zeros. Raises EngineError where the loss, or its
        gradient near them, would overflow.
        """
        w = super().start(weights)
        z = self.z(w)
        loss = self.value(w, z, self.bad(w, z))
        if not (np.isfinite(loss) and np.isfinite(self.p.C * len(self.X) * self.widest.sum())):
            raise EngineError(
                "The loss is beyond all numbers here: standardise the columns, or start nearer"
                " to 0."
            )
        return w

    def line(self, s: Any) -> Float:
        return s.weights  # type: ignore[no-any-return]

    def z(self, w: Float, rows: Rows = ALL) -> Float:
        """(m,) y (w·x + b) of these rows."""
        return np.asarray(self.sign[rows] * self.X[rows].dot(w))

    def bad(self, w: Float, z: Float, rows: Rows = ALL) -> Bool:
        """(m,) which of these rows have z < 1, up to rounding; never a row without a class."""
        size = float(self.widest.dot(np.abs(w)))
        return np.asarray((z < touching(size)) & self.problem.labelled[rows])

    def is_bad(self, w: Float, i: int) -> bool:
        """Whether row i has z < 1, up to rounding.

        Its sums go from the first column on, as in `fast`, so that both come to the same bits.
        """
        z = self.sign[i] * (w * self.X[i]).cumsum()[-1]
        size = float((self.widest * np.abs(w)).cumsum()[-1])
        return bool(z < touching(size))

    def penalties(self, w: Float, bad: Bool) -> Float:
        """(n,) max(0, 1 − z); 0 for the rows that count as touching."""
        return np.where(bad, 1.0 - self.z(w), 0.0)

    def value(self, w: Float, z: Float, bad: Bool) -> float:
        """f(w), from z (n,) and the bad rows."""
        return 0.5 * float(self.shrunk(w).dot(w)) + float(self.p.C * np.add.reduce(1.0 - z[bad]))

    def shrunk(self, w: Float) -> Float:
        """(d + 1,) the gradient of ½ Σ w²: w itself, with 0 for b unless it is penalised."""
        return w if self.p.penalise_b else np.where(self.is_b, 0.0, w)

    def pulling(self, bad: Bool, rows: Rows = ALL) -> Float:
        """(d + 1,) Σ[bad] y x over these rows."""
        return np.asarray((self.sign[rows] * bad) @ self.X[rows])

    @CALM
    def push(self, bad: Bool, rows: Rows = ALL) -> Float:
        """(d + 1,) the gradient of C Σ max(0, 1 − z) over these rows: −C Σ y x of the bad ones."""
        return np.asarray(-self.p.C * self.pulling(bad, rows))

    @CALM
    def sizes_of_pulls(self, w: Float, bad: Bool) -> Float:
        """(d + 1,) how hard each weight is pulled in both directions together.

        By its shrinking and by each bad row; the shrinking of the largest is added, beside which
        that of a weight that fades is nothing.
        """
        shrunk = np.abs(self.shrunk(w))
        return np.asarray(shrunk + shrunk.max() + self.p.C * (bad @ np.abs(self.X)))

    @CALM
    def guess(self, w: Float, rows: Int, times: float) -> Float:
        """(d + 1,) ∂f/∂w estimated from these rows alone, whose loss counts `times` as often."""
        bad = self.bad(w, self.z(w, rows), rows)
        return self.shrunk(w) + times * self.push(bad, rows)


def touching(size: float) -> float:
    """The z from which on a row is not bad: 1 less the rounding of terms of this size."""
    return 1.0 - TOUCHING * max(1.0, size)
