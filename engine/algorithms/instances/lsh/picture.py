"""Strips of each table in its colour, the buckets of the query, which examples were met and which
were missed; chance over distance.
"""

from engine.algorithms.instances.lsh import Setting, State
from engine.algorithms.instances.lsh.buckets import bucket_cards, fullest
from engine.algorithms.instances.lsh.hashes import WIDE, Hash
from engine.algorithms.instances.lsh.words import key_of, reads
from engine.algorithms.instances.parts import BOX, best_table, comparable, extent
from engine.algorithms.instances.parts.best import missed_lines, near_lines, result, verdict
from engine.algorithms.instances.parts.rings import kept_side
from engine.authoring import Float, Int, Problem, Step, np, number, replace
from engine.base.notation import counted
from engine.base.tags import joined
from engine.scene.figures import text_column
from engine.scene.scene import (
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
from engine.table.dataset import Feature

BUILDS = ("draw", "fill")  # lines about the tables alone, without the query
_STRIPS = 60  # edges of strips across one line: more would hide the examples
_EDGES = 45  # edges of the strips of all tables
_BINS = 16  # distances at which pairs are counted
_CURVE = 60  # distances at which the chance is computed
_NAMED = 9  # examples whose names are shown
NAMED_AT = 1.05  # of the way from the middle of a bucket to its corner
_COLOURS = 8  # that the themes have


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    shown = problem.all_on_plane and not given.bitwise
    title = plane_title(given, step)
    figures: list[Figure] = []
    if s.tables:
        new = np.array(step.details.get("new", ()), np.intp)
        cards = bucket_cards(given, s, new, step.line)
        if not shown and step.line in ("look", "keep", "enough"):  # no plane says it
            cards = replace(cards, title=f"Buckets: {title}")
        figures.append(cards)
        figures.append(tables_table(given, s))
    if s.opened:
        figures.append(chance_plot(given, s))
        figures.append(best_table(problem, s, joined("best", "ball")))
    figures.append(example_table(given, step))
    leads = leading(given, s, step.line)
    if not problem.plane:
        return Scene((), tuple(figures), leads=leads)
    layers: list[Layer] = []
    if shown:
        layers += plane_layers(given, s, step.line)
    equal = problem.all_on_plane and comparable(problem)
    if step.line in BUILDS:  # what was found at the radius before has no part in it
        layers.append(data_points(problem))
        return Scene(tuple(layers), tuple(figures), equal, leads, title)
    layers += examples(problem, s)
    new = step.details.get("new", ())
    if len(new):
        layers.append(new_points(problem, new))
    layers += near_lines(problem, step)
    layers += missed_lines(problem, s)
    query = problem.to_plane(s.query[None])
    layers.append(Points(query, np.array([-1]), Role.QUERY, label=("?",), tag="query"))
    return Scene(tuple(layers), tuple(figures), equal, leads, title)


def plane_title(given: Setting, step: Step[State]) -> str:
    """What the step does: the table at hand, how many examples were met or measured, whether that
    is enough.
    """
    s, line = step.state, step.line
    if line == "draw":
        what = "Bits" if given.bitwise else "Strips"
        return f"{what} of table {len(s.tables)}: {reads(given, s.tables[-1])}"
    if line == "fill":
        return f"The fullest bucket, of table {fullest(s)[0] + 1}"
    if line == "radius":
        return f"Radius {number(s.r)}: new tables to come"
    if line == "bucket":
        there, new = step.details["there"], len(step.details["new"])
        return f"Bucket of “?” in table {s.opened}: {counted(there, 'example')}, {new} new"
    if line in ("look", "keep"):
        return verdict(given.problem, step)
    if line == "enough":
        near = step.details["near"]
        last = s.turn + 1 == len(given.radii)
        then = "enough" if near >= given.k else "no radius left" if last else "next radius"
        return f"{near} of {given.k} within {number(given.p.factor * s.r)}: {then}"
    if line == "answer" and len(s.neighbours):
        return result(given.problem, s)
    return "The examples and the query"


def examples(problem: Problem, s: State) -> list[Layer]:
    """The examples; once buckets are open those that were not met in one are pale."""
    whole = data_points(problem)
    if not s.opened and not len(s.candidates):
        return [whole]
    rows = np.arange(problem.n) if problem.drawn is None else problem.drawn
    met = np.isin(rows, s.candidates)
    return [
        replace(
            whole,
            xy=whole.xy[here],
            group=whole.group[here],
            role=role,
            tags=problem.tags_of(rows[here]),
            tag=tag,
        )
        for here, role, tag in ((~met, Role.INACTIVE, "unmet"), (met, Role.POINT, "data"))
    ]


def leading(given: Setting, s: State, line: str) -> tuple[str, ...]:
    """The names of the views that come first: the plane where it shows the strips, else tables."""
    if not given.problem.all_on_plane or given.bitwise:
        return ("Buckets", "Examples") if s.tables else ("Examples",)
    return ("Plane", "Chance") if line in ("enough", "answer") else ()


def new_points(problem: Problem, new: Int) -> Points:
    """The examples of a bucket that were not found before, named where they are few."""
    names = tuple(problem.names[i] for i in new) if len(new) <= _NAMED else ()
    tags = problem.tags_of(new)
    role = Role.CANDIDATE
    return Points(problem.xy[new], problem.codes[new], role, label=names, tag="new", tags=tags)


# -- on the plane ----------------------------------------------------------------------------------


def plane_layers(given: Setting, s: State, line: str) -> list[Layer]:
    """The strips of all tables, or where these are many those of the one that the step is about and
    of the others the bucket of the query; the buckets that are open; how far the radius reaches.
    """
    corners = window(given)
    edges = [strips(table, given.problem, corners) for table in s.tables]
    few = sum(map(len, edges)) <= 3 * _EDGES
    current = {"draw": len(s.tables) - 1, "bucket": s.opened - 1}.get(line, -1)
    if line == "fill":
        return fullest_bucket(given, s, corners)
    made: list[Layer] = []
    for t, table in enumerate(s.tables):
        ring = cell(table, s, corners)
        group = colour(given, t)
        tag = f"table {t + 1}"
        if t < s.opened and len(ring):
            role = Role.ACTIVE if t == current else Role.REGION
            made.append(Polygons((ring,), np.array([group]), role, tag=tag))
        if line == "draw" and t != current:
            continue
        if few:
            role = Role.ACTIVE if t == current and line == "draw" else Role.PLAIN
            made.append(Polyline(edges[t], role, closed=False, group=group, tag=tag))
        elif t == current and line == "draw":
            made.append(Polyline(edges[t], Role.PLAIN, closed=False, group=group, tag=tag))
        elif t != current:
            made.append(Polyline(ring, Role.PLAIN, closed=True, group=group, tag=tag))
    if s.turn >= 0 and line not in BUILDS:
        query = given.problem.to_plane(s.query[None])
        reach = np.array([given.p.factor * s.r])
        named = (f"c · r = {number(float(reach[0]), 2)}",)
        made.append(Circles(query, reach, Role.BALL, named, tag="reach", tags=("radius",)))
    return [*made, *table_names(s, corners)]


def fullest_bucket(given: Setting, s: State, corners: Float) -> list[Layer]:
    """The strips of the table with the fullest bucket, and that one in amber with the number of its
    examples.
    """
    t, b = fullest(s)
    table = s.tables[t]
    edges = strips(table, given.problem, corners)
    ring = cell_of_code(table, table.codes[b], corners)
    group = colour(given, t)
    count = int(np.count_nonzero(table.bucket == b))
    made: list[Layer] = [Polyline(edges, Role.PLAIN, group=group, tag=f"table {t + 1}")]
    if not len(ring):
        return made
    name = Labels(ring[[ring[:, 1].argmax()]], (counted(count, "example"),), tag="table")
    inside = Polygons((ring,), np.array([group]), Role.REGION, tag="current")
    # the strips would cover a frame on the ground
    return [inside, *made, Polyline(ring, Role.ACTIVE, closed=True, tag="current"), name]


def table_names(s: State, corners: Float) -> list[Layer]:
    """The names of the tables at their open buckets, each at the corner farthest from the query and
    from the names before.
    """
    places, names = list[Float](), list[str]()
    for t in range(s.opened if s.opened <= _COLOURS else 0):
        ring = cell(s.tables[t], s, corners)
        if not len(ring):
            continue
        middle = ring.mean(axis=0)
        inside = middle + NAMED_AT * (ring - middle)
        apart = [min(np.linalg.norm(at - p) for p in [middle, *places]) for at in inside]
        places.append(inside[int(np.argmax(apart))])
        names.append(f"table {t + 1}")
    return [Labels(np.array(places), tuple(names), tag="table")] if places else []


def colour(given: Setting, t: int) -> int:
    """The colour group of table t, which is that of no class; NO_GROUP where none is left."""
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
    return cell_of_code(table, table.code(s.query[None])[0], corners)


def cell_of_code(table: Hash, code: Float, corners: Float) -> Float:
    """(m, 2) corners of the bucket with this code (m,), where its strips cross."""
    ring = corners
    for u, offset, strip in zip(table.lines, table.offsets, code, strict=True):
        u = np.append(u, 0.0)[:2]
        ring = kept_side(ring, strip * table.width - offset - ring @ u)
        ring = kept_side(ring, ring @ u - ((strip + 1) * table.width - offset))
    return ring if len(ring) > 2 else np.zeros((0, 2))


# -- beside the plane ------------------------------------------------------------------------------


def tables_table(given: Setting, s: State) -> Table:
    """A row for each hash table: what it reads, the query's bucket, the number of examples in
    it.
    """
    tables = s.tables
    opened = np.arange(len(tables)) < s.opened
    many = np.array([len(table.codes) for table in tables], np.float64)
    shared = np.array([len(table.beside(s.query)) for table in tables], np.float64)
    keys = [key_of(table, s) if on else "" for table, on in zip(tables, opened, strict=True)]
    columns = (
        text_column("reads", [reads(given, table) for table in tables]),
        TableColumn(Feature("buckets"), many),
        text_column("of “?”", keys),
        TableColumn(Feature("examples in it"), np.where(opened, shared, np.nan)),
    )
    names = tuple(f"table {t + 1}" for t in range(len(tables)))
    return Table(
        "Tables: of this radius",
        columns,
        names,
        group=np.array([colour(given, t) for t in range(len(tables))]),
        current=((s.opened or len(tables)) - 1,),
        tags=names,
    )


def chance_plot(given: Setting, s: State) -> Plot:
    """A plot over distance of the chance that an example is found at this radius, and of the share
    of pairs that do share a bucket.
    """
    tables = s.tables[: s.opened]
    if given.bitwise:
        at = np.arange(given.problem.d + 1.0)
        edges = np.arange(-0.5, given.problem.d + 1.0)
        middles = at
    else:
        far = 3 * WIDE * s.r
        at = np.linspace(0.0, far, _CURVE)
        edges = np.linspace(0.0, far, _BINS + 1)
        middles = (edges[1:] + edges[:-1]) / 2
    chance = np.array([given.chance(float(d), s.r, len(tables)) for d in at])
    shares, many = given.counted(tables, edges)
    seen = many > 0
    counted = np.column_stack([middles, shares])[seen]
    size = np.sqrt(many[seen].astype(np.float64))
    reach = given.p.factor * s.r
    beside = reach + 0.05 * float(at[-1] - at[0])  # low, where the curve is far to the right
    curve = np.column_stack([at, chance])
    layers: list[Layer] = [
        Segments(np.array([[[reach, 0.0], [reach, 1.0]]]), Role.MARGIN, tag="reach"),
        Labels(np.array([[beside, 0.12]]), ("c · r",), tag="reach"),
        Polyline(curve, Role.BOUNDARY, tag=joined("chance", "found")),
        Points(counted, np.full(len(counted), -1), Role.SAMPLE, weight=size, tag="counted"),
        *chances_of(given, s, float(at[-1]), len(tables)),
    ]
    return Plot(
        f"Chance: to share a bucket{' at this radius' if s.turn else ', by distance'}",
        "bits that differ" if given.bitwise else "distance",
        "share of pairs",
        tuple(layers),
        x_range=(float(at[0]), float(at[-1])),
        y_range=(0.0, 1.05),
    )


def chances_of(given: Setting, s: State, farthest: float, tables: int) -> list[Layer]:
    """Marks on the chance curve for the missed rows, or for the nearest where none is missed.
    farthest: right end of the plot
    """
    rows, role, tag = s.neighbours[:1], Role.NEAREST, "best"
    if len(s.missed):
        rows, role, tag = s.missed, Role.REJECTED, "missed"
    rows = rows[given.distances(rows) <= farthest][:_NAMED]
    if not len(rows):
        return []
    distances = given.distances(rows).tolist()
    places = np.array([[d, given.chance(d, s.r, tables)] for d in distances])
    names = tuple(given.problem.names[i] for i in rows)
    return [Points(places, np.full(len(rows), -1), role, label=names, tag=tag)]


def example_table(given: Setting, step: Step[State]) -> Table:
    """The examples; those not found are pale, the bits that a table reads are highlighted."""
    problem = given.problem
    s = step.state
    active = None
    if s.turn >= 0 and (s.opened or s.turn):
        active = np.zeros(problem.n, bool)
        active[s.candidates] = True
    roles = {problem.features[j].name: Role.ACTIVE for j in columns_read(s, step.line)}
    new = tuple(int(i) for i in step.details.get("new", ()))
    current = (s.looked,) if s.looked >= 0 else new
    return data_table(problem, roles=roles, current=current, active=active, tag="examined")


def columns_read(s: State, line: str) -> Int:
    """The indices of the columns whose bits are read by the table of a step."""
    if line == "draw":
        return s.tables[-1].columns
    if line in ("bucket", "look", "keep"):
        return s.tables[s.opened - 1].columns
    return np.zeros(0, np.intp)
