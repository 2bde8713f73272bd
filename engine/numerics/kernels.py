"""Kernels: dot products of lifted points, without lifting them; matrices and surfaces. AIMA 18.9; rbf is an extension."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Literal

import numpy as np

from engine.core.arrays import Float, middle
from engine.core.errors import EngineError
from engine.core.grid import Grid
from engine.core.problem import Problem

KernelName = Literal["linear", "quadratic", "polynomial", "rbf"]
BLOCK = 2**20  # numbers of a kernel matrix that are held at once
LARGEST = 1e300
ROUNDING = 1e-9  # an eigenvalue this much smaller than the largest is zero up to rounding
FEW_COLUMNS = 6
FAR, NOTHING = 300.0, 1e-100  # of a bell: exponent and height
OFFSET = 100.0  # from rows this many of their ranges away from 0, x · z no longer tells how far apart they are


@dataclass(frozen=True, slots=True)
class Kernel:
    """K(x, z): x·z (linear), (x·z)² (quadratic), (1 + x·z)^degree (polynomial), exp(−gamma |x − z|²) (rbf)."""

    name: KernelName = "linear"
    degree: int = 2
    gamma: float = 1.0

    @property
    def power(self) -> int:
        """Which power of the dot product is taken."""
        return {"linear": 1, "quadratic": 2, "polynomial": self.degree, "rbf": 0}[self.name]

    @property
    def shift(self) -> float:
        """What is added to the dot product before."""
        return 1.0 if self.name == "polynomial" else 0.0

    def origin(self, X: Float) -> Float:
        """(d,) what may be taken from all rows: Σ α y = 0, so the linear kernel gives the same line from there. 0 for rows
        near 0, whose numbers are those on paper, and for other kernels."""
        far = self.name == "linear" and np.abs(X).max(initial=0.0) > OFFSET * np.ptp(X, axis=0).max(initial=0.0) > 0
        return middle(X) if far else np.zeros(X.shape[1])

    def same_place(self, x: Float, z: Float) -> bool:
        """Whether F(x) = F(z); the quadratic kernel cannot tell x from −x."""
        return bool((x == z).all() or (self.name == "quadratic" and (x == -z).all()))

    def matrix(self, A: Float, B: Float) -> Float:
        """(m, d), (k, d) -> (m, k) values K(a, b)."""
        if self.name == "rbf":
            return bells(self.gamma * squared_distances(A, B))
        return self._of_dots(A @ B.T)

    def diagonal(self, X: Float) -> Float:
        """(n,) K(x, x). Raises EngineError where it is too large for a number; no other value is larger."""
        if self.name == "rbf":
            return np.ones(len(X))
        with np.errstate(over="ignore"):
            values = self._of_dots(np.einsum("ij,ij->i", X, X))
        if not (values < LARGEST).all():
            raise EngineError(
                "The values of this kernel are too large to be computed. Scale the columns (0 to 1, or mean 0 and "
                "deviation 1) in the data panel, or lower the degree."
            )
        return values

    def _of_dots(self, dots: Float) -> Float:
        base = dots + self.shift if self.shift else dots
        values = base
        for _ in range(self.power - 1):
            values = values * base
        return values

    def scores(self, vectors: Float, weights: Float, X: Float) -> Float:
        """(m,) Σ weight · K(vector, x) for rows X (m, d), block by block."""
        rows = max(1, BLOCK // max(1, len(vectors)))
        parts = [self.matrix(X[at : at + rows], vectors) @ weights for at in range(0, len(X), rows)]
        total = np.concatenate(parts) if parts else np.zeros(0)
        return felt(total) if self.name == "rbf" else total

    def surface(self, problem: Problem, vectors: Float, weights: Float, grid: Grid) -> Float:
        """(ny, nx) the same sum on the plane. Every kernel here splits into a part of x and a part of y: powers of them
        (multinomial theorem), or e^(−γ(x−z₁)²) · e^(−γ(y−z₂)²). So the kernel is never computed place by place."""
        if not len(vectors):
            return np.zeros(grid.shape)
        on_plane = list(problem.plane)
        hidden = np.setdiff1d(np.arange(problem.d), on_plane)
        z = np.zeros((len(vectors), 2))
        z[:, : len(on_plane)] = vectors[:, on_plane]
        if self.name == "rbf":
            away = ((vectors[:, hidden] - problem.anchor[hidden]) ** 2).sum(1)
            return self._bells(z, weights * np.exp(-self.gamma * away), grid, len(on_plane))
        return self._powers(z, vectors[:, hidden] @ problem.anchor[hidden] + self.shift, weights, grid)

    def _bells(self, z: Float, weights: Float, grid: Grid, axes: int) -> Float:
        y = grid.y if axes > 1 else np.zeros(len(grid.y))
        along_x = bells(self.gamma * np.subtract.outer(z[:, 0], grid.x) ** 2)
        along_y = bells(self.gamma * np.subtract.outer(y, z[:, 1]) ** 2)
        return felt((along_y * weights) @ along_x)

    def _powers(self, z: Float, rest: Float, weights: Float, grid: Grid) -> Float:
        """Σ weight (x z₁ + y z₂ + rest)^d = Σ over a + b + c = d of d!/(a! b! c!) x^a y^b Σ weight z₁^a z₂^b rest^c."""
        d = self.power
        z1, z2, c = (np.vander(column, d + 1, increasing=True) for column in (z[:, 0], z[:, 1], rest))
        terms = np.zeros((d + 1, d + 1))
        for a in range(d + 1):
            for b in range(d + 1 - a):
                terms[b, a] = comb(d, a) * comb(d - a, b) * float(weights @ (z1[:, a] * z2[:, b] * c[:, d - a - b]))
        x, y = np.vander(grid.x, d + 1, increasing=True), np.vander(grid.y, d + 1, increasing=True)
        return np.asarray(y @ terms @ x.T)

    def lifted(self, X: Float) -> Float | None:
        """(n, D) the points in the space whose dot product the kernel is, where that space is small: x itself, or
        F(x) = (x1², x2², …, √2·x1·x2, …), AIMA Eq 18.15. None for the other kernels."""
        if self.name == "linear":
            return X
        if self.name != "quadratic" or X.shape[1] > FEW_COLUMNS:
            return None
        pairs = [np.sqrt(2) * X[:, i] * X[:, j] for i, j in combinations(range(X.shape[1]), 2)]
        return np.column_stack([X**2, *pairs])

    def text(self) -> str:
        """As it is written at the board."""
        return {
            "linear": "x · z", "quadratic": "(x · z)²", "polynomial": f"(1 + x · z)^{self.degree}",
            "rbf": f"exp(−{'' if self.gamma == 1 else f'{self.gamma:g} '}|x − z|²)",
        }[self.name]  # fmt: skip


def bells(exponents: Float) -> Float:
    """e^(−exponents), in place; 0 where it is next to nothing, for numbers near the smallest slow everything down."""
    exponents[exponents > FAR] = np.inf
    np.negative(exponents, out=exponents)
    return np.asarray(np.exp(exponents, out=exponents))


def felt(total: Float) -> Float:
    """A sum of bells; exactly 0 where all of them are too far away, however the sum is computed."""
    total[np.abs(total) < NOTHING] = 0.0
    return total


def squared_distances(A: Float, B: Float) -> Float:
    """(m, k) |a − b|²: column by column where they are few, which is exact for near points; else by products."""
    if A.shape[1] <= FEW_COLUMNS:
        total = np.zeros((len(A), len(B)))
        for part in _differences(A, B):
            total += np.multiply(part, part, out=part)
        return total
    squares = np.einsum("ij,ij->i", A, A)[:, None] + np.einsum("ij,ij->i", B, B)[None]
    return np.asarray(np.maximum(squares - 2 * (A @ B.T), 0.0))


def _differences(A: Float, B: Float) -> Iterator[Float]:
    return (np.subtract.outer(A[:, j], B[:, j]) for j in range(A.shape[1]))


def smallest_eigenvalue(K: Float) -> float:
    """Of a kernel matrix. Negative: it is no kernel (Mercer; 0 is allowed: semidefinite is enough)."""
    values = np.linalg.eigvalsh((K + K.T) / 2)
    size = float(np.abs(values).max(initial=0.0))
    return 0.0 if abs(values[0]) <= ROUNDING * size else float(values[0])


def factor(K: Float) -> Float:
    """(n, r) points whose dot products about their mean are those of K about its mean."""
    centred = K - K.mean(0) - K.mean(1)[:, None] + K.mean()
    values, vectors = np.linalg.eigh((centred + centred.T) / 2)
    kept = values > ROUNDING**1.25 * max(float(values[-1]), 0.0)
    return np.asarray(vectors[:, kept] * np.sqrt(values[kept]))
