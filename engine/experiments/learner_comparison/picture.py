"""A curve for each learner, and how far each lies from the first, with its interval."""

from engine.authoring import Float, Step, np
from engine.core.scene import Layer, Line, Plot, Points, Polyline, Role, Scene, Segments
from engine.core.tags import step_tags
from engine.experiments.learner_comparison import Setting, State
from engine.experiments.parts.curves import Axis, End, names_at_ends, stations
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.pictures import Surfaces, model_scene

FIELDS = Surfaces()
_ROOM = 0.34  # of the width, at the right, for the names of learners
_ASIDE = 0.008  # of the width, between the intervals of one size


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    own = (curves(given, s), differences(given, s))
    return model_scene(given.problem, given.rows, s.model, own, judged=False, alone=True)


def shows_right(given: Setting) -> bool:
    """The curves show what is right, not what is wrong."""
    return given.p.show == "right" and not given.problem.regress


def axis(given: Setting) -> Axis:
    return Axis(1, len(given.rows), given.p.spaced == "in powers")


def wide(given: Setting) -> tuple[float, float]:
    """The axis of sizes with room for names at its end."""
    low, high = axis(given).range
    return low, high + _ROOM * (high - low)


def known(x: Float, *lines: Float) -> tuple[Float, ...]:
    """x and the lines (m,) where the first line has a value."""
    there = np.isfinite(lines[0])
    return tuple(line[there] for line in (x, *lines))


def curves(given: Setting, s: State) -> Plot:
    """The means over the sizes that are done, with a mark where the interval tells a learner from
    the first; and a mark for each trial of the size that is in work.
    """
    turned, places = (
        1.0 if shows_right(given) else 0.0,
        axis(given),
    )  # share right is 1 − share wrong
    x = places.places(p.size for p in s.points)
    at_work = not len(s.points) or s.points[-1].size != s.size
    layers: list[Layer] = []
    ends = list[End]()
    y_range = heights(given)
    for j, name in enumerate(given.names):
        at, means = known(x, np.abs(turned - np.array([p.means[j] for p in s.points], np.float64)))
        layers.append(Polyline(np.column_stack([at, means]), Role.PLAIN, group=j, tag=tag(j)))
        sure = np.array([p.apart[j].apart for p in s.points if p.means[j] == p.means[j]], bool)
        marks = np.column_stack([at, means])[sure]
        layers.append(Points(marks, np.full(len(marks), j), Role.SAMPLE, tag=tag(j)))
        ends += [End(at[-1], float(np.clip(means[-1], *y_range)), name, tag(j))] if len(at) else []
        errors = np.abs(turned - np.array([e for e in (s.errors[j] if at_work else ()) if e == e]))
        dots = np.column_stack([np.full(len(errors), places.place(max(1, s.size))), errors])
        layers.append(Points(dots, np.full(len(dots), j), Role.SAMPLE, tag=tag(j)))
    title = "right on unseen rows" if shows_right(given) else loss_name(given.problem)
    past = places.place(max(1, s.size)) if at_work else -np.inf
    floor = 0.98 * y_range[0] + 0.02 * y_range[1]
    steps = step_tags("mean", len(given.sizes))
    layers += stations(places.places(given.sizes), [floor] * len(s.points), floor, steps)
    return drawn(given, "Learner comparison", title, layers, ends, y_range, past)


def heights(given: Setting) -> tuple[float, float]:
    """The range of the means: about from chance to all, or up to somewhat more than the error of
    the mean of all values. It does not move while the curves grow.
    """
    if given.problem.regress:
        most = float(np.var(given.problem.y)) or 1.0
        return -0.1 * most, 1.6 * most
    chance = 1 / max(2, len(given.problem.classes))
    return (
        (max(0.0, chance - 0.25), 1.1) if shows_right(given) else (-0.05, min(1.05, 1.25 - chance))
    )


def differences(given: Setting, s: State) -> Plot:
    """How much more each learner is right, or wrong, than the first, which is the line at 0; with
    intervals, side by side.
    """
    sign = -1.0 if shows_right(given) else 1.0
    places = axis(given)
    x = places.places(p.size for p in s.points)
    aside = _ASIDE * (wide(given)[1] - wide(given)[0])
    half_way = (heights(given)[1] - heights(given)[0]) / 2
    layers: list[Layer] = [Line(np.array([0.0, 1.0]), 0.0, Role.GHOST, tag=tag(0))]
    ends = [End(float(x[-1]) if len(x) else places.range[0], 0.0, given.names[0], tag(0))]
    for j, name in enumerate(given.names[1:], 1):
        mean = np.array([sign * p.apart[j].mean for p in s.points], np.float64)
        at, mean, half = known(
            x + (j - 1) * aside, mean, np.array([p.apart[j].half for p in s.points], np.float64)
        )
        xy = np.column_stack([at, mean])
        bars = np.column_stack([at, mean - half, at, mean + half]).reshape(-1, 2, 2)
        layers.append(Segments(bars[np.isfinite(half)], Role.SAMPLE, tag="interval"))
        layers.append(Polyline(xy, Role.PLAIN, group=j, tag=tag(j)))
        layers.append(Points(xy, np.full(len(xy), j), Role.SAMPLE, tag=tag(j)))
        ends += (
            [End(at[-1], float(np.clip(mean[-1], -half_way, half_way)), name, tag(j))]
            if len(at)
            else []
        )
    more = "more squared error" if given.problem.regress else f"{given.p.show} more often"
    return drawn(
        given, "Differences", f"{more} than {given.names[0]}", layers, ends, (-half_way, half_way)
    )


def drawn(
    given: Setting,
    title: str,
    y_label: str,
    layers: list[Layer],
    ends: list[End],
    y_range: tuple[float, float],
    past: float = -np.inf,
) -> Plot:
    """Over the axis of sizes, with the names of the lines."""
    x_range = wide(given)
    names = names_at_ends(ends, x_range[1] - x_range[0], y_range[1] - y_range[0], past)
    return Plot(
        title,
        "rows learnt from",
        y_label,
        (*layers, *names),
        beside=True,
        x_range=x_range,
        y_range=y_range,
        x_ticks=axis(given).ticks,
    )


def tag(learner: int) -> str:
    """What lights a learner's marks."""
    return f"learner {learner}"
