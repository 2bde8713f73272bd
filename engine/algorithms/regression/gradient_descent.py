"""Gradient descent for a linear model, batch and stochastic, watched in weight space. AIMA 18.6.1-18.6.2, Eq 18.4."""

from collections.abc import Generator as Generator_
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Float, Int, Log, Prefix, frozen
from engine.core.dataset import Dataset
from engine.core.errors import EngineError
from engine.core.former import former
from engine.core.notation import counted, short
from engine.core.params import Empty, Help, Label, Range, When
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Role, Scene, data_table
from engine.core.step import Level, Note, Pace, Step, late_note
from engine.data.prepare import prepare
from engine.numerics.descent import Rest, decayed, moved
from engine.numerics.least_squares import (
    linear_values,
    loss_bowl,
    root_mean_square,
    sum_of_squares,
    training_rows,
    with_ones,
)
from engine.pictures.descent_words import Rates, batch_note, end_note, one_note, rates, start_note, take_note
from engine.algorithms.regression.parts.fits import explain_value, linear_layers
from engine.pictures.regression import current_layer, feet, points_layer, residuals
from engine.pictures.weight_space import (
    bottom,
    bowl_space,
    contours,
    path_layers,
    place,
    shown_pair,
    step_arrow,
    thinned,
    weight_plot,
    weight_view,
)

PSEUDOCODE = """
start: w ← any place in weight space
round: repeat
take:   for all (x, y) together, or each
update:     w ← w + α Σ (y − h(x)) x
until: until w stands still
"""
GROWN = 1e6  # a loss that has grown by this factor counts as divergence


@dataclass(frozen=True)
class Params:
    mode: Annotated[
        Literal["batch", "stochastic"],
        Label("Mode"),
        Help("batch: all examples make one step. stochastic: every example makes a step of its own."),
    ] = "batch"
    rate: Annotated[
        float | None,
        Range(1e-15, 10, log=True),
        Label("Rate α"),
        Empty("auto"),
        Help("empty: half of the critical rate 2/λmax (batch), a tenth of 2/max|x|² (stochastic)"),
    ] = None
    schedule: Annotated[Literal["fixed", "1/(1+ct)", "1000/(1000+t)"], Label("Schedule"), Help("t: steps taken")] = (
        "fixed"
    )
    decay: Annotated[float, Range(1e-4, 10, log=True), Label("Decay c"), When("schedule", ("1/(1+ct)",))] = 0.1
    start: Annotated[tuple[float, ...], Label("Start w"), Help("w₀ and one weight per column; empty: all zero")] = ()
    steps: Annotated[int, Range(1, 100_000, log=True), Label("Steps"), Help("most updates of w")] = 500
    order: Annotated[Literal["table", "random"], Label("Order"), When("mode", ("stochastic",))] = "table"
    update: Annotated[
        Literal["all weights at once", "one after the other"],
        Label("Update"),
        Help("One after the other is the loop of AIMA 18.6.1 read literally; it is not gradient descent."),
    ] = "all weights at once"


@dataclass(frozen=True, slots=True)
class State:
    """w (d + 1,), w₀ first; before: w before this step; current: row looked at or −1; loss: Σ (y − h)² over the
    training rows; steps: updates so far; round counts from 1; path: every w so far."""

    w: Float
    before: Float
    current: int
    loss: float
    steps: int
    round: int
    path: Prefix[Float]


@dataclass(frozen=True, eq=False)
class Examples:
    """A (m, d + 1) with x₀ = 1, y (m,), the rows of the table they come from, the rates that are safe for them, and when
    the bottom is reached."""

    A: Float
    y: Float
    rows: Int
    speed: Rates
    rest: Rest

    def loss(self, w: Float) -> float:
        return sum_of_squares(self.y - self.A @ w)

    def still(self, w: Float) -> bool:
        """No model would be better, but for what cannot be seen."""
        return self.rest(self.y - self.A @ w)


def examples(problem: Problem, p: Params) -> Examples:
    X, y, rows = training_rows(problem)
    A = with_ones(X)
    return Examples(A, y, rows, rates(A, p.mode, p.rate), Rest(A, y))


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    given, w = examples(problem, p), start_weights(problem, p)
    s = State(w, w, -1, given.loss(w), 0, 0, Log[Float]().append(w))
    yield step(given, "start", s, start_note(w, s.loss, given.speed), Level.ROUND)
    yield from rounds(problem, p, given, s, rng, pace)


def resume(problem: Problem, p: Params, s: State, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    yield from rounds(problem, p, examples(problem, p), s, rng, pace)


def rounds(problem: Problem, p: Params, given: Examples, s: State, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    path = Log[Float]()
    path.items.extend(s.path)
    ceiling = GROWN * max(given.loss(s.path[0]), sum_of_squares(given.y - given.y.mean()), 1e-300)
    while True:
        former = s
        s = replace(s, before=s.w, current=-1, round=s.round + 1)
        if pace.detail:
            yield step(given, "round", s, take_note(s.round, len(given.y), p.mode), Level.DETAIL)
        if p.mode == "batch":
            s = yield from batch_round(p, given, s, path, pace)
        else:
            s = yield from stochastic_round(problem, p, given, s, path, rng, pace)
        broken = s.loss > ceiling or s.steps == former.steps
        settled = not broken and given.still(s.w)
        over = broken or settled or s.steps >= p.steps
        if over or p.mode == "stochastic":
            events = ("round", *(("diverged",) if broken else ()), *(("converged",) if settled else ()))
            words = end_note(s, former.loss, alpha(p, s.steps, given.speed), given.speed, events, over)
            yield step(given, "until", replace(s, before=s.w, current=-1), words, Level.ROUND, events)
        if over:
            return


def batch_round(
    p: Params, given: Examples, s: State, path: Log[Float], pace: Pace
) -> Generator_[Step[State], None, State]:
    """One step by the errors of all examples."""
    if pace.detail:
        yield step(given, "take", s, take_note(s.round, len(given.y), "errors"), Level.DETAIL)
    a = alpha(p, s.steps, given.speed)
    gradient, w = moved(given.A, given.y, s.w, a, in_turn(p), path)
    if w is None:
        return s
    former, s = s, replace(s, w=w, loss=given.loss(w), steps=s.steps + 1, path=path.prefix())
    events = ("uphill",) if s.loss > former.loss * (1 + 1e-12) else ()
    yield step(given, "update", s, late_note(batch_note, s, former.loss, gradient, a, given.speed), Level.ROUND, events)
    return s


def stochastic_round(
    problem: Problem, p: Params, given: Examples, s: State, path: Log[Float], rng: Generator, pace: Pace
) -> Generator_[Step[State], None, State]:
    """A step for each example in turn."""
    A, y, n = given.A, given.y, len(given.y)
    order = np.arange(n) if p.order == "table" else rng.permutation(n)
    w, done = s.w, s.steps
    for i in order[: max(1, p.steps - s.steps)].tolist():
        a = alpha(p, done, given.speed)
        if pace.detail:
            s = replace(s, before=w, w=w, current=int(given.rows[i]))
            yield step(given, "take", s, take_note(s.round, n, problem.names[given.rows[i]]), Level.DETAIL)
        pull, after = moved(A[i : i + 1], y[i : i + 1], w, a, in_turn(p), path)
        if after is None:
            break
        before, w, done = w, after, done + 1
        if pace.step:
            former = s.loss
            s = State(w, before, int(given.rows[i]), given.loss(w), done, s.round, path.prefix())
            error, each = float(y[i] - A[i] @ before), pull if in_turn(p) else None
            words = late_note(one_note, problem, s, former, A[i], y[i], error, a, each)
            yield step(given, "update", s, words, Level.STEP)
    return replace(s, w=w, before=w, current=-1, loss=given.loss(w), steps=done, path=path.prefix())


def alpha(p: Params, done: int, speed: Rates) -> float:
    """α of the next step, after `done` of them."""
    return decayed(speed.rate, p.schedule, p.decay, done)


def in_turn(p: Params) -> bool:
    return p.update == "one after the other"


def start_weights(problem: Problem, p: Params) -> Float:
    size = problem.d + 1
    if p.start and len(p.start) != size:
        raise EngineError(f"Start w needs {counted(size, 'number')} (w₀ and one per column); it has {len(p.start)}.")
    return frozen(p.start or np.zeros(size), np.float64)


def step(
    given: Examples, line: str, s: State, words: Note, level: Level = Level.STEP, events: tuple[str, ...] = ()
) -> Step[State]:
    metrics = {"rmse": root_mean_square(s.loss, len(given.y)), "loss": s.loss}
    return Step(line, s, words, level, metrics, events)


def predict(problem: Problem, p: Params, s: State, X: Float) -> Float:
    return linear_values(s.w, X)


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    return explain_value(problem, s.w, x)


def tweak(problem: Problem, p: Params, s: State, place: tuple[int, ...], value: float) -> State:
    """One weight set by hand; descent goes on from there."""
    w = np.array(s.w)
    w[place[0]] = value
    w = frozen(w)
    path = Log[Float]()
    path.items.extend(s.path)
    return replace(s, w=w, before=w, current=-1, loss=examples(problem, p).loss(w), path=path.append(w))


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    s = step.state
    X, y, _ = training_rows(problem)
    path = thinned(s.path)
    view = weight_view(loss_bowl(X, y), shown_pair(problem), s.w, path, s.path[0])
    changed = step.line == "update"
    start = s.path[0][list(view.pair)]
    layers = [*contours(view, start), *bottom(view), *path_layers(view, path), place(view, s.w, Role.ACTIVE, "w")]
    if changed:
        layers += step_arrow(view, s.before, s.w, "α Σ (y − h) x" if p.mode == "batch" else "α (y − h) x")
    current = (s.current,) if s.current >= 0 else ()
    figures = (weight_plot(view, layers), bowl_space(view, path, s.w), data_table(problem, current=current))
    if not problem.plane:
        return Scene((), figures)
    former = s.before if changed else s.w
    rows = np.array(current, np.intp) if p.mode == "stochastic" else None
    ghost = linear_layers(problem, s.before, Role.GHOST, "before") if changed else []
    ends = feet(problem, linear_values(former, problem.X)) if problem.d == 1 else None  # else not on the line shown
    errors = residuals(ends, rows, Role.ACTIVE if current else Role.SAME, "change")
    plane = [*errors, *ghost, *linear_layers(problem, s.w), points_layer(problem)]
    return Scene((*plane, *(layer for i in current for layer in current_layer(problem, i))), figures)


def chips(p: Params) -> tuple[str, ...]:
    literal = ("weights one after the other",) if p.update != "all weights at once" else ()
    return (p.mode, f"α {short(p.rate)}" if p.rate else "α automatic", "2 is part of α", *literal)


def example() -> Problem:
    """Four points that a few steps fit: y = 1 + x, almost."""
    return prepare(Dataset.from_columns({"x": [-2.0, -1.0, 1.0, 2.0], "y": [-1.1, 0.2, 1.8, 3.1]}, "y", task="regress"))


ALGORITHM = former(
    key="gradient_descent",
    title="Gradient descent",
    family="regression",
    task=Task.REGRESS,
    source=("AIMA 18.6.1", "AIMA 18.6.2", "LS, Linear regression"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    resume=resume,
    tweak=tweak,
    scene=scene,
    predict=predict,
    explain=explain,
    needs=Needs(labels=False, values=True, numeric=True),
    example=example,
    curves=(Curve("rmse", "root mean square error"), Curve("loss", "Σ (y − h)²", log=True)),
    events=("round", "uphill", "converged", "diverged"),
    errata=(
        "AIMA 18.6.1 writes the loop weight by weight. Read literally, w₀ has moved before the derivative for w₁ is "
        "taken; gradient descent moves all weights at once. The literal reading is offered as an update.",
        "LS, Linear regression: the loss prints w₀ · x + w₀, it is w₁ · x + w₀; the batch update prints x, it is xⱼ.",
        "LS, Linear regression: batch descent is said to converge for certain. It does below α = 2/λmax(XᵀX) only.",
    ),
    chips=chips,
    summary="Starts with any weights and walks downhill on the loss: in batch mode all errors make one step, in "
    "stochastic mode every example makes its own. Too large a rate jumps over the valley and climbs.",
)
