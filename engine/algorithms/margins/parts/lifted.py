"""The rows of a table as a kernel sees them, and scores that are 0 where only rounding keeps them
from it.
"""

from typing import Any, TypeVar

from engine.algorithms.margins.parts.kernel import Kernel
from engine.authoring import Callable, Float, Grid, Setting, cached_property, np
from engine.numerics.closeness import LAST_DIGITS, settled
from engine.numerics.linear import linear_surface

P = TypeVar("P")


class Lifted(Setting[P]):
    """The rows of a table and their kernel.

    The states of such a method have multipliers alpha (n,) and b; the score is Σ α y K(x, ·) +
    b.
    """

    p: Any

    @property
    def sign(self) -> Float:
        """(n,) y, ±1; 0 without a class."""
        return self.problem.sign

    @cached_property
    def kernel(self) -> Kernel:
        """The kernel K that the parameters name."""
        return Kernel(self.p.kernel, self.p.degree, self.p.gamma)

    @cached_property
    def origin(self) -> Float:
        """(d,) the place relative to which rows are measured."""
        return np.zeros(self.problem.d)

    @cached_property
    def X(self) -> Float:
        """(n, d) the rows relative to `origin`."""
        return np.ascontiguousarray(self.problem.X - self.origin)

    def normal(self, s: Any) -> Float | None:
        """w = Σ α y x (d,) for the linear kernel, else None."""
        return s.w  # type: ignore[no-any-return]

    def shift(self, w: Float | None) -> float:
        """w · o, by which b is larger when places are measured from the origin o; 0 for w None."""
        return 0.0 if w is None else float(w @ self.origin)

    def constants(self, s: Any) -> float:
        """The size of the terms of a score that do not depend on x: 1 + |b|, 0 for b = 0, which has
        no rounding.
        """
        return 1.0 + abs(s.b) if s.b else 0.0

    def score(self, s: Any, X: Float) -> Float:
        """(m,) Σ α y K(x, ·) + b of rows X (m, d)."""
        X = X - self.origin
        w = self.normal(s)
        plane = None if w is None else X @ w + (s.b + self.shift(w))

        def summed(vectors: Float, weights: Float) -> Float:
            return self.kernel.scores(vectors, weights, X)

        return self._settled(s, plane, np.square(X).sum(1), summed)

    def surface(self, s: Any, grid: Grid) -> Float:
        """(ny, nx) Σ α y K(x, ·) + b at every place of the grid."""
        problem = self.problem
        w = self.normal(s)
        plane = None if w is None else linear_surface(problem, w, s.b, grid)
        x, y = problem.to_plane(self.origin[None])[0]
        across = (grid.x - x) ** 2
        upright = (grid.y - y) ** 2 * (len(problem.plane) > 1)
        hidden = np.square(np.delete(problem.anchor - self.origin, list(problem.plane))).sum()

        def summed(vectors: Float, weights: Float) -> Float:
            return self.kernel.surface(problem, vectors, weights, grid)

        return self._settled(s, plane, np.add.outer(upright, across + hidden), summed)

    def _settled(
        self, s: Any, plane: Float | None, squares: Float, summed: Callable[[Float, Float], Float]
    ) -> Float:
        """The scores of places with these |x|², 0 where only rounding keeps them from it.

        summed(vectors, weights): Σ weight · K(vector, x) of these places; plane: w·x + b where the
        kernel is linear.
        """
        rows = np.flatnonzero(s.alpha)
        vectors = self.X[rows]
        alpha = s.alpha[rows]
        if self.kernel.name == "rbf":
            sizes = summed(vectors, alpha)
        else:
            lengths = self.kernel.lengths(np.square(vectors).sum(1))
            sizes = self.kernel.lengths(squares) * float(alpha @ lengths)
        sizes += self.constants(s)
        score = plane
        if score is None:
            score = summed(vectors, (self.sign * s.alpha)[rows]) + s.b
        return np.asarray(settled(score, sizes, LAST_DIGITS))
