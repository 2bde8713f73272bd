"""Words and tables of soft-margin descent: conditions, penalties, the table of its steps. MMDS 12.3.4, Figs 12.18-12.20."""

from typing import Any, Protocol

import numpy as np

from engine.core.arrays import Bool, Float, Int, Prefix
from engine.core.dataset import Feature, Kind
from engine.core.notation import fixed, subscript
from engine.core.problem import Problem
from engine.core.scene import Bars, Figure, Role, Table, TableColumn
from engine.core.step import Fact, Formula, Note, Operand, note
from engine.numerics.hinge import SoftMargin
from engine.pictures.text_columns import text_column

Row = tuple[Float, Bool, Float]  # weights, who was bad there, the slope: a line of Fig 12.20
SHORT = 16  # examples up to which the o/x string is written out
FEW = 4  # weights up to which every contribution has a column
LISTED = 300  # lines of the table of steps

VALUE = Formula("f =", "½ · {square} + {C} · {penalty}", "{f}")
SLOPE = Formula("slope =", "{shrunk} − {C} · {sum}", "{slope}")
ONE_SLOPE = Formula("slope =", "{shrunk} − {n} · {C} · {sum}", "{slope}")
PART = Formula("−C Σ y x =", "−{C} · {sum}", "{push}")
UPDATE = Formula("(w, b) ←", "{before} − {eta} · {slope}", "{after}")
CONDITIONS = Fact("y (w·x + b) ≥ 1", "{string}")
COUNT = Fact("bad points", "{bad} of {n}")
CHANGE = Fact("f", "{f}")

ERRATA = (
    "MMDS Eq 12.4 leaves b out of the first sum, Eq 12.6 and Ex 12.9 let it in. These are two problems with two answers; "
    "the second depends on where the origin is. The switch “Penalise b” chooses.",
    "Ex 12.9 blames C = 0.1 for the points inside the margin and expects a level line. The slant comes from the penalty "
    "on b: with b free the best line of the six points is level.",
    "Ex 12.9 prints 0 − (1/5)(−0.2) = −0.04; it is +0.04, as the table has it.",
    "The prose calls the conditions of lines (2), (3), (5) of Fig 12.20 oxxxxx, and the table prints seven signs for six "
    "points; they are oxoxxx, and xxxxxx in lines (4) and (6).",
    "Fig 12.20 rounds every line to three decimals before the next, so its last digits differ from these by up to 0.001.",
    "The first sum of Eq 12.4 is once printed up to n, the number of examples; it runs over the d columns.",
    "MMDS 12.3.6: averaging what parts reach in several steps of their own leads to another place than common steps do. "
    "Adding up the parts of one slope (sum-of-parts) is exactly the batch step.",
)


class Descending(Protocol):
    """What words and tables need of a state."""

    @property
    def weights(self) -> Float: ...
    @property
    def before(self) -> Float: ...
    @property
    def bad(self) -> Bool: ...
    @property
    def slope(self) -> Float: ...
    @property
    def f(self) -> float: ...
    @property
    def updates(self) -> int: ...
    @property
    def current(self) -> int: ...
    @property
    def drafts(self) -> tuple[Float, ...]: ...
    @property
    def lines(self) -> Prefix[Row]: ...


def conditions(problem: Problem, bad: Bool) -> str:
    """Fig 12.20's string, in table order: o where y (w·x + b) ≥ 1 holds, x where it does not."""
    rows = problem.labelled
    if rows.sum() > SHORT:
        return f"{int(bad.sum())} of {int(rows.sum())} fail"
    return "".join(np.where(bad[rows], "x", "o").tolist())


# -- words -------------------------------------------------------------------------------------------------------------


def _facts(problem: Problem, f: SoftMargin, s: Descending) -> dict[str, Any]:
    return {
        "string": Operand(conditions(problem, s.bad), about="penalty"),
        "bad": int(s.bad.sum()),
        "n": int(problem.labelled.sum()),
        "f": Operand(s.f, "f", digits=3),
        "C": Operand(f.C, "C", digits=-1),
    }


def start_note(problem: Problem, f: SoftMargin, s: Descending) -> Note:
    return note(
        "Start with w = {w}, b = {b}. Short of their own margin: {bad} of {n} {n:point|points}.",
        VALUE,
        CONDITIONS,
        w=Operand(s.weights[:-1], "w", "w"),
        b=Operand(float(s.weights[-1]), "b", "w"),
        square=Operand(float(f.shrunk(s.weights) @ s.weights), "|w|²", digits=3),
        penalty=Operand(float(f.penalties(s.weights, s.bad).sum()), "Σ max(0, 1 − z)", "penalty", digits=3),
        **_facts(problem, f, s),
    )


def bad_note(problem: Problem, f: SoftMargin, s: Descending) -> Note:
    lead = "Short of the margin of their own class: {bad} of {n} {n:point|points}. Each pays 1 − z."
    if not s.bad.any():
        lead = "Every point reaches the margin of its own class: nobody pays, and only the size of w counts."
    return note(
        lead,
        VALUE,
        CONDITIONS,
        square=Operand(float(f.shrunk(s.weights) @ s.weights), "|w|²", digits=3),
        penalty=Operand(float(f.penalties(s.weights, s.bad).sum()), "Σ max(0, 1 − z)", "penalty", digits=3),
        **_facts(problem, f, s),
    )


def slope_note(problem: Problem, f: SoftMargin, s: Descending) -> Note:
    return note(
        "The slope of f: the first part makes w shorter, each bad point pulls the line its way.",
        SLOPE,
        COUNT,
        shrunk=Operand(f.shrunk(s.weights), "w" if f.penalise_b else "(w, 0)", "w", digits=3),
        sum=Operand(f.pulling(s.bad), "Σ[bad] y x", "penalty", digits=3),
        slope=Operand(s.slope, "slope", digits=3),
        **_facts(problem, f, s),
    )


def part_note(problem: Problem, f: SoftMargin, s: Descending, rows: Int, part: int) -> Note:
    return note(
        "Part {part} has {rows} {rows:example|examples}, {own} of them bad. Its sum is added to what the others found.",
        PART,
        Fact("slope so far", "{slope}"),
        part=part + 1,
        rows=len(rows),
        own=int(s.bad[rows].sum()),
        sum=Operand(f.pulling(s.bad[rows], rows), "Σ[bad] y x", "penalty", digits=3),
        push=Operand(f.push(s.bad[rows], rows), digits=3),
        slope=Operand(s.slope, digits=3),
        C=Operand(f.C, "C", digits=-1),
    )


def draft_note(problem: Problem, f: SoftMargin, s: Descending, rows: Int, part: int, steps: int) -> Note:
    return note(
        "Part {part} goes {steps} {steps:step|steps} with its {rows} {rows:example|examples} alone and comes to {draft}.",
        Fact("its change", "{change}"),
        part=part + 1,
        steps=steps,
        rows=len(rows),
        draft=Operand(s.drafts[-1], "(w, b)", "draft", digits=3),
        change=Operand(s.drafts[-1] - s.weights, digits=3),
    )


def one_bad_note(problem: Problem, f: SoftMargin, s: Descending) -> Note:
    i = s.current
    lead = (
        "{point} does not reach its margin: it pulls." if s.bad[i] else "{point} reaches its margin: it does not pull."
    )
    return note(
        lead,
        Formula("z = y (w · x + b) =", "{y} · {score}", "{z}"),
        point=Operand(problem.names[i], about="current"),
        y=Operand(f.y[i], "y"),
        score=Operand(float(f.X[i] @ s.weights), "(w · x + b)", "w"),
        z=float(f.y[i] * (f.X[i] @ s.weights)),
    )


def one_slope_note(problem: Problem, f: SoftMargin, s: Descending, n: int) -> Note:
    i = s.current
    return note(
        "{point} stands for {n:|all }{n} {n:example|examples}: its part of the slope counts {n} {n:time|times}.",
        ONE_SLOPE,
        point=Operand(problem.names[i], about="current"),
        n=Operand(n, "n"),
        C=Operand(f.C, "C", digits=-1),
        shrunk=Operand(f.shrunk(s.weights), "w" if f.penalise_b else "(w, 0)", "w", digits=3),
        sum=Operand(f.y[i] * s.bad[i] * f.X[i], "[bad] y x", "current", digits=3),
        slope=Operand(s.slope, "slope", digits=3),
    )


def update_note(problem: Problem, f: SoftMargin, s: Descending, eta: float, rose: bool) -> Note:
    lead = "One step down: f is {f} now. Short of their margin: {bad} of {n} {n:point|points}."
    if rose:
        lead = "The step was too long: f rose to {f}. A smaller η does better."
        if s.current >= 0:
            lead = "One step for {point} alone, and f of all examples rose to {f}: one example only guesses the slope."
    if s.drafts:
        lead = "The mean of the {parts} {parts:part|parts} is the new line: f is {f} now."
    return note(
        lead,
        UPDATE,
        CONDITIONS,
        before=Operand(s.before, "(w, b)", "before", digits=3),
        eta=Operand(eta, "η", digits=-1 if eta == round(eta, 6) else 4),
        slope=Operand(s.slope, "slope", digits=3),
        after=Operand(s.weights, "(w, b)", "w", digits=3),
        parts=len(s.drafts),
        point=Operand(problem.names[s.current], about="current") if s.current >= 0 else "",
        **_facts(problem, f, s),
    )


def round_note(problem: Problem, f: SoftMargin, s: Descending) -> Note:
    return note("Every example has had its step.", CHANGE, COUNT, CONDITIONS, **_facts(problem, f, s))


ENDINGS = {
    "": "{updates:|All }{updates} {updates:step is|steps are} taken.",
    "overshoot": "{updates:|All }{updates} {updates:step is|steps are} taken, and the last one still overshot: f rose. A smaller or a falling η does better.",
    "converged": "The last step did not move the line any more: the pulls and the shrinking of w are in balance.",
    "diverged": "The steps lead away for good: every one is longer than the last. Take a smaller η, or standardise the columns.",
}


def end_note(problem: Problem, f: SoftMargin, s: Descending, ending: str) -> Note:
    facts = _facts(problem, f, s)
    return note(ENDINGS[ending], CHANGE, COUNT, CONDITIONS, updates=s.updates, w=s.weights, **facts)


# -- figures -----------------------------------------------------------------------------------------------------------


def figures(problem: Problem, f: SoftMargin, s: Descending, line: str) -> tuple[Figure, ...]:
    """Who reaches his margin; the steps so far as the text lists them; the weights when they are many."""
    shown: list[Figure] = [condition_table(problem, f, s)]
    if len(s.lines) or s.current < 0:
        shown.append(step_table(problem, s, line))
    if problem.d > FEW:
        shown.insert(0, Bars("Weights w, b", (*_titles(problem), "b"), s.weights, before=s.before, tag="w"))
    return tuple(shown)


def condition_table(problem: Problem, f: SoftMargin, s: Descending) -> Table:
    """Fig 12.19: z, the condition, the penalty, and what it adds to the slope
    while it is bad, −y x for each weight."""
    z, penalty = f.z(s.weights), f.penalties(s.weights, s.bad)
    columns = [
        _numbers("y(w·x+b)", z),
        TableColumn(Feature("≥ 1", Kind.CATEGORICAL, ("o", "x")), s.bad.astype(np.float64), Role.ACTIVE),
        _numbers("penalty", penalty),
    ]
    if problem.d < FEW:
        parts = -f.y[:, None] * f.X
        columns += [_numbers(f"−y·{name}", parts[:, j]) for j, name in enumerate((*_titles(problem), "1"))]
    columns += [TableColumn(feature, problem.X[:, j]) for j, feature in enumerate(problem.features)]
    if problem.target is not None:
        columns.append(TableColumn(problem.target, np.where(problem.codes < 0, np.nan, problem.codes), Role.BOUNDARY))
    current = (s.current,) if s.current >= 0 else ()
    given = problem.names, problem.codes, s.bad, current
    return Table("Conditions", tuple(columns), *given, tag="penalty", numbers=problem.numbers)


def step_table(problem: Problem, s: Descending, line: str) -> Table:
    """Fig 12.20: the weights, the conditions and the slope of every step; the present line last."""
    lines = list(s.lines[max(0, len(s.lines) - LISTED) :])
    known = line == "slope" and not s.drafts and s.current < 0
    lines.append((s.weights, s.bad, s.slope if known else np.full(len(s.weights), np.nan)))
    names = (*(f"w{subscript(j + 1)}" for j in range(problem.d)), "b")
    W, slopes = np.array([w for w, _, _ in lines]), np.array([slope for _, _, slope in lines])
    columns = [_numbers(name, W[:, j]) for j, name in enumerate(names) if problem.d <= FEW]
    columns.append(text_column("o/x", [conditions(problem, bad) for _, bad, _ in lines]))
    for j, name in enumerate(names if problem.d <= FEW else ()):
        columns.append(text_column(f"∂f/∂{name}", ["" if np.isnan(v) else fixed(v, 3) for v in slopes[:, j]]))
    first = len(s.lines) - len(lines) + 2
    last = len(lines) - 1
    return Table("Steps", tuple(columns), tuple(f"({first + k})" for k in range(len(lines))), current=(last,), tag="w")


def _numbers(title: str, values: Float) -> TableColumn:
    return TableColumn(Feature(title), values, digits=3)


def _titles(problem: Problem) -> tuple[str, ...]:
    return tuple(feature.title for feature in problem.features)
