"""The curve with its band, the errors of the present trials as dots, and the model of the trial."""

from engine.authoring import Float, Step, np
from engine.base.notation import counted, number
from engine.base.records import replace
from engine.base.tags import joined, step_tags
from engine.experiments.learning_curve import Setting, State
from engine.experiments.parts.curves import (
    Axis,
    End,
    baseline_line,
    curve_layers,
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
from engine.scene.scene import NO_GROUP, Layer, Plot, Points, Polyline, Role, Scene

FIELDS = Surfaces()
_TRIALS = 0.07  # of the width, over which the trials of one size stand
UNSEEN, SEEN = joined("curve", "unseen"), joined("curve", "learnt")


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    own = curve(given, step)
    found = model_scene(given.problem, given.rows, s.model, (own,), judged=False)
    if s.model is None:
        return found
    learnt = f"learnt from {counted(len(s.model.rows), 'row')}"
    figures = tuple(
        replace(figure, title=f"{figure.title}: {learnt}")
        if figure.is_telling and figure is not own and ":" not in figure.title
        else figure
        for figure in found.figures
    )
    return replace(found, figures=figures, plane=learnt.capitalize())


def shares(given: Setting) -> tuple[float, float]:
    """(low, high) of the axis of shares, from about chance to 1; fixed, so that it does not move
    while the curve grows.
    """
    chance = 1 / max(2, len(given.problem.classes))
    if shows_right(given):
        return max(0.0, chance - 0.2), 1.1
    return -0.05, min(1.05, 1.2 - chance)


def curve(given: Setting, step: Step[State]) -> Plot:
    """A plot of mean and deviation over the sizes done, with dots for the trials of the present
    size; in amber the size that begins, the trial of this step, or the new mean.
    """
    s = step.state
    axis = Axis(1, given.sizes[-1], given.p.spaced == "in powers")
    points = [point for point in s.points if point.mean == point.mean]
    x = axis.places(point.size for point in points)
    mean = as_shown(given, [point.mean for point in points])
    deviation = np.nan_to_num([point.deviation for point in points])
    train = as_shown(given, [point.train for point in points])
    if given.problem.regress:
        floor = -0.12 * float(mean.max(initial=0.0))
        y_range = None
    else:
        y_range = shares(given)
        floor = 0.9 * y_range[0] + 0.1 * y_range[1]
    means = as_shown(given, [point.mean for point in s.points]).tolist()
    tags = step_tags("mean", len(given.sizes))
    high = 1.1 * float(mean.max(initial=0.0)) if y_range is None else y_range[1] - y_range[0]
    layers = (
        *curve_layers(x, mean, deviation, "", UNSEEN),
        Polyline(np.column_stack([x, train]), Role.HELD_OUT, tag=SEEN),
        *named(x, mean, train, axis, high),
        *baseline_line(given.problem, axis, shows_right(given)),
        *stations(axis.places(given.sizes), means, floor, tags),
        *trials_of_now(given, s, axis, step.line == "test"),
    )
    here = axis.place(max(1, s.size))
    if step.line in ("size", "draw"):
        layers = (*layers, station_now(here, floor, "size"))
    if step.line == "mean" and points and points[-1].size == s.size:
        new = np.array([[here, mean[-1]]])
        layers = (*layers, Points(new, np.array([NO_GROUP]), Role.NEAREST, tag=UNSEEN))
    return Plot(
        heading(given, step),
        "rows learnt from",
        "right on unseen rows" if shows_right(given) else loss_name(given.problem),
        layers,
        beside=True,
        x_range=axis.range,
        y_range=y_range,
        x_ticks=axis.ticks,
    )


def named(x: Float, mean: Float, train: Float, axis: Axis, high: float) -> tuple[Layer, ...]:
    """The names of both lines, past the dots of the present size. high: the range upwards"""
    if not len(x):
        return ()
    ends = End(x[-1], mean[-1], "unseen", UNSEEN), End(x[-1], train[-1], "learnt from", SEEN)
    low, right = axis.range
    return names_at_ends(ends, right - low, high)


def heading(given: Setting, step: Step[State]) -> str:
    """The title of the curve, with what this step does."""
    s = step.state
    rows = counted(s.size, "row")
    said = ""
    match step.line:
        case "size" | "draw":
            said = size_words(step.line, s.size, len(given.rows) - s.size, len(s.errors) + 1)
        case "learn":
            said = f"trial {len(s.errors)}, learnt from {rows}"
        case "test" if len(s.errors):
            said = f"trial {len(s.errors)} with {rows}, {as_said(given, s.errors.last)}"
        case "mean" if s.errors.count > 1:
            deviation = number(s.errors.deviation)
            said = f"{rows}, {as_said(given, s.errors.mean)} on average, ± {deviation}"
        case "mean":
            said = f"{rows}, {as_said(given, s.errors.mean)}"
    return f"Learning curve: {said}" if said else "Learning curve"


def trials_of_now(given: Setting, s: State, axis: Axis, tests: bool) -> tuple[Points, ...]:
    """Pale dots for the trials of the present size, side by side; the last one in amber where this
    step `tests` it.
    """
    low, high = axis.range
    errors = as_shown(given, [*s.errors])
    x = side_by_side(axis.place(max(1, s.size)), _TRIALS * (high - low), given.p.trials)
    xy = np.column_stack([x[: len(errors)], errors])
    xy = xy[np.isfinite(errors)]
    none = np.full(len(xy), NO_GROUP)
    dots = Points(xy, none, Role.INACTIVE, tag="size")
    return (dots, Points(xy[-1:], none[-1:], Role.ACTIVE, tag="size")) if tests else (dots,)
