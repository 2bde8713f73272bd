"""Mean, median or line of the k nearest examples. AIMA 18.8.1, 18.8.4, MMDS 12.4.3, ML 8.2 (Eqs 8.1, 8.4)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Algorithm, Curve, Explanation, Needs
from engine.core.arrays import Float
from engine.core.dataset import Dataset
from engine.core.notation import number
from engine.core.params import Help, Label, Range
from engine.core.problem import Problem, Task
from engine.core.scene import Scene
from engine.core.step import Level, Pace, Step
from engine.data.prepare import prepare
from engine.numerics.smoothing import Rule
from engine.numerics.sweep import State, Sweep, asked, smoothed
from engine.pictures import smoothing_words as words
from engine.pictures.smoothing import neighbour_rivals, picture
from engine.pictures.smoothing_words import step

PSEUDOCODE = """
start: memory ← empty
store: put every (x, y) into memory
query: for each q, from left to right
near:   near ← k stored x nearest to q
weigh:   for each x in near: w ← K(|x − q|)
answer:   h(q) ← mean, median or line
end: return the curve h
"""


@dataclass(frozen=True)
class Params:
    k: Annotated[int, Range(1, 10_000, log=True), Label("Neighbours k")] = 3
    estimate: Annotated[
        Literal["mean", "median", "line"], Label("Estimate"), Help("what is taken of their values; line: least squares")
    ] = "mean"
    weights: Annotated[
        Literal["equal", "1/d", "1/d²"],
        Label("Weights"),
        Help("1/d with k = 2 joins two examples by a straight line while the query is between them"),
    ] = "equal"


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    sweep, s = sweep_of(problem, p), State()
    yield step(sweep, "start", s, words.start_note(), Level.ROUND)
    s = replace(s, stored=True)
    yield step(sweep, "store", s, words.store_note(sweep), Level.ROUND)
    for q in sweep.stops if pace.step else ():
        s = asked(s, q, sweep.model.ask(q))
        if pace.detail:
            yield step(sweep, "query", s, words.query_note(problem, sweep, s), Level.DETAIL)
            near, choice = words.near_note(problem, sweep, s), words.near_choice(problem, sweep, s)
            yield step(sweep, "near", s, near, Level.DETAIL, ("tie",) if s.outside >= 0 else (), choice)
            yield from words.weighing(problem, sweep, s)
        s = replace(s, answered=True)
        yield step(sweep, "answer", s, words.answer_note(problem, sweep, s), events=words.answer_events(s))
    yield step(sweep, "end", State(stored=True, finished=True), words.end_note(sweep), Level.ROUND)


def rule(p: Params) -> Rule:
    """k neighbours with weights of their distance."""
    return Rule(p.k, p.weights, 1.0, p.estimate)


def sweep_of(problem: Problem, p: Params) -> Sweep:
    return smoothed(problem, rule(p))


def predict(problem: Problem, p: Params, s: State, X: Float) -> Float:
    """Values; 0 everywhere before anything is stored."""
    return sweep_of(problem, p).model.values(X) if s.stored else np.zeros(len(X))


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    return words.explain_place(problem, sweep_of(problem, p), s, x)


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    return picture(problem, sweep_of(problem, p), step.state, neighbour_rivals(problem, rule(p)))


def chips(p: Params) -> tuple[str, ...]:
    return (f"k = {number(p.k)}", p.estimate, *((f"weights {p.weights}",) if p.weights != "equal" else ()))


def example() -> Problem:
    """The peak of MMDS Ex 12.12."""
    return prepare(
        Dataset.from_columns(
            {"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], "y": [1.0, 2.0, 4.0, 8.0, 4.0, 2.0, 1.0]}, "y", task="regress"
        )
    )


ALGORITHM = Algorithm(
    key="neighbour_regression",
    title="Neighbour regression",
    family="regression",
    task=Task.REGRESS,
    source=("AIMA 18.8.1", "AIMA 18.8.4", "MMDS 12.4.3", "MMDS Ex 12.12", "ML 8.2", "ML 8.2.1"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    scene=scene,
    predict=predict,
    explain=explain,
    needs=Needs(labels=False, values=True, numeric=True),
    example=example,
    curves=(
        Curve("rmse", "root mean square error"),
        Curve("loo", "error of those passed, left out"),
        Curve("value", "h(q)"),
    ),
    events=("tie", "exact", "too few"),
    errata=(
        "MMDS Ex 12.12 calls two neighbours on one side, weighted by 1/d, an extrapolation. The weights are positive, so the "
        "value stays between the two labels; the straight line through them is estimate = line with k = 2.",
        "MMDS 12.4.3 presents the weighted mean of the two nearest as continuous. It jumps where the two nearest change, "
        "when the next example stands at (x_i + x_{i+2})/2 and not on the other side of a neighbour.",
        "AIMA 18.8.4 puts leave-one-out at O(k) in place of O(kN). That is the cost of one example: all N have to be asked.",
    ),
    chips=chips,
    summary="Asks the k nearest examples and takes the mean, the median or a line of their values. "
    "The curve jumps wherever another example becomes one of the nearest; means are flat at the ends.",
)
