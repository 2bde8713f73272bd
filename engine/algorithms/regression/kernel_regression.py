"""The mean of all examples, weighted by a kernel of their distance. MMDS 12.4.4, ML 8.2.1 (Eq 8.4), AIMA 18.8.4."""

from collections.abc import Iterator
from dataclasses import dataclass

from numpy.random import Generator

from engine.core.former import former
from engine.core.problem import Problem, Task
from engine.core.scene import Scene
from engine.core.step import Pace, Step
from engine.numerics.local_fits import Rule
from engine.numerics.sweep import State, Sweep, smoothed
from engine.pictures.smoothing import picture, width_rivals
from engine.pictures.smoothing_words import Teller
from engine.pictures.sweeps import (
    ALL_WEIGH,
    CURVES,
    Kernel,
    Width,
    explainer,
    predictor,
    swept,
    the_peak,
    width_chip,
    width_of,
)

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
    kernel: Kernel = "gaussian"
    width: Width = None


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State] | None]:
    yield from swept(problem, sweep_of(problem, p), pace, Teller.weigh)


def rule(problem: Problem, p: Params) -> Rule:
    """All examples, weighted by the kernel."""
    return Rule(0, p.kernel, width_of(problem, p.kernel, p.width))


def sweep_of(problem: Problem, p: Params) -> Sweep:
    return smoothed(problem, rule(problem, p))


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    sweep = sweep_of(problem, p)
    return picture(problem, sweep, step.state, width_rivals(problem, sweep, rule(problem, p)))


def chips(p: Params) -> tuple[str, ...]:
    return (p.kernel, *width_chip(p.kernel, p.width))


ALGORITHM = former(
    key="kernel_regression",
    title="Kernel regression",
    family="regression",
    task=Task.REGRESS,
    source=("MMDS 12.4.4", "MMDS Ex 12.13", "ML 8.2.1", "AIMA 18.8.4"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    scene=scene,
    predict=predictor(sweep_of),
    explain=explainer(sweep_of),
    needs=ALL_WEIGH,
    example=the_peak,
    curves=CURVES,
    events=("exact", "too few"),
    errata=(
        "MMDS 12.4.4 calls σ in e^(−(x−q)²/σ²) the standard deviation. Without the 2 in the exponent that is σ/√2.",
        "AIMA Fig 18.29 writes the kernel with d and |x| mixed; here d is the distance throughout.",
    ),
    chips=chips,
    summary="Every example takes part in every query, the nearer the more. A continuous kernel gives a continuous curve; "
    "too wide a kernel flattens it, too narrow a kernel follows single examples.",
)
