"""The curve with its band, the errors of the present trials as dots, and the model of the trial."""

from engine.authoring import Step, np
from engine.core.scene import Plot, Points, Polyline, Role, Scene
from engine.core.tags import step_tags
from engine.experiments.learning_curve import Setting, State
from engine.experiments.parts.curves import Axis, curve_layers, stations
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.pictures import Surfaces, model_scene

FIELDS = Surfaces()


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    return model_scene(given.problem, given.rows, s.model, (curve(given, s),), judged=False)


def shows_right(given: Setting) -> bool:
    """The curve shows what is right, not what is wrong."""
    return given.p.show == "right" and not given.problem.regress


def shares(given: Setting) -> tuple[float, float]:
    """The range of the shown shares, about from chance to all: it does not move while the curve
    grows.
    """
    chance = 1 / max(2, len(given.problem.classes))
    return (max(0.0, chance - 0.2), 1.1) if shows_right(given) else (-0.05, min(1.05, 1.2 - chance))


def curve(given: Setting, s: State) -> Plot:
    """Mean and deviation over the sizes done, and dots for the trials of the size that
    is in work.
    """
    turned = 1.0 if shows_right(given) else 0.0  # share right is 1 − share wrong
    axis = Axis(1, len(given.rows), given.p.spaced == "in powers")
    points = np.array([point for point in s.points if point.mean == point.mean]).reshape(-1, 4)
    x, mean, spread, train = axis.places(points[:, 0]), *(points[:, j] for j in (1, 2, 3))
    mean, train = np.abs(turned - mean), np.abs(turned - train)
    seen = Polyline(np.column_stack([x, train]), Role.HELD_OUT, label="learnt from", tag="curve")
    errors = np.abs(turned - np.array([e for e in s.errors if e == e]))
    at = np.column_stack([np.full(len(errors), axis.place(max(1, s.size))), errors])
    dots = Points(at, np.full(len(at), -1), Role.SAMPLE, tag="size")
    now = Points(at[-1:], np.full(len(at[-1:]), -1), Role.ACTIVE, tag="size")
    means = [abs(turned - p.mean) for p in s.points]
    ends = shares(given)
    floor = (
        -0.12 * float(mean.max(initial=0.0))
        if given.problem.regress
        else 0.9 * ends[0] + 0.1 * ends[1]
    )
    marks = stations(axis.places(given.sizes), means, floor, step_tags("mean", len(given.sizes)))
    name = "right on unseen rows" if shows_right(given) else loss_name(given.problem)
    return Plot(
        "Learning curve",
        "rows learnt from",
        name,
        (*curve_layers(x, mean, np.nan_to_num(spread), "unseen", "curve"), seen, *marks, dots, now),
        beside=True,
        x_range=axis.range,
        y_range=None if given.problem.regress else shares(given),
        x_ticks=axis.ticks,
    )
