"""A curve for each learner, and how far each lies from the first, with its interval."""

from functools import partial

from engine.authoring import Float, Step, np
from engine.base.notation import counted, listed, plural
from engine.base.tags import step_tags
from engine.experiments.learner_comparison import Setting, State
from engine.experiments.learner_comparison.words import sureness
from engine.experiments.parts.curves import (
    Axis,
    End,
    named_baseline,
    names_at_ends,
    side_by_side,
    size_words,
    station_now,
    stations,
)
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.pictures import (
    Surfaces,
    as_said,
    as_shown,
    model_scene,
    shows_right,
)
from engine.scene.scene import Layer, Line, Plot, Points, Polyline, Role, Scene, Segments

FIELDS = Surfaces()
_ROOM = 0.45  # of the width, at the right, for the names of learners
_ASIDE = 0.008  # of the width, between the intervals of one size
_TRIALS = 0.14  # of the width without that room, over which the trials of one size stand


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
    return low - _TRIALS / 4 * (high - low), high + _ROOM * (high - low)


def lanes(given: Setting, x: float, j: int, count: int) -> Float:
    """(count,) the places of the trials of learner j with the size at x."""
    low, high = axis(given).range
    return side_by_side(x, _TRIALS * (high - low), count, j, len(given.names))


def curves(given: Setting, step: Step[State]) -> Plot:
    """The means over the sizes that are done, with a mark where the interval tells a learner from
    the first; and pale marks for the trials of the size that is in work, each learner's beside the
    other's.
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
        errors = as_shown(given, [*s.errors[j]] if at_work else [])
        tried = np.column_stack([lanes(given, now, j, given.p.trials)[: len(errors)], errors])
        tried = tried[np.isfinite(errors)]
        layers.append(Points(tried, np.full(len(tried), j), Role.INACTIVE, tag=tag(j)))
    if step.line == "pair":
        layers += intervals_now(given, s, now)
    layers += now_rings(given, step, now)
    floor = 0.98 * y_range[0] + 0.02 * y_range[1]
    tags = step_tags("mean", len(given.sizes))
    layers += stations(places.places(given.sizes), [np.nan] * len(s.points), floor, tags)
    if step.line in ("size", "draw", "learn"):
        layers.append(station_now(now, floor))
    label = "right on unseen rows" if shows_right(given) else loss_name(given.problem)
    right = lanes(given, now, len(given.names) - 1, given.p.trials)[-1]
    past = right if at_work or step.line == "pair" else -np.inf
    return drawn(given, heading(given, step), label, layers, ends, y_range, past)


def now_rings(given: Setting, step: Step[State], x: float) -> list[Layer]:
    """The marks, in amber, of the errors or means that the words of a step speak of.

    x: the place of the present size
    """
    s = step.state
    which = spoken_of(step)
    if step.line == "test":
        known = [s.errors[j].last for j in which]
        nth = len(s.errors[0]) - 1
        at = [float(lanes(given, x, j, given.p.trials)[nth]) for j in which]
    elif step.line == "mean":
        known = [s.points[-1].means[j] for j in which]
        at = [x for _ in which]
    else:  # of a pair its interval is amber
        return []
    places = zip(which, at, as_shown(given, known), strict=True)
    return [
        Points(np.array([[here, y]]), np.array([j]), Role.ACTIVE, tag=tag(j))
        for j, here, y in places
    ]


def middle(given: Setting, x: float, j: int) -> float:
    """The place of the mean and interval of learner j, hardly beside the size at x."""
    low, high = axis(given).range
    return x + (j - (len(given.names) - 1) / 2) * _ASIDE * (high - low)


def intervals_now(given: Setting, s: State, x: float) -> list[Layer]:
    """Beside the size at x, a level line at the mean of the first learner, and for each of the
    others its mean with the interval of the difference: where the line crosses it, 0 lies within.
    In amber are those that differ, else the one that comes nearest to it.
    """
    point = s.points[-1]
    first = float(as_shown(given, [point.means[0]])[0])
    several = [j for j in range(1, len(given.names)) if point.apart[j].trials > 1]
    if not several:
        return []
    surest = max(several, key=partial(sureness, point.apart))
    lit = [j for j in several if point.apart[j].apart] or [surest]
    sign = -1.0 if shows_right(given) else 1.0
    ends = [[middle(given, x, 0), first], [middle(given, x, len(given.names) - 1), first]]
    layers: list[Layer] = [Segments(np.array([ends]), Role.MARGIN, tag=tag(0))]
    layers.append(dots(np.array([ends[0]]), 0))
    for j in several:
        at = np.array([[middle(given, x, j), first + sign * point.apart[j].mean]])
        role = Role.ACTIVE if j in lit else Role.SAMPLE
        layers += [intervals(at, np.array([point.apart[j].half]), role), dots(at, j)]
    return layers


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
    s = step.state
    which = spoken_of(step)
    names = listed([given.names[j] for j in which])
    rows = counted(s.size, "row")
    first = given.names[0]
    said = ""
    match step.line:
        case "size" | "draw":
            said = size_words(step.line, s.size, len(given.rows) - s.size, len(s.errors[0]) + 1)
        case "learn" if s.learner >= 0:
            said = f"trial {len(s.errors[0]) + 1}, {given.names[s.learner]} learns"
        case "test":
            errors = as_said(given, *(each.last for each in s.errors))
            said = f"trial {len(s.errors[0])} with {rows}, {errors}"
        case "mean" if which:
            error = as_said(given, s.points[-1].means[which[0]])
            said = f"{rows}, best {names}, {error}"
        case "pair" if which:
            said = f"{rows}, {names} {plural(len(which), 'differs', 'differ')} from {first}"
        case "pair" if any(pair.trials > 1 for pair in s.points[-1].apart[1:]):
            said = f"{rows}, no difference from {first} is certain"
    return f"Learner comparison: {said}" if said else "Learner comparison"


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


def intervals(xy: Float, half: Float, role: Role = Role.SAMPLE) -> Segments:
    """Upright lines from xy − half to xy + half, for xy (m, 2) and half (m,); none where half is
    NaN.
    """
    x, mean = xy.T
    bars = np.column_stack([x, mean - half, x, mean + half]).reshape(-1, 2, 2)
    return Segments(bars[np.isfinite(half)], role, tag="interval")


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
