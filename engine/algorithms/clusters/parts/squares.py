"""Squared distances to centres, and the nearest of these: what is equal up to rounding is equal
here, as if all squares were `tidy`.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeVar

from engine.authoring import Float, Grid, Int, Problem, Rng, Setting, cached_property, frozen, np
from engine.numerics.closeness import more, tidy

P = TypeVar("P")
SAFE = 1e-100  # of sizes whose squares neither vanish nor overflow


class Nearest(NamedTuple):
    """The nearest centre of each place.

    which: (…) its number, the first of tied ones
    least: (…) the square to it
    second: (…) the least of the squares to the others
    close: (c,) places where both are nearly equal
    squares: (k, c) the tidy squares of these places
    """

    which: Int
    least: Float
    second: Float
    close: Int
    squares: Float


def squares_to(means: Float, columns: Iterable[Float], unit: float) -> Float:
    """(k, …) d² in units² to each centre of places whose columns fit one another."""
    total: Any = None
    for x, m in zip(columns, means.T, strict=True):
        away = x - m.reshape(-1, *[1] * x.ndim)
        if unit != 1:
            away /= unit
        np.square(away, out=away)  # new arrays of this size cost more than what is done with them
        if total is None:
            total = away
        elif total.shape == away.shape:
            total += away
        else:  # the axes of a grid
            total = total + away
    return np.asarray(total)


def columns_over(problem: Problem, grid: Grid) -> list[Float]:
    """The columns of the places of a grid as arrays that broadcast: (1, nx), (ny, 1), and (1, 1)
    for columns off the plane.
    """
    columns = [np.array([[value]]) for value in problem.anchor.tolist()]
    for column, axis in zip(problem.plane, (grid.x[None], grid.y[:, None]), strict=False):
        columns[column] = axis
    if len(problem.plane) < 2:  # no column varies along y
        columns[0] = np.broadcast_to(columns[0], grid.shape)
    return columns


def first_two(values: Iterable[Float]) -> tuple[Int, Float, Float]:
    """(index of the least of up to 127 arrays (…) at each place, that least value, the least of the
    others).

    Of tied arrays the first; ∞ where there are no others.
    """
    first, *others = values
    if not others:
        return np.zeros(first.shape, np.intp), first, np.full(first.shape, np.inf)
    least = first
    second = first
    which = np.zeros(first.shape, np.int8)
    for j, value in enumerate(others, 1):
        np.maximum(which, (value < least).view(np.int8) * np.int8(j), out=which)
        larger = np.maximum(value, least)
        second = np.minimum(second, larger, out=larger) if j > 1 else larger
        least = np.minimum(least, value)
    return which.astype(np.intp), least, second


def nearest(squares: Float) -> Nearest:
    """The nearest centre at each place, from the squared distances (k, …) to all centres."""
    which, least, second = first_two(squares)
    close = (~more(second, least)).ravel().nonzero()[0]  # others differ also when they are tidy
    near = squares.reshape(len(squares), -1).take(close, axis=1)
    if len(close):
        near = tidy(near)
        which.ravel()[close] = near.argmin(axis=0)
    return Nearest(which, least, second, close, near)


class _Latest:
    """The squares to the centres that were wanted last.

    A round wants those of the same centres several times, and never again those of earlier ones.
    """

    def __init__(self) -> None:
        # both in one assignment, so that no thread sees the squares to other centres
        self._kept: tuple[Float, Float] | None = None

    def of(self, means: Float, columns: Float, unit: float) -> Float:
        """(k, n) d² in units² to each of these centres of the table's columns (d, n)."""
        kept = self._kept
        if kept is None or kept[0] is not means:
            kept = (means, squares_to(means, columns, unit))
            self._kept = kept
        return kept[1]


class Squares(Setting[P]):
    """Squared distances between examples and centres, in units of `unit`²."""

    p: Any

    @cached_property
    def rows(self) -> Int:
        """(n,) the row numbers."""
        return np.arange(self.problem.n)

    @cached_property
    def unassigned(self) -> Int:
        """(n,) the cluster −1, none, for every example."""
        return frozen(np.full(self.problem.n, -1))

    @cached_property
    def columns(self) -> Float:
        """(d, n) the table by columns."""
        return np.ascontiguousarray(self.problem.X.T)

    @cached_property
    def _latest(self) -> _Latest:
        """The squares of the examples to the centres that were wanted last."""
        return _Latest()

    @cached_property
    def unit(self) -> float:
        """1; or a power of two about as large as the numbers, where their squares could overflow or
        underflow.
        """
        X = self.problem.X
        size = float(np.ptp(X, axis=0).max()) or float(np.abs(X).max()) or 1.0
        if SAFE < size < 1 / SAFE:
            return 1.0
        return float(2.0 ** max(np.frexp(size)[1], -1000))

    def squares(self, means: Float, X: Float) -> Float:
        """(k, m) d² of each row to each centre, in units²; values equal up to rounding are made
        equal.
        """
        return tidy(squares_to(means, X.T, self.unit))

    def squares_of_examples(self, means: Float) -> Float:
        """(k, n) raw d² of the examples to each centre; those to the latest centres are kept."""
        return self._latest.of(means, self.columns, self.unit)

    def as_near(self, means: Float, row: int) -> list[int]:
        """The centres that are tied for nearest to an example."""
        squares = self.squares(means, self.problem.X[[row]])[:, 0]
        return np.flatnonzero(squares == squares.min()).tolist()

    def own(self, means: Float, cluster: Int) -> Float:
        """(n,) d² of each example to its own centre, in the columns' units."""
        squares = tidy(self.squares_of_examples(means).take(cluster * len(cluster) + self.rows))
        return squares if self.unit == 1 else squares * self.unit**2

    def chances(self, means: Float) -> Float:
        """(n,) with which chance each example is the next centre: d² / Σ d², d its distance from
        the nearest centre; alike where all lie on centres.
        """
        near = self.squares(means, self.problem.X).min(axis=0)
        if not near.any():
            return np.full(len(near), 1 / len(near))
        return np.asarray(near / near.sum())

    def skip(self, starts: int, last: int, rng: Rng) -> None:
        """Draw and discard the random numbers of so many starts, of the last one those of `last`
        centres.
        """
        if self.p.start:  # centres that were set are not drawn
            return
        X = self.problem.X
        for trial in range(starts):
            count = last if trial == starts - 1 else self.p.k
            means = X[[rng.integers(len(X))]]
            while len(means) < count:
                row = rng.choice(len(X), p=self.chances(means))
                means = np.vstack([means, X[row]])
