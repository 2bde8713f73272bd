"""The points with the labelling of now and what makes it, or why nothing does; beside them all
labellings as small pictures.
"""

from functools import cache
from math import comb

from engine.authoring import (
    Bars,
    Boxes,
    Circles,
    Field,
    Figure,
    Float,
    Grid,
    Int,
    Labels,
    Layer,
    Line,
    Plot,
    Points,
    Polygons,
    Role,
    Scene,
    Segments,
    Step,
    data_table,
    frozen,
    np,
)
from engine.base.notation import counted
from engine.base.tags import joined
from engine.experiments.shattering import Setting, State
from engine.experiments.shattering.cube import LARGEST, is_cube, separable
from engine.experiments.shattering.hypotheses import (
    AIR,
    BESIDE,
    ON_PLANE,
    Answer,
    Kind,
    dimension,
    holds,
    scaled,
)
from engine.experiments.shattering.words import ONE, signs
from engine.numerics.closeness import equal
from engine.scene.scene import NO_GROUP

ORDER: tuple[Kind, ...] = ("intervals", "lines", "discs", "boxes", "triangles")
EDGE = BESIDE + 2 * AIR  # half extents from the middle of a small picture to its frame
WIDE = 1.12  # of a small picture, with the room beside it
HIGH = 1.36  # with the room below it for its name
TALL = 0.7  # pictures across for each one down, beside a plane
FLAT = 1.9  # above a table
DOTTED = 6  # points up to which small pictures have dots
LARGE = 4  # up to which they have names and reasons
ARC = 48  # corners of a disc
SQUARE: Float = frozen(EDGE * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]))

SIDES: Float = frozen([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])  # of its frame


def surface(given: Setting, s: State, grid: Grid) -> Int:
    """(ny, nx) the side of the found hypothesis on which each place lies, −1 where there is
    none.
    """
    answer = s.answer
    if answer is None or not answer.made or given.kind not in ON_PLANE:
        return np.full(grid.shape, -1)
    return np.where(holds(given.kind, answer.shape, grid.points()), 0, 1).reshape(grid.shape)


FIELDS = {"class": surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    figures: list[Figure] = [labellings(given, s, step.line)]
    if s.counts:
        figures.append(sets(given, s))
    if given.kind in ("lines", "half-spaces") and is_cube(given.points):
        figures.append(functions_of_bits())
    if given.kind not in ON_PLANE or not problem.plane:
        rows = s.fails if step.line == "sets" else ()
        if s.current >= 0:
            rows = tuple(np.flatnonzero(given.labels(s.current)).tolist())
        table = data_table(problem, current=rows, active=np.arange(problem.n) < given.n, tag="plus")
        return Scene((), (*figures, table), leads=("Labellings", table.title))
    figures.append(dimensions(given))
    layers = tuple(plane(given, s, step.line))
    said = heading(given, s, step.line)
    return Scene(layers, tuple(figures), given.kind == "discs", plane=said)


def heading(given: Setting, s: State, line: str) -> str:
    """What the plane shows."""
    if line == "sets" and s.fails:
        return f"The first set that fails: {counted(len(s.fails), 'point')}"
    if line in ("sets", "done"):
        return "Shattered" if s.made == 1 << given.n else "Not shattered"
    if s.current < 0:
        return counted(given.n, "point")
    name = signs(given.labels(s.current))
    if s.answer is None:
        return f"Labelling {name}"
    return f"{name} is made" if s.answer.made else f"No {ONE[given.kind]} makes {name}"


# -- the plane -------------------------------------------------------------------------------------


def plane(given: Setting, s: State, line: str) -> list[Layer]:
    """The points with the current labelling, and the hypothesis that makes it or what shows that
    none does.
    """
    problem = given.problem
    n = given.n
    xy = given.points
    layers: list[Layer] = [Field("class", tag="h")]
    if n < problem.n:
        others = problem.xy[n:]
        layers.append(Points(others, no_class(len(others)), Role.INACTIVE, tag="others"))
    names = problem.names[:n]
    tags = problem.row_tags[:n]
    if s.current < 0:
        failing = xy[list(s.fails if line == "sets" else ())]
        layers.append(Points(xy, no_class(n), Role.SAMPLE, label=names, tag="data", tags=tags))
        layers.append(Points(failing, no_class(len(failing)), Role.ACTIVE, tag="fails"))
        return layers
    group = np.where(given.labels(s.current), 0, 1)
    answer = s.answer
    data = Points(xy, group, Role.POINT, label=names, tag="data", tags=tags)
    if answer is None:
        return [*layers, data]
    layers += hypothesis(given, answer)
    if answer.made:
        return [*layers, data]
    if answer.within >= 0:
        i = [answer.within]
        return [*layers, data, Points(xy[i], group[i], Role.ACTIVE, tag="meeting")]
    if given.kind == "triangles":
        return [*layers, data]
    place = meeting(answer, xy, group)
    ways = Segments(hulls(answer, xy, place), Role.MARGIN, tag="hulls")
    return [*layers, ways, data, Points(place[None], no_class(1), Role.ACTIVE, tag="meeting")]


def no_class(m: int) -> Int:
    """(m,) groups of places that have no class."""
    return np.full(m, NO_GROUP)


def hypothesis(given: Setting, answer: Answer) -> list[Layer]:
    """The hypothesis that makes the labelling, or the smallest one that covers the + and fails."""
    shape = answer.shape
    role = Role.BOUNDARY if answer.made else Role.CANDIDATE
    tag = "h" if answer.made else "smallest"
    if not len(shape):
        return []
    if given.kind == "lines":
        return [Line(shape[:2], float(shape[2]), role, tag=tag)]
    if given.kind == "discs":
        return [Circles(shape[None, :2], shape[2:], role, tag=tag)]
    if given.kind == "triangles":
        return [Polygons((shape.reshape(-1, 2),), no_class(1), role, tag=tag)]
    return [Boxes(shape[None], no_class(1), role, tag=tag)]


def meeting(answer: Answer, xy: Float, group: Int) -> Float:
    """(2,) the place that lies between the + as well as between the −."""
    plus = group == 0
    return np.asarray(answer.share[plus] @ xy[plus])


def hulls(answer: Answer, xy: Float, place: Float) -> Float:
    """(m, 2, 2) from the place where both sides meet to the points that it lies between."""
    used = xy[answer.share > 0]
    return np.stack([np.broadcast_to(place, used.shape), used], axis=1)


# -- all labellings --------------------------------------------------------------------------------


def labellings(given: Setting, s: State, line: str) -> Plot:
    """A plot with a small picture of each labelling: its hypothesis, or a cross; those not yet
    examined are pale.
    """
    n = given.n
    count = 1 << n
    across_down = TALL if given.kind in ON_PLANE else FLAT
    wide = int(np.ceil(np.sqrt(across_down * count)))
    number = np.arange(count)
    named = n <= LARGE
    down = HIGH if named else WIDE
    centre = np.column_stack([number % wide * WIDE, -(number // wide) * down])
    layers = regions(given, s, centre) if given.kind in ON_PLANE else asked(given, s, centre)
    layers += frames(s, centre)
    if n <= DOTTED:
        layers += dots(given, s, centre)
    crossed = (number < s.looked) & ~np.isin(number, s.numbers)
    layers.append(crosses(centre[crossed], n, given.kind in ON_PLANE))
    if named:
        below = centre - np.array([0.0, HIGH / 2])
        text = tuple(signs(given.labels(k)) for k in number.tolist())
        layers.append(Labels(below[: s.looked], text[: s.looked]))
        layers.append(Labels(below[s.looked :], text[s.looked :], Role.INACTIVE))
    ending = ""
    if line == "done":
        ending = ", shattered" if s.made == count else ", not shattered"
    if s.current >= 0:
        here = frame(centre[[s.current]])
        layers.append(Boxes(here, no_class(1), Role.ACTIVE, tag=f"y {s.current}"))
    return Plot(
        f"Labellings: {s.made} of {count} made by {given.kind}{ending}",
        "",
        "",
        tuple(layers),
        equal=True,
        beside=True,
        small=True,
        x_range=(-0.62, (wide - 1) * WIDE + 0.62),
        y_range=(float(centre[-1, 1]) - (0.9 if named else 0.62), 0.62),
        ticks=False,
    )


def frame(centre: Float) -> Float:
    """(m, 4) of the small pictures with these middles (m, 2)."""
    return np.concatenate([centre - 0.5, centre + 0.5], axis=1)


def frames(s: State, centre: Float) -> list[Layer]:
    """The frames of the small pictures, by role: not yet examined, made, crossed. centre: (c, 2) of
    the pictures
    """
    number = np.arange(len(centre))
    seen = number < s.looked
    made = np.isin(number, s.numbers)
    kinds = (
        (~seen, Role.INACTIVE, "later"),
        (made, Role.SAMPLE, "made"),
        (seen & ~made, Role.SAMPLE, "crossed"),
    )
    layers = list[Layer]()
    for which, role, tag in kinds:
        rows = np.flatnonzero(which)
        tags = tuple(joined("labellings", tag, f"y {k}") for k in rows)
        layers.append(Boxes(frame(centre[rows]), no_class(len(rows)), role, tag=tag, tags=tags))
    return layers


def regions(given: Setting, s: State, centre: Float) -> list[Layer]:
    """In each small picture both sides of the hypothesis that makes it, or what shows that none
    does. centre: (c, 2)
    """
    middle, half = scaled(given.points, given.kind)
    small = 0.5 / EDGE
    kind = given.kind
    inner = list[Float]()  # the + sides of what makes a labelling
    smallest = list[Float]()  # of what does not
    cuts = [np.zeros((0, 2, 2))]
    ways = [np.zeros((0, 2, 2))]
    for k, answer in enumerate(s.answers):
        if len(answer.shape):
            ring = ring_of(kind, answer.shape, middle, half)
            rings = inner if answer.made else smallest
            rings.append(centre[k] + small * ring)
            if kind == "lines":
                w = answer.shape[:2] * half
                b = answer.shape[2] + answer.shape[:2] @ middle
                ends = ring[equal(ring @ w + b, 0.0, 10.0)]
                cuts.append((centre[k] + small * ends)[None, :2])
        elif len(answer.share) and given.n <= LARGE:
            group = np.where(given.labels(k), 0, 1)
            ends = hulls(answer, given.points, meeting(answer, given.points, group))
            ways.append(centre[k] + small * (ends - middle) / half)
    outline = Role.REGION if kind == "lines" else Role.ACCEPTED
    made = s.numbers
    return [
        Boxes(frame(centre[made]), np.ones(len(made), np.intp), Role.INACTIVE),
        Polygons(tuple(inner), np.zeros(len(inner), np.intp), outline),
        Polygons(tuple(smallest), no_class(len(smallest)), Role.CANDIDATE),
        Segments(np.concatenate(cuts), Role.ACCEPTED),
        Segments(np.concatenate(ways), Role.MARGIN),
    ]


def ring_of(kind: str, shape: Float, middle: Float, half: Float) -> Float:
    """(m, 2) the + side of a hypothesis within a small picture, in half extents round
    the middle.
    """
    if kind == "lines":
        return clipped(SQUARE, shape[:2] * half, float(shape[2] + shape[:2] @ middle))
    if kind == "discs":
        turn = 2 * np.pi * np.arange(ARC) / ARC
        circle = np.column_stack([np.cos(turn), np.sin(turn)])
        ring: Float = (shape[:2] - middle) / half + shape[2] / half[0] * circle
        for w in SIDES:
            ring = clipped(ring, w, EDGE)
        return ring
    if kind == "triangles":
        ring = (shape.reshape(-1, 2) - middle) / half
        for w in SIDES:
            ring = clipped(ring, w, EDGE)
        return ring
    x0, y0, x1, y1 = np.clip((shape.reshape(2, 2) - middle) / half, -EDGE, EDGE).ravel()
    return np.asarray([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float64)


def clipped(ring: Float, w: Float, b: float) -> Float:
    """The part (k, 2) of a convex ring (m, 2) where w · x + b ≥ 0."""
    height = ring @ w + b
    after = np.roll(ring, -1, axis=0)
    heights = zip(height.tolist(), np.roll(height, -1).tolist(), strict=True)
    corners: list[Float] = []
    for at, to, (here, there) in zip(ring, after, heights, strict=True):
        if here >= 0:
            corners.append(at)
        if here * there < 0:
            corners.append(at + here / (here - there) * (to - at))
    return np.array(corners).reshape(-1, 2)


def asked(given: Setting, s: State, centre: Float) -> list[Layer]:
    """Without a plane, the columns that each conjunction tests; for many points only which
    labellings are made. centre: (c, 2)
    """
    bounds = [np.zeros((0, 4))]
    d = given.points.shape[1]
    dotted = given.kind == "conjunctions" and given.n <= DOTTED
    for k in s.numbers:
        asked_for = s.answers[k].shape
        if not dotted:
            bounds.append(frame(centre[[k]]))
        elif len(asked_for):
            x = centre[k, 0] + across(d)[~np.isnan(asked_for)]
            y = np.full(len(x), centre[k, 1])
            half = 0.4 / (d + 1)
            bounds.append(np.column_stack([x - half, y - 0.44, x + half, y + 0.44]))
    found = np.concatenate(bounds)
    return [Boxes(found, np.zeros(len(found), np.intp), Role.INACTIVE)]


def across(d: int) -> Float:
    """(d,) x offsets of the columns of a small table from its middle; the labels stand left of
    them.
    """
    return np.asarray(-0.5 + (np.arange(1, d + 1) + 0.5) / (d + 1))


def dots(given: Setting, s: State, centre: Float) -> list[Layer]:
    """The points with their labels in each small picture, pale where it is not yet examined.

    Without a plane each point is a row, with a stroke for each 1. centre: (c, 2)
    """
    n = given.n
    count = len(centre)
    layers = list[Layer]()
    if given.kind in ON_PLANE:
        middle, half = scaled(given.points, given.kind)
        own = (given.points - middle) / half * 0.5 / EDGE
    else:
        high = 0.5 - (np.arange(n) + 0.5) / n
        d = given.points.shape[1]
        own = np.column_stack([np.full(n, -0.5 + 0.5 / (d + 1)), high])
        layers.append(bits(given, centre, high))
    xy = centre[:, None] + own
    group = np.array([np.where(given.labels(k), 0, 1) for k in range(count)])
    seen = s.looked
    later = Points(xy[seen:].reshape(-1, 2), group[seen:].ravel(), Role.INACTIVE)
    now = Points(xy[:seen].reshape(-1, 2), group[:seen].ravel(), Role.POINT)
    return [*layers, later, now]


def bits(given: Setting, centre: Float, high: Float) -> Segments:
    """A stroke for each 1 of the rows in each small picture: its length grows with the picture, so
    that neighbours never touch. centre: (c, 2); high: (n,) y offsets of the rows
    """
    d = given.points.shape[1]
    i, j = np.nonzero(given.points == 1)
    middle = np.column_stack([across(d)[j], high[i]])
    half = np.array([0.3 / (d + 1), 0.0])
    strokes = np.stack([middle - half, middle + half], axis=1)
    every = (centre[:, None, None] + strokes).reshape(-1, 2, 2)
    return Segments(np.asarray(every), Role.PLAIN, tag="bits")


def crosses(centre: Float, n: int, on_plane: bool) -> Segments:
    """Two strokes through each picture at centre (c, 2); beside its name where there is room.

    They are pale over small tables, which would be unreadable under them, and over tiny pictures.
    """
    at = centre
    size = 0.5
    role = Role.PLAIN if on_plane and n <= DOTTED else Role.INACTIVE
    if n <= LARGE:
        at = centre + np.array([0.42, -HIGH / 2])
        size = 0.07
        role = Role.DIFFERENT
    ways = size * np.array([[[-1.0, -1.0], [1.0, 1.0]], [[-1.0, 1.0], [1.0, -1.0]]])
    strokes = (at[:, None, None] + ways).reshape(-1, 2, 2)
    return Segments(np.asarray(strokes), role, tag="crossed")


@cache
def functions_of_bits() -> Bars:
    """Bars of the share of all functions of 1, 2, … bits that a line, or a plane, makes."""
    made = {bits: separable(bits) for bits in LARGEST}
    every = {bits: 1 << (1 << bits) for bits in made}
    names = tuple(f"{counted(bits, 'bit')}: {made[bits]}/{every[bits]}" for bits in made)
    shares = frozen([made[bits] / every[bits] for bits in made])
    return Bars("Functions that a line makes", names, shares, digits=3, tag="bits", beside=True)


def sets(given: Setting, s: State) -> Bars:
    """Bars of how many sets of 1, 2, … points are shattered, against the number of such sets."""
    sizes = range(1, given.n + 1)
    names = tuple(counted(k, "point") for k in sizes)
    of = frozen([comb(given.n, k) for k in sizes], np.float64)
    values = frozen(s.counts, np.float64)
    tags = tuple(joined("labellings", f"sets of {k}") for k in sizes)
    return Bars(
        "Sets shattered", names, values, before=of, digits=0, unit="sets", tag="sets", tags=tags
    )


def dimensions(given: Setting) -> Bars:
    """Bars of the VC dimension of each kind on the plane; in amber the kind of this run."""
    values = [float(dimension(kind, 2) or 0) for kind in ORDER]
    roles = tuple(Role.ACTIVE if kind == given.kind else Role.PLAIN for kind in ORDER)
    return Bars(
        "VC dimensions", ORDER, frozen(values), roles, digits=0, unit="points", tag="h", beside=True
    )
