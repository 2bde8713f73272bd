"""Straight lines from point to point. AIMA 18.8.4, MMDS 12.4.3 (Ex 12.12)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Algorithm, Curve, Explanation, Needs
from engine.core.arrays import Float
from engine.core.dataset import Dataset
from engine.core.params import Help, Label
from engine.core.problem import Problem, Task
from engine.core.scene import Scene
from engine.core.step import Level, Pace, Step
from engine.data.prepare import prepare
from engine.numerics.sweep import State, Sweep, asked, joined
from engine.pictures import smoothing_words as words
from engine.pictures.smoothing import picture
from engine.pictures.smoothing_words import step

PSEUDOCODE = """
start: memory ← empty
store: put every (x, y) into memory
query: for each q, from left to right
weigh:   x, x' around q: shares ← nearness
answer:   h(q) ← Σ share · y
end: return the curve h
"""


@dataclass(frozen=True)
class Params:
    outside: Annotated[
        Literal["extrapolate", "hold"],
        Label("Beyond the ends"),
        Help("extrapolate: the last piece goes on straight; hold: the last value stays"),
    ] = "extrapolate"


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


def sweep_of(problem: Problem, p: Params) -> Sweep:
    return joined(problem, p.outside)


def predict(problem: Problem, p: Params, s: State, X: Float) -> Float:
    """Values; 0 everywhere before anything is stored."""
    return sweep_of(problem, p).model.values(X) if s.stored else np.zeros(len(X))


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    return words.explain_place(problem, sweep_of(problem, p), s, x)


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    return picture(problem, sweep_of(problem, p), step.state, None)


def chips(p: Params) -> tuple[str, ...]:
    return (f"beyond the ends: {p.outside}",)


def example() -> Problem:
    """The peak of MMDS Ex 12.12."""
    return prepare(
        Dataset.from_columns(
            {"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], "y": [1.0, 2.0, 4.0, 8.0, 4.0, 2.0, 1.0]}, "y", task="regress"
        )
    )


ALGORITHM = Algorithm(
    key="connect_the_dots",
    title="Connect the dots",
    family="regression",
    task=Task.REGRESS,
    source=("AIMA 18.8.4", "MMDS 12.4.3", "MMDS Ex 12.12"),
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
        "MMDS Ex 12.12 gets its extrapolation from the two nearest with weights 1/d. Those weights are positive and give a "
        "value between the labels; to go on straight, one share has to be negative, as here.",
    ),
    chips=chips,
    summary="Joins neighbouring points by straight lines, so every example is met exactly. "
    "Without noise that is good; with noise the curve follows every error.",
)
