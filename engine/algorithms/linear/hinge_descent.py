"""Gradient descent on the soft-margin loss: all examples at once, one by one, or shared among parts. MMDS 12.3.3-12.3.6."""

from collections.abc import Generator as Generator_
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Bool, Float, Int, Prefix, frozen
from engine.core.dataset import Dataset
from engine.core.errors import EngineError
from engine.core.former import former
from engine.core.grid import Grid
from engine.core.notation import short
from engine.core.params import Help, Label, Range, When
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Field, Layer, Role, Scene, active_point, data_points
from engine.core.step import Level, Note, Pace, Step, late_note
from engine.data.prepare import prepare
from engine.numerics.hinge import CALM, SoftMargin
from engine.numerics.linear import linear_surface, signed_classes
from engine.pictures import hinge as pictures
from engine.pictures.linear import explain_score, penalty_arrows, separator
from engine.pictures.margins import margin_lines

SETTLED = 1e-9  # a step of this share of w changes nothing that can be seen
AWAY = 1e30  # f this many times its start: the steps lead away for good

PSEUDOCODE = """
start: (w, b) ← start
bad: repeat: bad ← y (w·x+b) < 1
slope:   slope ← w − C Σ[bad] y x
update:   (w, b) ← (w, b) − η · slope
until: until all steps are taken
"""


@dataclass(frozen=True)
class Params:
    C: Annotated[
        float, Range(1e-3, 1e4, log=True), Label("C"), Help("what a unit of penalty costs, summed over the examples")
    ] = 1.0
    rate: Annotated[float, Range(1e-6, 10, log=True), Label("Rate η")] = 0.01
    mode: Annotated[
        Literal["batch", "stochastic", "average-of-changes", "sum-of-parts"],
        Label("Mode"),
        Help("stochastic: one example, with n·C. average: parts go steps of their own. sum: parts add up one slope."),
    ] = "batch"
    schedule: Annotated[Literal["fixed", "1/(1+ct)"], Label("Schedule"), Help("t counts finished rounds")] = "fixed"
    decay: Annotated[float, Range(1e-3, 10, log=True), Label("Decay c"), When("schedule", ("1/(1+ct)",))] = 0.1
    parts: Annotated[int, Range(2, 16), Label("Parts"), When("mode", ("average-of-changes", "sum-of-parts"))] = 3
    local: Annotated[
        int, Range(1, 50), Label("Own steps"), Help("of each part in a round"), When("mode", ("average-of-changes",))
    ] = 5
    penalise_b: Annotated[
        bool, Label("Penalise b"), Help("on: ½ b² belongs to f, as in Eq 12.6. off: b is free, as in Eq 12.4.")
    ] = True
    start: Annotated[
        tuple[float, ...], Label("Start w, b"), Help("one weight per column, then b; all zero when empty")
    ] = ()
    steps: Annotated[int, Range(1, 100_000, log=True), Label("Steps"), Help("updates of w in all")] = 120


@dataclass(frozen=True, slots=True)
class State:
    """weights (d + 1,): w, then b; before: those before this step; bad (n,) for weights; slope (d + 1,) last reckoned;
    f, errors (wrong rows) for weights; drafts: where each part has come to; current: row or −1; lines: the table so far."""

    weights: Float
    before: Float
    bad: Bool
    slope: Float
    f: float
    errors: int
    lines: Prefix[pictures.Row]
    updates: int = 0
    round: int = 0
    current: int = -1
    drafts: tuple[Float, ...] = ()

    @property
    def w(self) -> Float:
        return self.weights[:-1]

    @property
    def b(self) -> float:
        return float(self.weights[-1])


Round = Generator_[Step[State], None, tuple[State, str]]


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    f, w = loss(problem, p), start_weights(problem, p)
    s = judged(p, f, State(w, w, f.bad(w, f.y), frozen(np.zeros(problem.d + 1)), 0.0, 0, Prefix([], 0)), w)
    if not (np.isfinite(s.f) and f.in_range()):
        raise EngineError("The loss is beyond all numbers here: standardise the columns, or start nearer to 0.")
    yield step("start", s, pictures.start_note(problem, f, s), Level.ROUND)
    yield from resume(problem, p, s, rng, pace)


def resume(problem: Problem, p: Params, s: State, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    f, one_round = loss(problem, p), ROUNDS[p.mode]
    rows, worst, ending, former = np.flatnonzero(problem.labelled), AWAY * max(s.f, 1.0), "", s
    while s.updates < p.steps and not ending:
        former = s
        s = replace(s, before=s.weights, round=s.round + 1, drafts=())
        if pace.step and p.mode != "stochastic":
            yield step("bad", s, late_note(pictures.bad_note, problem, f, s))
        s, ending = yield from one_round(problem, p, f, s, rng.permutation(rows), pace)
        ending = ending if s.f < worst else "diverged"
        s = replace(s, before=s.weights, current=-1, drafts=())
        if p.mode == "stochastic" and s.updates < p.steps and not ending:
            yield step("until", s, pictures.round_note(problem, f, s), Level.ROUND, ("round",))
    told = ending or ("overshoot" if p.mode != "stochastic" and s.f > former.f * (1 + 1e-9) else "")
    yield step("until", s, pictures.end_note(problem, f, s, told), Level.ROUND, (ending,) if ending else ())


def batch_round(problem: Problem, p: Params, f: SoftMargin, s: State, order: Int, pace: Pace) -> Round:
    s = replace(s, slope=frozen(f.slope(s.weights, s.bad)))
    if pace.step:
        yield step("slope", s, late_note(pictures.slope_note, problem, f, s))
    return (yield from update(problem, p, f, s, downhill(p, s)))


def summed_round(problem: Problem, p: Params, f: SoftMargin, s: State, order: Int, pace: Pace) -> Round:
    """Each part of the table sums its bad examples; one step with the sum of the sums: the batch step."""
    total = f.shrunk(s.weights)
    for k, rows in enumerate(np.array_split(np.sort(order), p.parts)):
        total = total + f.push(s.bad[rows], rows)
        if pace.step:
            s = replace(s, slope=frozen(total))
            yield step("slope", s, pictures.part_note(problem, f, s, rows, k))
    s = replace(s, slope=frozen(total))
    return (yield from update(problem, p, f, s, downhill(p, s)))


def averaged_round(problem: Problem, p: Params, f: SoftMargin, s: State, order: Int, pace: Pace) -> Round:
    """Each part of the table goes its own steps, as if it were all; then the mean of where they come to."""
    for k, rows in enumerate(np.array_split(np.sort(order), p.parts)):
        draft = frozen(f.local(s.weights, rows, p.parts, p.local, rate(p, s)))
        s = replace(s, drafts=(*s.drafts, draft))
        if pace.step and np.isfinite(draft).all():
            yield step("slope", s, pictures.draft_note(problem, f, s, rows, k, p.local))
    mean = np.mean(s.drafts, axis=0)
    s = replace(s, slope=frozen((s.weights - mean) / rate(p, s)))
    return (yield from update(problem, p, f, s, mean))


def single_round(
    problem: Problem, p: Params, f: SoftMargin, s: State, order: Int, pace: Pace, judging: bool = False
) -> Round:
    """One step for each example, whose part of the slope counts n times. judging: the loss is reckoned after each."""
    n, first, judging = len(order), s, judging or pace.step
    for i in order[: p.steps - s.updates]:
        s = replace(s, before=s.weights, current=int(i))
        if pace.detail:
            yield step("bad", s, late_note(pictures.one_bad_note, problem, f, s), Level.DETAIL)
        s = replace(s, slope=frozen(f.guess(s.weights, np.asarray([i]), n)))
        if pace.detail:
            yield step("slope", s, late_note(pictures.one_slope_note, problem, f, s, n), Level.DETAIL)
        w, after = downhill(p, s), replace(s, updates=s.updates + 1)
        after = judged(p, f, after, w) if judging else replace(after, weights=w)
        if not np.isfinite(after.f):
            return s, "diverged"
        rose, s = after.f > s.f * (1 + 1e-9), after
        if pace.step:
            yield step("update", s, late_note(pictures.update_note, problem, f, s, rate(p, s), rose))
    s = s if judging else judged(p, f, s, s.weights)
    return (s, "") if np.isfinite(s.f) else (yield from single_round(problem, p, f, first, order, pace, True))


F_CURVE = Curve("f", "f = ½ |w|² + C Σ penalty", digits=3)
ROUNDS = {
    "batch": batch_round,
    "stochastic": single_round,
    "average-of-changes": averaged_round,
    "sum-of-parts": summed_round,
}


def update(problem: Problem, p: Params, f: SoftMargin, s: State, w: Float) -> Round:
    after = judged(p, f, replace(s, updates=s.updates + 1, lines=s.lines.plus((s.weights, s.bad, s.slope))), w)
    if not np.isfinite(after.f):
        return replace(s, slope=frozen(np.zeros(len(w)))), "diverged"
    rose = after.f > s.f * (1 + 1e-9)
    words, events = late_note(pictures.update_note, problem, f, after, rate(p, s), rose), ("round", "overshoot")
    yield step("update", after, words, Level.ROUND, events[: 1 + rose])
    still = float(np.abs(w - s.weights).max()) <= SETTLED * float(np.abs(w).max())
    return after, "converged" if still else ""


def judged(p: Params, f: SoftMargin, s: State, w: Float) -> State:
    """The state at weights w: who is bad there, who is wrong, the loss; f is not finite when w has left all numbers."""
    z = f.z(w)
    bad = f.bad(w, z) & (f.y != 0)
    value = f.value(w, z, bad) if np.isfinite(z).all() else float("nan")
    return replace(s, weights=frozen(w), bad=frozen(bad), f=value, errors=f.wrong(w, p.rate))


@CALM
def downhill(p: Params, s: State) -> Float:
    return frozen(s.weights - rate(p, s) * s.slope)


def loss(problem: Problem, p: Params) -> SoftMargin:
    return SoftMargin.of(problem, p.C, p.penalise_b)


def rate(p: Params, s: State) -> float:
    return p.rate / (1 + p.decay * (s.round - 1)) if p.schedule == "1/(1+ct)" else p.rate


def start_weights(problem: Problem, p: Params) -> Float:
    if p.start and len(p.start) != problem.d + 1:
        raise EngineError(f"Start w, b needs {problem.d + 1} numbers, the last one is b; it has {len(p.start)}.")
    return frozen(p.start or np.zeros(problem.d + 1), np.float64)


def step(line: str, s: State, words: Note, level: Level = Level.STEP, events: tuple[str, ...] = ()) -> Step[State]:
    return Step(line, s, words, level, {"errors": s.errors, "f": s.f, "bad": int(s.bad.sum())}, events)


# -- looking at a model ------------------------------------------------------------------------------------------------


def predict(problem: Problem, p: Params, s: State, X: Float) -> Int:
    """Class indices by the side of the line, −1 on it."""
    return signed_classes(loss(problem, p).scores(s.weights, p.rate, X)).astype(np.intp)


def score_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    return linear_surface(problem, s.w, s.b, grid)


def class_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    return signed_classes(loss(problem, p).grid_scores(problem, s.weights, p.rate, grid))


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    names = (*(feature.title for feature in problem.features), "b")
    score = loss(problem, p).scores(s.weights, p.rate, x[None])
    return explain_score(problem, s.weights, np.append(x, 1.0), names, int(signed_classes(score)[0]), float(score[0]))


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    s, f = step.state, loss(problem, p)
    figures = pictures.figures(problem, f, s, step.line)
    if not problem.plane:
        return Scene((), figures)
    shown = predict(problem, p, s, problem.X)
    layers: list[Layer] = [Field("class")]
    layers += [separator(problem, s.before, float(s.before[-1]), Role.GHOST, "before")] if step.line == "update" else []
    drafts = (separator(problem, draft, float(draft[-1]), Role.CANDIDATE, "draft") for draft in s.drafts)
    layers += [replace(line, label=str(part)) for part, line in enumerate(drafts, 1)]
    layers += [*margin_lines(problem, s.weights, s.b)[:2], separator(problem, s.weights, s.b)]
    layers += [*penalty_arrows(problem, s.weights, f.penalties(s.weights, s.bad)), data_points(problem, shown)]
    layers += [active_point(problem, s.current, shown)] if s.current >= 0 else []
    return Scene(tuple(layers), figures)


def chips(p: Params) -> tuple[str, ...]:
    return (f"C {short(p.C)}", "b penalised" if p.penalise_b else "b free", p.mode)


def example() -> Problem:
    """The six points of MMDS Fig 12.18."""
    X = [[1.0, 4.0], [2.0, 2.0], [3.0, 4.0], [1.0, 1.0], [2.0, 1.0], [3.0, 1.0]]
    return prepare(Dataset.from_arrays(X, [1, 1, 1, -1, -1, -1]))


ALGORITHM = former(
    key="hinge_descent",
    title="Soft margin by gradient descent",
    family="linear",
    task=Task.CLASSIFY,
    source=("MMDS 12.3.3", "MMDS 12.3.4", "MMDS 12.3.5", "MMDS 12.3.6"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    resume=resume,
    scene=scene,
    predict=predict,
    scores=lambda problem, p, s, X: loss(problem, p).scores(s.weights, p.rate, X),
    fields={"class": class_surface, "score": score_surface},
    explain=explain,
    needs=Needs(min_classes=2, max_classes=2, numeric=True),
    example=example,
    curves=(Curve("errors", "wrong points", of_n=True, digits=0), Curve("bad", "bad points", digits=0), F_CURVE),
    events=("round", "overshoot", "converged", "diverged"),
    errata=pictures.ERRATA,
    chips=chips,
    summary="Looks for a line with a wide empty street on both sides. Points inside the street or on the wrong side pay a "
    "penalty; C says how dear it is, and gradient descent finds the balance.",
)
