"""Mean, median or line of the k nearest examples. AIMA 18.8.1, 18.8.4, MMDS 12.4.3, ML 8.2 (Eqs 8.1, 8.4)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from numpy.random import Generator

from engine.core.former import former
from engine.core.notation import number
from engine.core.params import Help, Label, Range
from engine.core.problem import Problem, Task
from engine.core.scene import Scene
from engine.core.step import Pace, Step
from engine.numerics.local_fits import Rule
from engine.numerics.sweep import State, Sweep, smoothed
from engine.pictures.smoothing import neighbour_rivals, picture
from engine.pictures.smoothing_words import Teller
from engine.pictures.sweeps import CURVES, NEEDS, explainer, predictor, swept, the_peak

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


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State] | None]:
    yield from swept(problem, sweep_of(problem, p), pace, nearest_first)


def nearest_first(tell: Teller, s: State) -> Iterator[Step[State]]:
    """The k nearest, then their shares."""
    yield tell.near(s)
    yield from tell.weigh(s)


def rule(p: Params) -> Rule:
    """k neighbours with weights of their distance."""
    return Rule(p.k, p.weights, 1.0, p.estimate)


def sweep_of(problem: Problem, p: Params) -> Sweep:
    return smoothed(problem, rule(p))


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    return picture(problem, sweep_of(problem, p), step.state, neighbour_rivals(problem, rule(p)))


def chips(p: Params) -> tuple[str, ...]:
    return (f"k = {number(p.k)}", p.estimate, *((f"weights {p.weights}",) if p.weights != "equal" else ()))


ALGORITHM = former(
    key="neighbour_regression",
    title="Neighbour regression",
    family="regression",
    task=Task.REGRESS,
    source=("AIMA 18.8.1", "AIMA 18.8.4", "MMDS 12.4.3", "MMDS Ex 12.12", "ML 8.2", "ML 8.2.1"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    scene=scene,
    predict=predictor(sweep_of),
    explain=explainer(sweep_of),
    needs=NEEDS,
    example=the_peak,
    curves=CURVES,
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
