"""WEIGHTED-MAJORITY: experts vote, and whoever is wrong loses weight. ML 7.5.4, Table 7.1."""

from math import isfinite
from typing import Annotated

from engine.algorithms.online.parts import Experts, Forecasting
from engine.algorithms.online.parts.stream import tied
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Float,
    Help,
    Int,
    Label,
    Mapping,
    Needs,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    prepare,
    replace,
    when,
)
from engine.data.generators import generate
from engine.algorithms.online.parts.regret import vote_bound

PSEUDOCODE = """
start  round:  w[i] ← 1 for every expert i
take   detail: for each example x, one by one
vote:            say c with most Σ w[i], i says c
truth:           see c(x); if it is not c: M += 1
update:          w[i] ← β w[i] where i was wrong
tally  round:  every tenth time: compare M
"""
FACTOR = "what a wrong expert's weight is multiplied by; 0: one mistake and the expert is out"


class Params(Record, eq=True):
    beta: Annotated[float, Range(0, 0.99), Label("Factor β"), Help(FACTOR)] = 0.5


class State(Forecasting):
    """plain: mistakes of a vote without weights, where a tie counts as a part; the rest: see
    Forecasting.
    """

    plain: float = 0.0


class Setting(Experts[Params]):
    def bound(self, best: int) -> float:
        """On the mistakes of the vote, by those of the best expert (ML Theorem 7.5)."""
        return vote_bound(best, self.problem.d, self.p.beta)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = given.fresh(State)
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    # Each example has a chance of its own, so that what is changed moves no other draw; of a
    # generator apart, since a set that was drawn with the same seed has its labels from the first
    # numbers of this one.
    s = given.gone_on(s)
    chances = rng.spawn(1)[0].random(given.stream.n)
    for end in given.ends(s.seen):
        for t in range(s.seen, end):
            s = yield from one_example(given, at, s, t, chances[t])
        yield from at("tally", between(s), "round")


def drawn(best: Int, chance: float) -> int:
    """One of equal classes, by a chance from 0 to 1."""
    return int(best[int(chance * len(best))])


def one_example(given: Setting, at: At, s: State, t: int, chance: float) -> Part[State, State]:
    stream = given.stream
    s = replace(s, row=int(stream.rows[t]), said=-1, before=s.weights)
    yield from at("take", s)
    best = tied(q := given.votes[t])
    s = replace(s, said=at.take(best.tolist(), drawn(best, chance)))
    yield from at("vote", s, *when(tie=len(best) > 1), q=q)
    s = replace(given.counted(s, s.said), plain=float(stream.plain[t + 1]))
    yield from at("truth", s, *when(mistake=given.missed(s)))
    s = given.punished(s)
    if stream.wrong[t].any():
        out = s.before.any() and not s.weights.any()
        yield from at("update", s, *when(all_out=bool(out)))
    return s


def between(s: State) -> State:
    """Between two examples."""
    return replace(s, before=s.weights, row=-1, said=-1)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    bound = given.bound(s.best)
    known = {"bound": bound} if isfinite(bound) else {}
    return {"mistakes": float(s.mistakes), "best": float(s.best), "plain": s.plain, **known}


def predict(given: Setting, s: State, X: Float) -> Int:
    """The weighted vote of the experts whose forecasts stand in the rows; equal votes go to the
    first class in order.
    """
    return given.predict(s, X)


def scores(given: Setting, s: State, X: Float) -> Float:
    return given.scores(s, X)


def example() -> Problem:
    """Ten experts on fourteen days."""
    return prepare(generate("pundits", 14, 0.2))


ALGORITHM = Algorithm.of(
    __name__,
    title="Weighted majority",
    task=Task.ONLINE,
    source=("ML 7.5.4", "ML Table 7.1", "ML Theorem 7.5"),
    needs=Needs(forecasts=True),
    by_known=True,
    curves=(
        Curve("mistakes", "mistakes of the vote", digits=0),
        Curve("best", "mistakes of the best expert", digits=0),
        Curve("plain", "mistakes of a vote without weights", digits=1, about=("no weights",)),
        Curve("bound", "bound on the mistakes of the vote", bound=True, digits=1),
    ),
    events=("mistake", "tie", "round", "all out"),
)
