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
    frozen,
    np,
    own,
)

from engine.core.latest import Latest

AWAY = 1e30  # f this many times its start: the steps lead away for good
# z this near to 1, relative to its terms, counts as 1: points on the margin are not bad
TOUCHING = 1e-12


class SoftMargin(Descent):
    """f(w) = ½ Σ w² + C Σ max(0, 1 − z), z = y (w·x): MMDS Eq 12.4.

    X (n, d + 1) with a last 1, so the last weight is b.

    With `penalise_b`, Σ w² runs over b too, as in Eq 12.6, else not, as in Eq 12.4. Who is bad, z <
    1, is reckoned once for each w and handed on. widest (d + 1,): largest size in each column;
    reach (d + 1,): what the examples add to each weight in a step at most; signed (d + 1, n): y x;
    shares: the rows of each part, or all of them; pull: of a bad example alone, whose part counts
    as often as there are examples.
    """

    shared = property(lambda given: given.p.mode in ("average-of-changes", "sum-of-parts"))
    names = cached_property(
        lambda given: (*(feature.title for feature in given.problem.features), "b")
    )
    is_b = cached_property(lambda given: np.arange(given.X.shape[1]) == given.problem.d)
    widest = cached_property(lambda given: np.abs(given.X).max(axis=0, initial=0.0))
    reach = cached_property(lambda given: given.base_rate * given.p.C * len(given.X) * given.widest)
    signed = cached_property(lambda given: np.ascontiguousarray((given.X * given.sign[:, None]).T))
    pull = cached_property(lambda given: float(len(given.rows) * given.p.C))

    @cached_property
    def _latest(self) -> Latest[dict[str, Any]]:
        return Latest()

    @property
    def steepest(self) -> float:
        """That of ½ w² is 1.

        The slope of the penalties jumps, so there is no bound: with these numbers a step moves z by
        about ½ where all points are bad, and by ¼ at most where one of them has a step of its own.
        """
        return float(
            max(1.0, self.p.C * (0.4 * len(self.rows) if self.p.mode == "stochastic" else 2))
        )

    @cached_property
    def shares(self) -> list[Any]:
        return [*np.array_split(self.rows, self.p.parts)] if self.shared else [slice(None)]

    def line(self, s: Any) -> Float:
        return s.weights  # type: ignore[no-any-return]

    @CALM
    def start(self, name: str, weights: Sequence[float]) -> Float:
        """The loss has to be a number there, and the slope wherever w is one."""
        w = super().start(name, weights)
        if not (
            np.isfinite(self.judged(w)["f"])
            and np.isfinite(self.p.C * len(self.X) * self.widest.sum())
        ):
            raise EngineError(
                "The loss is beyond all numbers here: standardise the columns, or start nearer"
                " to 0."
            )
        return w

    @CALM
    def judged(self, w: Float) -> dict[str, Any]:
        """w and what a state tells of it: who is bad, its cost, how many wrong rows; of the w asked
        last it is remembered.
        """
        return dict(self._latest.of(frozen(w), self._judge))

    def _judge(self, w: Float) -> dict[str, Any]:
        z = self.sign * self.score(w, self.X)
        bad = self.bad(w, z)
        f = self.value(w, z, bad) if np.isfinite(z.dot(z)) or np.isfinite(z).all() else float("nan")
        wrong = (z <= 0) & self.problem.labelled
        return {
            "weights": w,
            "bad": own(bad),
            "f": f,
            "errors": int(np.count_nonzero(wrong)),
        }

    def z(self, w: Float, rows: Int | slice = slice(None)) -> Float:
        """y (w·x + b) of the rows."""
        return np.asarray(self.sign[rows] * self.X[rows].dot(w))

    def bad(self, w: Float, z: Float, rows: Int | slice = slice(None)) -> Bool:
        """Which of these rows, of which z tells, do not reach 1, up to rounding.

        One without a class is never bad.
        """
        short = z < 1.0 - TOUCHING * max(1.0, float(self.widest.dot(np.abs(w))))
        return np.asarray(short & self.problem.labelled[rows])

    def penalties(self, w: Float, bad: Bool) -> Float:
        """(n,) max(0, 1 − z); 0 for the rows that count as touching."""
        return np.where(bad, 1.0 - self.z(w), 0.0)

    def value(self, w: Float, z: Float, bad: Bool) -> float:
        return 0.5 * float(self.shrunk(w).dot(w)) + float(self.p.C * np.add.reduce(1.0 - z[bad]))

    def shrunk(self, w: Float) -> Float:
        """The slope of ½ Σ w²: w itself, without b when that is free."""
        return w if self.p.penalise_b else np.where(self.is_b, 0.0, w)

    def pulling(self, bad: Bool, rows: Int | slice = slice(None)) -> Float:
        """Σ y x over the rows, of which `bad` tells the bad ones."""
        return np.asarray((self.sign[rows] * bad) @ self.X[rows])

    @CALM
    def push(self, bad: Bool, rows: Int | slice = slice(None)) -> Float:
        """The slope of C Σ max(0, 1 − z) over the rows: −C Σ y x of the bad ones."""
        return np.asarray(-self.p.C * self.pulling(bad, rows))

    @CALM
    def both_ways(self, w: Float, bad: Bool) -> Float:
        """(d + 1,) how hard each weight is pulled in both directions together, by its shrinking and
        by each bad row; the shrinking of the largest is added, beside which that of a weight that
        fades is nothing.
        """
        shrunk = np.abs(self.shrunk(w))
        return np.asarray(shrunk + shrunk.max() + self.p.C * (bad @ np.abs(self.X)))

    @CALM
    def guess(self, w: Float, rows: Int, times: float) -> Float:
        """∂f/∂w as some rows alone suggest it, whose part is taken `times` as often."""
        return self.shrunk(w) + times * self.push(self.bad(w, self.z(w, rows), rows), rows)

    @CALM
    def slope_of_one(self, w: Float, i: int) -> Float:
        """The slope that one example suggests; its sums go from the first column on, as in rounds
        that nobody watches.
        """
        z = self.sign[i] * (w * self.X[i]).cumsum()[-1]
        size = float((self.widest * np.abs(w)).cumsum()[-1])
        bad = z < 1.0 - TOUCHING * max(1.0, size)
        return frozen(
            self.shrunk(w) - self.pull * self.sign[i] * self.X[i] if bad else self.shrunk(w)
        )

    @CALM
    def local(self, w: Float, rows: Int, rate: float) -> Float:
        """Where steps lead that know only one part of the examples. MMDS 12.3.6."""
        for _ in range(self.p.local):
            w = w - rate * self.guess(w, rows, self.p.parts)
        return frozen(w)
