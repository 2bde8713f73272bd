"""The looks with the best so far, the padlocks with their counts, and which rows are locked."""

from engine.authoring import Step, np
from engine.core.scene import (
    Bars,
    Layer,
    Line,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Table,
    TableColumn,
    data_table,
)
from engine.core.dataset import Feature, Kind
from engine.core.records import replace
from engine.experiments.parts.chance import least_expected
from engine.experiments.parts.pictures import Surfaces
from engine.experiments.peeking import Setting, State, expected

FIELDS = Surfaces()
PARTS = ("open", "test", "fresh")


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    figures = (looks(given, s), locks(given, s), table(given, s))
    if not problem.plane:
        return Scene((), figures, leads=("Looks", "Padlocks"))
    layers: list[Layer] = []
    for part, role, tag in (
        (0, Role.INACTIVE, "data"),
        (2, Role.HELD_OUT, "fresh"),
        (1, Role.POINT, "test"),
    ):
        rows = np.flatnonzero(s.part == part)
        seen = s.says if part == 1 else s.kept if part == 2 and s.fresh == s.fresh else None
        shown = None if seen is None else seen[rows]
        layers.append(
            Points(
                problem.xy[rows],
                s.codes[rows],
                role,
                shown,
                tag=tag,
                tags=problem.tags_of(rows.tolist()),
            )
        )
    return Scene(tuple(layers), figures, leads=("Looks", "Plane"))


def looks(given: Setting, s: State) -> Plot:
    """Error over looks: each a dot, the least so far a step line, what luck makes of it dashed, and
    the fresh rows at the end.
    """
    n = given.p.looks
    errors = np.array([*s.looks], np.float64)
    at = np.column_stack([np.arange(1, len(errors) + 1), errors])
    rows = int((s.part == 1).sum())
    kinds = len(np.unique(given.problem.codes[given.rows]))
    layers: list[Layer] = []
    if given.p.signal == "none":
        layers.append(Line(np.array([0.0, 1.0]), -(1 - 1 / kinds), Role.GHOST, "chance", "chance"))
    if expected(given, s) == expected(given, s):
        luck = np.array([least_expected(rows, k, 1 - 1 / kinds) for k in range(1, n + 1)])
        layers.append(
            Polyline(
                np.column_stack([np.arange(1, n + 1), luck]),
                Role.GHOST,
                label="luck alone",
                tag="looks",
            )
        )
    if len(errors):
        least = np.minimum.accumulate(errors)
        steps = np.column_stack([np.repeat(at[:, 0], 2)[1:], np.repeat(least, 2)[:-1]])
        layers.append(Polyline(steps, Role.BOUNDARY, label="least so far", tag="looks"))
        layers.append(Points(at[:-1], np.full(len(at) - 1, -1), Role.SAMPLE, tag="looks"))
        layers.append(Points(at[-1:], np.full(1, -1), Role.ACTIVE, tag="looks"))
    if s.fresh == s.fresh:
        layers.append(
            Points(
                np.array([[n * 1.04 + 0.5, s.fresh]]),
                np.full(1, -1),
                Role.SUPPORT,
                label=("fresh rows",),
                tag="fresh",
            )
        )
        layers.append(
            Points(np.array([[n * 1.04 + 0.5, s.fresh]]), np.full(1, -1), Role.SAMPLE, tag="fresh")
        )
    return Plot(
        "Looks",
        "looks into the test set",
        "share wrong",
        tuple(layers),
        beside=True,
        x_range=(0, 1.22 * n + 1),
        y_range=(-0.12, 1.1),
    )


def locks(given: Setting, s: State) -> Bars:
    """How often each padlock was opened."""
    opened = np.array([len(s.looks), int(s.fresh == s.fresh)], np.float64)
    return Bars(
        "Padlocks", ("test set", "fresh rows"), opened, unit="times opened", digits=0, tag="test"
    )


def table(given: Setting, s: State) -> Table:
    """The examples with their parts, the labels that count, and what the kept hypothesis says."""
    problem = given.problem
    found = data_table(problem, active=s.part > 0)
    part = TableColumn(
        Feature("part", Kind.CATEGORICAL, PARTS), np.where(s.part < 0, np.nan, s.part)
    )
    label = Feature("shuffled", Kind.CATEGORICAL, problem.classes)
    columns = [part, TableColumn(label, np.where(s.codes < 0, np.nan, s.codes).astype(np.float64))]
    if s.kept is not None:
        kept = np.where((s.part < 1) | (s.kept < 0), np.nan, s.kept).astype(np.float64)
        columns.append(TableColumn(Feature("kept h", Kind.CATEGORICAL, problem.classes), kept))
    return replace(found, columns=(*found.columns, *columns))
