"""The trees of several rounds ahead, grown together: one by one they would take 2 to 7 times as
long as scikit-learn's.
"""

from typing import Any

import numpy as np
from numpy.random import Generator, SeedSequence

from engine.algorithms.ensembles.parts.bags import Bagged, Bags
from engine.algorithms.trees.parts.entries import beside
from engine.algorithms.trees.parts.grove import grove
from engine.algorithms.trees.parts.growth import Tries
from engine.algorithms.trees.parts.model import Tree
from engine.base.work import Work

MOST = 2**16  # values in a grove


def tree_of(given: Bags[Any], s: Bagged, rng: Generator) -> Work[Tree]:
    """The tree of this round's bag, grown together with those of the next rounds, whose seeds are
    siblings of `rng`'s.
    """
    tries = given.tries(rng)
    seed = rng.bit_generator.seed_seq
    assert isinstance(seed, SeedSequence)
    known = given.ahead.pop(name_of(seed), None)
    if known is not None:
        return known
    left = given.p.members - s.round + 1
    room = MOST // max(1, given.size * given.problem.d)
    seeds = [seed]
    bags = [s.bag]
    tries_of_all = [tries]
    for later in range(1, min(left, room)):
        seeds.append(sibling(seed, later))
        chances = np.random.default_rng(seeds[-1])
        bags.append(given.bag(chances))
        tries_of_all.append(given.tries(chances))
    sample = beside([given.sorted.resampled(bag) for bag in bags])
    trees = yield from grove(given.table, sample, given.growth, known_of(tries_of_all))
    given.ahead.clear()
    for of_later, tree in zip(seeds[1:], trees[1:], strict=True):
        given.ahead[name_of(of_later)] = tree
    return trees[0]


def sibling(seed: SeedSequence, later: int) -> SeedSequence:
    """The seed sequence that the same parent spawns `later` turns after this one."""
    *above, own = seed.spawn_key
    return SeedSequence(seed.entropy, spawn_key=(*above, own + later))


def name_of(seed: SeedSequence) -> tuple[Any, ...]:
    """A key that identifies a seed sequence."""
    return seed.entropy, seed.spawn_key


def known_of(tries: list[Tries | None]) -> list[Tries]:
    """The entries that are not None."""
    return [one for one in tries if one is not None]
