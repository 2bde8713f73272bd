"""A line or a quadratic fitted for each query by itself, near examples counting more.

AIMA 18.8.4, ML 8.3 (Eqs 8.5-8.7).
"""

from typing import Annotated, Literal

from engine.algorithms.regression.parts.smoothing_fits import Rule, function, speed, terms, weights
from engine.algorithms.regression.parts.sweep import (
    ALL_WEIGH,
    CURVES,
    Kernel,
    S,
    Smoothing,
    Width,
)
from engine.algorithms.regression.parts.sweep import (
    State as Query,
)
from engine.authoring import (
    Algorithm,
    At,
    Dataset,
    Empty,
    EngineError,
    Float,
    Help,
    Label,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    When,
    cached_property,
    field,
    frozen,
    np,
    prepare,
    replace,
    when,
)

PSEUDOCODE = """
start  round:  memory ← empty
store  round:  put every (x, y) into memory
query  detail: for each q, from left to right
weigh  detail:   for each x: w ← K(|x − q|)
fit    detail:   b ← least Σ w (y − b · a)²
answer:          h(q) ← b · a
end    round:  return the curve h
"""
MOST_COLUMNS = 10  # of a quadratic, which has 66 weights then
QUADRATIC = "a is 1, x, and for a quadratic also x² and the products of columns"
RATE = "empty: half of the critical rate 2/λmax(Σ w a aᵀ) at each query"
SHOWN = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)  # updates that have a step


class Params(Record, eq=True):
    kernel: Kernel = "quadratic"
    width: Width = None
    k: Annotated[
        int,
        Range(0, 10_000),
        Label("Neighbours k"),
        Help("0: all examples (ML criterion 2); else only the k nearest, weighted (criterion 3)"),
    ] = 0
    model: Annotated[Literal["line", "quadratic"], Label("Local model"), Help(QUADRATIC)] = "line"
    found: Annotated[
        Literal["solved", "by gradient"],
        Label("Found"),
        Help("by gradient: the delta rule of ML 8.3.1 from b = 0"),
    ] = "solved"
    rate: Annotated[
        float | None,
        Range(1e-12, 1e3, log=True),
        Label("Rate η"),
        Empty("auto"),
        Help(RATE),
        When("found", ("by gradient",)),
    ] = None
    updates: Annotated[
        int, Range(1, 1000, log=True), Label("Updates"), When("found", ("by gradient",))
    ] = 100


def no_path() -> Float:
    """(1, 0) no weights, before anything is fitted."""
    return frozen(np.zeros((1, 0)))


class State(Query):
    """The model is the memory itself, as in every sweep; here also the way of b at this query.

    path: (t + 1, p) b after each of the updates so far, from 0; shown where it is found by gradient
    """

    path: Float = field(default_factory=no_path)


class Setting(Smoothing[Params]):
    """A line or quadratic through all examples or the k nearest, weighted by a kernel K of
    d = |x − q|. Raises EngineError for a quadratic of too many columns.

    quadratic: K(d) = max(0, 1 − (2 d / width)²)
    gaussian:  K(d) = e^(−d² / width²)
    1/d²:      K(d) = 1 / d²
    """

    @cached_property
    def rule(self) -> Rule:
        """The rule of the estimate: a weighted line or quadratic through k examples."""
        if self.p.model == "quadratic" and self.problem.d > MOST_COLUMNS:
            raise EngineError(
                f"A quadratic of {self.problem.d} columns has too many weights: choose a line, or"
                f" put columns aside until {MOST_COLUMNS} are left."
            )
        updates = self.p.updates if self.by_gradient else 0
        return Rule(self.p.k, self.p.kernel, self.width, self.p.model, updates, self.p.rate)

    @property
    def by_gradient(self) -> bool:
        """Whether b is found step by step instead of solved for."""
        return bool(self.p.found == "by gradient")

    def at_query(self, s: S, q: Float) -> S:
        """The state with the query at q (d,): the weight of each x there, what is fitted, h(q)."""
        near = self.model.near(q)  # every stored x or k of them, the nearest first
        w = weights(near.d, self.rule)  # K(|x − q|)
        # b of least Σ w (y − b · a)², or after the updates; with x measured from q, h(q) is b₀
        h, b = function(self.rule, near.y, w, near.x - q)
        return self.queried(s, q, near, h, b)

    def solved(self, s: State) -> float:
        """h(q) of least Σ w (y − b · a)² at the query."""
        near = self.model.near(s.query)
        rule = replace(self.rule, updates=0)
        return function(rule, near.y, weights(near.d, rule), near.x - s.query)[0]

    def a(self, s: State) -> Float:
        """(c, p) 1, x, for a quadratic also its squares and products, of the neighbours; x is
        measured from q.
        """
        gaps = self.problem.X[s.neighbours] - s.query
        return np.column_stack([np.ones(len(gaps)), terms(gaps[None], self.rule)[0]])

    def rate(self, s: State) -> tuple[float, int, float]:
        """(η, updates, critical η) at the query; from the critical one on b runs away, and the
        updates end early.
        """
        a = self.a(s)
        sizes = np.linalg.eigvalsh(a.T @ (s.weights[:, None] * a))
        steepest = np.asarray(sizes[-1:], np.float64)
        rate, updates = speed(self.rule, steepest)
        return float(rate[0]), int(updates[0]), 2 / float(steepest[0])

    def diverged(self, s: State) -> bool:
        """Whether the updates ended early, because each made the errors larger."""
        if not self.by_gradient or s.fallback:
            return False
        _, updates, _ = self.rate(s)
        return updates < int(self.p.updates)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield from at("start", State())
    stored = State(stored=True)
    yield from given.precompute(at)
    yield from at("store", stored)
    for q in given.stops(at):
        s = given.at_query(stored, q)  # all that is found there, shown line by line
        yield from at("query", s)
        for x in s.nearest:  # the first of them stand for all
            yield from at("weigh", replace(s, looked=x))
        if given.by_gradient and not s.fallback and at.records("fit"):
            s = yield from descended(given, at, s)
        else:
            yield from at("fit", s)
        s = replace(s, answered=True)
        diverged = given.diverged(s)
        yield from at(
            "answer", s, *when(tie=s.tie, exact=s.exact, too_few=s.too_few, diverged=diverged)
        )
    yield from at("end", State(stored=True, finished=True))


def descended(given: Setting, at: At, s: State) -> Part[State, State]:
    """The state with the way of b from 0, the updates that are shown one by one. ML 8.3.1."""
    a = given.a(s)  # (c, p)
    y = np.asarray(given.problem.y, np.float64)[s.neighbours]
    rate, updates, _ = given.rate(s)
    path = np.zeros((updates + 1, a.shape[1]))
    for t in range(updates):
        b = path[t]
        path[t + 1] = b + rate * (s.weights * (y - a @ b)) @ a  # b + η Σ w (y − b · a) a
        yield None
        if t + 1 in (*SHOWN, updates):
            b = path[t + 1]
            now = replace(s, path=frozen(path[: t + 2]), value=float(b[0]), slope=frozen(b[1:]))
            yield from at("fit", now)
    return replace(s, path=frozen(path))


def example() -> Problem:
    """A few of the points that stand in for AIMA Fig 18.28, with its outlier."""
    x, y = [0.0, 2.0, 4.1, 6.0, 8.0, 10.2, 12.0], [2.0, 3.1, 4.2, 7.4, 5.6, 6.0, 6.8]
    return prepare(Dataset.from_columns({"x": x, "y": y}, "y", task="regress"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Locally weighted regression",
    task=Task.REGRESS,
    source=("AIMA 18.8.4", "ML 8.3", "ML 8.3.1"),
    predict=Setting.values,
    metrics=Setting.metrics,
    needs=ALL_WEIGH,
    curves=CURVES,
    events=("tie", "exact", "too few", "diverged"),
)
