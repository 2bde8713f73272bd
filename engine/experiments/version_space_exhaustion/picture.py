"""Every hypothesis at its training and its true error; the votes of those left on the plane; the
chance that a bad one is left.
"""

from engine.authoring import (
    Bars,
    Boxes,
    Field,
    Figure,
    Float,
    Grid,
    Int,
    Layer,
    Plot,
    Points,
    Polygons,
    Polyline,
    Role,
    Scene,
    Segments,
    Step,
    data_table,
    frozen,
    np,
)
from engine.base.tags import joined
from engine.experiments.parts.chance import bound, tens, union
from engine.experiments.version_space_exhaustion import Setting, State
from engine.scene.axes import comparable

RUNS = "Other runs"
SHOWN = 16  # bars that have room
LEAST = 1e-3  # of a chance that is drawn


def votes(given: Setting, s: State, grid: Grid) -> Float:
    """The vote of V on the grid, from −1 (all say −) to 1 (all say +), for boxes constant in the
    cells of the edges.
    """
    axes = given.H.axes
    if not given.H.boxes:
        X = np.tile(given.problem.anchor, (grid.shape[0] * grid.shape[1], 1))
        X[:, list(given.problem.plane[:2])] = grid.points()
        return np.asarray(2 * votes_of(given, s, X).reshape(grid.shape) - 1, np.float64)
    middles = [(axis[1:] + axis[:-1]) / 2 for axis in axes]
    places = np.stack(np.meshgrid(*middles, indexing="ij"), axis=-1).reshape(-1, len(axes))
    X = np.tile(given.problem.anchor, (len(places), 1))
    X[:, list(given.problem.plane[: len(axes)])] = places
    share = votes_of(given, s, X)
    # nothing holds beyond the outermost edges
    share = np.pad(share.reshape([len(middle) for middle in middles]), 1)
    columns = cells_of(axes[0], grid.x)
    if len(axes) == 1:
        found = np.broadcast_to(share[columns], grid.shape)
    else:
        found = share[np.ix_(columns, cells_of(axes[1], grid.y))].T
    return np.asarray(2 * found - 1, np.float64)


def votes_of(given: Setting, s: State, X: Float) -> Float:
    """(m,) the share of V that says + for rows X (m, d), ½ where V is empty."""
    if not s.left:
        return np.full(len(X), 0.5)
    return np.asarray(given.H.says(X)[s.version_space].sum(axis=0) / s.left)


def cells_of(edges: Float, values: Float) -> Int:
    """(k,) between which edges values (k,) lie: 0 before the first."""
    return np.searchsorted(edges, values)


FIELDS = {"votes": votes}


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    repeats = step.line == "repeat"  # this step alone is about other runs
    figures: list[Figure] = [hypotheses(given, s, step.line), chance(given, s, repeats)]
    if not given.H.on_plane:
        figures.append(inputs(given, s))
    looking = step.line in ("draw", "strike", "lamp")
    now = [s.drawn[-1]] if looking else []
    if not problem.plane:
        table = data_table(problem, current=tuple(now), tag="current")
        figures += [] if repeats else [table]
        return Scene((), tuple(figures), leads=("Hypotheses", RUNS if repeats else table.title))
    layers: list[Layer] = []
    if given.H.on_plane:
        layers.append(Field("votes", tag="V"))
    if given.H.on_plane and s.c >= 0:
        layers.append(concept(given, s.c))
    layers += points(given, s, now)
    round_discs = given.H.kind == "discs" and comparable(problem)
    own = figures[repeats:]  # other runs stand in the place of the hypotheses of this one
    leads = ("Plane", RUNS if repeats else "Hypotheses")
    return Scene(tuple(layers), tuple(own), equal_scales=round_discs, leads=leads)


def concept(given: Setting, c: int) -> Layer:
    """The hidden concept, the hypothesis of this number, as an outline."""
    if given.H.boxes:
        return Boxes(given.H.bounds(c)[None], np.array([-1]), Role.MARGIN, tag="concept")
    ring = frozen(given.H.outline(c))
    return Polygons((ring,), np.array([-1]), Role.MARGIN, tag="concept")


def points(given: Setting, s: State, now: list[int]) -> list[Layer]:
    """The rows not yet drawn, those drawn, and the row of this step."""
    problem = given.problem
    group = np.where(s.truth, 0, 1)
    xy = problem.xy[: len(group)]
    drawn = np.array(sorted(set(s.drawn)), np.intp)
    unseen = np.setdiff1d(np.arange(len(group)), drawn)
    tags = problem.tags_of(drawn.tolist())
    names = tuple(problem.names[i] for i in now)
    return [
        Points(xy[unseen], group[unseen], Role.INACTIVE, tag="rows"),
        Points(xy[drawn], group[drawn], Role.POINT, tag="drawn", tags=tags),
        Points(xy[now], group[now], Role.ACTIVE, label=names, tag="current"),
    ]


def hypotheses(given: Setting, s: State, line: str) -> Plot:
    """A plot of true error over training error: V is the column at 0, bad hypotheses lie on or
    above ε.
    """
    training = s.wrong / max(1, len(s.drawn))
    place = np.column_stack([training, s.errors])
    top = float(s.errors.max(initial=s.epsilon))
    column = np.array([[-0.03, -np.inf, 0.03, 1.04 * top]])
    bad = np.array([[-0.03, s.epsilon, 0.03, 1.04 * top]])
    level = np.array([[[-np.inf, s.epsilon], [np.inf, s.epsilon]]])
    struck_now = s.before & ~s.version_space & (line == "strike")
    said = f"{s.left} left, {s.bad_left} bad"
    if line == "strike":
        said = f"{int(struck_now.sum()) or 'none'} struck, {said}"
    elif line in ("lamp", "done") and s.exhausted >= 0:  # then none is bad
        said = f"exhausted after {s.exhausted}, {s.left} left"
    layers: list[Layer] = [
        Boxes(column, np.array([-1]), Role.SAMPLE, tag="V"),
        Segments(level, Role.MARGIN, (f"ε = {s.epsilon:g}",), tag="epsilon"),
    ]
    if s.bad_left > 0:
        layers.append(Boxes(bad, np.array([-1]), Role.DIFFERENCE, tag="bad"))
    for which, role, tag in (
        (~s.version_space & ~struck_now, Role.INACTIVE, "struck"),
        (s.version_space, Role.SAMPLE, "V"),
        (struck_now, Role.ACTIVE, "struck now"),
    ):
        xy, many = np.unique(place[which], axis=0, return_counts=True)
        weight = np.sqrt(many) if len(xy) else None
        layers.append(Points(frozen(xy), np.full(len(xy), -1), role, weight=weight, tag=tag))
    return Plot(
        f"Hypotheses: {said}",
        "training error r",
        "true error",
        tuple(layers),
        beside=True,
        small=True,
        x_range=(-0.06, 1.04),
        y_range=(-0.06 * top, 1.16 * top),
    )


def chance(given: Setting, s: State, repeats: bool) -> Plot:
    """A plot, in powers of ten, of the chance that a bad hypothesis is left after m examples: the
    bound, the sum, the count, and where it is just counted its last number.
    """
    examples = given.p.examples
    most = bound(given.H.size, s.epsilon, examples)
    bad = union(s.errors[s.bad], examples)
    layers: list[Layer] = [
        curve(most, Role.MARGIN, "|H| e^(−ε m)", joined("bound", "epsilon")),
        curve(bad, Role.PLAIN, "Σ (1 − error)ᵐ", "union"),
    ]
    if s.share is not None:
        layers.append(curve(s.share, Role.BOUNDARY, "counted", "counted"))
    title = "Chance of a bad one left"
    if repeats and s.share is not None:
        share = float(s.share[-1])
        runs = f"{round(share * given.p.repeats)} of {given.p.repeats}"
        title = f"{RUNS}: a bad one left in {runs}"
        last = np.array([[examples, np.log10(max(share, LEAST))]])
        none = np.array([-1])
        layers.append(Points(frozen(last), none, Role.ACTIVE, label=(runs,), tag="counted"))
    now = len(s.drawn)
    layers.append(Segments(np.array([[[now, -np.inf], [now, np.inf]]]), Role.GHOST, tag="m"))
    highest = max(most[0], bad[0])  # both fall; nothing that was counted is above 1
    top = max(0.3, float(np.log10(highest)))
    across = (0.0, 1.15 * examples + 0.5)
    up = (np.log10(LEAST), 1.1 * top)
    return Plot(
        title,
        "examples m",
        "chance",
        tuple(layers),
        beside=True,
        x_range=across,
        y_range=up,
        y_ticks=tens(*up),
    )


def curve(chances: Float, role: Role, label: str, tag: str) -> Polyline:
    """The curve of log₁₀ of chances (m + 1,) over 0 to m examples, cut off below LEAST."""
    logs = np.where(chances >= LEAST, np.log10(np.maximum(chances, LEAST)), np.nan)
    xy = np.column_stack([np.arange(len(chances)), logs])
    return Polyline(frozen(xy), role, label=label, tag=tag)


def inputs(given: Setting, s: State) -> Bars:
    """Bars of the share of V that says + for each different row."""
    bits = given.H.bits(given.problem.X[: given.says.shape[1]])
    d = bits.shape[1]
    codes, first = np.unique(bits @ (1 << np.arange(d)[::-1]), return_index=True)
    if given.H.kind == "functions":
        codes = np.arange(1 << d)
        V = np.flatnonzero(s.version_space)
        yes = (V[:, None] >> codes & 1).sum(axis=0)
    else:
        yes = given.says[s.version_space][:, first].sum(axis=0)
    names = tuple(f"{c:0{d}b}" for c in codes[:SHOWN].tolist())
    return Bars(
        "Votes for +",
        names,
        frozen((yes / max(1, s.left))[:SHOWN]),
        limit=0.5,
        unit="share of V",
        tag="V",
        tags=("V",) * len(names),
    )
