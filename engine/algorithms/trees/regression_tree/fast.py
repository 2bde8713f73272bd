"""A whole tree in one loop that the compiler takes, where nobody looks at its candidates."""

from engine.algorithms.trees.parts.levels import Bud
from engine.algorithms.trees.parts.whole import sprouted
from engine.algorithms.trees.regression_tree import Setting
from engine.authoring import Rng


def planted(given: Setting, rng: Rng) -> Bud:
    return sprouted(given.root(rng))
