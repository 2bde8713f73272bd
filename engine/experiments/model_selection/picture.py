"""errT and errV over the size as they grow, where it stops and which size is taken; beside them the
model of the fold.
"""

from collections.abc import Iterable

from engine.authoring import Float, Step, frozen, np, number
from engine.base.notation import counted
from engine.base.records import replace
from engine.base.tags import step_tags
from engine.experiments.model_selection import Setting, Size, State
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
from engine.experiments.parts.loss import loss_name, lowest
from engine.experiments.parts.pictures import Surfaces, dealt_table, model_scene
from engine.scene.layers import NO_GROUP, Labels, Layer, Points, Polyline, Role, Segments
from engine.scene.scene import Plot, Scene, Table, TableColumn
from engine.table.dataset import Feature

FIELDS = Surfaces()


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    figures = (curves(given, s, step.line),)
    if step.line == "deal":
        found = model_scene(given.problem, given.rows, None, (*figures, folds(given, s)))
        return replace(found, leads=("Folds", *found.leads[1:]))
    found = model_scene(given.problem, given.rows, s.model, figures)
    learnt = step.line == "learn" and s.model is not None
    return (
        replace(found, plane=f"Learnt from all {counted(len(given.rows), 'row')}")
        if learnt
        else found
    )


def folds(given: Setting, s: State) -> Table:
    """The examples with the fold of each."""
    fold = Feature("fold")
    column = TableColumn(fold, np.where(s.deal < 0, np.nan, s.deal + 1.0), Role.ACTIVE, digits=0)
    title = f"Folds: {counted(len(given.rows), 'row')} in {given.k}"
    return dealt_table(given.problem, title, column)


def title(given: Setting, s: State, line: str) -> str:
    """What the step is about."""
    name = given.sweep.named
    if line == "deal":
        return f"{counted(len(given.rows), 'row')} in {counted(given.k, 'fold')}"
    if line == "judge":
        least = lowest([size.validation for size in s.sizes])[0]
        return "stopped in time" if least <= s.stopped else "stopped too early"
    if line == "look":
        return f"{name(s.value)}, not tried"
    if s.best >= 0:
        return f"{name(s.sizes[s.best].value)} is taken"
    if s.stopped >= 0:
        return f"stopped at {name(s.value)}"
    return f"{name(s.value)}, it goes on" if line == "until" else name(s.value)


def curves(given: Setting, s: State, line: str) -> Plot:
    """A plot over the sizes: errV in ink with a band, errT dashed; sizes after the stop are
    pale.
    """
    sweep = given.sweep
    axis = Axis(sweep.values[0], sweep.values[-1], sweep.powers)
    high = upwards(given.problem, highest(s))
    tried = known(s.sizes[: s.stopped + 1] if s.stopped >= 0 else s.sizes)
    x, validation, training = places(axis, tried, high)
    spread = np.minimum(np.nan_to_num([size.deviation for size in tried]), 3 * high)
    dashed = np.column_stack([x, training])
    done = line == "errors" and bool(len(s.errors))
    of_curve = "" if done or line == "judge" else "errV"  # there rings have its room
    layers: list[Layer] = [*curve_layers(x, validation, spread, of_curve, "validation")]
    fell = falling(dashed) if line == "until" and given.waits and not s.still else []
    name = "" if fell or done else "errT"
    layers.append(Polyline(dashed, Role.HELD_OUT, label=name, tag="training"))
    layers += baseline_line(given.problem, axis, right=False)
    beyond = known(s.sizes[s.stopped :]) if s.stopped >= 0 else []
    if len(beyond) > 1:
        far, *errors = places(axis, beyond, high)
        layers += [
            Polyline(np.column_stack([far, e]), Role.GHOST, label=name, tag="beyond")
            for e, name in zip(errors, ("" if line == "look" else "not tried", ""), strict=True)
        ]
    if line == "until" and s.still and given.waits:
        layers += stopping(given, s, x, training, high)
    layers += fell
    # lines lie beneath points
    points = (*dots(given, s, axis, high), *marks(axis, s, line, high))
    if line == "look":
        points = (*points, *looked_at(given, axis, s, high))
    layers += sorted(points, key=is_points)
    return Plot(
        f"Errors by size: {title(given, s, line)}",
        sweep.axis,
        loss_name(given.problem),
        tuple(layers),
        beside=True,
        x_range=axis.range,
        y_range=(-0.18 * high, 1.08 * high),
        x_ticks=axis.ticks,
    )


def is_points(layer: Layer) -> bool:
    """Whether it consists of points."""
    return isinstance(layer, Points)


def known(sizes: Iterable[Size]) -> list[Size]:
    """The sizes whose errors are known, that is not NaN."""
    return [size for size in sizes if size.validation == size.validation]


def highest(s: State) -> float:
    """The largest error that is drawn."""
    errors = [e for e in s.errors if e == e]
    for size in s.sizes:
        bounds = (size.validation + np.nan_to_num(size.deviation), size.training)
        errors += [e for e in bounds if e == e]
    return max(errors, default=0.0)


def dots(given: Setting, s: State, axis: Axis, high: float) -> tuple[Layer, ...]:
    """A mark for each size; a click on it leads to the step at which its errors are known."""
    sizes = given.sweep.simplest_first
    count = s.stopped + 1 if s.stopped >= 0 else len(sizes)
    tags = (*step_tags("errors", count), *step_tags("look", len(sizes) - count))
    means = [min(size.validation, 3 * high) for size in s.sizes]
    return stations(axis.places(sizes), means, FLOOR * high, tags)


def places(axis: Axis, sizes: list[Size], high: float) -> tuple[Float, Float, Float]:
    """(x, errV, errT), (m,) each, in coordinates of the plot; very high errors are cut off at three
    times `high`.
    """
    x = axis.places(size.value for size in sizes)
    validation = np.minimum([size.validation for size in sizes], 3 * high)
    training = np.minimum([size.training for size in sizes], 3 * high)
    return x, validation, training


def stopping(given: Setting, s: State, x: Float, training: Float, high: float) -> list[Layer]:
    """The stretch of sizes over which errT has not fallen, labelled "stop? 2 of 3"."""
    flat = np.column_stack([x, training])[-1 - s.still :]
    words = f"stop? {s.still} of {given.p.patience}"
    return [
        Polyline(frozen(flat), Role.ACTIVE, tag="still"),
        Labels(frozen([[x[-1], training[-1] - 0.1 * high]]), (words,), Role.PLAIN, tag="still"),
    ]


def falling(training: Float) -> list[Layer]:
    """The last fall of errT, with what it has fallen to; training (m, 2) the places of errT.

    [] where the last size has no errT
    """
    known = training[np.isfinite(training[:, 1])]
    if not len(known) or training[-1, 1] != training[-1, 1]:
        return []
    said = f"errT {number(float(known[-1, 1]))}"
    last = Points(known[-1:], np.array([NO_GROUP]), Role.PLAIN, tag="training")
    ring = replace(last, role=Role.NEAREST, label=(said,))
    return [Polyline(known[-2:], Role.ACTIVE, tag="training"), last, ring]


def marks(axis: Axis, s: State, line: str, high: float) -> list[Layer]:
    """The present size with the errors of its folds; at the end the lines that `ends` draws."""
    if s.best >= 0:
        return ends(axis, s, line, high)
    if s.value != s.value:
        return []
    x = axis.place(s.value)
    errors = np.minimum([e for e in s.errors if e == e], 3 * high)
    means = []
    if len(errors):
        done = s.sizes[-1] if line == "errors" else None
        means = [(float(errors.mean()), "validation", "errV")]
        means += [] if done is None else [(min(done.training, 3 * high), "training", "errT")]
    last = min(s.errors.last, 3 * high) if line == "fold" else np.nan
    return [
        Segments(upright(x), Role.GHOST, tag="value"),
        *results(x, errors, last, means, line == "errors"),
    ]


def looked_at(given: Setting, axis: Axis, s: State, high: float) -> list[Layer]:
    """Both errors of the size that is looked at without being tried, with their numbers."""
    x, *errors = places(axis, known(s.sizes[-1:]), high)
    name = given.sweep.named(s.value)
    return [
        Points(
            np.column_stack([x, e]),
            np.full(len(x), NO_GROUP),
            Role.ACTIVE,
            label=tuple(f"{said} {number(float(value))}" for value in e),
            tag="beyond",
        )
        for e, said in zip(errors, (f"{name}, not tried:", "errT"), strict=True)
    ]


def ends(axis: Axis, s: State, line: str, high: float) -> list[Layer]:
    """Upright lines at the size where the search stopped, at the chosen size, and at a better one
    beyond, if any; the errV that a line compares are ringed, with their numbers.
    """
    least = lowest([size.validation for size in s.sizes])[0]
    lines = [(s.stopped, Role.GHOST, "stopped", "stop"), (s.best, Role.MARGIN, "taken", "best")]
    if least > s.stopped:
        lines.append((least, Role.GHOST, "missed", "beyond"))
    found: list[Layer] = [
        Segments(upright(axis.place(s.sizes[at].value)), role, (name,), tag=tag)
        for at, role, name, tag in lines
    ]
    rings = {"best": [(s.best, Role.NEAREST)]}
    if line == "judge":  # against the one that is taken, the best of those not tried
        others = [size.validation for size in s.sizes[s.stopped + 1 :]]
        rings["judge"] = [(s.best, Role.NEIGHBOUR)]
        rings["judge"] += [(s.stopped + 1 + at, Role.NEAREST) for at in lowest(others)[:1]]
    for at, role in rings.get(line, []):
        size = s.sizes[at]
        place = np.array([[axis.place(size.value), min(size.validation, 3 * high)]])
        said = (number(size.validation),)
        found.append(Points(place, np.array([NO_GROUP]), role, label=said, tag="best"))
    return found
