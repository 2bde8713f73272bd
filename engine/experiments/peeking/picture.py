"""The looks with the best so far, the padlocks with their counts, and which rows are locked."""

from engine.authoring import Int, Step, np
from engine.base.notation import counted, number
from engine.base.records import replace
from engine.experiments.parts.chance import least_expected
from engine.experiments.parts.pictures import Surfaces, dealt_table
from engine.experiments.peeking import FRESH, OPEN, TEST, Setting, State, expected
from engine.scene.scene import (
    Bars,
    Labels,
    Layer,
    Line,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Segments,
    Table,
    TableColumn,
    data_table,
)
from engine.table.dataset import Feature, Kind

FIELDS = Surfaces()
PARTS = ("open", "test", "fresh")
OPENED = {"look": 0, "fresh": 1}  # the padlock that a line opens
DEALS = ("lock", "shake")


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    deals = step.line in DEALS
    first = "Deal" if deals else "Looks"
    figures = (
        deal(given, s, step.line) if deals else looks(given, s, step.line),
        locks(given, s, step.line),
        table(given, s),
    )
    if not given.problem.plane:
        return Scene((), figures, leads=(first, "Padlocks"))
    opened = s.fresh == s.fresh
    layers = (
        points(given, s, OPEN, Role.INACTIVE, "data", None),
        points(given, s, FRESH, Role.HELD_OUT, "fresh", s.kept if opened else None),
        points(given, s, TEST, Role.POINT, "test", s.says),
    )
    return Scene(layers, figures, leads=(first, "Plane"))


def points(given: Setting, s: State, part: int, role: Role, tag: str, says: Int | None) -> Points:
    """The rows of a part of the table. says: (n,) answers of a hypothesis to all rows, None for
    none
    """
    problem = given.problem
    rows = np.flatnonzero(s.part == part)
    answers = None if says is None else says[rows]
    tags = problem.tags_of(rows.tolist())
    return Points(problem.xy[rows], s.codes[rows], role, answers, tag=tag, tags=tags)


def looks(given: Setting, s: State, line: str) -> Plot:
    """A plot of error over looks: dots, the least so far as a step line, the effect of luck dashed,
    the error on fresh rows at the end.
    """
    n = given.p.looks
    layers: list[Layer] = []
    if given.no_signal:
        level = np.array([0.0, 1.0])
        layers.append(Line(level, -given.chance, Role.GHOST, tag="chance"))
        if s.fresh != s.fresh:  # later the error on the fresh rows has its room
            place = np.array([[1.2 * n, given.chance + 0.04]])
            layers.append(Labels(place, ("chance",), Role.GHOST, tag="chance"))
    if expected(given, s) == expected(given, s):
        layers.append(luck(given, s))
    opened = s.fresh == s.fresh
    if len(s.looks):
        layers += looks_so_far(s, line)
    if opened:
        layers += fresh_error(s.fresh, min(s.looks), 1.1 * n + 0.5)
    return Plot(
        "Looks",
        "looks into the test set",
        "share wrong",
        tuple(layers),
        beside=True,
        x_range=(0, 1.35 * n + 1),
        y_range=(-0.12, 1.1),
    )


def luck(given: Setting, s: State) -> Polyline:
    """The curve of the least error that luck alone gives, over the number of looks."""
    rows = int((s.part == TEST).sum())
    looks = np.arange(1, given.p.looks + 1)
    errors = [least_expected(rows, k, given.chance) for k in looks.tolist()]
    label = "" if s.fresh == s.fresh else "luck alone"  # later the gap has its room
    return Polyline(np.column_stack([looks, errors]), Role.GHOST, label=label, tag="looks")


def looks_so_far(s: State, line: str) -> list[Layer]:
    """A dot for the error of each look, and the step line of the least; the look of this line is
    ringed, with its error.
    """
    errors = np.array([*s.looks], np.float64)
    looks = np.arange(1, len(errors) + 1)
    xy = np.column_stack([looks, errors])
    least = np.minimum.accumulate(errors)
    stairs = np.column_stack([np.repeat(looks, 2)[1:], np.repeat(least, 2)[:-1]])
    said = {"look": number(float(errors[-1])), "keep": f"kept: {number(float(errors[-1]))}"}
    now = Role.ACTIVE if line in said else Role.SAMPLE
    name = "" if line == "keep" else "least so far"
    label = (said[line],) if line in said else ()
    return [
        Polyline(stairs, Role.BOUNDARY, label=name, tag="looks"),
        Points(xy[:-1], np.full(len(xy) - 1, -1), Role.SAMPLE, tag="looks"),
        Points(xy[-1:], np.full(1, -1), now, label=label, tag="looks"),
    ]


def fresh_error(error: float, least: float, x: float) -> list[Layer]:
    """The error on the fresh rows at x, ringed, with its distance from the least error on the test
    set, which had promised it.
    """
    xy = np.array([[x, error]])
    gap = np.array([[[x, least], [x, error]]])
    label = (f"too good by {number(error - least)}",) if error > least else ()
    return [
        Segments(gap, Role.DIFFERENCE, label, tag="fresh"),
        Points(
            xy, np.full(1, -1), Role.ACTIVE, label=(f"fresh rows {number(error)}",), tag="fresh"
        ),
    ]


def locks(given: Setting, s: State, line: str) -> Bars:
    """Bars of how often the test set and the fresh rows were opened; what the line of the
    pseudo-code opens is in amber.
    """
    names = ("test set", "fresh rows")
    opened = np.array([len(s.looks), int(s.fresh == s.fresh)], np.float64)
    at = OPENED.get(line, -1)
    return Bars(
        "Padlocks",
        names,
        opened,
        tuple(Role.ACTIVE if k == at else Role.PLAIN for k in range(2)),
        unit="times opened",
        digits=0,
        tag="test",
        beside=True,
    )


def deal(given: Setting, s: State, line: str) -> Table:
    """The examples with the part of each, or with their shuffled labels in place of their own; in
    amber the column that the line makes.
    """
    part, label = dealt(given, s)
    count = [int((s.part == one).sum()) for one in (TEST, FRESH)]
    if line == "lock":
        title = f"Deal: {counted(count[0], 'row')} locked away, {count[1]} fresh"
        return dealt_table(given.problem, title, replace(part, role=Role.ACTIVE))
    label = replace(label, role=Role.ACTIVE)
    return dealt_table(given.problem, "Deal: all labels shuffled", part, label, struck=True)


def dealt(given: Setting, s: State) -> tuple[TableColumn, TableColumn]:
    """The columns of the parts, and of the labels that count."""
    part = Feature("part", Kind.CATEGORICAL, PARTS)
    label = Feature("shuffled", Kind.CATEGORICAL, given.problem.classes)
    return (
        TableColumn(part, np.where(s.part < 0, np.nan, s.part)),
        TableColumn(label, np.where(s.codes < 0, np.nan, s.codes).astype(np.float64)),
    )


def table(given: Setting, s: State) -> Table:
    """The examples with their part, the labels that count, and the answers of the kept
    hypothesis.
    """
    problem = given.problem
    columns = [*dealt(given, s)]
    if s.kept is not None:
        locked = s.part >= TEST
        says = np.where(locked & (s.kept >= 0), s.kept, np.nan).astype(np.float64)
        kept = Feature("kept h", Kind.CATEGORICAL, problem.classes)
        columns.append(TableColumn(kept, says))
    found = data_table(problem, active=s.part >= TEST)
    return replace(found, columns=(*found.columns, *columns))
