"""One perceptron for each class, it against the rest; the largest score wins, or none of the classes. MMDS 12.2.5."""

from collections.abc import Generator as Generator_
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Curve, Explanation, Needs
from engine.core.arrays import Float, Int, frozen
from engine.core.dataset import Dataset
from engine.core.former import former
from engine.core.grid import Grid
from engine.core.notation import short
from engine.core.params import Help, Label, Range, When
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Figure, Scene, active_point, data_points, data_table
from engine.core.step import Level, Note, Pace, Step, late_note, note
from engine.core.work import Work
from engine.data.prepare import prepare
from engine.numerics.class_scores import Scored, grid_scores, lengths, row_scores, winners
from engine.numerics.linear import with_column
from engine.numerics.mistakes import RoundEnds, cleared, settled_scores, wrong_side
from engine.numerics.visits import Visits
from engine.pictures import multiclass as pictures

PSEUDOCODE = """
start: w[i] ← 0 for every class i
round: repeat
take:   for each (x, c) in the round
test:     for every class i, y = ±1:
mistake:       if y (w[i]·x − θ[i]) ≤ 0:
update:         w[i] ← w[i] + η y x
until: until a round has no mistake
"""


@dataclass(frozen=True)
class Params:
    threshold: Annotated[
        Literal["learned", "shared"],
        Label("Threshold"),
        Help("learned: each class learns its own θ. shared: one θ for all, as in MMDS 12.2.5, and it stays."),
    ] = "learned"
    theta: Annotated[float, Range(-1e6, 1e6), Label("Shared θ"), When("threshold", ("shared",))] = 0.0
    rate: Annotated[float, Range(1e-4, 10, log=True), Label("Rate η")] = 0.5
    rounds: Annotated[int, Range(1, 100_000, log=True), Label("Rounds"), Help("at most this many")] = 100
    normalise: Annotated[
        bool,
        Label("Distances"),
        Help("scores divided by |w_i|, because the lengths mean nothing; learning as before"),
    ] = False


@dataclass(frozen=True, slots=True)
class State:
    """V (k, d + 1): w_i and last θ_i; before: V before this step; current: row or −1; active: class whose perceptron was
    just changed, or −1; errors: wrong training rows; slips (k,): mistakes of each perceptron in this round."""

    V: Float
    before: Float
    slips: Int
    errors: int
    mistakes: int = 0
    round: int = 0
    current: int = -1
    active: int = -1

    @property
    def W(self) -> Float:
        return self.V[:, :-1]

    @property
    def theta(self) -> Float:
        return self.V[:, -1]


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State] | None]:
    V = np.zeros((len(problem.classes), problem.d + 1))
    V[:, -1] = p.theta if p.threshold == "shared" else 0.0
    V = frozen(V)
    s = judged(problem, p, State(V, V, frozen(np.zeros(len(V), np.intp)), 0))
    yield step("start", s, note("Every class starts with w = 0: no score is above 0."), Level.ROUND)
    yield from resume(problem, p, s, rng, pace)


def resume(problem: Problem, p: Params, s: State, rng: Generator, pace: Pace) -> Iterator[Step[State] | None]:
    order = np.flatnonzero(problem.labelled)
    X = with_column(problem.X, -1.0)
    Y = np.where(problem.codes[:, None] == np.arange(len(s.V)), 1.0, -1.0) * problem.labelled[:, None]
    reach = reach_by_mistake(problem, p)
    visits = (
        [] if pace.step else [Visits(X, sign, False, moves(problem, p), reach) for sign in np.ascontiguousarray(Y.T)]
    )
    ends = RoundEnds(reach, s.V, s.round)
    while True:
        s = replace(s, before=s.V, slips=frozen(np.zeros(len(s.V), np.intp)), round=s.round + 1)
        if pace.detail:
            yield step("round", s, note("Round {round} begins.", round=s.round), Level.DETAIL)
        if pace.step:
            s = yield from by_example(problem, p, X, Y, order, s, pace)
        else:
            s = yield from by_class(p, visits, order, s)
        s = judged(problem, p, replace(s, before=s.V, current=-1, active=-1))
        clean = not s.slips.any()
        cycle = None if clean else ends.earlier(s.V, s.round)
        done = clean or s.round >= p.rounds
        events = ("round", *(("converged",) if clean else ()), *(("cycle",) if cycle is not None else ()))
        yield step("until", s, late_note(pictures.round_note, problem, s, cycle, done), Level.ROUND, events)
        if done:
            return


def by_example(
    problem: Problem, p: Params, X: Float, Y: Float, order: Int, s: State, pace: Pace
) -> Generator_[Step[State], None, State]:
    """The round as the text tells it: an example, and every perceptron in turn."""
    change, reach = moves(problem, p), reach_by_mistake(problem, p)
    for i in order.tolist():
        s = replace(s, before=s.V, current=i, active=-1)
        if pace.detail:
            yield step("take", s, pictures.look_note(problem, i), Level.DETAIL)
        scores = settled_scores(X[i], s.V.T, reach[:, None])
        wrong = np.flatnonzero(wrong_side(scores, Y[i], False))
        if not len(wrong):
            yield step("test", s, late_note(pictures.right_note, problem, i, scores, s.V))
        for c in wrong.tolist():
            if pace.detail:
                s = replace(s, before=s.V, active=-1)
                words = pictures.wrong_note(problem, i, c, float(scores[c]), s.V[c])
                yield step("mistake", s, words, Level.DETAIL)
            V, slips = s.V.copy(), s.slips.copy()
            V[c] = cleared(V[c] + p.rate * Y[i, c] * change * X[i], reach)
            slips[c] += 1
            s = replace(s, V=frozen(V), slips=frozen(slips), before=s.V, active=c, mistakes=s.mistakes + 1)
            s = judged(problem, p, s)
            told = problem, s, float(scores[c]), p.rate, p.threshold == "learned"
            words = late_note(pictures.mistake_note, *told)
            yield step("update", s, words, events=("mistake",))
    return s


def by_class(p: Params, visits: list[Visits], order: Int, s: State) -> Work[State]:
    """The same round, perceptron by perceptron, since none looks at another: nothing to see, but quick."""
    rounds = []
    for c, v in enumerate(s.V):
        rounds.append(visits[c].whole_round(order, v, p.rate))
        yield
    slips = frozen([mistakes for _, mistakes in rounds], np.intp)
    V = frozen(np.array([v for v, _ in rounds]))
    return replace(s, V=V, slips=slips, mistakes=s.mistakes + int(slips.sum()))


def moves(problem: Problem, p: Params) -> Float:
    """(d + 1,) 1 for the weights that a mistake changes; 0 for a shared θ, which stays."""
    return np.append(np.ones(problem.d), 0.0 if p.threshold == "shared" else 1.0)


def reach_by_mistake(problem: Problem, p: Params) -> Float:
    """(d + 1,) what one mistake adds to each weight at most."""
    reach = p.rate * np.append(problem.largest, 1.0)  # the threshold's feature is −1
    return np.asarray(moves(problem, p) * reach)


def judged(problem: Problem, p: Params, s: State) -> State:
    wrong = (predict(problem, p, s, problem.X) != problem.codes) & problem.labelled
    return replace(s, errors=int(wrong.sum()))


def step(line: str, s: State, words: Note, level: Level = Level.STEP, events: tuple[str, ...] = ()) -> Step[State]:
    return Step(line, s, words, level, {"errors": s.errors, "mistakes": s.mistakes}, events)


# -- looking at a model ------------------------------------------------------------------------------------------------


def compared(problem: Problem, p: Params, s: State) -> tuple[Float, Float]:
    """The weights whose scores are compared; what one mistake adds to each of them at most. (k, d + 1) both."""
    sizes = lengths(s.V) if p.normalise else np.ones((len(s.V), 1))
    return s.V / sizes, reach_by_mistake(problem, p) / sizes


def scored(problem: Problem, p: Params, s: State, X: Float) -> Scored:
    return row_scores(*compared(problem, p, s), X)


def predict(problem: Problem, p: Params, s: State, X: Float) -> Int:
    """The class of the largest score, the first of equal ones; −1, none of the classes, when none is above 0."""
    return winners(zip(*scored(problem, p, s, X), strict=True), (len(X),))


def scores(problem: Problem, p: Params, s: State, X: Float) -> Float:
    """(m, k) w_i·x − θ_i; a class wins with the largest that is above 0."""
    return scored(problem, p, s, X)[0].T


def class_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Int:
    return winners(grid_scores(problem, *compared(problem, p, s), grid), grid.shape)


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    V, _ = compared(problem, p, s)
    scores, near = scored(problem, p, s, x[None])
    label = int(winners(zip(scores, near, strict=True), (1,))[0])
    return pictures.explain_winner(problem, V, x, (scores[:, 0], near[:, 0]), label, p.normalise)


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    s = step.state
    current = (s.current,) if s.current >= 0 else ()
    figures: list[Figure] = [pictures.weight_matrix(problem, s), data_table(problem, current=current, tag="current")]
    if current:
        place = problem.X[list(current)]
        scores, label = scored(problem, p, s, place)[0][:, 0], int(predict(problem, p, s, place)[0])
        figures.insert(0, pictures.score_bars(problem, scores, label))
    if not problem.plane:
        return Scene((), tuple(figures))
    shown = predict(problem, p, s, problem.X)
    ground = pictures.class_borders(problem, compared(problem, p, s)[0])
    layers = [*ground, *pictures.class_lines(problem, s), data_points(problem, shown)]
    layers += [active_point(problem, i, shown) for i in current]
    return Scene(tuple(layers), tuple(figures))


def chips(p: Params) -> tuple[str, ...]:
    theta = "θ learned" if p.threshold == "learned" else f"θ = {short(p.theta)} for all"
    return (theta, f"η {short(p.rate)}", *(("distances",) if p.normalise else ()))


def example() -> Problem:
    """Three classes in a triangle: each can be cut off from the other two."""
    X = [[0.0, 2.0], [0.5, 2.5], [2.0, -1.0], [2.5, -0.5], [-2.0, -1.0], [-2.5, -1.5]]
    return prepare(Dataset.from_arrays(X, ["A", "A", "B", "B", "C", "C"]))


ALGORITHM = former(
    key="multiclass_perceptron",
    title="Multiclass perceptron",
    family="linear",
    task=Task.CLASSIFY,
    source=("MMDS 12.2.5",),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    resume=resume,
    scene=scene,
    predict=predict,
    scores=scores,
    fields={"class": class_surface},
    explain=explain,
    needs=Needs(min_classes=2, numeric=True),
    example=example,
    curves=(Curve("errors", "wrong points", of_n=True, digits=0), Curve("mistakes", "mistakes so far", digits=0)),
    events=("mistake", "round", "converged", "cycle"),
    errata=(
        "MMDS 12.2.5 gives all classes the same θ, while 12.2.4 lets each perceptron learn its own. With learned ones the "
        "scores w_i·x − θ_i are compared.",
        "The largest score wins although the lengths of the w_i mean nothing; “Distances” divides by them.",
        "A class that lies between others cannot be cut off by one line: its perceptron never stops, and all others may be right.",
        "12.2.5 accepts a largest score equal to θ, 12.2 wants it above; here equality is none of the classes.",
    ),
    chips=chips,
    summary="Trains one perceptron for each class against all others. A place belongs to the class with the largest score; "
    "where every perceptron says no it belongs to none.",
)
