"""The curve with its band, the errors of the present trials as dots, and the model of the trial."""

from engine.authoring import Float, Step, np
from engine.base.tags import joined, step_tags
from engine.experiments.learning_curve import Setting, State
from engine.experiments.parts.curves import (
    Axis,
    End,
    baseline_line,
    curve_layers,
    names_at_ends,
    stations,
)
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.pictures import Surfaces, as_shown, model_scene, shows_right
from engine.scene.scene import Layer, Plot, Points, Polyline, Role, Scene

FIELDS = Surfaces()
UNSEEN, SEEN = joined("curve", "unseen"), joined("curve", "learnt")


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    return model_scene(given.problem, given.rows, s.model, (curve(given, s),), judged=False)


def shares(given: Setting) -> tuple[float, float]:
    """(low, high) of the axis of shares, from about chance to 1; fixed, so that it does not move
    while the curve grows.
    """
    chance = 1 / max(2, len(given.problem.classes))
    if shows_right(given):
        return max(0.0, chance - 0.2), 1.1
    return -0.05, min(1.05, 1.2 - chance)


def curve(given: Setting, s: State) -> Plot:
    """A plot of mean and deviation over the sizes done, with dots for the trials of the present
    size.
    """
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
        *trials_of_now(given, s, axis),
    )
    return Plot(
        "Learning curve",
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


def trials_of_now(given: Setting, s: State, axis: Axis) -> tuple[Points, Points]:
    """Dots for the trials of the present size, and a dot in ink for the last one."""
    errors = as_shown(given, [e for e in s.errors if e == e])
    x = np.full(len(errors), axis.place(max(1, s.size)))
    xy = np.column_stack([x, errors])
    none = np.full(len(xy), -1)
    dots = Points(xy, none, Role.SAMPLE, tag="size")
    last = Points(xy[-1:], none[-1:], Role.ACTIVE, tag="size")
    return dots, last
