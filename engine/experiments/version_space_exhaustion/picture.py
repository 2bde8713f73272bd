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
    Layer,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Segments,
    Step,
    data_table,
    frozen,
    np,
)
from engine.experiments.parts.chance import bound, tens, union
from engine.experiments.version_space_exhaustion import Setting, State

SHOWN = 16  # bars that have room
LEAST = 1e-3  # of a chance that is drawn


def votes(given: Setting, s: State, grid: Grid) -> Float:
    """From −1, all of V say −, to 1, all say +, by the cells that rectangles and intervals consist
    of.
    """
    axes = given.H.axes
    n = s.left
    middles = [(axis[1:] + axis[:-1]) / 2 for axis in axes]
    places = np.stack(np.meshgrid(*middles, indexing="ij"), axis=-1).reshape(-1, len(axes))
    X = np.tile(given.problem.anchor, (len(places), 1))
    X[:, list(given.problem.plane[: len(axes)])] = places
    share = given.H.says(X)[s.version_space].sum(axis=0).reshape([len(m) for m in middles]) / max(
        1, n
    )
    share = np.pad(share if n else share + 0.5, 1)  # nothing holds beyond the outermost edges
    at = [
        np.clip(np.searchsorted(axis, v), 0, len(axis))
        for axis, v in zip(axes, (grid.x, grid.y), strict=False)
    ]
    found = share[np.ix_(*at)].T if len(axes) == 2 else np.broadcast_to(share[at[0]], grid.shape)
    return np.asarray(2 * found - 1, np.float64)


FIELDS = {"votes": votes}


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    figures: tuple[Figure, ...] = (hypotheses(given, s), chance(given, s))
    now = s.drawn[-1:] if step.line in ("draw", "strike", "lamp") else ()
    if not given.H.on_plane:
        figures += (inputs(given, s),)
    if not problem.plane:
        table = data_table(problem, current=tuple(now), tag="current")
        return Scene((), (*figures, table), leads=("Hypotheses", table.title))
    group = np.where(s.truth, 0, 1)
    rows = np.array(sorted(set(s.drawn)), np.intp)
    xy = problem.xy[: len(group)]
    layers: list[Layer] = []
    if given.H.on_plane:
        layers.append(Field("votes", tag="V"))
        if s.c >= 0:
            layers.append(
                Boxes(given.H.bounds(s.c)[None], np.array([-1]), Role.MARGIN, tag="concept")
            )
    unseen = np.setdiff1d(np.arange(len(group)), rows)
    layers.append(Points(xy[unseen], group[unseen], Role.INACTIVE, tag="rows"))
    layers.append(
        Points(xy[rows], group[rows], Role.POINT, tag="drawn", tags=problem.tags_of(rows.tolist()))
    )
    names = tuple(problem.names[i] for i in now)
    layers.append(Points(xy[list(now)], group[list(now)], Role.ACTIVE, label=names, tag="current"))
    return Scene(tuple(layers), figures, leads=("Plane", "Hypotheses"))


def hypotheses(given: Setting, s: State) -> Plot:
    """Training error to the right, true error upwards; V is the column at 0, the bad lie on and
    above ε.
    """
    m = max(1, len(s.drawn))
    place = np.column_stack([s.wrong / m, s.errors])
    struck = ~s.version_space & ~s.before
    top = float(s.errors.max(initial=s.epsilon))
    now = s.before & ~s.version_space
    column, bad = (
        np.array([[-0.03, -np.inf, 0.03, 1.04 * top]]),
        np.array([[-0.03, s.epsilon, 0.03, 1.04 * top]]),
    )
    layers: list[Layer] = [Boxes(column, np.array([-1]), Role.SAMPLE, tag="V")]
    layers += [Boxes(bad, np.array([-1]), Role.DIFFERENCE, tag="bad")] * (s.bad_left > 0)
    shown = (
        (struck, Role.INACTIVE, "struck"),
        (s.version_space, Role.SAMPLE, "V"),
        (now, Role.ACTIVE, "now"),
    )
    for which, role, tag in shown:
        xy, many = np.unique(place[which], axis=0, return_counts=True)
        weight = np.sqrt(many) if len(xy) else None
        layers.append(Points(frozen(xy), np.full(len(xy), -1), role, weight=weight, tag=tag))
    line = np.array([[[-np.inf, s.epsilon], [np.inf, s.epsilon]]])
    layers.insert(1, Segments(line, Role.MARGIN, (f"ε = {s.epsilon:g}",), tag="epsilon"))
    title = f"Hypotheses: {s.left} left, {s.bad_left} bad"
    return Plot(
        title,
        "training error r",
        "true error",
        tuple(layers),
        beside=True,
        small=True,
        x_range=(-0.06, 1.04),
        y_range=(-0.06 * top, 1.16 * top),
    )


def chance(given: Setting, s: State) -> Plot:
    """The chance, in powers of ten, that a bad hypothesis is left after m examples: the bound, the
    sum over the bad ones, the count.
    """
    m = np.arange(given.p.examples + 1)
    now = len(s.drawn)
    known = [
        (bound(given.H.size, s.epsilon, given.p.examples), Role.MARGIN, "|H| e^(−ε m)", "bound"),
        (union(s.errors[s.bad], given.p.examples), Role.PLAIN, "Σ (1 − error)ᵐ", "union"),
    ]
    if s.share is not None:
        known.append((s.share, Role.BOUNDARY, "counted", "counted"))
    layers: list[Layer] = []
    top = 0.3
    for values, role, label, tag in known:
        logs = np.where(values >= LEAST, np.log10(np.maximum(values, LEAST)), np.nan)
        top = max(top, float(np.nanmax(logs, initial=0.0)))
        layers.append(Polyline(frozen(np.column_stack([m, logs])), role, label=label, tag=tag))
    layers.append(Segments(np.array([[[now, -np.inf], [now, np.inf]]]), Role.GHOST, tag="m"))
    across = (0.0, 1.15 * given.p.examples + 0.5)
    up = (np.log10(LEAST), 1.1 * top)
    return Plot(
        "Chance of a bad one left",
        "examples m",
        "chance",
        tuple(layers),
        beside=True,
        x_range=across,
        y_range=up,
        y_ticks=tens(*up),
    )


def inputs(given: Setting, s: State) -> Bars:
    """Which share of V says + of each different row."""
    bits = given.H.bits(given.problem.X[: given.says.shape[1]])
    codes, first = np.unique(bits @ (1 << np.arange(bits.shape[1])[::-1]), return_index=True)
    if given.H.kind == "functions":
        codes = np.arange(1 << bits.shape[1])
        share = (np.flatnonzero(s.version_space)[:, None] >> codes & 1).sum(axis=0)
    else:
        share = given.says[s.version_space][:, first].sum(axis=0)
    names = tuple(f"{c:0{bits.shape[1]}b}" for c in codes.tolist())[:SHOWN]
    values = frozen((share / max(1, s.left))[:SHOWN])
    return Bars(
        "Votes for +",
        names,
        values,
        limit=0.5,
        unit="share of V",
        tag="V",
        tags=("V",) * len(names),
    )
