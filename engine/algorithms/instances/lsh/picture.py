"""Strips of each table in its colour, the buckets of the query, who was met and who was missed;
chance over distance.
"""

from engine.algorithms.instances.lsh import Setting, State
from engine.algorithms.instances.lsh.hashes import WIDE, Hash
from engine.algorithms.instances.lsh.words import key_of, reads
from engine.algorithms.instances.parts import BOX, best_table, comparable, extent
from engine.algorithms.instances.parts.best import missed_lines, near_lines
from engine.authoring import Float, Problem, Step, np
from engine.core.dataset import Feature
from engine.core.scene import (
    NO_GROUP,
    Circles,
    Figure,
    Labels,
    Layer,
    Plot,
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
from engine.core.tags import joined
from engine.pictures.text_columns import text_column

# edges of strips across one line, and of all tables: more would hide the examples
_STRIPS, _EDGES = 60, 45
_BINS, _CURVE = 16, 60  # distances at which pairs are counted, and the chance is reckoned
_NAMED = 9  # examples whose names are shown
_COLOURS = 8  # that the themes have


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    figures: list[Figure] = [tables_table(given, s)] if s.tables else []
    if s.opened:
        figures += [chance_plot(given, s), best_table(problem, s, joined("best", "ball"))]
    figures.append(example_table(given, step))
    leads: tuple[str, ...] = ("Plane", "Chance") if step.line in ("enough", "answer") else ()
    if not problem.all_on_plane or given.bitwise:
        leads = (
            ("Examples", "Chance")
            if s.opened
            else ("Examples", "Tables")
            if s.tables
            else ("Examples",)
        )
    if not problem.plane:
        return Scene((), tuple(figures), leads=leads)
    query = problem.to_plane(s.query[None])
    layers: list[Layer] = (
        plane_layers(given, s, step.line) if problem.all_on_plane and not given.bitwise else []
    )
    layers.append(data_points(problem))
    new = step.told.get("new", ())
    if len(new):
        names = tuple(problem.names[i] for i in new) if len(new) <= _NAMED else ()
        layers.append(
            Points(
                problem.xy[new],
                problem.codes[new],
                Role.CANDIDATE,
                label=names,
                tag="new",
                tags=problem.tags_of(new),
            )
        )
    layers += near_lines(problem, s, step.line == "keep") + missed_lines(problem, s)
    layers.append(Points(query, np.array([-1]), Role.QUERY, label=("?",), tag="query"))
    return Scene(tuple(layers), tuple(figures), problem.all_on_plane and comparable(problem), leads)


# -- on the plane ----------------------------------------------------------------------------------


def plane_layers(given: Setting, s: State, line: str) -> list[Layer]:
    """The strips of all tables, or where these are many those of the one that the step is about and
    of the others the bucket of the query; the buckets that are open; how far the radius reaches.
    """
    problem = given.problem
    corners = window(given)
    made: list[Layer] = []
    edges = [strips(table, problem, corners) for table in s.tables]
    few = len(edges) and len(np.vstack(edges)) <= 3 * _EDGES
    for t, table in enumerate(s.tables):
        now = (line == "draw" and t + 1 == len(s.tables)) or (
            line == "bucket" and t + 1 == s.opened
        )
        ring = cell(table, s, corners)
        tag = f"table {t + 1}"
        if t < s.opened and len(ring):
            made.append(
                Polygons(
                    (ring,),
                    np.array([colour(given, t)]),
                    Role.ACTIVE if now else Role.REGION,
                    tag=tag,
                )
            )
        shown, role = (
            (edges[t], Role.ACTIVE if now and few else Role.PLAIN)
            if few or now
            else (ring, Role.PLAIN)
        )
        made.append(Polyline(shown, role, closed=shown is ring, group=colour(given, t), tag=tag))
    if s.turn >= 0:
        reach = np.array([given.p.factor * s.r])
        made.append(
            Circles(
                problem.to_plane(s.query[None]), reach, Role.BALL, tag="reach", tags=("radius",)
            )
        )
    return made


def colour(given: Setting, t: int) -> int:
    """That of a table: none of the classes has it; ink where there are no more colours."""
    group = len(given.problem.classes) + t
    return group if group < _COLOURS else NO_GROUP


def window(given: Setting) -> Float:
    """(4, 2) corners of a box well beyond the examples and the query."""
    problem = given.problem
    middle, half = extent(np.vstack([problem.xy, problem.to_plane(given.query[None])]))
    half *= BOX
    return middle + half * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def strips(table: Hash, problem: Problem, corners: Float) -> Float:
    """(m, 2) ends of the edges between strips near the examples, NaN rows between them."""
    parts = []
    far = float(np.ptp(corners, axis=0).max())
    middle = corners.mean(axis=0)
    for u, offset in zip(table.lines, table.offsets, strict=True):
        u = np.append(u, 0.0)[:2]
        along = float(middle @ u) + far / BOX * np.array([-1.0, 1.0])
        first, last = np.ceil((along + offset) / table.width)
        for j in np.arange(first, last + 1) if last - first < _STRIPS else ():
            foot = middle + (j * table.width - offset - middle @ u) * u
            turned = far * np.array([-u[1], u[0]])
            parts += [foot - turned, foot + turned, np.full(2, np.nan)]
    return np.array(parts) if parts else np.zeros((0, 2))


def cell(table: Hash, s: State, corners: Float) -> Float:
    """(m, 2) corners of the bucket of the query: where its strips of a table cross."""
    code = table.code(s.query[None])[0]
    ring = corners
    for u, offset, strip in zip(table.lines, table.offsets, code, strict=True):
        u = np.append(u, 0.0)[:2]
        ring = clipped(ring, -u, offset - strip * table.width)
        ring = clipped(ring, u, (strip + 1) * table.width - offset)
    return ring


def clipped(ring: Float, u: Float, limit: float) -> Float:
    """The part of a convex ring (m, 2) where u · x ≤ limit."""
    if not len(ring):
        return ring
    over = ring @ u - limit
    kept = []
    for a, b, da, db in zip(ring, np.roll(ring, -1, axis=0), over, np.roll(over, -1), strict=True):
        kept += [a] if da <= 0 else []
        if (da < 0 < db) or (db < 0 < da):
            kept.append(a + da / (da - db) * (b - a))
    return np.array(kept) if len(kept) > 2 else np.zeros((0, 2))


# -- beside the plane ------------------------------------------------------------------------------


def tables_table(given: Setting, s: State) -> Table:
    """Each table: what it reads, the bucket of the query, and how many examples share it."""
    tables = s.tables
    opened = np.arange(len(tables)) < s.opened
    shared = np.array([len(table.beside(s.query)) for table in tables], np.float64)
    columns = (
        text_column("reads", [reads(given, table) for table in tables]),
        TableColumn(
            Feature("buckets"), np.array([len(table.codes) for table in tables], np.float64)
        ),
        text_column(
            "of “?”",
            [key_of(table, s) if on else "" for table, on in zip(tables, opened, strict=True)],
        ),
        TableColumn(Feature("examples in it"), np.where(opened, shared, np.nan)),
    )
    current = (s.opened - 1,) if s.opened else (len(tables) - 1,)
    names = tuple(f"table {t + 1}" for t in range(len(tables)))
    group = [colour(given, t) for t in range(len(tables))]
    return Table(
        "Tables: of this radius", columns, names, np.array(group), None, current, "", (), names
    )


def chance_plot(given: Setting, s: State) -> Plot:
    """With which chance an example so far away is met in the tables of this radius, beside the
    share of pairs that do share a bucket.
    """
    tables = s.tables[: s.opened]
    if given.bitwise:
        at = np.arange(given.problem.d + 1.0)
        edges = np.arange(-0.5, given.problem.d + 1.0)
        middles = at
    else:
        far = 3 * WIDE * s.r
        at, edges = np.linspace(0.0, far, _CURVE), np.linspace(0.0, far, _BINS + 1)
        middles = (edges[1:] + edges[:-1]) / 2
    chance = np.array([given.chance(float(d), s.r, len(tables)) for d in at])
    shares, many = given.counted(tables, edges)
    seen = many > 0
    counted = np.column_stack([middles, shares])[seen]
    reach = given.p.factor * s.r
    layers: list[Layer] = [
        Segments(np.array([[[reach, 0.0], [reach, 1.0]]]), Role.MARGIN, tag="reach")
    ]
    beside = reach + 0.05 * float(at[-1] - at[0])  # low, where the curve is far to the right
    layers.append(Labels(np.array([[beside, 0.12]]), ("c · r",), tag="reach"))
    layers.append(
        Polyline(np.column_stack([at, chance]), Role.BOUNDARY, tag=joined("chance", "found"))
    )
    size = np.sqrt(many[seen].astype(np.float64))
    layers.append(
        Points(counted, np.full(len(counted), -1), Role.SAMPLE, weight=size, tag="counted")
    )
    rows, role, tag = (
        (s.missed, Role.REJECTED, "missed")
        if len(s.missed)
        else (s.neighbours[:1], Role.NEAREST, "best")
    )
    rows = rows[given.distances(rows) <= at[-1]][:_NAMED]
    if len(rows):
        places = [
            [float(d), given.chance(float(d), s.r, len(tables))] for d in given.distances(rows)
        ]
        names = tuple(given.problem.names[i] for i in rows)
        layers.append(Points(np.array(places), np.full(len(rows), -1), role, label=names, tag=tag))
    x_label = "bits that differ" if given.bitwise else "distance"
    title = "Chance: to share a bucket" + " of this radius" * (len(given.radii) > 1)
    return Plot(
        title,
        x_label,
        "share of pairs",
        tuple(layers),
        x_range=(float(at[0]), float(at[-1])),
        y_range=(0.0, 1.05),
    )


def example_table(given: Setting, step: Step[State]) -> Table:
    """All examples: those never met are pale; the bits that a table reads are lit."""
    problem = given.problem
    s = step.state
    active = None
    if s.turn >= 0 and (s.opened or s.turn):
        active = np.zeros(problem.n, bool)
        active[s.candidates] = True
    table = s.tables[-1] if step.line == "draw" else s.tables[s.opened - 1] if s.opened else None
    lit = (
        table.columns
        if table is not None and step.line in ("draw", "bucket", "look", "keep")
        else ()
    )
    roles = {problem.features[j].name: Role.ACTIVE for j in lit}
    new = tuple(int(i) for i in step.told.get("new", ()))
    current = (s.looked,) if s.looked >= 0 else new
    return data_table(problem, roles=roles, current=current, active=active, tag="examined")
