"""A tree that nobody watches grows at once."""

from engine.algorithms.ensembles.random_forest import Setting
from engine.algorithms.ensembles.parts.bags import Bagged
from engine.algorithms.trees.parts.model import Tree
from engine.algorithms.trees.parts.whole import grown, sprout
from engine.authoring import Rng, Work


def grow(given: Setting, s: Bagged, rng: Rng) -> Work[Tree]:
    return grown(sprout(given.root(s, rng)))
