"""Randomised weighted majority: say what one expert says, drawn by weight. AIMA 18.10.1."""

from typing import Annotated

from engine.algorithms.online.parts import Experts, Forecasting
from engine.algorithms.online.parts.regret import expected_bound
from engine.algorithms.online.parts.stream import weights
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Float,
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
    cached_property,
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.data.generators import generate

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


class State(Forecasting):
    """What `Forecasting` lists, and what chance has to do with it.

    expected: mistakes on average over all possible draws
    regret: mistakes of this run − those of the best expert
    drawn: the expert, or −1
    u: the number in [0, 1) that drew it
    """

    expected: float = 0.0
    regret: int = 0
    drawn: int = -1
    u: float = 0.0


class Setting(Experts[Params]):
    """The experts and the examples."""

    def bound(self, best: int) -> float:
        """On the expected mistakes, by those of the best expert."""
        return expected_bound(best, self.problem.d, self.p.beta)

    @cached_property
    def expected(self) -> Float:
        """(n + 1,) mistakes before each example on average over all draws, and after the last."""
        return self.stream.expected(self.p.beta)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = given.fresh(State)  # w[i] ← 1
    yield from at("start", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    s = given.recounted(s)
    rng.random(s.seen)  # the draws of the examples so far
    for end in given.ends(s.seen):
        for t in range(s.seen, end):
            s = yield from one_example(given, at, s, t, rng)
        yield from at("tally", between(s), "round")


def one_example(given: Setting, at: At, s: State, t: int, rng: Rng) -> Part[State, State]:
    """The state after the example that comes after t others. AIMA 18.10.1."""
    stream = given.stream
    s = replace(s, row=int(stream.rows[t]), drawn=-1, said=-1, before=s.weights)
    yield from at("take", s)

    u = float(rng.random())
    i = drawn(s.weights, u)
    s = replace(s, u=u, drawn=i)
    yield from at("draw", s)

    said = int(stream.says[t][i])
    s = replace(s, said=said)
    yield from at("say", s)

    mistake = bool(said != stream.truth[t])
    s = given.with_truth(s, mistake)
    s = replace(s, expected=float(given.expected[s.seen]), regret=s.mistakes - s.best)
    yield from at("truth", s, *when(mistake=mistake))

    erred = stream.wrong[t]  # (K,) which experts were wrong
    wrong = frozen(s.wrong + erred)
    # β^mistakes: w[i] ← β w[i] where i was wrong
    s = replace(s, wrong=wrong, weights=weights(wrong, given.p.beta))
    if erred.any():
        yield from at("update", s)
    return s


def drawn(w: Float, u: float) -> int:
    """The expert i whose part of the weights, laid side by side, the number u in [0, 1) falls on:
    P(i) = w[i] / Σ w.
    """
    edges = np.cumsum(w)
    i = int(np.searchsorted(edges, u * edges[-1], side="right"))
    return min(i, len(w) - 1)


def between(s: State) -> State:
    """The state between two examples."""
    return replace(s, before=s.weights, row=-1, said=-1, drawn=-1)


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
    """Ten experts on fourteen days."""
    return prepare(generate("pundits", 14, 0.2))


ALGORITHM = Algorithm.of(
    __name__,
    title="Randomised weighted majority",
    task=Task.ONLINE,
    predict=Setting.predict,
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
