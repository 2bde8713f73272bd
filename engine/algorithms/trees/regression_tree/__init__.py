"""Regression-tree learning: boxes, each with a constant or with a line of its own. AIMA 18.3.6."""

from typing import Annotated, Literal

from engine.algorithms.trees.parts.entries import Examples
from engine.algorithms.trees.parts.growth import Growth
from engine.algorithms.trees.parts.levels import Bud, root
from engine.algorithms.trees.parts.log import leaf
from engine.algorithms.trees.parts.model import Why, descend
from engine.algorithms.trees.parts.naming import TreeWords
from engine.algorithms.trees.parts.splits import Rule
from engine.algorithms.trees.parts.steps import by_steps
from engine.algorithms.trees.parts.values import Values, known_values
from engine.algorithms.trees.regression_tree.log import State, fitted, leaf_weights, split, started
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
    when,
)
from engine.core.dataset import category_column
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


class Setting(Given[Params]):
    """y (n,): NaN where not known; lines: the columns that a linear leaf goes by."""

    y = cached_property(lambda given: known_values(given.problem))
    lines = cached_property(
        lambda given: [j for j, f in enumerate(given.problem.features) if f.numeric]
    )
    words = cached_property(lambda given: TreeWords(given.problem))
    linear = property(lambda given: given.p.leaf == "linear" and bool(given.lines))

    def root(self, rng: Rng) -> Bud:
        p = self.p
        problem = self.problem
        salt = int(rng.integers(2**62))
        rule = Rule(
            "squares",
            every_midpoint=True,
            most_branches=2 if p.subset_tests else np.inf,
            least=p.min_leaf,
        )
        limit = {"depth": p.depth, "no-gain": p.least_gain}.get(p.stop, 0.0)
        growth = Growth(
            rule, p.ties, stop=p.stop if p.stop != "none" else "pure", limit=limit, salt=salt
        )
        return root(
            Values.learnt(Examples.of(problem.X, problem.features, problem.codes, 0), self.y),
            growth,
        )

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
    top = given.root(rng)  # the node of all examples, with all that may be looked at on the way
    s = started(given.problem, top)
    yield from at("start", s)
    s = yield from grow(given, at, s, top)
    yield from at("end", replace(s, current=-1, column=-1, point=None), "done")


@leap
def grow(given: Setting, at: At, s: State, top: Bud) -> Part[State, State]:
    """A branch is grown to its end before the next one."""
    waiting = [top]
    while waiting:
        bud = waiting.pop()
        s = replace(s, current=bud.number, column=-1, point=None)
        if bud.number:
            yield from at("branch", s)
        if bud.why is Why.EMPTY:
            s = leaf(s, bud)
            yield from at("empty", s, "leaf")
            continue
        line = given.line(bud.rows) if given.linear else None
        exact = bool(line and bud.totals[2] and line[1] <= EVEN * bud.totals[2])
        if not exact:
            yield from bud.weigh()
            for column in bud.columns:
                yield from at("score", replace(s, column=column, point=bud.point(column)), bud=bud)
            if (test := bud.test) is not None:
                below = (bud := bud.taken(at.take)).branches()
                s = split(s, bud, bud.test or test, below)
                yield from at("choose", s, "split", *when(tie=test.equals > 1), seen=bud)
                waiting += below.buds[::-1]
                continue
        s = fitted(s, bud, line, exact) if line else leaf(s, bud)
        yield from at("leaf", s, "leaf")
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
