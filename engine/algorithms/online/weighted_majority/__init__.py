"""WEIGHTED-MAJORITY: experts vote, and those who are wrong lose weight. ML 7.5.4, Table 7.1."""

from math import inf, isfinite, log2
from typing import Annotated

from engine.algorithms.online.parts import Experts
from engine.algorithms.online.parts.stream import tied, votes, weights, winners
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
take   detail: for each example x, one by one
vote:            say c with most Σ w[i], i says c
truth:           see c(x); if it is not c: M += 1
update:          w[i] ← β w[i] where i was wrong
tally  round:  every tenth time: compare M
"""
FACTOR = "what a wrong expert's weight is multiplied by; 0: one mistake and the expert is out"


class Params(Record, eq=True):
    beta: Annotated[float, Range(0, 0.99), Label("Factor β"), Help(FACTOR)] = 0.5


class State(Record):
    """The model is `weights`, which follow from `wrong`; then come the mistakes so far. `before`
    and the fields after `plain` are what this step shows.

    weights: (K,) w of the experts
    wrong: (K,) mistakes of the experts that are in their weights
    misses: in which examples the vote was wrong
    before: (K,) the weights before this step
    mistakes: M, of the vote
    best: mistakes of the best expert
    seen: examples whose truth is known
    plain: mistakes of a vote without weights; a tie adds the share of wrong classes among the tied
    row: of the table, or −1
    said: the class that was forecast, or −1
    """

    weights: Float
    wrong: Int
    misses: Prefix[int]
    before: Float
    mistakes: int = 0
    best: int = 0
    seen: int = 0
    plain: float = 0.0
    row: int = -1
    said: int = -1


class Setting(Experts[Params]):
    """The experts and the examples they forecast."""

    def bound(self, best: int) -> float:
        """The upper bound of the mistakes M where the best expert makes `best` mistakes."""
        return vote_bound(best, self.problem.d, self.p.beta)


def vote_bound(best: int, experts: int, beta: float) -> float:
    """The upper bound on the mistakes of the weighted vote: ML Theorem 7.5 for any β.

    best: k, mistakes of the best of K experts. Infinite for β = 0 where even that one makes some
    """
    if best == 0:
        of_best = 0.0
    elif beta == 0:
        return inf
    else:
        of_best = best * log2(1 / beta)
    return (of_best + log2(experts)) / log2(2 / (1 + beta))  # (k log₂ 1/β + log₂ K) / log₂ 2/(1+β)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    ones = frozen(np.ones(given.problem.d))  # w[i] ← 1
    none = frozen(np.zeros(given.problem.d, np.intp))
    s = State(weights=ones, wrong=none, misses=Prefix([], 0), before=ones)
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    s = given.recounted(s)
    # For ties. Each example has a number of its own, so that a change of one example moves no other
    # draw; of a generator apart, since a table that was drawn with the same seed has its labels
    # from the first numbers of this one.
    chances = rng.spawn(1)[0].random(given.stream.n)
    for end in given.ends(s.seen):
        for t in range(s.seen, end):
            s = yield from one_example(given, at, s, t, chances[t])
        s = between(s)  # M as it is now, that of the best expert, and the bound: see `metrics`
        yield from at("tally", s, "round")


def one_example(given: Setting, at: At, s: State, t: int, chance: float) -> Part[State, State]:
    """The state after example t, counted from 0. ML Table 7.1."""
    stream = given.stream
    says = stream.says[t]  # (K,) the class that each expert says
    s = replace(s, row=int(stream.rows[t]), said=-1, before=s.weights)
    yield from at("take", s)

    q = np.array([s.weights[says == c].sum() for c in range(stream.classes)])
    best = tied(q).tolist()  # the classes c with most Σ w[i], equal up to rounding
    said = at.take(best, draw(best, chance))
    s = replace(s, said=said)
    yield from at("vote", s, *when(tie=len(best) > 1), q=q)

    mistake = bool(said != stream.truth[t])
    if mistake:
        s = replace(s, mistakes=s.mistakes + 1, misses=s.misses.plus(t))  # M += 1
    s = replace(s, seen=t + 1, best=given.best(t + 1), plain=float(stream.plain[t + 1]))
    yield from at("truth", s, *when(mistake=mistake))

    erred = stream.wrong[t]  # (K,) which experts were wrong
    wrong = frozen(s.wrong + erred)
    w = weights(wrong, given.p.beta)  # w[i] = β^wrong[i], so w[i] ← β w[i] where i was wrong
    s = replace(s, wrong=wrong, weights=w)
    if erred.any():
        all_out = bool(s.before.any() and not s.weights.any())
        yield from at("update", s, *when(all_out=all_out))
    return s


def draw(best: list[int], chance: float) -> int:
    """One of the tied classes. chance: a random number in [0, 1)"""
    return best[int(chance * len(best))]


def between(s: State) -> State:
    """The state between two examples, in which none is current."""
    return replace(s, before=s.weights, row=-1, said=-1)


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the class c with most Σ w[i] over the experts i that forecast c.

    The first of tied classes; −1 where no expert forecasts.
    """
    says = forecasts(given.problem, X)  # (m, K)
    return winners(votes(s.weights, says, len(given.problem.classes)))


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    bound = given.bound(s.best)
    found = {"mistakes": float(s.mistakes), "best": float(s.best), "plain": s.plain}
    return {**found, "bound": bound} if isfinite(bound) else found


def example() -> Problem:
    """Forecasts of ten experts on fourteen days."""
    return prepare(generate("pundits", 14, 0.2))


ALGORITHM = Algorithm.of(
    __name__,
    title="Weighted majority",
    task=Task.ONLINE,
    scores=Setting.scores,
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
