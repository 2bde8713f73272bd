"""Pictures of a k-d tree: the tree, its boxes on the plane, the line that cuts one, a query with its ball. AIMA 18.8.2."""

from collections.abc import Collection, Sequence

import numpy as np

from engine.core.arrays import Bool, Float, Int
from engine.core.dataset import Feature
from engine.core.notation import counted, number, pretty_name
from engine.core.problem import Problem
from engine.core.scene import (
    Arrows,
    Boxes,
    Circles,
    Figure,
    Layer,
    Points,
    Role,
    Scene,
    Segments,
    Table,
    TableColumn,
    Tree,
    TreeNode,
    data_points,
    data_table,
)  # fmt: skip
from engine.numerics.kd import Guard, KdTree, plane_boxes, under
from engine.numerics.kd_lookup import Lookup
from engine.pictures.scales import comparable

MOST_NODES = 127  # a larger tree is drawn down to a depth, and on the way to where we are
_DEPTH = 5
MOST_BOXES = 2000
_NAMED = 3  # more examples in a leaf are counted


def column_name(problem: Problem, column: int) -> str:
    return pretty_name(problem.features[column].name)


# -- the tree ----------------------------------------------------------------------------------------------------------


def shown_nodes(tree: KdTree, known: int, way: Collection[int]) -> list[int]:
    """The nodes that the figure has room for, each with its sibling; nodes from `known` on are not decided yet."""
    inner = np.flatnonzero(tree.axis[:known] >= 0)
    if 2 * len(inner) + 1 > MOST_NODES:
        inner = inner[(tree.depth[inner] < _DEPTH) | np.isin(inner, list(way))]
    return sorted({0, *tree.left[inner].tolist(), *tree.right[inner].tolist()})


def figure_of(problem: Problem, tree: KdTree, known: int, way: Sequence[int], roles: dict[int, Role]) -> Tree:
    """The tree as far as it is known. way: nodes that must be seen; roles: of the nodes that stand out."""
    shown = shown_nodes(tree, known, way)
    at = {node: i for i, node in enumerate(shown)}
    nodes = []
    for v in shown:
        test = v < known and not tree.leaf(v)
        kind = "test" if test else ("leaf" if v < known else "open")
        up = int(tree.parent[v])
        branch = "" if up < 0 else ("yes" if tree.left[up] == v else "no")
        more = ", more below" if test and int(tree.left[v]) not in at else ""
        text = test_text(problem, tree, v) if test else ("" if v >= known else leaf_text(problem, tree, v))
        count = int(tree.stop[v] - tree.start[v])
        nodes.append(
            TreeNode(at.get(up, -1), branch, text, kind, note=f"{counted(count, 'example')}{more}",
                     role=roles.get(v, Role.PLAIN), tag=f"node{v}")
        )  # fmt: skip
    return Tree("k-d tree", nodes)


def test_text(problem: Problem, tree: KdTree, node: int) -> str:
    return f"{column_name(problem, int(tree.axis[node]))} ≤ {number(float(tree.split[node]))}"


def leaf_text(problem: Problem, tree: KdTree, node: int) -> str:
    rows = tree.rows(node)
    more = f" and {len(rows) - _NAMED}" if len(rows) > _NAMED else ""
    return ", ".join(problem.names[i] for i in rows[:_NAMED]) + more


# -- on the plane ------------------------------------------------------------------------------------------------------


def all_shown(problem: Problem) -> bool:
    """The plane shows every column, so boxes and distances on it are the true ones."""
    return 0 < len(problem.plane) == problem.d


def frontier(tree: KdTree, known: int) -> Int:
    """The nodes that share out the plane so far: the leaves, and what is not decided yet."""
    nodes = np.arange(tree.size)
    ends = (tree.axis < 0) | (nodes >= known)
    return np.flatnonzero(ends & (tree.parent < known))


def box_layer(bounds: Float, nodes: Int, role: Role, tag: str, label: tuple[str, ...] = ()) -> Boxes:
    return Boxes(bounds[nodes], np.full(len(nodes), -1), role, label, tag)


def grid_layers(problem: Problem, tree: KdTree, bounds: Float, known: int) -> list[Layer]:
    """All boxes so far, as thin lines."""
    nodes = frontier(tree, known)
    return [box_layer(bounds, nodes, Role.REGION, "boxes")] if all_shown(problem) and len(nodes) <= MOST_BOXES else []


def cut_segment(problem: Problem, box: Float, column: int, point: float, role: Role) -> list[Layer]:
    """The line x = point, limited to its box; nothing when the plane does not show the column."""
    if column not in problem.plane:
        return []
    axis = problem.plane.index(column)
    ends = np.empty((1, 2, 2))
    ends[0, :, axis] = point
    ends[0, :, 1 - axis] = box[[1 - axis, 3 - axis]]
    return [Segments(ends, role, (f"{column_name(problem, column)} = {number(point)}",), "cut")]


def growth_scene(problem: Problem, tree: KdTree, known: int, node: int, column: int, point: float, cut: bool) -> Scene:
    """A tree that grows: its boxes, the node looked at, the line that cuts it (`cut`: it does, otherwise it may)."""
    way = tree.way_to(node) if node >= 0 else []
    roles = {node: Role.ACTIVE} if node >= 0 else {}
    figures = (figure_of(problem, tree, known, way, roles), rows_table(problem, tree, node, column))
    if not problem.plane:
        return Scene((), figures)
    bounds = plane_boxes(tree, problem.plane)
    layers = [*grid_layers(problem, tree, bounds, known), data_points(problem)]
    if node >= 0:
        layers.append(box_layer(bounds, np.array([node]), Role.ACTIVE, "current"))
        layers += leaf_points(problem, tree, node, known)
        if point == point:
            layers += cut_segment(problem, bounds[node], column, point, Role.ACTIVE if cut else Role.CANDIDATE)
    return Scene(tuple(layers), figures)


def leaf_points(problem: Problem, tree: KdTree, node: int, known: int) -> list[Layer]:
    """The examples that a new leaf keeps, ringed and named while they are few."""
    rows = tree.rows(node)
    if node >= known or not tree.leaf(node) or len(rows) > _NAMED:
        return []
    names = tuple(problem.names[i] for i in rows)
    return [Points(problem.xy[rows], problem.codes[rows], Role.ACTIVE, label=names, tag="current")]


def rows_table(problem: Problem, tree: KdTree, node: int, column: int) -> Table:
    """The examples of the node stand out, as does the column that its test asks."""
    roles = {problem.features[column].name: Role.ACTIVE} if column >= 0 else {}
    active: Bool | None = None
    if node >= 0:
        active = np.zeros(problem.n, dtype=bool)
        active[tree.rows(node)] = True
    return data_table(problem, roles=roles, active=active)


# -- a search ----------------------------------------------------------------------------------------------------------


def lookup_scene(problem: Problem, tree: KdTree, s: Lookup, line: str) -> Scene:
    """A search: boxes it has been in, boxes it has left out, the ball that decides, and how far the tree was followed."""
    figures = lookup_figures(problem, tree, s)
    if not problem.plane:
        return Scene((), figures)
    layers: list[Layer] = [data_points(problem)]
    if all_shown(problem):
        layers = [*lookup_boxes(problem, tree, s, line), *layers, *ball(problem, s)]
    if line != "build":
        layers += near_lines(problem, s, line == "keep")
        layers.append(Points(problem.to_plane(s.query[None]), np.array([-1]), Role.QUERY, label=("?",), tag="query"))
    return Scene(tuple(layers), figures, all_shown(problem) and comparable(problem))


def lookup_boxes(problem: Problem, tree: KdTree, s: Lookup, line: str) -> list[Layer]:
    bounds = plane_boxes(tree, problem.plane)
    layers = grid_layers(problem, tree, bounds, tree.size)
    pruned, visited = np.array(s.pruned, np.intp), np.array([v for v in s.visited if tree.leaf(v)], np.intp)
    layers.append(box_layer(bounds, pruned, Role.DIFFERENCE, "pruned"))
    layers.append(box_layer(bounds, visited, Role.ACCEPTED, "visited"))
    if s.node >= 0:
        layers.append(box_layer(bounds, np.array([s.node]), Role.ACTIVE, "current"))
    if line in ("prune", "other"):
        layers += gap_layers(problem, tree, s, bounds)
    return layers


def gap_layers(problem: Problem, tree: KdTree, s: Lookup, bounds: Float) -> list[Layer]:
    """The dividing line and the way from the query straight to it."""
    parent = int(tree.parent[s.node])
    column, point = int(tree.axis[parent]), float(tree.split[parent])
    foot = s.query.copy()
    foot[column] = point
    arrow = Arrows(
        problem.to_plane(s.query[None]), problem.to_plane(foot[None]), Role.ACTIVE, (number(s.gap),), tag="gap"
    )
    return [*cut_segment(problem, bounds[parent], column, point, Role.ACTIVE), arrow]


def ball(problem: Problem, s: Lookup) -> list[Layer]:
    """All places as near as the k-th best."""
    if not 0 < s.radius < np.inf:
        return []
    return [Circles(problem.to_plane(s.query[None]), np.array([s.radius]), Role.BALL, tag="ball")]


def near_lines(problem: Problem, s: Lookup, kept: bool) -> list[Layer]:
    """From the query to the best so far and to the example measured now; these are ringed and named. kept: the example
    measured now has come into the list."""
    best = s.neighbours[s.neighbours != s.looked] if kept else s.neighbours
    looked = np.array([s.looked] if s.looked >= 0 and s.looked not in best else [], np.intp)
    few = len(s.neighbours) <= _NAMED
    now = Role.NEAREST if kept else Role.CANDIDATE
    layers: list[Layer] = []
    for rows, role, tag in ((best, Role.NEAREST, "best"), (looked, now, "looked")):
        if len(rows):
            start = np.broadcast_to(problem.to_plane(s.query[None]), (len(rows), 2))
            names = tuple(problem.names[i] for i in rows) if few or role is Role.CANDIDATE else ()
            layers.append(Segments(np.stack([start, problem.xy[rows]], axis=1), role, tag=tag))
            layers.append(Points(problem.xy[rows], problem.codes[rows], role, label=names, tag=tag))
    return layers


def lookup_figures(problem: Problem, tree: KdTree, s: Lookup) -> tuple[Figure, ...]:
    roles = dict.fromkeys(s.visited, Role.NEAREST)
    for v in s.pruned:
        if tree.size <= MOST_NODES:
            roles |= dict.fromkeys(np.flatnonzero(under(tree, v)).tolist(), Role.INACTIVE)
        roles[v] = Role.REJECTED
    here = (
        tree.leaf_with(int(s.neighbours[0])) if s.node < 0 and len(s.neighbours) else s.node
    )  # in the end: where it was found
    if here >= 0:
        roles[here] = Role.ACTIVE
    way = tree.way_to(here) if here >= 0 else []
    return figure_of(problem, tree, tree.size, way, roles), best_table(problem, s), examined_table(problem, tree, s)


def best_table(problem: Problem, s: Lookup) -> Table:
    """The best so far, nearest first."""
    columns = [TableColumn(Feature("distance"), s.distances, Role.ACTIVE, 4)]
    group = problem.codes[s.neighbours] if problem.classes else None
    current = tuple(np.flatnonzero(s.neighbours == s.looked).tolist())
    names = tuple(problem.names[i] for i in s.neighbours)
    numbers = tuple(problem.number_of(int(i)) for i in s.neighbours)
    return Table("Best: so far", tuple(columns), names, group, current=current, tag="best", numbers=numbers)


def examined_table(problem: Problem, tree: KdTree, s: Lookup) -> Table:
    """All examples: those below a pruned node are pale."""
    active = np.ones(problem.n, dtype=bool)
    for v in s.pruned:
        active[tree.rows(v)] = False
    return data_table(problem, active=active, current=(s.looked,) if s.looked >= 0 else ())


GUARDED = {
    Guard.NEXT_AXIS: "Every {name} here is {only}, so the next column {taken} is taken.",
    Guard.LOWERED: "No {taken} is above the median {median}: all would go left for ever. The next smaller value {point} splits.",
    Guard.IDENTICAL: "{count:|All }{count} {count:example lies|examples lie} at one place: no test can part them. One leaf keeps them.",
}
