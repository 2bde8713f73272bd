"""Errors over examples beside what the bounds allow, examples over 1/ε, and one run on the plane
with the strips it misses.
"""

from functools import partial
from math import ceil

from engine.authoring import (
    Band,
    Bool,
    Boxes,
    Callable,
    Figure,
    Float,
    Labels,
    Layer,
    Plot,
    Points,
    Role,
    Scene,
    Segments,
    Step,
    frozen,
    np,
)
from engine.base.notation import number, short
from engine.base.tags import joined
from engine.experiments.parts.chance import tens
from engine.experiments.parts.curves import End, names_at_ends
from engine.experiments.parts.lines import curve
from engine.experiments.parts.sizes import enough, log_size
from engine.experiments.vc_bounds import (
    DELTA_BELOW,
    EPSILON_BELOW,
    SIZES,
    Setting,
    State,
    lower,
    network,
    strips,
    upper,
)
from engine.experiments.vc_bounds.bounds import error_after
from engine.scene.scene import NO_GROUP

ORDER = ("start", "upper", "lower", "strips")
# whose examples a line finds; the last one compares two of them
FOUND = {
    "upper": ("upper",),
    "lower": ("lower",),
    "strips": ("strips",),
    "done": ("upper", "strips"),
}
SIGNED = 10  # examples up to which each has its sign, and the boxes their names
SIGN = np.array([0.025, 0.04])  # from an example to its sign, of the plane
BESIDE = 0.03  # from a box to its name, of the plane
MOST_UNITS = 10  # of the curve over the units
LEAST = 1e-6  # in place of an error of 0, below the picture
BELOW = np.array([0.0, -1.0])  # from an example to its sign: on the lower side of h, …
ABOVE, LEFT, RIGHT = -BELOW, np.array([-1.0, 0.0]), np.array([1.0, 0.0])


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    if given.p.hypotheses == "network":
        return Scene((), (examples(given, step.line), dimensions(given)), leads=("Bounds",))
    if not given.axes:
        return Scene((), (examples(given, step.line),), leads=("Bounds",))
    figures: tuple[Figure, ...] = (errors(given, s, step.line), examples(given, step.line))
    layers = tuple(plane(given, s)) if given.problem.plane else ()
    leads = ("Plane", "Error") if layers and s.c is not None else ("Error", "Bounds")
    return Scene(layers, figures, leads=leads)


def passed(line: str) -> int:
    """The number of the line in ORDER, or of all where it comes after them."""
    return ORDER.index(line) if line in ORDER else len(ORDER)


def plane(given: Setting, s: State) -> list[Layer]:
    """The shown run on the plane: the hidden box, the learnt box, and the difference hatched."""
    xy = given.problem.xy[np.isfinite(given.problem.xy).all(axis=1)]
    low = xy.min(axis=0) if len(xy) else np.zeros(2)
    high = xy.max(axis=0) if len(xy) else np.ones(2)
    span = np.where(high > low, high - low, 1.0)

    def placed(box: Float) -> Float:
        """(1, 4) on the plane; an interval is open upwards and downwards."""
        sides = np.array([[-np.inf, -np.inf], [np.inf, np.inf]])
        sides[:, : given.axes] = low[: given.axes] + box * span[: given.axes]
        return frozen(sides.reshape(1, 4))

    if s.c is None or s.X is None or s.plus is None:
        return [Points(xy, np.full(len(xy), NO_GROUP), Role.INACTIVE, tag="rows")]
    alone = np.array([NO_GROUP])
    layers: list[Layer] = [Boxes(placed(s.c), alone, Role.MARGIN, tag="concept")]
    if s.h is not None and not np.isnan(s.h).any():
        pieces = [placed(piece) for piece in (*beyond(s.c, s.h), *beyond(s.h, s.c))]
        hatched = np.concatenate([np.zeros((0, 4)), *pieces])
        group = np.full(len(hatched), NO_GROUP)
        layers = [Boxes(hatched, group, Role.DIFFERENCE, tag="missed"), *layers]
        layers.append(Boxes(placed(s.h), alone, Role.BOUNDARY, tag="h"))
    places = np.tile(low + span / 2, (s.m, 1))
    places[:, : given.axes] = low[: given.axes] + s.X * span[: given.axes]
    signs = ((s.plus, Role.POINT, "+"), (~s.plus, Role.INACTIVE, "−"))
    for rows, role, sign in signs:  # not classes of the table
        group = np.full(int(rows.sum()), NO_GROUP)
        role = Role.POINT if s.m <= SIGNED else role
        layers.append(Points(frozen(places[rows]), group, role, tag="drawn"))
        if s.m <= SIGNED:
            aside = frozen(places[rows] + SIGN * away(s, rows, given.axes) * span)
            layers.append(Labels(aside, (sign,) * len(group), tag="drawn"))
    if given.axes == 2 and s.m <= SIGNED:
        layers.append(Labels(*names_of_the_boxes(s, low, span)))
    return layers


def away(s: State, rows: Bool, axes: int) -> Float:
    """(k, 2) from each of these examples to its sign: to the right, of one on a side of h away from
    h, so that no line strikes the sign.
    """
    assert s.X is not None
    found = np.tile(RIGHT, (int(rows.sum()), 1))
    if s.h is None or np.isnan(s.h).any():
        return found
    X = s.X[rows]
    for side, ways in enumerate(((LEFT, BELOW), (RIGHT, ABOVE))):
        for axis, way in enumerate(ways[:axes]):
            found[X[:, axis] == s.h[side, axis]] = way
    return found


def names_of_the_boxes(s: State, low: Float, span: Float) -> tuple[Float, tuple[str, ...]]:
    """Where c and h are named: above or below their boxes where these jut out of one another, else
    inside. low, span: of the plane
    """
    assert s.c is not None
    if s.h is None or np.isnan(s.h).any():
        at = [(s.c[:, 0].mean(), s.c[1, 1] + BESIDE)]
        return frozen(low + np.array(at) * span), ("concept c",)
    (c_low, c_high), (h_low, h_high) = s.c[:, 1], s.h[:, 1]
    of_c = c_high + BESIDE
    if c_high < h_high:
        of_c = c_low - BESIDE if c_low < h_low else c_high - BESIDE
    of_h = h_low - BESIDE
    if h_low > c_low:
        of_h = h_high + BESIDE if h_high > c_high else h_low + BESIDE
    at = [(s.c[:, 0].mean(), of_c), (s.h[:, 0].mean(), of_h)]
    return frozen(low + np.array(at) * span), ("concept c", "hypothesis h")


def beyond(c: Float, h: Float) -> list[Float]:
    """The parts of box c (2, d) outside box h, as boxes that do not overlap."""
    found = []
    rest = c.copy()  # what of c no strip has taken yet
    for axis in range(c.shape[1]):
        for side in (0, 1):
            edge = np.clip(h[side, axis], *rest[:, axis])
            strip = rest.copy()
            strip[1 - side, axis] = edge
            rest[side, axis] = edge
            found.append(strip)
    return [strip for strip in found if (strip[0] < strip[1]).all()]


def errors(given: Setting, s: State, line: str) -> Plot:
    """A plot, in powers of ten, of the mean error and the middle 95 % of the runs, with the bounds,
    and at the newest size the mean and what the VC bound allows.
    """
    come = passed(line)
    m = np.geomspace(SIZES[0], 4 * SIZES[-1], 60)
    x = np.log10(m)
    wide = (float(np.log10(4.0)), float(np.log10(25 * SIZES[-1])))
    heights = (-3.3, 1.6)
    everywhere = np.array([[[-np.inf, 0.0], [np.inf, 0.0]]])
    empty = frozen([[0.24 * wide[0] + 0.76 * wide[1], 0.14]])
    layers: list[Layer] = [
        Segments(everywhere, Role.GHOST, tag="bounds"),
        Labels(empty, ("above 1: says nothing",), Role.GHOST, tag="bounds"),
    ]
    ends: list[End] = []
    if come >= ORDER.index("upper"):
        tag = joined("upper", "bounds")
        allowed = np.log10(error_after(m, given.dimension, given.p.delta))
        layers.append(curve(x, allowed, Role.BOUNDARY, tag))
        ends.append(End(x[-1], allowed[-1], "VC bound", tag))
    if come >= ORDER.index("strips"):
        tag = joined("strips", "bounds")
        sides = 2 * given.axes
        allowed = np.log10(sides / m * np.log(sides / given.p.delta))
        layers.append(curve(x, allowed, Role.MARGIN, tag))
        ends.append(End(x[-1], allowed[-1], f"bound by {sides} strips", tag))
    if len(s.trail):
        size, mean, low, high = np.log10(np.maximum(np.array(s.trail).T, LEAST))
        layers.append(Band(size, low, high, Role.REGION, 0, tag="mean"))
        layers.append(curve(size, mean, Role.PLAIN, "mean"))
        layers += newest(given, s) if line == "size" else []
    elif s.m:
        now = np.log10(s.m)
        layers.append(Segments(np.array([[[now, -np.inf], [now, np.inf]]]), Role.GHOST, tag="mean"))
    names = names_at_ends(ends, wide[1] - wide[0], heights[1] - heights[0])
    return Plot(
        f"Error: {title_of_errors(s, line)}",
        "examples m",
        "error",
        (*layers, *names),
        beside=True,
        x_range=wide,
        y_range=heights,
        x_ticks=tuple((float(np.log10(v)), f"{v}") for v in SIZES),
        y_ticks=tens(-3, 1.6),
    )


def title_of_errors(s: State, line: str) -> str:
    """What the step says of the errors."""
    if line == "size":
        return f"with {s.m} examples"
    return "allowed, and of 95 % of the runs" if len(s.trail) else "what the bounds allow"


def newest(given: Setting, s: State) -> list[Layer]:
    """The mean error of the last runs, and the error that the VC bound allows."""
    m, mean, _, _ = s.trail[-1]
    allowed = float(error_after(np.array([float(m)]), given.dimension, given.p.delta)[0])
    at = np.log10([m, max(mean, LEAST), allowed])
    way = frozen([[[at[0], at[1]], [at[0], at[2]]]])
    none = np.array([NO_GROUP])
    marks = (
        (at[1], f"mean {number(mean)}", "mean"),
        (at[2], f"allowed {number(allowed)}", "upper"),
    )
    return [
        Segments(way, Role.DIFFERENCE, tag="upper"),
        *(
            Points(frozen([[at[0], y]]), none, Role.ACTIVE, label=(said,), tag=tag)
            for y, said, tag in marks
        ),
    ]


def examples(given: Setting, line: str) -> Plot:
    """A plot of m over 1/ε, both in powers of ten, for every bound so far.

    The bounds for finitely many hypotheses are those of rectangles with whole sides from 0 to
    99.
    """
    p = given.p
    come = passed(line)
    sides = 2 * given.axes
    finite = log_size("integer rectangles", 2, 1)
    inverse = np.geomspace(2.0, 100.0, 40)
    layers: list[Layer] = []

    here = 1 / p.epsilon
    ends: list[End] = []
    marks: list[Layer] = []

    def add(
        tag: str,
        label: str,
        role: Role,
        bound: Callable[[float, float, float], float],
        size: float,
        over: Float = inverse,
    ) -> None:
        """m by a bound, for hypotheses of this size, over some values of 1/ε; ringed where ε has
        the present value, if this line of the pseudo-code finds it.
        """
        m = np.array([bound(size, 1 / v, p.delta) for v in over.tolist()], np.float64)
        bounding = curve(np.log10(over), np.log10(m), role, joined(tag, "bounds"))
        layers.append(bounding)
        ends.append(End(bounding.xy[-1, 0], bounding.xy[-1, 1], label, bounding.tag))
        if tag in FOUND.get(line, ()) and (tag != "lower" or given.says_too_few):
            found = bound(size, p.epsilon, p.delta)
            at = frozen([[np.log10(here), np.log10(found)]])
            none = np.array([NO_GROUP])
            text = (f"{ceil(found)}",)
            marks.append(Points(at, none, Role.ACTIVE, label=text, tag=bounding.tag))

    if come >= ORDER.index("upper"):
        add("upper", "VC, Eq 7.7", Role.BOUNDARY, upper, given.dimension)
    if come >= ORDER.index("lower") and p.delta < DELTA_BELOW:
        small = inverse[inverse > 1 / EPSILON_BELOW]
        add("lower", "too few, Thm 7.3", Role.GHOST, lower, given.at_least, small)
    if come >= ORDER.index("strips") and sides:
        add("strips", f"{sides} strips", Role.MARGIN, strips, sides)
    if p.hypotheses == "rectangles":
        add("finite", "finite, Eq 7.2", Role.PLAIN, partial(enough, agnostic=False), finite)
        whole = partial(enough, agnostic=True)
        add("agnostic", "finite, Eq 7.3", Role.HELD_OUT, whole, finite)
    highest = upper(given.dimension, float(1 / inverse[-1]), p.delta)
    wide = (0.3, 4.3)  # room for the names at the right
    heights = (0.3, max(5.6, float(np.log10(highest)) + 0.3))
    now = np.log10(here)
    return Plot(
        f"Bounds: {title_of_bounds(given, line)}",
        "1/ε",
        "examples m",
        (
            Segments(
                np.array([[[now, -np.inf], [now, np.inf]]]),
                Role.GHOST,
                tag=joined("epsilon", "bounds"),
            ),
            *layers,
            *names_at_ends(ends, wide[1] - wide[0], heights[1] - heights[0]),
            *marks,
        ),
        beside=True,
        x_range=wide,
        y_range=heights,
        x_ticks=tens(0.3, 2.1),
        y_ticks=tens(1, 6),
    )


def title_of_bounds(given: Setting, line: str) -> str:
    """How many examples the line finds, or why it finds none."""
    p = given.p
    if line == "start":
        return f"d = VC(H) {'≤' if p.hypotheses == 'network' else '='} {given.dimension:.4g}"
    if line == "upper":
        return f"{ceil(upper(given.dimension, p.epsilon, p.delta))} are enough"
    if line == "lower" and not given.says_too_few:
        return f"too few is known for ε < {short(EPSILON_BELOW)}, δ < {short(DELTA_BELOW)} only"
    if line == "lower":
        return f"fewer than {ceil(lower(given.at_least, p.epsilon, p.delta))} are too few"
    if line == "strips" and given.axes:
        return f"{ceil(strips(2 * given.axes, p.epsilon, p.delta))} are enough for the tightest"
    if line == "done" and given.axes:
        both = (
            upper(given.dimension, p.epsilon, p.delta),
            strips(2 * given.axes, p.epsilon, p.delta),
        )
        return "{} by VC, {} by strips".format(*map(ceil, both))
    return f"examples for ε = {short(p.epsilon)}"


def dimensions(given: Setting) -> Plot:
    """A plot of the bound on the VC dimension of a network over its units s, and the s at hand."""
    units = np.arange(2, max(MOST_UNITS, given.p.units + 2) + 1, dtype=np.float64)
    inputs = given.problem.d
    d = np.array([network(inputs, int(s)) for s in units])
    now = frozen([[float(given.p.units), given.dimension]])
    name = (f"d ≤ {given.dimension:.4g}",)
    return Plot(
        f"VC dimension: of s units with {inputs} inputs each",
        "units s",
        "at most",
        (
            curve(units, d, Role.BOUNDARY, "dimension", "2 (r + 1) s log₂(e s)"),
            Points(now, np.array([NO_GROUP]), Role.ACTIVE, label=name, tag="dimension"),
        ),
        beside=True,
        x_range=(0.0, 1.5 * units[-1]),  # room for the name at the right
        y_range=(0.0, 1.1 * d[-1]),
    )
