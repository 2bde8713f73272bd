"""The picture while a step is asked about: without what answers."""

import numpy as np

from engine.base.arrays import Float, frozen
from engine.base.records import replace
from engine.judge.questions.question import Question
from engine.scene.figures import Table
from engine.scene.layers import Boxes, Layer, Polygons, Role, Segments
from engine.scene.scene import Scene

CLOSE = 1e-9  # relative
# of lines along which labels change, or cells meet
BETWEEN = (Role.BOUNDARY, Role.SAME, Role.DIFFERENT)


def answers(question: Question) -> Float:
    """(m,) the numbers that are asked for or that the step compares; none that is whole or a half:
    too many others are.
    """
    choice = question.step.choice
    scores = [float(option.score) for option in choice.options] if choice is not None else []
    numbers = np.array([*(blank.value for blank in question.blanks), *scores], np.float64)
    telling: Float = numbers[np.isfinite(numbers) & (2 * numbers != np.round(2 * numbers))]
    return telling


def covered(scene: Scene, question: Question) -> Scene:
    """The picture before the step: these numbers missing from tables that work them out ahead of
    it, the borders between classes from the plane where a class is asked for, and the frame of the
    step before where another one is lit.
    """
    numbers = answers(question)
    figures = tuple(
        _without(figure, numbers) if isinstance(figure, Table) else figure
        for figure in scene.figures
    )
    return replace(
        scene,
        figures=figures,
        layers=tuple(layer for layer in scene.layers if not _tells(layer, question)),
    )


def _tells(layer: Layer, question: Question) -> bool:
    if question.asks_for_class and (
        isinstance(layer, Polygons) or getattr(layer, "role", None) in BETWEEN
    ):
        return True
    return bool(question.box) and isinstance(layer, (Boxes, Segments)) and layer.role is Role.ACTIVE


def _without(table: Table, numbers: Float) -> Table:
    columns = []
    for column in table.columns:
        values = np.asarray(column.values, np.float64)
        told = np.isclose(values[:, None], numbers, rtol=CLOSE, atol=0.0).any(axis=1)
        hidden = told.any() and column.feature.numeric
        columns.append(
            replace(column, values=frozen(np.where(told, np.nan, values))) if hidden else column
        )
    same = all(new is old for new, old in zip(columns, table.columns, strict=True))
    return table if same else replace(table, columns=tuple(columns))
