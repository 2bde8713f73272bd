"""errT and errV over the size as they grow, where it stops and which size is taken; beside them the
model of the fold.
"""

from engine.authoring import Float, Step, frozen, np
from engine.core.layers import NO_GROUP, Labels, Layer, Points, Polyline, Role, Segments
from engine.core.scene import Plot, Scene
from engine.core.tags import step_tags
from engine.experiments.model_selection import Setting, State
from engine.experiments.model_selection.size import Size
from engine.experiments.parts.curves import FLOOR, Axis, curve_layers, stations, upwards
from engine.experiments.parts.loss import loss_name, lowest
from engine.experiments.parts.pictures import Surfaces, model_scene

FIELDS = Surfaces()


def scene(given: Setting, step: Step[State]) -> Scene:
    return model_scene(
        given.problem, given.rows, step.state.model, (curves(given, step.state, step.line),)
    )


def curves(given: Setting, s: State, line: str) -> Plot:
    """errV in ink with its band, errT dashed, pale beyond the size at which it stopped."""
    sweep = given.sweep
    tops = [
        e
        for p in s.sizes
        for e in (p.validation + np.nan_to_num(p.deviation), p.training)
        if e == e
    ]
    axis = Axis(sweep.values[0], sweep.values[-1], sweep.powers)
    high = upwards(given.problem, max([*tops, *(e for e in s.errors if e == e)], default=0.0))
    tried = [p for p in s.sizes[: s.stopped + 1 or None] if p.validation == p.validation]
    beyond = (
        [p for p in s.sizes[s.stopped :] if p.validation == p.validation] if s.stopped >= 0 else []
    )
    x, validation, training = places(axis, tried, high)
    spread = np.minimum(np.nan_to_num([p.deviation for p in tried]), 3 * high)
    layers: list[Layer] = [*curve_layers(x, validation, spread, "errV", "validation")]
    layers.append(
        Polyline(np.column_stack([x, training]), Role.HELD_OUT, label="errT", tag="training")
    )
    if len(beyond) > 1:
        far, *errors = places(axis, beyond, high)
        layers += [Polyline(np.column_stack([far, e]), Role.GHOST, tag="beyond") for e in errors]
    every = sweep.simplest_first
    count = s.stopped + 1 or len(sweep.values)
    tags = (*step_tags("errors", count), *step_tags("look", len(every) - count))
    means = [min(p.validation, 3 * high) for p in s.sizes]
    layers += (
        stopping(given, s, x, training, high) if line == "until" and s.still and given.waits else []
    )
    dots = stations(axis.places(every), means, FLOOR * high, tags)
    # lines beneath
    layers += sorted((*dots, *marks(axis, s, high)), key=lambda layer: isinstance(layer, Points))
    return Plot(
        "Errors by size",
        sweep.axis,
        loss_name(given.problem),
        tuple(layers),
        beside=True,
        x_range=axis.range,
        y_range=(-0.18 * high, 1.08 * high),
        x_ticks=axis.ticks,
    )


def places(axis: Axis, sizes: list[Size], high: float) -> tuple[Float, Float, Float]:
    """x, errV and errT, which may leave the picture but not by much."""
    x = axis.places(p.value for p in sizes)
    validation, training = (
        np.minimum(errors, 3 * high)
        for errors in ([p.validation for p in sizes], [p.training for p in sizes])
    )
    return x, validation, training


def stopping(given: Setting, s: State, x: Float, training: Float, high: float) -> list[Layer]:
    """Stop now? The stretch on which errT has not fallen, and for how many of how many sizes."""
    flat = np.column_stack([x, training])[-1 - s.still :]
    words = f"stop? {s.still} of {given.p.patience}"
    return [
        Polyline(frozen(flat), Role.ACTIVE, tag="still"),
        Labels(frozen([[x[-1], training[-1] - 0.1 * high]]), (words,), Role.PLAIN, tag="still"),
    ]


def marks(axis: Axis, s: State, high: float) -> list[Layer]:
    """The present size with the errors of its folds, where it stopped, the size that is taken, and
    a better one that was not tried.
    """
    layers: list[Layer] = []
    if s.best < 0 and s.value == s.value:
        known = np.minimum([e for e in s.errors if e == e], 3 * high)
        at = axis.place(s.value)
        layers.append(Segments(frozen([[[at, -np.inf], [at, np.inf]]]), Role.GHOST, tag="value"))
        xy = np.column_stack([np.full(len(known), at), known])
        layers.append(Points(xy, np.full(len(xy), NO_GROUP), Role.SAMPLE, tag="now"))
        if len(known):
            layers.append(
                Points(frozen([[at, known.mean()]]), np.array([NO_GROUP]), Role.ACTIVE, tag="now")
            )
    if s.best < 0:
        return layers
    least = lowest([p.validation for p in s.sizes])[0]
    ends = [(s.stopped, Role.GHOST, "stopped", "stop"), (s.best, Role.MARGIN, "taken", "best")]
    if least > s.stopped:
        ends.append((least, Role.GHOST, "missed", "beyond"))
    for number, role, name, tag in ends:
        at = axis.place(s.sizes[number].value)
        layers.append(Segments(frozen([[[at, -np.inf], [at, np.inf]]]), role, (name,), tag=tag))
    return layers
