"""Rules over 0/1 columns as text, with their table and their map. MIT 2.2.13-2.2.43."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

import numpy as np

from engine.base.arrays import Float, Int
from engine.base.notation import counted, cut, label_text
from engine.base.records import replace
from engine.numerics.boolean import Classes, Conjunction, Literal, labels
from engine.protocol.step import note
from engine.scene.karnaugh import inputs, karnaugh_map
from engine.scene.scene import Bars, Field, Figure, Role, Scene, Table, data_points, data_table
from engine.scene.views import short_names
from engine.table.problem import Problem

SHOWN_COLUMNS = 24  # of a bar chart: more cannot be read
SHOWN_RULES = 20  # of a hypothesis
MISSING = note("A value of this row is missing.")


def scene(problem: Problem, classes: Classes, figures: tuple[Figure, ...]) -> Scene:
    """The figures, and the plane where there is one.

    The plane leads only where it shows every column.
    """
    names = short_names([f.title for f in figures])
    if not problem.plane:
        return Scene((), figures, leads=tuple(names[:2]))
    layers = (Field("class"), data_points(problem, labels(problem.features, problem.X, classes)))
    return Scene(layers, figures, leads=() if problem.all_on_plane else tuple(names[:2]))


def two_valued(problem: Problem, column: int) -> bool:
    """Whether a column holds 0 and 1, so that its name alone means that it is 1."""
    feature = problem.features[column]
    return feature.numeric or feature.categories in ((False, True), (0, 1))


def literal_text(problem: Problem, literal: Literal) -> str:
    """A literal as text: 'f₁', '¬f₁', or 'Patrons = Some'."""
    column, value = literal
    feature = problem.features[column]
    if two_valued(problem, column):
        return feature.title if value else f"¬{feature.title}"
    return f"{feature.title} = {cut(label_text(feature.categories[int(value)]))}"


def conjunction_text(problem: Problem, test: Conjunction) -> str:
    return " ∧ ".join(literal_text(problem, literal) for literal in test) or "True"


def rules_text(problem: Problem, rules: Sequence[Conjunction]) -> str:
    """Rules as text: 'f₃ ∧ f₄ ∨ f₁ ∧ f₂'; no rule is 'False', of very many only the first are
    named.
    """
    rest = f" ∨ … ({counted(len(rules), 'rule')})" if len(rules) > SHOWN_RULES else ""
    return (
        " ∨ ".join(conjunction_text(problem, rule) for rule in rules[:SHOWN_RULES]) or "False"
    ) + rest


def rows_text(problem: Problem, rows: Int, most: int = 8) -> str:
    """The names of rows, 'x₁, x₅'; of many rows only their number."""
    if len(rows) > most:
        return counted(len(rows), "example")
    return ", ".join(problem.names[i] for i in rows) or "none"


def examples_table(
    problem: Problem,
    left: Iterable[Int],
    leaving: Int,
    columns: Mapping[int, Role] | None = None,
    title: str = "Examples",
) -> Table:
    """The examples as a table: rows in none of `left` are pale, those that leave at this step
    amber.

    left: indices of the rows still in play; leaving: of those that leave; columns: roles of columns
    """
    active = np.zeros(problem.n, dtype=bool)
    for rows in left:
        active[rows] = True
    roles = {problem.features[j].name: role for j, role in (columns or {}).items()}
    return data_table(
        problem,
        title=title,
        active=active,
        current=tuple(leaving.tolist()),
        roles=roles,
        tag="rows",
    )


def score_bars(
    problem: Problem,
    title: str,
    scores: Sequence[Fraction | None],
    chosen: int,
    ties: Sequence[int] = (),
    digits: int = 2,
) -> Bars:
    """One bar for each column with a score; the chosen one is lit, its equals are ghosts."""
    scored = [j for j, score in enumerate(scores) if score is not None][:SHOWN_COLUMNS]
    names = tuple(problem.features[j].title for j in scored)
    values = np.asarray([float(scores[j] or 0) for j in scored])
    roles = tuple(
        Role.ACTIVE if j == chosen else Role.GHOST if j in ties else Role.PLAIN for j in scored
    )
    return Bars(
        title,
        names,
        values,
        roles,
        digits=digits,
        tag="scores",
        tags=tuple(problem.column_tags[j] for j in scored),
    )


def has_map(problem: Problem) -> bool:
    """Whether there are two to four columns, all of 0 and 1."""
    return 2 <= problem.d <= 4 and all(two_valued(problem, j) for j in range(problem.d))


def map_figures(
    problem: Problem,
    rules: Sequence[Conjunction],
    classes: Classes,
    growing: Conjunction | None = None,
    query: Float | None = None,
    numbered: bool = False,
    now: int = -1,
    leaving: Sequence[int] | Int = (),
    said: str = "",
) -> tuple[Figure, ...]:
    """The Karnaugh map, as a tuple of one figure; () where `has_map` is False.

    query, now, leaving: see `karnaugh_map`
    numbered: the order of the rules counts
    said: what its heading says of the step
    """
    if not has_map(problem):
        return ()
    names = [
        conjunction_text(problem, rule)
        for rule in (*rules, *([] if growing is None else [growing]))
    ]
    names = [f"{k + 1}: {name}" if numbered else name for k, name in enumerate(names)]
    predicted = classes(inputs(problem.d))
    made = karnaugh_map(problem, rules, names, predicted, growing, query, now, leaving)
    return (replace(made, title=f"{made.title}: {said}") if said else made,)
