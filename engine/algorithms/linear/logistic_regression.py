"""Logistic regression by gradient descent on squared loss; log loss as an extension. AIMA 18.6.4, Eq 18.8."""

from collections.abc import Generator as Generator_
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from numpy.random import Generator

from engine.core.former import former
from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Float, Int, frozen
from engine.core.dataset import Dataset
from engine.core.errors import EngineError
from engine.core.grid import Grid
from engine.core.notation import short
from engine.core.params import Help, Label, Range
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Bars, Field, Layer, Role, Scene, active_point, data_points, data_table
from engine.core.step import Level, Note, Pace, Step, late_note, note
from engine.data.prepare import prepare
from engine.numerics.activations import logistic
from engine.numerics.linear import fired_classes, linear_surface, with_column
from engine.numerics.logistic import batch_update, pulls, single_updates, total_loss
from engine.pictures import logistic as pictures
from engine.pictures.linear import separator

SETTLED = 1e-9  # a step of this share of w changes nothing that can be seen
LEVELS = tuple(float(np.log(P / (1 - P))) for P in (0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9))  # of w·x, where P is that

PSEUDOCODE = """
start: w ← 0
round: repeat
look:   B ← all examples, or one by one
guess:     h ← 1/(1 + e^(−w·x)) for B
update:     w ← w + η Σ[B] (y−h) h (1−h) x
until: until all steps are taken
"""


@dataclass(frozen=True)
class Params:
    loss: Annotated[
        Literal["squared", "log"],
        Label("Loss"),
        Help(
            "squared: Σ (y − h)², as in the text. log: Σ −log P(true class), without the factor h (1 − h); extension."
        ),
    ] = "squared"
    mode: Annotated[
        Literal["batch", "stochastic"], Label("Mode"), Help("all examples in each step, or one, in random order")
    ] = "batch"
    rate: Annotated[float, Range(1e-6, 10, log=True), Label("Rate η"), Help("times the sum over B")] = 0.01
    schedule: Annotated[
        Literal["fixed", "1000/(1000+t)"], Label("Schedule"), Help("t counts the updates made so far")
    ] = "fixed"
    start: Annotated[
        tuple[float, ...], Label("Start w"), Help("one weight per column, then the bias; all zero when empty")
    ] = ()
    steps: Annotated[int, Range(1, 100_000, log=True), Label("Steps"), Help("updates of w in all")] = 1000


@dataclass(frozen=True, slots=True)
class State:
    """w (d + 1,), the bias with its feature +1 last; before: w before this step; current: row looked at or −1;
    errors: wrong training rows; loss: over the training rows; updates so far; round counts from 1."""

    w: Float
    before: Float
    current: int = -1
    errors: int = 0
    loss: float = 0.0
    updates: int = 0
    round: int = 0


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    w = start_weights(problem, p)
    s = judged(p, *examples(problem), State(w, w))
    said = "Start with w = {w}." if w.any() else "Start with w = {w}: every probability is ½."
    yield step(problem, "start", s, note(said, w=w), Level.ROUND)
    yield from resume(problem, p, s, rng, pace)


def resume(problem: Problem, p: Params, s: State, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    data, one_round = examples(problem), batch_round if p.mode == "batch" else single_round
    rows, ending = np.flatnonzero(problem.labelled), ""
    former = s
    while s.updates < p.steps and not ending:
        former = s
        s = replace(s, before=s.w, current=-1, round=s.round + 1)
        if pace.detail:
            yield step(problem, "round", s, note("Round {round} begins.", round=s.round), Level.DETAIL)
        s, ending = yield from one_round(problem, p, data, s, rng.permutation(rows), pace)
        if p.mode == "stochastic" and s.updates < p.steps and not ending:
            yield step(problem, "until", s, pictures.round_note(problem, s), Level.ROUND, ("round",))
    rose = p.mode == "batch" and s.loss > former.loss * (1 + 1e-9)
    s = replace(s, before=s.w, current=-1)
    events = (ending,) if ending else ()
    words = pictures.end_note(problem, s, ending or ("overshoot" if rose else ""))
    yield step(problem, "until", s, words, Level.ROUND, events)


Round = Generator_[Step[State], None, tuple[State, str]]


def batch_round(problem: Problem, p: Params, data: tuple[Float, Float], s: State, order: Int, pace: Pace) -> Round:
    """One update from all examples; also why the run ends with it, if it does."""
    X, y = data
    if pace.detail:
        yield step(problem, "look", s, note("Look at {n:|all }{n} {n:example|examples}.", n=len(y)), Level.DETAIL)
        yield step(problem, "guess", s, pictures.guess_note(problem, s, X), Level.DETAIL)
    w, pull = batch_update(p.loss, X, y, s.w, rate(p, s.updates))
    after = judged(p, X, y, replace(s, w=frozen(w), updates=s.updates + 1))
    if not np.isfinite(after.loss):
        return s, "diverged"
    rose = after.loss > s.loss * (1 + 1e-9)
    words = late_note(pictures.batch_note, problem, p.loss, s, after, pull, rate(p, s.updates), rose)
    yield step(problem, "update", after, words, Level.ROUND, ("round", "overshoot") if rose else ("round",))
    still = float(np.abs(w - s.w).max()) <= SETTLED * float(np.abs(w).max())
    return after, ("flat" if stuck(p, X, y, after.w) else "converged") if still else ""


def stuck(p: Params, X: Float, y: Float, w: Float) -> bool:
    """An example is wrong, and so far from the line that the factor h (1 − h) of the squared loss lets it pull no more."""
    h = logistic(X @ w)
    return p.loss == "squared" and bool(((np.abs(y - h) > 0.5) & (h * (1.0 - h) < SETTLED)).any())


def single_round(problem: Problem, p: Params, data: tuple[Float, Float], s: State, order: Int, pace: Pace) -> Round:
    """One update for each example in `order`, as long as there are steps left."""
    X, y = with_column(problem.X, 1.0), (problem.sign + 1) / 2
    order = order[: p.steps - s.updates]
    for rows in order[:, None] if pace.step else (order,):
        i, before = int(rows[0]), s
        if pace.detail:
            s = replace(s, before=s.w, current=i)
            yield step(problem, "look", s, pictures.look_note(problem, i), Level.DETAIL)
            yield step(problem, "guess", s, pictures.guess_note(problem, s, X[[i]]), Level.DETAIL)
        rates = np.broadcast_to(rate(p, s.updates + np.arange(len(rows))), len(rows))
        w = single_updates(p.loss, X, y, rows, s.w, rates)
        s = replace(s, w=frozen(w), before=s.w, current=i, updates=s.updates + len(rows))
        s = judged(p, *data, s)
        if not np.isfinite(s.loss):
            return before, "diverged"
        if pace.step:
            yield step(
                problem, "update", s, late_note(pictures.single_note, problem, p.loss, before, s, X[i], float(rates[0]))
            )
    return replace(s, before=s.w, current=-1), ""


def start_weights(problem: Problem, p: Params) -> Float:
    if p.start and len(p.start) != problem.d + 1:
        raise EngineError(f"Start w needs {problem.d + 1} numbers, the last one is the bias; it has {len(p.start)}.")
    return frozen(p.start or np.zeros(problem.d + 1), np.float64)


def examples(problem: Problem) -> tuple[Float, Float]:
    """The labelled rows with the column of the bias (m, d + 1), and y: 1 for the positive class, 0 for the other."""
    rows = problem.labelled
    return with_column(problem.X[rows], 1.0), (problem.sign[rows] + 1) / 2


def judged(p: Params, X: Float, y: Float, s: State) -> State:
    """The state with its loss and errors; loss NaN when w or a score is beyond all numbers."""
    with np.errstate(over="ignore", invalid="ignore"):
        z = X @ s.w
        loss = total_loss(p.loss, y, z) if np.isfinite(z).all() and np.isfinite(s.w).all() else float("nan")
    return replace(s, loss=loss, errors=int(((z >= 0) != (y > 0.5)).sum()))


def rate(p: Params, updates: Any) -> Any:
    """η at this number of updates, or at each of several."""
    return p.rate * (1000 / (1000 + updates) if p.schedule == "1000/(1000+t)" else 1.0)


def step(
    problem: Problem, line: str, s: State, words: Note, level: Level = Level.STEP, events: tuple[str, ...] = ()
) -> Step[State]:
    right = 1 - s.errors / max(1, int(problem.labelled.sum()))
    return Step(line, s, words, level, {"errors": s.errors, "accuracy": right, "loss": s.loss}, events)


# -- looking at a model ------------------------------------------------------------------------------------------------


def predict(problem: Problem, p: Params, s: State, X: Float) -> Int:
    """The positive class where P ≥ ½, that is w·x ≥ 0; else the other; −1 where that is not known."""
    return fired_classes(scores(problem, p, s, X)).astype(np.intp)


def scores(problem: Problem, p: Params, s: State, X: Float) -> Float:
    """(m,) w·x, the logarithm of P / (1 − P)."""
    return with_column(X, 1.0) @ s.w


def class_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    return np.where(linear_surface(problem, s.w, float(s.w[-1]), grid) >= 0, 0, 1)


def score_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    """P(positive class) − ½."""
    return logistic(linear_surface(problem, s.w, float(s.w[-1]), grid)) - 0.5


def logit_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    """w·x, the logarithm of P / (1 − P): its level lines are straight however steep P is."""
    return linear_surface(problem, s.w, float(s.w[-1]), grid)


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    return pictures.explain_probability(problem, s.w, with_column(x[None], 1.0)[0])


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    """In a batch step the size of a point is its pull on the line."""
    s = step.state
    X = with_column(problem.X, 1.0)
    current = (s.current,) if s.current >= 0 else ()
    names = (*(f.title for f in problem.features), "bias")
    figures = (
        pictures.threshold_plot(problem, X @ s.w, s.current),
        Bars("Weights w", names, s.w, before=s.before, tag="w"),
        data_table(problem, current=current, tag="current"),
    )
    if not problem.plane:
        return Scene((), figures)
    shown, weight = predict(problem, p, s, problem.X), None
    if p.mode == "batch" and step.line in ("look", "guess", "update"):
        weight = pictures.sizes(np.abs(problem.sign * pulls(p.loss, (problem.sign + 1) / 2, logistic(X @ s.before))))
    changed = step.line == "update"
    ghost = [separator(problem, s.before, float(s.before[-1]), Role.GHOST, "before")] if changed else []
    layers: list[Layer] = [Field("logit", LEVELS, tag="P"), *ghost, separator(problem, s.w, float(s.w[-1]))]
    layers += [data_points(problem, shown, weight)]
    layers += [active_point(problem, i, shown, place=problem.d <= 2) for i in current]
    return Scene(tuple(layers), figures)


def chips(p: Params) -> tuple[str, ...]:
    return (f"{p.loss} loss", p.mode, f"η {short(p.rate)}")


def example() -> Problem:
    """Two of three pairs fit a line through the middle; the third pair makes the steps end somewhere."""
    X = np.array([[6.0, 12.0], [12.0, 6.0], [-6.0, -6.0]])
    return prepare(Dataset.from_arrays(np.concatenate([X, -X]), [1, 1, 1, -1, -1, -1]))


ALGORITHM = former(
    key="logistic_regression",
    title="Logistic regression",
    family="linear",
    task=Task.CLASSIFY,
    source=("AIMA 18.6.4", "AIMA Eq 18.8"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    resume=resume,
    scene=scene,
    predict=predict,
    scores=scores,
    fields={"class": class_surface, "score": score_surface, "logit": logit_surface},
    explain=explain,
    needs=Needs(min_classes=2, max_classes=2, numeric=True),
    example=example,
    curves=(
        Curve("errors", "wrong points", of_n=True, digits=0),
        Curve("accuracy", "share right"),
        Curve("loss", "loss", digits=3),
    ),
    events=("round", "overshoot", "converged", "flat", "diverged"),
    errata=(
        "AIMA 18.6.4 drops a factor 2 of the slope of (y − h)²: it is part of η.",
        "Squared loss through the logistic function is not convex: a wrong example far from the line has h (1 − h) near 0 "
        "and hardly pulls, so too large a first step can strand the line. Log loss (extension) is convex.",
    ),
    chips=chips,
    wording=lambda p: {"start": "w ← start weights"} if p.start else {},
    summary="A line with a soft threshold: the probability of the positive class goes smoothly from 0 to 1 across it. "
    "Gradient descent moves the line a little for every example, most for those that it is wrong or unsure about. "
    "The figure “Threshold” has it beside the hard step (dotted) and the probit curve (dashed).",
)
