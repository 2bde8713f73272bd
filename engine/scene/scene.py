"""`Scene`, the picture of a step, and the parts of it that all algorithms share."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any

from engine.base.arrays import Float, Int
from engine.base.lazy import Lazy
from engine.base.notation import fixed
from engine.base.records import Record, replace
from engine.base.tags import column_tag
from engine.scene.figures import (
    FIGURES,
    Bars,
    Block,
    Blocks,
    Card,
    CardRow,
    Cards,
    Figure,
    Forest,
    Matrix,
    Network,
    Pictures,
    Plot,
    Space,
    Table,
    TableColumn,
    Tree,
    TreeNode,
)
from engine.scene.layers import (
    LAYERS,
    NO_GROUP,
    Arrows,
    Band,
    Boxes,
    Circles,
    Ellipses,
    Field,
    Labels,
    Layer,
    Line,
    Points,
    Polygons,
    Polyline,
    Role,
    Segments,
)
from engine.table.problem import Problem
from engine.table.row_words import words_at

__all__ = [
    "FIGURES",
    "LAYERS",
    "NO_GROUP",
    "Arrows",
    "Band",
    "Bars",
    "Block",
    "Blocks",
    "Boxes",
    "Card",
    "CardRow",
    "Cards",
    "Circles",
    "Ellipses",
    "Field",
    "Figure",
    "Forest",
    "Labels",
    "Layer",
    "Line",
    "Matrix",
    "Network",
    "Pictures",
    "Plot",
    "Points",
    "Polygons",
    "Polyline",
    "Role",
    "Scene",
    "Segments",
    "Space",
    "Table",
    "TableColumn",
    "Tree",
    "TreeNode",
    "active_point",
    "data_points",
    "data_table",
    "plane_scene",
    "points_at",
    "thinned",
]


class Scene(Record):
    """One picture: layers on the plane, back to front, and figures beside it, most important first.

    equal_scales: one unit is as long on both axes of the plane, for pictures with circles, right
        angles or distances; the same in every scene of a run
    leads: the views that show this step best, the best first, by the names in engine/scene/views.py
        ('Plane', a figure's short title); () leaves it to the rule there
    plane: what the plane shows, as a heading; "" leaves it to engine/scene/views.py
    """

    layers: tuple[Layer, ...] = ()
    figures: tuple[Figure, ...] = ()
    equal_scales: bool = False
    leads: tuple[str, ...] = ()
    plane: str = ""


def data_points(
    problem: Problem, shown: Int | None = None, weight: Float | None = None, partial: bool = False
) -> Points:
    """The examples of `problem` as every scene draws them.

    Shape and outline show the true class, the fill the predicted one; without classes plain dots.
    """
    if not problem.classes:
        return thinned(
            problem, Points(problem.xy, problem.codes, Role.SAMPLE, weight=weight, tag="data")
        )
    return thinned(
        problem,
        Points(problem.xy, problem.codes, Role.POINT, shown, weight, tag="data", partial=partial),
    )


def thinned(problem: Problem, points: Points) -> Points:
    """`points`, one for each example; of very many examples a fair sample, see `Problem.drawn`,
    with all of them as its `whole`.
    """
    rows = problem.drawn
    if rows is None:
        return points
    xy = problem.drawn_xy if points.xy is problem.xy else points.xy[rows]
    shown, weight = (None if of is None else of[rows] for of in (points.shown, points.weight))
    tags = words_at(points.tags, rows) if len(points.tags) else ()
    whole = replace(points, tags=())
    group = points.group[rows]
    return replace(points, xy=xy, group=group, shown=shown, weight=weight, tags=tags, whole=whole)


def active_point(
    problem: Problem, row: int, shown: Int | None = None, tag: str = "current", place: bool = False
) -> Points:
    """The current example, ringed and named; place: its coordinates follow the name."""
    predicted = None if shown is None else shown[[row]]
    name = (
        f"{problem.names[row]} ({', '.join(fixed(v) for v in problem.xy[row])})"
        if place
        else problem.names[row]
    )
    return Points(
        problem.xy[[row]], problem.codes[[row]], Role.ACTIVE, predicted, label=(name,), tag=tag
    )


def points_at(
    problem: Problem, xy: Float, shown: Int | None, current: Sequence[int]
) -> list[Points]:
    """The examples at other places, xy (n, 2), and once more in amber the `current` ones."""
    at = list(current)
    role = Role.POINT if problem.classes else Role.SAMPLE
    found = [
        thinned(problem, Points(xy, problem.codes, role, shown, tag="data", tags=problem.row_tags))
    ]
    if at:
        predicted = None if shown is None else shown[at]
        tags = problem.tags_of(at)
        found.append(
            Points(xy[at], problem.codes[at], Role.ACTIVE, predicted, tag="current", tags=tags)
        )
    return found


def plane_scene(
    problem: Problem,
    s: Any,
    shown: Int,
    figures: Iterable[Figure],
    *beneath: Iterable[Layer],
    place: bool = False,
    weight: Float | None = None,
    leads: tuple[str, ...] = (),
) -> Scene:
    """The figures and, where there is a plane, the examples over the layers `beneath` them.

    Examples have the class `shown` (n,) as fill; the current one of state `s` is in amber. An
    iterator in `beneath` is only used where there is a plane.
    """
    if not problem.plane:
        return Scene((), tuple(figures))
    points = (
        data_points(problem, shown, weight),
        *(active_point(problem, i, shown, place=place) for i in looked_at(s)),
    )
    return Scene((*chain.from_iterable(beneath), *points), tuple(figures), leads=leads)


def looked_at(s: Any) -> tuple[int, ...]:
    """The current row of a state, (row,); () where there is none, or the state has no such
    field.
    """
    row = getattr(s, "current", -1)
    return (row,) if row >= 0 else ()


def data_table(
    problem: Problem,
    columns: Callable[[list[TableColumn]], Sequence[TableColumn]] = lambda own: own,
    **changes: Any,
) -> Table:
    """The examples as a table with the target last.

    columns: (usual columns) -> the columns to show; called on first use
    changes: fields of Table; `roles={column name: Role}` sets roles of columns
    """
    roles = changes.pop("roles", {})

    def own() -> list[TableColumn]:
        made = [
            TableColumn(f, values, roles.get(f.name, Role.PLAIN), tag=column_tag(f.name))
            for f, values in zip(problem.features, problem.columns, strict=True)
        ]
        target = (
            []
            if problem.target is None
            else [TableColumn(problem.target, problem.wanted, Role.BOUNDARY)]
        )
        return made + target

    usual = {
        "group": problem.codes if problem.classes else None,
        "numbers": problem.numbers,
        "tags": problem.row_tags,
    }
    fields = {"title": "Examples", **usual, **changes}
    return Table(columns=Lazy(lambda: columns(own())), names=problem.names, **fields)
