"""Pictures of neighbours: Voronoi cells, the ball round a query, lines to the nearest, the list of the best so far."""

from dataclasses import replace

import numpy as np

from engine.core.arrays import Float, Int
from engine.core.dataset import Feature
from engine.core.notation import number
from engine.core.problem import Problem
from engine.core.scene import (
    Bars,
    Boxes,
    Circles,
    Ellipses,
    Field,
    Figure,
    Layer,
    Points,
    Polygons,
    Polyline,
    Role,
    Scene,
    Segments,
    Table,
    TableColumn,
    data_points,
    data_table,
)  # fmt: skip
from engine.numerics.distances import Space, unit_ball
from engine.numerics.search import Search
from engine.numerics.stored import Stored
from engine.numerics.votes import Vote, front_runners, weigh
from engine.pictures.neighbour_votes import vote_digits
from engine.pictures.scales import comparable

_MOST_WALLS = 500  # with more of them (cells of several neighbours are many) only those that part classes are drawn
_LABELLED = 7  # more lines than that stay without their distance
DISTANCE = Feature("distance")
WEIGHT = Feature("weight")


def search_scene(problem: Problem, memory: Stored, vote: Vote, s: Search, line: str) -> Scene:
    """The whole picture of a step."""
    figures = search_figures(problem, memory, s, vote.power)
    if not problem.plane:
        return Scene((), figures)
    equal = memory.straight and memory.space.plain and comparable(problem)
    if not s.stored:
        return Scene((data_points(problem, np.full(problem.n, -1)),), figures, equal)
    exact = memory.whole_diagram(vote)
    layers: list[Layer] = [Field("class", boundary=not exact or (vote.power > 0 and vote.k > 1))]
    layers += cells(memory, vote) if exact else ()
    if line in ("vote", "answer"):
        layers += frame(memory, vote, s)
    shown = memory.trained(vote, problem)
    layers.append(data_points(problem, shown))
    if line != "store":
        layers += search_layers(problem, memory, s, shown)
    return Scene(tuple(layers), figures, equal)


def cells(memory: Stored, vote: Vote) -> list[Layer]:
    """Cells of the same k nearest examples: dashed walls, solid where the class changes (MMDS 12.4.2)."""
    walls = memory.walls(vote)
    seen = vote.k == 1 or len(walls.ends) <= _MOST_WALLS
    return [
        Segments(walls.ends[~walls.parts] if seen else walls.ends[:0], Role.SAME, tag="cells"),
        Segments(walls.ends[walls.parts], Role.DIFFERENT, tag="boundary"),
    ]


def frame(memory: Stored, vote: Vote, s: Search) -> list[Layer]:
    """The cell of the query: everywhere in it the same examples are the k nearest."""
    if not memory.framed(vote) or len(s.neighbours) < vote.k:
        return []
    ring = memory.cell(s.neighbours)
    if len(ring) == 2:
        return [Boxes(ring.reshape(1, 4), np.array([-1]), Role.ACTIVE, tag="cell")]
    return [Polygons((ring,), np.array([-1]), Role.ACTIVE, tag="cell")] if len(ring) else []


def ball(
    problem: Problem, space: Space, x: Float, radius: float, role: Role = Role.BALL, tag: str = "ball"
) -> list[Layer]:
    """All places as far from row x as the k-th neighbour; nothing where the plane does not show every column."""
    shown = not space.hamming and 0 < len(problem.plane) == problem.d == len(space.kept)
    if not shown or not np.isfinite(radius) or radius <= 0:
        return []
    centre = problem.to_plane(x[None])
    axes = space.axes(problem.plane)
    if len(axes) == 1:
        return [Circles(centre, np.array([radius / abs(axes[0, 0])]), role, tag=tag)]
    if space.p != 2:
        return [Polyline(centre + radius * unit_ball(space.p) @ np.linalg.inv(axes), role, closed=True, tag=tag)]
    shape = np.asarray(np.linalg.inv(axes @ axes.T), np.float64)
    if np.allclose(shape, shape[0, 0] * np.eye(2), rtol=1e-9, atol=1e-9 * shape[0, 0]):
        return [Circles(centre, np.array([radius * np.sqrt(shape[0, 0])]), role, tag=tag)]
    return [Ellipses(centre, shape[None], radius, role, tag=tag)]


def lines(problem: Problem, s: Search, shown: Int | None) -> list[Layer]:
    """From the query to its neighbours: in amber to the one that the step is about, or else to the nearest.

    Where an example stays out, the k-th best, with which it is compared, has its own tag. The examples at
    the ends are drawn again with rings, above the lines, filled as `shown` (their predicted classes).
    """
    amber = s.neighbours == (s.looked if s.looked >= 0 else s.neighbours[0])
    rim = (np.arange(len(amber)) == len(amber) - 1) & (not amber.any())
    parts = (
        (~amber & ~rim, Role.NEIGHBOUR, "neighbours"),
        (rim, Role.NEIGHBOUR, "rim"),
        (amber, Role.NEAREST, "looked"),
    )
    made: list[Layer] = []
    for mask, role, tag in parts:
        if mask.any():
            made.append(_spokes(problem, s.query, s.neighbours[mask], s.distances[mask], role, tag))
            made.append(_ringed(problem, s.neighbours[mask], shown, role, tag))
    return made


def ghost_line(problem: Problem, s: Search) -> list[Layer]:
    """To the neighbour that has just dropped out."""
    if s.dropped < 0:
        return []
    return [_spokes(problem, s.query, np.array([s.dropped]), np.array([s.former]), Role.GHOST, "former")]


def looked_line(problem: Problem, s: Search, shown: Int | None) -> list[Layer]:
    """To the example whose distance is measured now, if it is no neighbour."""
    if s.looked < 0 or s.looked in s.neighbours:
        return []
    row = np.array([s.looked])
    line = _spokes(problem, s.query, row, np.array([s.distance]), Role.ACTIVE, "looked")
    return [line, _ringed(problem, row, shown, Role.ACTIVE, "looked")]


def _ringed(problem: Problem, rows: Int, shown: Int | None, role: Role, tag: str) -> Points:
    return Points(
        problem.xy[rows], problem.codes[rows], role, (problem.codes if shown is None else shown)[rows], tag=tag
    )


def _spokes(problem: Problem, x: Float, rows: Int, distances: Float, role: Role, tag: str) -> Segments:
    start = np.broadcast_to(problem.to_plane(x[None]), (len(rows), 2))
    labels = tuple(number(d) for d in distances) if len(rows) <= _LABELLED else ()
    return Segments(np.stack([start, problem.xy[rows]], axis=1), role, labels, tag)


def query_mark(problem: Problem, x: Float, label: int) -> Points:
    """The query with its question mark; `label` is what it is called so far."""
    return Points(problem.to_plane(x[None]), np.array([-1]), Role.QUERY, np.array([label]), label=("?",), tag="query")


def neighbour_layers(problem: Problem, memory: Stored, s: Search, shown: Int | None) -> list[Layer]:
    """The ball round the query and the lines to its neighbours."""
    return [*ball(problem, memory.space, s.query, s.radius), *lines(problem, s, shown)]


def probe_layers(problem: Problem, memory: Stored, vote: Vote, s: Search, shown: Int | None) -> list[Layer]:
    """The cell of a place, the ball round it and the lines to its neighbours."""
    return [*frame(memory, vote, s), *neighbour_layers(problem, memory, s, shown)]


def search_layers(problem: Problem, memory: Stored, s: Search, shown: Int | None) -> list[Layer]:
    """The query with its neighbours, and as ghosts the ball and the neighbour that this step has replaced."""
    layers = [*ball(problem, memory.space, s.query, s.former, Role.GHOST, "former"), *ghost_line(problem, s)]
    if len(s.neighbours):
        layers += neighbour_layers(problem, memory, s, shown)
    return [*layers, *looked_line(problem, s, shown), query_mark(problem, s.query, s.label)]


# -- beside the plane --------------------------------------------------------------------------------------------------


def search_figures(problem: Problem, memory: Stored, s: Search, power: int) -> tuple[Figure, ...]:
    """The list of the best so far, the votes, and all examples with the distances measured so far."""
    return best_table(problem, s, power), vote_bars(problem, s), example_table(problem, memory, s)


def best_table(problem: Problem, s: Search, power: int) -> Table:
    """The neighbours, nearest first, with distance, weight (where it is not 1) and class."""
    columns = [TableColumn(DISTANCE, s.distances, Role.ACTIVE, 4)]
    if power:
        columns.append(TableColumn(WEIGHT, weigh(s.distances[None], power)[0], digits=4))
    if problem.target is not None:
        columns.append(TableColumn(problem.target, problem.codes[s.neighbours].astype(np.float64), Role.BOUNDARY))
    current = tuple(np.flatnonzero(s.neighbours == s.looked).tolist())
    names = tuple(problem.names[i] for i in s.neighbours)
    numbers = tuple(problem.number_of(int(i)) for i in s.neighbours)
    group = problem.codes[s.neighbours]
    return Table("Best: so far", tuple(columns), names, group, current=current, tag="neighbours", numbers=numbers)


def vote_bars(problem: Problem, s: Search) -> Bars:
    """The votes of each class: the chosen one lit, those with as many as ghosts."""
    tied = front_runners(s.votes[None])[0] & (s.votes > 0)
    roles = [Role.GHOST if tie else Role.PLAIN for tie in tied]
    if s.label >= 0:
        roles[s.label] = Role.ACTIVE
    labels = tuple(problem.class_text(c) for c in range(len(s.votes)))
    group, digits = np.arange(len(s.votes)), vote_digits(s.votes, 2)
    return Bars("Votes", labels, s.votes, tuple(roles), group=group, unit="votes", digits=digits, tag="votes")


def example_table(problem: Problem, memory: Stored, s: Search) -> Table:
    """All examples, before their class the distances measured so far; those out of the race are pale."""
    current = (s.looked,) if s.looked >= 0 else ()
    if not s.stored or not s.seen:
        return data_table(problem, current=current)
    measured, active = np.full(problem.n, np.nan), np.zeros(problem.n, dtype=bool)
    measured[memory.rows[: s.seen]] = memory.distances(s.query)[: s.seen]
    active[memory.rows[s.seen :]] = active[s.neighbours] = True
    table = data_table(problem, active=active, current=current, tag="looked")
    column = TableColumn(DISTANCE, measured, Role.ACTIVE)
    return replace(table, columns=(*table.columns[:-1], column, *table.columns[-1:]))
