"""Mean, median or line of the k nearest examples.

AIMA 18.8.1, 18.8.4, MMDS 12.4.3, ML 8.2 (Eqs 8.1, 8.4).
"""

from typing import Annotated, Literal

from engine.algorithms.regression.parts.smoothing_fits import Rule, line, median, weights
from engine.algorithms.regression.parts.sweep import CURVES, NEEDS, Smoothing, State, the_peak
from engine.authoring import (
    Algorithm,
    At,
    Float,
    Help,
    Label,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    replace,
    when,
)

PSEUDOCODE = """
start  round:  memory ← empty
store  round:  put every (x, y) into memory
query  detail: for each q, from left to right
near   detail:   near ← k stored x nearest to q
weigh  detail:   for each x in near: w ← K(|x − q|)
answer:          h(q) ← mean, median or line
end    round:  return the curve h
"""


class Params(Record, eq=True):
    k: Annotated[int, Range(1, 10_000, log=True), Label("Neighbours k")] = 3
    estimate: Annotated[
        Literal["mean", "median", "line"],
        Label("Estimate"),
        Help("what is taken of their values; line: least squares"),
    ] = "mean"
    weights: Annotated[
        Literal["equal", "1/d", "1/d²"],
        Label("Weights"),
        Help(
            "1/d with k = 2 joins two examples by a straight line while the query is between them"
        ),
    ] = "equal"


class Setting(Smoothing[Params]):
    """The k nearest examples answer, with equal weights or K(d) = 1/d or 1/d² of d = |x − q|."""

    @cached_property
    def rule(self) -> Rule:
        """The rule of the estimate: mean, median or line of k examples."""
        return Rule(self.p.k, self.p.weights, 1.0, self.p.estimate)

    def at_query(self, s: State, q: Float) -> State:
        """The state with the query at q (d,): the k nearest, their weights, and h(q)."""
        near = self.model.near(q)  # k stored x, the nearest first
        w = weights(near.d, self.rule)  # K(|x − q|)
        if self.p.estimate == "line":
            a, b = line(near.y, w, near.x - q)  # least Σ w (y − a − b x)², with x measured from q
            return self.queried(s, q, near, a, b)
        if self.p.estimate == "median":
            h = median(near.y, w)  # half of the weight lies on each side
            return self.queried(s, q, near, h)
        h = float(w @ near.y / w.sum())  # the mean: Σ w y / Σ w
        return self.queried(s, q, near, h)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield from at("start", State())
    s = State(stored=True)
    yield from given.precompute(at)
    yield from at("store", s)
    for q in given.stops(at):
        s = given.at_query(s, q)  # all that is found there, shown line by line
        yield from at("query", s)
        yield from at("near", s, *when(tie=s.tie))
        for x in s.nearest:
            yield from at("weigh", replace(s, looked=x))
        s = replace(s, answered=True)
        yield from at("answer", s, *when(tie=s.tie, exact=s.exact, too_few=s.too_few))
    yield from at("end", State(stored=True, finished=True))


ALGORITHM = Algorithm.of(
    __name__,
    title="Neighbour regression",
    task=Task.REGRESS,
    source=(
        "AIMA 18.8.1",
        "AIMA 18.8.4",
        "MMDS 12.4.3",
        "MMDS Ex 12.12",
        "MMDS Exercise 12.4.3-12.4.6",
        "ML 8.2.1",
    ),
    predict=Setting.values,
    metrics=Setting.metrics,
    needs=NEEDS,
    example=the_peak,
    curves=CURVES,
    events=("tie", "exact", "too few"),
)
