"""What mistakes cost, as a table that a person writes: a row for each true class, a column for what
it is called. AIMA 18.4.2.
"""

import re
from collections.abc import Sequence

import numpy as np

from engine.core.arrays import Float, Int, frozen
from engine.core.errors import EngineError
from engine.core.notation import MINUS, counted, cut, listed, number, quoted

DEAR, DEAREST = 10.0, 1e9
EXAMPLE = "Write a row for each class: 0 10; 1 0"


def usual_costs(k: int) -> Float:
    """(k, k) that a row of the first class is taken for another costs ten times what any other
    mistake does. AIMA 18.4.2.
    """
    found = 1.0 - np.eye(k)
    found[:1] *= DEAR
    return frozen(found)


def read_costs(text: str, names: Sequence[str]) -> Float:
    """(k, k) of '0 10; 1 0' for the classes `names`; rows end at a semicolon, a stroke or a line's
    end. Raises EngineError for what is no number, not square, of another size, below 0, or not 0
    where nothing is wrong.
    """
    rows = [
        re.split(r"[,\s]+", row.strip("()[], "))
        for row in re.split(r"[;/\n]", text.strip("()[]; \n"))
        if row.strip()
    ]
    found = [[read_cost(word) for word in row] for row in rows]
    k = len(names)
    sizes = [len(row) for row in found]
    wrong = next((i for i, size in enumerate(sizes) if size != len(rows)), None)
    if wrong is not None:
        raise EngineError(
            f"The cost matrix is not square: it has {counted(len(rows), 'row')}, and row"
            f" {wrong + 1} has {counted(sizes[wrong], 'number')}. {EXAMPLE}."
        )
    if len(rows) != k:
        raise EngineError(
            f"The cost matrix is {len(rows)} × {len(rows)}, the table has"
            f" {counted(k, 'class', 'classes')}, {listed(names)}: it needs {k} × {k}."
        )
    paid = next((i for i in range(k) if found[i][i]), None)
    if paid is not None:
        raise EngineError(
            f"What is right costs nothing: row {paid + 1} needs 0 at place {paid + 1}, where"
            f" {cut(names[paid])} is called so; it has {number(found[paid][paid])}."
        )
    if not np.any(found):
        raise EngineError(
            "All costs are 0, so that no threshold is better than another: give a mistake a cost."
        )
    return frozen(found, np.float64)


def read_cost(word: str) -> float:
    """One of them, as a person writes it; raises EngineError."""
    try:
        value = float(word.replace(MINUS, "-"))
    except ValueError:
        raise EngineError(f"A cost must be a number; it is {quoted(word)}. {EXAMPLE}.") from None
    if not 0 <= value <= DEAREST:
        raise EngineError(f"A cost must lie between 0 and {DEAREST:,.0f}; it is {number(value)}.")
    return value


def cost_text(value: float) -> str:
    """As `read_cost` reads it back."""
    return f"{value:.10g}"


def costs_text(costs: Float) -> str:
    """As `read_costs` reads it back."""
    return "; ".join(" ".join(map(cost_text, row)) for row in costs.tolist())


def chance_needed(costs: Float, code: int) -> float:
    """Of two classes: from which probability of class `code` on it is cheaper to call a row so.

    NaN if both mistakes are free.
    """
    missed, alarm = costs[code, 1 - code], costs[1 - code, code]
    return float(alarm / (alarm + missed)) if alarm + missed else float("nan")


def total_cost(counts: Int, costs: Float) -> float:
    """Σ counts · costs of a confusion (k, k)."""
    return float((counts[:, : len(costs)] * costs).sum())
