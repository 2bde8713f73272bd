"""Neighbouring points joined by straight lines. AIMA 18.8.4, MMDS Ex 12.12."""

from engine.algorithms.regression.parts.smoothing import StoredValues
from engine.authoring import Float, Int, Problem, np

MOST_COPIES = 10_000  # examples at the two places around a query that its step keeps


class Dots(StoredValues):
    """Neighbouring points joined by straight lines, points at one place by their mean.

    x: (n,) of the examples
    places: (m,) the different x, ascending
    levels: (m,) the mean value at each
    outside: "extrapolate" or "hold"
    """

    def __init__(self, problem: Problem, outside: str) -> None:
        super().__init__(problem)
        self.outside = outside
        self.x = self.X[:, self.column]
        self.places, self.levels = joined_points(self.x, self.y)

    def values(self, Q: Float) -> Float:
        """(m,) estimates at the places Q (m, d)."""
        return interpolate(self.places, self.levels, Q[:, self.column], self.outside)

    def around(self, q: float) -> tuple[Int, str]:
        """(the numbers of the places around q in `places`, fallback): two of them, or one.

        It is one where q lies on it ("exact"), and beyond the ends where the last value stays, or
        where there is no other ("held"). Beyond the ends the two are the last ones.
        """
        last = len(self.places) - 1
        left = int(np.searchsorted(self.places, q, side="right")) - 1
        here = max(left, 0)
        if self.places[here] == q:
            return np.array([here]), "exact"
        beyond = q < self.places[0] or q > self.places[-1]
        if last == 0 or (beyond and self.outside == "hold"):
            return np.array([here]), "held"
        left = min(here, last - 1)
        return np.array([left, left + 1]), ""

    def shared(self, ends: Int, share: Float) -> tuple[Int, Float]:
        """(table rows, weights) of all examples at the places `ends`, each of which has a share.

        Copies divide the share of their place; none are listed where they are more than a step can
        hold.
        """
        copies = [np.flatnonzero(self.x == place) for place in self.places[ends]]
        if sum(map(len, copies)) > MOST_COPIES:
            return np.zeros(0, np.intp), np.zeros(0)
        weights = [np.full(len(some), s / len(some)) for some, s in zip(copies, share, strict=True)]
        return self.rows[np.concatenate(copies)], np.concatenate(weights)

    def without_itself(self, at: Int) -> Float:
        """(m,) leave-one-out estimates at the examples `at` (m,), each from the other examples; NaN
        for a single example.
        """
        if len(self.y) < 2:
            return np.full(len(at), np.nan)
        return np.array([self._without(int(i)) for i in at])

    def _without(self, i: int) -> float:
        """The estimate at example i from the others.

        Only the neighbouring places matter; a place with copies keeps the mean of the others.
        """
        here = int(np.searchsorted(self.places, self.x[i]))
        first = self.places[max(0, here - 2)]
        last = self.places[min(len(self.places) - 1, here + 2)]
        near = (self.x >= first) & (self.x <= last)
        near[i] = False
        places, levels = joined_points(self.x[near], self.y[near])
        return float(interpolate(places, levels, self.x[[i]], self.outside)[0])


def joined_points(x: Float, y: Float) -> tuple[Float, Float]:
    """(places (m,), mean value at each (m,)) of points (x, y) (n,), ascending."""
    places, which, count = np.unique(x, return_inverse=True, return_counts=True)
    return places, np.bincount(which.ravel(), y) / count


def interpolate(x: Float, y: Float, q: Float, outside: str) -> Float:
    """(m,) values at q (m,) of the straight lines between the points (x, y) (n,), x ascending.

    outside: "extrapolate" lets the last piece go on, "hold" the last value.
    """
    values = np.interp(q, x, y)
    if outside == "hold" or len(x) < 2:
        return np.asarray(values)
    slope = np.diff(y) / np.diff(x)
    values = np.where(q < x[0], y[0] + slope[0] * (q - x[0]), values)
    return np.asarray(np.where(q > x[-1], y[-1] + slope[-1] * (q - x[-1]), values))
