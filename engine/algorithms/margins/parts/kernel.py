"""Kernels: dot products of lifted points, without lifting them; matrices, surfaces.

AIMA 18.9; rbf: extension.
"""

from itertools import combinations
from math import comb

from engine.authoring import Float, Grid, Problem, np
from engine.numerics.closeness import OF_TERMS, SHARE, more, settled
from engine.numerics.distances import bells, squared_distances
from engine.numerics.kernels import KernelFormula

BLOCK = 2**20  # numbers of a kernel matrix that are held at once
FEW_COLUMNS = 6  # up to which the quadratic kernel's space is small
NOTHING = 1e-100  # height of a bell


class Kernel(KernelFormula, eq=True):
    """A kernel: its matrices, weighted sums and surfaces."""

    def matrix(self, A: Float, B: Float) -> Float:
        """(m, d), (k, d) -> (m, k) values K(a, b)."""
        if self.name == "rbf":
            return bells(self.gamma * squared_distances(A, B))
        return self.of_dots(A @ B.T)

    def lengths(self, squares: Float) -> Float:
        """(m,) |F(x)| for places with squared lengths |x|² (m,); at least |K(z, x)| / |F(z)|."""
        return np.asarray((squares + self.shift) ** (self.power / 2))

    def scores(self, vectors: Float, weights: Float, X: Float) -> Float:
        """(m,) Σ weight · K(vector, x) for rows X (m, d), block by block."""
        total = np.zeros(len(X))
        rows = max(1, BLOCK // max(1, len(vectors)))
        for at in range(0, len(X), rows):
            total[at : at + rows] = self.matrix(X[at : at + rows], vectors) @ weights
        return felt(total) if self.name == "rbf" else total

    def surface(self, problem: Problem, vectors: Float, weights: Float, grid: Grid) -> Float:
        """(ny, nx) the same sum on the plane.

        Every kernel here splits into a part of x and a part of y, so it is never computed place by
        place: e^(−γ(x−z₁)²) · e^(−γ(y−z₂)²), or by the multinomial theorem (x z₁ + y z₂ + rest)^d =
        Σ over a + b + c = d of d!/(a! b! c!) x^a y^b z₁^a z₂^b rest^c.
        """
        hidden = np.setdiff1d(np.arange(problem.d), problem.plane)
        z1, z2 = problem.to_plane(vectors).T
        others = vectors[:, hidden]
        anchor = problem.anchor[hidden]
        x = grid.x
        y = grid.y * (len(problem.plane) > 1)
        if self.name == "rbf":
            weights = weights * np.exp(-self.gamma * np.square(others - anchor).sum(1))
            along_x = bells(self.gamma * np.subtract.outer(z1, x) ** 2)
            along_y = bells(self.gamma * np.subtract.outer(y, z2) ** 2)
            return felt((along_y * weights) @ along_x)
        d = self.power
        one = powers(z1, d)
        two = powers(z2, d)
        rest = powers(others @ anchor + self.shift, d)
        terms = np.zeros((d + 1, d + 1))
        for a in range(d + 1):
            for b in range(d + 1 - a):
                sums = weights @ (one[:, a] * two[:, b] * rest[:, d - a - b])
                terms[b, a] = comb(d, a) * comb(d - a, b) * sums
        return np.asarray(powers(y, d) @ terms @ powers(x, d).T)

    def lifted(self, X: Float) -> Float | None:
        """(n, D) the points in the space whose dot product the kernel is, where that space is
        small: x itself, or F(x) = (x1², x2², …, √2·x1·x2, …), AIMA Eq 18.15. None for the other
        kernels.
        """
        if self.name == "linear":
            return X
        if self.name != "quadratic" or X.shape[1] > FEW_COLUMNS:
            return None
        pairs = [np.sqrt(2) * X[:, i] * X[:, j] for i, j in combinations(range(X.shape[1]), 2)]
        return np.column_stack([X**2, *pairs])


def powers(values: Float, most: int) -> Float:
    """(n, most + 1) the powers of each value, from 0 on."""
    return np.vander(values, most + 1, increasing=True)


def felt(total: Float) -> Float:
    """A sum of Gaussian bells with values too small to matter set to exactly 0, in place."""
    total[np.abs(total) < NOTHING] = 0.0
    return total


def smallest_eigenvalue(K: Float) -> float:
    """The smallest eigenvalue of a kernel matrix; negative where K is no kernel (Mercer's
    condition).
    """
    values = np.linalg.eigvalsh((K + K.T) / 2)
    return float(settled(float(values[0]), np.abs(values).max(initial=0.0), SHARE))


def factor(K: Float) -> Float:
    """(n, r) points whose dot products about their mean are those of K about its mean."""
    centred = K - K.mean(0) - K.mean(1)[:, None] + K.mean()
    values, vectors = np.linalg.eigh((centred + centred.T) / 2)
    kept = more(values, 0.0, max(float(values[-1]), 0.0), OF_TERMS)
    return np.asarray(vectors[:, kept] * np.sqrt(values[kept]))


def hulls_meet(points: Float, sign: Float) -> bool:
    """Whether the convex hulls of two classes have a place in common; then no plane separates them.
    points (m, r).
    """
    from scipy.optimize import linprog

    middle = points.mean(0)
    size = float(np.abs(points - middle).max(initial=0.0)) or 1.0
    equal = np.vstack([((points - middle) / size * sign[:, None]).T, sign > 0, sign < 0])
    wanted = np.repeat([0.0, 1.0], [len(equal) - 2, 2])
    exact = 1e-10
    found = linprog(
        np.zeros(len(points)),
        A_eq=equal,
        b_eq=wanted,
        options={"primal_feasibility_tolerance": exact},
    )
    return bool(found.status == 0)
