"""What a mark means, its role, and how each role is drawn: widths, dashes, casings and
colours, in one table for all painters; and the corners of the class markers around (0, 0), of equal
optical area for equal radius.
"""

from enum import StrEnum
from math import cos, pi, sin

from engine.base.records import Record


class Role(StrEnum):
    """What a mark means. The tables below say how it is drawn, the theme in which colours."""

    POINT = "point"
    SAMPLE = "sample"
    ACTIVE = "active"
    INACTIVE = "inactive"
    CANDIDATE = "candidate"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    BOUNDARY = "boundary"
    MARGIN = "margin"
    SUPPORT = "support"
    BOUNDED = "bounded"
    QUERY = "query"
    NEIGHBOUR = "neighbour"
    NEAREST = "nearest"
    BALL = "ball"
    SAME = "same"
    DIFFERENT = "different"
    GHOST = "ghost"
    DIFFERENCE = "difference"
    PROBE = "probe"
    HELD_OUT = "held_out"
    REGION = "region"
    PLAIN = "plain"


# tags of the points whose predicted class is wrong
WRONG = {Role.POINT: "errors", Role.HELD_OUT: "held-out errors"}
CLASS_SHAPES = (
    "circle",
    "square",
    "triangle",
    "diamond",
    "plus",
    "triangle_down",
    "star",
    "hourglass",
)
CASING = 1.25
OUTLINE = 1.75
WRONG_FILL = 0.42
WRONG_RADIUS = 6.5 / 5.5
CROSS = 1.6
CROSS_REACH = 0.6
UNLABELLED = 0.65  # of an ordinary radius
SMALLEST, LARGEST = 2.2, 11.0
ARROW_HEAD = 13.0
ORDINARY = 5.5  # the radius that the ring radii below belong to
HALO, HALO_ALPHA = 7.0, 0.25  # of ink: amber is for the current event, not for hovering


class Stroke(Record, eq=True):
    """A line: width and dash in pixels, with `casing` of plane colour and `edge` of ink on each
    side.
    """

    width: float
    colour: str = "ink"
    dash: tuple[float, ...] = ()
    casing: float = 0.0
    edge: float = 0.0
    opacity: float = 1.0


AMBER = Stroke(3.25, "now", edge=1.5)
# base widths: the projector theme draws all of them 1.5 times as wide
STROKES: dict[Role, Stroke] = {
    Role.PLAIN: Stroke(1.75, casing=CASING),
    Role.POINT: Stroke(1.75, casing=CASING),
    Role.SAMPLE: Stroke(1.75, "ink2", casing=CASING),
    Role.ACTIVE: AMBER,
    Role.INACTIVE: Stroke(1.5, opacity=0.45),
    Role.CANDIDATE: Stroke(2.0, dash=(8, 6), casing=CASING),
    Role.ACCEPTED: Stroke(2.5, casing=CASING),
    Role.REJECTED: Stroke(2.0, "ghost", (2, 4)),
    Role.BOUNDARY: Stroke(2.75, casing=CASING),
    Role.MARGIN: Stroke(1.75, dash=(7, 5), casing=CASING),
    Role.SUPPORT: Stroke(2.0, casing=CASING),
    Role.BOUNDED: Stroke(2.0, casing=CASING),
    Role.QUERY: Stroke(2.0),
    Role.NEIGHBOUR: Stroke(2.0, casing=CASING),
    Role.NEAREST: Stroke(3.0, "now", edge=1.25),
    Role.BALL: Stroke(2.5),
    Role.SAME: Stroke(1.25, "ink2", (5, 5)),
    Role.DIFFERENT: Stroke(2.75),
    Role.GHOST: Stroke(2.0, "ghost", (7, 5)),
    Role.DIFFERENCE: Stroke(1.5, dash=(1.5, 3)),
    Role.PROBE: Stroke(2.0, casing=CASING),
    Role.HELD_OUT: Stroke(1.75, "ink2", (8, 4), CASING),
    Role.REGION: Stroke(1.0, "strong"),
}
POINTED_AT = Stroke(3.25, casing=CASING)  # a candidate under the pointer
ARROW_STROKES = {
    Role.PLAIN: Stroke(2.25, casing=CASING),
    Role.ACCEPTED: Stroke(4.0, casing=CASING),
    Role.GHOST: Stroke(3.0, "ghost", casing=CASING),
    Role.ACTIVE: Stroke(3.5, "now", edge=1.5),
}
BOX_STROKES = {Role.ACTIVE: Stroke(3.5, "now", edge=1.5), Role.REGION: Stroke(1.25, "ink2", (2, 7))}
DIVIDER = Stroke(2.25)  # between boxes of different classes
CLASS_CURVE = Stroke(2.5, casing=CASING)  # a curve in the colour of a class
NODE = Stroke(2.0)
LEADER = Stroke(1.25, casing=1.0)  # from a point to its name
LEVEL = 1.0  # width of a level line

# radius beyond the point's own, for an ordinary point, and how it is drawn
Ring = tuple[float, Stroke]
INK_RING = Stroke(2.0, casing=CASING)


class Mark(Record, eq=True):
    """How a point is drawn.

    style: of its symbol: 'body', 'sample', 'hollow', 'ghost'
    scale: of its radius
    rings: around it
    bare: without a predicted class only the rings are drawn, around the point of another layer
    """

    style: str = "body"
    scale: float = 1.0
    opacity: float = 1.0
    rings: tuple[Ring, ...] = ()
    bare: bool = False


NOW_RING: Ring = (6.0, Stroke(3.0, "now", edge=1.5))
MARKS: dict[Role, Mark] = dict.fromkeys(Role, Mark()) | {
    Role.SAMPLE: Mark("sample"),
    Role.ACTIVE: Mark(rings=(NOW_RING,)),
    Role.NEAREST: Mark(rings=(NOW_RING,), bare=True),
    Role.INACTIVE: Mark(scale=5.0 / 5.5, opacity=0.45),
    Role.REGION: Mark(scale=2.2, opacity=0.4),
    Role.HELD_OUT: Mark("hollow", 0.75),
    Role.GHOST: Mark("ghost"),
    Role.SUPPORT: Mark(rings=((5.0, INK_RING),), bare=True),
    Role.BOUNDED: Mark(rings=((5.0, INK_RING), (9.5, INK_RING)), bare=True),
    Role.NEIGHBOUR: Mark(rings=((5.0, INK_RING),), bare=True),
    Role.ACCEPTED: Mark(rings=((5.0, Stroke(2.5, casing=CASING)),), bare=True),
    Role.CANDIDATE: Mark(rings=((5.0, Stroke(2.0, dash=(4, 3), casing=CASING)),), bare=True),
    Role.REJECTED: Mark(rings=((5.0, Stroke(2.0, "ghost", (2, 4))),), bare=True),
    Role.DIFFERENCE: Mark(rings=((5.0, Stroke(1.5, dash=(1.5, 3))),), bare=True),
}


class Lettering(Record, eq=True):
    """How a text is drawn.

    form: 'halo' of plane colour, 'tag' on a line (plane-filled), 'card' (a box), 'handle' (a letter
        in a circle), 'cross' (a crossed circle: ruled out)
    """

    form: str = "halo"
    colour: str = "ink"


HALO_TEXT, PALE_TEXT = Lettering(), Lettering(colour="ink2")
TAG, CARD, PALE_CARD, HANDLE = (
    Lettering("tag"),
    Lettering("card"),
    Lettering("card", "ink2"),
    Lettering("handle"),
)
LETTERING: dict[Role, Lettering] = dict.fromkeys(Role, HALO_TEXT) | {
    Role.GHOST: PALE_TEXT,
    Role.INACTIVE: PALE_TEXT,
    Role.HELD_OUT: PALE_TEXT,
    Role.MARGIN: TAG,
    Role.BOUNDARY: TAG,
    Role.DIFFERENCE: CARD,
    Role.CANDIDATE: HANDLE,
    Role.REJECTED: Lettering("cross"),
}
SPAN_LETTERING = LETTERING | {
    Role.NEIGHBOUR: CARD,
    Role.NEAREST: CARD,
    Role.BALL: CARD,
    Role.ACTIVE: CARD,
    Role.GHOST: PALE_CARD,
}


def shape_of(group: int) -> str:
    """The marker shape of a class; a circle for −1.

    From the ninth class on the shapes are shifted by one, so that no pair of shape and colour
    repeats at once.
    """
    kinds = len(CLASS_SHAPES)
    return "circle" if group < 0 else CLASS_SHAPES[(group + group // kinds) % kinds]


# sizes in units of the radius
SQUARE_HALF, TRIANGLE, DIAMOND = 0.89, 1.40, 1.27
PLUS_ARM, PLUS_HALF = 1.20, 0.42
STAR_OUTER, STAR_INNER = 1.50, 0.66
HOURGLASS_HALF_WIDTH, HOURGLASS_HALF_HEIGHT = 1.00, 1.15
CROSS_ARM = 1.0


def _ring(radii: tuple[float, ...], start: float, count: int) -> tuple[tuple[float, float], ...]:
    """`count` corners around the centre from angle `start` on, taking the radii in turn."""
    angles = [start + 2 * pi * i / count for i in range(count)]
    return tuple(
        (radii[i % len(radii)] * cos(a), radii[i % len(radii)] * sin(a))
        for i, a in enumerate(angles)
    )


_A, _H = PLUS_ARM, PLUS_HALF
_W, _T = HOURGLASS_HALF_WIDTH, HOURGLASS_HALF_HEIGHT
CORNERS: dict[str, tuple[tuple[float, float], ...]] = {
    "square": tuple(
        (SQUARE_HALF * x, SQUARE_HALF * y) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ),
    "triangle": _ring((TRIANGLE,), -pi / 2, 3),
    "triangle_down": _ring((TRIANGLE,), pi / 2, 3),
    "diamond": _ring((DIAMOND,), -pi / 2, 4),
    "plus": (
        (-_H, -_A),
        (_H, -_A),
        (_H, -_H),
        (_A, -_H),
        (_A, _H),
        (_H, _H),
        (_H, _A),
        (-_H, _A),
        (-_H, _H),
        (-_A, _H),
        (-_A, -_H),
        (-_H, -_H),
    ),
    "star": _ring((STAR_OUTER, STAR_INNER), -pi / 2, 10),
    "hourglass": ((-_W, -_T), (_W, -_T), (-_W, _T), (_W, _T)),
}
