"""Decision-tree learning with pruning and missing values. AIMA 18.3.2-18.3.6 (Fig 18.5), 18.4.1; MIT 2.4.9-2.4.43."""

from heapq import heapify, heappop
from engine.algorithms.trees.decision_tree.log import State, cut, leaf, split, started
from engine.algorithms.trees.decision_tree.pruning import ReducedError, Subtrees, chi_squared, tests_upwards
from engine.algorithms.trees.decision_tree.setting import Params, Setting
from engine.algorithms.trees.parts import model
from engine.algorithms.trees.parts.levels import Bud, Test
from engine.algorithms.trees.parts.model import Why
from engine.authoring import (
    Algorithm, At, Curve, Dataset, Float, Int, Needs, Part, Problem, Rng, Steps, Task, leap, prepare, replace,
)  # fmt: skip
from engine.core.dataset import category_column

PSEUDOCODE = """
start round:  grow(all examples):
empty:          if no examples: parent's majority
pure:           if one class: return it
none:           if no test, or stop: majority
score detail:   for each A: find Importance(A)
choose round:   A ← largest Importance
branch detail:  for each v: grow(rows, A = v)
prune:        if asked: cut tests proving nothing
"""


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    top = yield from planted(given, at, rng)
    s = started(given, top)
    yield from at("start", s)
    grown = s = yield from grow(given, at, s, top)
    if given.p.prune != "none":
        s = yield from prune(given, at, s)
    s = replace(s, current=-1, column=-1, point=None, errors=given.wrong(lambda: s.tree, s.tests, s.errors, last=True))
    yield from at.end("prune", s, "done", pruned=None if given.p.prune == "none" else grown.tests - s.tests)


@leap
def planted(given: Setting, at: At, rng: Rng) -> Part[State, Bud]:
    """The node of all examples, with all that may be looked at on the way."""
    yield None
    return given.root(rng)


def grow(given: Setting, at: At, s: State, top: Bud) -> Part[State, State]:
    """A branch is grown to its end before the next one; with a count of nodes level by level, the best gain first."""
    waiting, by_level = [top], given.p.stop == "nodes"
    while waiting:
        bud = heappop(waiting) if by_level else waiting.pop()
        s = replace(s, current=bud.number, column=-1, point=None)
        if bud.number and not by_level:
            yield from at("branch", s)
        if bud.why is Why.EMPTY:
            s = leaf(s, bud)
            yield from at("empty", s, "leaf", *["plurality tie"] * bud.tied)
        elif bud.why is Why.PURE:
            s = leaf(s, bud)
            yield from at("pure", s, "leaf")
        elif bud.why is Why.STOPPED or (test := (yield from scored(given, at, s, bud))) is None:
            s = leaf(s, bud)
            yield from at("none", s, "leaf", *["plurality tie"] * bud.tied)
        else:
            below = bud.branches()
            s = split(given, s, bud, test, below)
            yield from at("choose", s, "split", *["tie"] * (test.ties > 1), seen=bud if bud.level.watched else None)
            waiting += below.buds[::-1]
            if by_level:
                heapify(waiting)
    return s


def scored(given: Setting, at: At, s: State, bud: Bud) -> Part[State, Test | None]:
    """The importance of each A."""
    yield from bud.weigh()
    for column in bud.columns if given.p.stop != "nodes" or bud.test else ():
        yield from at("score", replace(s, column=column, point=bud.point(column)), bud=bud)
    return bud.test


def prune(given: Setting, at: At, s: State) -> Part[State, State]:
    """From below: chi-squared for tests with only leaves (AIMA 18.3.5), held-out errors for all (MIT 2.4.42)."""
    tree, p, by_chance = s.tree, given.p, given.p.prune == "chi2"
    below, unseen = Subtrees(tree), given.problem.held_out
    held_out = None if by_chance or unseen is None else ReducedError(tree, unseen)
    for node in tests_upwards(tree):
        below.gather(node)
        if by_chance and below.tests[node] > 1:
            continue
        counts = tree.totals[list(tree.children(node))]
        found = held_out.judge(node) if held_out else chi_squared(counts, p.significance, p.freedom == "branches")
        point = float(tree.point[node])
        s = replace(s, current=node, column=int(tree.column[node]), point=None if point != point else point)
        if found.worth_keeping:
            yield from at.end("prune", s, "keep", found=found)
            continue
        s = cut(given, s, *below.cut(node))
        if held_out:
            held_out.cut(node)
        yield from at.end("prune", s, "prune", found=found)
        if tree.tied[node]:
            yield from at("prune", replace(s, column=-1, point=None), "plurality tie")
    return s


def predict(given: Setting, s: State, X: Float) -> Int:
    """Class indices; an open node answers with its plurality, a missing value goes down all branches by weight."""
    return model.predict(s.tree, X)


def example() -> Problem:
    """Eight days that reach every case: a value without examples, a pure branch, twins of different class."""
    sky = ["sun", "sun", "sun", "cloud", "cloud", "rain", "rain", "sun"]
    wind = [1.0, 2.0, 4.0, 1.0, 4.0, 3.0, 3.0, 5.0]
    warm = [20.0, 14.0, 22.0, 18.0, 9.0, 12.0, 12.0, 16.0]
    walk = ["Yes", "Yes", "No", "Yes", "Yes", "No", "Yes", "No"]
    data = Dataset.from_columns({"Sky": sky, "Wind": wind, "Warm": warm, "Walk": walk}, target="Walk", name="Walks")
    return prepare(data.with_column(category_column("Sky", sky, ("sun", "cloud", "rain", "snow"))))


ALGORITHM = Algorithm.of(
    __name__,
    title="Decision tree",
    task=Task.CLASSIFY,
    source=("AIMA 18.3", "AIMA 18.4.1", "MIT 2.4", "LS, Decision tree learning"),
    params=Params,
    needs=Needs(missing=True),
    curves=(Curve("bits", "bits still unknown"), Curve("errors", "wrong examples", of_n=True, digits=0)),
    measures=("bits", "errors", "leaves"),
    events=("split", "tie", "leaf", "plurality tie", "prune", "keep", "done"),
    uses_held_out=lambda p: p.prune == "held-out",
)
