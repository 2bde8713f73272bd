"""The memory as a table, the query below the row that it is compared with; what it was worth when
each example came; cells on the plane.
"""

from engine.algorithms.instances.table_lookup import Setting, State, answers, majorities, predict
from engine.algorithms.instances.table_lookup.compared import Compared
from engine.authoring import Float, Grid, Int, Problem, Step, np, replace
from engine.base.notation import counted
from engine.scene.figures import text_column
from engine.scene.legend import BEFORE
from engine.scene.scene import (
    Bars,
    Boxes,
    Field,
    Layer,
    Points,
    Role,
    Scene,
    Table,
    TableColumn,
    active_point,
    data_points,
    data_table,
)
from engine.table.dataset import Feature, Kind

ASKING = ("query", "compare", "answer")
COMES = ("new", "again")  # an example was looked up and is written down
LISTED = 300  # rows of the table that are shown: the last ones, and the one looked at
_BOXES = 2000
OPEN = ("tie", "never seen")  # what the memory says beside the labels


def class_surface(given: Setting, s: State, grid: Grid) -> Int:
    """(ny, nx) the class of every place. Only places that some example shares are looked up one by
    one; all others are as good as one.
    """
    axes = [
        shared_places(given, j, at)
        for j, at in zip(given.problem.plane, (grid.x, grid.y), strict=False)
    ]
    for size in grid.shape[::-1][len(axes) :]:
        axes.append((np.zeros(1), np.zeros(size, np.intp)))
    (x, in_x), (y, in_y) = axes
    places = given.problem.from_plane(Grid(x, y).points())
    return predict(given, s, places).reshape(len(y), len(x))[np.ix_(in_y, in_x)]


def shared_places(given: Setting, j: int, at: Float) -> tuple[Float, Int]:
    """(representatives, index of the representative of each place `at` (m,)) on the axis of column
    j.
    """
    cells = given.rounded(at)
    known = np.zeros(len(at), bool)
    if j in given.kept:
        known = np.isin(cells, given.rounded(given.problem.X[:, j]))
    # a rule may hold at places of no example
    if any(j in one.columns for one in given.compared if one.tests):
        cells = at
        known = np.ones(len(at), bool)
    names = np.where(known, cells, np.inf)
    _, first, which = np.unique(names, return_index=True, return_inverse=True)
    return at[first], which


FIELDS = {"class": class_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    asking = step.line in ASKING
    figures = (
        memory_table(given, s, asking),
        worth_bars(s, step.line in COMES),
        example_table(given, s),
    )
    if not problem.plane:
        return Scene((), figures, leads=leading(problem))
    layers: list[Layer] = [Field("class", tag="cells")]
    layers += cells(given, s)
    layers.append(data_points(problem, said(given, s)))
    if s.row >= 0:
        layers.append(active_point(problem, s.row))
    elif s.entry >= 0:
        row = s.memory.rows[s.memory.first[[s.entry]]]
        role = Role.ACTIVE if s.asked else Role.CANDIDATE
        layers.append(
            Points(
                problem.xy[row], problem.codes[row], role, tag="current", tags=problem.tags_of(row)
            )
        )
    if asking:
        place = problem.to_plane(s.query[None])
        label = np.array([s.label])
        layers.append(Points(place, np.array([-1]), Role.QUERY, label, label=("?",), tag="query"))
    return Scene(tuple(layers), figures, leads=leading(problem))


def leading(problem: Problem) -> tuple[str, ...]:
    """The names of the views that come first; what the memory was worth says of an example that
    comes whether it is new.
    """
    return ("Plane", "Memory") if problem.all_on_plane else ("Memory", "Worth")


def said(given: Setting, s: State) -> Int:
    """(n,) the answer of the table to every example."""
    entry = np.full(given.problem.n, -1)
    entry[s.memory.rows] = np.where(s.memory.entry < s.unseen, s.memory.entry, -1)
    return answers(given, s, entry)


def cells(given: Setting, s: State) -> list[Layer]:
    """The cells that the table knows, where numbers are rounded, and the cell of the row looked
    up.
    """
    problem = given.problem
    wide = given.p.rounding
    ruled = any(one.tests for one in given.compared)
    if not wide or not problem.all_on_plane or s.unseen > _BOXES or ruled:
        return []
    at = problem.X[s.memory.rows[s.memory.first[: s.unseen]]]
    bounds = np.tile([-np.inf, -np.inf, np.inf, np.inf], (len(at), 1))
    for axis, j in enumerate(problem.plane):
        if j in given.kept:
            bounds[:, axis] = (given.rounded(at[:, j]) - 0.5) * wide
            bounds[:, axis + 2] = bounds[:, axis] + wide
    if not np.isfinite(at).all() or not (np.abs(bounds[:, :1]) < 1e150).all():
        return []
    layers: list[Layer] = [Boxes(bounds, np.full(len(bounds), -1), Role.REGION, tag="cells")]
    here = bounds[[s.entry]] if s.entry >= 0 else bounds[:0]
    return [*layers, Boxes(here, np.full(len(here), -1), Role.ACTIVE, tag="current")]


def memory_table(given: Setting, s: State, asking: bool) -> Table:
    """The table learnt so far, each key once, below it in pale the examples to come, or the query.

    asking: whether the query is looked up
    """
    problem = given.problem
    m = s.memory
    shown = np.arange(max(0, s.unseen - LISTED), s.unseen)
    if 0 <= s.entry < s.unseen and s.entry not in shown:
        shown = np.append(s.entry, shown)
    here = np.flatnonzero(shown == s.entry)
    rows = m.rows[m.first[shown]]
    label = majorities(s)[shown]
    times = s.table[shown].sum(axis=1)
    to_come = m.rows[s.stored :][: max(0, LISTED - len(rows))]
    active = np.arange(len(rows) + len(to_come)) < len(rows)
    active[len(rows) :] = to_come == s.row
    current = [*here.tolist(), *(len(rows) + np.flatnonzero(to_come == s.row)).tolist()]
    rows = np.append(rows, to_come)
    label = np.append(label, problem.codes[to_come])
    times = np.append(times, np.full(len(to_come), -1))
    X = problem.X[rows]
    written = len(rows) - len(to_come)
    names = [problem.names[int(i)] + ", to come" * (k >= written) for k, i in enumerate(rows)]
    tags = [problem.row_tags[int(i)] for i in rows]
    numbers = [problem.number_of(int(i)) for i in rows]
    apart = set[int]()
    if asking:
        if len(here) and not s.asked:
            apart = {j for one in differing(given, X[here[0]], s.query) for j in one.columns}
        at = int(here[0]) + 1 if len(here) else len(rows)  # below the row looked at, else last
        current.append(at)
        X = np.insert(X, at, s.query, axis=0)
        label = np.insert(label, at, s.label)
        times = np.insert(times, at, -1)
        active = np.insert(active, at, True)
        names.insert(at, "?")
        tags.insert(at, "query")
        numbers.insert(at, 0)
    return Table(
        f"Memory: {counted(s.unseen, 'row')}" + ", pale ones to come" * bool(len(to_come)),
        memory_columns(given, X, times, label, apart, asking),
        tuple(names),
        group=np.asarray(label, np.intp),
        active=active if len(to_come) else None,
        current=tuple(current),
        tag="memory",
        numbers=tuple(numbers),
        tags=tuple(tags),
    )


def memory_columns(
    given: Setting, X: Float, times: Int, label: Int, apart: set[int], asking: bool
) -> tuple[TableColumn, ...]:
    """The columns of the memory, of rows X (m, d): values, rules, how often, the label.

    times: (m,) −1 for the query and for rows to come; label: (m,) −1 none; apart: columns in which
    the row looked at differs from the query
    """
    problem = given.problem
    columns = [
        TableColumn(f, X[:, j], role_of(given, j, j in apart), tag=problem.column_tags[j])
        for j, f in enumerate(problem.features)
    ]
    for one in given.compared:
        if one.tests:
            rule = Feature(one.title, Kind.CATEGORICAL, ("else", "holds"))
            role = Role.ACTIVE if asking else Role.PLAIN
            columns.append(TableColumn(rule, one.of(X), role))
    columns.append(text_column("times", [str(n) if n >= 0 else "" for n in times.tolist()]))
    if problem.target is not None:
        classes = np.where(label < 0, np.nan, label).astype(np.float64)
        columns.append(TableColumn(problem.target, classes, Role.BOUNDARY))
    return tuple(columns)


def differing(given: Setting, a: Float, b: Float) -> list[Compared]:
    """The columns and rules in which rows a and b (d,) differ."""
    one, other = given.cells(np.stack([a, b]))
    return [given.compared[k] for k in np.flatnonzero(one != other)]


def role_of(given: Setting, j: int, apart: bool) -> Role:
    """The role of column j: rejected where it is not compared, active where the two rows differ."""
    if j not in given.kept:
        return Role.REJECTED
    return Role.ACTIVE if apart else Role.PLAIN


def worth_bars(s: State, comes: bool) -> Bars:
    """Bars of what the table said of the examples when they came; those in which an example counts
    that `comes` in this step are amber, with what they were before it.
    """
    counts = worth_of(s, s.stored)
    former = worth_of(s, s.stored - comes)
    grown = [now > was for now, was in zip(counts.tolist(), former.tolist(), strict=True)]
    return Bars(
        "Worth: when they came",
        (
            "never seen",
            "never seen, commonest label right",
            "never seen, commonest label wrong",
            "known, label right",
            "known, another label",
        ),
        counts,
        tuple(Role.ACTIVE if grows else Role.PLAIN for grows in grown),
        former if comes else None,
        unit="examples",
        digits=0,
        limit=float(max(1, s.stored)),
        tags=("unseen", "unseen", "cost", "memory", "wrong"),
        ticks=BEFORE if comes else "",
        checked=False,
    )


def worth_of(s: State, stored: int) -> Float:
    """(5,) how many of the first `stored` examples were, when they came, of each kind of
    `worth_bars`; the first of all met no label yet.
    """
    known, wrong, right, cost = s.memory.verdicts(stored)
    return np.array([right + cost, max(0, right - 1), cost, known, wrong], np.float64)


def example_table(given: Setting, s: State) -> Table:
    """The examples with the answer that the table gave when they came."""
    m = s.memory
    classes = given.problem.classes
    tie = len(classes)
    nothing = np.where(m.new, tie + 1, tie)  # never seen, or a tie
    when_it_came = np.where(m.before < 0, nothing, m.before)
    looked_up = s.stored
    if s.stored < len(m.rows) and s.row == m.rows[s.stored]:
        looked_up += 1
    values = np.full(given.problem.n, np.nan)
    values[m.rows[:looked_up]] = when_it_came[:looked_up]
    feature = Feature("said when it came", Kind.CATEGORICAL, (*classes, *OPEN))
    table = data_table(given.problem, current=(s.row,) if s.row >= 0 else (), tag="current")
    columns = (*table.columns[:-1], TableColumn(feature, values), *table.columns[-1:])
    return replace(table, columns=columns)
