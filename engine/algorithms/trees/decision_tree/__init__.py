"""Decision-tree learning with pruning and missing values.

AIMA 18.3.2-18.3.6 (Fig 18.5), 18.4.1; MIT 2.4.9-2.4.43.
"""

from functools import partial
from heapq import heappop, heappush
from typing import Annotated, Any, Literal

from engine.algorithms.trees.decision_tree.log import Node, counted, cut, looking_at_node, split
from engine.algorithms.trees.decision_tree.pruning import (
    Deviation,
    HeldOut,
    Pruning,
    chance,
    critical_value,
)
from engine.algorithms.trees.parts import model
from engine.algorithms.trees.parts.entries import Examples
from engine.algorithms.trees.parts.growth import Growth
from engine.algorithms.trees.parts.levels import OpenNode, root
from engine.algorithms.trees.parts.log import (
    Decision,
    leaf,
    looking_at,
    nodes_of,
    rooted,
    tree_at,
)
from engine.algorithms.trees.parts.model import Tree
from engine.algorithms.trees.parts.naming import TreeWords
from engine.algorithms.trees.parts.splits import Candidates, Rule
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Float,
    Help,
    Int,
    Label,
    Needs,
    Part,
    Prefix,
    Problem,
    Range,
    Record,
    Recursive,
    Rng,
    Steps,
    Task,
    When,
    cached_property,
    leap_rounds,
    np,
    prepare,
    replace,
    unrolled,
    when,
)
from engine.authoring import (
    Setting as Given,
)
from engine.numerics.impurity import total_entropy, total_gini
from engine.table.dataset import category_column

PSEUDOCODE = """
start round:  grow(all examples):
empty:          if no examples: parent's majority
pure:           if one class: return it
none:           if no test, or stop: majority
score detail:   for each A: find Importance(A)
choose round:   A ← largest Importance
branch detail:  for each v: grow(rows, A = v)
prune:        if asked: cut tests not worth keeping
"""
MEASURES = (
    "gain: in bits. ratio: gain / split information. gini: drop of the Gini impurity (extension)."
)
MIDPOINTS = "midpoints between neighbours of different class, or between all neighbours"
PICKED = "a split point picked as the best of many passes more easily than it should"
FREEDOM = "branches − 1, counted with or without those that no example takes; times classes − 1"
MISSING = (
    "of training rows; weights: down all branches by their frequency, until a part is 1/8 of an"
    " example or less. A row asked about goes down all branches by weight in either case."
)
First = Literal["first", "random"]
Nodes, Chance = When("stop", ("nodes",)), When("prune", ("chi2",))


class Params(Record, eq=True):
    importance: Annotated[Literal["gain", "ratio", "gini"], Label("Importance"), Help(MEASURES)] = (
        "gain"
    )
    ties: Annotated[
        First, Label("Ties"), Help("equal importance: table order, or drawn by the seed")
    ] = "first"
    plurality: Annotated[
        First,
        Label("Plurality ties"),
        Help("equal counts: the first class, or drawn by the seed (AIMA's rule)"),
    ] = "first"
    numeric: Annotated[Literal["class changes", "all"], Label("Split points"), Help(MIDPOINTS)] = (
        "class changes"
    )
    subset_tests: Annotated[
        bool,
        Label("Tests of one value"),
        Help("one value against the rest, not a branch per value"),
    ] = False
    missing: Annotated[
        Literal["weights", "largest branch"], Label("Missing values"), Help(MISSING)
    ] = "weights"
    stop: Annotated[
        Literal["pure", "entropy", "size", "no-gain", "depth", "nodes"], Label("Stop")
    ] = "pure"
    entropy: Annotated[float, Range(0, 6), Label("Entropy below"), When("stop", ("entropy",))] = 0.5
    size: Annotated[
        int, Range(1, 100_000, log=True), Label("Fewer rows than"), When("stop", ("size",))
    ] = 5
    least_gain: Annotated[float, Range(0, 1), Label("Gain at most"), When("stop", ("no-gain",))] = (
        0.0
    )
    depth: Annotated[int, Range(0, 100), Label("Depth"), When("stop", ("depth",))] = 2
    nodes: Annotated[
        int,
        Range(1, 10_000, log=True),
        Label("Nodes"),
        Help("breadth first, best gain first"),
        Nodes,
    ] = 4
    counted: Annotated[
        Literal["tests", "all"], Label("Count"), Help("tests only, or leaves too"), Nodes
    ] = "tests"
    prune: Annotated[Literal["none", "chi2", "held-out"], Label("Prune")] = "none"
    significance: Annotated[
        float, Range(1e-4, 0.5, log=True), Label("Significance"), Help(PICKED), Chance
    ] = 0.05
    freedom: Annotated[
        Literal["branches", "non-empty branches"],
        Label("Degrees of freedom"),
        Help(FREEDOM),
        Chance,
    ] = "branches"


class State(Record):
    """The tree as a list of decisions, one a node, and the running numbers over all its ends.

    log: what was decided so far
    nominal: which columns hold categories
    bits: still unknown per example
    errors: wrong examples, NaN where values are missing and counting would take too long
    size: nodes made
    current: the node that this step shows, or −1
    column, point: its test that this step shows or that was taken, −1 and None without
    """

    log: Prefix[Decision]
    nominal: tuple[bool, ...]
    bits: float
    errors: float
    size: int = 1
    tests: int = 0
    leaves: int = 0
    current: int = 0
    column: int = -1
    point: float | None = None

    @property
    def tree(self) -> Tree:
        """The tree so far, as arrays."""
        return tree_at(self.log, self.nominal)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes so far, parents before children."""
        tree = self.tree
        return nodes_of(tree, Node, [*map(tuple, tree.totals.tolist())], tree.label.tolist())


def importance(tests: Candidates, measure: str = "gain") -> Float:
    """(m,) the importance of tests: Gain(A) = H − Remainder(A), in bits. AIMA 18.3.4.

    H is the entropy of the examples before the test, Remainder(A) that after it over all branches;
    both are summed over all n examples of the node. With "ratio" the gain is divided by the split
    information (AIMA 18.3.6), with "gini" the Gini impurity replaces the entropy (extension).
    """
    total = total_gini if measure == "gini" else total_entropy
    before = tests.before(total)
    remainder = tests.after(total)
    gain: Float = (before - remainder) / tests.examples
    if measure == "ratio":
        return gain / tests.split_information()
    return gain


class Setting(Given[Params]):
    """The labelled rows, the importance of tests and the stopping rule of a run."""

    @property
    def limit(self) -> float:
        """The threshold of the stopping rule that p.stop names: an entropy, a gain, or a number of
        examples, levels or nodes; 0 for none.
        """
        p = self.p
        limits = {
            "entropy": p.entropy,  # … H of its examples < limit
            "size": p.size,  # … it has < limit examples
            "no-gain": p.least_gain,  # … its best test has Gain(A) ≤ limit
            "depth": p.depth,  # … it lies ≥ limit tests below the root
            "nodes": p.nodes,  # … the tree has limit tests, or nodes, already
        }
        return limits.get(p.stop, 0)

    @cached_property
    def rows(self) -> Int:
        """(m,) the indices of the labelled rows."""
        return np.flatnonzero(self.problem.labelled)

    @cached_property
    def parted(self) -> bool:
        """Whether some labelled rows lack a value and go down several branches."""
        return bool(np.isnan(self.problem.X[self.rows]).any())

    @cached_property
    def words(self) -> TreeWords:
        """Texts of the tests."""
        return TreeWords(self.problem)

    def root(self, rng: Rng) -> OpenNode:
        """The root node with all labelled examples, not yet decided."""
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


def started(given: Setting, root: OpenNode) -> State:
    """The state of a tree with one open node."""
    n = len(given.rows)
    nominal = tuple(not f.numeric for f in given.problem.features)
    bits = root.unknown / max(n, 1)
    return State(rooted(root), nominal, bits, n - root.totals[root.label])


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
    """The state with the whole tree grown."""
    if given.p.stop == "nodes":
        return (yield from grow_by_levels(given, at, s, root))
    return (yield from unrolled(grow_branch(given, at, s, root)))


def decide(
    given: Setting, at: At, s: State, node: OpenNode
) -> Part[State, tuple[State, list[OpenNode]]]:
    """(the state in which a node has become a leaf or has got its test, its branches).

    AIMA Fig 18.5, up to the recursion. Here a leaf says its majority: the class of most of its
    examples, without any of most of its parent's; of tied ones the first, or one drawn.
    """
    s = looking_at_node(s, node)
    classes = [c for c, examples in enumerate(node.totals) if examples > 0]
    if not classes:
        s = leaf(s, node)  # says the parent's majority
        yield from at("empty", s, "leaf", *when(plurality_tie=node.tied))
        return s, []
    if len(classes) == 1:
        s = leaf(s, node)  # says this class
        yield from at("pure", s, "leaf")
        return s, []
    yield from node.score_columns()  # by `importance`, of each column its best test
    for column in node.columns:
        yield from at("score", replace(s, column=column, point=node.point(column)), node=node)
    test = node.test
    if test is None:  # no test divides the examples, or the stopping rule holds: see `limit`
        s = leaf(s, node)  # says the majority
        yield from at("none", s, "leaf", *when(plurality_tie=node.tied))
        return s, []
    node = node.choose(at.take)  # A ← argmax Importance; of tied ones the first, or one drawn
    s = split(given, s, node)
    yield from at("choose", s, "split", *when(tie=test.equals > 1), node=node)
    return s, node.branches  # for each v its rows with A = v, also where there are none


def grow_branch(given: Setting, at: At, s: State, node: OpenNode) -> Recursive[State]:
    """The state with a node and everything below it grown: the recursion of AIMA Fig 18.5."""
    s, branches = yield from decide(given, at, s, node)
    for branch in branches:  # the rows with A = v
        yield from at("branch", looking_at_node(s, branch))
        s = yield grow_branch(given, at, s, branch)
    return s


def grow_by_levels(given: Setting, at: At, s: State, root: OpenNode) -> Part[State, State]:
    """The state with the tree grown breadth first, in each level by descending gain, up to a number
    of nodes. AIMA 18.4.1.
    """
    waiting = [root]
    while waiting:
        s, branches = yield from decide(given, at, s, heappop(waiting))
        for branch in branches:
            heappush(waiting, branch)
    return s


def prune(given: Setting, at: At, s: State) -> Part[State, State]:
    """The state pruned from below: a test that is not worth keeping becomes a leaf."""
    p = given.p
    tree = s.tree
    by_chance = p.prune == "chi2"
    pruning = Pruning(None if by_chance else given.problem.held_out, tree)
    for node in pruning.tests():  # all below it were judged; by chance only above leaves alone
        s = looking_at(s, tree, node)
        found: Deviation | HeldOut
        if by_chance:
            branches = tree.totals[tree.children(node)]
            found = chi_squared(branches, p.significance, p.freedom == "branches")
        else:
            found = pruning.held_out_errors(node)
        if worth_keeping(found):
            yield from at.end("prune", s, "keep", found=found)
            continue
        s = cut(given, s, *pruning.cut(node))
        yield from at.end("prune", s, "prune", found=found)
        if tree.tied[node]:
            yield from at("prune", replace(s, column=-1, point=None), "plurality tie")
    return s


def worth_keeping(found: Deviation | HeldOut) -> bool:
    """Whether a test is more than chance (AIMA 18.3.5), or saves held-out errors (MIT 2.4.42).

    Equal errors favour the smaller tree: MIT 2.4.42 leaves the rule open.
    """
    if isinstance(found, Deviation):
        return found.delta > found.critical
    return found.kept < found.leaf and not found.tied


def chi_squared(branches: Any, significance: float = 0.05, count_empty: bool = True) -> Deviation:
    """Δ = Σₖ (pₖ − p̂ₖ)²/p̂ₖ + (nₖ − n̂ₖ)²/n̂ₖ over the branches, against χ² at a significance.

    branches (b, classes): the class weights pₖ, nₖ, …; empty ones add nothing to Δ. Degrees of
    freedom: (branches − 1) · (classes − 1), empty branches counted or not. AIMA 18.3.5.
    """
    branches = np.asarray(branches, dtype=np.float64)
    expected = expected_counts(branches)
    squares = (branches - expected) ** 2
    parts = np.divide(squares, expected, out=np.zeros_like(expected), where=expected > 0)
    delta = float(parts.sum())
    width = len(branches) if count_empty else int((branches.sum(axis=1) > 0).sum())
    classes = int((branches.sum(axis=0) > 0).sum())
    freedom = (width - 1) * (classes - 1)
    return Deviation(delta, freedom, critical_value(significance, freedom), chance(delta, freedom))


def expected_counts(branches: Any) -> Float:
    """(b, classes) p̂ₖ = p · (pₖ + nₖ) / (p + n), n̂ₖ = n · (pₖ + nₖ) / (p + n).

    What the branches would have if each were mixed like the node. AIMA 18.3.5.
    """
    branches = np.asarray(branches, dtype=np.float64)
    of_class = branches.sum(axis=0)
    of_branch = branches.sum(axis=1, keepdims=True)
    return np.asarray(of_class * of_branch / branches.sum())


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) class codes; open nodes answer with their plurality, a missing value follows all
    branches by weight.
    """
    return model.predict(s.tree, X)


def example() -> Problem:
    """Eight days for every case: a value without examples, a pure branch, equal rows of different
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
