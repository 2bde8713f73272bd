"""The rows of a table as the support vector machine sees them: their origin, which have no place of
their own, who is separable.
"""

from typing import TypeVar

from engine.algorithms.margins.parts.kernel import factor, hulls_meet, smallest_eigenvalue
from engine.algorithms.margins.parts.lifted import Lifted
from engine.authoring import Float, Int, cached_property, np
from engine.core.arrays import middle

P = TypeVar("P")
ROUND = 10  # a round is at least so many pairs, else a fifth of the examples
AT_ONCE = 4_000_000  # numbers of the table's rows that are changed between two looks at stop
MOST_IN_PROOF = 500
EIGENVALUES = 200  # examples up to which the kernel matrix is examined
# from rows this many of their ranges away from 0, x · z no longer tells how far apart they are
OFFSET = 100.0


class Machine(Lifted[P]):
    """each: the pairs of a round; part: those between two looks at stop."""

    each = property(lambda self: max(ROUND, self.problem.n // 5))
    part = property(lambda self: max(1, AT_ONCE // self.problem.n))

    @cached_property
    def origin(self) -> Float:
        """Σ α y = 0, so the linear kernel gives the same line from any.

        0 for rows near 0, whose numbers are those on paper, and for other kernels.
        """
        X = self.problem.X
        far = np.abs(X).max(initial=0.0) > OFFSET * np.ptp(X, axis=0).max(initial=0.0) > 0
        return middle(X) if far and self.p.kernel == "linear" else np.zeros(X.shape[1])

    def same_place(self, i: int, j: int) -> bool:
        """Whether F(x) = F(z) on paper; the quadratic kernel cannot tell x from −x."""
        x, z = self.problem.X[[i, j]]
        return bool((x == z).all() or (self.kernel.name == "quadratic" and (x == -z).all()))

    def apart(self, i: int, j: int) -> float:
        """|F(x) − F(z)|², exact, of two rows that the kernel's numbers cannot tell apart; 0 where
        they are at one place.
        """
        return 0.0 if self.same_place(i, j) else self.kernel.exact_square(*self.problem.X[[i, j]])

    def bounded(self, alpha: Float) -> Int:
        """The rows whose multiplier is C."""
        return np.flatnonzero(alpha == self.p.C)

    def eigenvalue(self) -> float | None:
        """The smallest one of the kernel matrix: Mercer asks that it is not negative.

        None for many examples.
        """
        few = self.problem.n <= EIGENVALUES
        return (
            smallest_eigenvalue(self.kernel.matrix(self.problem.X, self.problem.X)) if few else None
        )

    def separable(self, alpha: Float) -> bool:
        """Whether a plane separates the rows with the largest multipliers: where none does, theirs
        grow for ever. By their lifted points, or where the space is large by their kernel matrix.
        """
        order = np.argsort(-alpha, kind="stable")[:MOST_IN_PROOF]
        rows = order[alpha[order] > 0]
        points = self.kernel.lifted(X := self.problem.X[rows])
        return not hulls_meet(
            factor(self.kernel.matrix(X, X)) if points is None else points, self.sign[rows]
        )


def feasible(alpha: Float, sign: Float, C: float) -> Float:
    """The multipliers of an earlier run as a start for this one: inside [0, C], none for unlabelled
    rows, Σ α y = 0.
    """
    if len(alpha) != len(sign):
        return np.zeros(len(sign))
    kept = np.where(sign != 0, np.clip(alpha, 0.0, C), 0.0)
    sides = (sign > 0, sign < 0)
    totals = [float(kept[side].sum()) for side in sides]
    for side, total in zip(sides, totals, strict=True):
        kept[side] *= min(totals) / (total or 1.0)
    return np.asarray(kept)
