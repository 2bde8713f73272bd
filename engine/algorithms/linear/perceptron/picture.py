"""The line, w as an arrow, the example it turns for."""

from typing import Any

from engine.algorithms.linear.parts import FIELDS as FIELDS
from engine.algorithms.linear.parts.picture import lines, nearest_to_middle, weight_tags
from engine.algorithms.linear.perceptron import Setting, State
from engine.authoring import Float, Problem, Step, np, short
from engine.core.scene import (
    Arrows, Bars, Field, Layer, Role, Scene, Segments, active_point, data_points, data_table, looked_at,
)  # fmt: skip
from engine.numerics.contours import round_factor
from engine.numerics.linear import plane_line

ASIDE = 0.15  # of the reach of the data: a line farther than this from the points cannot carry the arrow of w


def scene(given: Setting, step: Step[State]) -> Scene:
    problem, s, current = given.problem, step.state, looked_at(step.state)
    weights = Bars("Weights w", given.names, s.w, before=s.before, tag="w", tags=weight_tags(given))
    figures = (weights, data_table(problem, current=current))
    if not problem.plane:
        return Scene((), figures)
    changed, centred = step.line == "update", given.column is None and problem.d <= 2
    shown, added = given.predict(s, problem.X), "+ η(y−h)x" if given.fires else "+ η·y·x"
    layers: list[Layer] = [Field("class"), *lines(given, step, ("update",)), data_points(problem, shown)]
    layers += weight_arrows(problem, s.before, s.w, given.bias(s.w), centred, added if changed else "")
    if changed and centred:
        layers.append(Segments(np.stack([np.zeros(2), problem.xy[s.current]])[None], Role.SAME, tag="current"))
    layers += [active_point(problem, i, shown, place=changed) for i in current]
    return Scene(tuple(layers), figures)


def weight_arrows(problem: Problem, before: Float, w: Float, bias: float, centred: bool, change: str = "") -> list[Any]:
    """w as an arrow from the origin (centred), or from the line, when it is free to leave the origin; with `change`
    also the former w and what was added, as vector addition. Scaled by a round number when it is too short or too long."""
    new, b = plane_line(problem, w, bias)
    old, _ = plane_line(problem, before, 0.0)
    reach = float(np.abs(problem.xy - problem.xy.mean(0)).max(initial=0)) or 1.0
    longest = max(float(np.hypot(*new)), float(np.hypot(*old)))
    if longest == 0:
        return []
    scale = 1.0 if 0.1 * reach <= longest <= reach else round_factor(0.6 * reach / longest)
    foot = np.zeros(2) if centred else _foot(problem, new, b)
    tip, old_tip = foot + scale * new, foot + scale * old
    suffix = "" if scale == 1 else f" × {short(scale)}"
    arrow = Arrows(foot[None], tip[None], Role.ACCEPTED, (("w after" if change else "w") + suffix,), tag="w")
    if not change:
        return [arrow]
    ghost = Arrows(foot[None], old_tip[None], Role.GHOST, ("w before",), tag="before")
    return [ghost, arrow, Arrows(old_tip[None], tip[None], Role.ACTIVE, (change,), tag="change")]


def _foot(problem: Problem, w: Float, b: float) -> Float:
    """The line's nearest place to the middle of the data; the middle itself when the line passes far from all points."""
    foot, low, high = nearest_to_middle(problem, w, b), problem.xy.min(0), problem.xy.max(0)
    away = np.maximum(low - foot, foot - high) > ASIDE * (high - low).max()
    return problem.xy.mean(0) if away.any() else foot
