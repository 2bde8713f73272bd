"""WEIGHTED-MAJORITY: experts vote, and those who are wrong lose weight. ML 7.5.4, Table 7.1."""

from math import isfinite
from typing import Annotated

from engine.algorithms.online.parts import Experts, Forecasting
from engine.algorithms.online.parts.regret import vote_bound
from engine.algorithms.online.parts.stream import tied, weights
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Help,
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
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.data.generators import generate

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
    """What `Forecasting` lists, and a rival's mistakes.

    plain: mistakes of a vote without weights, where a tie counts as a part
    """

    plain: float = 0.0


class Setting(Experts[Params]):
    """The experts and the examples."""

    def bound(self, best: int) -> float:
        """On the mistakes of the vote, by those of the best expert (ML Theorem 7.5)."""
        return vote_bound(best, self.problem.d, self.p.beta)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = given.fresh(State)  # w[i] ← 1
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
        yield from at("tally", between(s), "round")


def one_example(given: Setting, at: At, s: State, t: int, chance: float) -> Part[State, State]:
    """The state after the example that comes after t others. ML Table 7.1."""
    stream = given.stream
    says = stream.says[t]  # (K,) the class that each expert says
    s = replace(s, row=int(stream.rows[t]), said=-1, before=s.weights)
    yield from at("take", s)

    q = np.array([s.weights[says == c].sum() for c in range(stream.classes)])
    best = tied(q).tolist()  # the classes with most Σ w[i]
    said = at.take(best, drawn(best, chance))
    s = replace(s, said=said)
    yield from at("vote", s, *when(tie=len(best) > 1), q=q)

    mistake = bool(said != stream.truth[t])
    s = given.with_truth(s, mistake)
    s = replace(s, plain=float(stream.plain[t + 1]))
    yield from at("truth", s, *when(mistake=mistake))

    erred = stream.wrong[t]  # (K,) which experts were wrong
    wrong = frozen(s.wrong + erred)
    # β^mistakes: w[i] ← β w[i] where i was wrong
    s = replace(s, wrong=wrong, weights=weights(wrong, given.p.beta))
    if erred.any():
        all_out = bool(s.before.any() and not s.weights.any())
        yield from at("update", s, *when(all_out=all_out))
    return s


def drawn(best: list[int], chance: float) -> int:
    """One of equal classes, by a number from 0 to 1."""
    return best[int(chance * len(best))]


def between(s: State) -> State:
    """The state between two examples."""
    return replace(s, before=s.weights, row=-1, said=-1)


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    bound = given.bound(s.best)
    found = {"mistakes": float(s.mistakes), "best": float(s.best), "plain": s.plain}
    return {**found, "bound": bound} if isfinite(bound) else found


def example() -> Problem:
    """Ten experts on fourteen days."""
    return prepare(generate("pundits", 14, 0.2))


ALGORITHM = Algorithm.of(
    __name__,
    title="Weighted majority",
    task=Task.ONLINE,
    predict=Setting.predict,
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
