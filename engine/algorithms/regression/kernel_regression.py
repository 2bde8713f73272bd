"""The mean of all examples, weighted by a kernel of their distance. MMDS 12.4.4, ML 8.2.1 (Eq 8.4), AIMA 18.8.4."""

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
answer:   h(q) ← Σ w y / Σ w
end: return the curve h
"""


@dataclass(frozen=True)
class Params:
    kernel: Annotated[
        Literal["quadratic", "gaussian", "1/d²"],
        Label("Kernel"),
        Help("quadratic: max(0, 1 − (2d/width)²); gaussian: e^(−d²/width²); 1/d²: exact at every example"),
    ] = "gaussian"
    width: Annotated[
        float,
        Range(1e-6, 1e6, log=True),
        Label("Width"),
        Help("quadratic: 0 beyond half of it on either side; gaussian: σ in e^(−d²/σ²)"),
        When("kernel", ("quadratic", "gaussian")),
    ] = 1.0


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
        s = replace(s, answered=True)
        yield step(sweep, "answer", s, words.answer_note(problem, sweep, s), events=words.answer_events(s))
    yield step(sweep, "end", State(stored=True, finished=True), words.end_note(sweep), Level.ROUND)


def rule(p: Params) -> Rule:
    """All examples, weighted by the kernel."""
    return Rule(0, p.kernel, p.width)


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
    return (p.kernel, *((f"width {number(p.width)}",) if p.kernel != "1/d²" else ()))


def example() -> Problem:
    """The peak of MMDS Ex 12.13."""
    return prepare(
        Dataset.from_columns(
            {"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], "y": [1.0, 2.0, 4.0, 8.0, 4.0, 2.0, 1.0]}, "y", task="regress"
        )
    )


ALGORITHM = Algorithm(
    key="kernel_regression",
    title="Kernel regression",
    family="regression",
    task=Task.REGRESS,
    source=("MMDS 12.4.4", "MMDS Ex 12.13", "ML 8.2.1", "AIMA 18.8.4"),
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
    events=("exact", "too few"),
    errata=(
        "MMDS 12.4.4 calls σ in e^(−(x−q)²/σ²) the standard deviation. Without the 2 in the exponent that is σ/√2.",
        "AIMA Fig 18.29 writes the kernel with d and |x| mixed; here d is the distance throughout.",
    ),
    chips=chips,
    summary="Every example takes part in every query, the nearer the more. A continuous kernel gives a continuous curve; "
    "too wide a kernel flattens it, too narrow a kernel follows single examples.",
)
