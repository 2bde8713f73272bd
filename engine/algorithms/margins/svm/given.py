"""The rows of a table as a kernel sees them, and scores that are 0 where only rounding keeps them from it."""

from typing import Any, TypeVar

from engine.algorithms.margins.svm.kernel import Kernel, factor, hulls_meet, smallest_eigenvalue
from engine.authoring import Callable, Float, Grid, Int, Setting, cached_property, np
from engine.core.arrays import middle
from engine.numerics.linear import linear_surface

P = TypeVar("P")
ROUND = 10  # a round is at least so many pairs, else a fifth of the examples
AT_ONCE = 4_000_000  # numbers of the table's rows that are changed between two looks at stop
MOST_IN_PROOF = 500
EIGENVALUES = 200  # examples up to which the kernel matrix is examined
OFFSET = 100.0  # from rows this many of their ranges away from 0, x · z no longer tells how far apart they are
ROUNDED = 1e-14  # rounding of a score, as a share of its terms


def settled(score: Any, sizes: Any) -> Any:
    """Scores whose terms have these sizes in all, exactly 0 where only rounding keeps them from being so."""
    return np.where(np.abs(score) <= ROUNDED * sizes, 0.0, score)


class Lifted(Setting[P]):
    """kernel: K; X (n, d) from their origin (d,); each: the pairs of a round; part: those between two looks at stop."""

    p: Any
    sign = property(lambda self: self.problem.sign)  # (n,) ±1, 0 without a class
    each = property(lambda self: max(ROUND, self.problem.n // 5))
    part = property(lambda self: max(1, AT_ONCE // self.problem.n))

    @cached_property
    def kernel(self) -> Kernel:
        return Kernel(self.p.kernel, self.p.degree, self.p.gamma)

    @cached_property
    def origin(self) -> Float:
        """Σ α y = 0, so the linear kernel gives the same line from any. 0 for rows near 0, whose numbers are those on
        paper, and for other kernels."""
        X = self.problem.X
        far = np.abs(X).max(initial=0.0) > OFFSET * np.ptp(X, axis=0).max(initial=0.0) > 0
        return middle(X) if far and self.p.kernel == "linear" else np.zeros(X.shape[1])

    @cached_property
    def X(self) -> Float:
        return np.ascontiguousarray(self.problem.X - self.origin)

    def shift(self, w: Float | None) -> float:
        """w · o: how much more b is asked for from the origin than from 0."""
        return 0.0 if w is None else float(w @ self.origin)

    def same_place(self, i: int, j: int) -> bool:
        """Whether F(x) = F(z) on paper; the quadratic kernel cannot tell x from −x."""
        x, z = self.problem.X[[i, j]]
        return bool((x == z).all() or (self.kernel.name == "quadratic" and (x == -z).all()))

    def bounded(self, alpha: Float) -> Int:
        """The rows whose multiplier is C."""
        return np.flatnonzero(alpha == self.p.C)

    def eigenvalue(self) -> float | None:
        """The smallest one of the kernel matrix: Mercer asks that it is not negative. None for many examples."""
        few = self.problem.n <= EIGENVALUES
        return smallest_eigenvalue(self.kernel.matrix(self.problem.X, self.problem.X)) if few else None

    def separable(self, alpha: Float) -> bool:
        """Whether a plane separates the rows with the largest multipliers: where none does, theirs grow for ever. By
        their lifted points, or where the space is large by their kernel matrix."""
        order = np.argsort(-alpha, kind="stable")[:MOST_IN_PROOF]
        rows = order[alpha[order] > 0]
        points = self.kernel.lifted(X := self.problem.X[rows])
        return not hulls_meet(factor(self.kernel.matrix(X, X)) if points is None else points, self.sign[rows])

    # -- scores --------------------------------------------------------------------------------------------------------

    def score(self, s: Any, X: Float) -> Float:
        """(m,) Σ α y K(x, ·) + b of rows X (m, d)."""
        X = X - self.origin
        plane = None if s.w is None else X @ s.w + (s.b + self.shift(s.w))
        return self._settled(s, plane, np.square(X).sum(1), lambda z, weights: self.kernel.scores(z, weights, X))

    def surface(self, s: Any, grid: Grid) -> Float:
        """(ny, nx) the same on the plane."""
        problem, (x, y) = self.problem, self.problem.to_plane(self.origin[None])[0]
        plane = None if s.w is None else linear_surface(problem, s.w, s.b, grid)
        hidden = np.square(np.delete(problem.anchor - self.origin, list(problem.plane))).sum()
        squares = np.add.outer((grid.y - y) ** 2 * (len(problem.plane) > 1), (grid.x - x) ** 2 + hidden)
        return self._settled(s, plane, squares, lambda z, weights: self.kernel.surface(problem, z, weights, grid))

    def _settled(self, s: Any, plane: Float | None, squares: Float, summed: Callable[[Float, Float], Float]) -> Float:
        """summed(vectors, weights): Σ weight · K(vector, x) of places with these |x|²; plane: what a line gives. b is
        without rounding where it is 0."""
        rows = np.flatnonzero(s.alpha)
        z, alpha, weights, lengths = self.X[rows], s.alpha[rows], (self.sign * s.alpha)[rows], self.kernel.lengths
        if self.kernel.name == "rbf":
            sizes = summed(z, alpha)
        else:
            sizes = lengths(squares) * float(alpha @ lengths(np.square(z).sum(1)))
        sizes += 1.0 + abs(s.b) if s.b else 0.0
        return np.asarray(settled(summed(z, weights) + s.b if plane is None else plane, sizes))


def feasible(alpha: Float, sign: Float, C: float) -> Float:
    """The multipliers of an earlier run as a start for this one: inside [0, C], none for unlabelled rows, Σ α y = 0."""
    if len(alpha) != len(sign):
        return np.zeros(len(sign))
    kept, sides = np.where(sign != 0, np.clip(alpha, 0.0, C), 0.0), (sign > 0, sign < 0)
    totals = [float(kept[side].sum()) for side in sides]
    for side, total in zip(sides, totals, strict=True):
        kept[side] *= min(totals) / (total or 1.0)
    return np.asarray(kept)
