"""Straight lines from point to point. AIMA 18.8.4, MMDS 12.4.3 (Ex 12.12)."""

from typing import Annotated, Literal

from engine.algorithms.regression.connect_the_dots.dots import Dots
from engine.algorithms.regression.parts.sweep import CURVES, NEEDS, State, Sweeping, the_peak
from engine.authoring import (
    Algorithm,
    At,
    Float,
    Help,
    Label,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    frozen,
    np,
    replace,
    when,
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
    """The stored examples, of which neighbours are joined by straight lines."""

    @cached_property
    def model(self) -> Dots:
        """The different x in order, each with the mean of its values."""
        return Dots(self.problem, self.p.outside)

    def at_query(self, s: State, q: Float) -> State:
        """The state with the query at q (d,): the places x and x' around it, their shares, h(q)."""
        at = float(q[self.model.column])
        ends, fallback = self.model.around(at)
        x = self.model.places[ends]  # (2,) x and x', or (1,) the one place that answers
        y = self.model.levels[ends]
        share = shares(x, at)
        h = float(share @ y)  # Σ share · y
        rows, weights = self.model.shared(ends, share)
        return replace(
            s,
            query=frozen(q),
            neighbours=frozen(rows),
            weights=frozen(weights),
            value=h,
            slope=frozen(np.diff(y) / np.diff(x)),
            fallback=fallback,
            looked=-1,
            answered=False,
        )


def shares(x: Float, q: float) -> Float:
    """(2,) how much of the value at q the places (x, x') give, or (1,) all of it from one place.

    Each has the more the nearer it is. Beyond the ends the farther one has less than 0, so that the
    line goes straight on.
    """
    if len(x) == 1:
        return np.ones(1)
    apart = float(x[1] - x[0])
    return np.array([x[1] - q, q - x[0]]) / apart


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    yield from at("start", State())
    s = State(stored=True)
    yield from given.precompute(at)
    yield from at("store", s)
    for q in given.stops(at):
        s = given.at_query(s, q)  # all that is found there, shown line by line
        yield from at("query", s)
        for x in s.nearest:
            yield from at("weigh", replace(s, looked=x))
        s = replace(s, answered=True)
        yield from at("answer", s, *when(exact=s.exact))
    yield from at("end", State(stored=True, finished=True))


def predict(given: Setting, s: State, X: Float) -> Float:
    """(m,) h at the places X (m, d), by linear interpolation between the neighbouring places x and
    x' with values y and y': y + (y' − y) (q − x) / (x' − x).

    Beyond the ends the last piece is extended, or the last value repeated. 0 before anything is
    stored, NaN where q is unknown.
    """
    return given.values(s, X)


ALGORITHM = Algorithm.of(
    __name__,
    title="Connect the dots",
    task=Task.REGRESS,
    source=("AIMA 18.8.4", "MMDS 12.4.3", "MMDS Ex 12.12", "MMDS Fig 12.23"),
    by_known=True,
    metrics=Setting.metrics,
    needs=NEEDS,
    example=the_peak,
    curves=CURVES,
    events=("exact",),
)
