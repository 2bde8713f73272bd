"""Pictures of a k-d tree: the tree, its boxes on the plane, the line that cuts one. AIMA 18.8.2."""

from collections.abc import Collection, Sequence
from weakref import WeakKeyDictionary

import numpy as np

from engine.algorithms.instances.parts.kd import KdTree, plane_boxes
from engine.core.arrays import Float, Int, frozen
from engine.core.late import Late
from engine.core.notation import counted, number, pretty_name
from engine.core.problem import Problem
from engine.core.scene import Boxes, Layer, Role, Segments, Tree, TreeNode

MOST_NODES = 127  # a larger tree is drawn down to a depth, and on the way to where we are
_DEPTH = 5
MOST_BOXES = 2000
WIDEST, THINNEST = 2.5, 0.5  # of a cut at level 0 and far below, times the line of its role
NUMBERED = 7  # cuts that say which one they were
NAMED = 3  # more examples in a leaf are counted


def column_name(problem: Problem, column: int) -> str:
    return pretty_name(problem.features[column].name)


# -- the tree --------------------------------------------------------------------------------------


def shown_nodes(tree: KdTree, known: int, way: Collection[int]) -> list[int]:
    """The nodes that the figure has room for, each with its sibling; nodes from `known` on are not
    decided yet.
    """
    inner = np.flatnonzero(tree.axis[:known] >= 0)
    if 2 * len(inner) + 1 > MOST_NODES:
        inner = inner[(tree.depth[inner] < _DEPTH) | np.isin(inner, list(way))]
    return sorted({0, *tree.left[inner].tolist(), *tree.right[inner].tolist()})


def figure_of(
    problem: Problem, tree: KdTree, known: int, way: Sequence[int], roles: dict[int, Role]
) -> Tree:
    """The tree as far as it is known. way: nodes that must be seen; roles: of the nodes that stand
    out.
    """
    return Tree("k-d tree", Late(lambda: tree_nodes(problem, tree, known, way, roles)))


def tree_nodes(
    problem: Problem, tree: KdTree, known: int, way: Sequence[int], roles: dict[int, Role]
) -> list[TreeNode]:
    shown = shown_nodes(tree, known, way)
    at = {node: i for i, node in enumerate(shown)}
    about, texts = _texts.setdefault(tree, (problem, {}))
    if about is not problem:  # whose columns and rows have other names
        _texts[tree] = problem, (texts := {})
    nodes = []
    for v in shown:
        test = v < known and not tree.leaf(v)
        kind = "test" if test else ("leaf" if v < known else "open")
        up = int(tree.parent[v])
        branch = "" if up < 0 else ("yes" if tree.left[up] == v else "no")
        unseen = nodes_below(tree, known, v) if test and int(tree.left[v]) not in at else 0
        more = f", {counted(unseen, 'node')} below" if unseen else ""
        if v not in texts:
            count = counted(int(tree.stop[v] - tree.start[v]), "example")
            texts[v] = (
                leaf_text(problem, tree, v) if tree.leaf(v) else test_text(problem, tree, v),
                count,
            )
        text, count = texts[v]
        nodes.append(
            TreeNode(
                at.get(up, -1),
                branch,
                text if v < known else "",
                kind,
                note=f"{count}{more}",
                role=roles.get(v, Role.PLAIN),
                tag=f"node{v}",
                column=problem.axis_column(int(tree.axis[v]) if test else -1),
                below=unseen,
            )
        )
    return nodes


def nodes_below(tree: KdTree, known: int, node: int) -> int:
    """How many nodes there are so far below this one.

    They follow it, as they are numbered from the root to the left first.
    """
    beside = np.flatnonzero(tree.depth[node + 1 :] <= tree.depth[node])
    below = tree.parent[node + 1 :][: beside[0] if len(beside) else None]
    return int(np.count_nonzero(below < known))


_texts: WeakKeyDictionary[KdTree, tuple[Problem, dict[int, tuple[str, str]]]] = WeakKeyDictionary()


def test_text(problem: Problem, tree: KdTree, node: int) -> str:
    return f"{column_name(problem, int(tree.axis[node]))} ≤ {number(float(tree.split[node]))}"


def leaf_text(problem: Problem, tree: KdTree, node: int) -> str:
    rows = tree.rows(node)
    more = f" and {len(rows) - NAMED}" if len(rows) > NAMED else ""
    return ", ".join(problem.names[i] for i in rows[:NAMED]) + more


# -- on the plane ----------------------------------------------------------------------------------


def frontier(tree: KdTree, known: int) -> Int:
    """The nodes that share out the plane so far: the leaves, and what is not decided yet."""
    nodes = np.arange(tree.size)
    ends = (tree.axis < 0) | (nodes >= known)
    return np.flatnonzero(ends & (tree.parent < known))


def box_layer(
    bounds: Float, nodes: Int, role: Role, tag: str, label: tuple[str, ...] = ()
) -> Boxes:
    return Boxes(
        bounds[nodes], np.full(len(nodes), -1), role, label, tag, tuple(f"node{v}" for v in nodes)
    )


def grid_layers(problem: Problem, tree: KdTree, bounds: Float, known: int) -> list[Layer]:
    """All boxes so far, as thin lines, and the cuts between them."""
    nodes = frontier(tree, known)
    if not problem.all_on_plane or len(nodes) > MOST_BOXES:
        return []
    return [
        box_layer(bounds, nodes, Role.REGION, "boxes"),
        *cut_layer(problem, tree, bounds, known),
    ]


_grids: WeakKeyDictionary[KdTree, dict[object, tuple[Float, list[Layer]]]] = WeakKeyDictionary()


def whole_grid(problem: Problem, tree: KdTree) -> tuple[Float, list[Layer]]:
    """`plane_boxes` and `grid_layers` of a tree that is whole: a search asks for them at every
    step.
    """
    known = _grids.setdefault(tree, {})
    on = (problem.plane, problem.all_on_plane)
    if on not in known:
        bounds = frozen(plane_boxes(tree, problem.plane))
        known[on] = bounds, grid_layers(problem, tree, bounds, tree.size)
    return known[on]


def cut_layer(problem: Problem, tree: KdTree, bounds: Float, known: int) -> list[Layer]:
    """The cuts so far, each the wider the higher its level is, the first ones numbered in the order
    they were made.
    """
    nodes = np.flatnonzero(tree.axis[:known] >= 0)
    if not len(nodes) or len(problem.plane) != 2:
        return []
    axis = (tree.axis[nodes] == problem.plane[1]).astype(int)
    rows = np.arange(len(nodes))
    ends = np.empty((len(nodes), 2, 2))
    ends[rows, :, axis] = tree.split[nodes][:, None]
    ends[rows, 0, 1 - axis], ends[rows, 1, 1 - axis] = (
        bounds[nodes, 1 - axis],
        bounds[nodes, 3 - axis],
    )
    width = np.maximum(THINNEST, WIDEST - tree.depth[nodes] / 2)
    labels = tuple(str(k + 1) if k < NUMBERED else "" for k in range(len(nodes)))
    return [Segments(ends, Role.SAMPLE, labels, "boxes", width, tuple(f"node{v}" for v in nodes))]


def cut_segment(problem: Problem, box: Float, column: int, point: float, role: Role) -> list[Layer]:
    """The line x = point, limited to its box; nothing when the plane does not show the column."""
    if column not in problem.plane:
        return []
    axis = problem.plane.index(column)
    ends = np.empty((1, 2, 2))
    ends[0, :, axis] = point
    ends[0, :, 1 - axis] = box[[1 - axis, 3 - axis]]
    return [Segments(ends, role, (f"{column_name(problem, column)} = {number(point)}",), "cut")]
