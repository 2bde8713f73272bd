"""Tables beside the plane while a step is asked about: without the numbers that answer."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engine.core.arrays import Float, frozen
from engine.core.figures import Table
from engine.questions.question import Question

CLOSE = 1e-9  # relative


def answers(question: Question) -> Float:
    """(m,) the numbers that are asked for or that the step compares; none that is whole or a half: too many others are."""
    choice = question.step.choice
    scores = [float(option.score) for option in choice.options] if choice is not None else []
    numbers = np.array([*(blank.value for blank in question.blanks), *scores], np.float64)
    return numbers[np.isfinite(numbers) & (2 * numbers != np.round(2 * numbers))]


def covered(figures: Sequence[Any], question: Question) -> tuple[Any, ...]:
    """The figures, with these numbers missing from tables that work them out ahead of the step; the same object where nothing
    is missing."""
    numbers = answers(question)
    return tuple(_without(figure, numbers) if isinstance(figure, Table) else figure for figure in figures)


def _without(table: Table, numbers: Float) -> Table:
    columns = []
    for column in table.columns:
        values = np.asarray(column.values, np.float64)
        told = np.isclose(values[:, None], numbers, rtol=CLOSE, atol=0.0).any(axis=1)
        hidden = told.any() and column.feature.numeric
        columns.append(replace(column, values=frozen(np.where(told, np.nan, values))) if hidden else column)
    same = all(new is old for new, old in zip(columns, table.columns, strict=True))
    return table if same else replace(table, columns=tuple(columns))
