"""The picture while a question is open, without the parts that give the answer away."""

import numpy as np

from engine.base.arrays import Float, frozen
from engine.base.records import replace
from engine.judge.questions.question import Question
from engine.scene.figures import Table
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

    Removes these numbers from tables that show them ahead of the step, the borders between classes
    if it asks for a class, and the previous step's frame if another one is lit.
    """
    numbers = answers(question)
    figures = tuple(
        _without(figure, numbers) if isinstance(figure, Table) else figure
        for figure in scene.figures
    )
    return replace(
        scene,
        figures=figures,
        layers=tuple(layer for layer in scene.layers if not _gives_away(layer, question)),
    )


def _gives_away(layer: Layer, question: Question) -> bool:
    if question.asks_for_class and (
        isinstance(layer, Polygons) or getattr(layer, "role", None) in BETWEEN
    ):
        return True
    return bool(question.box) and isinstance(layer, (Boxes, Segments)) and layer.role is Role.ACTIVE


def _without(table: Table, numbers: Float) -> Table:
    columns = []
    for column in table.columns:
        values = np.asarray(column.values, np.float64)
        answered = np.isclose(values[:, None], numbers, rtol=CLOSE, atol=0.0).any(axis=1)
        hidden = answered.any() and column.feature.numeric
        columns.append(
            replace(column, values=frozen(np.where(answered, np.nan, values))) if hidden else column
        )
    same = all(new is old for new, old in zip(columns, table.columns, strict=True))
    return table if same else replace(table, columns=tuple(columns))
