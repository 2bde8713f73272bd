"""A round that nobody watches looks for no other candidates."""

from engine.algorithms.ensembles.adaboost import Setting, State
from engine.authoring import Float
from engine.algorithms.ensembles.parts.stumps import Learner


def learnt(given: Setting, s: State, h: Learner, w: Float) -> Learner:
    """The candidates are for those who look."""
    return h
