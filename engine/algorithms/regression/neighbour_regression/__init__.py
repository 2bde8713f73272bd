"""Mean, median or line of the k nearest examples.

AIMA 18.8.1, 18.8.4, MMDS 12.4.3, ML 8.2 (Eqs 8.1, 8.4).
"""

from typing import Annotated, Literal

from engine.algorithms.regression.parts.smoothing_fits import Rule
from engine.algorithms.regression.parts.sweep import CURVES, NEEDS, State, Sweeping, the_peak
from engine.authoring import (
    Algorithm,
    At,
    Help,
    Label,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    replace,
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


class Setting(Sweeping[Params]):
    rule = cached_property(lambda given: Rule(given.p.k, given.p.weights, 1.0, given.p.estimate))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield from at("start", State())
    s = State(stored=True)
    yield from given.foresee(at)
    yield from at("store", s)
    for q in given.stops(at):
        s = given.asked(s, q)
        yield from at("query", s)
        yield from at("near", s, *s.tie)
        for x in s.nearest:
            yield from at("weigh", replace(s, looked=x))
        s = replace(s, answered=True)
        yield from at("answer", s, *s.events)
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
