"""WEIGHTED-MAJORITY: experts vote, and whoever is wrong loses weight. ML 7.5.4, Table 7.1."""

from collections.abc import Generator as Generator_
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import isfinite
from typing import Annotated

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Float, Int
from engine.core.forecasts import forecasts
from engine.core.former import former
from engine.core.notation import short
from engine.core.params import Help, Label, Range
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Role, Scene
from engine.core.step import Choice, Level, Note, Pace, Step
from engine.data.generators import generate
from engine.data.prepare import prepare
from engine.numerics import experts
from engine.pictures import expert_rounds as rounds
from engine.pictures import experts as pictures
from engine.pictures.expert_figures import Rival

PSEUDOCODE = """
start: w[i] ← 1 for every expert i
take: for each example x, one by one
vote:   say c with most Σ w[i], i says c
truth:   see c(x); if it is not c: M += 1
update:   w[i] ← β w[i] where i was wrong
tally: every tenth time: compare M
"""


@dataclass(frozen=True)
class Params:
    beta: Annotated[
        float,
        Range(0, 0.99),
        Label("Factor β"),
        Help("what a wrong expert's weight is multiplied by; 0: one mistake and the expert is out"),
    ] = 0.5


@dataclass(frozen=True, slots=True)
class State(rounds.Forecasting):
    """plain: mistakes of a vote without weights, where a tie counts as a part; the rest: see Forecasting."""

    plain: float = 0.0


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    s = rounds.fresh(State, problem)
    yield step(p, "start", s, pictures.start_note(problem), Level.ROUND)
    yield from resume(problem, p, s, rng, pace)


def resume(problem: Problem, p: Params, s: State, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    one = partial(one_example, problem, p, rng, pace)
    yield from rounds.play(problem, p.beta, s, one, partial(tally, problem, p))


def tally(problem: Problem, p: Params, s: State) -> Step[State]:
    """Mistakes beside the best expert's and the bound."""
    bound = experts.vote_bound(s.best, problem.d, p.beta)
    words = pictures.tally_note(problem, pictures.VOTE_BOUND, s.seen, s.mistakes, s.wrong, p.beta, bound)
    return step(p, "tally", s, words, Level.ROUND, ("round",))


def one_example(
    problem: Problem, p: Params, rng: Generator, pace: Pace, stream: experts.Stream, t: int, s: State
) -> Generator_[Step[State], None, State]:
    """Forecast, see the truth, punish every expert who was wrong."""
    says, old = stream.says[t], rounds.terms(s, p.beta) if pace.step else ()
    s = replace(s, row=int(stream.rows[t]), said=-1, before=s.weights)
    if pace.detail:
        yield step(p, "take", s, pictures.take_note(problem, s.row, says), Level.DETAIL)
    q = experts.votes(s.weights, says[None], len(problem.classes))[0]
    tie = experts.tied(q)
    s = replace(s, said=int(tie[0] if len(tie) == 1 else rng.choice(tie)))
    if pace.step:
        words = pictures.vote_note(problem, s.row, old, says, q, s.said)
        choice = pictures.vote_choice(problem, q, s.said)
        yield step(p, "vote", s, words, events=("tie",) if len(tie) > 1 else (), choice=choice)
    missed, who = s.said != int(stream.truth[t]), np.flatnonzero(stream.wrong[t])
    s = replace(rounds.counted(s, stream, t, missed), plain=float(stream.plain[t + 1]))
    if pace.step:
        words = pictures.truth_note(problem, s.row, missed, s.mistakes, who)
        yield step(p, "truth", s, words, events=("mistake",) if missed else ())
    s = rounds.punished(s, stream, p.beta)
    if pace.step and len(who):
        out = s.before.any() and not s.weights.any()
        words = pictures.update_note(problem, p.beta, who, s.wrong, old, rounds.terms(s, p.beta))
        yield step(p, "update", s, words, events=("all out",) if out else ())
    return s


def step(
    p: Params, line: str, s: State, words: Note, level: Level = Level.STEP, events: tuple[str, ...] = (),
    choice: Choice | None = None,
) -> Step[State]:  # fmt: skip
    metrics = {"mistakes": float(s.mistakes), "best": float(s.best), "plain": s.plain}
    bound = experts.vote_bound(s.best, len(s.wrong), p.beta)
    if isfinite(bound):
        metrics["bound"] = bound
    return Step(line, s, words, level, metrics, events, choice)


# -- looking at a model ------------------------------------------------------------------------------------------------


def predict(problem: Problem, p: Params, s: State, X: Float) -> Int:
    """The weighted vote of the experts whose forecasts stand in the rows; equal votes go to the first class in order."""
    return rounds.predict(problem, s, X)


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    says = forecasts(problem, x[None])[0]
    return pictures.explanation(problem, says, s.weights, rounds.terms(s, p.beta), by_draw=False)


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    bound = partial(experts.vote_bound, experts=problem.d, beta=p.beta)
    plain = experts.stream(problem).plain
    curves = (Rival("no weights", Role.GHOST, plain), Rival("bound", Role.MARGIN, bound=bound))
    return Scene((), rounds.figures(problem, p.beta, step, curves))


def chips(p: Params) -> tuple[str, ...]:
    return (f"β {short(p.beta)}",)


def example() -> Problem:
    """Ten experts on fourteen days."""
    return prepare(generate("pundits", 14, 0.2))


ALGORITHM = former(
    key="weighted_majority",
    title="Weighted majority",
    family="online",
    task=Task.ONLINE,
    source=("ML 7.5.4", "ML Table 7.1", "ML Theorem 7.5"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    resume=resume,
    scene=scene,
    predict=predict,
    explain=explain,
    needs=Needs(forecasts=True),
    example=example,
    curves=(
        Curve("mistakes", "mistakes of the vote", digits=0),
        Curve("best", "mistakes of the best expert", digits=0),
        Curve("plain", "mistakes of a vote without weights", digits=1),
        Curve("bound", "bound on the mistakes of the vote", bound=True, digits=1),
    ),
    events=("mistake", "tie", "round", "all out"),
    errata=(
        "ML Theorem 7.5 prints M ≤ 2.4 (k + log₂ n) for β = ½. The proof gives 1/log₂(4/3) = 2.409…, so 2.4 is rounded the "
        "wrong way; the bound drawn here is the proved one.",
        "ML 7.5.4 calls β = 0 the same as HALVING. Their ties differ (at random here, negative there), and when no expert "
        "is always right all weights become 0; from then on every vote is a tie.",
    ),
    chips=chips,
    summary="The columns are experts who forecast the target, row by row. They vote with weights; every expert who is wrong "
    "loses the share 1 − β of the weight, so the vote is never much worse than the best expert.",
)
