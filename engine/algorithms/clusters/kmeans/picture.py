"""Cells of the centres, the examples in the colours of their clusters with their squares, the
centres and how they move.
"""

from engine.algorithms.clusters.kmeans import Setting, State
from engine.algorithms.clusters.parts.cluster_cards import cluster_cards, fits, rows_of
from engine.algorithms.clusters.parts.figures import mean_layers, names_of
from engine.algorithms.clusters.parts.squares import columns_over, nearest, squares_to
from engine.authoring import Float, Grid, Int, Sequence, Step, np, replace
from engine.base.notation import counted, fixed
from engine.scene.scene import (
    Bars,
    Cards,
    Field,
    Layer,
    Points,
    Role,
    Scene,
    Segments,
    Table,
    TableColumn,
    data_table,
    thinned,
)
from engine.table.dataset import Feature, Kind

PLACES = 2**14  # numbers at a time, so few that they stay near the processor
_NAMED = 4  # examples that change and have their names
_WAYS = 4  # examples that change and have lines to their centres
_SPOKES = 150  # examples: more lines to the centres would hide them


def class_surface(given: Setting, s: State, grid: Grid) -> Int:
    """(ny, nx) the cluster of each place of the grid, bit for bit as `component` gives it."""
    columns = columns_over(given.problem, grid)
    which = np.empty(grid.shape, np.intp)
    rows = max(1, PLACES // len(grid.x))
    for i in range(0, len(grid.y), rows):
        part = [column[i : i + rows] if len(column) > 1 else column for column in columns]
        which[i : i + rows] = nearest(squares_to(s.means, part, given.unit)).which
    return which


FIELDS = {"class": class_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    drawing = step.line in ("start", "spread")
    one = (s.current,) if s.current >= 0 else ()
    over = step.line in ("assign", "until")
    now = tuple(moved_rows(given, s).tolist()) if over else one
    figures = (squares_bars(given, s), cluster_table(given, s, now))
    if not problem.plane:
        return without_plane(given, step, figures)
    moved = s.before if step.line == "move" else None
    marks: list[Layer] = mean_layers(problem, s.means, moved)
    if step.line == "assign":
        marks += [*moved_members(given, step), *doubtful(given, s)]
    elif step.line == "until":
        marks += changed_points(given, s)
    elif s.current >= 0:
        group = np.array([len(s.means) - 1 if drawing else s.cluster[s.current]])
        name = (problem.names[s.current],)
        marks.append(
            Points(problem.xy[[s.current]], group, Role.ACTIVE, group, label=name, tag="current")
        )
    shown = first_means(given, s) if drawing else members(given, s)
    layers = (Field("class", tag="cells"), *shown, *marks)
    return Scene(layers, figures, plane=plane_title(given, step))


def plane_title(given: Setting, step: Step[State]) -> str:
    """The start or the round; at the end of a round what came of it."""
    s = step.state
    if step.line == "start":
        drawn = s.current >= 0
        return f"Start {s.trial}: the first centre is drawn" if drawn else "Start: centres as set"
    if step.line == "spread":
        return f"Start {s.trial}: centre {len(s.means)} of {given.p.k} is drawn"
    if step.line == "best":
        return f"The best of {counted(s.trial, 'start')}: Σ d² = {fixed(s.within)}"
    over = ""
    if step.line == "assign":
        over = ": each example to its nearest centre"
        if s.round > 1:
            over = f": {counted(len(s.changed), 'example')} to another centre"
    elif step.line == "move":
        over = ": each centre to its mean"
    elif step.line == "until":
        over = f" is over: {len(s.changed)} changed, Σ d² = {fixed(s.within)}"
        over += f", best start {fixed(s.least)}" * (s.trial > 1)
    return f"Round {s.round}{over}"


def moved_members(given: Setting, step: Step[State]) -> list[Layer]:
    """The examples that change their cluster, in amber, each with a line to its new centre, and
    dashed one to that before; where they are many without lines. None in the first round, in which
    all are new.
    """
    s = step.state
    rows = moved_rows(given, s)
    marks = changed_points(given, s)
    if not 0 < len(rows) <= _WAYS:
        return marks
    xy = given.problem.xy[rows]
    group = s.cluster[rows]
    centres = given.problem.to_plane(s.means)
    former = step.details["former"][rows]
    ways = [
        Segments(np.stack([xy, centres[which]], axis=1), role, tag="changed")
        for which, role in ((former, Role.GHOST), (group, Role.ACTIVE))
    ]
    return [*ways, *marks]


def changed_points(given: Setting, s: State) -> list[Layer]:
    """The examples that change their cluster in this round, in amber; none in the first round."""
    rows = moved_rows(given, s)
    if not len(rows):
        return []
    group = s.cluster[rows]
    names = tuple(given.problem.names[i] for i in rows) if len(rows) <= _NAMED else ()
    xy = given.problem.xy[rows]
    return [Points(xy, group, Role.ACTIVE, group, label=names, tag="changed")]


def moved_rows(given: Setting, s: State) -> Int:
    """The drawn rows that change their cluster; none in the first round."""
    drawn = given.problem.drawn
    if s.round == 1:
        return s.changed[:0]
    return s.changed if drawn is None else np.intersect1d(s.changed, drawn, assume_unique=True)


def doubtful(given: Setting, s: State) -> list[Layer]:
    """The example whose two nearest centres differ least, ringed, with dotted lines to both."""
    problem = given.problem
    xy = problem.xy[[s.current]]
    name = "" if s.round > 1 and s.current in s.changed else f"{problem.names[s.current]}, "
    group = s.cluster[[s.current]]
    squares = given.squares(s.means, problem.X[[s.current]])[:, 0]
    both = problem.to_plane(s.means[np.argsort(squares, kind="stable")[:2]])
    ends = np.stack([np.repeat(xy, len(both), axis=0), both], axis=1)
    ring = Points(xy, group, Role.CANDIDATE, label=(f"{name}doubtful",), tag="current")
    return [Segments(ends, Role.SAME, tag="doubtful"), ring]


def without_plane(given: Setting, step: Step[State], figures: tuple[Bars, Table]) -> Scene:
    """The scene of a table with more columns than a plane shows: the chances of the examples to
    become a centre, then the clusters with their rows.
    """
    s = step.state
    if not fits(given.problem, given.p.k):
        return Scene((), figures)
    if s.cluster.min() < 0:
        return Scene((), (chance_bars(given, s), *figures), leads=("Chance", "Examples"))
    moved = s.changed.tolist() if step.line in ("assign", "until") else ()
    return Scene((), (clusters(given, s, moved), *figures))


def chance_bars(given: Setting, s: State) -> Bars:
    """Bars of the chance of each example to be the centre that this step draws."""
    chance = chances_of(given, s)
    now = [Role.ACTIVE if i == s.current else Role.PLAIN for i in range(given.problem.n)]
    return Bars(
        "Chance",
        tuple(given.problem.names),
        chance,
        tuple(now),
        unit=f"of each row to be centre {len(s.means)}",
        digits=3,
        tag="chances",
        tags=tuple(given.problem.row_tags),
    )


def clusters(given: Setting, s: State, moved: Sequence[int]) -> Cards:
    """The clusters as cards, with d² of each example to its mean."""
    k = len(s.means)
    inside = s.cluster[:, None] == np.arange(k)
    own = given.own(s.means, s.cluster)
    notes = [
        f"{rows_of(int(inside[:, j].sum()))}, Σ d² = {fixed(float(own[inside[:, j]].sum()))}"
        for j in range(k)
    ]
    squares = np.tile(own[:, None], (1, k))
    title = "Clusters: rows with d² to the mean"
    return cluster_cards(title, given.problem, s.means, inside, squares, notes, moved)


def members(given: Setting, s: State) -> list[Layer]:
    """The examples in the colours of their clusters, each joined to its centre where there are
    few.
    """
    xy = given.problem.xy
    free = bool((s.cluster < 0).any())
    marks = Points(
        xy, s.cluster, Role.SAMPLE if free else Role.POINT, None if free else s.cluster, tag="data"
    )
    data = thinned(given.problem, marks)
    if free or len(xy) > _SPOKES or len(given.problem.plane) < 2:
        return [data]
    ends = np.stack([xy, given.problem.to_plane(s.means)[s.cluster]], axis=1)
    return [Segments(ends, Role.SAME, tag="within"), data]


def first_means(given: Setting, s: State) -> list[Layer]:
    """The examples while centres are drawn, with sizes by their chance of being drawn."""
    chance = chances_of(given, s)
    points = (
        given.problem.xy,
        np.full(given.problem.n, -1),
        Role.SAMPLE,
        None,
        chance / chance.max(),
    )
    return [thinned(given.problem, Points(*points, tag="chances"))]


def chances_of(given: Setting, s: State) -> Float:
    """(n,) the chance of each example to be drawn as the last of the centres so far."""
    before = s.means[:-1]
    n = given.problem.n
    return given.chances(before) if len(before) else np.full(n, 1 / n)


def squares_bars(given: Setting, s: State) -> Bars:
    """Bars of each cluster's part of Σ d²."""
    k = len(s.means)
    there = s.cluster.min() >= 0
    parts = (
        np.bincount(s.cluster, given.own(s.means, s.cluster), k).astype(np.float64)
        if there
        else np.zeros(k)
    )
    return Bars(
        "Squares",
        names_of(k),
        parts,
        group=np.arange(k),
        unit="Σ d² of the cluster",
        tag="within",
        clusters=True,
    )


def cluster_table(given: Setting, s: State, current: tuple[int, ...]) -> Table:
    """The examples with their cluster. current: the rows in amber"""
    table = data_table(given.problem, current=current)
    if s.cluster.min() < 0:
        return table
    names = names_of(len(s.means))
    own = TableColumn(Feature("cluster", Kind.CATEGORICAL, names), s.cluster.astype(np.float64))
    return replace(
        table,
        columns=(*table.columns, own, TableColumn(Feature("d²"), given.own(s.means, s.cluster))),
    )
