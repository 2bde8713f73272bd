"""Both errors over the complexity; beside them the model of the present complexity, and how large
it is.
"""

from engine.authoring import Step, np, number
from engine.base.notation import counted
from engine.base.tags import joined, step_tags
from engine.experiments.overfitting_curve import Setting, State
from engine.experiments.parts.curves import (
    FLOOR,
    Axis,
    baseline_line,
    curve_layers,
    results,
    stations,
    upright,
    upwards,
)
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.pictures import Surfaces, model_scene
from engine.experiments.parts.sweep import model_size
from engine.scene.layers import NO_GROUP, Layer, Points, Polyline, Role, Segments
from engine.scene.scene import Plot, Scene

FIELDS = Surfaces()


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    return model_scene(
        given.problem, given.rows, s.model, (curve(given, s, step.line),), *sizes(given, s)
    )


def axis_of(given: Setting) -> Axis:
    """The axis of complexities."""
    values = given.sweep.values
    return Axis(values[0], values[-1], given.sweep.powers)


def curve(given: Setting, s: State, line: str) -> Plot:
    """A plot over the complexity: error on unseen rows in ink with a band, on rows learnt from
    dashed; the errors of the present splits, at the end the best value.
    """
    axis = axis_of(given)
    points = [point for point in s.points if point.error == point.error]
    error = np.array([point.error for point in points])
    train = np.array([point.train for point in points])
    spread = np.nan_to_num([point.deviation for point in points])
    now = np.array([e for e in s.errors if e == e and s.best < 0])
    top = max((error + spread).max(initial=0.0), now.max(initial=0.0))
    high = upwards(given.problem, top)
    most = 3 * high  # lines may leave the picture but not by much
    x = axis.places(point.value for point in points)
    band = np.minimum(spread, most)
    seen = np.column_stack([x, np.minimum(train, most)])
    done = line == "mean" and len(now) > 0
    names = ("", "") if done else ("unseen", "learnt from")  # else they stand at the rings
    layers: list[Layer] = [*curve_layers(x, np.minimum(error, most), band, names[0], "curve")]
    layers.append(Polyline(seen, Role.HELD_OUT, label=names[1], tag="train"))
    layers += baseline_line(given.problem, axis, right=False, beside=error.tolist())
    if s.best >= 0:
        best = upright(axis.place(s.points[s.best].value))
        least = f"least error {number(s.points[s.best].error)}"
        layers.append(Segments(best, Role.MARGIN, (least,), tag="value"))
    elif s.value == s.value:
        layers.append(Segments(upright(axis.place(s.value)), Role.GHOST, (), tag="value"))
    places = axis.places(given.sweep.values)
    means = [min(point.error, most) for point in s.points]
    layers += stations(places, means, FLOOR * high, step_tags("mean", len(places)))
    if len(now):
        hollow = [(min(s.errors.mean, most), "curve", "unseen")]
        hollow += [(min(s.train.mean, most), "train", "learnt from")] * done
        last = min(s.errors.last, most) if line == "test" else np.nan
        layers += results(axis.place(s.value), np.minimum(now, most), last, hollow, done)
    return Plot(
        f"Error by complexity: {title(given, s)}",
        given.sweep.axis,
        loss_name(given.problem),
        tuple(layers),
        beside=True,
        x_range=axis.range,
        y_range=(-0.18 * high, 1.08 * high),
        x_ticks=axis.ticks,
    )


def title(given: Setting, s: State) -> str:
    """What the step is about: how much is to be done, the present complexity, or the best one."""
    sweep = given.sweep
    if s.best >= 0:
        return f"least with {sweep.named(s.points[s.best].value)}"
    if s.value == s.value:
        return sweep.named(s.value)
    rows = f"{given.m} of {counted(len(given.rows), 'row')} laid aside"
    return f"{rows}, {counted(given.p.splits, 'time')}"


def sizes(given: Setting, s: State) -> tuple[Plot, ...]:
    """A plot of the size of the models over the complexity; () where models have no size."""
    points = [point for point in s.points if point.size >= 0]
    size = None if s.model is None else model_size(s.model)
    if not points or size is None:
        return ()
    axis = axis_of(given)
    value = s.points[s.best].value if s.best >= 0 else points[-1].value
    x = axis.places(point.value for point in points)
    xy = np.column_stack([x, [float(point.size) for point in points]])
    now = xy[[point.value == value for point in points]]
    tag = joined("size", "value")
    plot = Plot(
        "Size",
        given.sweep.axis,
        size[1],
        (
            Polyline(xy, Role.BOUNDARY, tag=tag),
            Points(now, np.array([NO_GROUP]), Role.ACTIVE, tag=tag),
        ),
        beside=True,
        x_range=axis.range,
        x_ticks=axis.ticks,
    )
    return (plot,)
