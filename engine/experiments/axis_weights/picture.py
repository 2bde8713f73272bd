"""The factors as bars, the errors of all factors as a table, and the plane with the shown z."""

from engine.authoring import Step, frozen, replace, short
from engine.base.tags import column_tag
from engine.experiments.axis_weights import Setting, State
from engine.experiments.parts.pictures import Surfaces, model_scene
from engine.scene.figures import TableColumn, text_column
from engine.scene.layers import Role
from engine.scene.scene import Bars, Scene, Table
from engine.table.dataset import Feature

FIELDS = Surfaces()


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    own = (factors(given, s), tried(given, s))
    found = model_scene(given.problem, given.rows, s.model, own, judged=False)
    return replace(found, leads=(own[0].title, own[1].title))


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
        ticks="before this step",
        tags=tuple(column_tag(f.name) for f in given.problem.features),
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
