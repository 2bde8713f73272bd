"""The line with its errors, and weight space: the ovals of equal loss, the path, the step; the loss
as a bowl.
"""

from engine.algorithms.regression.gradient_descent import Setting, State
from engine.algorithms.regression.parts.fits import linear_layers, weight_space
from engine.algorithms.regression.parts.least_squares import linear_values
from engine.algorithms.regression.parts.weight_space import (
    WeightView,
    step_arrow,
    weight_figures,
)
from engine.authoring import Step, np
from engine.base.notation import counted, number
from engine.scene.regression import current_layer, feet, points_layer, residuals
from engine.scene.scene import NO_GROUP, Layer, Points, Role, Scene, data_table, looked_at


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    changed = step.line == "update"
    current = looked_at(s)
    view = weight_space(given, s.path, s.path[0])
    arrow: list[Layer] = []
    ghost: list[Layer] = []
    if changed:
        pulls = "sign(y − h) x" if given.absolute else "(y − h) x"
        label = f"α Σ {pulls}" if given.batch else f"α {pulls}"
        arrow = step_arrow(view, s.before, s.w, label)
        ghost = linear_layers(problem, s.before, Role.GHOST, "before")
    marks = least_mark(view) if given.absolute else []
    title = plane_title(given, step)
    space = weight_figures(view, marks, arrow, said="" if problem.plane else title)
    figures = (*space, data_table(problem, current=current))
    if not problem.plane:
        return Scene((), figures)
    rows = None if given.batch else np.array(current, np.intp)
    values = linear_values(s.before if changed else s.w, problem.X)
    ends = feet(problem, values) if problem.d == 1 else None  # else not on the line shown
    errors = residuals(problem, ends, rows, Role.ACTIVE if current else Role.SAME, "change")
    line = linear_layers(problem, s.w)
    points = points_layer(problem)
    layers = (*errors, *ghost, *line, points, *current_layer(problem, s.current))
    return Scene(layers, figures, plane=title)


def plane_title(given: Setting, step: Step[State]) -> str:
    """What this step does to the loss, or which errors it is about."""
    s = step.state
    loss = number(s.loss)
    who = f"Step {s.steps}" if given.batch else given.problem.names[s.current]
    if step.line == "start":
        return f"Start: loss {loss}"
    if step.line == "update":
        before = float(step.details["loss_before"])
        drop = f"loss falls by {number(before - s.loss, 1)}"
        same = number(before) == loss
        return (
            f"{who}: {drop}"
            if same and before > s.loss
            else f"{who}: loss {number(before)} → {loss}"
        )
    if step.line == "take":
        return f"Step {s.steps + 1}: all errors" if given.batch else f"{who} alone: its error"
    if step.line != "until":
        return f"Round {s.round}"
    steps = counted(s.steps, "step")
    if "diverged" in step.events:
        return f"Diverged after {steps}: loss {loss}"
    if "converged" in step.events:
        return f"Converged after {steps}: loss {loss}"
    if step.details["over"]:
        return f"Stopped after {steps}: loss {loss}"
    return f"Round {s.round} is over: loss {loss}"


def least_mark(view: WeightView) -> list[Layer]:
    """A mark at the least absolute loss; [] where other weights are held."""
    if not view.whole:
        return []
    place = view.bowl.centre[None]
    return [Points(place, np.array([NO_GROUP]), Role.SUPPORT, label=("least loss",), tag="least")]
