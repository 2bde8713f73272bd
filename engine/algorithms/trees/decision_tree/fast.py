"""The whole tree at once where nobody looks at its candidates."""

from engine.algorithms.trees.decision_tree import Setting
from engine.algorithms.trees.parts.levels import Bud
from engine.algorithms.trees.parts.whole import sprout
from engine.authoring import Rng


def planted(given: Setting, rng: Rng) -> Bud:
    return sprout(given.root(rng))
