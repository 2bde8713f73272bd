"""The map of the inputs with its rules, the table whose rows leave, the scores of the columns."""

from functools import partial

from engine.algorithms.rules.greedy_dnf import Setting, State, model, predict
from engine.algorithms.rules.parts.words import figures
from engine.authoring import Float, Grid, Step
from engine.numerics.boolean import squares
from engine.scene import boolean
from engine.scene.scene import Scene


def class_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) the class by h at every place of the grid."""
    return squares(given.problem, grid, partial(predict, given, s))


FIELDS = {"class": class_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    growing = step.line not in ("keep", "cover")
    shown = figures(given.problem, s, model(s), "Scores v", step.line, growing)
    return boolean.scene(given.problem, model(s), shown)
