"""Gradient boosting: small regression trees, each taught on what the sum of the earlier ones
leaves. Extension (Friedman 2001).
"""

from functools import partial
from typing import Annotated

from engine.algorithms.ensembles.gradient_boosting.examples import Boosting
from engine.algorithms.ensembles.gradient_boosting.member import (
    Growing,
    Member,
    Node,
    answer,
    divide,
    rooted,
)
from engine.algorithms.trees.parts.levels import OpenNode
from engine.algorithms.trees.parts.splits import Candidates
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
    np,
    prepare,
    replace,
    when,
)
from engine.base.sums import add_up
from engine.numerics.closeness import settled
from engine.numerics.impurity import total_squares
from engine.numerics.sigmoid import log_loss, log_loss_of_classes

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
WAY = "tests on a way; 1: stumps, a sum of one function of each column"
NOTHING = frozen(np.zeros(0))
LEAST = 1e-9  # share of a class without examples
FLAT = 1e-150  # a sum of p (1 − p) that divides nothing


class Params(Record, eq=True):
    members: Annotated[int, Range(1, 10_000, log=True), Label("Trees M")] = 10
    rate: Annotated[float, Range(1e-3, 1, log=True), Label("Shrinkage ν"), Help(SHRINKAGE)] = 0.3
    depth: Annotated[int, Range(1, 8), Label("Depth of a tree"), Help(WAY)] = 2
    min_leaf: Annotated[int, Range(1, 10_000, log=True), Label("Least examples in a leaf")] = 1


class State(Record):
    """The model is `start` and `learners`; the fields after `round` are what this step shows.

    start: (k,) the constants; k = 1 for values and two classes, else one for each class
    learners: the trees so far, k in each round
    F: (k, n) their sum
    loss: the mean over the examples
    errors: wrong examples, 0 for values
    off: root mean square of what F leaves
    round: m, 0 before the first
    before: (k, n) F before this round
    residual: (n,) r of one output, (0,) before it is known
    output: which one
    growing: the tree that grows now, None for none
    current: the row with the largest residual, or −1
    """

    start: Float
    learners: Prefix[Member]
    F: Float
    loss: float = np.nan
    errors: int = 0
    off: float = np.nan
    round: int = 0
    before: Float = NOTHING
    residual: Float = NOTHING
    output: int = 0
    growing: Growing | None = None
    current: int = -1


def importance(tests: Candidates) -> Float:
    """(m,) the share that tests take away of the squares around the mean of their node.

    That is (Σ (r − r̄)² of the node − Σ (r − r̄ₖ)² of its branches k) / Σ (r − r̄)² of the node:
    of tests of one node it is largest where least squares of r are left.
    """
    before = tests.before(total_squares)
    after = tests.after(total_squares)
    around_mean = tests.examples  # of values the squares of the node, not the number of examples
    share: Float = (before - after) / around_mean
    return share


class Setting(Boosting[Params]):
    """The loss, (y − F)² for values or −log p of the true class, and the growth of the trees."""

    def constant(self) -> Float:
        """(k,) the F of least loss without any column.

        The mean of values, the log-odds of the first of two classes, the logarithms of the shares
        of more.
        """
        mean = self.Y[:, self.rows].mean(axis=1)
        if self.problem.regress:
            return frozen(mean)
        p = np.clip(mean, LEAST, 1 - LEAST)
        if self.outputs == 1:
            return frozen(np.log(p / (1 - p)))
        return frozen(np.log(p))

    def chances(self, F: Float) -> Float:
        """(k, m) p of each output: 1 / (1 + e^−F) of two classes, e^F / Σ e^F of more."""
        if self.outputs == 1:
            return np.asarray(0.5 * np.tanh(0.5 * F) + 0.5)  # the same, and cannot overflow
        power = np.exp(F - F.max(axis=0))
        return np.asarray(power / power.sum(axis=0))

    def residuals(self, F: Float) -> Float:
        """(k, n) r = y − F of values, y − p of classes: the way down the loss of each example."""
        if self.problem.regress:
            return self.Y - F
        return self.Y - self.chances(F)

    def root(self, residual: Float) -> OpenNode:
        """The root node of a tree that fits these residuals (n,)."""
        return self.open_node(residual, importance, self.p.depth, self.p.min_leaf)

    def gamma(self, residual: Float, node: OpenNode) -> float:
        """The answer γ of a leaf: the mean residual, or for classes Σ r / Σ p (1 − p), a Newton
        step on the log-loss.
        """
        r = residual[node.rows]
        if self.problem.regress:
            return float(r.mean())
        over, under = self.newton(r)
        return over / under if under > FLAT else 0.0

    def newton(self, r: Float) -> tuple[float, float]:
        """(Σ r, Σ p (1 − p)) over the residuals r of a leaf; for k > 2 classes the first times (k −
        1)/k.

        r is 1 − p or −p, so p (1 − p) is |r| (1 − |r|).
        """
        size = np.abs(r)
        over = settled(add_up(r.tolist()), add_up(size.tolist()))
        under = add_up((size * (1 - size)).tolist())
        k = self.outputs
        if k > 1:
            over *= (k - 1) / k
        return over, under

    def loss(self, F: Float) -> float:
        """The mean over the examples of (y − F)², or of −log p of the true class. F: (k, n)"""
        Y = self.Y[:, self.rows]
        F = F[:, self.rows]
        if self.problem.regress:
            return float(((Y - F) ** 2).mean())
        if self.outputs == 1:
            return float(log_loss(Y[0], F[0]).mean())
        return float(log_loss_of_classes(Y, F).mean())

    def with_metrics(self, s: State) -> State:
        """The state with its metrics: loss, errors and root mean square of the residuals."""
        off = self.root_mean_square(self.residuals(s.F), s.F)
        return replace(s, loss=self.loss(s.F), errors=self.errors(s.F), off=off)

    def sum_of(self, s: State, X: Float) -> Float:
        """(k, m) F of any rows; over one column of numbers it changes only at the split points."""
        if self.nominal.any() or not len(s.learners):
            return added_up(s, X)
        points = np.concatenate([tree.point for tree in s.learners])
        return np.asarray(by_steps(points, X, partial(added_up, s)))


def added_up(s: State, X: Float) -> Float:
    """(k, m) F: the constant and ν γ(x) of every tree, in the order of the rounds."""
    F = np.repeat(s.start[:, None], len(X), axis=1)
    for number, tree in enumerate(s.learners):
        F[number % len(F)] += tree.part(X)
    return F


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    constant = given.constant()
    F = frozen(np.repeat(constant[:, None], given.problem.n, axis=1))
    s = given.with_metrics(State(constant, Prefix([], 0), F, before=F))
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    s = whole_rounds(given, s)
    while s.round < given.p.members and s.off:
        errors_before = s.errors
        s = replace(s, round=s.round + 1, before=s.F, growing=None)
        yield from at("loop", s)
        F = s.F.copy()
        for k, residual in enumerate(given.residuals(s.F)):  # r ← y − F, or y − p
            largest = int(np.nanargmax(np.abs(residual)))
            s = replace(s, output=k, residual=frozen(residual), current=largest)
            yield from at("residual", s)
            tree = yield from grow(given, at, s)
            F[k] += tree.rate * tree.gamma(given.problem.X)  # F ← F + ν γ(x)
            s = replace(s, learners=s.learners.plus(tree))
        s = given.with_metrics(replace(s, F=frozen(F)))
        clean = s.errors == 0 and errors_before > 0
        yield from at("add", s, *when(round=True, clean=clean))
    s = replace(s, current=-1, residual=NOTHING)
    yield from at("return", s, *when(exact=not s.off))


def whole_rounds(given: Setting, s: State) -> State:
    """The state from which a run can go on; an unfinished round begins again.

    Raises EngineError where the trees were learnt on another table.
    """
    d = given.problem.d
    if len(s.start) != given.outputs or any(tree.d != d for tree in s.learners[:1]):
        raise EngineError("These trees were taught on another table: start again.")
    rounds = len(s.learners) // given.outputs
    learners = Prefix(s.learners.items, rounds * given.outputs)
    s = replace(s, learners=learners, round=rounds, residual=NOTHING, current=-1)
    F = frozen(given.sum_of(s, given.problem.X))
    return given.with_metrics(replace(s, F=F, before=F))


def grow(given: Setting, at: At, s: State) -> Part[State, Member]:
    """A tree fitted to the residuals, with the leaf answers that lower the loss most."""
    root = given.root(s.residual)
    nodes = rooted(root)
    yield from grow_branch(given, at, s, nodes, root)
    return Member.of(nodes, given.nominal, given.p.rate)


def grow_branch(
    given: Setting, at: At, s: State, nodes: list[Node], node: OpenNode
) -> Part[State, None]:
    """Grows a node and everything below it: the recursion of AIMA Fig 18.5, for values."""
    yield from node.score_columns()  # by `importance`, of each column its best test
    for column in node.columns:
        looking = looking_at(given, s, nodes, node, column, node.point(column))
        yield from at("score", looking, node=node)
    test = node.test  # none of one value, at the full depth, or where branches would be too small
    if test is None:
        gamma = given.gamma(s.residual, node)  # the mean of r, or Σ r / Σ p (1 − p)
        answer(nodes, node, gamma)
        yield from at("leaf", looking_at(given, s, nodes, node))
        return
    node = node.choose(at.take)  # A ← argmax importance; of tied ones the first
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
    point: float | None = None,
) -> State:
    """The state that shows a node of the growing tree and a test of it. point: threshold, None for
    a test without one
    """
    point = np.nan if point is None else point
    return replace(s, growing=Growing(tuple(nodes), given.nominal, node.number, column, point))


def predict(given: Setting, s: State, X: Float) -> Float | Int:
    """(m,) values, or class indices: the first of two classes from F = 0 on, else the largest F."""
    F = given.sum_of(s, X)
    return F[0] if given.problem.regress else given.decided(F)


def scores(given: Setting, s: State, X: Float) -> Float:
    """F at rows X (m, d): (m,), or (m, k) for more than two classes."""
    F = given.sum_of(s, X)
    return np.asarray(F[0] if len(F) == 1 else F.T)


def example() -> Problem:
    """Four examples of two classes on a line."""
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
