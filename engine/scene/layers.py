"""The layers of a plane: arrays with roles and groups, never colours or pixels.

A new kind of layer is a class here and its painter in gui/painters (`paints`). What it does not say
itself it has from `Layer`: it is then neither fitted nor found under the pointer, and no label
keeps off it; its row in the legend is that of its role.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np

from engine.base.arrays import Bool, Float, Int
from engine.base.records import Record, field_names, replace
from engine.base.tags import classes_of, is_lit
from engine.scene import roles
from engine.scene.geometry import (
    INSIDE,
    Pixels,
    from_ring,
    from_segments,
    least,
    nearest_on_line,
)
from engine.scene.roles import Role as Role

NO_GROUP = -1
FEW = 50  # points of a layer up to which the view widens for them
WIDENING = (Role.MARGIN, Role.BOUNDARY, Role.ACTIVE)  # roles of lines that the view widens for
MOST_AVOIDED = 200  # segments of a layer up to which labels keep off them

# what marks mean whose look depends on their numbers
WRONG, WRONG_H, MARGIN = "wrong side", "wrong by h alone", "margin, ±1"
SIZE = "size: weight, sureness"
SIZES = {  # by the tag
    "": SIZE,
    "counts": "size: mistakes",
    "recent": "size: how new",
    "errors": "size: what is left",
    "counted": "size: number of pairs",
    "parts": "size: variance",
    "struck": "size: hypotheses",
    "struck now": "size: hypotheses",
    "V": "size: hypotheses",
}

# samples for the legend
NOWHERE = np.zeros((0, 2))
MIDDLE = np.zeros((1, 2))
NONE = np.array([NO_GROUP])
ACROSS = np.array([[[-1.1, 0.0], [1.1, 0.0]]])
UPRIGHT = np.array([[[0.0, -0.6], [0.0, 0.6]]])
WAVE = np.column_stack([np.linspace(-1.1, 1.1, 23), -0.5 * np.sin(np.linspace(-3, 3, 23))])
CORNERS = np.array([[-0.95, -0.55], [0.95, -0.55], [0.95, 0.55], [-0.95, 0.55]])


class Layer(Record):
    """One kind of marks on the plane.

    Every layer has a tag. A term of a formula whose `about` is the tag lights together with the
    layer. `tags` has one tag for each piece, or is (): a piece under the pointer lights alone. See
    engine/base/tags.py.

    ground: whether the kind colours the ground, below the grid
    lines: whether the kind is nothing but lines
    parts: names of the fields with one entry for each piece
    counted: whether the legend may say how many there are
    listed: whether the legend may have a row for the kind
    """

    ground: ClassVar[bool] = False
    lines: ClassVar[bool] = False
    parts: ClassVar[tuple[str, ...]] = ()
    counted: ClassVar[bool] = False
    listed: ClassVar[bool] = True

    @property
    def role(self) -> Role:
        return Role.PLAIN

    @property
    def tag(self) -> str:
        return ""

    @property
    def tags(self) -> Sequence[str]:
        return ()

    @property
    def size(self) -> int:
        """The number of marks."""
        return len(getattr(self, self.parts[0])) if self.parts else 1

    @property
    def stands_for(self) -> int:
        """The number that the legend says, where these marks are a sample."""
        return self.size

    # -- fit ---------------------------------------------------------------------------------------

    def places(self) -> Float:
        """(m, 2) corners of the extent, which a second plane fits; none without bounds."""
        return NOWHERE

    def wanted(self, low: Float, high: Float) -> Float:
        """(m, 2) places that the plane widens to hold, if it shows the box from `low` to `high`."""
        return NOWHERE

    # -- under the pointer -------------------------------------------------------------------------

    def distances(self, view: Pixels, at: Float) -> Float:
        """(m,) pixels from a pixel `at` (2,) to every piece, not finite where it is unseen; (0,)
        where nothing can be hit.
        """
        return np.zeros(0)

    def lit(self, tags: frozenset[str]) -> Bool:
        """(m,) True for the pieces that light up by tags of their own; (0,) without such tags."""
        return np.array([is_lit(tag, tags) for tag in self.tags], bool)

    def only(self, here: Bool, tag: str) -> Self:
        """The pieces `here` (m,) under another tag, without labels."""
        own = field_names(self)
        taken: dict[str, Any] = {name: () for name in ("label", "tags") if name in own}
        for name in self.parts:
            value = getattr(self, name)
            if isinstance(value, tuple):
                kept = zip(value, here, strict=True)
                taken[name] = tuple(part for part, wanted in kept if wanted)
            elif value is not None:
                taken[name] = np.asarray(value)[here]
        return replace(self, **taken, tag=tag)

    # -- what labels keep off ----------------------------------------------------------------------

    def dots(self) -> Float:
        """(m, 2) places of points."""
        return NOWHERE

    def curve(self) -> Float:
        """(m, 2) places along curves, interrupted at rows of NaN."""
        return NOWHERE

    def straight(self, view: Pixels) -> Float:
        """(m, 2, 2) straight pieces in pixels."""
        return np.zeros((0, 2, 2))

    # -- legend ------------------------------------------------------------------------------------

    def sample(self) -> "Layer":
        """One such mark in the middle of the ranges −1 … 1, without name and class."""
        return replace(self, tag="")

    def details(self) -> "list[Mark]":
        """Marks that the legend explains besides the one of the role; their words are in the
        table of engine/scene/legend.py.
        """
        return []

    def without(self, hidden: frozenset[str]) -> Self:
        """The layer without those of its details whose words are hidden."""
        return self


class Mark(Record):
    """One kind of marks in the legend.

    words: what they mean; also their name for `without`
    count: of points or boxes; −1 where a number says nothing
    layer: one with such marks, as a sample of their look
    """

    words: str
    count: int
    layer: Layer


class Points(Layer):
    """Points on the plane.

    xy: (m, 2)
    group: (m,) true class, −1 without; drawn as shape and outline
    shown: (m,) predicted class, drawn as fill, −1 unclassified; None = as the true one
    weight: (m,) relative sizes ≥ 0 (area ∝ weight)
    label: a short text beside each point, or ()
    partial: `shown` is what one part of the model predicts, a learner of a vote, not the model
    whole: all the points, of which these are a fair sample, as there are too many to tell apart
    """

    parts = ("xy",)
    counted = True

    xy: Float
    group: Int
    role: Role = Role.POINT
    shown: Int | None = None
    weight: Float | None = None
    label: Sequence[str] = ()
    tag: str = ""
    partial: bool = False
    tags: Sequence[str] = ()
    whole: "Points | None" = None

    @property
    def stands_for(self) -> int:
        return self.size if self.whole is None else self.whole.size

    def places(self) -> Float:
        return plain(self.xy)

    def wanted(self, low: Float, high: Float) -> Float:
        # larger layers, the examples, are fitted anyway
        return self.xy if len(self.xy) <= FEW else NOWHERE

    def distances(self, view: Pixels, at: Float) -> Float:
        apart = np.linalg.norm(view.pixels(self.xy) - at, axis=1)
        return np.asarray(np.maximum(0.0, apart - roles.ORDINARY))

    def lit(self, tags: frozenset[str]) -> Bool:
        """(m,) True for the points that light up by tags, by their class, or because they are
        wrong.
        """
        here = super().lit(tags)
        if self.role not in roles.WRONG:
            return here
        group = np.asarray(self.group)
        here = here if len(here) else np.zeros(len(group), bool)
        here |= np.isin(group, classes_of(tags))
        if roles.WRONG[self.role] in tags and self.shown is not None and not self.partial:
            here |= (np.asarray(self.shown) != group) & (group >= 0)
        return here

    def only(self, here: Bool, tag: str) -> Self:
        """The points `here` (m,); the others move to NaN, as the sizes of points depend on all
        weights.
        """
        xy = np.where(here[:, None], self.xy, np.nan)
        return replace(self, xy=xy, label=(), tag=tag, tags=(), whole=None)

    def dots(self) -> Float:
        return self.xy

    def sample(self) -> Layer:
        one = {"xy": MIDDLE, "group": NONE, "shown": None, "weight": None}
        return replace(self, **one, label=(), tag="", whole=None)

    def wrong(self) -> Bool:
        """(m,) where the predicted class differs from the true one."""
        if self.shown is None:
            return np.zeros(len(self.xy), bool)
        return np.asarray((self.shown >= 0) & (self.group >= 0) & (self.shown != self.group))

    def details(self) -> list[Mark]:
        found = []
        rows = self if self.whole is None else self.whole
        if self.role is Role.POINT and (wrong := int(rows.wrong().sum())):
            found.append(Mark(self._error, wrong, replace(self, weight=None)))
        if self.weight is not None and np.ptp(self.weight) > 0:
            found.append(Mark(self._sizes, -1, self))
        return found

    def without(self, hidden: frozenset[str]) -> Self:
        layer = self
        if self.whole is not None:
            layer = replace(layer, whole=self.whole.without(hidden))
        if self._error in hidden and self.shown is not None:
            right = np.where(self.wrong(), self.group, self.shown)
            layer = replace(layer, shown=right)
        if self.weight is not None and self._sizes in hidden:
            layer = replace(layer, weight=None)
        return layer

    @property
    def _error(self) -> str:
        """The words for a wrong point."""
        return WRONG_H if self.partial else WRONG

    @property
    def _sizes(self) -> str:
        """The words for the sizes of the points."""
        return SIZES.get(self.tag, SIZE)


class Line(Layer):
    """The line w[0]·x + w[1]·y + b = 0, clipped to the view.

    group: in the colour of this class; −1: in ink
    name_at: where its label stands, as a share of its visible piece from left to right, or from
        there towards the middle; NaN: anywhere, first in the middle
    """

    lines = True

    w: Float
    b: float
    role: Role = Role.BOUNDARY
    label: str = ""
    tag: str = ""
    group: int = NO_GROUP
    name_at: float = float("nan")

    def wanted(self, low: Float, high: Float) -> Float:
        if self.role not in WIDENING:
            return NOWHERE
        return nearest_on_line(self.w, self.b, low, high)

    def distances(self, view: Pixels, at: Float) -> Float:
        return from_segments(self.straight(view), at)

    def straight(self, view: Pixels) -> Float:
        ends = view.line(self.w, self.b)
        return np.zeros((0, 2, 2)) if ends is None else ends[None]

    def sample(self) -> Layer:
        return replace(self, w=np.array([0.0, 1.0]), b=0.0, label="", group=NO_GROUP, tag="")


class Segments(Layer):
    """m separate straight segments.

    ends: (m, 2, 2) their end points; ±inf coordinates are clipped to the view
    width: (m,) factors of the width of the role
    """

    lines = True
    parts = ("ends", "width")

    ends: Float
    role: Role = Role.PLAIN
    label: tuple[str, ...] = ()
    tag: str = ""
    width: Float | None = None
    tags: tuple[str, ...] = ()

    def places(self) -> Float:
        return plain(self.ends)

    def distances(self, view: Pixels, at: Float) -> Float:
        ends, kept = view.segments(self.ends)
        apart = np.full(len(self.ends), np.inf)
        apart[kept] = from_segments(ends, at)
        return apart

    def straight(self, view: Pixels) -> Float:
        if len(self.ends) > MOST_AVOIDED:
            return np.zeros((0, 2, 2))
        return view.segments(self.ends)[0]

    def sample(self) -> Layer:
        ends = np.asarray(self.ends)
        upright = len(ends) > 0 and np.array_equal(ends[:, 0, 0], ends[:, 1, 0])
        return replace(self, ends=UPRIGHT if upright else ACROSS, label=(), width=None, tag="")


class Polyline(Layer):
    """A line through xy (m, 2), interrupted at rows of NaN."""

    lines = True

    xy: Float
    role: Role = Role.PLAIN
    closed: bool = False
    group: int = NO_GROUP
    label: str = ""
    tag: str = ""

    @property
    def size(self) -> int:
        return len(self.xy)

    def places(self) -> Float:
        return plain(self.xy)

    def distances(self, view: Pixels, at: Float) -> Float:
        xy = view.pixels(self.xy)
        if self.closed and len(xy):
            xy = np.concatenate([xy, xy[:1]])
        return least(from_segments(np.stack([xy[:-1], xy[1:]], axis=1), at))

    def wanted(self, low: Float, high: Float) -> Float:
        ring = self.closed and self.role in (Role.BALL, Role.GHOST)  # a ball, and the one before
        return self.xy if ring else NOWHERE

    def curve(self) -> Float:
        return np.concatenate([self.xy, self.xy[: self.closed]])

    def sample(self) -> Layer:
        return replace(self, xy=WAVE, closed=False, label="", group=NO_GROUP, tag="")


class Band(Layer):
    """The strip between low (m,) and high (m,), over the places x (m,)."""

    ground = True

    x: Float
    low: Float
    high: Float
    role: Role = Role.REGION
    group: int = NO_GROUP
    tag: str = ""

    @property
    def size(self) -> int:
        return len(self.x)

    def places(self) -> Float:
        return plain(np.column_stack([self.x, self.low]), np.column_stack([self.x, self.high]))

    def sample(self) -> Layer:
        x = WAVE[:, 0]
        low = np.full(len(x), -0.7)
        return replace(self, x=x, low=low, high=0.7 * np.cos(x), group=NO_GROUP, tag="")


class Polygons(Layer):
    """k polygons, whose outlines are drawn in `role`.

    rings: one (m_i, 2) array each
    group: (k,) class whose tint each has, −1 for none
    """

    ground = True
    parts = ("rings", "group")

    rings: tuple[Float, ...]
    group: Int
    role: Role = Role.REGION
    tag: str = ""
    tags: tuple[str, ...] = ()

    def places(self) -> Float:
        return plain(*self.rings)

    def distances(self, view: Pixels, at: Float) -> Float:
        return np.array(
            [from_ring(view.pixels(ring), at) if len(ring) > 1 else np.inf for ring in self.rings]
        )

    def only(self, here: Bool, tag: str) -> Self:
        """The polygons `here` (m,), without tint."""
        return replace(super().only(here, tag), group=np.full(int(here.sum()), NO_GROUP))

    def sample(self) -> Layer:
        return replace(self, rings=(CORNERS,), group=NONE, tag="")


class Boxes(Layer):
    """k boxes parallel to the axes.

    bounds: (k, 4) x0, y0, x1, y1, ±inf where open (clipped to the view)
    group: (k,) class whose tint each has
    label: of each, or ()
    """

    ground = True
    parts = ("bounds", "group")
    counted = True

    bounds: Float
    group: Int
    role: Role = Role.REGION
    label: tuple[str, ...] = ()
    tag: str = ""
    tags: tuple[str, ...] = ()

    def places(self) -> Float:
        return plain(self.bounds)

    def distances(self, view: Pixels, at: Float) -> Float:
        """Distances to the frames of the boxes; inside a box at most `INSIDE`."""
        corners = np.sort(view.pixels(np.asarray(self.bounds).reshape(-1, 2, 2)), axis=1)
        low, high = corners[:, 0], corners[:, 1]
        inside = np.minimum(at - low, high - at).min(axis=1)
        outside = np.linalg.norm(np.maximum(np.maximum(low - at, at - high), 0.0), axis=1)
        return np.asarray(np.where(inside >= 0, np.minimum(inside, INSIDE), outside))

    def only(self, here: Bool, tag: str) -> Self:
        """The boxes `here` (m,), without tint."""
        return replace(super().only(here, tag), group=np.full(int(here.sum()), NO_GROUP))

    def sample(self) -> Layer:
        bounds = np.array([[-0.95, -0.55, 0.95, 0.55]])
        return replace(self, bounds=bounds, group=NONE, label=(), tag="")


class Ellipses(Layer):
    """k ellipses, drawn where the Mahalanobis distance is `reach`.

    centre: (k, 2); shape: (k, 2, 2) covariance matrices
    """

    parts = ("centre", "shape", "group")

    centre: Float
    shape: Float
    reach: float = 1.0
    role: Role = Role.BALL
    group: Int | None = None
    tag: str = ""
    tags: tuple[str, ...] = ()

    def places(self) -> Float:
        half = self.reach * np.sqrt(np.diagonal(self.shape, axis1=1, axis2=2))
        return plain(self.centre - half, self.centre + half)

    def distances(self, view: Pixels, at: Float) -> Float:
        """Distances to the lines of the ellipses, each along the ray from its centre."""
        apart = np.array(view.to_plane(*at.tolist())) - self.centre
        with np.errstate(all="ignore"):
            squares = np.einsum("ki,kij,kj->k", apart, np.linalg.pinv(self.shape), apart)
            reach = np.sqrt(squares) / self.reach
            length = np.linalg.norm(apart * view.unit, axis=1)
            return np.asarray(np.abs(length - length / reach))

    def sample(self) -> Layer:
        shape = np.diag([0.8, 0.3])[None]
        return replace(self, centre=MIDDLE, shape=shape, reach=1.0, group=None, tag="")


class Circles(Layer):
    """k circles in plane units: centre (k, 2), radius (k,)."""

    parts = ("centre", "radius")

    centre: Float
    radius: Float
    role: Role = Role.BALL
    label: tuple[str, ...] = ()
    tag: str = ""
    tags: tuple[str, ...] = ()

    def places(self) -> Float:
        return plain(self.centre - self.radius[:, None], self.centre + self.radius[:, None])

    def distances(self, view: Pixels, at: Float) -> Float:
        """Distances to the lines of the circles, each along the ray from its centre."""
        unit = np.array(view.unit)
        radius = np.asarray(self.radius, np.float64)
        offset = (view.pixels(self.centre) - at) / unit
        length = np.linalg.norm(offset, axis=1)
        return np.asarray(np.abs(length - radius) * float(unit.mean()))

    def sample(self) -> Layer:
        return replace(self, centre=MIDDLE, radius=np.array([0.7]), label=(), tag="")


class Arrows(Layer):
    """k arrows from start (k, 2) to end (k, 2), with a head; label of each, or ().

    measure: a label says how long its arrow is and stands beside the shaft, else at the tip
    """

    parts = ("start", "end")

    start: Float
    end: Float
    role: Role = Role.PLAIN
    label: tuple[str, ...] = ()
    tag: str = ""
    tags: tuple[str, ...] = ()
    measure: bool = False

    def places(self) -> Float:
        return plain(self.start, self.end)

    def wanted(self, low: Float, high: Float) -> Float:
        return np.concatenate([self.start, self.end])

    def distances(self, view: Pixels, at: Float) -> Float:
        ends = np.stack([view.pixels(self.start), view.pixels(self.end)], axis=1)
        return from_segments(ends, at)

    def straight(self, view: Pixels) -> Float:
        return np.stack([view.pixels(self.start, 2e4), view.pixels(self.end, 2e4)], axis=1)

    def sample(self) -> Layer:
        start, end = np.array([[-1.0, 0.0]]), np.array([[1.0, 0.0]])
        return replace(self, start=start, end=end, label=(), tag="")


class Labels(Layer):
    """k texts at xy (k, 2)."""

    listed = False

    xy: Float
    text: tuple[str, ...]
    role: Role = Role.PLAIN
    tag: str = ""

    @property
    def size(self) -> int:
        return len(self.xy)

    def places(self) -> Float:
        return plain(self.xy)


class Field(Layer):
    """A surface, by its name in the algorithm's `fields`; the surface service computes it.

    name: 'class': tints by class index, −1 plain; any other: stepped shading between the two
        classes around 0
    levels: values at which level lines are drawn
    boundary: draw the ink boundary where the sign or the class changes; False where the scene draws
        it exactly, as a Line or cell edges
    margins: values of the score whose lines are drawn dashed and labelled; the boundary is then
        labelled 0
    """

    ground = True
    listed = False

    name: str = "class"
    levels: tuple[float, ...] = ()
    boundary: bool = False
    tag: str = ""
    margins: tuple[float, ...] = ()

    def details(self) -> list[Mark]:
        if not self.margins:
            return []
        return [Mark(MARGIN, -1, Line(np.array([0.0, 1.0]), 0.0, Role.MARGIN))]

    def without(self, hidden: frozenset[str]) -> Self:
        return replace(self, margins=()) if MARGIN in hidden else self


def plain(*places: Float) -> Float:
    """(m, 2) the places of several arrays (…, 2) or, for boxes, (…, 4)."""
    return np.concatenate([NOWHERE, *(np.asarray(xy, np.float64).reshape(-1, 2) for xy in places)])


def ground_end(layers: Sequence[Layer]) -> int:
    """The number of layers at the back that only colour the ground."""
    return next((k for k, layer in enumerate(layers) if not layer.ground), len(layers))


LAYERS = tuple(Layer.__subclasses__())  # the kinds above
