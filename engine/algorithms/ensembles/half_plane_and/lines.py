"""The lines of an AND: their start, by hand or round the inside, and one line between two sets of
examples (extension).
"""

from typing import Any, TypeVar

from engine.authoring import (
    EngineError,
    Float,
    Int,
    Problem,
    Rng,
    Setting,
    Work,
    cached_property,
    frozen,
    np,
    replace,
)
from engine.core.sums import add_up

P = TypeVar("P")
S = TypeVar("S", bound=Any)
ENOUGH, STEPS = 1e-10, 60  # of a weight on scaled columns; at most so many steps of a line


class Lines(Setting[P]):
    """inner: code of the inside; inside, outside (n,): labelled examples that are, and that are
    not; starts: of learning; centre, size (d,): middle of the inside, and how far the examples lie
    from their mean; a line learns on columns scaled by them.
    """

    p: Any
    inner = cached_property(lambda given: int(given.p.inside == "second class"))
    inside = cached_property(lambda given: given.problem.codes == given.inner)
    outside = cached_property(lambda given: given.problem.codes == 1 - given.inner)
    starts = property(lambda given: 1 if given.p.lines == "by hand" else given.p.starts)
    centre = cached_property(lambda given: given.problem.X[given.inside].mean(axis=0))

    @cached_property
    def size(self) -> Float:
        X = self.problem.X[self.problem.labelled]
        far = np.abs(X - X.mean(axis=0)).mean(axis=0)
        return np.where(far > 0, far, 1.0)

    def drawn(self, s: S, W: Float, **changes: Any) -> S:
        """With other lines: their votes, what they get wrong together, their loss."""
        votes = self.scores(W, self.problem.X) >= 0
        wrong = int(np.count_nonzero((votes.all(axis=0) != self.inside) & self.problem.labelled))
        return self.weighed(
            replace(s, W=frozen(W), before=s.W, votes=frozen(votes), errors=wrong, **changes)
        )

    def weighed(self, s: S) -> S:
        own = (self.own(s, k) for k in range(len(s.W)))
        terms = [
            log_loss(self.scaled(w), *self.examples(rows), self.p.penalty)
            for w, rows in zip(s.W, own, strict=True)
        ]
        return replace(s, loss=float(np.sum(terms)) if (s.owner >= 0).any() else np.nan)

    def own(self, s: S, k: int) -> Int:
        """The outside examples of line k."""
        return np.flatnonzero(s.owner == k)

    def tweak(self, s: S, link: tuple[int, ...], value: float) -> S:
        """The weight of link (0, from, to) of a line set by hand; those of the AND stay what they
        are.
        """
        gap, i, k = link
        if gap:
            raise EngineError("The weights of the AND are fixed: change those of the lines.")
        W = s.W.copy()
        W[k, i] = value
        return replace(self.drawn(s, W), before=s.W)

    def scores(self, W: Float, X: Float) -> Float:
        """(K, m) w·x + w₀ of every line, column by column: a row has the same whatever stands
        beside it.
        """
        return np.stack(
            [
                add_up(
                    (x * w for x, w in zip(X.T, line, strict=False)), line[-1] + np.zeros(len(X))
                )
                for line in W
            ]
        )

    def start(self, rng: Rng) -> Float:
        """(K, d + 1) by hand, or round the inside in all directions, as far from its middle as its
        examples are on average.
        """
        p, problem = self.p, self.problem
        if p.lines == "by hand" and p.corners:
            return through(np.array(p.corners).reshape(-1, 2))
        inside = (problem.X[self.inside] - self.centre) / self.size
        far = float(np.abs(inside).sum(axis=1).mean()) or 1.0
        directions = spread_out(p.members, problem.d, rng)
        return np.stack([self.unscaled(np.append(-u, far)) for u in directions])

    def scaled(self, w: Float) -> Float:
        """A line (d + 1,) on the columns as they are, on scaled ones."""
        return np.append(w[:-1] * self.size, w[:-1] @ self.centre + w[-1])

    def unscaled(self, v: Float) -> Float:
        w = v[:-1] / self.size
        return np.append(w, v[-1] - w @ self.centre)

    def examples(self, rows: Int) -> tuple[Float, Float]:
        """(inside (i, d + 1), own (o, d + 1)) examples of a line on scaled columns, with a 1
        behind.
        """
        X = (self.problem.X - self.centre) / self.size
        X = np.column_stack([X, np.ones(len(X))])
        return X[self.inside], X[rows]


def spread_out(count: int, d: int, rng: Rng) -> Float:
    """(count, d) unit vectors: in two columns evenly round a circle from a drawn angle, in one to
    both sides, else drawn.
    """
    if d == 2:
        angle = rng.uniform(0, 2 * np.pi) + 2 * np.pi * np.arange(count) / count
        return np.column_stack([np.cos(angle), np.sin(angle)])
    drawn = (
        rng.normal(size=(count, d)) if d > 1 else np.where(np.arange(count) % 2, -1.0, 1.0)[:, None]
    )
    return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True))


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
    """(K, 3) the lines through each corner (K, 2) and the next; the middle of all corners is inside
    each.
    """
    found = []
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        normal = np.array([a[1] - b[1], b[0] - a[0]])
        normal = normal / (np.hypot(*normal) or 1.0)
        side = -1.0 if normal @ (corners.mean(axis=0) - a) < 0 else 1.0
        found.append(np.append(side * normal, -side * (normal @ a)))
    return np.stack(found)


def log_loss(v: Float, inside: Float, own: Float, penalty: float) -> float:
    """−Σ log of the chance that the line gives to what is true, and the penalty."""
    told = np.logaddexp(0, -(inside @ v)).sum() + np.logaddexp(0, own @ v).sum()
    return float(told + penalty / 2 * (v[:-1] @ v[:-1]))


def fitted(v: Float, inside: Float, own: Float, penalty: float) -> Work[Float]:
    """The line of least log-loss by Newton's steps, each halved until the loss falls."""
    X = np.vstack([inside, own])
    t = np.repeat([1.0, 0.0], [len(inside), len(own)])
    ridge = np.append(np.full(len(v) - 1, penalty), 0.0)
    for _ in range(STEPS):
        h = 0.5 * np.tanh(0.5 * (X @ v)) + 0.5
        slope = (h - t) @ X + ridge * v
        step = np.linalg.solve((X * (h * (1 - h))[:, None]).T @ X + np.diag(ridge + 1e-12), slope)
        now = log_loss(v, inside, own, penalty)
        fall = float(slope @ step)
        while (
            log_loss(v - step, inside, own, penalty) > now - 1e-4 * fall
            and np.abs(step).max() > ENOUGH
        ):
            step = step / 2
            fall = fall / 2
        if np.abs(step).max() <= ENOUGH:
            break
        v = v - step
        yield
    return v
