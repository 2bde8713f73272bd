"""The perceptron with both textbook rules, fixed or learnt threshold. MMDS 12.2.1-12.2.4, AIMA 18.6.3."""

from collections import deque
from collections.abc import Generator as Generator_
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from numpy.random import Generator

from engine.core.algorithm import Algorithm, Curve, Explanation, Needs
from engine.core.arrays import Float, Int, frozen
from engine.core.dataset import Dataset
from engine.core.errors import EngineError
from engine.core.grid import Grid
from engine.core.notation import counted, short
from engine.core.params import Empty, Help, Label, MostRounds, Range, When
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Bars, Field, Layer, Role, Scene, Segments, active_point, data_points, data_table
from engine.core.step import Level, Note, Pace, Step, late_note, note
from engine.data.prepare import prepare
from engine.numerics.linear import ask_beside, fired_classes, linear_surface, signed_classes, with_column
from engine.numerics.mistakes import MOST_ROUNDS, RoundEnds, cleared, count_wrong, next_mistake, settled_scores
from engine.numerics.visits import Visits
from engine.pictures.linear import explain_score, separator, weight_arrows
from engine.pictures.mistakes import end_note, look_note, mistake_note, right_note

PSEUDOCODE = """
start: w ← start weights
round: repeat
take:   for each (x, y) in the round
test:     if y (w · x) ≤ 0
update:       w ← w + η y x
until: until the stopping rule holds
"""
BY_ANSWER = {"test": "    if y ≠ h, h = [w · x ≥ 0]", "update": "      w ← w + η (y − h) x"}  # AIMA Eq 18.7: 0 or 1


@dataclass(frozen=True)
class Params:
    rule: Annotated[
        Literal["mmds", "aima"],
        Label("Rule"),
        Help("mmds: y = ±1, w·x = 0 is wrong, table order. aima: y = 0/1, fires at w·x ≥ 0, random order."),
    ] = "mmds"
    rate: Annotated[float, Range(1e-4, 10, log=True), Label("Rate η")] = 0.5
    order: Annotated[Literal["by rule", "table", "random"], Label("Order")] = "by rule"
    schedule: Annotated[Literal["fixed", "1/(1+ct)", "1000/(1000+t)"], Label("Schedule")] = "fixed"
    decay: Annotated[float, Range(1e-3, 10, log=True), Label("Decay c"), When("schedule", ("1/(1+ct)",))] = 1.0
    threshold: Annotated[Literal["zero", "learned"], Label("Threshold")] = "zero"
    start: Annotated[tuple[float, ...], Label("Start w"), Help("one weight per column, all zero when empty")] = ()
    stop: Annotated[
        Literal["clean round", "rounds", "errors stop changing", "test errors stop changing"], Label("Stop")
    ] = "clean round"
    rounds: Annotated[MostRounds, Empty("auto"), Help("at most; empty: 1000, or until w comes back")] = None
    patience: Annotated[
        int,
        Range(1, 100),
        Label("Patience"),
        Help("rounds with an equal count before the errors count as settled; two equal rounds prove nothing"),
        When("stop", ("errors stop changing", "test errors stop changing")),
    ] = 5


@dataclass(frozen=True, slots=True)
class State:
    """w (d,) or (d+1,), the threshold (mmds, feature −1) or bias (aima, feature +1) last; before: w before this step;
    current: row looked at or −1; errors: wrong training rows now; mistakes: updates so far; round counts from 1."""

    w: Float
    before: Float
    current: int
    errors: int
    mistakes: int
    round: int
    visited: int


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    w = start_weights(problem, p)
    s = State(w, w, -1, wrong(problem, p, w), 0, 0, 0)
    yield step("start", s, note("Start with w = {w}.", w=w), Level.ROUND)
    yield from resume(problem, p, s, rng, pace)


def resume(problem: Problem, p: Params, s: State, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    visits = Visits(extended(p, problem.X), problem.sign, p.rule == "aima", reach=reach(problem, p))
    history: deque[float] = deque(maxlen=p.patience)
    ends, last = RoundEnds(visits.reach, s.w, s.round), p.rounds or s.round + MOST_ROUNDS
    rows = np.flatnonzero(problem.labelled)
    while True:
        order = rows if in_table_order(p) else rng.permutation(rows)
        before, s = s.mistakes, replace(s, before=s.w, current=-1, round=s.round + 1)
        if pace.detail:
            yield step("round", s, note("Round {round} begins.", round=s.round), Level.DETAIL)
        s = yield from one_round(problem, p, visits, order, s, pace)
        s = replace(s, before=s.w, current=-1, errors=visits.count_wrong(s.w))
        history.append(watched_errors(problem, p, s))
        mistakes = s.mistakes - before
        cycle = ends.earlier(s.w, s.round) if repeatable(p) and mistakes else None
        rule = settled(p, history) or (p.rounds is not None and s.round >= p.rounds)
        done = mistakes == 0 or rule or s.round >= last or (p.rounds is None and cycle is not None)
        events = ("round", *(("converged",) if not mistakes else ()), *(("cycle",) if cycle is not None else ()))
        yield step("until", s, late_note(end_note, s, mistakes, cycle, done, rule), Level.ROUND, events)
        if done:
            return


def one_round(
    problem: Problem, p: Params, visits: Visits, order: Int, s: State, pace: Pace
) -> Generator_[Step[State], None, State]:
    """Visit the examples in `order`. Up to the next mistake w stands still: the scores are computed together."""
    if not pace.step:
        return quick_round(p, visits, order, s)
    at, X, aima, more = 0, visits.X, visits.fires_at_zero, visits.reach
    while at < len(order):
        miss, scores = next_mistake(X, problem.sign, order, at, s.w, aima, more)
        for here, score in zip(range(at, min(miss + 1, len(order))), scores, strict=False):
            s = replace(s, before=s.w, current=int(order[here]), visited=s.visited + 1)
            x = X[s.current]
            if pace.detail:
                yield step("take", s, late_note(look_note, problem, s.current, x), Level.DETAIL)
            if here < miss:
                yield step("test", s, late_note(right_note, problem, s.current, s.w, x, score, aima))
            else:
                errors, s = s.errors, update(p, visits, s, score)
                told = problem, s, x, (score, float(settled_scores(x, s.w, more))), rate(p, s), errors, aima
                yield step("update", s, late_note(mistake_note, *told), events=("mistake",))
        at = miss + 1
    return s


def quick_round(p: Params, visits: Visits, order: Int, s: State) -> State:
    """The same without a word."""
    w, made = visits.whole_round(order, s.w, rate(p, s, np.arange(1, len(order) + 1)))
    return replace(s, w=frozen(w), mistakes=s.mistakes + made, visited=s.visited + len(order))


def update(p: Params, visits: Visits, s: State, score: float) -> State:
    """w ← w + η y x (mmds), w ← w + η (y − h) x (aima)."""
    x, sign = visits.X[s.current], visits.sign[s.current]
    error = sign if p.rule == "mmds" else (sign + 1) / 2 - (score >= 0)
    w = frozen(cleared(s.w + rate(p, s) * error * x, visits.reach))
    return replace(s, w=w, errors=visits.count_wrong(w), mistakes=s.mistakes + 1)


def wrong(problem: Problem, p: Params, w: Float) -> int:
    return count_wrong(extended(p, problem.X), problem.sign, w, p.rule == "aima", reach(problem, p))


def extended(p: Params, X: Float) -> Float:
    """X with the column of the learnt threshold: −1 (mmds) or +1 (aima)."""
    return X if p.threshold == "zero" else with_column(X, -1.0 if p.rule == "mmds" else 1.0)


def reach(problem: Problem, p: Params) -> Float:
    """(d,) or (d + 1,) what one mistake adds to each weight at most."""
    return p.rate * (problem.largest if p.threshold == "zero" else np.append(problem.largest, 1.0))


def start_weights(problem: Problem, p: Params) -> Float:
    if p.stop == "rounds" and p.rounds is None:
        raise EngineError("To stop after a number of rounds, say how many: set Rounds.")
    if p.stop == "test errors stop changing" and problem.held_out is None:
        raise EngineError("To stop by test errors, hold out some rows: move the test split above 0 %.")
    size = problem.d + (p.threshold == "learned")
    if not p.start:
        return frozen(np.zeros(size))
    if len(p.start) != size:
        extra = " (one per column and the threshold)" if p.threshold == "learned" else ""
        raise EngineError(f"Start w needs {counted(size, 'number')}{extra}; it has {len(p.start)}.")
    return frozen(p.start, np.float64)


def rate(p: Params, s: State, later: Int | int = 0) -> Any:
    """η now, or some visits `later`: t counts finished rounds in η/(1+ct) (MMDS 12.2.2), visits in 1000/(1000+t) (AIMA)."""
    if p.schedule == "1/(1+ct)":
        return p.rate / (1 + p.decay * (s.round - 1))
    return p.rate * (1000 / (1000 + s.visited + later) if p.schedule == "1000/(1000+t)" else 1.0)


def in_table_order(p: Params) -> bool:
    return p.order == "table" or (p.order == "by rule" and p.rule == "mmds")


def repeatable(p: Params) -> bool:
    """Rounds depend on w alone, so equal weights at the ends of two rounds prove an endless cycle (MMDS 12.2.2)."""
    return in_table_order(p) and p.schedule == "fixed"


def watched_errors(problem: Problem, p: Params, s: State) -> float:
    """The count that the stopping rule watches: wrong rows of the training or the held-out set."""
    held_out = problem.held_out if p.stop == "test errors stop changing" else None
    return s.errors if held_out is None else wrong(held_out, p, s.w)


def settled(p: Params, history: "deque[float]") -> bool:
    return p.stop.endswith("errors stop changing") and len(history) == p.patience and len(set(history)) == 1


def step(line: str, s: State, words: Note, level: Level = Level.STEP, events: tuple[str, ...] = ()) -> Step[State]:
    return Step(line, s, words, level, {"errors": s.errors, "mistakes": s.mistakes}, events)


def predict(problem: Problem, p: Params, s: State, X: Float) -> Int:
    """Class indices; −1 on the line under the mmds rule (equality is an error), the positive class under aima's."""
    return called(p, settled_scores(extended(p, X), s.w, reach(problem, p))).astype(np.intp)


def called(p: Params, score: Float) -> Float:
    """The class of a score; of zero none under the mmds rule (−1), the positive one under aima's, which fires there."""
    return signed_classes(score) if p.rule == "mmds" else fired_classes(score)


def bias(p: Params, w: Float) -> float:
    return 0.0 if p.threshold == "zero" else float(-w[-1] if p.rule == "mmds" else w[-1])


def score_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    return linear_surface(problem, s.w, bias(p, s.w), grid)


def class_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    """Beside the line, where rounding could decide, as `predict` calls the places."""
    score = score_surface(problem, p, s, grid)
    return ask_beside(score, called(p, score), grid, lambda xy: predict(problem, p, s, problem.from_plane(xy)))


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    row = extended(p, x[None])[0]
    score = settled_scores(row, s.w, reach(problem, p))
    return explain_score(problem, s.w, row, column_names(problem, p), int(called(p, score)), float(score))


def column_names(problem: Problem, p: Params) -> tuple[str, ...]:
    last = () if p.threshold == "zero" else (("θ",) if p.rule == "mmds" else ("bias",))
    return (*(f.title for f in problem.features), *last)


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    s, current = step.state, (step.state.current,) if step.state.current >= 0 else ()
    names, table = column_names(problem, p), data_table(problem, current=current)
    figures = (Bars("Weights w", names, s.w, before=s.before, tag="w"), table)
    if not problem.plane:
        return Scene((), figures)
    changed, centred = step.line == "update", p.threshold == "zero" and problem.d <= 2
    shown = predict(problem, p, s, problem.X)
    ghost = [separator(problem, s.before, bias(p, s.before), Role.GHOST, "before")] if changed else []
    layers: list[Layer] = [Field("class"), *ghost, separator(problem, s.w, bias(p, s.w)), data_points(problem, shown)]
    added = "+ η·y·x" if p.rule == "mmds" else "+ η(y−h)x"
    layers += weight_arrows(problem, s.before, s.w, bias(p, s.w), centred, added if changed else "")
    if changed and centred:
        layers.append(Segments(np.stack([np.zeros(2), problem.xy[s.current]])[None], Role.SAME, tag="current"))
    layers += [active_point(problem, i, shown, place=changed) for i in current]
    return Scene(tuple(layers), figures)


def chips(p: Params) -> tuple[str, ...]:
    return ("line through the origin" if p.threshold == "zero" else "threshold learned", f"η {short(p.rate)}")


def example() -> Problem:
    """Four points that take several updates."""
    return prepare(Dataset.from_arrays([[1.0, 2.0], [2.0, 1.0], [-1.0, 0.5], [-1.0, -2.0]], [1, -1, 1, -1]))


ALGORITHM = Algorithm(
    key="perceptron",
    title="Perceptron",
    family="linear",
    task=Task.CLASSIFY,
    source=("MMDS 12.2.1", "MMDS 12.2.4", "AIMA 18.6.3"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    resume=resume,
    scene=scene,
    predict=predict,
    scores=lambda problem, p, s, X: settled_scores(extended(p, X), s.w, reach(problem, p)),
    fields={"class": class_surface, "score": score_surface},
    explain=explain,
    needs=Needs(min_classes=2, max_classes=2, numeric=True),
    example=example,
    curves=(Curve("errors", "wrong points", of_n=True, digits=0), Curve("mistakes", "mistakes so far", digits=0)),
    events=("mistake", "round", "converged", "cycle"),
    errata=(
        "MMDS 12.2.1 warns of a badly chosen η. From w = 0 a constant η only rescales w: the mistakes are the same.",
        "AIMA 18.6.3 lets the rate 1000/(1000+t) find the line with the fewest errors on any data. On data that no line "
        "separates it calms down, but in general somewhere else.",
        "AIMA 18.6.3: where it says O(1/t), Θ(1/t) is meant, and Figure 18.16(c) where it refers to 18.16(b).",
        "MMDS 12.2.2 advises a small c in η/(1 + ct); too small a c leaves η as it is for all the rounds there are.",
    ),
    chips=chips,
    uses_held_out=lambda p: p.stop == "test errors stop changing",
    wording=lambda p: BY_ANSWER if p.rule == "aima" else {},
    summary="Looks at one example at a time; after a mistake it turns the line towards the right side. "
    "It stops for good once a round passes without a mistake, which happens only if a line separates the classes.",
)
