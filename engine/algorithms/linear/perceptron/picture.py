"""The line, w as an arrow, the example it turns for."""

from engine.algorithms.linear.parts import FIELDS as FIELDS
from engine.algorithms.linear.parts.picture import lines, weight_arrows, weight_bars
from engine.algorithms.linear.perceptron import Setting, State
from engine.authoring import Step, np
from engine.scene.scene import (
    Field,
    Layer,
    Role,
    Scene,
    Segments,
    active_point,
    data_points,
    data_table,
    looked_at,
)


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    current = looked_at(step.state)
    figures = (weight_bars(given, s), data_table(problem, current=current))
    if not problem.plane:
        return Scene((), figures)
    changed = step.line == "update"
    centred = given.column is None and problem.d <= 2
    shown = given.predict(s, problem.X)
    added = "+ η(y−h)x" if given.fires else "+ η·y·x"
    layers: list[Layer] = [
        Field("class"),
        *lines(given, step, ("update",)),
        data_points(problem, shown),
    ]
    layers += weight_arrows(
        problem, s.before, s.w, given.bias(s.w), centred, added if changed else ""
    )
    if changed and centred:
        layers.append(
            Segments(np.stack([np.zeros(2), problem.xy[s.current]])[None], Role.SAME, tag="current")
        )
    layers += [active_point(problem, i, shown, place=changed) for i in current]
    return Scene(tuple(layers), figures)
