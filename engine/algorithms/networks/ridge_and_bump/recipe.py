"""The weights of ridges and bumps, and how high their sum is.

AIMA 18.7.3; the numbers of the recipe are the lab's.
"""

from typing import Any, TypeVar

from engine.algorithms.networks.parts import Arrays, Units, all_answers
from engine.authoring import (
    EngineError,
    Float,
    Int,
    Problem,
    Setting,
    cached_property,
    frozen,
    np,
    replace,
)
from engine.numerics.activations import ACTIVATIONS

P = TypeVar("P")
MOST = 12  # bumps that are made by hand
REACH = 4.0  # of the picture along each axis, in the recipe's units


class Recipe(Setting[P]):
    """The centres of the bumps, and the height of the network so far."""

    p: Any

    @cached_property
    def axes(self) -> list[int]:
        """The indices of the one or two columns along which ridges lie."""
        return list(self.problem.plane) or list(range(min(2, self.problem.d)))

    @cached_property
    def names(self) -> list[str]:
        """The titles of these columns."""
        return [self.problem.features[axis].title for axis in self.axes]

    @cached_property
    def middle(self) -> Float:
        """(d,) the middle of each column."""
        return np.asarray(self.problem.X.min(0) / 2 + self.problem.X.max(0) / 2)

    @cached_property
    def unit(self) -> Float:
        """(d,) the recipe's unit in each column's own: the table reaches from −4 to 4."""
        low = self.problem.X.min(0) / 2
        high = self.problem.X.max(0) / 2
        return np.where(high > low, high - low, REACH) / REACH

    @cached_property
    def centres(self) -> Float:
        """(m, d) the centres of the bumps, with other columns at their middle. Raises EngineError
        for too many.
        """
        places = self._places()
        if len(places) > MOST:
            raise EngineError(
                f"At most {MOST} bumps are made by hand, not {len(places):,}: take fewer rows, or"
                " one bump."
            )
        centres = np.tile(self.middle, (len(places), 1))
        centres[:, self.axes] = places
        return frozen(centres)

    def _places(self) -> Float:
        """(m, axes) the centres along the axes: each example of the first class, or one place."""
        axes = self.axes
        if self.p.bumps == "on the first class":
            return np.unique(self.problem.X[self.problem.codes == 0][:, axes], axis=0)
        place = self.p.place
        if not place:
            return self.middle[axes][None]
        return np.array([place[: len(axes)]], np.float64)

    def with_metrics(self, s: Any) -> Any:
        """The state with its number of errors."""
        wrong = self.predict(s, self.problem.X) != self.problem.codes
        return replace(s, errors=int(np.count_nonzero(wrong & self.problem.labelled)))

    def units(self, s: Any) -> Units:
        """Logistic units, g(z) = 1/(1 + e^−z), with a linear output where the state's network is a
        sum.
        """
        output = ACTIVATIONS["identity" if s.name in ("f", "out") else "logistic"]
        return Units(ACTIVATIONS["logistic"], output)

    def centre(self, s: Any) -> Float:
        """(d,) the centre of the current bump; of the first where all are shown."""
        return np.asarray(self.centres[max(s.bump, 0)])

    def answers(self, s: Any, X: Float) -> Arrays:
        """The activations of every layer for rows X (m, d), inputs first."""
        return all_answers(self.units(s), s.weights, X)

    def height(self, s: Any, X: Float) -> Float:
        """(m,) the output for rows X (m, d)."""
        return self.answers(s, X)[-1][:, 0]

    def scores(self, s: Any, X: Float) -> Float:
        """(m,) the output less the level, for rows X (m, d)."""
        return np.asarray(self.height(s, X) - s.level)

    def predict(self, s: Any, X: Float) -> Int:
        """(m,) class codes: 0 where the output is at least the level, else 1."""
        return np.where(self.scores(s, X) >= 0, 0, 1)


def place_fits(p: Any, problem: Problem) -> None:
    """Raises EngineError where `p.place` has no number for an axis of the plane."""
    axes = len(Recipe(problem, p).axes)
    if len(p.place) < axes:
        raise EngineError(
            f"The centre is a place on the plane: {axes} numbers, not {len(p.place)}."
        )
