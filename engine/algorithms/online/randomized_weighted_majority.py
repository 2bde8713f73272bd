"""Randomised weighted majority: say what one expert says, drawn by weight. AIMA 18.10.1."""

from collections.abc import Generator as Generator_
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
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
from engine.core.step import Level, Note, Operand, Pace, Step, note
from engine.data.generators import generate
from engine.data.prepare import prepare
from engine.numerics import experts
from engine.pictures import expert_rounds as rounds
from engine.pictures import experts as pictures
from engine.pictures.expert_figures import Rival, wheel

PSEUDOCODE = """
start: w[i] ← 1 for every expert i
take: for each example, one by one
draw:   draw an expert i, P(i) = w[i]/Σ w
say:   say what expert i says
truth:   see the answer
update:   w[i] ← β w[i] where i was wrong
tally: every tenth time: compare M
"""


@dataclass(frozen=True)
class Params:
    beta: Annotated[
        float,
        Range(0.01, 0.99),
        Label("Factor β"),
        Help("what a wrong expert's weight is multiplied by; small: quick to trust one expert, near 1: slow"),
    ] = 0.5


@dataclass(frozen=True, slots=True)
class State(rounds.Forecasting):
    """expected: mistakes on average over all possible draws; regret: mistakes of this run − those of the best expert;
    drawn: expert, or −1, by the number u in [0, 1); the rest: see Forecasting."""

    expected: float = 0.0
    regret: int = 0
    drawn: int = -1
    u: float = 0.0


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    s = rounds.fresh(State, problem)
    yield step(p, "start", s, pictures.start_note(problem), Level.ROUND)
    yield from resume(problem, p, s, rng, pace)


def resume(problem: Problem, p: Params, s: State, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    one = partial(one_example, problem, p, rng, pace)
    yield from rounds.play(problem, p.beta, s, one, partial(tally, problem, p))


def tally(problem: Problem, p: Params, s: State) -> Step[State]:
    """Mistakes beside the best expert's and the bound."""
    s = replace(s, drawn=-1)
    return step(p, "tally", s, tally_note(problem, p, s), Level.ROUND, ("round",))


def one_example(
    problem: Problem, p: Params, rng: Generator, pace: Pace, stream: experts.Stream, t: int, s: State
) -> Generator_[Step[State], None, State]:
    """Draw an expert, say what he says, see the truth, punish every expert who was wrong."""
    says, wrong, old = stream.says[t], stream.wrong[t], rounds.terms(s, p.beta) if pace.step else ()
    s = replace(s, row=int(stream.rows[t]), drawn=-1, said=-1, before=s.weights)
    if pace.detail:
        yield step(p, "take", s, pictures.take_note(problem, s.row, says), Level.DETAIL)
    u = float(rng.random())
    s = replace(s, u=u, drawn=experts.drawn(s.weights, u))
    if pace.step:
        yield step(p, "draw", s, pictures.draw_note(problem, old, s.drawn, u))
    s = replace(s, said=int(says[s.drawn]))
    if pace.detail:
        yield step(p, "say", s, say_note(problem, s), Level.DETAIL)
    missed = s.said != int(stream.truth[t])
    s = rounds.counted(s, stream, t, missed)
    s = replace(s, expected=float(stream.expected(p.beta)[s.seen]), regret=s.mistakes - s.best)
    if pace.step:
        words = pictures.risk_note(problem, s.row, missed, s.mistakes, wrong, old)
        yield step(p, "truth", s, words, events=("mistake",) if missed else ())
    s = rounds.punished(s, stream, p.beta)
    if pace.step and wrong.any():
        words = pictures.update_note(problem, p.beta, np.flatnonzero(wrong), s.wrong, old, rounds.terms(s, p.beta))
        yield step(p, "update", s, words)
    return s


def step(
    p: Params, line: str, s: State, words: Note, level: Level = Level.STEP, events: tuple[str, ...] = ()
) -> Step[State]:
    bound = experts.expected_bound(s.best, len(s.wrong), p.beta)
    metrics = {"mistakes": s.mistakes, "expected": s.expected, "best": s.best, "bound": bound, "regret": s.regret}
    metrics["regret_bound"] = bound - s.best
    return Step(line, s, words, level, metrics, events)


def say_note(problem: Problem, s: State) -> Note:
    name = Operand(pictures.names(problem)[s.drawn], about="drawn")
    return note("{expert} says {label}, so that is the forecast.", expert=name, label=problem.class_text(s.said))


def tally_note(problem: Problem, p: Params, s: State) -> Note:
    bound = experts.expected_bound(s.best, problem.d, p.beta)
    said = pictures.tally_note(problem, pictures.DRAW_BOUND, s.seen, s.mistakes, s.wrong, p.beta, bound)
    more = {
        "expected": Operand(s.expected, "E[M]"),
        "regret": Operand(s.regret),
        "most": Operand(bound - s.best),
    }
    return replace(said, facts=(*said.facts, *pictures.REGRET), operands={**said.operands, **more})


# -- looking at a model ------------------------------------------------------------------------------------------------


def predict(problem: Problem, p: Params, s: State, X: Float) -> Int:
    """The likeliest forecast for rows that hold the experts' forecasts; of equally likely ones the first class in order."""
    return rounds.predict(problem, s, X)


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    says = forecasts(problem, x[None])[0]
    return pictures.explanation(problem, says, s.weights, rounds.terms(s, p.beta), by_draw=True)


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    s, stream = step.state, experts.stream(problem)
    drawn = (s.drawn,) if step.line in ("draw", "say") else ()
    says = stream.says[int(np.searchsorted(stream.rows, s.row))] if s.row >= 0 else None
    chance = wheel(problem, s.before, says, s.u if s.drawn >= 0 else None, s.drawn)
    bound = partial(experts.expected_bound, experts=problem.d, beta=p.beta)
    expected = Rival("expected", Role.GHOST, stream.expected(p.beta))
    curves = (expected, Rival("bound", Role.MARGIN, bound=bound))
    return Scene((), (chance, *rounds.figures(problem, p.beta, step, curves, drawn)))


def chips(p: Params) -> tuple[str, ...]:
    return (f"β {short(p.beta)}",)


def example() -> Problem:
    """Ten experts on fourteen days."""
    return prepare(generate("pundits", 14, 0.2))


ALGORITHM = former(
    key="randomized_weighted_majority",
    title="Randomised weighted majority",
    family="online",
    task=Task.ONLINE,
    source=("AIMA 18.10.1",),
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
        Curve("mistakes", "mistakes of this run", digits=0),
        Curve("expected", "expected mistakes over all draws", digits=1),
        Curve("best", "mistakes of the best expert", digits=0),
        Curve("bound", "bound on the expected mistakes", bound=True, digits=1),
        Curve("regret", "regret of this run", digits=0),
        Curve("regret_bound", "bound on the expected regret", digits=1),
    ),
    events=("mistake", "round"),
    errata=(
        "AIMA 18.10.1 bounds the number of mistakes M. The bound is on the expected number, over all draws: a single run "
        "can make more.",
    ),
    chips=chips,
    summary="The columns are experts who forecast the target, row by row. Each time one expert is drawn, with a chance in "
    "proportion to the weight; every wrong expert's weight is multiplied by β. Afterwards the likeliest label is shown.",
)
