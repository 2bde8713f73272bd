"""The rows of a table as a kernel sees them, and scores that are 0 where only rounding keeps them
from it.
"""

from typing import Any, TypeVar

from engine.algorithms.margins.parts.kernel import Kernel
from engine.authoring import Callable, Float, Grid, Setting, cached_property, np
from engine.numerics.linear import linear_surface
from engine.numerics.closeness import LAST_DIGITS, settled

P = TypeVar("P")


class Lifted(Setting[P]):
    """kernel: K; X (n, d) from their origin (d,); sign (n,) ±1, 0 without a class.

    The states of such a method have multipliers alpha (n,), and b; the score is Σ α y K(x, ·) + b.
    """

    p: Any
    sign = property(lambda self: self.problem.sign)

    @cached_property
    def kernel(self) -> Kernel:
        return Kernel(self.p.kernel, self.p.degree, self.p.gamma)

    @cached_property
    def origin(self) -> Float:
        return np.zeros(self.problem.d)

    @cached_property
    def X(self) -> Float:
        return np.ascontiguousarray(self.problem.X - self.origin)

    def normal(self, s: Any) -> Float | None:
        """w = Σ α y x (d,) of the linear kernel, else None."""
        return s.w  # type: ignore[no-any-return]

    def shift(self, w: Float | None) -> float:
        """w · o: how much more b is asked for from the origin than from 0."""
        return 0.0 if w is None else float(w @ self.origin)

    def constants(self, s: Any) -> float:
        """How large the terms of a score are that no place changes; b is without rounding where it
        is 0.
        """
        return 1.0 + abs(s.b) if s.b else 0.0

    def score(self, s: Any, X: Float) -> Float:
        """(m,) Σ α y K(x, ·) + b of rows X (m, d)."""
        X = X - self.origin
        w = self.normal(s)
        plane = None if w is None else X @ w + (s.b + self.shift(w))
        return self._settled(
            s, plane, np.square(X).sum(1), lambda z, weights: self.kernel.scores(z, weights, X)
        )

    def surface(self, s: Any, grid: Grid) -> Float:
        """(ny, nx) the same on the plane."""
        problem = self.problem
        x, y = self.problem.to_plane(self.origin[None])[0]
        w = self.normal(s)
        plane = None if w is None else linear_surface(problem, w, s.b, grid)
        hidden = np.square(np.delete(problem.anchor - self.origin, list(problem.plane))).sum()
        squares = np.add.outer(
            (grid.y - y) ** 2 * (len(problem.plane) > 1), (grid.x - x) ** 2 + hidden
        )
        return self._settled(
            s, plane, squares, lambda z, weights: self.kernel.surface(problem, z, weights, grid)
        )

    def _settled(
        self, s: Any, plane: Float | None, squares: Float, summed: Callable[[Float, Float], Float]
    ) -> Float:
        """summed(vectors, weights): Σ weight · K(vector, x) of places with these |x|²; plane: what
        a line gives.
        """
        rows = np.flatnonzero(s.alpha)
        z = self.X[rows]
        alpha = s.alpha[rows]
        weights = (self.sign * s.alpha)[rows]
        lengths = self.kernel.lengths
        if self.kernel.name == "rbf":
            sizes = summed(z, alpha)
        else:
            sizes = lengths(squares) * float(alpha @ lengths(np.square(z).sum(1)))
        sizes += self.constants(s)
        score = summed(z, weights) + s.b if plane is None else plane
        return np.asarray(settled(score, sizes, LAST_DIGITS))
