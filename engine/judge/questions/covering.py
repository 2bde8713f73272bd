"""The picture while a question is open, without the parts that give the answer away."""

import numpy as np

from engine.base.arrays import Bool, Float, frozen
from engine.base.records import replace
from engine.judge.questions.question import Question
from engine.scene.figures import Bars, Table
from engine.scene.layers import Boxes, Layer, Polygons, Role, Segments
from engine.scene.scene import Scene

CLOSE = 1e-9  # relative
# roles of lines along which labels change or cells meet
BETWEEN = (Role.BOUNDARY, Role.SAME, Role.DIFFERENT)


def answers(question: Question) -> Float:
    """(m,) the numbers that the question asks for or the step compares.

    Whole and half numbers are left out: they would match too many other cells.
    """
    choice = question.step.choice
    scores = [float(option.score) for option in choice.options] if choice is not None else []
    numbers = np.array([*(blank.value for blank in question.blanks), *scores], np.float64)
    telling: Float = numbers[np.isfinite(numbers) & (2 * numbers != np.round(2 * numbers))]
    return telling


def covered(scene: Scene, question: Question) -> Scene:
    """The scene before the step without what answers the question.

    Removes these numbers from tables that show them ahead of the step, bars that are as long, the
    borders between classes if it asks for a class, and the previous step's frame if another one is
    lit.
    """
    numbers = answers(question)
    shown = [
        f for f in scene.figures if not (isinstance(f, Bars) and _found(f.values, numbers).any())
    ]
    figures = tuple(
        _without(figure, numbers) if isinstance(figure, Table) else figure for figure in shown
    )
    removed = {figure.title for figure in scene.figures} - {figure.title for figure in figures}
    return replace(
        scene,
        figures=figures,
        leads=tuple(title for title in scene.leads if title not in removed),
        layers=tuple(layer for layer in scene.layers if not _gives_away(layer, question)),
    )


def _gives_away(layer: Layer, question: Question) -> bool:
    if question.asks_for_class and (
        isinstance(layer, Polygons) or getattr(layer, "role", None) in BETWEEN
    ):
        return True
    return bool(question.box) and isinstance(layer, (Boxes, Segments)) and layer.role is Role.ACTIVE


def _found(values: Float, numbers: Float) -> Bool:
    """(n,) whether each value is one of the numbers."""
    close = np.isclose(values[:, None], numbers, rtol=CLOSE, atol=0.0)
    found: Bool = np.logical_or.reduce(close, axis=1)
    return found


def _without(table: Table, numbers: Float) -> Table:
    columns = []
    for column in table.columns:
        values = np.asarray(column.values, np.float64)
        answered = _found(values, numbers)
        hidden = answered.any() and column.feature.numeric
        columns.append(
            replace(column, values=frozen(np.where(answered, np.nan, values))) if hidden else column
        )
    same = all(new is old for new, old in zip(columns, table.columns, strict=True))
    return table if same else replace(table, columns=tuple(columns))
