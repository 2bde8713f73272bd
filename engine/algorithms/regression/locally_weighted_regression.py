"""A line fitted anew for each query, near examples counting more. AIMA 18.8.4, ML 8.3 (Eqs 8.5-8.7)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Algorithm, Curve, Explanation, Needs
from engine.core.arrays import Float
from engine.core.dataset import Dataset
from engine.core.notation import number
from engine.core.params import Help, Label, Range, When
from engine.core.problem import Problem, Task
from engine.core.scene import Scene
from engine.core.step import Level, Pace, Step
from engine.data.prepare import prepare
from engine.numerics.smoothing import Rule
from engine.numerics.sweep import State, Sweep, asked, smoothed
from engine.pictures import smoothing_words as words
from engine.pictures.smoothing import picture, width_rivals
from engine.pictures.smoothing_words import step

PSEUDOCODE = """
start: memory ← empty
store: put every (x, y) into memory
query: for each q, from left to right
weigh:   for each x: w ← K(|x − q|)
fit:   a, b ← least Σ w (y − a − b x)²
answer:   h(q) ← a + b q
end: return the curve h
"""


@dataclass(frozen=True)
class Params:
    kernel: Annotated[
        Literal["quadratic", "gaussian", "1/d²"],
        Label("Kernel"),
        Help("quadratic: max(0, 1 − (2d/width)²); gaussian: e^(−d²/width²); 1/d²: exact at every example"),
    ] = "quadratic"
    width: Annotated[
        float,
        Range(1e-6, 1e6, log=True),
        Label("Width"),
        Help("quadratic: 0 beyond half of it on either side; gaussian: σ in e^(−d²/σ²)"),
        When("kernel", ("quadratic", "gaussian")),
    ] = 10.0
    k: Annotated[
        int,
        Range(0, 10_000),
        Label("Neighbours k"),
        Help("0: all examples (ML criterion 2); else only the k nearest, weighted (criterion 3)"),
    ] = 0


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    sweep, s = sweep_of(problem, p), State()
    yield step(sweep, "start", s, words.start_note(), Level.ROUND)
    s = replace(s, stored=True)
    yield step(sweep, "store", s, words.store_note(sweep), Level.ROUND)
    for q in sweep.stops if pace.step else ():
        s = asked(s, q, sweep.model.ask(q))
        if pace.detail:
            yield step(sweep, "query", s, words.query_note(problem, sweep, s), Level.DETAIL)
            yield from words.weighing(problem, sweep, s)
            yield step(sweep, "fit", s, words.fit_note(problem, sweep, s), Level.DETAIL)
        s = replace(s, answered=True)
        yield step(sweep, "answer", s, words.answer_note(problem, sweep, s), events=words.answer_events(s))
    yield step(sweep, "end", State(stored=True, finished=True), words.end_note(sweep), Level.ROUND)


def rule(p: Params) -> Rule:
    """A line through all examples or the k nearest, weighted by the kernel."""
    return Rule(p.k, p.kernel, p.width, "line")


def sweep_of(problem: Problem, p: Params) -> Sweep:
    return smoothed(problem, rule(p))


def predict(problem: Problem, p: Params, s: State, X: Float) -> Float:
    """Values; 0 everywhere before anything is stored."""
    return sweep_of(problem, p).model.values(X) if s.stored else np.zeros(len(X))


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    return words.explain_place(problem, sweep_of(problem, p), s, x)


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    sweep = sweep_of(problem, p)
    return picture(problem, sweep, step.state, width_rivals(problem, sweep, rule(p)))


def chips(p: Params) -> tuple[str, ...]:
    return (p.kernel, *((f"width {number(p.width)}",) if p.kernel != "1/d²" else ()), *((f"k = {p.k}",) if p.k else ()))


def example() -> Problem:
    """A few of the points that stand in for AIMA Fig 18.28, with its outlier."""
    return prepare(
        Dataset.from_columns(
            {"x": [0.0, 2.0, 4.1, 6.0, 8.0, 10.2, 12.0], "y": [2.0, 3.1, 4.2, 7.4, 5.6, 6.0, 6.8]}, "y", task="regress"
        )
    )


ALGORITHM = Algorithm(
    key="locally_weighted_regression",
    title="Locally weighted regression",
    family="regression",
    task=Task.REGRESS,
    source=("AIMA 18.8.4", "ML 8.3", "ML 8.3.1"),
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
        "AIMA 18.8.4 and ML 8.3.1 are silent when fewer than n + 1 examples lie inside the window, so that no line is "
        "settled. Here the weighted mean is taken, with nobody inside the nearest example, and the step says so.",
        "AIMA 18.8.4 refers to Fig 18.29(d) where Fig 18.28(d) is meant, and mixes d and |x| in the kernel.",
    ),
    chips=chips,
    summary="Fits a line for the query alone: examples inside the window of the kernel count by their nearness. "
    "Smooth, better at the ends than a mean, and no model remains but the examples.",
)
