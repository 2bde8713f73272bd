"""One layer of output units, each an independent learner of its own target. AIMA 18.7.2."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Float, Int, frozen
from engine.core.former import former
from engine.core.grid import Grid
from engine.core.notation import short
from engine.core.params import Help, Label, Range
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Scene
from engine.core.step import Level, Note, Pace, Step, late_note
from engine.core.sums import add_up
from engine.data.prepare import prepare
from engine.data.textbook import textbook
from engine.numerics.class_scores import classify, of_classes
from engine.numerics.mistakes import RoundEnds, reach_of
from engine.algorithms.networks.parts import NO_HIDDEN, grid_classes, grid_inputs, grid_score, with_weight
from engine.algorithms.networks.parts.outputs import (
    Answers,
    Outputs,
    Teacher,
    UnitRound,
    extended,
    finite,
    outputs,
    own_units,
)
from engine.algorithms.networks.perceptron_network import picture as pictures

PSEUDOCODE = """
init: w[i,j] ← 0
round: repeat
take:   for each (x, y), with x[0] = 1
fire:     all units: h ← g(Σ w[i,j]·x[i])
update:     w[i,j] += α·(y[j] − h[j])·g′·x[i]
until: until every unit is right
"""


@dataclass(frozen=True)
class Params:
    unit: Annotated[
        Literal["threshold", "sigmoid"],
        Label("Units"),
        Help("threshold: 1 where in ≥ 0; changes after mistakes, g′ = 1. sigmoid: logistic; every example counts."),
    ] = "threshold"
    rate: Annotated[float, Range(1e-4, 100, log=True), Label("Rate α")] = 1.0
    rounds: Annotated[int, Range(1, 100_000, log=True), Label("Rounds at most")] = 30
    order: Annotated[Literal["table", "random"], Label("Order")] = "table"
    targets: Annotated[
        Literal["target", "target and columns aside"],
        Label("Outputs for"),
        Help("columns aside: those that are not learnt from and hold 0 and 1, or a pair; each gets an output unit"),
    ] = "target and columns aside"


@dataclass(frozen=True, slots=True)
class State:
    """W (d + 1, m), one column per output unit, the bias last; before: W before this step; wrong: for each unit, examples
    it gets wrong; errors: points whose class is wrong; round from 1. current: row looked at or −1, inputs (m,) the in of
    every unit for it; unit: the one that changed now, or −1."""

    W: Float
    before: Float
    wrong: tuple[int, ...] = ()
    errors: int = 0
    round: int = 0
    current: int = -1
    inputs: tuple[float, ...] = ()
    unit: int = -1


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State] | None]:
    told = outputs(problem, p.targets != "target")
    W = frozen(np.zeros((problem.d + 1, len(told.names))))
    s = judged(problem, p, told, State(W, W))
    yield step("init", s, pictures.init_note(told), Level.ROUND)
    yield from resume(problem, p, s, rng, pace)


def resume(problem: Problem, p: Params, s: State, rng: Generator, pace: Pace) -> Iterator[Step[State] | None]:
    """Goes on from the weights of `s`; after the last round, for as many rounds again."""
    told, X = outputs(problem, p.targets != "target"), extended(problem.X)
    teacher = Teacher(X, told.Y, p.rate, p.unit == "threshold")
    last = p.rounds if s.round < p.rounds else s.round + p.rounds
    reach = reach_of(X, p.rate)
    ends = [RoundEnds(reach, w, s.round) for w in s.W.T]
    while s.round < last:
        order = rng.permutation(problem.n) if p.order == "random" else np.arange(problem.n)
        s, former = State(s.W, s.W, s.wrong, s.errors, s.round + 1), s.wrong
        if pace.detail:
            yield step("round", s, pictures.round_note(s.round), Level.DETAIL)
        begun, changed = s, set[int]()
        for part in teacher.parts(order) if pace.step else [order]:
            units = yield from teacher.round(part, s.W, watched=pace.step)
            W = frozen(np.column_stack([unit.after(w) for unit, w in zip(units, s.W.T, strict=True)]))
            if not finite(units, W):
                yield step("update", begun, pictures.diverged_note(p.rate), Level.ROUND, ("diverged",))
                return
            if pace.step:
                yield from looks(problem, p, told, X, part, units, s, pace)
            s = replace(s, W=W)
            changed |= {j for j, unit in enumerate(units) if unit.changes}
        s = judged(problem, p, told, replace(s, before=s.W))
        done = p.unit == "threshold" and not changed
        learnt = [j for j, count in enumerate(s.wrong) if count == 0 < former[j]]
        cycles = circles(s, ends, changed) if p.unit == "threshold" and p.order == "table" else {}
        events = ("round", *["learnt"] * bool(learnt), *["cycle"] * bool(cycles), *["converged"] * done)
        yield step("until", s, pictures.end_note(told, s.round, s.wrong, learnt, cycles, done), Level.ROUND, events)
        if done:
            return


def looks(
    problem: Problem, p: Params, told: Outputs, X: Float, order: Int, units: Sequence[UnitRound], s: State, pace: Pace
) -> Iterator[Step[State]]:
    """Part of a round, example by example: all units answer, then those that learn from it change, one after the other."""
    answers = Answers(X, told, problem.codes, reach_of(X, p.rate), s.W)
    s = replace(s, wrong=answers.wrong, errors=answers.errors)
    for at, row in enumerate(order.tolist()):
        s = replace(s, before=s.W, current=row, unit=-1, inputs=())
        if pace.detail:
            yield step("take", s, pictures.take_note(problem, told, row), Level.DETAIL)
        s = replace(s, inputs=tuple(float(unit.inputs[at]) for unit in units))
        yield step("fire", s, late_note(pictures.fire_note, problem, told, p.unit, s, row))
        for j, unit in enumerate(units):
            if at in unit.changes:
                W = s.W.copy()
                W[:, j] = unit.weights(at)
                answers.change(j, W[:, j])
                s = replace(s, before=s.W, W=frozen(W), unit=j, wrong=answers.wrong, errors=answers.errors)
                said = late_note(pictures.update_note, problem, told, p.unit, p.rate, s, X[row])
                yield step("update", s, said, events=("mistake",) if (s.inputs[j] >= 0) != told.Y[row, j] else ())


def circles(s: State, ends: Sequence[RoundEnds], changed: Set[int]) -> dict[int, int]:
    """{unit: round} for units whose weights are those at the end of an earlier round, though they changed since: the
    rounds depend on the weights alone, so such a unit goes on in this circle for ever. Remembers the weights of now."""
    found = {}
    for j, end in enumerate(ends):
        again = end.earlier(s.W[:, j], s.round)
        if j in changed and again is not None:
            found[j] = again
    return found


# -- the model ---------------------------------------------------------------------------------------------------------


def step(line: str, s: State, said: Note, level: Level = Level.STEP, events: tuple[str, ...] = ()) -> Step[State]:
    return Step(line, s, said, level, {"errors": float(s.errors), "outputs": float(add_up(s.wrong))}, events)


def judged(problem: Problem, p: Params, told: Outputs, s: State) -> State:
    """The state with its wrong outputs and wrong points."""
    X = extended(problem.X)
    answers = Answers(X, told, problem.codes, reach_of(X, p.rate), s.W)
    return replace(s, wrong=answers.wrong, errors=answers.errors)


def own_weights(problem: Problem, s: State) -> Float:
    """The columns of the units that tell the target's class."""
    return s.W[:, : own_units(problem)]


def tweak(problem: Problem, p: Params, s: State, link: tuple[int, ...], value: float) -> State:
    """The weight of link (0, from, to) set by hand."""
    (W,) = with_weight((s.W,), link, value)
    return judged(problem, p, outputs(problem, p.targets != "target"), State(W, s.W, round=s.round))


def predict(problem: Problem, p: Params, s: State, X: Float) -> Int:
    """The first of two classes where its unit has in ≥ 0; of several the class whose unit has the largest in."""
    return classify(extended(X) @ own_weights(problem, s))


def scores(problem: Problem, p: Params, s: State, X: Float) -> Float:
    """in of the units that tell the class: (m,) of the one for two classes, else (m, k)."""
    return of_classes(extended(X) @ own_weights(problem, s))


def class_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    return grid_classes(problem, NO_HIDDEN, (own_weights(problem, s),), grid)


def score_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    """in of the unit of two classes; for sigmoid units 2a − 1."""
    weights = (own_weights(problem, s),)
    if p.unit == "sigmoid" or len(problem.classes) > 2:
        return grid_score(problem, NO_HIDDEN, weights, grid)
    return np.asarray(grid_inputs(problem, NO_HIDDEN, weights, grid)[0])


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    return pictures.explained(problem, own_weights(problem, s), x, int(predict(problem, p, s, x[None])[0]))


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    told = outputs(problem, p.targets != "target")
    return pictures.layer_scene(problem, told, p.unit, step.state, predict(problem, p, step.state, problem.X))


def chips(p: Params) -> tuple[str, ...]:
    return (f"{p.unit} units", f"α {short(p.rate)}")


def example() -> Problem:
    """The two-bit adder: carry is AND, sum is XOR."""
    return prepare(textbook("two_bit_adder"))


ALGORITHM = former(
    key="perceptron_network",
    title="Perceptron network",
    family="networks",
    task=Task.CLASSIFY,
    source=("AIMA 18.7.2", "AIMA Eq 18.7", "AIMA Eq 18.8"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    resume=resume,
    tweak=tweak,
    scene=scene,
    predict=predict,
    scores=scores,
    fields={"class": class_surface, "score": score_surface},
    explain=explain,
    needs=Needs(min_classes=2, numeric=True),
    example=example,
    curves=(
        Curve("errors", "wrong points", of_n=True, digits=0),
        Curve("outputs", "wrong answers of all units", digits=0),
    ),
    events=("round", "mistake", "learnt", "cycle", "converged", "diverged"),
    errata=("AIMA Fig 18.20(b) has two output units; its caption speaks of one.",),
    chips=chips,
    summary="Every output unit sees all inputs and learns its own target, as if it were alone. Of the two-bit adder the carry "
    "is learnt, because a line divides it; the sum is not, and its unit goes round in a circle.",
)
