"""The closed vocabulary of pictures. Layers and figures hold arrays with roles and groups, never colours or pixels."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from engine.core.arrays import Bool, Float, Int
from engine.core.dataset import Feature
from engine.core.notation import fixed
from engine.core.problem import Problem


class Role(StrEnum):
    """What a mark means; tokens.md says how each looks. Roles are forms, not colours."""

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


# -- on the plane ------------------------------------------------------------------------------------------------------
# Every layer has a role and a tag. The tag is what a formula term's `about` names: they light together.


@dataclass(frozen=True, eq=False)
class Points:
    """xy (m, 2); group (m,) true class, −1 without; shown (m,) predicted class (fill), −1 unclassified, None = as true;
    weight (m,) relative sizes ≥ 0 (area ∝ weight); label: a short text beside each point, or ()."""

    xy: Float
    group: Int
    role: Role = Role.POINT
    shown: Int | None = None
    weight: Float | None = None
    label: tuple[str, ...] = ()
    tag: str = ""


@dataclass(frozen=True, eq=False)
class Line:
    """The line w[0]·x + w[1]·y + b = 0, clipped to the view."""

    w: Float
    b: float
    role: Role = Role.BOUNDARY
    label: str = ""
    tag: str = ""


@dataclass(frozen=True, eq=False)
class Segments:
    """ends (m, 2, 2): m separate straight pieces; ±inf coordinates are clipped to the view."""

    ends: Float
    role: Role = Role.PLAIN
    label: tuple[str, ...] = ()
    tag: str = ""


@dataclass(frozen=True, eq=False)
class Polyline:
    """xy (m, 2); NaN rows break the line."""

    xy: Float
    role: Role = Role.PLAIN
    closed: bool = False
    group: int = NO_GROUP
    label: str = ""
    tag: str = ""


@dataclass(frozen=True, eq=False)
class Band:
    """The strip between low (m,) and high (m,) over x (m,)."""

    x: Float
    low: Float
    high: Float
    role: Role = Role.REGION
    group: int = NO_GROUP
    tag: str = ""


@dataclass(frozen=True, eq=False)
class Polygons:
    """rings: one (m_i, 2) array each; group (k,) tint of each, −1 for none; outline drawn in `role`."""

    rings: tuple[Float, ...]
    group: Int
    role: Role = Role.REGION
    tag: str = ""


@dataclass(frozen=True, eq=False)
class Boxes:
    """bounds (k, 4) as x0, y0, x1, y1, ±inf where open (clipped to the view); group (k,) tint; label of each, or ()."""

    bounds: Float
    group: Int
    role: Role = Role.REGION
    label: tuple[str, ...] = ()
    tag: str = ""


@dataclass(frozen=True, eq=False)
class Ellipses:
    """centre (k, 2), shape (k, 2, 2) covariance; drawn where the Mahalanobis distance is `reach`."""

    centre: Float
    shape: Float
    reach: float = 1.0
    role: Role = Role.BALL
    group: Int | None = None
    tag: str = ""


@dataclass(frozen=True, eq=False)
class Circles:
    """centre (k, 2), radius (k,) in plane units."""

    centre: Float
    radius: Float
    role: Role = Role.BALL
    label: tuple[str, ...] = ()
    tag: str = ""


@dataclass(frozen=True, eq=False)
class Arrows:
    """start (k, 2) to end (k, 2) with a head; label of each, or ()."""

    start: Float
    end: Float
    role: Role = Role.PLAIN
    label: tuple[str, ...] = ()
    tag: str = ""


@dataclass(frozen=True, eq=False)
class Labels:
    """Texts at xy (k, 2)."""

    xy: Float
    text: tuple[str, ...]
    role: Role = Role.PLAIN
    tag: str = ""


@dataclass(frozen=True, eq=False)
class Field:
    """Names a surface in the algorithm's `fields`; the surface service computes it.

    name 'class': tints by class index, −1 plain. Any other: stepped shading between the two classes around 0, with
    level lines at `levels`. boundary: draw the ink boundary where the sign or the class changes (leave it out when the
    scene draws it exactly, as a Line or cell edges).
    """

    name: str = "class"
    levels: tuple[float, ...] = ()
    boundary: bool = False
    tag: str = ""


Layer = (
    Points | Line | Segments | Polyline | Band | Polygons | Boxes | Ellipses | Circles | Arrows | Labels | Field
)  # fmt: skip


# -- beside the plane --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Plot:
    """A second plane with its own axes and the same layers (no Field). beside: worth the room of a plane."""

    title: str
    x_label: str
    y_label: str
    layers: tuple[Layer, ...]
    equal: bool = False
    beside: bool = False
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class TreeNode:
    """One node: parent index (−1 at the root), the branch's text on the way from it, its own text.

    kind: 'test' (box), 'leaf' (rounded), 'open' (dashed: not grown yet); group: class of a leaf;
    boxes: (row index, class) of the examples drawn as small light/dark boxes; role ACTIVE lights it, INACTIVE pales it,
    REJECTED strikes it (pruned), NEAREST marks the path of a query
    """

    parent: int
    branch: str
    text: str
    kind: str = "test"
    group: int = NO_GROUP
    note: str = ""
    boxes: tuple[tuple[int, int], ...] = ()
    role: Role = Role.PLAIN
    tag: str = ""


@dataclass(frozen=True, eq=False)
class Tree:
    """nodes: parents before children; classes: texts for the legend of the boxes."""

    title: str
    nodes: Sequence[TreeNode]
    classes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class TableColumn:
    """values (n,) as stored (numbers or codes of `feature`); role ACTIVE: now looked at, REJECTED: used up (struck),
    BOUNDARY: the target column, set apart by a rule."""

    feature: Feature
    values: Float
    role: Role = Role.PLAIN
    digits: int = 2


@dataclass(frozen=True, eq=False)
class Table:
    """n rows; active (n,) rows in play (the others pale); current: row indices in amber; group (n,) class of each row."""

    title: str
    columns: tuple[TableColumn, ...]
    names: tuple[str, ...]
    group: Int | None = None
    active: Bool | None = None
    current: tuple[int, ...] = ()
    tag: str = ""


@dataclass(frozen=True, eq=False)
class Bars:
    """values (k,), may be negative; role of each bar (ACTIVE = chosen, GHOST = tied); unit; before (k,) drawn as a tick."""

    title: str
    labels: tuple[str, ...]
    values: Float
    roles: tuple[Role, ...] = ()
    before: Float | None = None
    group: Int | None = None
    unit: str = ""
    digits: int = 2
    limit: float = 0.0
    tag: str = ""


@dataclass(frozen=True, eq=False)
class Matrix:
    """values (r, c) as a grid of numbers; shade: tint cells by size; active: (row, column) cells in amber."""

    title: str
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    values: Float
    active: tuple[tuple[int, int], ...] = ()
    digits: int = 2
    shade: bool = True
    x_label: str = ""
    y_label: str = ""


@dataclass(frozen=True, eq=False)
class Network:
    """Units in layers from left to right, inputs first.

    activations: one (n_l,) array per layer; weights: one (n_l + 1, n_{l+1}) array per gap, the bias in the last row;
    deltas: one (n_l,) array per layer, or () while none are known; active: (layer, from, to) links in amber, from = n_l is
    the bias, −1 stands for all; names: texts of the input units; outputs: texts of the output units; removed: like
    weights, True where a link is gone
    """

    title: str
    activations: tuple[Float, ...]
    weights: tuple[Float, ...]
    deltas: tuple[Float, ...] = ()
    active: tuple[tuple[int, int, int], ...] = ()
    names: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    removed: tuple[Bool, ...] = ()
    digits: int = 2


@dataclass(frozen=True, eq=False)
class Space:
    """A rotatable 3-D picture. xyz (m, 3) with group (m,) and role (m,) of each point; planes: (w (3,), b, role) where
    w·x + b = 0; surface: x (nx,), y (ny,), z (ny, nx); path (k, 3) a line over it; names of the three axes."""

    title: str
    names: tuple[str, str, str]
    xyz: Float
    group: Int
    roles: tuple[Role, ...] = ()
    planes: tuple[tuple[Float, float, Role], ...] = ()
    surface: tuple[Float, Float, Float] | None = None
    path: Float | None = None


Figure = Plot | Tree | Table | Bars | Matrix | Network | Space
LAYERS: tuple[type[Any], ...] = (
    Points, Line, Segments, Polyline, Band, Polygons, Boxes, Ellipses, Circles, Arrows, Labels, Field,
)  # fmt: skip
FIGURES: tuple[type[Any], ...] = (Plot, Tree, Table, Bars, Matrix, Network, Space)


@dataclass(frozen=True, eq=False)
class Scene:
    """One picture: layers on the plane, back to front, and figures beside it, most important first."""

    layers: tuple[Layer, ...] = ()
    figures: tuple[Figure, ...] = ()


def data_points(problem: Problem, shown: Int | None = None, weight: Float | None = None) -> Points:
    """The examples of `problem` as every scene draws them: shape and outline true class, fill predicted class; without
    classes plain dots."""
    if not problem.classes:
        return Points(problem.xy, problem.codes, Role.SAMPLE, weight=weight, tag="data")
    return Points(problem.xy, problem.codes, Role.POINT, shown, weight, tag="data")


def active_point(
    problem: Problem, row: int, shown: Int | None = None, tag: str = "current", place: bool = False
) -> Points:
    """The example looked at now, ringed and named; place: with its coordinates."""
    predicted = None if shown is None else shown[[row]]
    name = f"{problem.names[row]} ({', '.join(fixed(v) for v in problem.xy[row])})" if place else problem.names[row]
    return Points(problem.xy[[row]], problem.codes[[row]], Role.ACTIVE, predicted, label=(name,), tag=tag)


def data_table(problem: Problem, **changes: Any) -> Table:
    """The examples as a table with the target last; `changes` go to Table; `roles={column name: Role}` to the columns."""
    roles = changes.pop("roles", {})
    columns = [TableColumn(f, problem.X[:, j], roles.get(f.name, Role.PLAIN)) for j, f in enumerate(problem.features)]
    if problem.target is not None:
        values = np.where(problem.codes < 0, np.nan, problem.codes) if problem.classes else problem.y
        columns.append(TableColumn(problem.target, np.asarray(values, np.float64), Role.BOUNDARY))
    group = problem.codes if problem.classes else None
    return Table(changes.pop("title", "Examples"), tuple(columns), problem.names, group, **changes)
