"""The rows of a table as a kernel sees them, and scores Σ α y K(x, ·) + b that are 0 where only rounding keeps them from it."""

from typing import Any, TypeVar

from engine.algorithms.margins.svm.dual import Rows, Solver, settled
from engine.algorithms.margins.svm.hulls import separable_rows
from engine.authoring import Float, Grid, Int, Setting, cached_property, np
from engine.numerics.kernels import Kernel, smallest_eigenvalue
from engine.numerics.linear import linear_surface

P = TypeVar("P")
ROUND = 10  # a round is at least so many pairs, else a fifth of the examples
AT_ONCE = 4_000_000  # numbers of the table's rows that are changed between two looks at stop
MOST_IN_PROOF = 500
EIGENVALUES = 200  # examples up to which the kernel matrix is examined


def kernel_of(p: Any) -> Kernel:
    return Kernel(p.kernel, p.degree, p.gamma)


class Lifted(Setting[P]):
    """kernel: K; origin (d,) from which X (n, d) are taken; sign (n,) ±1, 0 without a class."""

    p: Any

    @cached_property
    def kernel(self) -> Kernel:
        return kernel_of(self.p)

    @cached_property
    def origin(self) -> Float:
        return self.kernel.origin(self.problem.X)

    @cached_property
    def X(self) -> Float:
        return np.ascontiguousarray(self.problem.X - self.origin)

    @property
    def sign(self) -> Float:
        return self.problem.sign

    @cached_property
    def lift(self) -> Float | None:
        """(n,) how much more b is asked for from the origin than from 0, for each β."""
        return self.X @ self.origin if self.origin.any() else None

    def shift(self, s: Any) -> float:
        """w · o: how much more b is asked for than from 0."""
        return 0.0 if self.lift is None else float((self.sign * s.alpha) @ self.lift)

    def solver(self, alpha: Float | None = None) -> Solver:
        """The dual, from multipliers of an earlier run."""
        rows = Rows(lambda first, last: self.kernel.matrix(self.X[first:last], self.X), self.kernel.diagonal(self.X))
        return Solver(rows, self.sign, self.p.C, self.p.tolerance, alpha, self.lift)

    @cached_property
    def each(self) -> int:
        """The pairs of a round."""
        return max(ROUND, self.problem.n // 5)

    @cached_property
    def part(self) -> int:
        """The pairs that are moved between two looks at stop."""
        return max(1, AT_ONCE // self.problem.n)

    def bounded(self, alpha: Float) -> Int:
        """The rows whose multiplier is C."""
        return np.flatnonzero(alpha == self.p.C)

    def eigenvalue(self) -> float | None:
        """The smallest one of the kernel matrix: Mercer asks that it is not negative. None for many examples."""
        few = self.problem.n <= EIGENVALUES
        return smallest_eigenvalue(self.kernel.matrix(self.problem.X, self.problem.X)) if few else None

    def separable(self, alpha: Float) -> bool:
        """Whether a plane separates the rows with the largest multipliers: where none does, theirs grow for ever."""
        order = np.argsort(-alpha, kind="stable")[:MOST_IN_PROOF]
        rows = order[alpha[order] > 0]
        X = self.problem.X[rows]
        return separable_rows(self.kernel.lifted(X), lambda: self.kernel.matrix(X, X), self.sign[rows])

    # -- scores --------------------------------------------------------------------------------------------------------

    def score(self, s: Any, X: Float) -> Float:
        """(m,) Σ α y K(x, ·) + b of rows X (m, d)."""
        rows = np.flatnonzero(s.alpha)
        alpha, vectors, X, b = s.alpha[rows], self.X[rows], X - self.origin, s.b
        if s.w is None:
            score = self.kernel.scores(vectors, alpha * self.sign[rows], X)
        else:
            score, b = X @ s.w, b + float(s.w @ self.origin)
        return settled(score + b, self._sizes(vectors, alpha, X) + _size(s.b))

    def surface(self, s: Any, grid: Grid) -> Float:
        """(ny, nx) the same on the plane."""
        rows = np.flatnonzero(s.alpha)
        alpha, vectors = s.alpha[rows], self.problem.X[rows]
        if s.w is None:
            score = self.kernel.surface(self.problem, vectors, alpha * self.sign[rows], grid) + s.b
        else:
            score = linear_surface(self.problem, s.w, s.b, grid)
        return settled(score, self._grid_sizes(self.X[rows], alpha, grid) + _size(s.b))

    def _sizes(self, vectors: Float, alpha: Float, X: Float) -> Float:
        """(m,) how large the terms α K(vector, x) may be together; |K(z, x)| is at most |F(z)| |F(x)|."""
        if self.kernel.name == "rbf":
            return self.kernel.scores(vectors, alpha, X)
        return self._lengths(np.square(X).sum(1)) * float(alpha @ self._lengths(np.square(vectors).sum(1)))

    def _grid_sizes(self, vectors: Float, alpha: Float, grid: Grid) -> Float:
        """(ny, nx) the same on the plane."""
        problem, origin = self.problem, self.origin
        if self.kernel.name == "rbf":
            return self.kernel.surface(problem, vectors, alpha, grid)
        hidden = np.delete(problem.anchor - origin, list(problem.plane))
        (ox, oy), one = problem.to_plane(origin[None])[0], len(problem.plane) == 1
        y = np.zeros(len(grid.y)) if one else grid.y - oy
        squares = np.add.outer(y**2, (grid.x - ox) ** 2 + float(hidden @ hidden))
        return self._lengths(squares) * float(alpha @ self._lengths(np.square(vectors).sum(1)))

    def _lengths(self, squares: Float) -> Float:
        """|F(x)| of places with these |x|²."""
        return np.asarray((squares + self.kernel.shift) ** (self.kernel.power / 2))


def _size(b: float) -> float:
    """How large the terms of b are: it lies between demands of y − Σ α y K, and is without rounding where it is 0."""
    return 1.0 + abs(b) if b else 0.0


def feasible(alpha: Float, sign: Float, C: float) -> Float:
    """The multipliers of an earlier run as a start for this one: inside [0, C], none for unlabelled rows, Σ α y = 0."""
    if len(alpha) != len(sign):
        return np.zeros(len(sign))
    kept = np.where(sign != 0, np.clip(alpha, 0.0, C), 0.0)
    positive, negative = float(kept[sign > 0].sum()), float(kept[sign < 0].sum())
    least = min(positive, negative)
    for side, total in ((sign > 0, positive), (sign < 0, negative)):
        if total > least:
            kept[side] *= least / total
    return np.asarray(kept)
