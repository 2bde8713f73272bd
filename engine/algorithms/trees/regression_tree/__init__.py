"""Regression-tree learning: boxes, each with a constant or with a line of its own. AIMA 18.3.6."""

from typing import Annotated, Literal

from engine.algorithms.trees.parts.entries import Examples
from engine.algorithms.trees.parts.growth import Growth
from engine.algorithms.trees.parts.levels import OpenNode, root
from engine.algorithms.trees.parts.log import Decision, leaf, rooted, tree_at
from engine.algorithms.trees.parts.model import Tree, descend
from engine.algorithms.trees.parts.naming import TreeWords
from engine.algorithms.trees.parts.splits import Candidates, Rule
from engine.algorithms.trees.parts.steps import by_steps
from engine.algorithms.trees.parts.values import Values, known_values
from engine.algorithms.trees.regression_tree.log import (
    Node,
    fitted,
    leaf_weights,
    looking_at_node,
    nodes_for_reading,
    split,
)
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
    leap,
    np,
    prepare,
    replace,
    unrolled,
    when,
)
from engine.authoring import (
    Setting as Given,
)
from engine.numerics.impurity import total_squares
from engine.numerics.least_squares import least_squares
from engine.table.dataset import category_column

PSEUDOCODE = """
start round:  grow(all examples):
empty:          if no examples: parent's mean
score detail:   for each A: its best test
leaf:           if none, or stop: return mean y
choose:         A ← least squares left below
branch detail:  for each v: grow(rows, A = v)
end round:    return the tree
"""
LEAF = (
    "constant: the mean of its examples. linear: least squares over the columns of numbers; a line"
    " that leaves no error is not divided."
)
STOP = (
    "beside the least number of examples: at a depth, or where the best test takes away too little"
)
EVEN = 1e-9  # of the squares around the mean: what a line leaves for rounding


class Params(Record, eq=True):
    leaf: Annotated[Literal["constant", "linear"], Label("Leaves"), Help(LEAF)] = "constant"
    min_leaf: Annotated[int, Range(1, 10_000, log=True), Label("Least examples in a leaf")] = 3
    ties: Annotated[
        Literal["first", "random"],
        Label("Ties"),
        Help("equal tests: table order, or drawn by the seed"),
    ] = "first"
    subset_tests: Annotated[
        bool,
        Label("Tests of one value"),
        Help("one value against the rest, not a branch per value"),
    ] = False
    stop: Annotated[Literal["none", "depth", "no-gain"], Label("Stop"), Help(STOP)] = "none"
    depth: Annotated[int, Range(0, 100), Label("Depth"), When("stop", ("depth",))] = 3
    least_gain: Annotated[
        float, Range(0, 1), Label("Share of the squares at most"), When("stop", ("no-gain",))
    ] = 0.05


class State(Record):
    """The tree as a list of decisions, one a node, and the running number over all its ends.

    log: what was decided so far
    nominal: which columns hold categories
    squares: Σ (y − h)²
    n: examples
    size: nodes made
    current: the node that this step shows, or −1
    column, point: its test that this step shows or that was taken, −1 and None without
    """

    log: Prefix[Decision]
    nominal: tuple[bool, ...]
    squares: float
    n: int
    size: int = 1
    tests: int = 0
    leaves: int = 0
    current: int = 0
    column: int = -1
    point: float | None = None

    @property
    def rmse(self) -> float:
        return float(np.sqrt(self.squares / self.n))

    @property
    def tree(self) -> Tree:
        """The tree so far, as arrays.

        Its totals are examples, mean and squares; its labels are the means.
        """
        return tree_at(self.log, self.nominal)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes so far, parents before children."""
        return nodes_for_reading(self)


def importance(tests: Candidates) -> Float:
    """(m,) the share that tests take away of the squares around the mean of their node.

    That is (Σ (y − ȳ)² of the node − Σ (y − ȳₖ)² of its branches k) / Σ (y − ȳ)² of the node:
    of tests of one node it is largest where least squares are left.
    """
    before = tests.before(total_squares)
    after = tests.after(total_squares)
    around_mean = tests.examples  # of values the squares of the node, not the number of examples
    share: Float = (before - after) / around_mean
    return share


class Setting(Given[Params]):
    """The rows with a value, the score of tests and the stopping rule of a run."""

    @cached_property
    def y(self) -> Float:
        """(n,) the values, NaN where not known."""
        return known_values(self.problem)

    @cached_property
    def lines(self) -> list[int]:
        """The indices of the numeric columns, over which a linear leaf is fitted."""
        return [j for j, f in enumerate(self.problem.features) if f.numeric]

    @cached_property
    def words(self) -> TreeWords:
        """Texts of the tests."""
        return TreeWords(self.problem)

    @property
    def linear(self) -> bool:
        """Whether leaves have lines."""
        return self.p.leaf == "linear" and bool(self.lines)

    @property
    def limit(self) -> float:
        """The threshold of the stopping rule that p.stop names: a depth or a gain; 0 for none."""
        p = self.p
        limits = {
            "depth": float(p.depth),  # … it lies ≥ limit tests below the root
            "no-gain": p.least_gain,  # … the `importance` of its best test is ≤ limit
        }
        return limits.get(p.stop, 0.0)

    def root(self, rng: Rng) -> OpenNode:
        """The root node with all examples; every branch of a test needs `min_leaf` examples."""
        p = self.p
        problem = self.problem
        rule = Rule(
            importance,
            every_midpoint=True,  # of numbers x ≤ t, t half-way between any neighbouring values
            most_branches=2 if p.subset_tests else np.inf,
            least=p.min_leaf,
        )
        growth = Growth(
            rule,
            p.ties,
            stop="pure" if p.stop == "none" else p.stop,
            limit=self.limit,
            salt=int(rng.integers(2**62)),
        )
        table = Examples.of(problem.X, problem.features, problem.codes, 0)
        return root(Values.learnt(table, self.y), growth)

    def line(self, rows: Int) -> tuple[Float, float]:
        """(w (k + 1,) with w₀ first, Σ of its squared errors) of the least-squares line of these
        examples.
        """
        X = self.problem.X[rows][:, self.lines]
        y = self.y[rows]
        w, _ = least_squares(X, y)
        away = y - X @ w[1:] - w[0]
        return w, float(away @ away)

    def answers(self, s: State, ends: Int, X: Float) -> Float:
        """(…) the answers of the leaves `ends` (…). X: (…, k) the columns that linear leaves use"""
        if not self.linear:
            return np.asarray(s.tree.label[ends])
        w = leaf_weights(s, s.tree, len(self.lines))[ends]
        return np.asarray(w[..., 0] + (w[..., 1:] * X).sum(axis=-1))


def started(given: Setting, root: OpenNode) -> State:
    """The state of a tree with one open node."""
    examples, _, squares = root.totals
    nominal = tuple(not f.numeric for f in given.problem.features)
    return State(rooted(root), nominal, squares, int(examples))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield None
    root = given.root(rng)
    s = started(given, root)
    yield from at("start", s)
    s = yield from grow(given, at, s, root)
    yield from at("end", replace(s, current=-1, column=-1, point=None), "done")


@leap
def grow(given: Setting, at: At, s: State, root: OpenNode) -> Part[State, State]:
    """The state with the whole tree grown."""
    return (yield from unrolled(grow_branch(given, at, s, root)))


def grow_branch(given: Setting, at: At, s: State, node: OpenNode) -> Recursive[State]:
    """The state with a node and everything below it grown: the recursion of AIMA Fig 18.5, for
    values.
    """
    s = looking_at_node(s, node)
    examples, _, squares = node.totals  # how many, their mean, Σ (y − mean)²
    if not examples:
        s = leaf(s, node)  # answers with the mean of its parent
        yield from at("empty", s, "leaf")
        return s
    line = given.line(node.rows) if given.linear else None
    exact = bool(line and squares and line[1] <= EVEN * squares)
    if not exact:
        yield from node.score_columns()  # by `importance`, of each column its best test
        for column in node.columns:
            yield from at("score", replace(s, column=column, point=node.point(column)), node=node)
    test = None if exact else node.test
    if test is None:  # one value, no test divides, or the stopping rule holds: see `limit`
        s = fitted(s, node, line, exact) if line else leaf(s, node)  # answers with the line or mean
        yield from at("leaf", s, "leaf")
        return s
    node = node.choose(at.take)  # A ← argmax importance; of tied ones the first, or one drawn
    s = split(s, node)
    yield from at("choose", s, "split", *when(tie=test.equals > 1), node=node)
    for branch in node.branches:  # for each v the rows with A = v, also where there are none
        yield from at("branch", looking_at_node(s, branch))
        s = yield grow_branch(given, at, s, branch)
    return s


def predict(given: Setting, s: State, X: Float) -> Float:
    """(m,) the mean or line of the leaf that each row of X (m, d) reaches; open nodes answer with
    their mean.
    """
    tree = s.tree
    ends = (
        by_steps(tree.point, X, lambda X: descend(tree, X)[0])
        if given.lines
        else descend(tree, X)[0]
    )
    return np.where(np.isnan(X).any(axis=1), np.nan, given.answers(s, ends, X[:, given.lines]))


def example() -> Problem:
    """Ten walks: longer in the sun, and the warmer the longer; of snow there is no example."""
    sky = ["sun"] * 6 + ["rain"] * 4
    warm = [8.0, 12.0, 15.0, 21.0, 24.0, 26.0, 9.0, 13.0, 18.0, 20.0]
    walk = [3.0, 4.0, 5.0, 9.0, 10.0, 11.0, 1.0, 1.0, 1.0, 1.0]
    data = Dataset.from_columns(
        {"Warm": warm, "Sky": sky, "Walk": walk}, "Walk", task="regress", name="Walks"
    )
    return prepare(data.with_column(category_column("Sky", sky, ("sun", "rain", "snow"))))


ALGORITHM = Algorithm.of(
    __name__,
    title="Regression tree",
    task=Task.REGRESS,
    source=("AIMA 18.3.6", "LS, Decision tree learning"),
    params=Params,
    needs=Needs(labels=False, values=True),
    curves=(Curve("rmse", "root mean square error", about=("leaves",)),),
    measures=("rmse", "leaves"),
    events=("split", "tie", "leaf", "done"),
)
