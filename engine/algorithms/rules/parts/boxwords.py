"""Boxes in words: as a conjunction, column by column, as rows of a table; and what an example does
to the borders.
"""

from collections.abc import Sequence

import numpy as np

from engine.algorithms.rules.parts.boxes import Box
from engine.core.arrays import Bool, Float
from engine.core.problem import Problem
from engine.core.notation import counted
from engine.core.scene import Role, Table
from engine.core.step import Fact, Operand, verbatim
from engine.core.tags import joined
from engine.pictures.boolean import literal_text
from engine.pictures.text_columns import text_column

MOVES = 6  # borders that a note lists
TERMS = 8  # of a conjunction that a sentence says
EMPTY, ANY = "∅", "?"
HYPOTHESIS = Fact("S", "{S}")
WRONG = Fact("wrong examples", "{errors}")
MISTAKES = Fact("mistakes so far", "{mistakes}")


def value_of(problem: Problem, column: int, value: float) -> str:
    return problem.features[column].text(value)


def entry(problem: Problem, column: int, low: float, high: float, closed: bool = True) -> str:
    """What a box says of one column: a value, “?”, “∅”, 2 … 5, or, without its borders,
    2 < · < 5.
    """
    feature = problem.features[column]
    if low > high:
        return EMPTY
    if not feature.numeric:
        whole = low < high if closed else np.isinf(low)
        return ANY if whole else value_of(problem, column, float(np.ceil(low)))
    if not np.isfinite([low, high]).any():
        return ANY
    below, above = (feature.text(v) for v in (low, high))
    if closed:
        return below if low == high else f"{below} … {above}"
    if not np.isfinite(high):
        return f"> {below}"
    return f"< {above}" if not np.isfinite(low) else f"{below} < · < {above}"


def entries(problem: Problem, box: Box, closed: bool = True) -> list[str]:
    return [
        entry(problem, j, float(box.low[j]), float(box.high[j]), closed) for j in range(problem.d)
    ]


def term(problem: Problem, column: int, low: float, high: float, closed: bool = True) -> str:
    """The same as a condition: f₁, ¬f₁, Patrons = Some, 2 ≤ x₁ ≤ 5; "" where nothing is asked."""
    told = entry(problem, column, low, high, closed)
    feature = problem.features[column]
    if told in (ANY, EMPTY):
        return ""
    if not feature.numeric:
        return literal_text(problem, (column, float(np.ceil(low))))
    if closed:
        below, above = told.partition(" … ")[::2]
        return f"{below} ≤ {feature.title} ≤ {above}" if above else f"{feature.title} = {below}"
    return told.replace("·", feature.title) if "·" in told else f"{feature.title} {told}"


def box_text(problem: Problem, box: Box, closed: bool = True) -> str:
    """A box as a conjunction; True where it asks nothing, False where it holds nowhere."""
    if box.empty:
        return "False"
    terms = [
        term(problem, j, float(box.low[j]), float(box.high[j]), closed) for j in range(problem.d)
    ]
    asked = [text for text in terms if text]
    more = f" ∧ … ({counted(len(asked), 'term')})" if len(asked) > TERMS else ""
    return " ∧ ".join(asked[:TERMS]) + more if asked else "True"


def row_text(problem: Problem, row: int) -> str:
    """The values of an example, of many the first."""
    texts = [problem.features[j].text(float(v)) for j, v in enumerate(problem.X[row][:TERMS])]
    return f"({', '.join(texts)}{', …' if problem.d > TERMS else ''})"


def moved(before: Box, after: Box) -> list[int]:
    """The columns in which a border moved."""
    return np.flatnonzero((before.low != after.low) | (before.high != after.high)).tolist()


def moves(problem: Problem, before: Box, after: Box) -> tuple[Fact, ...]:
    """One fact for each column whose border moved: what was asked, what is asked now."""
    old, new = entries(problem, before), entries(problem, after)
    return tuple(
        Fact(verbatim(problem.features[j].title), verbatim(f"{old[j]} → {new[j]}"))
        for j in moved(before, after)[:MOVES]
    )


def example_told(problem: Problem, row: int) -> dict[str, Operand]:
    """The operands point, x and label of an example."""
    return {
        "point": Operand(problem.names[row], about="current"),
        "x": Operand(row_text(problem, row), about="current"),
        "label": Operand(problem.class_text(int(problem.codes[row]))),
    }


def outside(problem: Problem, low: Float, high: Float, x: Float, closed: bool = True) -> list[str]:
    """Why a row is not in a box: for every column that keeps it out its value and what is asked."""
    inside = (low <= x) & (x <= high) if closed else (low < x) & (x < high)
    return [
        f"{problem.features[j].title} = {value_of(problem, j, float(x[j]))}, not "
        f"{entry(problem, j, float(low[j]), float(high[j]), closed)}"
        for j in np.flatnonzero(~inside).tolist()
    ]


def example_row(problem: Problem, row: int) -> tuple[list[str], list[list[str]], list[str]]:
    """(names, entries, tags) of the example that a table of hypotheses begins with;
    nothing for −1.
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
    """Examples and hypotheses below one another, a column for every column; amber: the columns
    whose borders moved.
    """
    columns = [text_column("", names)]
    for j, feature in enumerate(problem.features):
        role = Role.ACTIVE if j in amber else Role.PLAIN
        columns.append(text_column(feature.name, [row[j] for row in rows], role))
    return Table(
        title, tuple(columns), tuple(names), active=active, current=tuple(current), tags=tuple(tags)
    )
