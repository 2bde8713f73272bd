"""Regression-tree learning: boxes, each with a constant or with a line of its own. AIMA 18.3.6."""

from typing import Annotated, Literal

from engine.algorithms.trees.parts.entries import Examples
from engine.algorithms.trees.parts.growth import Growth
from engine.algorithms.trees.parts.levels import OpenNode, root
from engine.algorithms.trees.parts.log import leaf
from engine.algorithms.trees.parts.model import Why, descend
from engine.algorithms.trees.parts.naming import TreeWords
from engine.algorithms.trees.parts.splits import Candidates, Rule
from engine.algorithms.trees.parts.steps import by_steps
from engine.algorithms.trees.parts.values import Values, known_values
from engine.algorithms.trees.regression_tree.log import (
    State,
    fitted,
    leaf_weights,
    looking_at_node,
    split,
    started,
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
    Problem,
    Range,
    Record,
    Recursive,
    Rng,
    Setting as Given,
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
from engine.core.dataset import category_column
from engine.numerics.impurity import total_squares
from engine.numerics.least_squares import least_squares

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


def importance(tests: Candidates) -> Float:
    """(m,) how much tests take away of the squares around the mean, as a share of them.

    Σ (y − ȳ)² of the examples of the node, less those of its branches around their own means.
    """
    before = tests.before(total_squares)
    after = tests.after(total_squares)
    share: Float = (before - after) / tests.examples
    return share


class Setting(Given[Params]):
    """What a run has of its table and its parameters."""

    @cached_property
    def y(self) -> Float:
        """(n,) the values, NaN where not known."""
        return known_values(self.problem)

    @cached_property
    def lines(self) -> list[int]:
        """The columns that a linear leaf goes by."""
        return [j for j, f in enumerate(self.problem.features) if f.numeric]

    @cached_property
    def words(self) -> TreeWords:
        """How the tests are written."""
        return TreeWords(self.problem)

    @property
    def linear(self) -> bool:
        """Whether leaves have lines."""
        return self.p.leaf == "linear" and bool(self.lines)

    def root(self, rng: Rng) -> OpenNode:
        """The node of all examples."""
        p = self.p
        problem = self.problem
        rule = Rule(
            importance,
            every_midpoint=True,
            most_branches=2 if p.subset_tests else np.inf,
            least=p.min_leaf,
        )
        growth = Growth(
            rule,
            p.ties,
            stop="pure" if p.stop == "none" else p.stop,
            limit={"depth": p.depth, "no-gain": p.least_gain}.get(p.stop, 0.0),
            salt=int(rng.integers(2**62)),
        )
        table = Examples.of(problem.X, problem.features, problem.codes, 0)
        return root(Values.learnt(table, self.y), growth)

    def line(self, rows: Int) -> tuple[Float, float]:
        """(w (k + 1,), the squares that it leaves): the line of these examples, w₀ first."""
        X = self.problem.X[rows][:, self.lines]
        y = self.y[rows]
        w, _ = least_squares(X, y)
        away = y - X @ w[1:] - w[0]
        return w, float(away @ away)

    def answers(self, s: State, ends: Int, X: Float) -> Float:
        """(…) what the ends answer; X (…, k): the columns that lines go by."""
        if not self.linear:
            return np.asarray(s.tree.label[ends])
        w = leaf_weights(s, s.tree, len(self.lines))[ends]
        return np.asarray(w[..., 0] + (w[..., 1:] * X).sum(axis=-1))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield None
    root = given.root(rng)
    s = started(given.problem, root)
    yield from at("start", s)
    s = yield from grow(given, at, s, root)
    yield from at("end", replace(s, current=-1, column=-1, point=None), "done")


@leap
def grow(given: Setting, at: At, s: State, root: OpenNode) -> Part[State, State]:
    """The whole tree."""
    return (yield from unrolled(grow_branch(given, at, s, root)))


def grow_branch(given: Setting, at: At, s: State, node: OpenNode) -> Recursive[State]:
    """A node and all below it: the recursion of AIMA Fig 18.5, for values."""
    s = looking_at_node(s, node)
    if node.why is Why.EMPTY:
        s = leaf(s, node)  # answers with the mean of its parent
        yield from at("empty", s, "leaf")
        return s
    line = given.line(node.rows) if given.linear else None
    exact = bool(line and node.unknown and line[1] <= EVEN * node.unknown)
    if not exact:
        yield from node.score_columns()  # by `importance`, of each column its best test
        for column in node.columns:
            yield from at("score", replace(s, column=column, point=node.point(column)), node=node)
    test = None if exact else node.test
    if test is None:
        s = fitted(s, node, line, exact) if line else leaf(s, node)
        yield from at("leaf", s, "leaf")
        return s
    node = node.choose(at.take)  # the test of largest importance
    s = split(s, node)
    yield from at("choose", s, "split", *when(tie=test.equals > 1), node=node)
    for branch in node.branches:
        yield from at("branch", looking_at_node(s, branch))
        s = yield grow_branch(given, at, s, branch)
    return s


def predict(given: Setting, s: State, X: Float) -> Float:
    """The mean or the line of the end that each row reaches; an open node answers with its mean."""
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
