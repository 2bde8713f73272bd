"""A round that nobody watches looks for no other candidates."""

from engine.algorithms.ensembles.adaboost import State
from engine.algorithms.ensembles.adaboost.setting import Setting
from engine.algorithms.ensembles.adaboost.stumps import Learner


def learnt(given: Setting, s: State, h: Learner) -> None:
    """The candidates are for those who look."""
