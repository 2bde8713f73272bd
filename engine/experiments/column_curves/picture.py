"""A learning curve for each of the three tables."""

from engine.authoring import Step, np
from engine.base.tags import step_tags
from engine.experiments.column_curves import NAMES, Setting, State
from engine.experiments.parts.curves import (
    Axis,
    End,
    named_baseline,
    names_at_ends,
    stations,
    upwards,
)
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.pictures import as_shown, shows_right
from engine.scene.layers import Layer, Points, Polyline, Role
from engine.scene.scene import Plot, Scene, data_points, data_table
from engine.scene.views import PLANE

_ROOM = 0.3  # of the width, at the right, for the names of the curves


def scene(given: Setting, step: Step[State]) -> Scene:
    own = curves(given, step.state, step.line == "test")
    plane = (data_points(given.problem),) if given.problem.plane else ()
    leads = (own.title, PLANE) if plane else (own.title,)
    return Scene(plane, (own, data_table(given.problem)), leads=leads)


def heights(given: Setting, s: State) -> tuple[float, float]:
    """The range of the errors, or of the shares right."""
    if shows_right(given):
        chance = 1 / max(2, len(given.problem.classes))
        return max(0.0, chance - 0.2), 1.1
    known = [e for point in s.points for e in point.means if e == e]
    known += [e for errors in s.errors for e in errors if e == e]
    high = upwards(given.problem, max(known, default=0.0))
    return -0.08 * high, 1.08 * high


def names(given: Setting) -> tuple[str, str, str]:
    """Of the three tables: all columns, without one, with irrelevant ones."""
    missing = given.problem.titles[given.left_out]
    return NAMES[0], f"without {missing}", f"with {given.p.irrelevant} irrelevant"


def curves(given: Setting, s: State, tests: bool) -> Plot:
    """The means over the sizes that are done, and dots for the trials of the present size; in amber
    those of the trial that this step `tests`.
    """
    axis = Axis(1, given.sizes[-1], given.p.spaced == "in powers")
    low, high = axis.range
    x_range = (low, high + _ROOM * (high - low))
    y_range = heights(given, s)
    at_work = not len(s.points) or s.points[-1].size != s.size
    here = axis.place(max(1, s.size))
    now = list[Layer]()
    last = axis.place(s.points[-1].size) if len(s.points) else -np.inf
    baseline, ends = named_baseline(given.problem, axis, shows_right(given), last)
    layers: list[Layer] = [*baseline]
    for table, name in enumerate(names(given)):
        tag = f"table {table}"
        points = [point for point in s.points if np.isfinite(point.means[table])]
        means = as_shown(given, [point.means[table] for point in points])
        xy = np.column_stack([axis.places(point.size for point in points), means])
        layers.append(Polyline(xy, Role.PLAIN, group=table, tag=tag))
        if points:
            ends.append(End(xy[-1, 0], float(np.clip(means[-1], *y_range)), name, tag))
            if points[-1] is s.points[-1] and not at_work:  # the means of this step
                group = np.array([table])
                layers.append(Points(xy[-1:], group, Role.PLAIN, tag=tag))
        if at_work and s.errors:
            tried = list(s.errors[table])
            latest = tried[-1] if tried else np.nan  # NaN where there was nothing to judge by
            errors = as_shown(given, [e for e in tried if e == e])
            dots = np.column_stack([np.full(len(errors), here), errors])
            layers.append(Points(dots, np.full(len(dots), table), Role.SAMPLE, tag=tag))
            if tests and latest == latest:
                now.append(Points(dots[-1:], np.array([table]), Role.ACTIVE, tag=tag))
    layers += now
    floor = 0.98 * y_range[0] + 0.02 * y_range[1]
    tags = step_tags("mean", len(given.sizes))
    layers += stations(axis.places(given.sizes), [floor] * len(s.points), floor, tags)
    past = here if at_work else -np.inf
    named = names_at_ends(ends, x_range[1] - x_range[0], y_range[1] - y_range[0], past)
    return Plot(
        "Learning curves",
        "rows learnt from",
        "right on unseen rows" if shows_right(given) else loss_name(given.problem),
        (*layers, *named),
        beside=True,
        x_range=x_range,
        y_range=y_range,
        x_ticks=axis.ticks,
    )
