"""What can stand on a plane: layers of arrays with roles and groups, never colours or pixels."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from engine.base.arrays import Float, Int
from engine.base.records import Record


class Role(StrEnum):
    """What a mark means. `engine/scene/roles.py` says how each role is drawn, the theme in which
    colours.
    """

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


NO_GROUP = -1


# Every layer has a role and a tag. The tag is what a formula term's `about` names: they light
# together. `tags` names its pieces, one for each or (): a piece that is pointed at lights alone,
# see core/tags.py.


class Points(Record):
    """xy (m, 2); group (m,) true class, −1 without; shown (m,) predicted class (fill), −1
    unclassified, None = as true; weight (m,) relative sizes ≥ 0 (area ∝ weight); label: a short
    text beside each point, or (); partial: `shown` is what one part of the model says, a learner of
    a vote, and not the model.
    """

    xy: Float
    group: Int
    role: Role = Role.POINT
    shown: Int | None = None
    weight: Float | None = None
    label: Sequence[str] = ()
    tag: str = ""
    partial: bool = False
    tags: Sequence[str] = ()


class Line(Record):
    """The line w[0]·x + w[1]·y + b = 0, clipped to the view; in the colour of class `group`, −1 in
    ink.
    """

    w: Float
    b: float
    role: Role = Role.BOUNDARY
    label: str = ""
    tag: str = ""
    group: int = NO_GROUP


class Segments(Record):
    """ends (m, 2, 2): m separate straight pieces; ±inf coordinates are clipped to the view. width
    (m,): how many times as wide as its role each is drawn
    """

    ends: Float
    role: Role = Role.PLAIN
    label: tuple[str, ...] = ()
    tag: str = ""
    width: Float | None = None
    tags: tuple[str, ...] = ()


class Polyline(Record):
    """xy (m, 2); NaN rows break the line."""

    xy: Float
    role: Role = Role.PLAIN
    closed: bool = False
    group: int = NO_GROUP
    label: str = ""
    tag: str = ""


class Band(Record):
    """The strip between low (m,) and high (m,) over x (m,)."""

    x: Float
    low: Float
    high: Float
    role: Role = Role.REGION
    group: int = NO_GROUP
    tag: str = ""


class Polygons(Record):
    """rings: one (m_i, 2) array each; group (k,) tint of each, −1 for none; outline drawn in
    `role`.
    """

    rings: tuple[Float, ...]
    group: Int
    role: Role = Role.REGION
    tag: str = ""
    tags: tuple[str, ...] = ()


class Boxes(Record):
    """bounds (k, 4) as x0, y0, x1, y1, ±inf where open (clipped to the view); group (k,) tint;
    label of each, or ().
    """

    bounds: Float
    group: Int
    role: Role = Role.REGION
    label: tuple[str, ...] = ()
    tag: str = ""
    tags: tuple[str, ...] = ()


class Ellipses(Record):
    """centre (k, 2), shape (k, 2, 2) covariance; drawn where the Mahalanobis distance
    is `reach`.
    """

    centre: Float
    shape: Float
    reach: float = 1.0
    role: Role = Role.BALL
    group: Int | None = None
    tag: str = ""
    tags: tuple[str, ...] = ()


class Circles(Record):
    """centre (k, 2), radius (k,) in plane units."""

    centre: Float
    radius: Float
    role: Role = Role.BALL
    label: tuple[str, ...] = ()
    tag: str = ""
    tags: tuple[str, ...] = ()


class Arrows(Record):
    """start (k, 2) to end (k, 2) with a head; label of each, or ()."""

    start: Float
    end: Float
    role: Role = Role.PLAIN
    label: tuple[str, ...] = ()
    tag: str = ""
    tags: tuple[str, ...] = ()


class Labels(Record):
    """Texts at xy (k, 2)."""

    xy: Float
    text: tuple[str, ...]
    role: Role = Role.PLAIN
    tag: str = ""


class Field(Record):
    """Names a surface in the algorithm's `fields`; the surface service computes it.

    name 'class': tints by class index, −1 plain. Any other: stepped shading between the two classes
    around 0, with level lines at `levels`. boundary: draw the ink boundary where the sign or the
    class changes (leave it out when the scene draws it exactly, as a Line or cell edges). margins:
    values of the score whose lines are drawn dashed and tagged, with the boundary tagged 0.
    """

    name: str = "class"
    levels: tuple[float, ...] = ()
    boundary: bool = False
    tag: str = ""
    margins: tuple[float, ...] = ()


Layer = (
    Points
    | Line
    | Segments
    | Polyline
    | Band
    | Polygons
    | Boxes
    | Ellipses
    | Circles
    | Arrows
    | Labels
    | Field
)
LAYERS: tuple[type[Any], ...] = (
    Points,
    Line,
    Segments,
    Polyline,
    Band,
    Polygons,
    Boxes,
    Ellipses,
    Circles,
    Arrows,
    Labels,
    Field,
)
