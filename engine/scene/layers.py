"""The layers of a plane: arrays with roles and groups, never colours or pixels."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from engine.base.arrays import Float, Int
from engine.base.records import Record


class Role(StrEnum):
    """What a mark means. `engine/scene/roles.py` says how it is drawn, the theme in which
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


# Every layer has a tag, and all but Field a role. A term of a formula whose `about` is the tag
# lights together with the layer. `tags` has one tag for each piece, or is (): a piece under the
# pointer lights alone. See engine/base/tags.py.


class Points(Record):
    """Points on the plane.

    xy: (m, 2)
    group: (m,) true class, −1 without; drawn as shape and outline
    shown: (m,) predicted class, drawn as fill, −1 unclassified; None = as the true one
    weight: (m,) relative sizes ≥ 0 (area ∝ weight)
    label: a short text beside each point, or ()
    partial: `shown` is what one part of the model predicts, a learner of a vote, not the model
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
    """The line w[0]·x + w[1]·y + b = 0, clipped to the view.

    group: in the colour of this class; −1: in ink
    """

    w: Float
    b: float
    role: Role = Role.BOUNDARY
    label: str = ""
    tag: str = ""
    group: int = NO_GROUP


class Segments(Record):
    """m separate straight segments.

    ends: (m, 2, 2) their end points; ±inf coordinates are clipped to the view
    width: (m,) factors of the width of the role
    """

    ends: Float
    role: Role = Role.PLAIN
    label: tuple[str, ...] = ()
    tag: str = ""
    width: Float | None = None
    tags: tuple[str, ...] = ()


class Polyline(Record):
    """A line through xy (m, 2), interrupted at rows of NaN."""

    xy: Float
    role: Role = Role.PLAIN
    closed: bool = False
    group: int = NO_GROUP
    label: str = ""
    tag: str = ""


class Band(Record):
    """The strip between low (m,) and high (m,), over the places x (m,)."""

    x: Float
    low: Float
    high: Float
    role: Role = Role.REGION
    group: int = NO_GROUP
    tag: str = ""


class Polygons(Record):
    """k polygons, whose outlines are drawn in `role`.

    rings: one (m_i, 2) array each
    group: (k,) class whose tint each has, −1 for none
    """

    rings: tuple[Float, ...]
    group: Int
    role: Role = Role.REGION
    tag: str = ""
    tags: tuple[str, ...] = ()


class Boxes(Record):
    """k boxes parallel to the axes.

    bounds: (k, 4) x0, y0, x1, y1, ±inf where open (clipped to the view)
    group: (k,) class whose tint each has
    label: of each, or ()
    """

    bounds: Float
    group: Int
    role: Role = Role.REGION
    label: tuple[str, ...] = ()
    tag: str = ""
    tags: tuple[str, ...] = ()


class Ellipses(Record):
    """k ellipses, drawn where the Mahalanobis distance is `reach`.

    centre: (k, 2); shape: (k, 2, 2) covariance matrices
    """

    centre: Float
    shape: Float
    reach: float = 1.0
    role: Role = Role.BALL
    group: Int | None = None
    tag: str = ""
    tags: tuple[str, ...] = ()


class Circles(Record):
    """k circles in plane units: centre (k, 2), radius (k,)."""

    centre: Float
    radius: Float
    role: Role = Role.BALL
    label: tuple[str, ...] = ()
    tag: str = ""
    tags: tuple[str, ...] = ()


class Arrows(Record):
    """k arrows from start (k, 2) to end (k, 2), with a head; label of each, or ()."""

    start: Float
    end: Float
    role: Role = Role.PLAIN
    label: tuple[str, ...] = ()
    tag: str = ""
    tags: tuple[str, ...] = ()


class Labels(Record):
    """k texts at xy (k, 2)."""

    xy: Float
    text: tuple[str, ...]
    role: Role = Role.PLAIN
    tag: str = ""


class Field(Record):
    """A surface, by its name in the algorithm's `fields`; the surface service computes it.

    name: 'class': tints by class index, −1 plain; any other: stepped shading between the two
        classes around 0
    levels: values at which level lines are drawn
    boundary: draw the ink boundary where the sign or the class changes; False where the scene draws
        it exactly, as a Line or cell edges
    margins: values of the score whose lines are drawn dashed and labelled; the boundary is then
        labelled 0
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
