"""Decision-tree learning with pruning and missing values.

AIMA 18.3.2-18.3.6 (Fig 18.5), 18.4.1; MIT 2.4.9-2.4.43.
"""

from functools import partial
from heapq import heappop, heappush

from engine.algorithms.trees.decision_tree.log import (
    State,
    counted,
    cut,
    looking_at_node,
    split,
    started,
)
from engine.algorithms.trees.decision_tree.params import Params
from engine.algorithms.trees.decision_tree.pruning import Pruning
from engine.algorithms.trees.parts import model
from engine.algorithms.trees.parts.entries import Examples
from engine.algorithms.trees.parts.growth import Growth
from engine.algorithms.trees.parts.levels import OpenNode, root
from engine.algorithms.trees.parts.log import leaf, looking_at
from engine.algorithms.trees.parts.model import Why
from engine.algorithms.trees.parts.naming import TreeWords
from engine.algorithms.trees.parts.splits import Candidates, Rule
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
    Recursive,
    Rng,
    Setting as Given,
    Steps,
    Task,
    cached_property,
    leap_rounds,
    np,
    prepare,
    replace,
    unrolled,
    when,
)
from engine.core.dataset import category_column
from engine.numerics.impurity import total_entropy, total_gini

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


def importance(tests: Candidates, measure: str = "gain") -> Float:
    """(m,) how much tests tell: Gain(A) = H − Remainder(A), in bits. AIMA 18.3.4.

    H is the entropy of the examples before the test, Remainder(A) what is left of it after, in all
    branches; here both are those of all n examples of the node together. With "ratio" the gain is
    divided by the split information (AIMA 18.3.6), with "gini" the Gini impurity stands for the
    entropy (extension).
    """
    total = total_gini if measure == "gini" else total_entropy
    before = tests.before(total)
    remainder = tests.after(total)
    gain: Float = (before - remainder) / tests.examples
    if measure == "ratio":
        return gain / tests.split_information()
    return gain


class Setting(Given[Params]):
    """What a run has of its table and its parameters."""

    @property
    def limit(self) -> float:
        """The threshold of the stopping rule."""
        p = self.p
        limits = {
            "entropy": p.entropy,
            "size": p.size,
            "no-gain": p.least_gain,
            "depth": p.depth,
            "nodes": p.nodes,
        }
        return limits.get(p.stop, 0)

    @cached_property
    def rows(self) -> Int:
        """The labelled rows."""
        return np.flatnonzero(self.problem.labelled)

    @cached_property
    def parted(self) -> bool:
        """Whether some labelled rows lack a value and go down several branches."""
        return bool(np.isnan(self.problem.X[self.rows]).any())

    @cached_property
    def words(self) -> TreeWords:
        """How the tests are written."""
        return TreeWords(self.problem)

    def root(self, rng: Rng) -> OpenNode:
        """The node of all examples."""
        p = self.p
        rule = Rule(
            partial(importance, measure=p.importance),
            gain=importance if p.importance == "ratio" else None,
            every_midpoint=p.numeric == "all",
            most_branches=2 if p.subset_tests else np.inf,
        )
        growth = Growth(
            rule,
            p.ties,
            p.plurality,
            whole_part=1 / 8 if p.missing == "weights" else np.inf,
            stop=p.stop,
            limit=self.limit,
            count_all=p.counted == "all",
            salt=int(rng.integers(2**62)),
        )
        problem = self.problem
        table = Examples.of(problem.X, problem.features, problem.codes, len(problem.classes))
        return root(table, growth)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield None
    root = given.root(rng)
    s = started(given, root)
    yield from at("start", s)
    s = yield from grow(given, at, s, root)
    tests = s.tests
    if given.p.prune != "none":
        s = yield from prune(given, at, s)
    s = counted(given, replace(s, current=-1, column=-1, point=None), last=True)
    pruned = None if given.p.prune == "none" else tests - s.tests
    yield from at.end("prune", s, "done", pruned=pruned)


@leap_rounds
def grow(given: Setting, at: At, s: State, root: OpenNode) -> Part[State, State]:
    """The whole tree."""
    if given.p.stop == "nodes":
        return (yield from grow_by_levels(given, at, s, root))
    return (yield from unrolled(grow_branch(given, at, s, root)))


def decide(
    given: Setting, at: At, s: State, node: OpenNode
) -> Part[State, tuple[State, list[OpenNode]]]:
    """(the state in which a node has become a leaf or has got its test, its branches).

    AIMA Fig 18.5, up to the recursion.
    """
    s = looking_at_node(s, node)
    if node.why is Why.EMPTY:
        s = leaf(s, node)  # says what most examples of its parent are
        yield from at("empty", s, "leaf", *when(plurality_tie=node.tied))
        return s, []
    if node.why is Why.PURE:
        s = leaf(s, node)  # says the one class
        yield from at("pure", s, "leaf")
        return s, []
    yield from node.score_columns()  # by `importance`, of each column its best test
    for column in node.columns:
        yield from at("score", replace(s, column=column, point=node.point(column)), node=node)
    test = node.test
    if test is None:
        s = leaf(s, node)  # says what most of its examples are
        yield from at("none", s, "leaf", *when(plurality_tie=node.tied))
        return s, []
    node = node.choose(at.take)  # the test of largest importance
    s = split(given, s, node)
    yield from at("choose", s, "split", *when(tie=test.equals > 1), node=node)
    return s, node.branches


def grow_branch(given: Setting, at: At, s: State, node: OpenNode) -> Recursive[State]:
    """A node and all below it: the recursion of AIMA Fig 18.5."""
    s, branches = yield from decide(given, at, s, node)
    for branch in branches:
        yield from at("branch", looking_at_node(s, branch))
        s = yield grow_branch(given, at, s, branch)
    return s


def grow_by_levels(given: Setting, at: At, s: State, root: OpenNode) -> Part[State, State]:
    """Breadth first, in each level the nodes of most gain first, up to a count of nodes.

    AIMA 18.4.1.
    """
    waiting = [root]
    while waiting:
        s, branches = yield from decide(given, at, s, heappop(waiting))
        for branch in branches:
            heappush(waiting, branch)
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
