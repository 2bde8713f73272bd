"""The line with its errors, and weight space: the ovals of equal loss, the path, the step; the loss
as a bowl.
"""

from engine.algorithms.regression.gradient_descent import Setting, State
from engine.algorithms.regression.parts.fits import linear_layers, weight_space
from engine.algorithms.regression.parts.least_squares import linear_values
from engine.algorithms.regression.parts.weight_space import step_arrow, weight_figures
from engine.authoring import Step, np
from engine.scene.regression import current_layer, feet, points_layer, residuals
from engine.scene.scene import Layer, Role, Scene, data_table, looked_at


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    changed = step.line == "update"
    current = looked_at(s)
    view = weight_space(given, s.path, s.path[0])
    arrow: list[Layer] = []
    ghost: list[Layer] = []
    if changed:
        label = "α Σ (y − h) x" if given.batch else "α (y − h) x"
        arrow = step_arrow(view, s.before, s.w, label)
        ghost = linear_layers(problem, s.before, Role.GHOST, "before")
    figures = (*weight_figures(view, change=arrow), data_table(problem, current=current))
    if not problem.plane:
        return Scene((), figures)
    rows = None if given.batch else np.array(current, np.intp)
    values = linear_values(s.before if changed else s.w, problem.X)
    ends = feet(problem, values) if problem.d == 1 else None  # else not on the line shown
    errors = residuals(problem, ends, rows, Role.ACTIVE if current else Role.SAME, "change")
    line = linear_layers(problem, s.w)
    points = points_layer(problem)
    return Scene((*errors, *ghost, *line, points, *current_layer(problem, s.current)), figures)
