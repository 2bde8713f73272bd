"""A line fitted anew for each query, near examples counting more. AIMA 18.8.4, ML 8.3 (Eqs 8.5-8.7)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from numpy.random import Generator

from engine.core.dataset import Dataset
from engine.core.former import former
from engine.core.params import Help, Label, Range
from engine.core.problem import Problem, Task
from engine.core.scene import Scene
from engine.core.step import Pace, Step
from engine.data.prepare import prepare
from engine.numerics.local_fits import Rule
from engine.numerics.sweep import State, Sweep, smoothed
from engine.pictures.smoothing import picture, width_rivals
from engine.pictures.smoothing_words import Teller
from engine.pictures.sweeps import ALL_WEIGH, CURVES, Kernel, Width, explainer, predictor, swept, width_chip, width_of

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
    kernel: Kernel = "quadratic"
    width: Width = None
    k: Annotated[
        int,
        Range(0, 10_000),
        Label("Neighbours k"),
        Help("0: all examples (ML criterion 2); else only the k nearest, weighted (criterion 3)"),
    ] = 0


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State] | None]:
    yield from swept(problem, sweep_of(problem, p), pace, weighed_and_fitted)


def weighed_and_fitted(tell: Teller, s: State) -> Iterator[Step[State]]:
    """The weights, then the line through what they leave."""
    yield from tell.weigh(s)
    yield tell.fit(s)


def rule(problem: Problem, p: Params) -> Rule:
    """A line through all examples or the k nearest, weighted by the kernel."""
    return Rule(p.k, p.kernel, width_of(problem, p.kernel, p.width), "line")


def sweep_of(problem: Problem, p: Params) -> Sweep:
    return smoothed(problem, rule(problem, p))


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    sweep = sweep_of(problem, p)
    return picture(problem, sweep, step.state, width_rivals(problem, sweep, rule(problem, p)))


def chips(p: Params) -> tuple[str, ...]:
    return (p.kernel, *width_chip(p.kernel, p.width), *((f"k = {p.k}",) if p.k else ()))


def example() -> Problem:
    """A few of the points that stand in for AIMA Fig 18.28, with its outlier."""
    return prepare(
        Dataset.from_columns(
            {"x": [0.0, 2.0, 4.1, 6.0, 8.0, 10.2, 12.0], "y": [2.0, 3.1, 4.2, 7.4, 5.6, 6.0, 6.8]}, "y", task="regress"
        )
    )


ALGORITHM = former(
    key="locally_weighted_regression",
    title="Locally weighted regression",
    family="regression",
    task=Task.REGRESS,
    source=("AIMA 18.8.4", "ML 8.3", "ML 8.3.1"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    scene=scene,
    predict=predictor(sweep_of),
    explain=explainer(sweep_of),
    needs=ALL_WEIGH,
    example=example,
    curves=CURVES,
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
