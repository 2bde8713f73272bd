"""Linear regression with a penalty on the weights: the diamond (q = 1) and the circle (q = 2). AIMA 18.6.2, 18.4.3."""

from collections.abc import Generator as Generator_
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Float, Log, Prefix, frozen
from engine.core.dataset import Dataset
from engine.core.former import former
from engine.core.notation import short
from engine.core.params import Help, Label, Range
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Bars, Scene, data_table
from engine.core.step import Level, Note, Pace, Step
from engine.data.prepare import prepare
from engine.numerics.least_squares import linear_values, root_mean_square, training_rows
from engine.numerics.shrinkage import Centred, centred, complexity, lasso_pass, ridge, shrunk, turn, without
from engine.algorithms.regression.parts.fits import explain_value, linear_layers
from engine.pictures.regression import feet, points_layer, residuals
from engine.pictures.shrinkage import Penalised, path_plot, penalty_figures
from engine.pictures.shrinkage_words import (
    end_note,
    ridge_note,
    round_note,
    settled_note,
    start_note,
    take_note,
    update_note,
)

PSEUDOCODE = """
start: w ← 0, w₀ ← mean of y
round: repeat
take:   for each wⱼ (q = 2: all at once)
update:     wⱼ ← argmin Loss + λ Σ |w|^q
until: until no weight moves
"""
STILL = 1e-6  # moves of the values, in relation to the size of y, below which w has settled
MOST_ROUNDS = 5000


@dataclass(frozen=True)
class Params:
    q: Annotated[
        Literal[1, 2],
        Label("Norm q"),
        Help("1: Σ |w|, some weights become exactly 0. 2: Σ w², together they become smaller."),
    ] = 1
    strength: Annotated[float, Range(0, 1e6, log=True), Label("Strength λ")] = 0.5
    loss: Annotated[
        Literal["mean", "sum"],
        Label("Loss"),
        Help("mean: (1/N) Σ (y − h)², AIMA 18.4.2. sum: Σ (y − h)², AIMA 18.6.1. The same λ means N times less there."),
    ] = "mean"
    turn: Annotated[
        float,
        Range(0, 90),
        Label("Turn axes"),
        Help("degrees by which the first two columns are turned: q = 2 gives the same values, q = 1 does not"),
    ] = 0.0


@dataclass(frozen=True, slots=True)
class State:
    """w (d + 1,) over the turned columns, w₀ first and never penalised; before: w before this step; current: number of
    the weight looked at, 0 for none, −1 for all; loss: Σ (y − h)²; round counts from 1; path: every w so far."""

    w: Float
    before: Float
    current: int
    loss: float
    round: int
    path: Prefix[Float]


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    data, total = prepared(problem, p)
    w = frozen(data.weights(np.zeros(problem.d)))
    s = State(w, w, 0, data.loss(w[1:]), 0, Log[Float]().append(w))
    yield step("start", p, data, s, start_note(data, p.q, p.strength, p.loss, total), Level.ROUND)
    yield from rounds(p, data, total, s, pace)


def resume(problem: Problem, p: Params, s: State, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    yield from rounds(p, *prepared(problem, p), s, pace)


def rounds(p: Params, data: Centred, total: float, s: State, pace: Pace) -> Iterator[Step[State]]:
    path = Log[Float]()
    path.items.extend(s.path)
    lengths = np.sqrt(data.G.diagonal())
    while True:
        first = s.w
        s = State(s.w, s.w, 0, s.loss, s.round + 1, s.path)
        if pace.detail:
            yield step("round", p, data, s, round_note(s.round, p.q), Level.DETAIL)
        one_round = lasso_round if p.q == 1 else ridge_round
        s = yield from one_round(p, data, total, s, path, pace)
        moves = np.abs(s.w - first)[1:] * lengths
        settled = p.q == 2 or bool(moves.max() <= STILL * data.size)
        over = settled or s.round >= MOST_ROUNDS
        s = State(s.w, first, 0, s.loss, s.round, s.path)
        size = complexity(s.w[1:], p.q)
        words = settled_note(s.w, size, s.loss, p.q, total) if settled else end_note(s.w, size, s.loss, s.round, over)
        yield step("until", p, data, s, words, Level.ROUND, ("round", *(("converged",) if settled else ())))
        if over:
            return


def lasso_round(
    p: Params, data: Centred, total: float, s: State, path: Log[Float], pace: Pace
) -> Generator_[Step[State], None, State]:
    """Every weight in turn takes its best value, the others held."""
    slopes = np.array(s.w[1:])
    if not pace.step:
        lasso_pass(data, slopes, total)
    for j in range(len(slopes)) if pace.step else ():
        if pace.detail:
            s = replace(s, before=s.w, current=j + 1)
            yield step("take", p, data, s, take_note(j + 1), Level.DETAIL)
        pull, old = without(data, slopes, j), slopes[j]
        slopes[j] = shrunk(pull, total / 2, float(data.G[j, j]))
        w = frozen(data.weights(slopes))
        s = State(w, s.w, j + 1, data.loss(w[1:]), s.round, path.append(w))
        events = ("zero",) if slopes[j] == 0 and old != 0 else ()
        words = update_note(j + 1, pull, total / 2, float(data.G[j, j]), float(old), float(slopes[j]), p.loss == "mean")
        yield step("update", p, data, s, words, events=events)
    w = frozen(data.weights(slopes))
    return State(w, s.before, s.current, data.loss(slopes), s.round, s.path)


def ridge_round(
    p: Params, data: Centred, total: float, s: State, path: Log[Float], pace: Pace
) -> Generator_[Step[State], None, State]:
    """All weights at one stroke: (XᵀX + λ I)⁻¹ Xᵀy on centred columns."""
    if pace.detail:
        yield step("take", p, data, replace(s, current=-1), take_note(-1), Level.DETAIL)
    w = frozen(data.weights(ridge(data, total)))
    s = State(w, s.w, -1, data.loss(w[1:]), s.round, path.append(w))
    if pace.step:
        yield step("update", p, data, s, ridge_note(s.before, w, total, p.loss == "mean"))
    return s


def prepared(problem: Problem, p: Params) -> tuple[Centred, float]:
    """(sums of the turned, centred columns; the strength beside the SUM of squares)."""
    X, y, _ = training_rows(problem)
    data = centred(X @ turn(problem.d, p.turn) if p.turn else X, y)
    return data, p.strength * (data.n if p.loss == "mean" else 1)


def step(
    line: str, p: Params, data: Centred, s: State, words: Note, level: Level = Level.STEP, events: tuple[str, ...] = ()
) -> Step[State]:
    factor = data.n if p.loss == "mean" else 1
    cost = s.loss / factor + p.strength * complexity(s.w[1:], p.q)
    metrics = {
        "rmse": root_mean_square(s.loss, data.n),
        "cost": cost,
        "nonzero": float(np.count_nonzero(s.w[1:])),
    }
    return Step(line, s, words, level, metrics, events)


def predict(problem: Problem, p: Params, s: State, X: Float) -> Float:
    return linear_values(s.w, X @ turn(problem.d, p.turn) if p.turn else X)


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    return explain_value(problem, s.w, x @ turn(problem.d, p.turn), column_names(problem, p))


def column_names(problem: Problem, p: Params) -> tuple[str, ...]:
    """Titles of the columns; turned ones are mixtures."""
    names = tuple(f.title for f in problem.features)
    if p.turn and len(names) > 1:
        return (f"{names[0]} turned", f"{names[1]} turned", *names[2:])
    return names


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    s = step.state
    data, total = prepared(problem, p)
    fit = Penalised(problem, p.q, total, p.turn, data.n if p.loss == "mean" else 1)
    bars = Bars("Weights w", column_names(problem, p), s.w[1:], before=s.before[1:], tag="w")
    figures = (*penalty_figures(fit, s.w, s.before, s.path, step.line == "update"), path_plot(fit), bars)
    figures = (*figures, data_table(problem))
    if not problem.plane:
        return Scene((), figures)
    values = predict(problem, p, s, problem.X)
    layers = residuals(feet(problem, values)) if problem.d == 1 else []
    turned_back = np.append(s.w[0], turn(problem.d, p.turn) @ s.w[1:])
    layers += linear_layers(problem, turned_back)
    return Scene((*layers, points_layer(problem)), figures)


def chips(p: Params) -> tuple[str, ...]:
    turned = (f"axes turned {short(p.turn)}°",) if p.turn else ()
    return (f"q = {p.q}", f"λ {short(p.strength)} beside the {p.loss}", "w₀ not penalised", *turned)


def example() -> Problem:
    """Two columns of which the second hardly matters: q = 1 gives it the weight 0."""
    x1 = [-2.0, -1.0, 0.0, 1.0, 2.0, 0.5]
    x2 = [1.0, -1.5, 0.5, -1.0, 1.0, 2.0]
    y = [-2.0, -1.6, 0.3, 1.1, 2.6, 1.0]
    return prepare(Dataset.from_columns({"x1": x1, "x2": x2, "y": y}, "y", task="regress"))


ALGORITHM = former(
    key="regularised_regression",
    title="Regularised regression",
    family="regression",
    task=Task.REGRESS,
    source=("AIMA 18.6.2", "AIMA 18.4.3"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    resume=resume,
    scene=scene,
    predict=predict,
    explain=explain,
    needs=Needs(labels=False, values=True, numeric=True),
    example=example,
    curves=(
        Curve("rmse", "root mean square error"),
        Curve("cost", "loss + λ complexity"),
        Curve("nonzero", "weights that are not 0", digits=0),
    ),
    events=("round", "zero", "converged"),
    errata=(
        "AIMA 18.6.2 gives no method for q = 1 and does not say whether w₀ is penalised. Here every weight in turn takes "
        "its best value, and w₀ is free.",
        "AIMA takes the sum of the squared errors in 18.6.1 and their mean in 18.4.2: the same λ means different things. "
        "Choose which, and look at N.",
    ),
    chips=chips,
    summary="Least squares plus a price for large weights. With q = 1 the price is a diamond whose corners make weights "
    "exactly zero; with q = 2 it is a circle: without corners it makes them smaller together.",
)
