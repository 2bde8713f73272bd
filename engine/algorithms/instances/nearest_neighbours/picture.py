"""Pictures of neighbours: Voronoi cells, the ball round a query, lines to the nearest, the list of
the best so far.
"""

from math import isqrt

from engine.algorithms.instances.nearest_neighbours import Setting, State
from engine.algorithms.instances.nearest_neighbours.vote_words import vote_digits
from engine.algorithms.instances.nearest_neighbours.votes import front_runners
from engine.algorithms.instances.parts import best_table, comparable, spokes
from engine.authoring import Float, Grid, Int, Problem, Step, np, number, replace
from engine.base.notation import telling_digits
from engine.base.tags import class_tags
from engine.numerics.closeness import equal
from engine.numerics.distances import unit_ball
from engine.protocol.borders import Sites
from engine.scene.scene import (
    Bars,
    Boxes,
    Circles,
    Ellipses,
    Field,
    Layer,
    Pictures,
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
)
from engine.table.dataset import Feature

# with more of them (cells of several neighbours are many) only those that part classes are drawn
_MOST_WALLS = 500
DRAWN = 8  # neighbours that are drawn
VOTED = ("vote", "answer")  # lines that are about the decision, not about one example
_LABELLED = 7  # more lines than that stay without their distance
_VOTES_SAID = 3  # classes whose votes a heading names


def class_surface(given: Setting, s: State, grid: Grid) -> Float:
    return np.asarray(given.surfaces(grid)[0]) if s.stored else np.full(grid.shape, -1.0)


def share_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) votes for the first class less all others, as a share of all votes; NaN before
    examples are stored.
    """
    return np.asarray(given.surfaces(grid)[1]) if s.stored else np.full(grid.shape, np.nan)


FIELDS = {"class": class_surface, "score": share_surface}


def label_borders(given: Setting, s: State) -> Sites | None:
    p, problem = given.p, given.problem
    by_eye = (
        p.metric == "minkowski"
        and p.p == 2
        and not p.normalise
        and not p.stretch
        and problem.all_on_plane
    )
    return (
        Sites(problem.xy[given.rows], problem.codes[given.rows])
        if by_eye and given.k == 1 and s.stored
        else None
    )


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    vote = given.vote
    pictures = small_pictures(given, s)
    figures = (
        *pictures,
        neighbour_table(given, s),
        vote_bars(given, s, step.line),
        example_table(given, s),
    )
    # a plane of two pixels shows neither what is near nor why
    leads = ("Pictures",) if pictures and not problem.all_on_plane else ()
    if not problem.plane:
        return Scene((), figures, leads=leads)
    equal = given.straight and given.space.plain and comparable(problem)
    if not s.stored:
        points = data_points(problem, np.full(problem.n, -1))
        return Scene((points,), figures, equal, leads, plane_title(given, s, step.line))
    exact = given.whole_diagram
    layers: list[Layer] = [Field("class", boundary=not exact or (vote.weighted and vote.k > 1))]
    layers += frame(given, s) if step.line in VOTED else []
    layers += cells(given) if exact else ()  # over the frame, which is wider than its edges
    layers.append(data_points(problem, given.trained))
    if step.line != "store":
        layers += search_layers(given, s)
    return Scene(tuple(layers), figures, equal, leads, plane_title(given, s, step.line))


def plane_title(given: Setting, s: State, line: str) -> str:
    """How many neighbours are found of those that are looked for; "" where one alone decides, which
    its line shows.
    """
    k, found = given.k, len(s.neighbours)
    if line in ("start", "store"):
        return "The examples are stored" if s.stored else "Nothing is stored yet"
    if line == "answer" and s.label >= 0:
        return f"The answer: “?” is {given.problem.class_text(s.label)}"
    if k == 1:
        return ""
    if line in VOTED:
        return f"The vote of the {found} nearest{votes_said(given, s)}"
    names = given.problem.names
    change = ""
    if line == "look" and s.looked not in s.neighbours:
        change = f": {names[s.looked]} is at {number(s.distance)}"
    if s.dropped >= 0:
        digits = telling_digits(s.distance, s.former)
        come, gone = number(s.distance, digits), number(s.former, digits)
        change = f": {names[s.looked]} in ({come}), {names[s.dropped]} out ({gone})"
    return f"The {k} nearest so far{change}" if found == k else f"Places taken: {found} of {k}"


def votes_said(given: Setting, s: State) -> str:
    """ ": yes 3, no 2", the votes of the classes that have some; "" for many classes."""
    votes = np.asarray(s.votes)
    some = np.flatnonzero(votes > 0).tolist()
    digits = vote_digits(votes, 2)
    said = ", ".join(f"{given.problem.class_text(c)} {number(votes[c], digits)}" for c in some)
    return f": {said}" if 0 < len(some) <= _VOTES_SAID else ""


def cells(given: Setting) -> list[Layer]:
    """The cells with the same k nearest examples: dashed walls, solid where the class changes (MMDS
    12.4.2).
    """
    walls = given.walls
    seen = given.k == 1 or len(walls.ends) <= _MOST_WALLS
    return [
        Segments(walls.ends[~walls.parts] if seen else walls.ends[:0], Role.SAME, tag="cells"),
        Segments(walls.ends[walls.parts], Role.DIFFERENT, tag="boundary"),
    ]


def frame(given: Setting, s: State) -> list[Layer]:
    """The cell around the query within which the k nearest examples are the same; [] where it is
    not known.
    """
    if not given.framed or len(s.neighbours) < given.k:
        return []
    ring = given.cell(s.neighbours)
    if len(ring) == 2:
        return [Boxes(ring.reshape(1, 4), np.array([-1]), Role.ACTIVE, tag="cell")]
    return [Polygons((ring,), np.array([-1]), Role.ACTIVE, tag="cell")] if len(ring) else []


def ball(
    given: Setting, x: Float, radius: float, role: Role = Role.BALL, tag: str = "ball"
) -> list[Layer]:
    """The places as far from x as the k-th neighbour; [] where the plane does not show all
    columns.
    """
    problem, space = given.problem, given.space
    shown = not space.bent and 0 < len(problem.plane) == problem.d == len(space.kept)
    if not shown or not np.isfinite(radius) or radius <= 0:
        return []
    centre = problem.to_plane(x[None])
    axes = space.axes(problem.plane)
    if len(axes) == 1:
        return [Circles(centre, np.array([radius / abs(axes[0, 0])]), role, tag=tag)]
    if space.p != 2:
        return [
            Polyline(
                centre + radius * unit_ball(space.p) @ np.linalg.inv(axes),
                role,
                closed=True,
                tag=tag,
            )
        ]
    shape = np.asarray(np.linalg.inv(axes @ axes.T), np.float64)
    if equal(shape, shape[0, 0] * np.eye(2), shape[0, 0]).all():
        return [Circles(centre, np.array([radius * np.sqrt(shape[0, 0])]), role, tag=tag)]
    return [Ellipses(centre, shape[None], radius, role, tag=tag)]


def lines(given: Setting, s: State) -> list[Layer]:
    """Lines from the query to its neighbours: in amber to the one that the step is about, if it is
    about one; then only that one says its distance.

    Where an example stays out, the k-th best, with which it is compared, has its own tag. The
    examples at the ends are drawn again with rings, above the lines, filled as they are predicted.
    """
    amber = s.neighbours == s.looked
    rim = (np.arange(len(amber)) == len(amber) - 1) & (s.looked >= 0 and not amber.any())
    made: list[Layer] = []
    for mask, role, tag in (
        (~amber & ~rim, Role.NEIGHBOUR, "neighbours"),
        (rim, Role.NEIGHBOUR, "rim"),
        (amber, Role.NEAREST, "looked"),
    ):
        if mask.any():
            kept = "kept: " if tag == "looked" else ""
            ends = s.neighbours[mask], s.distances[mask]
            line = _spokes(given, s.query, *ends, role, tag, kept)
            other = tag == "neighbours" and s.looked >= 0
            made.append(replace(line, label=()) if other else line)
            made.append(_ringed(given, s.neighbours[mask], role, tag))
    return made


def ghost_line(given: Setting, s: State) -> list[Layer]:
    """A line to the neighbour that has just dropped out; [] for none."""
    if s.dropped < 0:
        return []
    ends = np.array([s.dropped]), np.array([s.former])
    return [_spokes(given, s.query, *ends, Role.GHOST, "former", "out: ")]


def looked_line(given: Setting, s: State) -> list[Layer]:
    """A line to the example being measured; [] where it is a neighbour."""
    if s.looked < 0 or s.looked in s.neighbours:
        return []
    row = np.array([s.looked])
    line = _spokes(given, s.query, row, np.array([s.distance]), Role.ACTIVE, "looked")
    return [line, _ringed(given, row, Role.ACTIVE, "looked")]


def _ringed(given: Setting, rows: Int, role: Role, tag: str) -> Points:
    problem, shown = given.problem, given.trained
    filled = (problem.codes if shown is None else shown)[rows]
    return Points(
        problem.xy[rows], problem.codes[rows], role, filled, tag=tag, tags=problem.tags_of(rows)
    )


def _spokes(
    given: Setting, x: Float, rows: Int, distances: Float, role: Role, tag: str, said: str = ""
) -> Segments:
    """Lines from x to these rows with their distances, `said` before each."""
    labels = tuple(f"{said}{number(d)}" for d in distances) if len(rows) <= _LABELLED else ()
    return spokes(given.problem, x, rows, role, tag, labels)


def probe_layers(given: Setting, s: State) -> list[Layer]:
    """The ball around the query and lines to its neighbours."""
    return [*ball(given, s.query, s.radius), *lines(given, s)]


def search_layers(given: Setting, s: State) -> list[Layer]:
    """The query with its neighbours and its label so far; pale the previous ball and the neighbour
    just replaced.
    """
    layers = [*ball(given, s.query, s.former, Role.GHOST, "former"), *ghost_line(given, s)]
    layers += probe_layers(given, s) if len(s.neighbours) else []
    place = given.problem.to_plane(s.query[None])
    called = np.array([s.label])
    query = Points(place, np.array([-1]), Role.QUERY, called, label=("?",), tag="query")
    return [*layers, *looked_line(given, s), query]


# -- beside the plane ------------------------------------------------------------------------------


def cells_of(problem: Problem) -> Int:
    """(side²,) the columns in the order of the cells, row by row, where every row of the table is
    a small square picture, whose columns are named r1c1, r1c2 …; (0,) where it is none.
    """
    side = isqrt(problem.d)
    cells = [f"r{row}c{column}" for row in range(1, side + 1) for column in range(1, side + 1)]
    place = {feature.name: j for j, feature in enumerate(problem.features)}
    if problem.d < 2 or set(cells) != set(place):
        return np.zeros(0, np.intp)
    return np.array([place[cell] for cell in cells])


def small_pictures(given: Setting, s: State) -> tuple[Pictures, ...]:
    """The query as a picture, the one that is measured, and its neighbours, nearest first, with
    class and distance; () where rows are no pictures.
    """
    problem = given.problem
    cells = cells_of(problem)
    if not len(cells):
        return ()
    rows = s.neighbours[:DRAWN].tolist()
    apart = s.distances[:DRAWN].tolist()
    if s.looked >= 0 and s.looked not in rows:
        rows, apart = [s.looked, *rows], [s.distance, *apart]
    names = ["?: the query"]
    for row, d in zip(rows, apart, strict=True):
        name = f"{problem.class_text(int(problem.codes[row]))}, {number(d)}"
        names.append(f"now: {name}" if row == s.looked else name)
    low, high = float(np.nanmin(problem.X)), float(np.nanmax(problem.X))
    side = isqrt(len(cells))
    values = (np.stack([s.query, *problem.X[rows]])[:, cells] - low) / ((high - low) or 1.0)
    tags = ("query", *problem.tags_of(rows))
    return (
        Pictures(
            "Pictures: the query, and the nearest with their distance",
            np.clip(np.nan_to_num(values), 0.0, 1.0).reshape(-1, side, side),
            tuple(names),
            beside=True,
            tags=tags,
        ),
    )


def neighbour_table(given: Setting, s: State) -> Table:
    """The neighbours, nearest first, with distance, class, and weight where weights differ from
    1.
    """
    problem = given.problem
    columns = []
    if given.vote.weighted:
        columns.append(TableColumn(Feature("weight"), given.vote.weigh(s.distances), digits=4))
    if problem.target is not None:
        columns.append(
            TableColumn(
                problem.target, problem.codes[s.neighbours].astype(np.float64), Role.BOUNDARY
            )
        )
    return best_table(problem, s, "neighbours", *columns)


def vote_bars(given: Setting, s: State, line: str) -> Bars:
    """Bars of the votes of each class, the chosen one highlighted, tied ones as ghosts."""
    tied = front_runners(s.votes[None])[0] & (s.votes > 0)
    roles = [Role.GHOST if tie and tied.sum() > 1 else Role.PLAIN for tie in tied]
    if s.label >= 0 and line in VOTED:
        roles[s.label] = Role.ACTIVE
    labels = tuple(given.problem.class_text(c) for c in range(len(s.votes)))
    group = np.arange(len(s.votes))
    digits = vote_digits(s.votes, 2)
    tags = class_tags(len(s.votes))
    return Bars(
        "Votes", labels, s.votes, tuple(roles), None, group, "votes", digits, tag="votes", tags=tags
    )


def example_table(given: Setting, s: State) -> Table:
    """The examples with the distances measured so far; those that cannot be neighbours any more are
    pale.
    """
    problem = given.problem
    current = (s.looked,) if s.looked >= 0 else ()
    if not s.stored or not s.seen:
        return data_table(problem, current=current)
    measured = np.full(problem.n, np.nan)
    active = np.zeros(problem.n, dtype=bool)
    measured[given.rows[: s.seen]] = given.distances(s.query)[: s.seen]
    active[given.rows[s.seen :]] = active[s.neighbours] = True
    table = data_table(problem, active=active, current=current, tag="looked")
    column = TableColumn(Feature("distance"), measured, Role.ACTIVE)
    return replace(table, columns=(*table.columns[:-1], column, *table.columns[-1:]))
