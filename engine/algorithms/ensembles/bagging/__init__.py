"""Bagging: a majority of trees, each taught on a sample with replacement and tested on the rows
that are not in its sample. Extension.
"""

from engine.algorithms.ensembles.parts.bag_page import ALIKE
from engine.algorithms.ensembles.parts.bag_page import Params as Params
from engine.algorithms.ensembles.parts.bags import Bagged as State
from engine.algorithms.ensembles.parts.bags import Bags, races, whole_rounds
from engine.algorithms.ensembles.parts.forests import says as labels_of
from engine.algorithms.ensembles.parts.groves import tree_of
from engine.algorithms.ensembles.parts.votes import winners
from engine.algorithms.trees.parts.model import Tree
from engine.authoring import (
    Algorithm,
    At,
    Float,
    Int,
    Part,
    Prefix,
    Rng,
    Steps,
    leap_to,
    np,
    replace,
    when,
)

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
    """The labelled rows, bags drawn from them, and trees that try every column at each node."""


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State(Prefix([], 0), Prefix([], 0), errors=len(given.known))  # no trees, no bags
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    s, poll = whole_rounds(given, s, rng)
    while s.round < given.p.members:
        s = replace(s, round=s.round + 1, copies=None, learner=None)
        yield from at("loop", s)
        (own,) = rng.spawn(1)  # every tree has random numbers of its own
        # the bag: `size` % of as many rows as have a label, drawn with replacement; copies says how
        # often each row was drawn
        s = replace(s, copies=given.bag(own))
        yield from at("draw", s)
        tree = yield from grow(given, at, s, own)
        s = replace(s, learner=tree)
        yield from at("learn", s)
        says = labels_of(tree, given.problem.X)  # (n,) h[b](x)
        outside = np.flatnonzero(given.outside(s.bag))  # the labelled rows with copies = 0
        poll.unseen[says[outside], outside] += 1  # votes of the trees that never saw x
        yield from at("out", s)
        errors_before = s.errors
        poll.vote.add(says, 1.0)  # votes[h[b](x), x] += 1
        s = poll.counted(s)  # errors: argmax votes ≠ y; oob: mean(argmax unseen ≠ y)
        clean = s.errors == 0 and errors_before > 0
        yield from at("vote", s, *when(round=True, clean=clean))
    s = replace(s, copies=None, learner=None)
    yield from at("return", s, ties=poll.vote.ties())  # the answer: see predict


@leap_to(tree_of)
def grow(given: Setting, at: At, s: State, rng: Rng) -> Part[State, Tree]:
    """The tree of the bag, and its tests one by one where they are shown.

    A node takes the test of most gain: its entropy, or by `importance` its Gini impurity, less what
    is left in the branches. It is a leaf, which says its majority, where all its rows are of one
    class, where no test divides them, and at the depth that is set.
    """
    tries = given.tries(rng)  # all columns at each node
    tree = yield from given.tree(s.bag, tries)
    if at.records("split"):
        for race in races(given.root(s.bag, tries)):
            shown = replace(s, learner=tree, node=race.node)  # the node with these tests
            yield from at("split", shown, *when(tie=len(race.winners) > 1), race=race)
    return tree


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the class that most of h[1] … h[B] say, the first of tied ones; −1 without trees."""
    votes = given.votes(s, X)  # (classes, m) how many trees say each class
    return winners(votes)  # argmax over the classes


ALGORITHM = Algorithm.of(__name__, title="Bagging", **ALIKE)
