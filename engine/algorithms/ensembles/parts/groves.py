"""The trees of several rounds ahead, grown together: one by one they would take 2 to 7 times as
long as scikit-learn's.
"""

from typing import Any

import numpy as np
from numpy.random import Generator, SeedSequence

from engine.algorithms.ensembles.parts.bags import Bagged, Bags
from engine.algorithms.trees.parts.entries import beside
from engine.algorithms.trees.parts.model import Tree
from engine.algorithms.trees.parts.grove import grove
from engine.core.work import Work

MOST = 2**16  # values in a grove


def tree_of(given: Bags[Any], s: Bagged, rng: Generator) -> Work[Tree]:
    """The tree of this round: grown with those of the next rounds, whose chances are the siblings
    of `rng`.
    """
    seed = rng.bit_generator.seed_seq
    tries = given.tries(rng)
    assert isinstance(seed, SeedSequence)
    *above, own = seed.spawn_key
    if (key := (seed.entropy, seed.spawn_key)) in given.ahead:
        return given.ahead.pop(key)
    many = max(1, min(given.p.members - s.round + 1, MOST // max(1, given.size * given.problem.d)))
    keys = [(seed.entropy, (*above, own + i)) for i in range(many)]
    bags, tried = [s.bag], [*tries]
    for entropy, spawn in keys[1:]:
        sibling = np.random.default_rng(SeedSequence(entropy, spawn_key=spawn))
        bags.append(given.bag(sibling))
        tried += given.tries(sibling)
    sample = beside([given.sorted.drawn(bag) for bag in bags])
    trees = yield from grove(given.table, sample, given.growth, tried)
    given.ahead.clear()
    given.ahead.update(zip(keys[1:], trees[1:], strict=True))
    return trees[0]
