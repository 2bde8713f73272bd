"""Randomised weighted majority: say what one expert says, drawn by weight. AIMA 18.10.1."""

from math import log
from typing import Annotated

from engine.algorithms.online.parts import Experts
from engine.algorithms.online.parts.stream import votes, weights, winners
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
    Prefix,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.sources.generators import generate
from engine.table.forecasts import forecasts

PSEUDOCODE = """
start  round:  w[i] ← 1 for every expert i
take   detail: for each example, one by one
draw:            draw an expert i, P(i) = w[i]/Σ w
say    detail:   say what expert i says
truth:           see the answer
update:          w[i] ← β w[i] where i was wrong
tally  round:  every tenth time: compare M
"""
FACTOR = (
    "what a wrong expert's weight is multiplied by; small: quick to trust one expert, near 1: slow"
)


class Params(Record, eq=True):
    beta: Annotated[float, Range(0.01, 0.99), Label("Factor β"), Help(FACTOR)] = 0.5


class State(Record):
    """The model is `weights`, which follow from `wrong`; then come the mistakes so far. `before`
    and the fields after `regret` are what this step shows.

    weights: (K,) w of the experts
    wrong: (K,) mistakes of the experts that are in their weights
    misses: in which examples the forecast was wrong
    before: (K,) the weights before this step
    mistakes: M, of this run
    best: M*, mistakes of the best expert
    seen: examples whose truth is known
    expected: E[M], on average over all possible draws
    regret: M − M*
    row: of the table, or −1
    said: the class that was forecast, or −1
    drawn: the expert, or −1
    u: the number in [0, 1) that drew it
    """

    weights: Float
    wrong: Int
    misses: Prefix[int]
    before: Float
    mistakes: int = 0
    best: int = 0
    seen: int = 0
    expected: float = 0.0
    regret: int = 0
    row: int = -1
    said: int = -1
    drawn: int = -1
    u: float = 0.0


class Setting(Experts[Params]):
    """The experts and the examples they forecast."""

    def bound(self, best: int) -> float:
        """The upper bound of E[M] where the best expert makes `best` mistakes."""
        return expected_bound(best, self.problem.d, self.p.beta)

    @cached_property
    def expected(self) -> Float:
        """(n + 1,) E[M], the expected mistakes before each example and after the last.

        Each example adds its chance of a mistake: Σ w[i] over the wrong experts / Σ w.
        """
        return self.stream.expected(self.p.beta)


def expected_bound(best: int, experts: int, beta: float) -> float:
    """The upper bound of the expected mistakes of a drawn expert. AIMA 18.10.1. best: M*, mistakes
    of the best of K experts
    """
    return (best * log(1 / beta) + log(experts)) / (1 - beta)  # (M* ln 1/β + ln K) / (1 − β)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    ones = frozen(np.ones(given.problem.d))  # w[i] ← 1
    none = frozen(np.zeros(given.problem.d, np.intp))
    s = State(weights=ones, wrong=none, misses=Prefix([], 0), before=ones)
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    s = given.recounted(s)
    rng.random(s.seen)  # the draws of the examples so far
    for end in given.ends(s.seen):
        for t in range(s.seen, end):
            s = yield from one_example(given, at, s, t, rng)
        s = between(s)  # M, E[M] and M* as they are now, and the bound: see `metrics`
        yield from at("tally", s, "round")


def one_example(given: Setting, at: At, s: State, t: int, rng: Rng) -> Part[State, State]:
    """The state after example t, counted from 0. AIMA 18.10.1."""
    stream = given.stream
    s = replace(s, row=int(stream.rows[t]), drawn=-1, said=-1, before=s.weights)
    yield from at("take", s)

    u = float(rng.random())
    i = expert_at(s.weights, u)
    s = replace(s, u=u, drawn=i)
    yield from at("draw", s)

    said = int(stream.says[t][i])
    s = replace(s, said=said)
    yield from at("say", s)

    mistake = bool(said != stream.truth[t])
    if mistake:
        s = replace(s, mistakes=s.mistakes + 1, misses=s.misses.plus(t))  # M += 1
    s = replace(s, seen=t + 1, best=given.best(t + 1))
    # E[M] += Σ w[i] of those who are wrong / Σ w, summed up in `given.expected`
    s = replace(s, expected=float(given.expected[t + 1]), regret=s.mistakes - s.best)
    yield from at("truth", s, *when(mistake=mistake))

    erred = stream.wrong[t]  # (K,) which experts were wrong
    wrong = frozen(s.wrong + erred)
    w = weights(wrong, given.p.beta)  # w[i] = β^wrong[i], so w[i] ← β w[i] where i was wrong
    s = replace(s, wrong=wrong, weights=w)
    if erred.any():
        yield from at("update", s)
    return s


def expert_at(w: Float, u: float) -> int:
    """The expert i drawn with P(i) = w[i] / Σ w by the random number u in [0, 1)."""
    edges = np.cumsum(w)
    i = int(np.searchsorted(edges, u * edges[-1], side="right"))
    return min(i, len(w) - 1)


def between(s: State) -> State:
    """The state between two examples, in which none is current."""
    return replace(s, before=s.weights, row=-1, said=-1, drawn=-1)


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the most probable forecast of a drawn expert, the class c with most Σ w[i] over the
    experts i that forecast c.

    The first of tied classes; −1 where no expert forecasts.
    """
    says = forecasts(given.problem, X)  # (m, K)
    return winners(votes(s.weights, says, len(given.problem.classes)))


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    bound = given.bound(s.best)
    return {
        "mistakes": s.mistakes,
        "expected": s.expected,
        "best": s.best,
        "bound": bound,
        "regret": s.regret,
        "regret_bound": bound - s.best,
    }


def example() -> Problem:
    """Forecasts of ten experts on fourteen days."""
    return prepare(generate("pundits", 14, 0.2))


ALGORITHM = Algorithm.of(
    __name__,
    title="Randomised weighted majority",
    task=Task.ONLINE,
    scores=Setting.scores,
    source=("AIMA 18.10.1",),
    needs=Needs(forecasts=True),
    by_known=True,
    curves=(
        Curve("mistakes", "mistakes of this run", digits=0),
        Curve("expected", "expected mistakes over all draws", digits=1),
        Curve("best", "mistakes of the best expert", digits=0),
        Curve("bound", "bound on the expected mistakes", bound=True, digits=1),
        Curve("regret", "regret of this run", digits=0, about=("mistakes",)),
        Curve("regret_bound", "bound on the expected regret", digits=1, about=("bound",)),
    ),
    events=("mistake", "round"),
)
