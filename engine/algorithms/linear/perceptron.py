"""The perceptron with both textbook rules, fixed or learnt threshold. MMDS 12.2.1-12.2.4, AIMA 18.6.3."""

from collections import deque
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
from engine.core.notation import fixed, label_text, number
from engine.core.params import Help, Label, Range, When
from engine.core.problem import Problem, Task
from engine.core.scene import Arrows, Bars, Field, Line, Points, Role, Scene, data_points, data_table
from engine.core.step import Fact, Formula, Level, Note, Operand, Pace, Step, note
from engine.data.prepare import prepare
from engine.numerics.linear import linear_surface, plane_line, signed_classes, with_column

PSEUDOCODE = """
start: w ← start weights
round: repeat
take:    for each (x, y) in the round
test:      if y (w · x) ≤ 0
update:      w ← w + η y x
until: until the stopping rule holds
"""


@dataclass(frozen=True)
class Params:
    rule: Annotated[
        Literal["mmds", "aima"],
        Label("Rule"),
        Help("mmds: y = ±1, w·x = 0 is wrong, table order. aima: y = 0/1, fires at w·x ≥ 0, random order."),
    ] = "mmds"
    rate: Annotated[float, Range(1e-4, 10, log=True), Label("Rate η")] = 0.5
    schedule: Annotated[Literal["fixed", "1/(1+ct)", "1000/(1000+t)"], Label("Schedule")] = "fixed"
    decay: Annotated[float, Range(1e-3, 10, log=True), Label("Decay c"), When("schedule", ("1/(1+ct)",))] = 1.0
    threshold: Annotated[Literal["zero", "learned"], Label("Threshold")] = "zero"
    start: Annotated[tuple[float, ...], Label("Start w"), Help("one weight per column, all zero when empty")] = ()
    stop: Annotated[
        Literal["clean round", "rounds", "errors stop changing", "test errors stop changing"], Label("Stop")
    ] = "clean round"
    rounds: Annotated[int, Range(1, 100_000, log=True), Label("Rounds"), When("stop", ("rounds",))] = 20
    patience: Annotated[
        int,
        Range(1, 100),
        Label("Patience"),
        Help("rounds with an equal count before the errors count as settled; two equal rounds prove nothing"),
        When("stop", ("errors stop changing", "test errors stop changing")),
    ] = 5


@dataclass(frozen=True, slots=True)
class State:
    """w (d,) or (d+1,) with the threshold (mmds, feature −1) or bias (aima, feature +1) last; before: w before this step;
    current: row looked at or −1; errors: wrong training rows now; mistakes: updates so far; round counts from 1."""

    w: Float
    before: Float
    current: int
    errors: int
    mistakes: int
    round: int
    visited: int


UPDATE = Formula("w ←", "{w} + {eta} · {sign} · {x}", "{after}")
UPDATE_AIMA = Formula("w ←", "{w} + {eta} · ({y} − {h}) · {x}", "{after}")
SCORE = Formula("w · x =", "{w} · {x}", "{score}")
BEFORE = Fact("y (w · x) before", "{margin} ≤ 0, wrong")
AFTER = Fact("y (w · x) after", "{margin_after} {verdict}")


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    X = extended(problem, p, problem.X)
    w = start_weights(problem, p)
    yield step("start", State(w, w, -1, wrong(problem, p, w), 0, 0, 0), note("Start with w = {w}.", w=w), Level.ROUND)
    yield from rounds(problem, p, X, State(w, w, -1, 0, 0, 0, 0), rng, pace)


def resume(problem: Problem, p: Params, state: State, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    yield from rounds(problem, p, extended(problem, p, problem.X), state, rng, pace)


def rounds(problem: Problem, p: Params, X: Float, s: State, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    history: deque[float] = deque(maxlen=p.patience)
    seen: dict[bytes, int] = {s.w.tobytes(): s.round}
    while True:
        started = s
        order = np.arange(problem.n) if p.rule == "mmds" else rng.permutation(problem.n)
        order = order[problem.labelled[order]]
        if pace.detail:
            yield step("round", State(s.w, s.w, -1, s.errors, s.mistakes, s.round + 1, s.visited), round_note(s))
        s = State(s.w, s.w, -1, s.errors, s.mistakes, s.round + 1, s.visited)
        s = yield from one_round(problem, p, X, order, s, pace)
        history.append(settling_count(problem, p, s))
        clean = s.mistakes == started.mistakes
        done = clean or (p.stop == "rounds" and s.round >= p.rounds) or settled(p, history)
        cycle = seen.get(s.w.tobytes()) if repeatable(p) and not clean else None
        seen[s.w.tobytes()] = s.round
        s = State(s.w, s.w, -1, wrong(problem, p, s.w), s.mistakes, s.round, s.visited)
        events = ("round", *(("converged",) if clean else ()), *(("cycle",) if cycle is not None else ()))
        yield step("until", s, end_note(p, s, s.mistakes - started.mistakes, cycle, done), Level.ROUND, events)
        if done:
            return


def one_round(problem: Problem, p: Params, X: Float, order: Int, s: State, pace: Pace) -> Any:
    """Visit the examples in `order`; returns the state after the last. Between two mistakes w stands still, so the
    scores of all examples up to the next mistake are computed together."""
    at = 0
    while at < len(order):
        miss, scores = next_mistake(problem, p, X, order, at, s.w)
        if pace.step:
            for k in range(at, min(miss, len(order))):
                s = State(s.w, s.w, int(order[k]), s.errors, s.mistakes, s.round, s.visited + 1)
                if pace.detail:
                    yield step("take", s, take_note(problem, X, s), Level.DETAIL)
                yield step("test", s, right_note(problem, p, X, s, scores[k - at]))
        else:
            s = State(s.w, s.w, -1, s.errors, s.mistakes, s.round, s.visited + min(miss, len(order)) - at)
        if miss == len(order):
            return s
        i = int(order[miss])
        eta = rate(p, s)
        error = problem.sign[i] if p.rule == "mmds" else (problem.sign[i] + 1) / 2 - float(scores[miss - at] >= 0)
        w = frozen(s.w + eta * error * X[i])
        if pace.detail:
            looked = State(s.w, s.w, i, s.errors, s.mistakes, s.round, s.visited + 1)
            yield step("take", looked, take_note(problem, X, looked), Level.DETAIL)
        errors = wrong(problem, p, w) if pace.step else s.errors
        s = State(w, s.w, i, errors, s.mistakes + 1, s.round, s.visited + 1)
        if pace.step:
            yield step("update", s, mistake_note(problem, p, X, s, eta, scores[miss - at]), events=("mistake",))
        at = miss + 1
    return s


def next_mistake(problem: Problem, p: Params, X: Float, order: Int, at: int, w: Float) -> tuple[int, Float]:
    """(position in `order` of the first wrong example from `at` on, or its length; the scores on the way)."""
    size = 64
    scores = np.zeros(0)
    for begin in iter(lambda: at + len(scores), len(order)):
        rows = order[begin : begin + size]
        block = X[rows] @ w
        scores = np.concatenate([scores, block]) if len(scores) else block
        miss = is_wrong(p, block, problem.sign[rows], np.abs(X[rows]) @ np.abs(w))
        if miss.any():
            return begin + int(miss.argmax()), scores
        size *= 4
    return len(order), scores


def is_wrong(p: Params, score: Float, sign: Float, scale: Float) -> Any:
    """Which examples a score gets wrong. mmds: also those on the line, up to rounding (MMDS 12.2.1)."""
    if p.rule == "aima":
        return (score >= 0) != (sign > 0)
    return sign * score <= 1e-12 * scale


def wrong(problem: Problem, p: Params, w: Float) -> int:
    X = extended(problem, p, problem.X)
    miss = is_wrong(p, X @ w, problem.sign, np.abs(X) @ np.abs(w))
    return int((miss & problem.labelled).sum())


def extended(problem: Problem, p: Params, X: Float) -> Float:
    """X with the column of the learnt threshold: −1 (mmds) or +1 (aima)."""
    if p.threshold == "zero":
        return X
    return with_column(X, -1.0 if p.rule == "mmds" else 1.0)


def start_weights(problem: Problem, p: Params) -> Float:
    size = problem.d + (p.threshold == "learned")
    if not p.start:
        return frozen(np.zeros(size))
    if len(p.start) != size:
        extra = " (one per column and the threshold)" if p.threshold == "learned" else ""
        raise EngineError(f"Start w needs {size} numbers{extra}; it has {len(p.start)}.")
    return frozen(p.start, np.float64)


def rate(p: Params, s: State) -> float:
    """η now: t counts finished rounds in η/(1+ct) (MMDS 12.2.2), visited examples in 1000/(1000+t) (AIMA 18.6.3)."""
    if p.schedule == "1/(1+ct)":
        return p.rate / (1 + p.decay * (s.round - 1))
    return p.rate * (1000 / (1000 + s.visited) if p.schedule == "1000/(1000+t)" else 1.0)


def repeatable(p: Params) -> bool:
    """Rounds depend on w alone, so equal weights at the ends of two rounds prove an endless cycle (MMDS 12.2.2)."""
    return p.rule == "mmds" and p.schedule == "fixed"


def settling_count(problem: Problem, p: Params, s: State) -> float:
    """The count that the stopping rule watches: wrong rows of the training or the held-out set."""
    if p.stop != "test errors stop changing":
        return wrong(problem, p, s.w)
    if problem.held_out is None:
        raise EngineError("To stop by test errors, hold out some rows: move the test split above 0 %.")
    return wrong(problem.held_out, p, s.w)


def settled(p: Params, history: "deque[float]") -> bool:
    watching = p.stop in ("errors stop changing", "test errors stop changing")
    return watching and len(history) == p.patience and len(set(history)) == 1


# -- words -------------------------------------------------------------------------------------------------------------


def step(line: str, s: State, words: Note, level: Level = Level.STEP, events: tuple[str, ...] = ()) -> Step[State]:
    return Step(line, s, words, level, {"errors": s.errors, "mistakes": s.mistakes}, events)


def round_note(s: State) -> Note:
    return note("Round {round} begins.", round=s.round + 1)


def take_note(problem: Problem, X: Float, s: State) -> Note:
    i = s.current
    return note(
        "Look at {point}, which is {label}.",
        point=Operand(problem.names[i], about="current"),
        label=said(problem, i),
        x=Operand(X[i], "x", "current"),
    )


def right_note(problem: Problem, p: Params, X: Float, s: State, score: float) -> Note:
    i = s.current
    return note(
        "{point} is {label} and lies on its side. Nothing changes.",
        SCORE,
        point=Operand(problem.names[i], about="current"),
        label=said(problem, i),
        w=Operand(s.w, "w", "w"),
        x=Operand(X[i], "x", "current"),
        score=Operand(float(score), "w · x"),
    )


def mistake_note(problem: Problem, p: Params, X: Float, s: State, eta: float, score: float) -> Note:
    i, sign = s.current, int(problem.sign[s.current])
    after = float(X[i] @ s.w)
    where = "on the line" if abs(score) <= 1e-12 else f"on the {label_text(problem.classes[int(score < 0)])} side"
    healed = sign * after > 0 or (p.rule == "aima" and sign > 0 and after >= 0)
    return note(
        "Mistake: {point} is {label} but lies {where}. " + ("Turn w towards it." if sign > 0 else "Turn w away from it."),
        UPDATE if p.rule == "mmds" else UPDATE_AIMA,
        BEFORE,
        AFTER,
        point=Operand(problem.names[i], about="current"),
        label=said(problem, i),
        where=where,
        w=Operand(s.before, "w", "before"),
        eta=Operand(eta, "η", digits=3),
        sign=Operand(f"({number(sign, signed=True)})", "y"),
        y=Operand((sign + 1) // 2, "y"),
        h=Operand(int(score >= 0), "h"),
        x=Operand(X[i], "x", "change"),
        after=Operand(s.w, "w", "w"),
        margin=sign * float(score),
        margin_after=sign * after,
        verdict="> 0, right" if healed else "≤ 0, still wrong",
    )


def end_note(p: Params, s: State, mistakes: int, cycle: int | None, done: bool) -> Note:
    if mistakes == 0:
        return note("Round {round} passed without a mistake: w will never change again.", round=s.round, w=s.w)
    lead = "Round {round} is over: {mistakes} mistakes, {errors} points wrong now."
    if cycle is not None:
        lead += " These are the weights of round {cycle} again: it will go on in this circle for ever."
    elif done:
        lead += " The stopping rule holds."
    return note(lead, round=s.round, mistakes=mistakes, errors=s.errors, cycle=cycle, w=s.w)


def said(problem: Problem, i: int) -> str:
    return label_text(problem.classes[problem.codes[i]])


# -- looking at a model ------------------------------------------------------------------------------------------------


def scores(problem: Problem, p: Params, s: State, X: Float) -> Float:
    return extended(problem, p, X) @ s.w


def predict(problem: Problem, p: Params, s: State, X: Float) -> Int:
    """Class indices; −1 on the line under the mmds rule (equality is an error), the positive class under aima's."""
    score = scores(problem, p, s, X)
    return signed_classes(score).astype(np.intp) if p.rule == "mmds" else np.where(score >= 0, 0, 1)


def bias(p: Params, s: State) -> float:
    if p.threshold == "zero":
        return 0.0
    return float(-s.w[-1] if p.rule == "mmds" else s.w[-1])


def score_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    return linear_surface(problem, s.w, bias(p, s), grid)


def class_surface(problem: Problem, p: Params, s: State, grid: Grid) -> Float:
    return signed_classes(score_surface(problem, p, s, grid))


def explain(problem: Problem, p: Params, s: State, x: Float) -> Explanation:
    parts = extended(problem, p, x[None])[0] * s.w
    label = int(predict(problem, p, s, x[None])[0])
    total = float(parts.sum())
    sign = ">" if total > 0 else ("<" if total < 0 else "=")
    name = label_text(problem.classes[label]) if label >= 0 else "on the line"
    words = note(
        "This place is called {name}: w · x {sign} 0.",
        Formula("w · x =", " + ".join(f"{{w{j}}} · {{x{j}}}" for j in range(len(parts))), "{score}"),
        name=name,
        sign=sign,
        score=Operand(total, "w · x"),
        **{f"w{j}": Operand(fixed(w), f"w{j}") for j, w in enumerate(s.w)},
        **{f"x{j}": Operand(f"({fixed(v)})", f"x{j}") for j, v in enumerate(extended(problem, p, x[None])[0])},
    )
    return Explanation(label, words, Bars("Part of each column", column_names(problem, p), parts))


def column_names(problem: Problem, p: Params) -> tuple[str, ...]:
    last = () if p.threshold == "zero" else (("θ",) if p.rule == "mmds" else ("bias",))
    return (*(f.name for f in problem.features), *last)


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    s = step.state
    bars = Bars("Weights w", column_names(problem, p), s.w, before=s.before, tag="w")
    current = (s.current,) if s.current >= 0 else ()
    figures = (bars, data_table(problem, current=current))
    if not problem.plane:
        return Scene((), figures)
    shown = predict(problem, p, s, problem.X)
    layers: list[Any] = [Field("class"), data_points(problem, shown)]
    changed = step.line == "update"
    if changed:
        layers.append(Line(*plane_line(problem, s.before, bias(p, State(s.before, s.before, 0, 0, 0, 0, 0))), Role.GHOST, tag="before"))
    layers.append(Line(*plane_line(problem, s.w, bias(p, s)), Role.BOUNDARY, tag="w"))
    layers += arrows(problem, p, s, changed)
    if current:
        layers.append(Points(problem.xy[[s.current]], problem.codes[[s.current]], Role.ACTIVE, shown[[s.current]],
                             label=(problem.names[s.current],), tag="current"))  # fmt: skip
    return Scene(tuple(layers), figures)


def arrows(problem: Problem, p: Params, s: State, changed: bool) -> list[Any]:
    """The update as vector addition, from the origin (or from the line, when it is free to leave it)."""
    w, _ = plane_line(problem, s.w, 0.0)
    before, _ = plane_line(problem, s.before, 0.0)
    reach = float(np.abs(problem.xy - problem.xy.mean(0)).max(initial=0)) or 1.0
    longest = max(float(np.linalg.norm(w)), float(np.linalg.norm(before)))
    if longest == 0:
        return []
    power = int(np.ceil(np.log10(longest / reach))) if not 0.1 * reach <= longest <= reach else 0
    scale = 10.0**-power
    base = foot(problem, p, s)
    suffix = "" if power == 0 else f" × {number(scale, 4)}"
    tip = base + scale * w
    made = [Arrows(base[None], tip[None], Role.ACCEPTED, (("w after" if changed else "w") + suffix,), tag="w")]
    if changed:
        old = base + scale * before
        made.insert(0, Arrows(base[None], old[None], Role.GHOST, ("w before",), tag="before"))
        made.append(Arrows(old[None], tip[None], Role.ACTIVE, ("+ η·y·x",), tag="change"))
    return made


def foot(problem: Problem, p: Params, s: State) -> Float:
    """Where the weight arrow stands: the origin, or the line's nearest place to the middle of the data."""
    w, b = plane_line(problem, s.w, bias(p, s))
    size = float(w @ w)
    if size == 0 or (p.threshold == "zero" and problem.d <= 2):
        return np.zeros(2)
    middle = problem.xy.mean(0)
    return np.asarray(middle - w * (float(w @ middle) + b) / size)


def chips(p: Params) -> tuple[str, ...]:
    return ("line through the origin" if p.threshold == "zero" else "threshold learned", f"η {number(p.rate, 4)}")


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
    fields={"class": class_surface, "score": score_surface},
    explain=explain,
    needs=Needs(min_classes=2, max_classes=2, numeric=True),
    example=example,
    curves=(Curve("errors", "wrong points", of_n=True, digits=0), Curve("mistakes", "mistakes so far", digits=0)),
    events=("mistake", "round", "converged", "cycle"),
    errata=(
        "MMDS 12.2.1 warns of a badly chosen η. From w = 0 with threshold 0 or learnt, a constant η only rescales w: the same "
        "mistakes happen for every η.",
        "AIMA 18.6.3 lets a rate of 1000/(1000+t) find the line with the fewest errors on any data. On data that no line "
        "separates it calms down, but in general somewhere else.",
    ),
    chips=chips,
    summary="Looks at one example at a time; after a mistake it turns the line towards the right side. It stops for good once "
    "a whole round passes without a mistake, which happens only if a line separates the classes.",
)
