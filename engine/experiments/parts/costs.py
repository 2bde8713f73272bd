"""What mistakes cost, as a table that a person writes: a row for each true class, a column for what
it is called. AIMA 18.4.2.
"""

import re
from collections.abc import Sequence

import numpy as np

from engine.base.arrays import Float, Int, frozen
from engine.base.errors import EngineError
from engine.base.notation import MINUS, counted, cut, listed, number, quoted

DEAR = 10.0  # what a row of the first class costs that is taken for another
DEAREST = 1e9
EXAMPLE = "Write a row for each class: 0 10; 1 0"


def usual_costs(k: int) -> Float:
    """(k, k) costs: 10 for calling a row of the first class something else, 1 for any other
    mistake, 0 for none. AIMA 18.4.2.
    """
    costs = 1.0 - np.eye(k)
    costs[:1] *= DEAR
    return frozen(costs)


def read_costs(text: str, names: Sequence[str]) -> Float:
    """(k, k) the costs in a text such as '0 10; 1 0' for the classes `names`; rows end at a
    semicolon, a stroke or a line break.

    Raises EngineError for a word that is no number, a matrix that is not square or of another size,
    a cost below 0, and one other than 0 for a right answer.
    """
    lines = [line for line in re.split(r"[;/\n]", text.strip("()[]; \n")) if line.strip()]
    rows = [[read_cost(word) for word in words_of(line)] for line in lines]
    check_square(rows)
    k = len(names)
    if len(rows) != k:
        raise EngineError(
            f"The cost matrix is {len(rows)} × {len(rows)}, the table has"
            f" {counted(k, 'class', 'classes')}, {listed(names)}: it needs {k} × {k}."
        )
    for i in range(k):
        if rows[i][i]:
            raise EngineError(
                f"What is right costs nothing: row {i + 1} needs 0 at place {i + 1}, where"
                f" {cut(names[i])} is called so; it has {number(rows[i][i])}."
            )
    if not np.any(rows):
        raise EngineError(
            "All costs are 0, so that no threshold is better than another: give a mistake a cost."
        )
    return frozen(rows, np.float64)


def words_of(line: str) -> list[str]:
    """The numbers of a line as texts, split at commas and blanks."""
    return re.split(r"[,\s]+", line.strip("()[], "))


def check_square(rows: Sequence[Sequence[float]]) -> None:
    """Raises EngineError where a row has more or fewer numbers than there are rows."""
    for i, row in enumerate(rows):
        if len(row) != len(rows):
            raise EngineError(
                f"The cost matrix is not square: it has {counted(len(rows), 'row')}, and row"
                f" {i + 1} has {counted(len(row), 'number')}. {EXAMPLE}."
            )


def read_cost(word: str) -> float:
    """A cost typed by a person, as a float; raises EngineError where it is not a number or out of
    range.
    """
    try:
        value = float(word.replace(MINUS, "-"))
    except ValueError:
        raise EngineError(f"A cost must be a number; it is {quoted(word)}. {EXAMPLE}.") from None
    if not 0 <= value <= DEAREST:
        raise EngineError(f"A cost must lie between 0 and {DEAREST:,.0f}; it is {number(value)}.")
    return value


def cost_text(value: float) -> str:
    """A cost as text that `read_cost` reads back."""
    return f"{value:.10g}"


def costs_text(costs: Float) -> str:
    """A matrix of costs (k, k) as text that `read_costs` reads back: "0 10; 1 0"."""
    return "; ".join(" ".join(map(cost_text, row)) for row in costs.tolist())


def chance_needed(costs: Float, code: int) -> float:
    """For two classes, the probability of class `code` from which on it is cheaper to predict it.

    costs: (2, 2). NaN where both mistakes are free.
    """
    missed = costs[code, 1 - code]
    alarm = costs[1 - code, code]
    if not alarm + missed:
        return float("nan")
    return float(alarm / (alarm + missed))


def total_cost(counts: Int, costs: Float) -> float:
    """Σ counts · costs of a confusion matrix (k, k); an extra column, for rows without an answer,
    costs nothing.
    """
    return float((counts[:, : len(costs)] * costs).sum())
