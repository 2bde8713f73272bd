"""Decision-tree learning with pruning and missing values.

AIMA 18.3.2-18.3.6 (Fig 18.5), 18.4.1; MIT 2.4.9-2.4.43.
"""

from heapq import heapify, heappop

from engine.algorithms.trees.decision_tree.log import State, counted, cut, split, started
from engine.algorithms.trees.decision_tree.params import Params
from engine.algorithms.trees.decision_tree.pruning import Pruning
from engine.algorithms.trees.parts import model
from engine.algorithms.trees.parts.entries import Examples
from engine.algorithms.trees.parts.growth import Growth
from engine.algorithms.trees.parts.levels import Bud, root
from engine.algorithms.trees.parts.log import leaf, looking_at
from engine.algorithms.trees.parts.naming import TreeWords
from engine.algorithms.trees.parts.splits import Rule
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Float,
    Int,
    Needs,
    Part,
    Problem,
    Rng,
    Setting as Given,
    Steps,
    Task,
    cached_property,
    leap,
    leap_rounds,
    np,
    prepare,
    replace,
    when,
)
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


class Setting(Given[Params]):
    """limit: of the stopping rule; rows: the labelled ones; parted: some lack a value and go down
    several branches.
    """

    limit = property(
        lambda given: getattr(given.p, {"no-gain": "least_gain"}.get(given.p.stop, given.p.stop), 0)
    )
    rows = cached_property(lambda given: np.flatnonzero(given.problem.labelled))
    parted = cached_property(lambda given: bool(np.isnan(given.problem.X[given.rows]).any()))
    words = cached_property(lambda given: TreeWords(given.problem))

    def root(self, rng: Rng) -> Bud:
        p = self.p
        whole_part = 1 / 8 if self.p.missing == "weights" else np.inf
        salt = int(rng.integers(2**62))
        rule = Rule(p.importance, p.numeric == "all", 2 if p.subset_tests else np.inf)
        growth = Growth(
            rule, p.ties, p.plurality, whole_part, p.stop, self.limit, p.counted == "all", salt
        )
        problem = self.problem
        return root(
            Examples.of(problem.X, problem.features, problem.codes, len(problem.classes)), growth
        )


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    top = yield from planted(given, at, rng)
    s = started(given, top)
    yield from at("start", s)
    grown = s = yield from grow(given, at, s, top)
    if given.p.prune != "none":
        s = yield from prune(given, at, s)
    s = counted(given, replace(s, current=-1, column=-1, point=None), last=True)
    yield from at.end(
        "prune", s, "done", pruned=None if given.p.prune == "none" else grown.tests - s.tests
    )


@leap
def planted(given: Setting, at: At, rng: Rng) -> Part[State, Bud]:
    """The node of all examples, with all that may be looked at on the way."""
    yield None
    return given.root(rng)


@leap_rounds
def grow(given: Setting, at: At, s: State, top: Bud) -> Part[State, State]:
    """A branch is grown to its end before the next one; with a count of nodes level by level, the
    best gain first.
    """
    waiting = [top]
    by_level = given.p.stop == "nodes"
    while waiting:
        bud = heappop(waiting) if by_level else waiting.pop()
        s = replace(s, current=bud.number, column=-1, point=None)
        if bud.number and not by_level:
            yield from at("branch", s)
        if bud.why is model.Why.EMPTY:
            s = leaf(s, bud)
            yield from at("empty", s, "leaf", *when(plurality_tie=bud.tied))
            continue
        if bud.why is model.Why.PURE:
            s = leaf(s, bud)
            yield from at("pure", s, "leaf")
            continue
        yield from bud.weigh()
        for column in bud.columns if bud.test or not by_level else ():
            yield from at("score", replace(s, column=column, point=bud.point(column)), bud=bud)
        if (test := bud.test) is None:
            s = leaf(s, bud)
            yield from at("none", s, "leaf", *when(plurality_tie=bud.tied))
            continue
        below = (bud := bud.taken(at.take)).branches()
        s = split(given, s, bud, bud.test or test, below)
        yield from at(
            "choose",
            s,
            "split",
            *when(tie=test.equals > 1),
            seen=bud if bud.level.watched else None,
        )
        waiting += below.buds[::-1]
        if by_level:
            heapify(waiting)
    return s


def prune(given: Setting, at: At, s: State) -> Part[State, State]:
    """From below: chi-squared for tests with only leaves (AIMA 18.3.5), held-out errors for all
    (MIT 2.4.42).
    """
    tree = s.tree
    by_chance = given.p.prune == "chi2"
    pruning = Pruning(None if by_chance else given.problem.held_out, given.p, tree)
    for node, found in pruning.judged():
        s = looking_at(s, tree, node)
        if found.worth_keeping:
            yield from at.end("prune", s, "keep", found=found)
            continue
        s = cut(given, s, *pruning.cut(node))
        yield from at.end("prune", s, "prune", found=found)
        if tree.tied[node]:
            yield from at("prune", replace(s, column=-1, point=None), "plurality tie")
    return s


def predict(given: Setting, s: State, X: Float) -> Int:
    """Class indices; an open node answers with its plurality, a missing value goes down all
    branches by weight.
    """
    return model.predict(s.tree, X)


def example() -> Problem:
    """Eight days that reach every case: a value without examples, a pure branch, twins of different
    class.
    """
    sky = ["sun", "sun", "sun", "cloud", "cloud", "rain", "rain", "sun"]
    wind = [1.0, 2.0, 4.0, 1.0, 4.0, 3.0, 3.0, 5.0]
    warm = [20.0, 14.0, 22.0, 18.0, 9.0, 12.0, 12.0, 16.0]
    walk = ["Yes", "Yes", "No", "Yes", "Yes", "No", "Yes", "No"]
    data = Dataset.from_columns(
        {"Sky": sky, "Wind": wind, "Warm": warm, "Walk": walk}, target="Walk", name="Walks"
    )
    return prepare(data.with_column(category_column("Sky", sky, ("sun", "cloud", "rain", "snow"))))


ALGORITHM = Algorithm.of(
    __name__,
    title="Decision tree",
    task=Task.CLASSIFY,
    source=(
        "AIMA 18.3",
        "AIMA 18.3.1-18.3.6",
        "AIMA 18.4.1",
        "MIT 2.1.36-2.1.39",
        "MIT 2.4.1-2.4.44",
    ),
    params=Params,
    needs=Needs(missing=True),
    scores=lambda given, s, X: model.scores(s.tree, X),
    curves=(
        Curve("bits", "bits still unknown", about=("leaves",)),
        Curve("errors", "wrong examples", of_n=True, digits=0),
    ),
    measures=("bits", "errors", "leaves"),
    events=("split", "tie", "leaf", "plurality tie", "prune", "keep", "done"),
    uses_held_out=lambda p: p.prune == "held-out",
)
