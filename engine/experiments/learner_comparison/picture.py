"""A curve for each learner, and how far each lies from the first, with its interval."""

from engine.authoring import Float, Step, np
from engine.base.notation import listed, short
from engine.base.tags import step_tags
from engine.experiments.learner_comparison import Setting, State
from engine.experiments.parts.curves import Axis, End, named_baseline, names_at_ends, stations
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.pictures import Surfaces, as_shown, model_scene, shows_right
from engine.scene.scene import Layer, Line, Plot, Points, Polyline, Role, Scene, Segments

FIELDS = Surfaces()
_ROOM = 0.45  # of the width, at the right, for the names of learners
_ASIDE = 0.008  # of the width, between the intervals of one size


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    own = (curves(given, step), differences(given, s))
    return model_scene(given.problem, given.rows, s.model, own, judged=False, alone=True)


def axis(given: Setting) -> Axis:
    """The axis of numbers of rows, linear or logarithmic."""
    return Axis(1, given.sizes[-1], given.p.spaced == "in powers")


def wide(given: Setting) -> tuple[float, float]:
    """(low, high) of the axis of sizes, with room at the right for the names of the lines."""
    low, high = axis(given).range
    return low, high + _ROOM * (high - low)


def curves(given: Setting, step: Step[State]) -> Plot:
    """The means over the sizes that are done, with a mark where the interval tells a learner from
    the first; and a mark for each trial of the size that is in work.
    """
    s = step.state
    places = axis(given)
    y_range = heights(given)
    at_work = not len(s.points) or s.points[-1].size != s.size
    now = places.place(max(1, s.size))
    last = places.place(s.points[-1].size) if len(s.points) else -np.inf
    baseline, ends = named_baseline(given.problem, places, shows_right(given), last)
    layers: list[Layer] = [*baseline]
    for j, name in enumerate(given.names):
        points = [point for point in s.points if np.isfinite(point.means[j])]
        means = as_shown(given, [point.means[j] for point in points])
        xy = np.column_stack([places.places(point.size for point in points), means])
        sure = np.array([point.apart[j].apart for point in points], bool)
        if step.line == "mean" and len(sure):
            sure[-1] = False  # the next step tells
        layers.append(Polyline(xy, Role.PLAIN, group=j, tag=tag(j)))
        layers.append(dots(xy[sure], j))
        if points:
            ends.append(End(xy[-1, 0], float(np.clip(means[-1], *y_range)), name, tag(j), j))
        errors = as_shown(given, [e for e in s.errors[j] if e == e] if at_work else [])
        layers.append(dots(np.column_stack([np.full(len(errors), now), errors]), j))
    layers += now_rings(given, step, now)
    floor = 0.98 * y_range[0] + 0.02 * y_range[1]
    tags = step_tags("mean", len(given.sizes))
    layers += stations(places.places(given.sizes), [floor] * len(s.points), floor, tags)
    label = "right on unseen rows" if shows_right(given) else loss_name(given.problem)
    past = now if at_work else -np.inf
    return drawn(given, heading(given, step), label, layers, ends, y_range, past)


def now_rings(given: Setting, step: Step[State], x: float) -> list[Layer]:
    """The marks, in amber, of the errors or means that the words of a step speak of.

    x: the place of the present size
    """
    s = step.state
    which = spoken_of(step)
    known = [s.errors[j].last if step.line == "test" else s.points[-1].means[j] for j in which]
    places = zip(which, as_shown(given, known), strict=True)
    return [Points(np.array([[x, y]]), np.array([j]), Role.ACTIVE, tag=tag(j)) for j, y in places]


def spoken_of(step: Step[State]) -> list[int]:
    """The learners of which the words of a step speak: those of this trial, the best one, or those
    that differ from the first.
    """
    s = step.state
    if step.line == "test":
        return [j for j, errors in enumerate(s.errors) if errors.last == errors.last]
    if step.line == "mean":
        return [*s.points[-1].winners[:1]]
    if step.line == "pair":
        return [j for j, pair in enumerate(s.points[-1].apart) if pair.apart]
    return []


def heading(given: Setting, step: Step[State]) -> str:
    """The title of the plot, with the learners of which the words of a step speak."""
    title = "Learner comparison"
    which = spoken_of(step)
    if step.line not in ("mean", "pair") or not which:
        return title
    names = listed([given.names[j] for j in which])
    if step.line == "pair":
        return f"{title}: {names} {'differs' if len(which) == 1 else 'differ'} from the first"
    error = step.state.points[-1].means[which[0]]
    return (
        f"{title}: best {names}, {short(error) if given.problem.regress else f'{error:.2f} wrong'}"
    )


def dots(xy: Float, j: int) -> Points:
    """Marks of learner j at xy (m, 2)."""
    return Points(xy, np.full(len(xy), j), Role.SAMPLE, tag=tag(j))


def heights(given: Setting) -> tuple[float, float]:
    """The range of the means: about from chance to all, or up to somewhat more than the error of
    the mean of all values. It does not move while the curves grow.
    """
    if given.problem.regress:
        most = float(np.var(given.problem.y)) or 1.0
        return -0.1 * most, 1.6 * most
    chance = 1 / max(2, len(given.problem.classes))
    if shows_right(given):
        return max(0.0, chance - 0.25), 1.1
    return -0.05, min(1.05, 1.25 - chance)


def differences(given: Setting, s: State) -> Plot:
    """A plot of the difference in error of each learner from the first, which is the line at 0,
    with confidence intervals side by side.
    """
    sign = -1.0 if shows_right(given) else 1.0
    places = axis(given)
    low, high = wide(given)
    bottom, top = heights(given)
    half_way = (top - bottom) / 2
    x = places.places(point.size for point in s.points)
    start = float(x[-1]) if len(x) else places.range[0]
    layers: list[Layer] = [Line(np.array([0.0, 1.0]), 0.0, Role.GHOST, tag=tag(0))]
    ends = [End(start, 0.0, given.names[0], tag(0), 0)]
    for j, name in enumerate(given.names[1:], 1):
        mean = np.array([sign * point.apart[j].mean for point in s.points], np.float64)
        half = np.array([point.apart[j].half for point in s.points], np.float64)
        known = np.isfinite(mean)
        aside = (j - 1) * _ASIDE * (high - low)
        xy = np.column_stack([x[known] + aside, mean[known]])
        layers.append(intervals(xy, half[known]))
        layers.append(Polyline(xy, Role.PLAIN, group=j, tag=tag(j)))
        layers.append(dots(xy, j))
        if len(xy):
            y = float(np.clip(xy[-1, 1], -half_way, half_way))
            ends.append(End(xy[-1, 0], y, name, tag(j), j))
    more = "more squared error" if given.problem.regress else f"{given.p.show} more often"
    label = f"{more} than {given.names[0]}"
    return drawn(given, "Differences", label, layers, ends, (-half_way, half_way))


def intervals(xy: Float, half: Float) -> Segments:
    """Upright lines from xy − half to xy + half, for xy (m, 2) and half (m,); none where half is
    NaN.
    """
    x, mean = xy.T
    bars = np.column_stack([x, mean - half, x, mean + half]).reshape(-1, 2, 2)
    return Segments(bars[np.isfinite(half)], Role.SAMPLE, tag="interval")


def drawn(
    given: Setting,
    title: str,
    y_label: str,
    layers: list[Layer],
    ends: list[End],
    y_range: tuple[float, float],
    past: float = -np.inf,
) -> Plot:
    """A plot of these layers over the axis of sizes, with the names of the lines at their ends."""
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
    """The tag that highlights a learner's marks."""
    return f"learner {learner}"
