"""Gradient boosting: small regression trees, each taught on what the sum of the earlier ones
leaves. Extension (Friedman 2001).
"""

from typing import Annotated

from engine.algorithms.ensembles.gradient_boosting.loss import Boosting
from engine.algorithms.ensembles.gradient_boosting.member import (
    Growing,
    Member,
    Node,
    answer,
    divide,
    rooted,
)
from engine.algorithms.trees.parts.levels import OpenNode
from engine.algorithms.trees.parts.steps import by_steps
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    EngineError,
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
    Rng,
    Steps,
    Task,
    frozen,
    leap,
    np,
    prepare,
    replace,
    when,
)

PSEUDOCODE = """
start round:  F ← the constant of least loss
loop detail:  for m = 1 to M
residual:       r ← what F leaves of each y
score detail:   for each A: its best test
split detail:   A ← least squares left of r
leaf detail:    γ ← least loss of F + γ here
add round:      F ← F + ν γ(x)
return round: return F
"""
SHRINKAGE = "how much of each tree is added: less of it takes more trees, and overfits later"
NOTHING = frozen(np.zeros(0))
WAY = "tests on a way; 1: stumps, a sum of one function of each column"


class Params(Record, eq=True):
    members: Annotated[int, Range(1, 10_000, log=True), Label("Trees M")] = 10
    rate: Annotated[float, Range(1e-3, 1, log=True), Label("Shrinkage ν"), Help(SHRINKAGE)] = 0.3
    depth: Annotated[int, Range(1, 8), Label("Depth of a tree"), Help(WAY)] = 2
    min_leaf: Annotated[int, Range(1, 10_000, log=True), Label("Least examples in a leaf")] = 1


class State(Record):
    """start (k,): the constants, k = 1 for values and two classes, else one for each class;
    learners: trees so far, k a round; F (k, n): their sum; before: the sum before the last;
    residual (n,), or (0,): of output `output`; growing: the tree that grows now, or None; current:
    the row with most left, or −1; loss: mean of the examples; errors: wrong ones; off: root mean
    square of what is left.
    """

    start: Float
    learners: Prefix[Member]
    F: Float
    before: Float
    residual: Float
    loss: float
    errors: int
    off: float
    round: int = 0
    output: int = 0
    growing: Growing | None = None
    current: int = -1


class Setting(Boosting[Params]):
    def sum_of(self, s: State, X: Float) -> Float:
        """(k, m) F of any rows, added up in the order of the rounds."""

        def added(X: Float) -> Float:
            F = np.repeat(s.start[:, None], len(X), axis=1)
            for k, member in enumerate(s.learners):
                F[k % len(F)] += member.part(X)
            return F

        if self.nominal.any() or not len(s.learners):
            return added(X)
        return np.asarray(
            by_steps(np.concatenate([member.point for member in s.learners]), X, added)
        )


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    constant = given.constant()
    F = frozen(np.repeat(constant[:, None], given.problem.n, axis=1))
    yield from at(
        "start", s := given.judged(State(constant, Prefix([], 0), F, F, NOTHING, np.nan, 0, np.nan))
    )
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    if len(s.start) != given.outputs or any(
        member.d != given.problem.d for member in s.learners[:1]
    ):
        raise EngineError("These trees were taught on another table: start again.")
    rounds = len(s.learners) // given.outputs
    s = replace(
        s, learners=Prefix(s.learners.items, rounds * given.outputs), round=rounds, residual=NOTHING
    )
    s = given.judged(s, F=(F := frozen(given.sum_of(s, given.problem.X))), before=F, current=-1)
    while s.round < given.p.members and s.off:
        s, errors = replace(s, round=s.round + 1, before=s.F, growing=None), s.errors
        yield from at("loop", s)
        left = given.residuals(s.F)
        F = s.F.copy()
        for k, residual in enumerate(left):
            largest = int(np.nanargmax(np.abs(residual)))
            s = replace(s, output=k, residual=frozen(residual), current=largest)
            yield from at("residual", s)
            member, part = yield from grow(given, at, s)
            F[k] += part
            s = replace(s, learners=s.learners.plus(member))
        s = given.judged(s, F=frozen(F))
        yield from at("add", s, "round", *when(clean=s.errors == 0 < errors))
    yield from at("return", replace(s, current=-1, residual=NOTHING), *when(exact=not s.off))


@leap
def grow(given: Setting, at: At, s: State) -> Part[State, tuple[Member, Float]]:
    """A tree on the residuals, its leaves with what lowers the loss most; and what it adds to F of
    every example.
    """
    root = given.root(s.residual)
    nodes = rooted(root)
    yield from grow_branch(given, at, s, nodes, root)
    member = Member.of(nodes, given.nominal, given.p.rate)
    return member, member.part(given.problem.X)


def grow_branch(
    given: Setting, at: At, s: State, nodes: list[Node], node: OpenNode
) -> Part[State, None]:
    """A node and all below it, as in a regression tree."""
    yield from node.score_columns()
    for column in node.columns:
        looking = looking_at(given, s, nodes, node, column, node.point(column))
        yield from at("score", looking, node=node)
    test = node.test
    if test is None:
        answer(nodes, node, given.answer(s.residual, node))
        yield from at("leaf", looking_at(given, s, nodes, node))
        return
    node = node.choose(at.take)
    divide(nodes, node)
    test = node.test or test
    looking = looking_at(given, s, nodes, node, test.column, test.point)
    yield from at("split", looking, *when(tie=test.equals > 1), node=node)
    for branch in node.branches:
        yield from grow_branch(given, at, s, nodes, branch)


def looking_at(
    given: Setting,
    s: State,
    nodes: list[Node],
    node: OpenNode,
    column: int = -1,
    point: float | None = np.nan,
) -> State:
    """A state that looks at a node of the tree that grows, and at a test."""
    point = np.nan if point is None else point
    return replace(s, growing=Growing(tuple(nodes), given.nominal, node.number, column, point))


def predict(given: Setting, s: State, X: Float) -> Float | Int:
    """Values, or class indices: above 0 the first of two classes, else the largest F."""
    F = given.sum_of(s, np.nan_to_num(X))
    unknown = np.isnan(X).any(axis=1)
    return (
        np.where(unknown, np.nan, F[0])
        if given.problem.regress
        else np.where(unknown, -1, given.decided(F))
    )


def scores(given: Setting, s: State, X: Float) -> Float:
    F = given.sum_of(s, X)
    return np.asarray(F[0] if len(F) == 1 else F.T)


def example() -> Problem:
    """Four examples in a line."""
    return prepare(Dataset.from_columns({"x": [1.0, 2.0, 4.0, 5.0], "y": list("ppqq")}, "y"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Gradient boosting",
    task=Task.CLASSIFY,
    extension=True,
    needs=Needs(values=True, min_classes=2),
    curves=(
        Curve("errors", "wrong points", of_n=True, digits=0),
        Curve("loss", "loss", digits=4, about=("F",)),
        Curve("rmse", "root mean square of what is left", digits=3, about=("errors",)),
    ),
    events=("round", "tie", "clean", "exact"),
    metrics=Setting.metrics,
)
