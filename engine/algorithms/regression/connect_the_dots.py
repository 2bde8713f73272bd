"""Straight lines from point to point. AIMA 18.8.4, MMDS 12.4.3 (Ex 12.12)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from numpy.random import Generator

from engine.core.former import former
from engine.core.params import Help, Label
from engine.core.problem import Problem, Task
from engine.core.scene import Scene
from engine.core.step import Pace, Step
from engine.numerics.sweep import State, Sweep, joined
from engine.pictures.smoothing import picture
from engine.pictures.smoothing_words import Teller
from engine.pictures.sweeps import CURVES, NEEDS, explainer, predictor, swept, the_peak

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


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State] | None]:
    yield from swept(problem, sweep_of(problem, p), pace, Teller.weigh)


def sweep_of(problem: Problem, p: Params) -> Sweep:
    return joined(problem, p.outside)


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    return picture(problem, sweep_of(problem, p), step.state, None)


def chips(p: Params) -> tuple[str, ...]:
    return (f"beyond the ends: {p.outside}",)


ALGORITHM = former(
    key="connect_the_dots",
    title="Connect the dots",
    family="regression",
    task=Task.REGRESS,
    source=("AIMA 18.8.4", "MMDS 12.4.3", "MMDS Ex 12.12"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    scene=scene,
    predict=predictor(sweep_of),
    by_known=True,
    explain=explainer(sweep_of),
    needs=NEEDS,
    example=the_peak,
    curves=CURVES,
    events=("exact",),
    errata=(
        "MMDS Ex 12.12 gets its extrapolation from the two nearest with weights 1/d. Those weights are positive and give a "
        "value between the labels; to go on straight, one share has to be negative, as here.",
    ),
    chips=chips,
    summary="Joins neighbouring points by straight lines, so every example is met exactly. "
    "Without noise that is good; with noise the curve follows every error.",
)
