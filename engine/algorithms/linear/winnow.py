"""Winnow: a linear classifier of 0/1 columns that multiplies its weights. MMDS 12.2.3, with its own threshold 12.2.4."""

from collections.abc import Generator as Generator_
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Float, Int, Prefix, frozen
from engine.core.dataset import Dataset
from engine.core.former import former
from engine.core.grid import Grid
from engine.core.notation import short
from engine.core.params import Help, Label, Range
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Field, Layer, Role, Scene, active_point, data_points
from engine.core.step import Level, Note, Pace, Step, note
from engine.data.prepare import prepare
from engine.numerics.linear import fired_classes, linear_surface, signed_classes, size_surface, with_column
from engine.numerics.winnow import NEAR, Scale, next_wrong
from engine.pictures import winnow as pictures
from engine.pictures.linear import explain_score, separator
from engine.pictures.winnow import Visit

PSEUDOCODE = """
start: w ← 1; θ ← d, or 1 if learned
round: repeat
take:   for each (x, y) in turn
test:     right: y (w · x − θ) > 0
double:     y = +1: w[i] ← 2 w[i] if x[i] = 1
halve:     y = −1: w[i] ← w[i]/2 if x[i] = 1
until: until a round has no mistake
"""


EQUAL_FIRES = {"test": "    right: y = +1 just where w·x ≥ θ"}


@dataclass(frozen=True)
class Params:
    threshold: Annotated[
        Literal["d", "learned"],
        Label("Threshold θ"),
        Help("d: the number of columns, for good. learned: starts at 1 and is changed the opposite way."),
    ] = "d"
    factor: Annotated[float, Range(1.001, 10, log=True), Label("Factor"), Help("2 doubles and halves")] = 2.0
    equality: Annotated[
        Literal["wrong", "positive"], Label("w · x = θ"), Help("wrong for both classes, or counted as positive")
    ] = "wrong"
    rounds: Annotated[int, Range(1, 100_000, log=True), Label("Rounds"), Help("at most this many")] = 50


@dataclass(frozen=True, slots=True)
class State:
    """w_i = factor^powers_i, and powers[d] is θ's: exact; w (d,) and theta are the same as numbers. before: powers before
    this step; current: row or −1; errors: wrong training rows now; mistakes so far; visits: the table so far."""

    powers: Int
    before: Int
    w: Float
    theta: float
    current: int
    errors: int
    mistakes: int
    round: int
    visits: Prefix[Visit]


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    powers = frozen(np.zeros(problem.d + 1, np.intp))
    s = State(powers, powers, frozen(np.ones(problem.d)), 0.0, -1, 0, 0, 0, Prefix([], 0))
    s = judged(problem, p, weighed(problem, p, s, powers))
    yield step("start", s, pictures.start_note(problem, scale(problem, p), s.powers), Level.ROUND)
    yield from resume(problem, p, s, rng, pace)


def resume(problem: Problem, p: Params, s: State, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    seen, ending = {s.powers.tobytes(): s.round}, ""
    while not ending:
        began = s.mistakes
        s = replace(s, before=s.powers, current=-1, round=s.round + 1)
        if pace.detail:
            yield step("round", s, note("Round {round} begins.", round=s.round), Level.DETAIL)
        s = yield from one_round(problem, p, s, pace)
        s = judged(problem, p, replace(s, before=s.powers, current=-1))
        again = seen.setdefault(s.powers.tobytes(), s.round)
        ending = why_end(problem, p, s, s.mistakes - began, again)
        events = ("round", ending) if ending in ENDINGS else ("round",)
        words = pictures.round_note(problem, scale(problem, p), s, s.mistakes - began, ending, again)
        yield step("until", s, words, Level.ROUND, events)


ENDINGS = ("converged", "cycle", "diverged")


def why_end(problem: Problem, p: Params, s: State, mistakes: int, again: int) -> str:
    """Equal weights at the ends of two rounds prove an endless cycle: a round depends on them alone."""
    if mistakes == 0:
        return "converged"
    if again < s.round:
        return "cycle"
    if scale(problem, p).runs_away(s.powers):
        return "diverged"
    return "rounds" if s.round >= p.rounds else ""


def one_round(problem: Problem, p: Params, s: State, pace: Pace) -> Generator_[Step[State], None, State]:
    """The labelled examples in table order. Between two mistakes the weights stand still."""
    order, at = np.flatnonzero(problem.labelled), 0
    measure = scale(problem, p)
    while at < len(order):
        wrong = next_wrong(measure, problem.X, problem.sign, order, at, s.powers)
        for i in order[at:wrong] if pace.step else ():
            s = yield from taken(problem, measure, s, int(i), pace)
            s = replace(
                s, visits=s.visits.plus(pictures.visit(measure, problem.X[i], s.powers, s.before, int(i), True))
            )
            yield step("test", s, pictures.right_note(problem, measure, s.powers, int(i)))
        at = wrong + 1
        if wrong < len(order) and not measure.runs_away(s.powers):
            i = int(order[wrong])
            s = yield from taken(problem, measure, s, i, pace)
            s = mended(problem, p, measure, s, i, pace)
            if pace.step:
                words = pictures.mistake_note(problem, measure, s, p.threshold == "learned")
                yield step("double" if problem.sign[i] > 0 else "halve", s, words, events=("mistake",))
    return s


def taken(problem: Problem, measure: Scale, s: State, i: int, pace: Pace) -> Generator_[Step[State], None, State]:
    s = replace(s, before=s.powers, current=i)
    if pace.detail:
        yield step("take", s, pictures.look_note(problem, i), Level.DETAIL)
    return s


def mended(problem: Problem, p: Params, measure: Scale, s: State, i: int, pace: Pace) -> State:
    """w_i · factor for a positive example, w_i / factor for a negative one, where x_i = 1; a learnt θ the opposite way."""
    active = np.append(problem.X[i] > 0, False).astype(np.intp)
    active[-1] = -1 if p.threshold == "learned" else 0
    s = weighed(problem, p, s, frozen(s.powers + int(problem.sign[i]) * active))
    s = replace(s, mistakes=s.mistakes + 1)
    if not pace.step:
        return s
    visited = pictures.visit(measure, problem.X[i], s.before, s.powers, i, False)
    return judged(problem, p, replace(s, visits=s.visits.plus(visited)))


def weighed(problem: Problem, p: Params, s: State, powers: Int) -> State:
    values = frozen(scale(problem, p).floats(powers))
    return replace(s, powers=powers, w=values[:-1], theta=float(values[-1]))


def judged(problem: Problem, p: Params, s: State) -> State:
    """The state with the number of wrong rows."""
    wrong = (scale(problem, p).sides(problem.X, s.powers) != problem.sign) & problem.labelled
    return replace(s, errors=int(wrong.sum()))


def scale(problem: Problem, p: Params) -> Scale:
    on_it = 1 if p.equality == "positive" else 0
    return Scale(Fraction(str(p.factor)), 1 if p.threshold == "learned" else problem.d, on_it)


def step(line: str, s: State, words: Note, level: Level = Level.STEP, events: tuple[str, ...] = ()) -> Step[State]:
    return Step(line, s, words, level, {"errors": s.errors, "mistakes": s.mistakes, "theta": s.theta}, events)


# -- looking at a model ------------------------------------------------------------------------------------------------


def predict(problem: Problem, p: Params, s: State, X: Float) -> Int:
    """Class indices by the side of the threshold; on it −1, or the positive class."""
    return called(p, scores(problem, p, s, X)).astype(np.intp)


def called(p: Params, gap: Float) -> Float:
    return signed_classes(gap) if p.equality == "wrong" else fired_classes(gap)


def scores(problem: Problem, p: Params, s: State, X: Float) -> Float:
    """(m,) w·x − θ."""
    return scale(problem, p).gaps(X, s.powers)


def score_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    return linear_surface(problem, s.w, -s.theta, grid)


def class_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    gap, sizes = score_surface(problem, p, s, grid), size_surface(problem, np.append(s.w, s.theta), grid)
    return called(p, np.where(np.abs(gap) <= NEAR * sizes, 0.0, gap))


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    gap = scale(problem, p).gaps(x[None], s.powers)
    label = int(called(p, gap)[0])
    names = (*(feature.title for feature in problem.features), "θ")
    return explain_score(problem, np.append(s.w, s.theta), with_column(x[None], -1.0)[0], names, label, float(gap[0]))


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    s = step.state
    figures = pictures.figures(problem, scale(problem, p), s, p.threshold == "learned")
    if not problem.plane:
        return Scene((), figures)
    shown = predict(problem, p, s, problem.X)
    layers: list[Layer] = [Field("class")]
    if step.line in ("double", "halve"):
        old = scale(problem, p).floats(s.before)
        layers.append(separator(problem, old[:-1], -float(old[-1]), Role.GHOST, "before"))
    layers += [separator(problem, s.w, -s.theta), data_points(problem, shown)]
    if s.current >= 0:
        layers.append(active_point(problem, s.current, shown, place=problem.d == 2))
    return Scene(tuple(layers), figures)


def chips(p: Params) -> tuple[str, ...]:
    equal = ("w·x = θ is positive",) if p.equality == "positive" else ()
    return ("θ = d" if p.threshold == "d" else "θ learned", f"factor {short(p.factor)}", *equal)


def example() -> Problem:
    """The e-mails of MMDS Fig 12.6, as numbers so that there is a plane."""
    words = [[1, 1, 0, 1, 1], [0, 0, 1, 1, 0], [0, 1, 1, 0, 0], [1, 0, 0, 1, 0], [1, 0, 1, 0, 1], [1, 0, 1, 1, 0]]
    names = ("and", "viagra", "the", "of", "nigeria")
    return prepare(Dataset.from_arrays(np.asarray(words, np.float64), [1, -1, 1, -1, 1, -1], names=names))


ALGORITHM = former(
    key="winnow",
    title="Winnow",
    family="linear",
    task=Task.CLASSIFY,
    source=("MMDS 12.2.3", "MMDS 12.2.4", "MMDS Fig 12.7"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    resume=resume,
    scene=scene,
    predict=predict,
    scores=scores,
    fields={"class": class_surface, "score": score_surface},
    explain=explain,
    needs=Needs(min_classes=2, max_classes=2, binary=True),
    example=example,
    curves=(
        Curve("errors", "wrong points", of_n=True, digits=0),
        Curve("mistakes", "mistakes so far", digits=0),
        Curve("theta", "threshold θ"),
    ),
    events=("mistake", "round", *ENDINGS),
    errata=(
        "MMDS 12.2.3 presents Winnow as converging whenever a separating w and θ exist. It need not: on AND of two columns "
        "(θ = 2, factor 2) the weights are powers of 2 and never satisfy w₁, w₂ < 2 < w₁ + w₂. A smaller factor helps there.",
        "MMDS 12.2.4: with a learned θ it need not converge either, not even on the chapter's own Exercise 12.2.1(d) in the "
        "printed order with equality counted as an error.",
        "The advice on the factor, not too near 1 and not too large, is right; but 2 is already too large for some data.",
    ),
    chips=chips,
    wording=lambda p: EQUAL_FIRES if p.equality == "positive" else {},
    summary="For yes/no columns. After a missed positive example it doubles the weights of the columns that are on, after a "
    "missed negative one it halves them, so columns that do not matter fade quickly.",
)
