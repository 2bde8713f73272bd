"""The mean of all examples, weighted by a kernel of their distance.

MMDS 12.4.4, ML 8.2.1 (Eq 8.4), AIMA 18.8.4.
"""

from engine.algorithms.regression.parts.smoothing_fits import Rule, weights
from engine.algorithms.regression.parts.sweep import (
    ALL_WEIGH,
    CURVES,
    Kernel,
    Smoothing,
    State,
    Width,
    the_peak,
)
from engine.authoring import (
    Algorithm,
    At,
    Float,
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
weigh  detail:   for each x: w ← K(|x − q|)
answer:          h(q) ← Σ w y / Σ w
end    round:  return the curve h
"""


class Params(Record, eq=True):
    kernel: Kernel = "gaussian"
    width: Width = None


class Setting(Smoothing[Params]):
    """All examples answer, weighted by a kernel K of their distance d = |x − q|.

    quadratic: K(d) = max(0, 1 − (2 d / width)²)
    gaussian:  K(d) = e^(−d² / width²)
    1/d²:      K(d) = 1 / d²
    """

    @cached_property
    def rule(self) -> Rule:
        """The rule of the estimate: a weighted mean of all examples (k = 0)."""
        return Rule(0, self.p.kernel, self.width, "mean")

    def at_query(self, s: State, q: Float) -> State:
        """The state with the query at q (d,): the weight of each x there, and h(q)."""
        near = self.model.near(q)  # every stored x, the nearest first
        w = weights(near.d, self.rule)  # K(|x − q|)
        h = float(w @ near.y / w.sum())  # Σ w y / Σ w
        return self.queried(s, q, near, h)


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
        s = replace(s, answered=True)
        yield from at("answer", s, *when(exact=s.exact, too_few=s.too_few))
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
