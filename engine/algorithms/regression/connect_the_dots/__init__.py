"""Straight lines from point to point. AIMA 18.8.4, MMDS 12.4.3 (Ex 12.12)."""

from typing import Annotated, Literal

from engine.algorithms.regression.connect_the_dots.dots import Dots
from engine.algorithms.regression.parts.sweep import CURVES, NEEDS, State, Sweeping, the_peak
from engine.authoring import (
    Algorithm,
    At,
    Help,
    Label,
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
weigh  detail:   x, x' around q: shares ← nearness
answer:          h(q) ← Σ share · y
end    round:  return the curve h
"""


class Params(Record, eq=True):
    outside: Annotated[
        Literal["extrapolate", "hold"],
        Label("Beyond the ends"),
        Help("extrapolate: the last piece goes on straight; hold: the last value stays"),
    ] = "extrapolate"


class Setting(Sweeping[Params]):
    @cached_property
    def model(self) -> Dots:
        return Dots(self.problem, self.p.outside)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield from at("start", State())
    s = State(stored=True)
    yield from given.foresee(at)
    yield from at("store", s)
    for q in given.stops(at):
        s = given.asked(s, q)
        yield from at("query", s)
        for x in s.nearest:
            yield from at("weigh", replace(s, looked=x))
        s = replace(s, answered=True)
        yield from at("answer", s, *s.events)
    yield from at("end", State(stored=True, finished=True))


ALGORITHM = Algorithm.of(
    __name__,
    title="Connect the dots",
    task=Task.REGRESS,
    source=("AIMA 18.8.4", "MMDS 12.4.3", "MMDS Ex 12.12", "MMDS Fig 12.23"),
    predict=Setting.values,
    by_known=True,
    metrics=Setting.metrics,
    needs=NEEDS,
    example=the_peak,
    curves=CURVES,
    events=("exact",),
)
