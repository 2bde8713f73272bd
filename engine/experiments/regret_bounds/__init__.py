"""The bounds of the weighted majority and of its randomised form beside counted mistakes.

AIMA 18.10.1, ML Theorem 7.5.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from engine.algorithms.online.randomized_weighted_majority import expected_bound
from engine.algorithms.online.weighted_majority import vote_bound
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    EngineError,
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
    Steps,
    Task,
    Work,
    np,
    prepare,
    replace,
    when,
)
from engine.authoring import (
    Setting as Given,
)
from engine.experiments.parts.trials import following
from engine.fit.fits import fits
from engine.fit.learnt import learnt
from engine.runs.trace import Trace
from engine.sources.generators import generate

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
TEN = 10  # the drawn form compares itself with the best expert every tenth time
LENGTHS = 10  # beginnings of the table
RUNS = "single runs of the randomised form, whose mistakes are counted"
RANDOMIZED = "randomized_weighted_majority"
VOTE = "weighted_majority"


class Params(Record, eq=True):
    runs: Annotated[int, Range(0, 100), Label("Single runs"), Help(RUNS)] = 3


class Seen(NamedTuple):
    """What one β does.

    vote: mistakes of the weighted vote
    vote_bound: the most that they can be
    drawn: expected mistakes of drawn experts, E[M]
    drawn_bound: the most that these can be
    runs: mistakes of single runs of the drawn form
    """

    beta: float
    vote: int
    vote_bound: float
    drawn: float
    drawn_bound: float
    runs: tuple[int, ...]


class Length(NamedTuple):
    """The first n trials, with the β of the least bound for them.

    regret: (E[M] − M*) / n, what β loses to the best expert for each trial
    bound: the most that it can be
    """

    n: int
    beta: float
    regret: float
    bound: float


class State(Record):
    """What was counted so far; the fields after `lengths` are what this step shows.

    n: trials
    least: M*, in how many of them the best expert errs
    seen: what each β so far does
    lengths: of each beginning of the table so far
    beta: the factor that is looked at, or NaN
    vote: mistakes of the vote by it, −1 before
    """

    n: int
    least: int
    seen: Prefix[Seen]
    lengths: Prefix[Length]
    beta: float = np.nan
    vote: int = -1


class Setting(Given[Params]):
    """A table of the forecasts of K experts."""

    @property
    def K(self) -> int:
        """K, the number of experts."""
        return self.problem.d

    def tuned(self, least: int) -> float:
        """The β that minimises the bound (M* ln 1/β + ln K) / (1 − β); the smallest of tied ones.
        least: M*
        """
        bounds = [expected_bound(least, self.K, beta) for beta in FACTORS]
        return FACTORS[bounds.index(min(bounds))]

    def ends(self, n: int) -> list[int]:
        """The numbers of trials at which the regret is looked at, ascending; n is the last."""
        shares = np.arange(1, LENGTHS + 1) / LENGTHS
        tens = np.unique((n * shares // TEN * TEN).astype(np.intp)).tolist()
        return [end for end in tens if 0 < end < n] + [n]


class Game(NamedTuple):
    """One run of a majority through the table.

    key: VOTE or DRAWN
    n: number of trials that count, 0: all
    """

    key: str
    beta: float
    seed: int = 0
    n: int = 0


class Outcome(NamedTuple):
    """mistakes: of a run; expected: E[M] where experts are drawn, NaN for a vote"""

    mistakes: int
    expected: float


# of all games, in their order: what came of each, or why it could not be run; None: still at work
Outcomes = Iterator[Outcome | EngineError | None]


def played(problem: Problem, game: Game) -> Work[Outcome]:
    """The outcome of one game; games are independent of one another.

    In each, w[i] ← β w[i] where expert i was wrong. VOTE forecasts the class c with most Σ w[i]
    over the experts i that forecast c. DRAWN follows one expert i, drawn with P(i) = w[i] / Σ w, so
    E[M] = Σₜ (Σ w[i] of those wrong at t) / Σ w.
    """
    trace = yield from learnt(game.key, problem, game.seed, beta=game.beta)
    state = after(trace, game.n) if game.n else trace[-1].state
    return Outcome(state.mistakes, state.expected if game.key == RANDOMIZED else np.nan)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    trace = yield from learnt(RANDOMIZED, given.problem)
    last = trace[-1].state
    s = State(last.seen, last.best, Prefix([], 0), Prefix([], 0))
    yield from at("start", s)  # n, and M* of all n trials
    least = {n: after(trace, n).best for n in given.ends(s.n)}  # M* of the first n
    outcomes = fits(played, given.problem, games(given, least, rng))
    for beta in FACTORS:
        s = replace(s, beta=beta, vote=-1)
        yield from at("factor", s)
        s = yield from counted(given, at, s, outcomes)
    s = replace(s, beta=given.tuned(s.least), vote=-1)  # least (M* ln 1/β + ln K) / (1 − β)
    yield from at("best", s)
    for n in least:
        s = yield from begun(given, at, s, n, least[n], outcomes)
    yield from at("told", s)  # (E[M] − M*) / n of the first and of all trials: `s.lengths`


def games(given: Setting, least: Mapping[int, int], rng: Rng) -> list[Game]:
    """All runs, in the order in which they are wanted: of each β a vote and the single runs of
    drawn experts, then by the best β for the first n trials, of which the best expert errs in
    least[n].
    """
    found = list[Game]()
    for beta in FACTORS:
        found.append(Game(VOTE, beta, int(rng.integers(2**31))))
        for _ in range(given.p.runs or 1):  # one for E[M] where none is wanted
            found.append(Game(RANDOMIZED, beta, int(rng.integers(2**31))))
    for n, mistakes in least.items():
        found.append(Game(RANDOMIZED, given.tuned(mistakes), n=n))
    return found


def next_outcome(outcomes: Outcomes) -> Work[Outcome]:
    """The outcome of the next game; raises EngineError where it could not be run."""
    outcome = yield from following(outcomes)
    if isinstance(outcome, EngineError):
        raise outcome
    return outcome


def counted(given: Setting, at: At, s: State, outcomes: Outcomes) -> Part[State, State]:
    """The state with the results of its β: mistakes of the vote and of drawn experts, and the bound
    of each.
    """
    beta = s.beta
    vote = yield from next_outcome(outcomes)  # say c with most Σ w[i], see `played`
    s = replace(s, vote=vote.mistakes)
    most_of_vote = vote_bound(s.least, given.K, beta)  # (M* ln 1/β + ln K) / ln(2 / (1 + β))
    yield from at("vote", s)
    runs = []
    expected = 0.0  # E[M] = Σₜ (Σ w[i] of those who are wrong at t) / Σ w
    for _ in range(given.p.runs or 1):
        run = yield from next_outcome(outcomes)
        expected = run.expected  # the same in each run
        runs.append(run.mistakes)  # M of one run with its own draws
    most_of_drawn = expected_bound(s.least, given.K, beta)  # (M* ln 1/β + ln K) / (1 − β)
    seen = Seen(
        beta,
        vote=s.vote,
        vote_bound=most_of_vote,
        drawn=expected,
        drawn_bound=most_of_drawn,
        runs=tuple(runs[: given.p.runs]),
    )
    s = replace(s, seen=s.seen.plus(seen))
    above = any(mistakes > seen.drawn_bound for mistakes in seen.runs)
    yield from at("draw", s, *when(above=above))
    return s


def begun(
    given: Setting, at: At, s: State, n: int, least: int, outcomes: Outcomes
) -> Part[State, State]:
    """The state with the regret of the first n trials, for the β that is best for them. least: M*,
    the mistakes of the best expert in them
    """
    beta = given.tuned(least)
    run = yield from next_outcome(outcomes)
    expected = run.expected  # E[M]
    bound = expected_bound(least, given.K, beta)  # (M* ln 1/β + ln K) / (1 − β)
    length = Length(n, beta, regret=(expected - least) / n, bound=(bound - least) / n)
    s = replace(s, beta=beta, lengths=s.lengths.plus(length))
    yield from at("more", s)
    return s


def after(trace: Trace, n: int) -> Any:
    """The state of the first step of a run at which n trials are done."""
    return next(step.state for step in trace if step.state.seen >= n)


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
    """Forecasts of ten experts on fourteen days."""
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
