"""Randomised weighted majority: say what one expert says, drawn by weight. AIMA 18.10.1."""

from collections.abc import Generator as Generator_
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Annotated

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Algorithm, Curve, Explanation, Needs
from engine.core.arrays import Float, Int, Prefix, frozen
from engine.core.forecasts import forecasts
from engine.core.notation import short
from engine.core.params import Help, Label, Range
from engine.core.problem import Problem, Task
from engine.core.scene import Scene
from engine.core.step import Level, Note, Operand, Pace, Step, note
from engine.data.generators import generate
from engine.data.prepare import prepare
from engine.numerics import experts
from engine.pictures import experts as pictures

ROUND = 10  # examples between two comparisons

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
class State:
    """weights (K,) of the experts, `before` this step; wrong (K,) the mistakes that made them; best: of the best expert so
    far; mistakes: of this run; expected: of all possible draws on average; regret: mistakes − best; row: of the table, or
    −1; drawn: expert, or −1, by the number u; said: class, or −1; seen: examples whose truth is known; misses: which were wrong."""

    weights: Float
    before: Float
    wrong: Int
    misses: Prefix[int]
    best: int = 0
    mistakes: int = 0
    expected: float = 0.0
    regret: int = 0
    row: int = -1
    drawn: int = -1
    u: float = 0.0
    said: int = -1
    seen: int = 0


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    ones = frozen(np.ones(problem.d))
    s = State(ones, ones, frozen(np.zeros(problem.d, np.intp)), Prefix([], 0))
    yield step(p, "start", s, pictures.start_note(problem), Level.ROUND)
    yield from resume(problem, p, s, rng, pace)


def resume(problem: Problem, p: Params, s: State, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    stream = experts.stream(problem)
    wrong = stream.after(s.seen)
    s = replace(s, wrong=wrong, best=int(wrong.min()), weights=experts.weights(wrong, p.beta))
    for t in range(s.seen, stream.n):
        s = yield from one_example(problem, p, stream, t, s, rng, pace)
        if s.seen % ROUND == 0 and s.seen < stream.n:
            yield tally(problem, p, s)
    yield tally(problem, p, s)


def tally(problem: Problem, p: Params, s: State) -> Step[State]:
    """Mistakes beside the best expert's and the bound."""
    s = replace(s, before=s.weights, row=-1, drawn=-1, said=-1)
    return step(p, "tally", s, tally_note(problem, p, s), Level.ROUND, ("round",))


def one_example(
    problem: Problem, p: Params, stream: experts.Stream, t: int, s: State, rng: Generator, pace: Pace
) -> Generator_[Step[State], None, State]:
    """Draw an expert, say what he says, see the truth, punish every expert who was wrong."""
    says, truth, wrong = stream.says[t], int(stream.truth[t]), stream.wrong[t]
    s = replace(s, row=int(stream.rows[t]), drawn=-1, said=-1, before=s.weights)
    if pace.detail:
        yield step(p, "take", s, pictures.take_note(problem, s.row, says), Level.DETAIL)
    u = float(rng.random())
    s = replace(s, u=u, drawn=experts.drawn(s.weights, u))
    if pace.step:
        yield step(p, "draw", s, pictures.draw_note(problem, s.weights, terms(p, s), s.drawn, u))
    s = replace(s, said=int(says[s.drawn]))
    if pace.detail:
        yield step(p, "say", s, say_note(problem, s), Level.DETAIL)
    missed, old = s.said != truth, terms(p, s) if pace.step else ()
    risk = float(s.weights[wrong].sum() / s.weights.sum())
    s = counted(s, int(stream.after(t + 1).min()), missed, risk)
    s = replace(s, misses=s.misses.plus(t)) if missed else s
    if pace.step:
        words = pictures.risk_note(problem, s.row, missed, s.mistakes, wrong, old, risk)
        yield step(p, "truth", s, words, events=("mistake",) if missed else ())
    after = stream.after(s.seen)
    s = replace(s, wrong=after, weights=experts.weights(after, p.beta))
    if pace.step and wrong.any():
        words = pictures.update_note(problem, p.beta, np.flatnonzero(wrong), old, terms(p, s))
        yield step(p, "update", s, words)
    return s


def counted(s: State, best: int, missed: bool, risk: float) -> State:
    """One more example. `risk`: the part of the weight that forecast it wrongly."""
    mistakes = s.mistakes + missed
    return replace(s, best=best, mistakes=mistakes, expected=s.expected + risk, regret=mistakes - best, seen=s.seen + 1)


def terms(p: Params, s: State) -> tuple[Fraction | float, ...]:
    return pictures.exact(s.wrong, p.beta, s.weights)


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
    return experts.winners(experts.votes(s.weights, forecasts(problem, X), len(problem.classes)))


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    return pictures.explanation(problem, forecasts(problem, x[None])[0], s.weights, terms(p, s), by_draw=True)


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    s, stream = step.state, experts.stream(problem)
    at = int(np.searchsorted(stream.rows, s.row))
    says = stream.says[at] if s.row >= 0 else None
    drawn = (s.drawn,) if step.line in ("draw", "say") else ()
    amber = tuple(np.flatnonzero(stream.wrong[at]).tolist()) if step.line in ("truth", "update") else drawn
    chance = pictures.wheel(problem, s.before, says, s.u if s.drawn >= 0 else None, s.drawn)
    punished = s.seen - (step.line == "truth")
    share, *others = pictures.figures(problem, stream, p.beta, punished, says, s.wrong, s.weights, s.before, amber)
    bound = partial(experts.expected_bound, experts=problem.d, beta=p.beta)
    race = pictures.race_plot(stream, s.misses, s.seen, bound)
    return Scene((), (chance, share, *others, race))


def chips(p: Params) -> tuple[str, ...]:
    return (f"β {short(p.beta)}",)


def example() -> Problem:
    """Ten experts on fourteen days."""
    return prepare(generate("pundits", 14, 0.2))


ALGORITHM = Algorithm(
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
