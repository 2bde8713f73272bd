"""Errors over examples beside what the bounds allow, examples over 1/ε, and one run on the plane
with the strips it misses.
"""

from engine.authoring import (
    Band,
    Boxes,
    Callable,
    Figure,
    Float,
    Layer,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Segments,
    Step,
    frozen,
    np,
)
from engine.core.tags import joined
from engine.experiments.parts.chance import tens
from engine.experiments.parts.sizes import enough, log_size
from engine.experiments.vc_bounds import SIZES, Setting, State
from engine.experiments.vc_bounds.bounds import error_after, lower, strips, upper

ORDER = ("start", "upper", "lower", "strips")
LEAST = 1e-3  # of an error that is drawn


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    come = ORDER.index(step.line) if step.line in ORDER else len(ORDER)
    if not given.axes:
        return Scene((), (examples(given, come),), leads=("Examples",))
    figures: tuple[Figure, ...] = (errors(given, s, come), examples(given, come))
    if not given.problem.plane:
        return Scene((), figures, leads=("Error", "Examples"))
    return Scene(
        tuple(plane(given, s)),
        figures,
        leads=("Plane", "Error") if s.c is not None else ("Error", "Examples"),
    )


def plane(given: Setting, s: State) -> list[Layer]:
    """The run that is shown: the hidden box, the one that is taken, and hatched what it misses."""
    xy = given.problem.xy[np.isfinite(given.problem.xy).all(axis=1)]
    low, high = (xy.min(axis=0), xy.max(axis=0)) if len(xy) else (np.zeros(2), np.ones(2))
    span = np.where(high > low, high - low, 1.0)

    def placed(box: Float) -> Float:
        """(1, 4) on the plane; an interval is open upwards and downwards."""
        sides = np.array([[-np.inf, -np.inf], [np.inf, np.inf]])
        sides[:, : given.axes] = low[: given.axes] + box * span[: given.axes]
        return frozen(sides.reshape(1, 4))

    rows: Layer = Points(xy, np.full(len(xy), -1), Role.INACTIVE, tag="rows")
    if s.c is None or s.X is None or s.plus is None:
        return [rows]
    layers: list[Layer] = [Boxes(placed(s.c), np.array([-1]), Role.MARGIN, tag="concept")]
    if s.h is not None and not np.isnan(s.h).any():
        pieces = [placed(piece) for piece in beyond(s.c, s.h)]
        hatched = np.concatenate([np.zeros((0, 4)), *pieces])
        layers = [Boxes(hatched, np.full(len(hatched), -1), Role.DIFFERENCE, tag="missed"), *layers]
        layers.append(Boxes(placed(s.h), np.array([-1]), Role.BOUNDARY, tag="h"))
    places = np.tile(low + span / 2, (s.m, 1))
    places[:, : given.axes] = low[: given.axes] + s.X * span[: given.axes]
    return [*layers, Points(frozen(places), np.where(s.plus, 0, 1), Role.POINT, tag="drawn")]


def beyond(c: Float, h: Float) -> list[Float]:
    """The strips of c beside h, side by side, as boxes that do not overlap."""
    found = []
    rest = c.copy()
    for axis in range(c.shape[1]):
        for side, edge in ((0, h[0, axis]), (1, h[1, axis])):
            strip = rest.copy()
            strip[1 - side, axis] = rest[side, axis] = np.clip(edge, *rest[:, axis])
            found.append(strip)
    return [strip for strip in found if (strip[0] < strip[1]).all()]


def errors(given: Setting, s: State, come: int) -> Plot:
    """In powers of ten: the mean error and the middle 95 % of the runs, with what the bounds allow
    after so many examples.
    """
    m = np.geomspace(SIZES[0], 4 * SIZES[-1], 60)
    layers: list[Layer] = []
    if len(s.trail):
        size, mean, low, high = np.log10(np.maximum(np.array(s.trail).T, LEAST))
        layers += [
            Band(size, low, high, Role.REGION, 0, tag="mean"),
            Polyline(np.column_stack([size, mean]), Role.ACTIVE, label="mean, 95 %", tag="mean"),
        ]
    bounds = [("upper", error_after(m, given.dimension, given.p.delta), Role.BOUNDARY, "VC bound")]
    if given.axes:
        by_hand = 2 * given.axes / m * np.log(2 * given.axes / given.p.delta)
        bounds.append(("strips", by_hand, Role.MARGIN, f"{2 * given.axes} strips"))
    for tag, values, role, label in bounds:
        if come >= ORDER.index(tag):
            layers.append(
                Polyline(
                    frozen(np.log10(np.column_stack([m, values]))),
                    role,
                    label=label,
                    tag=joined(tag, "bounds"),
                )
            )
    if s.m:
        now = np.log10(s.m)
        layers.append(Segments(np.array([[[now, -np.inf], [now, np.inf]]]), Role.GHOST, tag="mean"))
    across = (np.log10(4.0), np.log10(16 * SIZES[-1]))
    ticks = tuple((float(np.log10(v)), f"{v}") for v in SIZES)
    return Plot(
        "Error: of the runs, and allowed",
        "examples m",
        "error",
        tuple(layers),
        beside=True,
        x_range=across,
        y_range=(-3.3, 1.6),
        x_ticks=ticks,
        y_ticks=tens(-3, 1.6),
    )


def examples(given: Setting, come: int) -> Plot:
    """In powers of ten: m over 1/ε by every bound; that for finitely many is of rectangles with
    whole sides from 0 to 99.
    """
    p = given.p
    d = given.dimension
    inverse = np.geomspace(2.0, 100.0, 40)
    finite = log_size("integer rectangles", 2, 1)
    ways: dict[str, tuple[str, Role, Callable[[float], float]]] = {
        "upper": ("VC bound, 7.7", Role.BOUNDARY, lambda v: upper(d, v, p.delta)),
        "lower": ("too few, 7.3", Role.GHOST, lambda v: lower(d, v, p.delta)),
        "strips": ("strips", Role.MARGIN, lambda v: strips(2 * given.axes, v, p.delta)),
        "finite": ("finite H, 7.2", Role.PLAIN, lambda v: enough(finite, v, p.delta, False)),
        "agnostic": ("agnostic, 7.3", Role.HELD_OUT, lambda v: enough(finite, v, p.delta, True)),
    }
    layers: list[Layer] = []
    for tag, (label, role, reckon) in ways.items():
        there = ORDER.index(tag) <= come if tag in ORDER else given.p.hypotheses == "rectangles"
        if there and (tag != "strips" or given.axes):
            m = np.array([reckon(1 / v) for v in inverse.tolist()], np.float64)
            layers.append(
                Polyline(
                    frozen(np.log10(np.column_stack([inverse, m]))),
                    role,
                    label=label,
                    tag=joined(tag, "bounds"),
                )
            )
    here = np.log10(1 / p.epsilon)
    layers.append(
        Segments(
            np.array([[[here, -np.inf], [here, np.inf]]]),
            Role.GHOST,
            (f"ε = {p.epsilon:g}",),
            tag=joined("epsilon", "bounds"),
        )
    )
    return Plot(
        "Examples: enough, and too few",
        "1/ε",
        "examples m",
        tuple(layers),
        beside=True,
        x_range=(0.3, 2.8),
        y_range=(0.5, 5.6),
        x_ticks=tens(0.3, 2.1),
        y_ticks=tens(1, 5),
    )
