"""The line of each problem of two classes in the colour of its class, what wins where, hatched what
no class or several claim; the scores or votes of the row that is the query.
"""

from typing import Any

from engine.algorithms.linear.parts.picture import nearest_to_middle
from engine.authoring import Bool, Float, Grid, Step, frozen, np, replace
from engine.base.notation import listed, number
from engine.base.tags import class_tag
from engine.experiments.parts.pictures import model_figures
from engine.experiments.several_classes import Setting, State, misplaced
from engine.experiments.several_classes.voting import counted_votes, largest, score_of
from engine.fit.learners import Model
from engine.numerics.contours import level_lines, one_polyline
from engine.scene.figures import text_column
from engine.scene.regression import extent
from engine.scene.scene import (
    Arrows,
    Bars,
    Field,
    Figure,
    Labels,
    Layer,
    Line,
    Matrix,
    Points,
    Polygons,
    Polyline,
    Role,
    Scene,
    Table,
    active_point,
    data_points,
    data_table,
    looked_at,
)
from engine.table.two_classes import REST

ARROW = 0.12  # length of the arrow on a line, of the reach of the data
LEARNERS = "Learners"  # the table of what each says
FINE = 96  # cells along an axis, for borders and hatched regions
NEAR = 0.1  # of the reach of the data: so far beyond the points may the foot of an arrow be
AIR = 0.5  # of the plane, beyond the points
FEW = 12  # problems whose lines are all drawn
NAMED = 4  # hatched regions with a name
MOST_RINGED = 100  # examples with a ring each
MOST_LISTED = 24  # examples whose scores stand side by side
FREE = 2  # cells from there to the points, where there is room for its name between them
ASIDE = (6, 2)  # cells across and up that a name takes beside its middle
DEEP = 4  # cells from the middle of such a region to its edge


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    figures: list[Figure] = [*model_figures(s.model), examples(given, s, step.line)]
    if s.current >= 0:
        f = given.f(s, problem.X[[s.current]])
        figures = [score_bars(given, f), answers(given, f), *figures]
    if not problem.plane:
        whole = s.number < 0 and s.current < 0 and len(s.models) == len(given.pairs)
        if whole and problem.n <= MOST_LISTED:
            figures = [all_scores(given, s), *figures]
            return Scene((), tuple(figures), leads=("Scores", "Examples"))
        summary = f"Examples: {heading(given, s, step.line)}"
        named = [replace(f, title=summary) if f.title == "Examples" else f for f in figures]
        return Scene((), tuple(named))
    layers = [Field("class"), *hatched(given, s), *meetings(given, s), *lines(given, s)]
    if s.number >= 0:
        layers += posed_points(given, s)
        if step.line == "relabel":
            layers += named_class(given, s)
        if step.line == "learn":
            layers += wrong_side(given, s)
    else:
        said = given.winners(given.f(s, problem.X))
        layers.append(data_points(problem, said))
        layers += [active_point(problem, i, said) for i in looked_at(s)]
    leads = ("Plane", LEARNERS) if s.current >= 0 else ("Plane",)
    title = heading(given, s, step.line)
    return Scene((*layers, *region_names(given, s)), tuple(figures), leads=leads, plane=title)


def heading(given: Setting, s: State, line: str) -> str:
    """What the step comes to, in a few words."""
    if s.number >= 0:
        first, second = given.sides(s.number)
        if line == "learn":
            wrong = int(np.count_nonzero(misplaced(given, s)))
            return f"Learnt: {first} | {second}, {wrong} on the wrong side"
        count = np.bincount(given.posed(s.number).codes + 1, minlength=3)
        return f"To learn: {count[1]} {first} | {count[2]} {second}"
    if s.current >= 0:
        return f"Who claims {given.problem.names[s.current]}"
    return f"All together: {s.errors} of {len(given.classed_rows)} wrong"


def posed_points(given: Setting, s: State) -> list[Layer]:
    """The examples as the problem of this step has them.

    Those of a class that it names as they are; of the rest without a class; others pale.
    """
    problem = given.problem
    pair = given.pairs[s.number]
    named = np.isin(problem.codes, pair)
    two = given.posed(s.number).labelled
    layers: list[Layer] = []
    for rows, role in (
        (np.flatnonzero(problem.labelled & ~two), Role.INACTIVE),
        (np.flatnonzero(two & ~named), Role.SAMPLE),
        (np.flatnonzero(named & two), Role.POINT),
    ):
        group = np.full(len(rows), -1) if role is Role.SAMPLE else problem.codes[rows]
        tags = problem.tags_of(rows.tolist())
        layers.append(Points(problem.xy[rows], group, role, tag=side_tag(role), tags=tags))
    return [layer for layer in layers if layer.size]


def named_class(given: Setting, s: State) -> list[Layer]:
    """In amber the rows of the class that is set against the rest; [] in a duel of two classes, or
    of very many rows.
    """
    problem = given.problem
    rows = np.flatnonzero(given.posed(s.number).codes == 0)
    if given.dueling or not 0 < len(rows) <= MOST_RINGED:
        return []
    tags = problem.tags_of(rows.tolist())
    return [Points(problem.xy[rows], problem.codes[rows], Role.ACTIVE, tags=tags)]


def wrong_side(given: Setting, s: State) -> list[Layer]:
    """Rings round the rows that lie on the wrong side of the line just learnt."""
    problem = given.problem
    rows = np.flatnonzero(misplaced(given, s))
    if not len(rows):
        return []
    tags = problem.tags_of(rows.tolist())
    return [Points(problem.xy[rows], problem.codes[rows], Role.NEIGHBOUR, tag="wrong", tags=tags)]


def side_tag(role: Role) -> str:
    """The tag of the rows of the named classes, of the rest, of the others."""
    return {Role.POINT: "data", Role.SAMPLE: "rest"}.get(role, "others")


# -- borders ---------------------------------------------------------------------------------------


def problem_tag(number: int) -> str:
    """The tag of a problem of two classes: its line and its row."""
    return f"problem {number}"


def lines(given: Setting, s: State) -> list[Layer]:
    """The border of each learnt problem, that of this step in amber; of many problems only that."""
    found: list[Layer] = []
    for i, h in enumerate(s.models):
        now = i == s.number
        if now or len(given.pairs) <= FEW:
            role = Role.ACTIVE if now else Role.ACCEPTED
            found += named_border(given, i, h, role)
    return found


def named_border(given: Setting, i: int, h: Model, role: Role) -> list[Layer]:
    """The border of a problem.

    Against the rest it has the colour of its class, and a line an arrow to its side; a duel has the
    names of both.
    """
    line, tip = given.kept("border", h, lambda: (border(h), arrow_of(h)))
    tag = problem_tag(i)
    first, second = given.sides(i)
    if given.dueling:
        return [replace(line, role=role, tag=tag, label=f"{first} | {second}")]
    group = given.pairs[i].first
    if tip is None:
        label = first if isinstance(line, Polyline) else ""
        return [replace(line, role=role, tag=tag, label=label, group=group)]
    start, end = tip
    return [
        replace(line, role=role, tag=tag, label="", group=group),
        Arrows(start[None], end[None], Role.PLAIN, (first,), tag=tag),
    ]


def meetings(given: Setting, s: State) -> list[Layer]:
    """The lines where two classes that both claim a place, or that nothing keeps apart, have equal
    scores.

    Duels need none: the borders of their classes are those of the learners.
    """
    if given.dueling or len(s.models) < 2:
        return []
    xy = given.kept("meetings", s.models, lambda: equal_scores(given, s))
    return [Polyline(xy, Role.BOUNDARY, tag="classes")] if len(xy) else []


def equal_scores(given: Setting, s: State) -> Float:
    """(m, 2) the lines where the largest two scores are equal, without places that no class wins;
    rows of NaN between pieces.
    """
    grid = plane_grid(given.problem)
    f = given.f(s, given.problem.from_plane(grid.points()))
    unclaimed = (given.winners(f) < 0).reshape(grid.shape)
    values = given.values(f).T
    pieces: list[Float] = []
    for pair in given.pairs[: len(f) - 1]:
        others = np.delete(values, pair.first, axis=0).max(axis=0)
        lead = (values[pair.first] - others).reshape(grid.shape)
        pieces += level_lines(grid.x, grid.y, np.where(unclaimed, np.nan, lead), [0.0])
    return frozen(one_polyline(pieces))


def arrow_of(h: Model) -> tuple[Float, Float] | None:
    """(its foot, its tip) of an arrow from the line of h to its first side; None without a line, or
    where it passes far from the points.
    """
    line = border(h)
    if not isinstance(line, Line) or not line.w.any():
        return None
    problem = h.problem
    reach = ARROW * (float(np.ptp(problem.xy, axis=0).max()) or 1.0)
    foot = nearest_to_middle(problem, line.w, line.b)
    low, high, _ = problem.bounds
    if (np.maximum(low - foot, foot - high) > NEAR * (high - low).max()).any():
        return None
    across = reach * line.w / float(np.hypot(*line.w))
    ahead = score_of(h, problem.from_plane(np.array([foot + across, foot - across])))
    towards = 1.0 if ahead[0] >= ahead[1] else -1.0
    return foot, foot + towards * across


def border(h: Model) -> Line | Polyline:
    """The line where h changes from one side to the other: the line that its method draws, else a
    curve.
    """
    for layer in h.scene.layers:
        if isinstance(layer, Line) and layer.role is Role.BOUNDARY:
            return layer
    grid = plane_grid(h.problem)
    lead = score_of(h, h.problem.from_plane(grid.points())).reshape(grid.shape)
    return Polyline(frozen(one_polyline(level_lines(grid.x, grid.y, lead, [0.0]))))


def plane_grid(problem: Any) -> Grid:
    """A grid over the points of the plane and the room around them."""
    axes = []
    for axis in (0, 1):
        low, high = extent(problem, axis)
        air = AIR * (high - low)
        axes.append(np.linspace(low - air, high + air, FINE))
    return Grid(*axes)


# -- regions ---------------------------------------------------------------------------------------


def regions(given: Setting, s: State) -> tuple[Grid, Float, Float, Bool]:
    """(grid, how far below the threshold the largest score is, how far above it the second largest,
    which classes claim each place (ny · nx, k)), all on the grid; above 0 lies what is hatched.
    """
    grid = plane_grid(given.problem)
    f = given.f(s, given.problem.from_plane(grid.points()))
    claims = given.claims(f)
    count = claims.sum(axis=1).reshape(grid.shape)
    if given.dueling:
        return grid, np.where(count == 0, 1.0, -1.0), np.where(count > 1, 1.0, -1.0), claims
    second, first = np.sort(given.values(f), axis=1)[:, -2:].T.reshape(2, *grid.shape)
    return grid, given.threshold - first, second - given.threshold, claims


def is_complete(given: Setting, s: State) -> bool:
    """Whether all problems are learnt, so that regions of none and of several mean something."""
    return len(s.models) == len(given.pairs) > 1 and s.number < 0


def hatched(given: Setting, s: State) -> list[Layer]:
    """The regions that no class claims, and those that several do."""
    if not is_complete(given, s):
        return []
    grid, none, several, _ = given.kept("regions", s.models, lambda: regions(given, s))
    found: list[Layer] = []
    for tag, above in (("none", none), ("several", several)):
        rings = closed(grid, above)
        if rings:
            group = np.full(len(rings), -1)
            found.append(Polygons(rings, group, Role.DIFFERENCE, tag=tag))
    return found


def closed(grid: Grid, values: Float) -> tuple[Float, ...]:
    """The rings (m, 2) around what is above 0 on the grid."""
    lowest = -max(1.0, float(np.abs(values).max(initial=0.0)))
    outside = np.pad(values, 1, constant_values=lowest)
    x, y = (np.concatenate([axis[:1], axis, axis[-1:]]) for axis in (grid.x, grid.y))
    x[[0, -1]] += np.array([-1, 1]) * 1e-6 * np.ptp(x)
    y[[0, -1]] += np.array([-1, 1]) * 1e-6 * np.ptp(y)
    rings = level_lines(x, y, outside, [0.0])
    return tuple(frozen(ring) for ring in rings if len(ring) > 3)


def region_names(given: Setting, s: State) -> list[Layer]:
    """The names of the largest hatched regions, in the middle of each: "none", "A and B"."""
    if not is_complete(given, s):
        return []
    grid, _, _, claims = given.kept("regions", s.models, lambda: regions(given, s))
    covered = beside_points(given.problem.xy, grid)
    kinds, which = np.unique(claims, axis=0, return_inverse=True)
    names = given.problem.class_names
    found = []
    for kind, own in enumerate(kinds):
        if own.sum() == 1:
            continue
        inside = (which.ravel() == kind).reshape(grid.shape)
        depth, place = middle(inside, grid)
        if depth >= DEEP:
            room, free = middle(inside & ~covered, grid)
            place = free if room >= FREE else place
            text = listed([names[c] for c in np.flatnonzero(own)]) if own.any() else "none"
            found.append((depth, place, text))
    found = sorted(found, key=lambda each: -each[0])[:NAMED]
    if not found:
        return []
    xy = frozen([place for _, place, _ in found], np.float64)
    return [Labels(xy, tuple(text for *_, text in found), Role.DIFFERENCE, tag="regions")]


def beside_points(xy: Float, grid: Grid) -> Bool:
    """(ny, nx) the cells in which the middle of a name would lie on one of the points xy (n, 2)."""
    covered = np.zeros(grid.shape, bool)
    columns = np.searchsorted(grid.x, xy[:, 0])
    rows = np.searchsorted(grid.y, xy[:, 1])
    across, up = ASIDE
    for row, column in set(zip(rows.tolist(), columns.tolist(), strict=True)):
        covered[max(0, row - up) : row + up, max(0, column - across) : column + across] = True
    return covered


def middle(inside: Bool, grid: Grid) -> tuple[int, tuple[float, float]]:
    """(how many cells it is from the edge of a region to its deepest place, that place).

    inside: (ny, nx), of which the plane without most of its room around counts
    """
    room = round(FINE * (AIR - 0.05) / (1 + 2 * AIR))
    left = np.zeros_like(inside)
    left[room:-room, room:-room] = inside[room:-room, room:-room]
    depth = 0
    while left.any():
        last = left
        depth += 1
        left = last & np.roll(last, 1, 0) & np.roll(last, -1, 0)
        left &= np.roll(last, 1, 1) & np.roll(last, -1, 1)
    if not depth:
        return 0, (0.0, 0.0)
    rows, columns = np.nonzero(last)
    centre = np.argmin((rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2)
    return depth, (float(grid.x[columns[centre]]), float(grid.y[rows[centre]]))


# -- figures ---------------------------------------------------------------------------------------


def bars_title(given: Setting) -> str:
    return "Votes" if given.dueling else "Scores"


def score_bars(given: Setting, f: Float) -> Bars:
    """The score of each class, or its votes, at one place: f (p, 1)."""
    values = given.values(f)[0]
    label = int(given.winners(f)[0])
    k = given.k
    with_rows = np.array(sorted({c for pair in given.pairs for c in pair if c != REST}))
    if given.dueling:
        values = counted_votes(f, given.pairs, k)[0]
    equal = largest(values[None])[1][0]
    roles = tuple(
        Role.ACTIVE if c == label else Role.GHOST if equal[c] else Role.PLAIN
        for c in with_rows.tolist()
    )
    return Bars(
        bars_title(given),
        tuple(given.problem.class_text(c) for c in with_rows.tolist()),
        frozen(values[with_rows]),
        roles,
        None,
        np.arange(k)[with_rows],
        "",
        0 if given.dueling else 2,
        tag="score",
        beside=True,
        tags=tuple(class_tag(c) for c in with_rows.tolist()),
    )


def all_scores(given: Setting, s: State) -> Matrix:
    """What the classes are compared by, of every example; that of its answer in amber."""
    problem = given.problem
    f = given.f(s, problem.X)
    values = counted_votes(f, given.pairs, given.k) if given.dueling else given.values(f)
    won = given.winners(f).tolist()
    return Matrix(
        "Scores: the answer about each row in amber",
        tuple(map(problem.class_text, range(given.k))),
        tuple(problem.names),
        frozen(values.T),
        tuple((code, row) for row, code in enumerate(won) if code >= 0),
        0 if given.dueling else 2,
        row_tags=tuple(map(class_tag, range(given.k))),
        column_tags=tuple(problem.row_tags),
    )


def answers(given: Setting, f: Float) -> Table:
    """A table of the score of each learner at one place. f: (p, 1)"""
    pairs = [given.sides(i) for i in range(len(f))]
    said = [
        "?" if np.isnan(score) or score == 0 else first if score > 0 else second
        for score, (first, second) in zip(f[:, 0].tolist(), pairs, strict=True)
    ]
    columns = (
        text_column("problem", [f"{first} | {second}" for first, second in pairs]),
        text_column("score", ["?" if np.isnan(v) else number(v, 2) for v in f[:, 0].tolist()]),
        text_column("says", said, Role.BOUNDARY),
    )
    names = tuple(f"h{i + 1}" for i in range(len(f)))
    tags = tuple(problem_tag(i) for i in range(len(f)))
    return Table(LEARNERS, columns, names, tags=tags)


def examples(given: Setting, s: State, line: str) -> Table:
    """The examples, with the side of each in the problem of this step, in amber until it is learnt,
    or what they are called.
    """
    problem = given.problem
    if s.number >= 0:
        first, second = given.sides(s.number)
        y = given.posed(s.number).codes.tolist()
        texts = [{0: first, 1: second}.get(code, "–") for code in y]
        column = text_column("y", texts, Role.BOUNDARY if line == "learn" else Role.ACTIVE)
        active = given.posed(s.number).labelled
    else:
        said = given.winners(given.f(s, problem.X))
        texts = ["none" if code < 0 else problem.class_text(code) for code in said.tolist()]
        column = text_column("says", texts, Role.BOUNDARY)
        active = None
    return data_table(
        problem,
        lambda own: [*own, column],
        active=active,
        current=looked_at(s),
        tag="current",
    )
