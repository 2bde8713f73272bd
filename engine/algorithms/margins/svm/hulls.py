"""Whether a plane separates two classes in the space of a kernel: hulls of points by a linear programme."""

from engine.authoring import Callable, Float, np
from engine.numerics.kernels import factor


def separable_rows(points: Float | None, gram: Callable[[], Float], sign: Float) -> bool:
    """Whether a plane separates these rows, by their lifted points, or where the space is large by their kernel matrix."""
    return not hulls_meet(points if points is not None else factor(gram()), sign)


def hulls_meet(points: Float, sign: Float) -> bool:
    """Whether the convex hulls of two classes have a place in common; then no plane separates them. points (m, r)."""
    from scipy.optimize import linprog

    middle = points.mean(0)
    size = float(np.abs(points - middle).max(initial=0.0)) or 1.0
    rows = ((points - middle) / size * sign[:, None]).T
    sums = np.stack([sign > 0, sign < 0]).astype(np.float64)
    wanted = np.concatenate([np.zeros(len(rows)), np.ones(2)])
    found = linprog(
        np.zeros(len(points)),
        A_eq=np.vstack([rows, sums]),
        b_eq=wanted,
        options={"primal_feasibility_tolerance": 1e-10},
    )
    return bool(found.status == 0)
