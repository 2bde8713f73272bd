"""Figures of experts who forecast example after example: shares, weights, table, race of mistakes,
wheel. ML 7.5.4.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from engine.core.arrays import Float, Int, frozen
from engine.core.dataset import Feature
from engine.core.notation import fixed, value_text
from engine.core.problem import Problem
from engine.core.records import Record
from engine.core.step import Step
from engine.core.scene import (
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
    TableColumn,
)
from engine.core.tags import joined
from engine.algorithms.online.parts import exact
from engine.algorithms.online.parts.stream import TINY, Stream, bounds, breaks, race, share_curves
from engine.algorithms.online.parts.words import SHOWN, heaviest, names, power
from engine.pictures.text_columns import text_column

APART = 0.08  # of the height: curves nearer to each other at their ends share one name
SMALL = 1e-3  # of the largest weight: below it only the ratios are shown


def figures(
    given: Any, step: Step[Any], rivals: "Sequence[Rival]", drawn: tuple[int, ...] = ()
) -> tuple[Figure, ...]:
    """Shares of weight over time, weights now, table of experts, race of the mistakes. drawn: whom
    chance has picked.
    """
    problem = given.problem
    stream = given.stream
    beta = given.p.beta
    s = step.state
    says = given.says(step.state)
    told = step.line in ("truth", "update")
    amber = tuple(given.who(s).tolist()) if told else drawn
    known = s.seen - (step.line == "truth")  # the experts are not yet punished for the last of them
    # the table holds the forecasts of the example that the step speaks of
    asked = step.line in ("take", "vote")
    return (
        share_plot(problem, stream, beta, known, s.weights),
        weight_bars(problem, says, s.weights, s.before, amber),
        expert_table(
            problem, says, s.wrong, beta, s.weights, amber, "current" if asked else "weights"
        ),
        race_plot(stream, s.misses, s.seen, rivals),
    )


def share_plot(problem: Problem, stream: Stream, beta: float, seen: int, w: Float) -> Plot:
    """Every expert's share of all weight after each example; the heaviest now in amber, of many
    only the heaviest.
    """
    x, share = share_curves(stream, beta, seen)
    best = int(w.argmax())
    every = names(problem)
    top = min(1.05, 1.15 * float(np.nanmax(share, initial=1 / problem.d)))
    shown = sorted(heaviest(w).tolist(), key=lambda i: (i == best, share[-1, i]))
    ends = [float(share[-1, i]) for i in shown]
    alone = {
        i
        for i, end in zip(shown, ends, strict=True)
        if end > APART and sum(abs(end - e) < APART for e in ends) == 1
    }
    named = {best, *alone}
    layers: list[Layer] = []
    for i in shown:
        role = Role.ACTIVE if i == best and seen else Role.INACTIVE
        xy = frozen(np.column_stack([x, share[:, i]]))
        layers.append(
            Polyline(
                xy,
                role,
                label=every[i] if i in named and seen else "",
                tag=joined("weights", problem.column_tags[i]),
            )
        )
    layers += _nothing_yet(seen, top)
    title = "Shares" if problem.d <= SHOWN else f"Shares: top {SHOWN}"
    return Plot(
        title,
        "examples",
        "share",
        tuple(layers),
        beside=True,
        x_range=(0.0, max(1.0, 1.4 * seen)),
        y_range=(0.0, top),
    )


def _nothing_yet(seen: int, top: float) -> tuple[Layer, ...]:
    """What an empty plot says in its middle."""
    return () if seen else (Labels(frozen([[0.5, top / 2]]), ("no example yet",)),)


def end_names(names: Sequence[str], ends: Sequence[float], apart: float) -> list[str]:
    """The text at the end of each curve.

    Curves nearer than `apart` share one, at the last of them; it names the last first.
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


class Rival(Record, eq=True):
    """A curve of the race: `values` after each example, or a bound on the mistakes by those of the
    best expert.
    """

    name: str
    role: Role
    values: Float | None = None
    bound: Callable[[int], float] | None = None


def race_plot(stream: Stream, misses: Sequence[int], seen: int, others: Sequence[Rival]) -> Plot:
    """Mistakes so far beside those of the best expert and `others`. misses: positions of the
    mistakes.
    """
    x, made, best = race(stream, misses, seen)
    curves: list[tuple[str, Role, Any]] = [
        ("best", Role.PLAIN, best),
        ("mistakes", Role.ACTIVE, made),
    ]
    for c in others:
        y = bounds(best, c.bound) if c.bound else c.values[x] if c.values is not None else best
        curves.insert(0, (c.name, c.role, y))
    ends = [float(y[-1]) for _, _, y in curves]
    top = float(np.nanmax([y for _, _, y in curves], initial=1.0))
    labels = (
        end_names([name for name, _, _ in curves], ends, APART * top)
        if seen
        else [""] * len(curves)
    )
    layers = (
        *(
            Polyline(frozen(np.column_stack([x, y])), role, label=label, tag=name)
            for (name, role, y), label in zip(curves, labels, strict=True)
        ),
        *_nothing_yet(seen, top),
    )
    return Plot(
        "Mistakes",
        "examples",
        "M",
        layers,
        x_range=(0.0, max(1.0, 1.5 * seen)),
        y_range=(-0.16 * top, 1.15 * top),
    )


def weight_bars(
    problem: Problem, says: Int | None, w: Float, before: Float, amber: Sequence[int]
) -> Bars:
    """The weights now, those before as ticks; once all are tiny, in parts of the largest."""
    shown = heaviest(before)
    every = names(problem)
    top = float(before.max())
    small = 0 < top < SMALL
    about = ", ".join(["in parts of the largest"] * small + [f"top {SHOWN}"] * (problem.d > SHOWN))
    title = f"Weights: {about}" if about else "Weights"
    roles = tuple(Role.ACTIVE if i in amber else Role.PLAIN for i in shown)
    group = None if says is None else frozen(says[shown])
    tags = tuple(problem.column_tags[i] for i in shown)
    now, then = (frozen(v[shown] / (top if small else 1.0)) for v in (w, before))
    return Bars(
        title,
        tuple(every[i] for i in shown),
        now,
        roles,
        then,
        group,
        digits=4,
        tag="weights",
        tags=tags,
    )


def expert_table(
    problem: Problem,
    says: Int | None,
    wrong: Int,
    beta: float,
    w: Float,
    amber: Sequence[int],
    tag: str,
) -> Table:
    """Name, forecast today, weight (as a fraction, or as a power once that is long), share of all
    weight, mistakes.
    """
    terms = exact(wrong, beta, w)
    weights = [
        value_text(v) if isinstance(v, Fraction) else power(beta, int(m))
        for v, m in zip(terms, wrong, strict=True)
    ]
    said = np.full(problem.d, NO_GROUP) if says is None else says
    columns = (
        text_column("expert", names(problem)),
        text_column("forecast", [problem.class_text(int(c)) if c >= 0 else "–" for c in said]),
        text_column("weight", weights),
        TableColumn(Feature("share"), frozen(w / max(float(w.sum()), TINY)), digits=3),
        TableColumn(Feature("mistakes"), frozen(wrong, np.float64)),
    )
    said = frozen(said, np.intp)
    tags = problem.column_tags
    return Table("Experts", columns, names(problem), said, current=tuple(amber), tag=tag, tags=tags)


def wheel(problem: Problem, w: Float, says: Int | None, u: float | None, expert: int) -> Plot:
    """The weights laid side by side from 0 to 1: the drawn number falls on one expert's part.

    Narrow parts have the number of the expert's row in the table.
    """
    every = names(problem)
    parts = list(breaks(w))
    wide = [i for i, (low, high) in enumerate(parts) if high - low > 0.002 or i == expert]
    bounds = frozen([[parts[i][0], 0.0, parts[i][1], 1.0] for i in wide])
    group = frozen([NO_GROUP if says is None else int(says[i]) for i in wide], np.intp)
    room = {i: parts[i][1] - parts[i][0] for i in wide}
    label = tuple(
        next((text for text in (every[i], str(i + 1)) if room[i] > 0.024 * len(text) + 0.01), "")
        for i in wide
    )
    tags = tuple(problem.column_tags[i] for i in wide)
    layers: list[Layer] = [Boxes(bounds, group, label=label, tag="weights", tags=tags)]
    if u is not None:
        low, high = parts[expert]
        layers.append(
            Boxes(frozen([[low, 0.0, high, 1.0]]), frozen([NO_GROUP]), Role.ACTIVE, tag="drawn")
        )
        ends = frozen([[[u, -0.25], [u, 1.25]]])
        layers.append(Segments(ends, Role.ACTIVE, (fixed(u, 3),), tag="drawn"))
    return Plot(
        "Draw",
        "weights side by side",
        "",
        tuple(layers),
        beside=True,
        x_range=(0.0, 1.0),
        y_range=(-0.4, 1.4),
    )
