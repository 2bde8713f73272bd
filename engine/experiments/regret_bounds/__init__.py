"""The bounds of the weighted majority and of its randomised form beside counted mistakes.

AIMA 18.10.1, ML Theorem 7.5.
"""

from typing import Annotated, NamedTuple

from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Help,
    Label,
    Mapping,
    Needs,
    Part,
    Prefix,
    Problem,
    Range,
    Record,
    Rng,
    Setting as Given,
    Steps,
    Task,
    np,
    prepare,
    replace,
    when,
)
from engine.data.generators import generate
from engine.experiments.parts.learnt import learnt
from engine.algorithms.online.parts.regret import expected_bound, vote_bound

PSEUDOCODE = """
start  round:  n trials; the best of K errs M*
factor detail: for each factor β:
vote   detail:   mistakes of the weighted vote
draw:            those of drawn experts, E[M]
best   round:  the β of the least bound
more:          for the first n: (E[M] − M*)/n
told   round:  does the mean regret go to 0?
"""
FACTORS = (0.1, 0.3, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98)
TEN, LENGTHS = 10, 10  # the drawn form compares every tenth time; beginnings of the table
RUNS = "single runs of the randomised form, whose mistakes are counted"


class Params(Record, eq=True):
    runs: Annotated[int, Range(0, 100), Label("Single runs"), Help(RUNS)] = 3


class Seen(NamedTuple):
    """By one β: mistakes and bound of the vote; expected ones and bound of the draw; those of
    single runs.
    """

    beta: float
    vote: int
    vote_bound: float
    drawn: float
    drawn_bound: float
    runs: tuple[int, ...]


class Length(NamedTuple):
    """Of the first n trials: the β of the least bound for them, what it loses to the best expert
    for each, and at most.
    """

    n: int
    beta: float
    regret: float
    bound: float


class State(Record):
    """n trials, in which the best expert errs `least` times; seen: by each β so far; lengths: of
    each beginning of the table so far; beta: the one that is looked at, or NaN; vote: mistakes of
    the vote by it, −1 before.
    """

    n: int
    least: int
    seen: Prefix[Seen]
    lengths: Prefix[Length]
    beta: float = np.nan
    vote: int = -1


class Setting(Given[Params]):
    """K: experts."""

    K = property(lambda given: given.problem.d)

    def tuned(self, least: int) -> float:
        """The factor whose bound on expected mistakes is least."""
        return min(FACTORS, key=lambda beta: expected_bound(least, self.K, beta))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    half = yield from learnt("randomized_weighted_majority", given.problem)
    last = half[-1].state
    s = State(last.seen, last.best, Prefix([], 0), Prefix([], 0))
    yield from at("start", s)
    for beta in FACTORS:
        s = yield from counted(given, at, replace(s, beta=beta, vote=-1), rng)
    s = replace(s, beta=given.tuned(s.least), vote=-1)
    yield from at("best", s)
    ends = np.unique((s.n * np.arange(1, LENGTHS + 1) / LENGTHS // TEN * TEN).astype(np.intp))
    for n in [int(n) for n in ends if 0 < n < s.n] + [s.n]:
        s = yield from begun(
            given, at, s, n, next(step.state.best for step in half if step.state.seen >= n)
        )
    yield from at("told", s)


def counted(given: Setting, at: At, s: State, rng: Rng) -> Part[State, State]:
    beta = s.beta
    K = given.K
    yield from at("factor", s)
    vote = yield from learnt(
        "weighted_majority", given.problem, int(rng.integers(2**31)), beta=beta
    )
    s = replace(s, vote=vote[-1].state.mistakes)
    yield from at("vote", s)
    runs = []
    expected = 0.0
    for _ in range(max(given.p.runs, 1)):
        drawn = yield from learnt(
            "randomized_weighted_majority", given.problem, int(rng.integers(2**31)), beta=beta
        )
        expected = drawn[-1].state.expected
        runs.append(drawn[-1].state.mistakes)
    limits = vote_bound(s.least, K, beta), expected_bound(s.least, K, beta)
    seen = Seen(beta, s.vote, limits[0], expected, limits[1], tuple(runs[: given.p.runs]))
    s = replace(s, seen=s.seen.plus(seen))
    yield from at("draw", s, *when(above=any(m > seen.drawn_bound for m in seen.runs)))
    return s


def begun(given: Setting, at: At, s: State, n: int, least: int) -> Part[State, State]:
    """By the β that is best for the first n trials."""
    beta = given.tuned(least)
    trace = yield from learnt("randomized_weighted_majority", given.problem, beta=beta)
    state = next(step.state for step in trace if step.state.seen >= n)
    bound = expected_bound(least, given.K, beta)
    s = replace(
        s,
        beta=beta,
        lengths=s.lengths.plus(Length(n, beta, (state.expected - least) / n, (bound - least) / n)),
    )
    yield from at("more", s)
    return s


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    if s.lengths:
        return {"regret": s.lengths[-1].regret, "regret_bound": s.lengths[-1].bound}
    if not s.seen:
        return {}
    last = s.seen[-1]
    return {
        "vote": float(last.vote),
        "drawn": last.drawn,
        "drawn_bound": last.drawn_bound,
        "best": float(s.least),
    }


def example() -> Problem:
    """Ten experts on fourteen days."""
    return prepare(generate("pundits", 14, 0.2))


ALGORITHM = Algorithm.of(
    __name__,
    title="Regret bounds",
    task=Task.THEORY,
    source=("AIMA 18.10.1", "ML 7.5.4", "ML Theorem 7.5"),
    needs=Needs(forecasts=True),
    curves=(
        Curve("drawn", "expected mistakes of drawn experts", digits=1),
        Curve("vote", "mistakes of the vote", digits=0, about=("vote_bound",)),
        Curve("best", "mistakes of the best expert", digits=0),
        Curve("drawn_bound", "bound on the expected mistakes", bound=True, digits=1),
        Curve("regret", "regret for each trial", digits=3),
        Curve("regret_bound", "bound on the regret for each trial", digits=3),
    ),
    events=("above",),
)
