"""The line with its errors, and weight space: the ovals of equal loss, the path, the step; the loss as a bowl."""

from engine.algorithms.regression.gradient_descent import Setting, State
from engine.algorithms.regression.parts.fits import linear_layers
from engine.authoring import Step, np
from engine.core.scene import Role, Scene, data_table
from engine.numerics.least_squares import linear_values
from engine.pictures.regression import current_layer, feet, points_layer, residuals
from engine.algorithms.regression.parts.weight_space import (
    bottom, bowl_space, contours, path_layers, place, shown_pair, step_arrow, thinned, weight_plot, weight_view,
)  # fmt: skip


def scene(given: Setting, step: Step[State]) -> Scene:
    problem, s, changed = given.problem, step.state, step.line == "update"
    current = (s.current,) if s.current >= 0 else ()
    path = thinned(s.path)
    view = weight_view(given.bowl, shown_pair(problem), s.w, path, s.path[0])
    layers = [*contours(view, s.path[0][list(view.pair)]), *bottom(view), *path_layers(view, path)]
    layers.append(place(view, s.w))
    if changed:
        layers += step_arrow(view, s.before, s.w, "α Σ (y − h) x" if given.batch else "α (y − h) x")
    figures = (weight_plot(view, layers), bowl_space(view, path, s.w), data_table(problem, current=current))
    if not problem.plane:
        return Scene((), figures)
    rows = None if given.batch else np.array(current, np.intp)
    ghost = linear_layers(problem, s.before, Role.GHOST, "before") if changed else []
    values = linear_values(s.before if changed else s.w, problem.X)
    ends = feet(problem, values) if problem.d == 1 else None  # else not on the line shown
    errors = residuals(ends, rows, Role.ACTIVE if current else Role.SAME, "change")
    plane = [*errors, *ghost, *linear_layers(problem, s.w), points_layer(problem)]
    return Scene((*plane, *(layer for i in current for layer in current_layer(problem, i))), figures)
