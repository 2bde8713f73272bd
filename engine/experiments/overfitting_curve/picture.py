"""Both errors over the complexity; beside them the model of the present complexity, and how large it is."""

from engine.authoring import Step, frozen, np
from engine.core.figures import Figure
from engine.core.layers import NO_GROUP, Layer, Points, Polyline, Role, Segments
from engine.core.scene import Plot, Scene, data_table
from engine.experiments.overfitting_curve import Setting, State
from engine.experiments.parts.curves import Axis, curve_layers, ends, upwards
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.pictures import Surfaces, beside, model_figures, model_layers, unseen_points
from engine.experiments.parts.sweep import model_size

FIELDS = Surfaces()


def scene(given: Setting, step: Step[State]) -> Scene:
    s, problem = step.state, given.problem
    others = np.zeros(0, np.intp) if s.model is None else np.setdiff1d(given.rows, s.model.rows)
    learnt = None if s.model is None else np.isin(np.arange(problem.n), s.model.rows)
    answers = None if s.model is None else s.model.says[others]
    own = model_figures(s.model)
    figures: tuple[Figure, ...] = (curve(given, s), *own, *sizes(given, s), data_table(problem, active=learnt))
    plane = (*model_layers(s.model, problem), *unseen_points(problem, others, answers))
    return Scene(plane, figures, leads=("Error by complexity", beside(problem, s.model, "Examples")))


def axis_of(given: Setting) -> Axis:
    return Axis(given.sweep.values[0], given.sweep.values[-1], given.sweep.powers)


def curve(given: Setting, s: State) -> Plot:
    """Unseen in ink with its band, learnt from dashed; the present value in amber, the least marked."""
    axis, sweep = axis_of(given), given.sweep
    points = np.array([p for p in s.points if p.error == p.error]).reshape(-1, 5)
    x, error, spread, train = axis.places(points[:, 0]), *(points[:, j] for j in (1, 2, 3))
    layers: list[Layer] = [*curve_layers(x, error, np.nan_to_num(spread), "unseen", "curve")]
    layers.append(Polyline(np.column_stack([x, train]), Role.HELD_OUT, label="learnt from", tag="train"))
    high = upwards(given.problem, float((error + np.nan_to_num(spread)).max(initial=0.0)))
    if s.best >= 0:
        at = axis.place(s.points[s.best].value)
        layers.append(Segments(frozen([[[at, -np.inf], [at, np.inf]]]), Role.MARGIN, ("least error",), tag="value"))
    elif s.value == s.value:
        at = axis.place(s.value)
        layers.append(Segments(frozen([[[at, -np.inf], [at, np.inf]]]), Role.GHOST, tag="value"))
        known = np.array([e for e in s.errors if e == e])
        xy = np.column_stack([np.full(len(known), at), known])
        layers.append(Points(xy, np.full(len(xy), NO_GROUP), Role.SAMPLE, tag="now"))
        if s.errors.count:
            mean = frozen([[at, s.errors.mean]])
            layers.append(Points(mean, np.array([NO_GROUP]), Role.ACTIVE, tag="now"))
    layers += ends(axis, high, sweep.smoothing)
    return Plot(
        "Error by complexity", sweep.field.label, loss_name(given.problem),
        tuple(layers), beside=True, x_range=axis.range, y_range=(-0.12 * high, high), x_ticks=axis.ticks,
    )  # fmt: skip


def sizes(given: Setting, s: State) -> tuple[Plot, ...]:
    """How large the models are, where they have a size."""
    points = [p for p in s.points if p.size >= 0]
    unit = s.model and model_size(s.model)
    if not points or not unit:
        return ()
    axis = axis_of(given)
    xy = np.column_stack([axis.places(p.value for p in points), [float(p.size) for p in points]])
    layers = (
        Polyline(xy, Role.BOUNDARY, tag="size"),
        Points(xy[-1:], np.array([NO_GROUP]), Role.ACTIVE, tag="value"),
    )
    return (Plot("Size", given.sweep.field.label, unit[1], layers, x_range=axis.range, x_ticks=axis.ticks),)
