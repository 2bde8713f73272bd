"""A learning curve for each of the three tables."""

from engine.authoring import Step, frozen, np
from engine.base.notation import counted
from engine.base.tags import step_tags
from engine.experiments.column_curves import NAMES, Setting, State
from engine.experiments.parts.curves import (
    Axis,
    End,
    named_baseline,
    names_at_ends,
    side_by_side,
    size_words,
    station_now,
    stations,
    upwards,
)
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.pictures import as_said, as_shown, shows_right
from engine.scene.layers import NO_GROUP, Boxes, Labels, Layer, Points, Polyline, Role
from engine.scene.scene import Plot, Scene, data_points, data_table
from engine.scene.views import PLANE

_ROOM = 0.3  # of the width, at the right, for the names of the curves
_TRIALS = 0.08  # of the width without it, over which the trials of one size stand
_HIGH = 0.55  # of the room of a table, its boxes
_MANY = 60  # columns that have a box each


def scene(given: Setting, step: Step[State]) -> Scene:
    own = tables(given) if step.line == "tables" else curves(given, step)
    plane = (data_points(given.problem),) if given.problem.plane else ()
    name = "Tables" if step.line == "tables" else "Learning curves"
    leads = (name, PLANE) if plane else (name,)
    return Scene(plane, (own, data_table(given.problem)), leads=leads)


def heights(given: Setting, s: State) -> tuple[float, float]:
    """The range of the errors, or of the shares right."""
    if shows_right(given):
        chance = 1 / max(2, len(given.problem.classes))
        return max(0.0, chance - 0.2), 1.1
    known = [e for point in s.points for e in point.means if e == e]
    known += [e for errors in s.errors for e in errors if e == e]
    high = upwards(given.problem, max(known, default=0.0))
    return -0.08 * high, 1.08 * high


def names(given: Setting) -> tuple[str, str, str]:
    """Of the three tables: all columns, without one, with irrelevant ones."""
    missing = given.problem.titles[given.left_out]
    return NAMES[0], f"without {missing}", f"with {given.p.irrelevant} irrelevant"


def tables(given: Setting) -> Plot:
    """The three tables before anything is learnt, with a box for each column: all columns, one
    left out, dashed, and those of chance, pale.
    """
    d = given.problem.d
    more = given.p.irrelevant
    layers: list[Layer] = []
    counts = (d, d - 1, d + more)
    for table, (name, count) in enumerate(zip(names(given), counts, strict=True)):
        kinds = [Role.PLAIN] * d
        if table == 1:
            kinds[given.left_out] = Role.GHOST
        kinds += [Role.INACTIVE] * (more if table == 2 else 0)
        for role in (Role.PLAIN, Role.INACTIVE, Role.GHOST):
            places = [k for k, kind in enumerate(kinds) if kind is role]
            if places:
                layers.append(columns(places, -float(table), role, f"table {table}"))
        title = f"{name}: {counted(count, 'column')}"
        place = frozen([[(d + more) / 2, _HIGH + 0.14 - table]])
        layers.append(Labels(place, (title,), tag=f"table {table}"))
    return Plot(
        f"Tables: {given.learner.name} learns on each",
        "columns",
        "",
        tuple(layers),
        beside=True,
        x_range=(-0.03 * (d + more), 1.03 * (d + more)),
        y_range=(-2.4, 1.0),
        ticks=False,
    )


def columns(places: list[int], y: float, role: Role, tag: str) -> Boxes:
    """A box for each of the columns at these places, or one for all of very many."""
    runs = [(k, k + 0.8) for k in places]
    if len(places) > _MANY:
        runs = [(places[0], places[-1] + 0.8)]
    bounds = frozen([[left, y, right, y + _HIGH] for left, right in runs])
    return Boxes(bounds, np.full(len(bounds), NO_GROUP), role, tag=tag)


def heading(given: Setting, step: Step[State]) -> str:
    """The title of the curves, with what this step does."""
    s = step.state
    rows = counted(s.size, "row")
    said = ""
    match step.line:
        case "size" | "draw":
            said = size_words(step.line, s.size, len(given.rows) - s.size, len(s.errors[0]) + 1)
        case "test":
            errors = as_said(given, *(each.last for each in s.errors))
            said = f"trial {len(s.errors[0])} with {rows}, {errors}"
        case "mean":
            said = f"{rows}, {as_said(given, *s.points[-1].means)} on average"
    return f"Learning curves: {said}" if said else "Learning curves"


def curves(given: Setting, step: Step[State]) -> Plot:
    """The means over the sizes that are done, and pale marks for the trials of the present size,
    those of each table beside the others', each with the name of its table; in amber the size that
    begins, the trial of this step, or the new means.
    """
    s = step.state
    tests = step.line == "test"
    axis = Axis(1, given.sizes[-1], given.p.spaced == "in powers")
    low, high = axis.range
    x_range = (low, high + _ROOM * (high - low))
    y_range = heights(given, s)
    trials = _TRIALS * (high - low)
    at_work = not len(s.points) or s.points[-1].size != s.size
    here = axis.place(max(1, s.size))
    now = list[Layer]()
    last = axis.place(s.points[-1].size) if len(s.points) else -np.inf
    baseline, ends = named_baseline(given.problem, axis, shows_right(given), last)
    layers: list[Layer] = [*baseline]
    for table, name in enumerate(names(given)):
        tag = f"table {table}"
        points = [point for point in s.points if np.isfinite(point.means[table])]
        means = as_shown(given, [point.means[table] for point in points])
        xy = np.column_stack([axis.places(point.size for point in points), means])
        layers.append(Polyline(xy, Role.PLAIN, group=table, tag=tag))
        tried = list(s.errors[table]) if at_work and s.errors else []
        errors = as_shown(given, tried)
        known = [(here + trials / 2, e) for e in errors.tolist() if e == e] or xy.tolist()
        if known:  # the name stands beside the newest mark
            x, y = known[-1]
            ends.append(End(x, float(np.clip(y, *y_range)), name, tag, table))
        if points and points[-1] is s.points[-1] and not at_work:  # the means of this step
            layers.append(Points(xy[-1:], np.array([table]), Role.ACTIVE, tag=tag))
        if at_work and s.errors:
            latest = tried[-1] if tried else np.nan  # NaN where there was nothing to judge by
            across = side_by_side(here, trials, given.p.trials, table, 3)
            dots = np.column_stack([across[: len(errors)], errors])[np.isfinite(errors)]
            layers.append(Points(dots, np.full(len(dots), table), Role.INACTIVE, tag=tag))
            if tests and latest == latest:
                now.append(Points(dots[-1:], np.array([table]), Role.ACTIVE, tag=tag))
    layers += now
    floor = 0.98 * y_range[0] + 0.02 * y_range[1]
    tags = step_tags("mean", len(given.sizes))
    layers += stations(axis.places(given.sizes), [np.nan] * len(s.points), floor, tags)
    if step.line in ("size", "draw"):
        layers.append(station_now(here, floor))
    past = here + trials / 2 if at_work else -np.inf
    named = names_at_ends(ends, x_range[1] - x_range[0], y_range[1] - y_range[0], past)
    return Plot(
        heading(given, step),
        "rows learnt from",
        "right on unseen rows" if shows_right(given) else loss_name(given.problem),
        (*layers, *named),
        beside=True,
        x_range=x_range,
        y_range=y_range,
        x_ticks=axis.ticks,
    )
