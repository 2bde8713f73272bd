"""Hidden units of an RBF network: where their centres start, how far they are apart. ML 8.4."""

from typing import Any, TypeVar

from engine.algorithms.regression.parts.fits import Examples
from engine.authoring import EngineError, Float, np
from engine.base.notation import counted
from engine.numerics.closeness import LAST_DIGITS, settled
from engine.numerics.distances import norm

P = TypeVar("P")
ONE_PLACE = 1e-100  # apart: squares of smaller distances are 0
MOST = 300  # units: to solve for more weights takes too long


class Units(Examples[P]):
    """The examples, and the possible centres of units."""

    p: Any

    @property
    def random_centres(self) -> bool:
        """Whether the initial centres are drawn at random from the examples."""
        return self.p.centres in ("k-means", "random")

    def by_hand(self) -> Float:
        """(k, d) the centres as set; raises EngineError where there are none."""
        d = self.problem.d
        if not self.p.places:
            raise EngineError(f"Places needs {counted(d, 'number')} for each centre; it has 0.")
        return np.array(self.p.places, np.float64).reshape(-1, d)

    def spread(self, centres: Float) -> float:
        """The root mean square distance of the examples from the centres, 0 where it is within
        rounding of 0.

        It replaces the distance to the next centre where all centres lie at one place.
        """
        squares = [np.square(self.X - centre).sum(axis=1).mean() for centre in centres]
        largest = np.abs(self.X).max(initial=0.0)
        return float(settled(float(np.sqrt(np.mean(squares))), largest, LAST_DIGITS))


def check_units(k: int) -> None:
    """Raises EngineError for more units than can be fitted."""
    if k > MOST:
        raise EngineError(
            f"{k:,} units are more than the {MOST} that can be fitted: choose k-means."
        )


def gaps(centres: Float) -> Float:
    """(k, k) how far each centre is from the others, ∞ from those at its own place and from itself.

    By differences: products of equal centres in many columns may differ by a rounding.
    """
    far = np.array([norm(list(np.abs(centres - centre).T), 2) for centre in centres])
    return np.asarray(np.where(far > ONE_PLACE, far, np.inf))
