"""The lines of an AND: their start, by hand or round the inside, and one line between two sets of
examples (extension).
"""

from typing import Any, TypeVar

from engine.authoring import (
    Bool,
    EngineError,
    Float,
    Int,
    Problem,
    Rng,
    Setting,
    Work,
    cached_property,
    np,
)

P = TypeVar("P")
ENOUGH = 1e-10  # the least step of a weight on scaled columns
STEPS = 60  # of a line at most


class Lines(Setting[P]):
    """The examples, and the scaled columns on which a line learns.

    Columns are scaled by the middle of the inside and by how far the examples lie from their mean.
    """

    p: Any

    @cached_property
    def inner(self) -> int:
        """The code of the class inside, 0 or 1."""
        return int(self.p.inside == "second class")

    @cached_property
    def inside(self) -> Bool:
        """(n,) the labelled examples of the inside."""
        return np.asarray(self.problem.codes == self.inner)

    @cached_property
    def outside(self) -> Bool:
        """(n,) the labelled examples that are not inside."""
        return np.asarray(self.problem.codes == 1 - self.inner)

    @property
    def corners(self) -> Float:
        """(K, 2) the corners given by hand."""
        return np.array(self.p.corners).reshape(-1, 2)

    @cached_property
    def centre(self) -> Float:
        """(d,) the middle of the inside."""
        return np.asarray(self.problem.X[self.inside].mean(axis=0))

    @cached_property
    def size(self) -> Float:
        """(d,) how far the examples lie from their mean, on average; 1 where all are alike."""
        X = self.problem.X[self.problem.labelled]
        far = np.abs(X - X.mean(axis=0)).mean(axis=0)
        return np.where(far > 0, far, 1.0)

    @cached_property
    def scaled_rows(self) -> Float:
        """(n, d + 1) the rows on scaled columns, with a last column of 1."""
        X = (self.problem.X - self.centre) / self.size
        return np.column_stack([X, np.ones(len(X))])

    def examples(self, rows: Int) -> tuple[Float, Float]:
        """(inside examples (i, d + 1), these rows (o, d + 1)), with scaled columns."""
        return self.scaled_rows[self.inside], self.scaled_rows[rows]

    def scaled(self, w: Float) -> Float:
        """The weights (d + 1,) for scaled columns of a line w (d + 1,) in original units."""
        return np.append(w[:-1] * self.size, w[:-1] @ self.centre + w[-1])

    def unscaled(self, v: Float) -> Float:
        """The weights (d + 1,) in original units of a line v (d + 1,) for scaled columns."""
        w = v[:-1] / self.size
        return np.append(w, v[-1] - w @ self.centre)


def spread_out(count: int, d: int, rng: Rng) -> Float:
    """(count, d) unit vectors.

    In two columns evenly round a circle from a drawn angle, in one to both sides, else drawn.
    """
    if d == 2:
        angle = rng.uniform(0, 2 * np.pi) + 2 * np.pi * np.arange(count) / count
        return np.column_stack([np.cos(angle), np.sin(angle)])
    if d == 1:
        return np.where(np.arange(count) % 2, -1.0, 1.0)[:, None]
    normals = rng.normal(size=(count, d))
    return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True))


def corners_fit(p: Any, problem: Problem) -> None:
    """Raises EngineError where `p.corners` are not three places or more of a table of two
    columns.
    """
    if problem.d != 2:
        raise EngineError(
            f"Corners are places on the plane: they need two columns, there are {problem.d}."
        )
    if len(p.corners) < 6 or len(p.corners) % 2:
        raise EngineError(
            "Corners are pairs of numbers x, y: three corners or more, six numbers or more."
        )


def through(corners: Float) -> Float:
    """(K, 3) the lines through each corner (K, 2) and the next.

    The middle of all corners is inside each.
    """
    lines = []
    middle = corners.mean(axis=0)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        normal = np.array([a[1] - b[1], b[0] - a[0]])
        normal = normal / (np.hypot(*normal) or 1.0)
        if normal @ (middle - a) < 0:
            normal = -normal
        lines.append(np.append(normal, -(normal @ a)))
    return np.stack(lines)


def log_loss(v: Float, inside: Float, own: Float, penalty: float) -> float:
    """−Σ log of the chance that line v gives to the true side, plus λ/2 |w|².

    v: (d + 1,); inside, own: (m, d + 1) examples on the + and − side; penalty: λ
    """
    loss = np.logaddexp(0, -(inside @ v)).sum() + np.logaddexp(0, own @ v).sum()
    return float(loss + penalty / 2 * (v[:-1] @ v[:-1]))


def fitted(v: Float, inside: Float, own: Float, penalty: float) -> Work[Float]:
    """The line (d + 1,) of least log-loss, by Newton's method from v; each step is halved until the
    loss falls.
    """
    X = np.vstack([inside, own])
    truth = np.repeat([1.0, 0.0], [len(inside), len(own)])
    ridge = np.append(np.full(len(v) - 1, penalty), 0.0)
    for _ in range(STEPS):
        h = 0.5 * np.tanh(0.5 * (X @ v)) + 0.5  # 1 / (1 + e^−(w·x + w₀))
        slope = (h - truth) @ X + ridge * v
        curvature = (X * (h * (1 - h))[:, None]).T @ X + np.diag(ridge + 1e-12)
        step = np.linalg.solve(curvature, slope)
        loss = log_loss(v, inside, own, penalty)
        fall = float(slope @ step)
        while np.abs(step).max() > ENOUGH:
            if log_loss(v - step, inside, own, penalty) <= loss - 1e-4 * fall:
                break
            step = step / 2
            fall = fall / 2
        if np.abs(step).max() <= ENOUGH:
            break
        v = v - step
        yield
    return v
