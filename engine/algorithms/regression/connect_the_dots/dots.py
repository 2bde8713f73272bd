"""Neighbouring points joined by straight lines. AIMA 18.8.4, MMDS Ex 12.12."""

from engine.algorithms.regression.parts.smoothing import Local, Memory
from engine.authoring import Float, Int, Problem, frozen, np

MOST_COPIES = 10_000  # examples at the two places around a query that its step keeps


class Dots(Memory):
    """Neighbouring points joined by straight lines; coincident points by their mean.

    AIMA 18.8.4, MMDS Ex 12.12.
    """

    def __init__(self, problem: Problem, outside: str) -> None:
        super().__init__(problem)
        self.outside = outside
        self.x = self.X[:, self.column]
        self.places, self.levels = joined_points(self.x, self.y)

    def values(self, Q: Float) -> Float:
        return interpolate(self.places, self.levels, Q[:, self.column], self.outside)

    def ask(self, q: Float) -> Local:
        """The two places around the query: their examples and the share of each. Beyond the ends
        shares may be negative. Copies divide the share of their place; more of them than a step can
        hold are left out.
        """
        at = float(q[self.column])
        none = frozen(np.zeros(0))
        value = float(self.values(np.asarray(q)[None])[0])
        left = int(
            np.clip(
                np.searchsorted(self.places, at, side="right") - 1, 0, max(0, len(self.places) - 2)
            )
        )
        ends = np.arange(left, min(left + 2, len(self.places)))
        here = self.places[ends] == at
        beyond = at < self.places[0] or at > self.places[-1]
        if here.any() or (beyond and self.outside == "hold") or len(ends) < 2:
            one = ends[here] if here.any() else ends[[np.abs(self.places[ends] - at).argmin()]]
            return self._found(one, np.ones(1), at, value, none, "exact" if here.any() else "held")
        x0, x1 = self.places[ends]
        shares = np.array([x1 - at, at - x0]) / (x1 - x0)
        slope = np.diff(self.levels[ends]) / (x1 - x0)
        return self._found(ends, shares, at, value, frozen(slope), "")

    def _found(
        self, ends: Int, shares: Float, at: float, value: float, slope: Float, fallback: str
    ) -> Local:
        """All examples at the places `ends`, whose shares are given."""
        groups = [np.flatnonzero(self.x == self.places[end]) for end in ends]
        count = np.array([len(group) for group in groups])
        if count.sum() > MOST_COPIES:
            groups, count = [group[:0] for group in groups], np.zeros(len(groups), np.intp)
        away = np.repeat(np.abs(self.places[ends] - at), count)
        weights = np.repeat(shares / np.maximum(count, 1), count)
        rows = self.rows[np.concatenate(groups)]
        return Local(frozen(rows), frozen(away), frozen(weights), value, slope, fallback)

    def without_itself(self, at: Int) -> Float:
        """Estimates at the examples `at`, each from the others."""
        if len(self.y) < 2:
            return np.full(len(at), np.nan)
        return np.array([self._without(int(i)) for i in at])

    def _without(self, i: int) -> float:
        """Only the neighbouring places matter; a place with copies keeps the mean of the others."""
        g = int(np.searchsorted(self.places, self.x[i]))
        near = (self.x >= self.places[max(0, g - 2)]) & (
            self.x <= self.places[min(len(self.places) - 1, g + 2)]
        )
        near[i] = False
        places, levels = joined_points(self.x[near], self.y[near])
        return float(interpolate(places, levels, self.x[[i]], self.outside)[0])


def joined_points(x: Float, y: Float) -> tuple[Float, Float]:
    """(places, mean value at each), ascending."""
    places, which, count = np.unique(x, return_inverse=True, return_counts=True)
    return places, np.bincount(which.ravel(), y) / count


def interpolate(x: Float, y: Float, q: Float, outside: str) -> Float:
    """Straight lines between (x, y), x ascending; outside: 'extrapolate' the last piece or 'hold'
    the last value.
    """
    values = np.interp(q, x, y)
    if outside == "hold" or len(x) < 2:
        return np.asarray(values)
    slope = np.diff(y) / np.diff(x)
    values = np.where(q < x[0], y[0] + slope[0] * (q - x[0]), values)
    return np.asarray(np.where(q > x[-1], y[-1] + slope[-1] * (q - x[-1]), values))
