"""Trees that nobody watches grow many together."""

from engine.algorithms.ensembles.bagging import Setting
from engine.algorithms.ensembles.parts.bags import Bagged
from engine.algorithms.ensembles.parts.groves import tree_of
from engine.algorithms.trees.parts.model import Tree
from engine.authoring import Rng, Work


def grow(given: Setting, s: Bagged, rng: Rng) -> Work[Tree]:
    return tree_of(given, s, rng)
