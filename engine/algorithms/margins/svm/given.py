"""The rows of a table as the support vector machine sees them: their origin, which of them lie at
one place, whether they are separable; how many pairs make a round.
"""

from typing import Any, TypeVar

from engine.algorithms.margins.parts.kernel import factor, hulls_meet, smallest_eigenvalue
from engine.algorithms.margins.parts.lifted import Lifted
from engine.authoring import Float, Int, cached_property, np
from engine.base.arrays import middle

P = TypeVar("P")
ROUND = 10  # a round is at least so many pairs, else a fifth of the examples
AT_ONCE = 4_000_000  # numbers of the table's rows that are changed between two looks at stop
NEVER = 2**62
PROOF = 20  # pairs, and every doubling, after which it is proved whether a hard margin exists
MOST_IN_PROOF = 500
EIGENVALUES = 200  # examples up to which the kernel matrix is examined
# from rows this many of their ranges away from 0, x · z no longer tells how far apart they are
OFFSET = 100.0


class Machine(Lifted[P]):
    """The rows, kernel and limits of the support vector machine."""

    @property
    def each(self) -> int:
        """The number of pairs in a round."""
        return max(ROUND, self.problem.n // 5)

    @property
    def part(self) -> int:
        """The number of pairs between two checks for cancellation."""
        return max(1, AT_ONCE // self.problem.n)

    def halt(self, moves: int) -> int:
        """The number of moves at which a run next pauses: end of round, check for cancellation or
        proof.
        """
        end_of_round = moves + self.each - moves % self.each
        return min(end_of_round, moves + self.part, self.next_proof(moves))

    def next_proof(self, moves: int) -> int:
        """The number of moves at which it is next checked whether a hard margin exists; never for a
        soft one, which always does.
        """
        if np.isfinite(self.p.C):
            return NEVER
        return int(PROOF << (moves // PROOF).bit_length())

    @cached_property
    def origin(self) -> Float:
        """(d,) the origin from which the linear kernel measures places.

        As Σ α y = 0, any origin gives the same line. It is 0 for rows near 0, whose numbers then
        are those of the table, and for other kernels.
        """
        X = self.problem.X
        size = np.abs(X).max(initial=0.0)
        spread = np.ptp(X, axis=0).max(initial=0.0)
        if self.p.kernel == "linear" and size > OFFSET * spread > 0:
            return middle(X)
        return np.zeros(X.shape[1])

    def same_place(self, i: int, j: int) -> bool:
        """Whether F(x) = F(z) exactly; the quadratic kernel cannot tell x from −x."""
        x, z = self.problem.X[[i, j]]
        return bool((x == z).all() or (self.kernel.name == "quadratic" and (x == -z).all()))

    def apart(self, i: int, j: int) -> float:
        """|F(x) − F(z)|², exact, of rows i and j; 0 where they are at one place."""
        return 0.0 if self.same_place(i, j) else self.kernel.exact_square(*self.problem.X[[i, j]])

    def bounded(self, alpha: Float) -> Int:
        """(m,) the rows whose multiplier is C."""
        return np.flatnonzero(alpha == self.p.C)

    def touching(self, s: Any) -> Int:
        """(m,) the rows on the margin, y (Σ α y K + b) = 1, whose multiplier is 0: at the distance
        of a support vector (MMDS 12.3.1), though the others hold the boundary without them.

        To the tolerance of the run: only where it has converged is that the margin.
        """
        idle = np.flatnonzero((s.alpha == 0) & self.problem.labelled)
        z = self.sign[idle] * self.score(s, self.problem.X[idle])
        return np.asarray(idle[np.abs(z - 1) <= self.p.tolerance])

    def eigenvalue(self) -> float | None:
        """The smallest eigenvalue of the kernel matrix, which must not be negative (Mercer); None
        for many examples.
        """
        if self.problem.n > EIGENVALUES:
            return None
        return smallest_eigenvalue(self.kernel.matrix(self.problem.X, self.problem.X))

    def separable(self, alpha: Float) -> bool:
        """Whether a plane separates the rows with the largest multipliers: where none does, theirs
        grow for ever. By their lifted points, or where the space is large by their kernel matrix.
        """
        order = np.argsort(-alpha, kind="stable")[:MOST_IN_PROOF]
        rows = order[alpha[order] > 0]
        X = self.problem.X[rows]
        points = self.kernel.lifted(X)
        if points is None:
            points = factor(self.kernel.matrix(X, X))
        return not hulls_meet(points, self.sign[rows])


def feasible(alpha: Float, sign: Float, C: float) -> Float:
    """(n,) the multipliers of an earlier run made feasible for this one: within [0, C], 0 for
    unlabelled rows, Σ α y = 0.
    """
    if len(alpha) != len(sign):
        return np.zeros(len(sign))
    kept = np.where(sign != 0, np.clip(alpha, 0.0, C), 0.0)
    positive = float(kept[sign > 0].sum())
    negative = float(kept[sign < 0].sum())
    smaller = min(positive, negative)
    kept[sign > 0] *= smaller / (positive or 1.0)
    kept[sign < 0] *= smaller / (negative or 1.0)
    return np.asarray(kept)
