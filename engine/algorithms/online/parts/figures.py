"""Figures of experts who forecast example after example: shares, weights, table, race of mistakes,
wheel. ML 7.5.4.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from engine.algorithms.online.parts import exact
from engine.algorithms.online.parts.stream import TINY, Stream, bounds, breaks, race, share_curves
from engine.algorithms.online.parts.words import SHOWN, heaviest, names, power
from engine.base.arrays import Float, Int, frozen
from engine.base.notation import counted, fixed, value_text
from engine.base.records import Record
from engine.base.tags import joined
from engine.protocol.step import Step
from engine.scene.figures import text_column
from engine.scene.scene import (
    NO_GROUP,
    Bars,
    Boxes,
    Figure,
    Labels,
    Layer,
    Plot,
    Polyline,
    Role,
    Segments,
    Table,
)
from engine.table.problem import Problem

HEAD = ("the learner", "the truth")  # rows above the experts
CROSS, CHECK = " ×", " ✓"
APART = 0.08  # of the height: curves nearer to each other at their ends share one name
NARROW = 0.002  # of the wheel: parts below it are not drawn
LETTER = 0.024  # of the wheel: the room of a letter
SMALL = 1e-3  # of the largest weight: below it only the ratios are shown


class Rival(Record):
    """A further curve of the race: `values` after each example, or a bound as a function of the
    best expert's mistakes.
    """

    name: str
    role: Role
    values: Float | None = None
    bound: Callable[[int], float] | None = None

    def curve(self, x: Int, best: Int) -> Float:
        """(m,) the curve after x examples. best: (m,) mistakes of the best expert after them."""
        if self.bound is not None:
            return bounds(best, self.bound)
        assert self.values is not None
        return self.values[x]


def figures(
    given: Any, step: Step[Any], rivals: Sequence[Rival], drawn: tuple[int, ...] = ()
) -> tuple[Figure, ...]:
    """The figures: shares of weight over time, present weights, table of experts, race of mistakes.

    drawn: the expert drawn by chance, where the step is about it
    """
    problem = given.problem
    stream = given.stream
    beta = given.p.beta
    s = step.state
    says = given.says(s)
    amber = tuple(given.erred(s).tolist()) if step.line in ("truth", "update") else drawn
    # at the truth the experts have not lost weight for the last example yet
    known = s.seen - 1 if step.line == "truth" else s.seen
    falling = amber if step.line == "update" else ()
    return (
        share_plot(problem, stream, beta, known, s.weights, falling, tally_said(given, step)),
        weight_bars(problem, says, s.weights, s.before, amber),
        expert_table(given, step, amber),
        race_plot(stream, s.misses, s.seen, rivals),
    )


def tally_said(given: Any, step: Step[Any]) -> str:
    """The mistakes that a tally compares; "" for other steps."""
    s = step.state
    if step.line != "tally":
        return ""
    bound = fixed(float(given.bound(s.best)))
    said = f"{counted(s.seen, 'example')}, mistakes {int(s.mistakes)}, best {int(s.best)}"
    return f"{said}, bound {bound}"


def share_plot(
    problem: Problem,
    stream: Stream,
    beta: float,
    seen: int,
    w: Float,
    falling: Sequence[int] = (),
    tally: str = "",
) -> Plot:
    """A plot of each expert's share of the weight after each example, of many experts only the
    heaviest.

    falling: the experts whose weight this step lessens, their last piece is in amber; tally: what
    the title says of it, the heaviest is in amber
    """
    x, share = share_curves(stream, beta, seen)
    best = int(w.argmax())
    every = names(problem)
    top = min(1.05, 1.15 * float(np.nanmax(share, initial=1 / problem.d)))
    shown = sorted(heaviest(w).tolist(), key=lambda i: (i == best, share[-1, i]))
    named = {best, *ending_alone(shown, share[-1])} if seen else set()
    layers: list[Layer] = []
    for i in shown:
        xy = frozen(np.column_stack([x, share[:, i]]))
        leader = Role.ACTIVE if tally else Role.ACCEPTED
        role = leader if i == best and seen else Role.INACTIVE
        label = every[i] if i in named else ""
        tag = joined("weights", problem.column_tags[i])
        layers.append(Polyline(xy, role, label=label, tag=tag))
    last = [share[-2:, i] for i in shown if i in falling and len(x) > 1]
    if last:
        ends = np.stack([np.column_stack([x[-2:], y]) for y in last])
        layers.append(Segments(frozen(ends), Role.ACTIVE, tag="weights"))
    if not seen:
        alike = frozen([[0.0, 1 / problem.d], [0.6, 1 / problem.d]])
        text = f"each of {problem.d} has {fixed(1 / problem.d, 3)}"
        layers.append(Polyline(alike, Role.INACTIVE, label=text, tag="weights"))
    about = tally or (f"top {SHOWN}" if problem.d > SHOWN else "")
    return Plot(
        f"Shares: {about}" if about else "Shares",
        "examples",
        "share",
        tuple(layers),
        beside=True,
        x_range=(0.0, max(1.0, 1.4 * seen)),
        y_range=(0.0, top),
    )


def ending_alone(shown: Sequence[int], share: Float) -> list[int]:
    """The experts shown whose curve ends above 0 with no other near. share: (K,) final shares"""
    ends = share[list(shown)]
    return [
        i
        for i, end in zip(shown, ends, strict=True)
        if end > APART and np.count_nonzero(np.abs(ends - end) < APART) == 1
    ]


def _nothing_yet(seen: int, top: float) -> tuple[Layer, ...]:
    """What an empty plot says in its middle."""
    return () if seen else (Labels(frozen([[0.5, top / 2]]), ("no example yet",)),)


def end_names(names: Sequence[str], ends: Sequence[float], apart: float) -> list[str]:
    """The text at the end of each curve; curves closer than `apart` share one, at the last of
    them.
    """
    texts = [""] * len(names)
    order = [k for k in np.argsort(ends, kind="stable").tolist() if ends[k] == ends[k]]
    group: list[int] = []
    for k, following in zip(order, [*order[1:], None], strict=True):
        group.append(k)
        if following is None or ends[following] - ends[k] >= apart:
            texts[max(group)] = ", ".join(names[j] for j in sorted(group, reverse=True))
            group = []
    return texts


def race_plot(stream: Stream, misses: Sequence[int], seen: int, others: Sequence[Rival]) -> Plot:
    """A plot of the mistakes so far, with those of the best expert and `others`. misses: positions
    of the mistakes
    """
    x, made, best = race(stream, misses, seen)
    curves: list[tuple[str, Role, Any]] = [
        *((rival.name, rival.role, rival.curve(x, best)) for rival in reversed(others)),
        ("best", Role.PLAIN, best),
        ("mistakes", Role.ACTIVE, made),
    ]
    ends = [float(y[-1]) for _, _, y in curves]
    top = float(np.nanmax([y for _, _, y in curves], initial=1.0))
    labels = [""] * len(curves)
    if seen:
        labels = end_names([name for name, _, _ in curves], ends, APART * top)
    layers: list[Layer] = []
    for (name, role, y), label in zip(curves, labels, strict=True):
        xy = frozen(np.column_stack([x, y]))
        layers.append(Polyline(xy, role, label=label, tag=name))
    layers += _nothing_yet(seen, top)
    return Plot(
        "Mistakes",
        "examples",
        "M",
        tuple(layers),
        x_range=(0.0, max(1.0, 1.5 * seen)),
        y_range=(-0.16 * top, 1.15 * top),
    )


def weight_bars(
    problem: Problem, says: Int | None, w: Float, before: Float, amber: Sequence[int]
) -> Bars:
    """Bars of the present weights, with the previous ones as ticks; relative to the largest once
    all are tiny.
    """
    shown = heaviest(before)
    every = names(problem)
    unit = 1.0
    about = []
    top = float(before.max())
    if 0 < top < SMALL:
        unit = top
        about.append("in parts of the largest")
    if problem.d > SHOWN:
        about.append(f"top {SHOWN}")
    return Bars(
        f"Weights: {', '.join(about)}" if about else "Weights",
        tuple(every[i] for i in shown),
        frozen(w[shown] / unit),
        tuple(Role.ACTIVE if i in amber else Role.PLAIN for i in shown),
        frozen(before[shown] / unit),
        None if says is None else frozen(says[shown]),
        digits=4,
        tag="weights",
        tags=tuple(problem.column_tags[i] for i in shown),
        ticks="before this step",
    )


def expert_table(given: Any, step: Step[Any], amber: Sequence[int]) -> Table:
    """What the learner says and what is true, then the experts, each with forecast, crossed where
    it turned out wrong, weight, where this step lessens it with what it was, share of the weight
    and mistakes.

    Weights are fractions, or powers of β where these are long. amber: the experts that the step
    speaks of
    """
    problem = given.problem
    s = step.state
    says = given.says(s)
    said = np.full(problem.d, NO_GROUP) if says is None else says
    weights = written_weights(given, s.wrong, s.weights)
    if step.line == "update":
        lost = np.isin(np.arange(problem.d), given.erred(s))
        were = written_weights(given, s.wrong - lost, s.before)
        for i in np.flatnonzero(lost).tolist():
            weights[i] = f"{were[i]} → {weights[i]}"
    known = step.line in ("truth", "update") and s.row >= 0
    truth = int(problem.codes[s.row]) if known else NO_GROUP
    answers = np.array([s.said if says is not None else NO_GROUP, truth, *said], np.intp)
    wrong = (answers >= 0) & (answers != truth) & known
    texts = [
        f"{problem.class_text(c)}{CROSS if miss else ''}" if c >= 0 else "–"
        for c, miss in zip(answers.tolist(), wrong.tolist(), strict=True)
    ]
    if known and answers[0] == truth:
        texts[0] += CHECK
    w = s.before if known else s.weights  # of those who say the same as the learner
    whole = max(float(w.sum()), TINY)
    behind = fixed(float(w[said == answers[0]].sum()) / whole, 3) if answers[0] >= 0 else "–"
    shares = s.weights / max(float(s.weights.sum()), TINY)
    mistakes = [str(int(s.mistakes)), "–", *(str(int(count)) for count in s.wrong)]
    columns = (
        text_column("expert", (*HEAD, *names(problem))),
        text_column("forecast", texts, Role.ACTIVE if step.line == "take" else Role.PLAIN),
        text_column("weight", ["–", "–", *weights]),
        text_column("share", [behind, "–", *(fixed(float(share), 3) for share in shares)]),
        text_column("mistakes", mistakes),
    )
    rows, cells = spoken_cells(step, amber)
    return Table(
        "Experts",
        columns,
        (*HEAD, *names(problem)),
        frozen(answers, np.intp),
        current=rows,
        tag="current" if step.line in ("take", "vote") else "weights",
        tags=("mistakes", "mistakes", *problem.column_tags),
        numbers=(0, 0, *range(1, problem.d + 1)),
        cells=cells,
    )


def written_weights(given: Any, wrong: Int, w: Float) -> list[str]:
    """(K,) weights as texts, by how often each expert was wrong."""
    beta = given.p.beta
    return [
        value_text(term) if isinstance(term, Fraction) else power(beta, int(count))
        for term, count in zip(exact(wrong, beta, w), wrong, strict=True)
    ]


def spoken_cells(step: Step[Any], amber: Sequence[int]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """(rows, columns) of the cells of the table that a step speaks of. amber: its experts"""
    experts = tuple(i + len(HEAD) for i in amber)
    if step.line == "vote":
        return (0,), ("forecast", "share")
    if step.line == "truth":
        return (1, *experts), ("forecast",)
    if step.line == "update":
        return experts, ("weight",)
    if step.line == "tally":
        return (0, int(step.state.wrong.argmin()) + len(HEAD)), ("mistakes",)
    return experts, ()


def wheel(
    problem: Problem, w: Float, says: Int | None, u: float | None, expert: int, now: bool = True
) -> Plot:
    """The weights laid side by side from 0 to 1: the drawn number falls on one expert's part; in
    amber where the step is about that.

    Narrow parts have the number of the expert's row in the table.
    """
    parts = list(breaks(w))
    width = [high - low for low, high in parts]
    wide = [i for i in range(len(parts)) if width[i] > NARROW or i == expert]
    bounds = frozen([[parts[i][0], 0.0, parts[i][1], 1.0] for i in wide])
    group = frozen([NO_GROUP if says is None else int(says[i]) for i in wide], np.intp)
    label = tuple(part_name(problem, i, width[i]) for i in wide)
    tags = tuple(problem.column_tags[i] for i in wide)
    layers: list[Layer] = [Boxes(bounds, group, label=label, tag="weights", tags=tags)]
    if u is not None:
        low, high = parts[expert]
        lit = frozen([[low, 0.0, high, 1.0]])
        role = Role.ACTIVE if now else Role.ACCEPTED
        layers.append(Boxes(lit, frozen([NO_GROUP]), role, tag="drawn"))
        ends = frozen([[[u, -0.25], [u, 1.25]]])
        layers.append(Segments(ends, role, (fixed(u, 3),), tag="drawn"))
    return Plot(
        "Draw",
        "weights side by side",
        "",
        tuple(layers),
        beside=True,
        x_range=(0.0, 1.0),
        y_range=(-0.4, 1.4),
    )


def part_name(problem: Problem, expert: int, width: float) -> str:
    """The longest label of an expert that fits its sector of the wheel: name, number or ""."""
    for text in (names(problem)[expert], str(expert + 1)):
        if width > LETTER * len(text) + 0.01:
            return text
    return ""
