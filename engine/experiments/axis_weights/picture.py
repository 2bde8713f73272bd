"""The factors as bars, the errors with the values of one of them as a curve, those of all as a
table, and the plane with the shown z.
"""

from engine.authoring import Float, Step, frozen, np, replace, short
from engine.base.notation import fixed
from engine.base.tags import column_tag
from engine.experiments.axis_weights import Setting, State
from engine.experiments.parts.pictures import Surfaces, model_scene
from engine.scene.figures import TableColumn, text_column
from engine.scene.layers import NO_GROUP, Labels, Points, Polyline, Role, Segments
from engine.scene.scene import Bars, Plot, Scene, Table
from engine.table.dataset import Feature

FIELDS = Surfaces()


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    own = (factors(given, s, step.line), errors(given, s, step.line), tried(given, s))
    found = model_scene(given.problem, given.rows, s.model, own, judged=False)
    return replace(found, leads=(own[0].title, "Error"))


def factors(given: Setting, s: State, line: str) -> Bars:
    """A bar for each axis, as long as its factor; a tick where it stood before this round, at whose
    end those that it changed are in amber.
    """
    now = s.z != s.before if line == "until" else np.arange(len(s.z)) == s.axis
    roles = tuple(
        Role.ACTIVE if now[j] else Role.REJECTED if factor == 0 else Role.PLAIN
        for j, factor in enumerate(s.z.tolist())
    )
    return Bars(
        "Factors z",
        given.problem.titles,
        s.z,
        roles,
        s.before,
        digits=2,
        tag="z",
        beside=True,
        ticks="before this round",
        tags=tuple(column_tag(f.name) for f in given.problem.features),
        checked=line == "set",
    )


def error_title(given: Setting, s: State, line: str) -> str:
    """What this step finds out about the error."""
    name = given.problem.titles[s.axis]
    e = fixed(s.error)
    if line == "start":
        return f"Error: {e} with every z = 1"
    if line == "test":
        e = fixed(float(s.tried[s.axis, s.value]))
        return f"Error: {e} with z = {short(given.values[s.value])} of {name}"
    if line == "set":
        turns = "stays" if s.value < 0 else "becomes"
        return f"Error: {e}, z of {name} {turns} {short(float(s.z[s.axis]))}"
    if line == "until":
        changed = int((s.z != s.before).sum()) or "no"
        return f"Error: {e} after round {s.round}, {changed} z changed"
    return f"Error: with each z of {name}"


def errors(given: Setting, s: State, line: str) -> Plot:
    """A plot of the error over the values of the factor at hand, the value that is tried or taken
    ringed; before and after a round the error alone.
    """
    j = max(s.axis, 0)
    at = np.flatnonzero(~np.isnan(s.tried[j])) if s.axis >= 0 else np.zeros(0, np.intp)
    xy = frozen(np.column_stack([at, s.tried[j, at]]))
    taken = s.value
    if line == "set" and taken < 0:  # z stays
        taken = next((i for i, value in enumerate(given.values) if value == s.z[j]), -1)
    now: Float = xy[at == taken]
    none = np.full(len(xy), NO_GROUP)
    top = 1.15 * float(np.nanmax([*s.tried[j], 2 * s.error])) or 1.0
    middle = frozen([[(len(given.values) - 1) / 2, s.error + 0.03 * top]])
    so_far = f"{fixed(s.error)} so far" if line in ("axis", "test") else fixed(s.error)
    layers = (
        Segments(frozen([[[-np.inf, s.error], [np.inf, s.error]]]), Role.GHOST, tag="z"),
        Labels(middle, (so_far,), Role.GHOST, tag="z"),
        Polyline(xy, Role.PLAIN, tag="z"),
        Points(xy, none, Role.SAMPLE, tag="z"),
        Points(now, none[: len(now)], Role.ACTIVE, tag="z"),
    )
    return Plot(
        error_title(given, s, line),
        "z",
        "error",
        layers,
        beside=True,
        x_range=(-0.4, len(given.values) - 0.3),
        y_range=(0.0, top),
        x_ticks=tuple((float(i), short(value)) for i, value in enumerate(given.values)),
    )


def tried(given: Setting, s: State) -> Table:
    """A table with a row for each axis: its factor, and the error with each value, as tried
    last.
    """
    problem = given.problem
    columns = [
        text_column("axis", problem.titles),
        text_column("z", [short(factor) for factor in s.z.tolist()]),
    ]
    for i, value in enumerate(given.values):
        feature = Feature(f"error, z = {short(value)}")
        columns.append(TableColumn(feature, frozen(s.tried[:, i].copy()), digits=3))
    return Table(
        "Factors tried",
        columns=columns,
        names=problem.titles,
        active=s.z > 0,
        current=(s.axis,) if s.axis >= 0 else (),
        tag="z",
        tags=tuple(column_tag(f.name) for f in problem.features),
    )
