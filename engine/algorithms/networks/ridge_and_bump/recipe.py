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
    Sequence,
    Setting,
    cached_property,
    frozen,
    np,
    replace,
)
from engine.numerics.activations import ACTIVATIONS

P = TypeVar("P")
MOST = 12  # bumps: by hand nobody makes more
REACH = 4.0  # of the picture along each axis, in the recipe's units


class Recipe(Setting[P]):
    """axes: the one or two columns that ridges run across; frame: middle and unit (d,) of the
    recipe in the columns' units.
    """

    p: Any

    @cached_property
    def axes(self) -> list[int]:
        return list(self.problem.plane) or list(range(min(2, self.problem.d)))

    @cached_property
    def names(self) -> list[str]:
        return [self.problem.features[axis].title for axis in self.axes]

    @cached_property
    def frame(self) -> tuple[Float, Float]:
        low = self.problem.X.min(0) / 2
        high = self.problem.X.max(0) / 2
        return low + high, np.where(high > low, high - low, REACH) / REACH

    @cached_property
    def centres(self) -> Float:
        """(m, d) where the bumps stand, other columns in their middle.

        Raises EngineError for too many.
        """
        axes = self.axes
        place = self.p.place
        found = np.array([place[: len(axes)] or self.frame[0][axes]], np.float64)
        if self.p.bumps != "one":
            found = np.unique(self.problem.X[self.problem.codes == 0][:, axes], axis=0)
        if len(found) > MOST:
            raise EngineError(
                f"At most {MOST} bumps are made by hand, not {len(found):,}: take fewer rows, or"
                " one bump."
            )
        centres = np.tile(self.frame[0], (len(found), 1))
        centres[:, axes] = found
        return frozen(centres)

    def pair(self, axis: int, c: float) -> Float:
        """Two opposite sigmoids across an axis, (d + 1, 2): g(k (x − c + b)) and g(k (c
        + b − x)).
        """
        pair = np.zeros((self.problem.d + 1, 2))
        slope = self.p.steepness / self.frame[1][axis]
        far = self.p.width
        pair[axis] = slope, -slope
        pair[-1] = self.p.steepness * far - slope * c, self.p.steepness * far + slope * c
        return pair

    def added(self, units: Float) -> Arrays:
        """The units and an output that adds them."""
        return units, np.append(np.ones(units.shape[1]), 0.0)[:, None]

    def cut(self, units: Float, at: float) -> Arrays:
        """The units and an output g(s (f − at)) of their sum f."""
        return units, self.p.cut * np.append(np.ones(units.shape[1]), -at)[:, None]

    def together(self, bumps: Sequence[Arrays]) -> Arrays:
        """All bumps in one network, whose output adds them."""
        size = bumps[0][0].shape[1]
        second = np.zeros((len(bumps) * size + 1, len(bumps)))
        for k, (_, w) in enumerate(bumps):
            second[[*range(k * size, (k + 1) * size), -1], k] = w[:, 0]
        return np.hstack([units for units, _ in bumps]), *self.added(second)

    def judged(self, s: Any) -> Any:
        """The state with its wrong examples."""
        wrong = (self.predict(s, self.problem.X) != self.problem.codes) & self.problem.labelled
        return replace(s, weights=tuple(map(frozen, s.weights)), errors=int(wrong.sum()))

    def units(self, s: Any) -> Units:
        return Units(
            ACTIVATIONS["logistic"],
            ACTIVATIONS["identity" if s.name in ("f", "out") else "logistic"],
        )

    def centre(self, s: Any) -> Float:
        """(d,) of the bump at hand; where all are, of the first."""
        return np.asarray(self.centres[max(s.bump, 0)])

    def answers(self, s: Any, X: Float) -> Arrays:
        return all_answers(self.units(s), s.weights, X)

    def height(self, s: Any, X: Float) -> Float:
        """(m,) what the output says of rows X (m, d)."""
        return self.answers(s, X)[-1][:, 0]

    def scores(self, s: Any, X: Float) -> Float:
        """How far the output is above the level."""
        return np.asarray(self.height(s, X) - s.level)

    def predict(self, s: Any, X: Float) -> Int:
        """The first class where the output is at least the level."""
        return np.where(self.scores(s, X) >= 0, 0, 1)


def place_fits(p: Any, problem: Problem) -> None:
    """Raises EngineError where `p.place` has no number for an axis of the plane."""
    axes = len(Recipe(problem, p).axes)
    if len(p.place) < axes:
        raise EngineError(
            f"The centre is a place on the plane: {axes} numbers, not {len(p.place)}."
        )
