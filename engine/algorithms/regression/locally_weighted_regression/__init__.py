"""A line fitted for each query by itself, near examples counting more.

AIMA 18.8.4, ML 8.3 (Eqs 8.5-8.7).
"""

from typing import Annotated

from engine.algorithms.regression.parts.smoothing_fits import Rule, line, weights
from engine.algorithms.regression.parts.sweep import (
    ALL_WEIGH,
    CURVES,
    Kernel,
    Smoothing,
    State,
    Width,
)
from engine.authoring import (
    Algorithm,
    At,
    Dataset,
    Float,
    Help,
    Label,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    prepare,
    replace,
    when,
)

PSEUDOCODE = """
start  round:  memory ← empty
store  round:  put every (x, y) into memory
query  detail: for each q, from left to right
weigh  detail:   for each x: w ← K(|x − q|)
fit    detail:   a, b ← least Σ w (y − a − b x)²
answer:          h(q) ← a + b q
end    round:  return the curve h
"""


class Params(Record, eq=True):
    kernel: Kernel = "quadratic"
    width: Width = None
    k: Annotated[
        int,
        Range(0, 10_000),
        Label("Neighbours k"),
        Help("0: all examples (ML criterion 2); else only the k nearest, weighted (criterion 3)"),
    ] = 0


class Setting(Smoothing[Params]):
    """A line through all examples or the k nearest, weighted by a kernel K of d = |x − q|.

    quadratic: K(d) = max(0, 1 − (2 d / width)²)
    gaussian:  K(d) = e^(−d² / width²)
    1/d²:      K(d) = 1 / d²
    """

    @cached_property
    def rule(self) -> Rule:
        """The rule of the estimate: a weighted line through k examples."""
        return Rule(self.p.k, self.p.kernel, self.width, "line")

    def at_query(self, s: State, q: Float) -> State:
        """The state with the query at q (d,): the weight of each x there, the line, and h(q)."""
        near = self.model.near(q)  # every stored x or k of them, the nearest first
        w = weights(near.d, self.rule)  # K(|x − q|)
        a, b = line(near.y, w, near.x - q)  # least Σ w (y − a − b x)², with x measured from q
        h = a  # a + b · 0, for q itself is at 0
        return self.queried(s, q, near, h, b)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield from at("start", State())
    s = State(stored=True)
    yield from given.precompute(at)
    yield from at("store", s)
    for q in given.stops(at):
        s = given.at_query(s, q)  # all that is found there, shown line by line
        yield from at("query", s)
        for x in s.nearest:  # the first of them stand for all
            yield from at("weigh", replace(s, looked=x))
        yield from at("fit", s)
        s = replace(s, answered=True)
        yield from at("answer", s, *when(tie=s.tie, exact=s.exact, too_few=s.too_few))
    yield from at("end", State(stored=True, finished=True))


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
    events=("tie", "exact", "too few"),
)
