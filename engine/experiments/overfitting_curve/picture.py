"""Both errors over the complexity; beside them the model of the present complexity, and how large
it is.
"""

from engine.authoring import Step, frozen, np
from engine.core.layers import NO_GROUP, Layer, Points, Polyline, Role, Segments
from engine.core.scene import Plot, Scene
from engine.core.tags import joined, step_tags
from engine.experiments.overfitting_curve import Setting, State
from engine.experiments.parts.curves import FLOOR, Axis, curve_layers, stations, upwards
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.pictures import Surfaces, model_scene
from engine.experiments.parts.sweep import model_size

FIELDS = Surfaces()


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    return model_scene(given.problem, given.rows, s.model, (curve(given, s),), *sizes(given, s))


def axis_of(given: Setting) -> Axis:
    return Axis(given.sweep.values[0], given.sweep.values[-1], given.sweep.powers)


def curve(given: Setting, s: State) -> Plot:
    """Unseen in ink with its band, learnt from dashed; the present value with the errors of its
    splits, at the end the best.
    """
    axis = axis_of(given)
    points = np.array([p for p in s.points if p.error == p.error]).reshape(-1, 5)
    now = np.array([e for e in s.errors if e == e and s.best < 0])
    spread = np.nan_to_num(points[:, 2])
    high = upwards(
        given.problem, max((points[:, 1] + spread).max(initial=0.0), now.max(initial=0.0))
    )
    x = axis.places(points[:, 0])
    error, train, now = (np.minimum(e, 3 * high) for e in (points[:, 1], points[:, 3], now))
    layers: list[Layer] = [*curve_layers(x, error, np.minimum(spread, 3 * high), "unseen", "curve")]
    layers.append(
        Polyline(np.column_stack([x, train]), Role.HELD_OUT, label="learnt from", tag="train")
    )
    if s.value == s.value:
        at = axis.place(s.points[s.best].value if s.best >= 0 else s.value)
        role, name = (Role.MARGIN, ("least error",)) if s.best >= 0 else (Role.GHOST, ())
        layers.append(Segments(frozen([[[at, -np.inf], [at, np.inf]]]), role, name, tag="value"))
    every = axis.places(given.sweep.values)
    means = [min(p.error, 3 * high) for p in s.points]
    layers += stations(every, means, FLOOR * high, step_tags("mean", len(every)))
    if len(now):
        xy = np.column_stack([np.full(len(now), at), now])
        mean = frozen([[at, min(s.errors.mean, 3 * high)]])
        layers.append(Points(xy, np.full(len(xy), NO_GROUP), Role.SAMPLE, tag="now"))
        layers.append(Points(mean, np.array([NO_GROUP]), Role.ACTIVE, tag="now"))
    return Plot(
        "Error by complexity",
        given.sweep.axis,
        loss_name(given.problem),
        tuple(layers),
        beside=True,
        x_range=axis.range,
        y_range=(-0.18 * high, 1.08 * high),
        x_ticks=axis.ticks,
    )


def sizes(given: Setting, s: State) -> tuple[Plot, ...]:
    """How large the models are, where they have a size."""
    points = [p for p in s.points if p.size >= 0]
    unit = s.model and model_size(s.model)
    if not points or not unit:
        return ()
    axis = axis_of(given)
    xy = np.column_stack([axis.places(p.value for p in points), [float(p.size) for p in points]])
    at = s.points[s.best].value if s.best >= 0 else points[-1].value
    now = xy[[p.value == at for p in points]]
    tag = joined("size", "value")
    layers = (
        Polyline(xy, Role.BOUNDARY, tag=tag),
        Points(now, np.array([NO_GROUP]), Role.ACTIVE, tag=tag),
    )
    return (
        Plot(
            "Size",
            given.sweep.axis,
            unit[1],
            layers,
            beside=True,
            x_range=axis.range,
            x_ticks=axis.ticks,
        ),
    )
