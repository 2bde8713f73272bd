"""The least-squares line in closed form, and the principal axis beside it. AIMA Eq 18.3, 18.6.2, MMDS Ex 12.2."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Float, frozen
from engine.core.dataset import Dataset
from engine.core.errors import EngineError
from engine.core.former import former
from engine.core.params import Help, Label
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Figure, Layer, Matrix, Role, Scene, data_table
from engine.core.step import Level, Note, Pace, Step
from engine.data.prepare import prepare
from engine.numerics.least_squares import (
    least_squares,
    linear_values,
    loss_bowl,
    perpendicular,
    principal_axis,
    root_mean_square,
    sum_of_squares,
    training_rows,
)
from engine.pictures.line_words import add_note, loss_note, solve_note, start_note
from engine.pictures.regression import (
    comparable,
    current_layer,
    explain_value,
    feet,
    linear_layers,
    perpendicular_feet,
    points_layer,
    residuals,
    squares,
)
from engine.pictures.weight_space import bottom, bowl_space, contours, place, shown_pair, weight_plot, weight_view

PSEUDOCODE = """
start: A ← 0, b ← 0
each: for each (x, y), with x₀ = 1
add:   A ← A + x xᵀ, b ← b + x y
solve: w ← the solution of A w = b
loss: Loss(w) ← Σ (y − h(x))²
"""


@dataclass(frozen=True)
class Params:
    through_origin: Annotated[
        bool, Label("Through origin"), Help("w₀ = 0: the line passes the origin. MMDS Exercise 12.1.1(a)")
    ] = False
    distance: Annotated[
        Literal["vertical", "perpendicular"],
        Label("Distance"),
        Help("vertical: least squares. perpendicular: the principal axis, which depends on the units of x and y."),
    ] = "vertical"


@dataclass(frozen=True, slots=True)
class State:
    """w (d + 1,), w₀ first, all zero before it is solved; count: examples added so far; current: row added or −1;
    solved; unique: no other weights are as good; loss: Σ (y − h)²."""

    w: Float
    count: int
    current: int
    solved: bool
    unique: bool
    loss: float


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    X, y, rows = training_rows(problem)
    w = frozen(np.zeros(problem.d + 1))
    s = State(w, 0, -1, False, True, sum_of_squares(y))
    yield step("start", s, start_note(problem, len(y), p.through_origin), len(y), Level.ROUND)
    for k, i in enumerate(rows.tolist() if pace.detail else ()):
        s = replace(s, current=i)
        yield step("each", s, add_note(problem, i, X[:k], y[:k], X[k], y[k], False), len(y), Level.DETAIL)
        s = replace(s, count=k + 1)
        yield step("add", s, add_note(problem, i, X[:k], y[:k], X[k], y[k], True), len(y), Level.DETAIL)
    w, unique = solve(p, X, y)
    s = State(w, len(y), -1, True, unique, sum_of_squares(y - linear_values(w, X)))
    events = ("solved", *(() if unique else ("not unique",)))
    words = solve_note(X, y, w, unique, p.through_origin, p.distance)
    yield step("solve", s, words, len(y), Level.ROUND, events)
    if pace.step:
        yield step("loss", s, loss_note(X, y, w, other_line(p, X, y), p.distance), len(y))


def solve(p: Params, X: Float, y: Float) -> tuple[Float, bool]:
    """(w, unique) of the chosen kind of distance."""
    method = least_squares if p.distance == "vertical" else principal_axis
    return method(X, y, p.through_origin)


def other_line(p: Params, X: Float, y: Float) -> Float | None:
    """The line of the other kind of distance, for comparison; None when it stands upright."""
    try:
        return solve(replace(p, distance="perpendicular" if p.distance == "vertical" else "vertical"), X, y)[0]
    except EngineError:
        return None


def step(
    line: str, s: State, words: Note, n: int, level: Level = Level.STEP, events: tuple[str, ...] = ()
) -> Step[State]:
    return Step(line, s, words, level, {"rmse": root_mean_square(s.loss, n), "loss": s.loss}, events)


def predict(problem: Problem, p: Params, s: State, X: Float) -> Float:
    """Values; 0 everywhere before the sums are solved."""
    return linear_values(s.w, X)


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    return explain_value(problem, s.w, x)


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    s = step.state
    current = (s.current,) if s.current >= 0 else ()
    figures = (*solved_figures(problem, p, s), data_table(problem, current=current))
    if not problem.plane:
        return Scene((), figures)
    layers = solved_layers(problem, p, s, step.line == "loss") if s.solved else []
    layers += [points_layer(problem), *(layer for i in current for layer in current_layer(problem, i))]
    return Scene(tuple(layers), figures, equal_scales=comparable(problem))


def solved_layers(problem: Problem, p: Params, s: State, with_squares: bool) -> list[Layer]:
    """The line with the distances that it makes least; with their squares also the line of the other distance. Of several
    columns the plane shows a section: what is predicted from all of them does not lie on its line."""
    if problem.d > 1:
        return linear_layers(problem, s.w)
    vertical = p.distance == "vertical"
    ends = feet(problem, linear_values(s.w, problem.X)) if vertical else perpendicular_feet(problem, s.w)
    layers = residuals(ends)
    if with_squares:
        X, y, _ = training_rows(problem)
        other = other_line(p, X, y)
        name = "principal axis" if vertical else "least squares"
        layers += linear_layers(problem, other, Role.GHOST, "other", name) if other is not None else []
        layers = squares(problem, ends) + layers
    return layers + linear_layers(problem, s.w)


def solved_figures(problem: Problem, p: Params, s: State) -> tuple[Figure, ...]:
    """Weight space and bowl with the lowest place; the two lines measured both ways."""
    if not s.solved:
        return ()
    X, y, _ = training_rows(problem)
    zero = np.zeros(problem.d + 1)
    view = weight_view(problem, loss_bowl(X, y), shown_pair(problem), s.w, s.w[None], zero)
    layers = [*contours(view, np.zeros(2)), *bottom(view), place(view, s.w, Role.ACTIVE, "w")]
    return (weight_plot(view, layers), bowl_space(view, s.w[None], s.w), comparison(p, X, y, s.w))


def comparison(p: Params, X: Float, y: Float, w: Float) -> Matrix:
    """Each line is the best of its own kind."""
    vertical = p.distance == "vertical"
    names = ("least squares", "principal axis") if vertical else ("principal axis", "least squares")
    lines = [line for line in (w, other_line(p, X, y)) if line is not None]
    errors = [y - linear_values(line, X) for line in lines]
    sums = [[sum_of_squares(e), sum_of_squares(perpendicular(line, e))] for line, e in zip(lines, errors, strict=True)]
    best = ((0, 0 if vertical else 1),)
    columns = ("Σ vertical²", "Σ perpendicular²")
    return Matrix("Distances", names[: len(lines)], columns, np.array(sums), best, shade=False)


def chips(p: Params) -> tuple[str, ...]:
    return (*(("through the origin",) if p.through_origin else ()), f"{p.distance} distances")


def example() -> Problem:
    """The four points of MMDS Ex 12.2."""
    return prepare(Dataset.from_columns({"x": [1.0, 2.0, 3.0, 4.0], "y": [2.0, 1.0, 4.0, 3.0]}, "y", task="regress"))


ALGORITHM = former(
    key="linear_regression",
    title="Linear regression",
    family="regression",
    task=Task.REGRESS,
    source=("AIMA 18.6.1", "AIMA 18.6.2", "MMDS Ex 12.2", "LS, Linear regression"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    scene=scene,
    predict=predict,
    explain=explain,
    needs=Needs(labels=False, values=True, numeric=True),
    example=example,
    curves=(Curve("rmse", "root mean square error"), Curve("loss", "Σ (y − h)²")),
    events=("solved", "not unique"),
    errata=(
        "MMDS Ex 12.2 calls 3.2 and 4 the RMSE of the two lines. They are the sums of squares; the RMSE is √0.8 ≈ 0.894 "
        "and 1.",
        "MMDS Ex 12.2: the principal axis is said to minimise the squared lengths of the projections onto it. It "
        "maximises them, and minimises the perpendicular distances.",
        "AIMA 18.6.2 is silent when XᵀX has no inverse (all x equal, columns that repeat each other). Here the smallest "
        "weights that reach the least loss are taken, and the step says so.",
    ),
    chips=chips,
    summary="Adds up products of x and y, and solves for the line of least squared errors at one stroke. "
    "Measured perpendicularly instead, the best line is the principal axis.",
)
