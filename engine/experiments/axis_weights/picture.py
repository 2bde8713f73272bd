"""The factors as bars, the errors with the values of one of them as a curve, those of all as a
table, and the plane with the shown z.
"""

from engine.authoring import Step, frozen, np, replace, short
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
    own = (factors(given, s), errors(given, s), tried(given, s))
    found = model_scene(given.problem, given.rows, s.model, own, judged=False)
    return replace(found, leads=(own[0].title, "Error"))


def factors(given: Setting, s: State) -> Bars:
    """A bar for each axis, as long as its factor; a tick where it stood before this round."""
    roles = tuple(
        Role.ACTIVE if j == s.axis else Role.REJECTED if factor == 0 else Role.PLAIN
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
    )


def errors(given: Setting, s: State) -> Plot:
    """A plot of the error over the values of the factor at hand, before and after a round over
    those of the first or last one, the value that is tried or taken ringed.
    """
    last = given.problem.d - 1
    j = s.axis if s.axis >= 0 else last if s.round else 0
    at = np.flatnonzero(~np.isnan(s.tried[j]))
    xy = frozen(np.column_stack([at, s.tried[j, at]]))
    now = xy[at == s.value]
    none = np.full(len(xy), NO_GROUP)
    top = 1.15 * float(np.nanmax([*s.tried[j], 2 * s.error])) or 1.0
    kept = frozen([[len(given.values) - 1.0, s.error + 0.03 * top]])
    layers = (
        Segments(frozen([[[-np.inf, s.error], [np.inf, s.error]]]), Role.GHOST, tag="z"),
        Labels(kept, ("kept",), Role.GHOST, tag="z"),
        Polyline(xy, Role.PLAIN, tag="z"),
        Points(xy, none, Role.SAMPLE, tag="z"),
        Points(now, none[: len(now)], Role.ACTIVE, tag="z"),
    )
    name = given.problem.titles[j]
    return Plot(
        f"Error: with each z of {name}",
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
