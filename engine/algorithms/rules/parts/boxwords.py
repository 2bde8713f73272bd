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
    """What a box says of one column: a value, “?”, “∅”, 2 … 5, or, without its borders,
    2 < · < 5.
    """
    if low > high:
        return EMPTY
    if not problem.features[column].numeric:
        return word_entry(problem, column, low, high, closed)
    return interval_entry(problem, column, low, high, closed)


def word_entry(problem: Problem, column: int, low: float, high: float, closed: bool) -> str:
    """The value that the column must have, or “?” for any."""
    asks_nothing = low < high if closed else np.isinf(low)
    return ANY if asks_nothing else problem.features[column].text(float(np.ceil(low)))


def interval_entry(problem: Problem, column: int, low: float, high: float, closed: bool) -> str:
    """The interval of numbers, or “?”."""
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
    """What a box says of every column."""
    return [
        entry(problem, j, float(box.low[j]), float(box.high[j]), closed) for j in range(problem.d)
    ]


def term(problem: Problem, column: int, low: float, high: float, closed: bool = True) -> str:
    """The same as a condition: f₁, ¬f₁, Patrons = Some, 2 ≤ x₁ ≤ 5; "" for any value."""
    asked = entry(problem, column, low, high, closed)
    feature = problem.features[column]
    if asked in (ANY, EMPTY):
        return ""
    if not feature.numeric:
        return literal_text(problem, (column, float(np.ceil(low))))
    if not closed:
        return asked.replace("·", feature.title) if "·" in asked else f"{feature.title} {asked}"
    if low == high:
        return f"{feature.title} = {asked}"
    return f"{feature.text(low)} ≤ {feature.title} ≤ {feature.text(high)}"


def box_text(problem: Problem, box: Box, closed: bool = True) -> str:
    """A box as a conjunction; True where it asks nothing, False where it holds nowhere."""
    if box.empty:
        return "False"
    terms = [
        term(problem, j, float(box.low[j]), float(box.high[j]), closed) for j in range(problem.d)
    ]
    asked = [text for text in terms if text]
    if not asked:
        return "True"
    if len(asked) > TERMS:
        asked = [*asked[:TERMS], f"… ({counted(len(asked), 'term')})"]
    return " ∧ ".join(asked)


def row_text(problem: Problem, row: int) -> str:
    """The values of an example, of many the first."""
    texts = [problem.features[j].text(float(v)) for j, v in enumerate(problem.X[row][:TERMS])]
    if problem.d > TERMS:
        texts.append("…")
    return f"({', '.join(texts)})"


def moved(before: Box, after: Box) -> list[int]:
    """The columns in which a border moved."""
    return np.flatnonzero((before.low != after.low) | (before.high != after.high)).tolist()


def moves(problem: Problem, before: Box, after: Box) -> tuple[Fact, ...]:
    """One fact for each column whose border moved: the condition before and after."""
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
    """Why a row is not in a box: for every column that keeps it out its value and the condition."""
    kept_out = np.flatnonzero(~between_borders(x, low, high, closed)).tolist()
    found = []
    for j in kept_out:
        feature = problem.features[j]
        asked = entry(problem, j, float(low[j]), float(high[j]), closed)
        found.append(f"{feature.title} = {feature.text(float(x[j]))}, not {asked}")
    return found


def example_row(problem: Problem, row: int) -> tuple[list[str], list[list[str]], list[str]]:
    """(names, entries, tags) of the example that a table of hypotheses begins with; none for −1."""
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
    """Examples and hypotheses below one another, a column for every column; amber: the columns
    whose borders moved.
    """
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
