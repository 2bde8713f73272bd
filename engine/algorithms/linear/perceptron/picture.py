"""The line, w as an arrow, the example it turns for."""

from engine.algorithms.linear.parts import class_surface, score_surface
from engine.algorithms.linear.perceptron import Setting, State, predict
from engine.authoring import Step, np
from engine.core.scene import Bars, Field, Layer, Role, Scene, Segments, active_point, data_points, data_table
from engine.pictures.linear import separator, weight_arrows

FIELDS = {"class": class_surface, "score": score_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    problem, s = given.problem, step.state
    current = (s.current,) if s.current >= 0 else ()
    figures = (Bars("Weights w", given.names, s.w, before=s.before, tag="w"), data_table(problem, current=current))
    if not problem.plane:
        return Scene((), figures)
    changed, centred = step.line == "update", given.column is None and problem.d <= 2
    shown, bias = predict(given, s, problem.X), given.bias(s.w)
    ghost = [separator(problem, s.before, given.bias(s.before), Role.GHOST, "before")] if changed else []
    layers: list[Layer] = [Field("class"), *ghost, separator(problem, s.w, bias), data_points(problem, shown)]
    added = "+ η(y−h)x" if given.fires else "+ η·y·x"
    layers += weight_arrows(problem, s.before, s.w, bias, centred, added if changed else "")
    if changed and centred:
        layers.append(Segments(np.stack([np.zeros(2), problem.xy[s.current]])[None], Role.SAME, tag="current"))
    layers += [active_point(problem, i, shown, place=changed) for i in current]
    return Scene(tuple(layers), figures)
