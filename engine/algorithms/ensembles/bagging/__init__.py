"""Bagging: a majority of trees, each taught on a sample with replacement; the rows outside it are
its test. Extension.
"""

from engine.algorithms.ensembles.parts.bag_page import ALIKE, Params as Params
from engine.algorithms.ensembles.parts.bags import Bagged as State, Bags, Poll, races
from engine.algorithms.ensembles.parts.groves import tree_of
from engine.algorithms.trees.parts.model import Tree
from engine.authoring import Algorithm, At, Part, Rng, Steps, leap_to, replace, when

PSEUDOCODE = """
start round:  no tree has a vote
loop detail:  for b = 1 to B
draw:           bag ← rows, with replacement
split detail:   grow h[b]: best test of a node
learn:          h[b] ← tree of the bag
out:            rows outside the bag test h[b]
vote round:     all vote; error outside bags
return round: majority of h[1] … h[B]
"""


class Setting(Bags[Params]):
    """Every node tries all columns."""


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield from at("start", s := given.started())
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    poll, _ = Poll(given, s), rng.spawn(len(s.learners))  # a tree that was being grown begins anew
    s = replace(s, round=len(s.learners), learner=None, copies=None, node=-1)
    while s.round < given.p.members:
        (own,) = rng.spawn(1)  # every tree has chances of its own
        s = replace(s, round=s.round + 1, learner=None, copies=None)
        yield from at("loop", s)
        s = replace(s, copies=given.bag(own))
        yield from at("draw", s)
        s = replace(s, learner=(yield from grow(given, at, s, own)))
        yield from at("learn", s)
        yield from at("out", s)
        before = s
        s = poll.heard(s)
        yield from at("vote", s, "round", *when(clean=s.errors == 0 and before.errors > 0))
    yield from at("return", replace(s, learner=None, copies=None), ties=poll.vote.ties())


@leap_to(tree_of)
def grow(given: Setting, at: At, s: State, rng: Rng) -> Part[State, Tree]:
    """The tree of the bag, and then its tests one by one, where they are told."""
    tries = given.tries(rng)
    tree = yield from given.tree(s.bag, tries)
    for race in races(given.root(s.bag, tries)) if at.tells("split") else ():
        yield from at(
            "split",
            replace(s, learner=tree, node=race.node),
            *when(tie=len(race.winners) > 1),
            race=race,
        )
    return tree


ALGORITHM = Algorithm.of(__name__, title="Bagging", **ALIKE)
