"""Pictures and words of a layer of independent output units: one line for each, its mistakes, its end. AIMA 18.7.2."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from engine.algorithms.networks.parts.figures import MOST_LINES, unit_line, unit_tag, weighted_sum
from engine.algorithms.networks.parts.outputs import Outputs, ones
from engine.core.algorithm import Explanation
from engine.core.arrays import Float
from engine.core.notation import fixed, listed
from engine.core.problem import Problem
from engine.core.scene import (
    Field,
    Figure,
    Layer,
    Network,
    Plot,
    Points,
    Role,
    Scene,
    Table,
    TableColumn,
    active_point,
    data_points,
    data_table,
)
from engine.core.step import Fact, Formula, Note, Operand, note, verbatim
from engine.numerics.activations import ACTIVATIONS
from engine.pictures.mistakes import weights_of

MOST_UNITS, MOST_PLOTS = 4, 3  # that a note spells out; that have a plot of their own
UPDATES = {
    "threshold": Formula("w ←", "{w} + {rate}·({y} − {h})·{x}", "{after}"),
    "sigmoid": Formula("w ←", "{w} + {rate}·({y} − {h})·{h}·(1 − {h})·{x}", "{after}"),
}


class Model(Protocol):
    """What a state tells."""

    @property
    def W(self) -> Float: ...
    @property
    def before(self) -> Float: ...
    @property
    def wrong(self) -> tuple[int, ...]: ...
    @property
    def current(self) -> int: ...
    @property
    def inputs(self) -> tuple[float, ...]: ...
    @property
    def unit(self) -> int: ...


# -- pictures ----------------------------------------------------------------------------------------------------------


def layer_scene(problem: Problem, told: Outputs, unit: str, s: Model, shown: Any) -> Scene:
    """The plane shows the target's classes and the line of every unit; further outputs have a plot each."""
    current = (s.current,) if s.current >= 0 else ()
    network = network_figure(problem, told, unit, s)
    shows = range(told.own, min(len(told.names), told.own + MOST_PLOTS)) if len(problem.plane) == 2 else ()
    further = [output_plot(problem, told, s, j) for j in shows]
    figures: tuple[Figure, ...] = (network, *further, output_table(problem, told, current))
    if not problem.plane:
        return Scene((), figures)
    lines = [line for j in range(min(len(told.names), MOST_LINES)) for line in _unit_line(problem, told, s, j)]
    points: list[Layer] = [data_points(problem, shown)]
    points += [active_point(problem, row, shown) for row in current]
    return Scene((Field("class", boundary=told.own > 1), *lines, *points), figures)


def _unit_line(problem: Problem, told: Outputs, s: Model, j: int) -> list[Layer]:
    role = Role.BOUNDARY if j == 0 and told.own == 1 else Role.CANDIDATE
    return unit_line(problem, s.W[:, j], s.before[:, j], told.names[j], unit_tag(1, j), role)


def network_figure(problem: Problem, told: Outputs, unit: str, s: Model) -> Network:
    """The inputs, the answers as far as they are known, amber links into the unit that changed."""
    inputs = problem.X[s.current] if s.current >= 0 else np.full(problem.d, np.nan)
    answers = _answers(unit, s) if len(s.inputs) else np.full(len(told.names), np.nan)
    active = ((0, -1, s.unit),) if s.unit >= 0 else (((0, -1, -1),) if len(s.inputs) else ())
    names = tuple(f.title for f in problem.features)
    return Network("Network", (inputs, answers), (s.W,), active=active, names=names, outputs=told.names)


def output_plot(problem: Problem, told: Outputs, s: Model, j: int) -> Plot:
    """The examples as one of the further outputs has to divide them, and the line that its unit draws now."""
    y, w = told.Y[:, j], s.W[:, j]
    group = np.where(np.isnan(y), -1, np.where(y > 0.5, 0, 1))
    said = np.where(problem.X @ w[:-1] + w[-1] >= 0, 0, 1)
    line = unit_line(problem, w, s.before[:, j], "", unit_tag(1, j), Role.BOUNDARY)
    at = [s.current] if s.current >= 0 else []
    ring = [Points(problem.xy[at], group[at], Role.ACTIVE, tag="current")] if at else []
    dots = Points(problem.xy, group, Role.POINT, said, tag="data")
    across, upright = (problem.features[k].title for k in problem.plane)
    ranges = [_roomy(problem.xy[:, axis]) for axis in (0, 1)]
    return Plot(told.names[j], across, upright, (*line, dots, *ring), x_range=ranges[0], y_range=ranges[1])


def output_table(problem: Problem, told: Outputs, current: tuple[int, ...]) -> Table:
    """The examples with the columns of all outputs, each set apart by a rule."""
    table = data_table(problem, current=current)
    aside = [column for column in problem.aside if len(told.names) > told.own and ones(column) is not None]
    further = [TableColumn(column.feature, column.values, Role.BOUNDARY) for column in aside]
    return replace(table, columns=(*table.columns, *further))


def _roomy(values: Float) -> tuple[float, float]:
    margin = 0.15 * (float(np.ptp(values)) or 1.0)
    return float(values.min()) - margin, float(values.max()) + margin


def _answers(unit: str, s: Model) -> Float:
    g = ACTIVATIONS["threshold" if unit == "threshold" else "logistic"].g
    return g(np.asarray(s.inputs, np.float64))


# -- words -------------------------------------------------------------------------------------------------------------


def init_note(told: Outputs) -> Note:
    return note(
        "{count}: {names}. All weights start at 0. No unit looks at another.",
        count="One output unit" if len(told.names) == 1 else f"{len(told.names)} output units",
        names=listed(told.names),
    )


def round_note(number: int) -> Note:
    return note("Round {round} begins.", round=number)


def take_note(problem: Problem, told: Outputs, row: int) -> Note:
    """Example `row` is taken; what each unit should say of it."""
    wanted = {f"y{j}": _answer(told.Y[row, j]) for j in range(min(len(told.names), MOST_UNITS))}
    said = ", ".join(f"{verbatim(told.names[j])} {{y{j}}}" for j in range(len(wanted)))
    return note(f"Look at {{point}}. It should give {said}.", point=_point(problem, row), **wanted)


def fire_note(problem: Problem, told: Outputs, unit: str, s: Model, row: int) -> Note:
    """Every unit answers."""
    formulas: list[Formula] = []
    operands: dict[str, Operand] = {}
    names = [*(f.title for f in problem.features), "1"]
    for j in range(min(len(told.names), MOST_UNITS)):
        body, used = weighted_sum(s.W[:, j], problem.X[row], names, (0, j), f"_{j}")
        formulas.append(Formula(f"h({verbatim(told.names[j])}) =", f"g({body})", f"{{h{j}}}"))
        operands |= {**used, f"h{j}": Operand(float(_answers(unit, s)[j]), "h", unit_tag(1, j))}
    wrong = [j for j in range(len(told.names)) if _errs(told, s, row, j)]
    said = _names(told, wrong) if wrong else ""
    lead = "{point}: " + (
        "{wrong} is wrong." if len(wrong) == 1 else "{wrong} are wrong." if wrong else "every unit is right."
    )
    return note(lead, *formulas, **operands, point=_point(problem, row), wrong=said)


def _errs(told: Outputs, s: Model, row: int, j: int) -> bool:
    return not np.isnan(told.Y[row, j]) and bool((s.inputs[j] >= 0) != (told.Y[row, j] > 0.5))


def update_note(problem: Problem, told: Outputs, unit: str, rate: float, s: Model, x: Float) -> Note:
    """Unit `s.unit` learns from the example; x: its row with the dummy 1 last."""
    j, row = s.unit, s.current
    lead = "Mistake at {point}: {unit} should be {y}." if _errs(told, s, row, j) else "{unit} learns from {point}."
    return note(
        lead,
        UPDATES[unit],
        Fact(f"examples that {verbatim(told.names[j])} gets wrong", "{wrong}"),
        point=_point(problem, row),
        unit=Operand(told.names[j], about=unit_tag(1, j)),
        w=Operand(s.before[:, j], "w", unit_tag(1, j)),
        rate=Operand(rate, "α", digits=-1),
        y=Operand(float(told.Y[row, j]), "y"),
        h=Operand(float(_answers(unit, s)[j]), "h"),
        x=Operand(x, "x", "current"),
        after=Operand(s.W[:, j], "w", unit_tag(1, j)),
        wrong=s.wrong[j],
    )


def end_note(
    told: Outputs, number: int, wrong: Sequence[int], learnt: Sequence[int], cycles: Mapping[int, int], done: bool
) -> Note:
    """The round is over. learnt: units right on every example for the first time; cycles: {unit: round}."""
    counts = ", ".join(f"{verbatim(name)} {{wrong{j}}}" for j, name in enumerate(told.names[:MOST_UNITS]))
    lead = [f"Round {{round}} is over. Wrong examples: {counts}."]
    if learnt:
        lead.append(f"{_names(told, learnt)} {'is' if len(learnt) == 1 else 'are'} learnt: right on every example.")
    for j, earlier in list(cycles.items())[:2]:
        lead.append(
            f"{verbatim(told.names[j])} has {weights_of(earlier)} again: it will go on in this circle for ever."
        )
    if done:
        lead.append("No unit changed: none will ever change again.")
    return note(" ".join(lead), round=number, **{f"wrong{j}": count for j, count in enumerate(wrong)})


def diverged_note(rate: float) -> Note:
    return note(
        "Diverged: a weight left all bounds, because the rate α = {rate} is too large for these numbers. Take a smaller "
        "rate, or standardise the columns in the data panel.",
        rate=Operand(rate, "α", digits=-1),
    )


def explained(problem: Problem, W: Float, x: Float, label: int) -> Explanation:
    """Why this label: in of the unit that decides, term by term. W: columns of the units that tell the class."""
    inputs = x @ W[:-1] + W[-1]
    j = int(inputs.argmax())
    body, used = weighted_sum(W[:, j], x, [*(f.title for f in problem.features), "1"], (0, j), "")
    if len(inputs) > 1:
        lead = "This is called {label}: its unit has the largest in."
    else:
        lead = "This is called {label}: in is " + ("at least 0." if label == 0 else "less than 0.")
    told = Operand(problem.class_text(label))
    return Explanation(label, note(lead, Formula("in =", body, "{total}"), **used, label=told, total=float(inputs[j])))


def _names(told: Outputs, units: Sequence[int]) -> str:
    *first, last = (told.names[j] for j in units)
    return f"{', '.join(first)} and {last}" if first else last


def _point(problem: Problem, row: int) -> Operand:
    return Operand(problem.names[row], about="current")


def _answer(y: float) -> str:
    return "not known" if np.isnan(y) else fixed(y, 0)
