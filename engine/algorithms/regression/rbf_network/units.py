"""Hidden units of an RBF network: where their centres start, how wide they are, what they answer.

ML 8.4.
"""

from typing import Any, TypeVar

from engine.algorithms.regression.parts.fits import Examples
from engine.authoring import EngineError, Float, Rng, frozen, np
from engine.core.notation import counted
from engine.numerics.distances import bells, norm, squared_distances
from engine.numerics.closeness import LAST_DIGITS, settled

P = TypeVar("P")
OVERLAP = 0.7  # of the distance to the next centre
ONE_PLACE = 1e-100  # apart: squares of smaller distances are 0
MOST = 300  # units: more weights cannot be solved for while somebody waits


class Units(Examples[P]):
    """How the parameters make units."""

    p: Any
    drawn = property(lambda given: given.p.centres in ("k-means", "random"))

    def first(self, rng: Rng) -> Float:
        """(k, d) centres to begin with, as many as there can be different ones.

        Raises EngineError for a wrong number.
        """
        places = np.unique(self.X, axis=0)
        d = self.problem.d
        if self.p.centres == "by hand":
            if not self.p.places:
                raise EngineError(f"Places needs {counted(d, 'number')} for each centre.")
            places = np.array(self.p.places, np.float64).reshape(-1, d)
        elif self.drawn and self.p.k < len(places):
            places = places[np.sort(rng.choice(len(places), self.p.k, replace=False))]
        if len(places) > MOST:
            raise EngineError(
                f"{len(places):,} units are more than the {MOST} that can be fitted: choose"
                " k-means."
            )
        return frozen(places)

    def widths(self, centres: Float) -> Float:
        """(k,) σ of each unit: a part of the distance to its next centre, or one for all."""
        k = len(centres)
        p = self.p
        alone = self.spread(centres) or 1.0
        far = gaps(centres)
        if p.widths == "one for all":
            farthest = float(far[np.isfinite(far)].max(initial=0.0))
            return frozen(np.full(k, p.width or farthest / np.sqrt(2 * k) or alone))
        near = far.min(axis=1)
        return frozen(np.where(np.isfinite(near), near, alone) * (p.width or OVERLAP))

    def spread(self, centres: Float) -> float:
        """The root mean square distance of the examples from the centres, which stands for that to
        the next centre where all centres lie at one place; 1 does where it is 0 but for the
        rounding of a mean. By differences, see `gaps`.
        """
        found = np.sqrt(
            np.mean([np.square(self.X - centre).sum(axis=1).mean() for centre in centres])
        )
        return float(settled(float(found), np.abs(self.X).max(initial=0.0), LAST_DIGITS))


def gaps(centres: Float) -> Float:
    """(k, k) how far each centre is from the others, ∞ from those at its own place, as it is from
    itself. By differences: products of equal centres in many columns may differ by a rounding.
    """
    far = np.array([norm(list(np.abs(centres - centre).T), 2) for centre in centres])
    return np.asarray(np.where(far > ONE_PLACE, far, np.inf))


def answers(X: Float, centres: Float, widths: Float) -> Float:
    """(n, k + 1) what the units answer to rows X, 1 first: e^(−|x − μ|² / 2σ²)."""
    return np.column_stack(
        [np.ones(len(X)), bells(squared_distances(X, centres) / (2 * widths**2))]
    )
