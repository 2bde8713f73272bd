"""Bagging: a majority of trees, each taught on a sample with replacement; the rows outside it are its test. Extension."""

from typing import Annotated, Literal

from engine.algorithms.ensembles.parts.bags import Bagged as State, Bags, Poll, races
from engine.algorithms.ensembles.parts.votes import shares, winners
from engine.algorithms.trees.parts.model import Tree
from engine.authoring import (
    Algorithm, At, Curve, Dataset, Empty, Float, Help, Int, Label, Mapping, Needs, Part, Problem, Range, Rng, Steps,
    Task, dataclass, leap, np, prepare, replace,
)  # fmt: skip

PSEUDOCODE = """
start round:  no tree has a vote
loop detail:  for b = 1 to B
draw:           bag ← rows, with replacement
split detail:   grow h[b]: best test of a node
learn:          h[b] ← tree of the bag
out:            rows outside the bag test h[b]
vote round:     all vote; error outside bags
return:       majority of h[1] … h[B]
"""


@dataclass(frozen=True)
class Params:
    members: Annotated[int, Range(1, 1000, log=True), Label("Trees B")] = 9
    depth: Annotated[
        int | None, Range(1, 100), Label("Depth"), Empty("∞"), Help("tests from root to leaf, at most")
    ] = None
    importance: Annotated[Literal["gain", "gini"], Label("Best test"), Help("gain in bits, or drop of the Gini impurity")] = "gain"  # fmt: skip
    size: Annotated[int, Range(1, 100), Label("Rows in a bag, %"), Help("of all rows; drawn with replacement")] = 100


class Setting(Bags[Params]):
    """Every node tries all columns."""


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield from at("start", s := given.started())
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    poll, _ = Poll(given, s), rng.spawn(s.round)
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
        before, s = s, poll.heard(s)
        yield from at("vote", s, "round", *["clean"] * (s.errors == 0 and before.errors > 0))
    yield from at("return", replace(s, learner=None, copies=None), ties=poll.vote.ties())


@leap
def grow(given: Setting, at: At, s: State, rng: Rng) -> Part[State, Tree]:
    """The tree of the bag, and then its tests one by one, where they are told."""
    tries = given.tries(rng)
    tree = yield from given.tree(s.bag, tries)
    for race in races(given.root(s.bag, tries)) if at.tells("split") else ():
        yield from at("split", replace(s, learner=tree, node=race.node), *["tie"] * (len(race.winners) > 1), race=race)
    return tree


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    told = {"errors": float(s.errors)} if s.learners else {}
    return told | ({"oob": s.oob * len(given.known)} if s.tested else {})


def predict(given: Setting, s: State, X: Float) -> Int:
    return winners(given.votes(s, X))


def scores(given: Setting, s: State, X: Float) -> Float:
    return shares(given.votes(s, X))


def example() -> Problem:
    """Six points of two classes, which two columns part alike, and one among the others' class."""
    X = [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [4.0, 4.0], [5.0, 5.0], [6.0, 6.0], [5.5, 6.5]]
    return prepare(Dataset.from_arrays(np.array(X), ["A", "A", "A", "B", "B", "B", "A"]))


ALGORITHM = Algorithm.of(
    __name__,
    title="Bagging",
    task=Task.CLASSIFY,
    extension=True,
    needs=Needs(missing=True),
    curves=(
        Curve("errors", "wrong points", of_n=True, digits=0),
        Curve("oob", "wrong outside their bags", of_n=True, bound=True, digits=1, about=("out",)),
    ),
    events=("round", "tie", "clean"),
)
