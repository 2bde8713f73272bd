"""The mean of all examples, weighted by a kernel of their distance.

MMDS 12.4.4, ML 8.2.1 (Eq 8.4), AIMA 18.8.4.
"""

from engine.algorithms.regression.parts.smoothing_fits import Rule
from engine.algorithms.regression.parts.sweep import (
    ALL_WEIGH,
    CURVES,
    Kernel,
    State,
    Sweeping,
    Width,
    the_peak,
)
from engine.authoring import Algorithm, At, Record, Rng, Steps, Task, cached_property, replace

PSEUDOCODE = """
start  round:  memory ← empty
store  round:  put every (x, y) into memory
query  detail: for each q, from left to right
weigh  detail:   for each x: w ← K(|x − q|)
answer:          h(q) ← Σ w y / Σ w
end    round:  return the curve h
"""


class Params(Record, eq=True):
    kernel: Kernel = "gaussian"
    width: Width = None


class Setting(Sweeping[Params]):
    """All examples, weighted by the kernel."""

    @cached_property
    def rule(self) -> Rule:
        return Rule(0, self.p.kernel, self.width)


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
    title="Kernel regression",
    task=Task.REGRESS,
    source=("MMDS 12.4.4", "MMDS Ex 12.13", "MMDS Exercise 12.4.4", "ML 8.2.1", "AIMA 18.8.4"),
    predict=Setting.values,
    metrics=Setting.metrics,
    needs=ALL_WEIGH,
    example=the_peak,
    curves=CURVES,
    events=("exact", "too few"),
)
