"""Cells of the centres, the examples in the colours of their clusters with their squares, the
centres and how they move.
"""

from engine.algorithms.clusters.kmeans import Setting, State
from engine.algorithms.clusters.parts.figures import mean_layers, names_of
from engine.algorithms.clusters.parts.squares import columns_over, nearest, squares_to
from engine.authoring import Grid, Int, Step, np, replace
from engine.scene.scene import (
    Bars,
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
    figures = (squares_bars(given, s), cluster_table(given, s))
    if not problem.plane:
        return Scene((), figures)
    moved = s.before if step.line == "move" else None
    marks: list[Layer] = mean_layers(problem, s.means, moved)
    changed = (
        s.changed
        if problem.drawn is None
        else np.intersect1d(s.changed, problem.drawn, assume_unique=True)
    )
    if step.line == "assign" and len(changed):
        group = s.cluster[changed]
        marks.append(Points(problem.xy[changed], group, Role.CANDIDATE, group, tag="changed"))
    if s.current >= 0:
        group = np.array([len(s.means) - 1 if drawing else s.cluster[s.current]])
        name = (problem.names[s.current],)
        marks.append(
            Points(problem.xy[[s.current]], group, Role.ACTIVE, group, label=name, tag="current")
        )
    shown = first_means(given, s) if drawing else members(given, s)
    return Scene((Field("class", tag="cells"), *shown, *marks), figures)


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
    before = s.means[:-1]
    chance = given.chances(before) if len(before) else np.full(given.problem.n, 1 / given.problem.n)
    points = (
        given.problem.xy,
        np.full(given.problem.n, -1),
        Role.SAMPLE,
        None,
        chance / chance.max(),
    )
    return [thinned(given.problem, Points(*points, tag="chances"))]


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


def cluster_table(given: Setting, s: State) -> Table:
    """The examples with their cluster."""
    table = data_table(given.problem, current=(s.current,) if s.current >= 0 else ())
    if s.cluster.min() < 0:
        return table
    names = names_of(len(s.means))
    own = TableColumn(Feature("cluster", Kind.CATEGORICAL, names), s.cluster.astype(np.float64))
    return replace(
        table,
        columns=(*table.columns, own, TableColumn(Feature("d²"), given.own(s.means, s.cluster))),
    )
