"""The map of the inputs, the table whose rows leave, the counts of the columns."""

from engine.algorithms.rules.greedy_conjunction import Setting, State, model, predict
from engine.algorithms.rules.parts.words import CHANGES, figures
from engine.authoring import Step
from engine.core.scene import Scene
from engine.numerics.boolean import squares
from engine.pictures import boolean

FIELDS = {
    "class": lambda given, s, grid: squares(given.problem, grid, lambda X: predict(given, s, X))
}


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    growing = step.line not in ("fail", "done")
    shown = figures(
        given.problem, s, model(s), "Rows removed n", s.chosen, growing, 0, step.line in CHANGES
    )
    return boolean.scene(given.problem, model(s), shown)
