"""Boxes in words: as a conjunction, column by column, as rows of a table; and what an example does
to the borders.
"""

from collections.abc import Sequence

import numpy as np

from engine.algorithms.rules.parts.boxes import Box, between_borders
from engine.base.arrays import Bool, Float
from engine.base.notation import counted
from engine.base.tags import joined
from engine.protocol.step import Fact, Operand, verbatim
from engine.scene.boolean import literal_text
from engine.scene.figures import text_column
from engine.scene.scene import Role, Table
from engine.table.problem import Problem

MOVES = 6  # borders that a note lists
TERMS = 8  # of a conjunction that a sentence says
EMPTY, ANY = "∅", "?"
HYPOTHESIS = Fact("S", "{S}")
WRONG = Fact("wrong examples", "{errors}")
MISTAKES = Fact("mistakes so far", "{mistakes}")


def entry(problem: Problem, column: int, low: float, high: float, closed: bool = True) -> str:
    """What a box requires of one column as text: a value, “?”, “∅”, "2 … 5", or "2 < · < 5" where
    borders are excluded.
    """
    if low > high:
        return EMPTY
    if not problem.features[column].numeric:
        return word_entry(problem, column, low, high, closed)
    return interval_entry(problem, column, low, high, closed)


def word_entry(problem: Problem, column: int, low: float, high: float, closed: bool) -> str:
    """The required value of a column of words as text, or “?” for any."""
    asks_nothing = low < high if closed else np.isinf(low)
    return ANY if asks_nothing else problem.features[column].text(float(np.ceil(low)))


def interval_entry(problem: Problem, column: int, low: float, high: float, closed: bool) -> str:
    """The required interval of a numeric column as text, or “?” for any."""
    below = problem.features[column].text(low)
    above = problem.features[column].text(high)
    if np.isinf(low) and np.isinf(high):
        return ANY
    if closed:
        return below if low == high else f"{below} … {above}"
    if np.isinf(high):
        return f"> {below}"
    if np.isinf(low):
        return f"< {above}"
    return f"{below} < · < {above}"


def entries(problem: Problem, box: Box, closed: bool = True) -> list[str]:
    """The text of what a box requires, for every column."""
    return [
        entry(problem, j, float(box.low[j]), float(box.high[j]), closed) for j in range(problem.d)
    ]


def term(problem: Problem, column: int, low: float, high: float, closed: bool = True) -> str:
    """What a box requires of one column as a condition: "f₁", "¬f₁", "Patrons = Some", "2 ≤ x₁ ≤
    5"; "" for any value.
    """
    text = entry(problem, column, low, high, closed)
    feature = problem.features[column]
    if text in (ANY, EMPTY):
        return ""
    if not feature.numeric:
        return literal_text(problem, (column, float(np.ceil(low))))
    if not closed:
        return text.replace("·", feature.title) if "·" in text else f"{feature.title} {text}"
    if low == high:
        return f"{feature.title} = {text}"
    return f"{feature.text(low)} ≤ {feature.title} ≤ {feature.text(high)}"


def box_text(problem: Problem, box: Box, closed: bool = True) -> str:
    """A box as a conjunction in text; "True" without conditions, "False" for the empty box."""
    if box.empty:
        return "False"
    terms = [
        term(problem, j, float(box.low[j]), float(box.high[j]), closed) for j in range(problem.d)
    ]
    conditions = [text for text in terms if text]
    if not conditions:
        return "True"
    if len(conditions) > TERMS:
        conditions = [*conditions[:TERMS], f"… ({counted(len(conditions), 'term')})"]
    return " ∧ ".join(conditions)


def row_text(problem: Problem, row: int) -> str:
    """The values of an example as text; of many the first ones."""
    texts = [problem.features[j].text(float(v)) for j, v in enumerate(problem.X[row][:TERMS])]
    if problem.d > TERMS:
        texts.append("…")
    return f"({', '.join(texts)})"


def moved(before: Box, after: Box) -> list[int]:
    """The indices of the columns in which a border moved."""
    return np.flatnonzero((before.low != after.low) | (before.high != after.high)).tolist()


def moves(problem: Problem, before: Box, after: Box) -> tuple[Fact, ...]:
    """A fact for each column whose border moved: the condition before and after."""
    old = entries(problem, before)
    new = entries(problem, after)
    return tuple(
        Fact(verbatim(problem.features[j].title), verbatim(f"{old[j]} → {new[j]}"))
        for j in moved(before, after)[:MOVES]
    )


def example_operands(problem: Problem, row: int) -> dict[str, Operand]:
    """The operands point, x and label of an example."""
    return {
        "point": Operand(problem.names[row], about="current"),
        "x": Operand(row_text(problem, row), about="current"),
        "label": Operand(problem.class_text(int(problem.codes[row]))),
    }


def outside(problem: Problem, low: Float, high: Float, x: Float, closed: bool = True) -> list[str]:
    """For every column in which x (d,) lies outside the borders, its value and the condition, as
    text.
    """
    kept_out = np.flatnonzero(~between_borders(x, low, high, closed)).tolist()
    found = []
    for j in kept_out:
        feature = problem.features[j]
        text = entry(problem, j, float(low[j]), float(high[j]), closed)
        found.append(f"{feature.title} = {feature.text(float(x[j]))}, not {text}")
    return found


def example_row(problem: Problem, row: int) -> tuple[list[str], list[list[str]], list[str]]:
    """(names, entries, tags) of the example at the top of a table of hypotheses; ([], [], []) for
    −1.
    """
    if row < 0:
        return [], [], []
    texts = [
        feature.text(float(v)) for feature, v in zip(problem.features, problem.X[row], strict=True)
    ]
    name = f"{problem.names[row]}, {problem.class_text(int(problem.codes[row]))}"
    return [name], [texts], [joined("current", problem.row_tags[row])]


def ternary_table(
    problem: Problem,
    title: str,
    names: Sequence[str],
    rows: Sequence[Sequence[str]],
    tags: Sequence[str],
    current: Sequence[int] = (),
    amber: Sequence[int] = (),
    active: Bool | None = None,
) -> Table:
    """A table of examples and hypotheses one below the other. amber: columns whose borders moved"""
    columns = [text_column("", names)]
    for j, feature in enumerate(problem.features):
        role = Role.ACTIVE if j in amber else Role.PLAIN
        columns.append(text_column(feature.name, [row[j] for row in rows], role))
    return Table(
        title,
        tuple(columns),
        tuple(names),
        active=active,
        current=tuple(current),
        tags=tuple(tags),
    )
