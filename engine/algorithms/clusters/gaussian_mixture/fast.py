"""A round without a word: the likelihood between the two halves of the M step is for
the eye alone.
"""

from engine.algorithms.clusters.gaussian_mixture import Setting, State
from engine.algorithms.clusters.gaussian_mixture.shapes import Mixture


def with_means(given: Setting, s: State, model: Mixture, before: float) -> State:
    return s
