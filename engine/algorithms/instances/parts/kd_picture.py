"""Pictures of a k-d tree: the tree, its boxes on the plane, the line that cuts one. AIMA 18.8.2."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from weakref import WeakKeyDictionary

import numpy as np

from engine.algorithms.instances.parts.kd import KdTree, plane_boxes
from engine.base.arrays import Float, Int, frozen
from engine.base.lazy import Lazy
from engine.base.notation import counted, number, pretty_name
from engine.scene.scene import Boxes, Layer, Role, Segments, Tree, TreeNode
from engine.table.problem import Problem

MOST_NODES = 127  # a larger tree is drawn down to a depth, and on the way to where we are
_DEPTH = 5
MOST_BOXES = 2000
WIDEST = 2.5  # of a cut at level 0, times the line of its role
THINNEST = 0.5  # of a cut far below
NUMBERED = 7  # cuts that say which one they were
NAMED = 3  # more examples in a leaf are counted
EMPTY: Mapping[int, str] = MappingProxyType({})


def column_name(problem: Problem, column: int) -> str:
    """The title of a column: "x₁"."""
    return pretty_name(problem.features[column].name)


# -- the tree --------------------------------------------------------------------------------------


def shown_nodes(tree: KdTree, known: int, way: Collection[int]) -> list[int]:
    """The nodes that the figure has room for, each with its sibling. known: number of nodes that
    are decided; way: nodes that must be shown
    """
    inner = np.flatnonzero(tree.axis[:known] >= 0)
    if 2 * len(inner) + 1 > MOST_NODES:
        inner = inner[(tree.depth[inner] < _DEPTH) | np.isin(inner, list(way))]
    return sorted({0, *tree.left[inner].tolist(), *tree.right[inner].tolist()})


def figure_of(
    problem: Problem,
    tree: KdTree,
    known: int,
    way: Sequence[int],
    roles: dict[int, Role],
    notes: Mapping[int, str] = EMPTY,
) -> Tree:
    """The tree figure of the first `known` nodes. way: nodes that must be shown; roles: of
    highlighted nodes; notes: in place of the number of examples
    """
    return Tree("k-d tree", Lazy(lambda: tree_nodes(problem, tree, known, way, roles, notes)))


def tree_nodes(
    problem: Problem,
    tree: KdTree,
    known: int,
    way: Sequence[int],
    roles: dict[int, Role],
    notes: Mapping[int, str] = EMPTY,
) -> list[TreeNode]:
    """The nodes of the figure, parents before children."""
    shown = shown_nodes(tree, known, way)
    place = {node: i for i, node in enumerate(shown)}
    about, texts = _texts.setdefault(tree, (problem, {}))
    if about is not problem:  # a problem whose columns and rows have other names
        texts = {}
        _texts[tree] = problem, texts
    nodes = []
    for v in shown:
        decided = v < known
        test = decided and not tree.leaf(v)
        hidden = test and int(tree.left[v]) not in place
        below = nodes_below(tree, known, v) if hidden else 0
        if v not in texts:
            texts[v] = node_texts(problem, tree, v)
        text, count = texts[v]
        count = notes.get(v, count)
        nodes.append(
            TreeNode(
                place.get(int(tree.parent[v]), -1),
                branch_of(tree, v),
                text if decided else "",
                kind_of(decided, test),
                note=f"{count}, {counted(below, 'node')} below" if below else count,
                role=roles.get(v, Role.PLAIN),
                tag=f"node{v}",
                column=problem.axis_column(int(tree.axis[v]) if test else -1),
                below=below,
            )
        )
    return nodes


def node_texts(problem: Problem, tree: KdTree, node: int) -> tuple[str, str]:
    """(test or examples of a node, its number of examples) as text."""
    count = counted(int(tree.stop[node] - tree.start[node]), "example")
    text = leaf_text if tree.leaf(node) else test_text
    return text(problem, tree, node), count


def branch_of(tree: KdTree, node: int) -> str:
    """The label of the branch that leads to a node, "" for the root."""
    parent = int(tree.parent[node])
    if parent < 0:
        return ""
    return "yes" if tree.left[parent] == node else "no"


def kind_of(decided: bool, test: bool) -> str:
    """The figure's kind of a node: "open" before it is decided, else by whether it has a test."""
    if not decided:
        return "open"
    return "test" if test else "leaf"


def nodes_below(tree: KdTree, known: int, node: int) -> int:
    """The number of nodes so far below a node; in preorder they directly follow it."""
    after = tree.parent[node + 1 :]
    beside = np.flatnonzero(tree.depth[node + 1 :] <= tree.depth[node])
    below = after[: beside[0]] if len(beside) else after
    return int(np.count_nonzero(below < known))


_texts: WeakKeyDictionary[KdTree, tuple[Problem, dict[int, tuple[str, str]]]] = WeakKeyDictionary()


def test_text(problem: Problem, tree: KdTree, node: int) -> str:
    """The test of a node as text: "x₁ ≤ 5"."""
    return f"{column_name(problem, int(tree.axis[node]))} ≤ {number(float(tree.split[node]))}"


def leaf_text(problem: Problem, tree: KdTree, node: int) -> str:
    """The examples of a leaf as text: "x₁, x₇ and 3 more"."""
    rows = tree.rows(node)
    names = ", ".join(problem.names[i] for i in rows[:NAMED])
    return f"{names} and {len(rows) - NAMED}" if len(rows) > NAMED else names


# -- on the plane ----------------------------------------------------------------------------------


def frontier(tree: KdTree, known: int) -> Int:
    """(m,) the nodes that divide up the plane so far: leaves and undecided nodes."""
    nodes = np.arange(tree.size)
    ends = (tree.axis < 0) | (nodes >= known)
    return np.flatnonzero(ends & (tree.parent < known))


def box_layer(
    bounds: Float, nodes: Int, role: Role, tag: str, label: tuple[str, ...] = ()
) -> Boxes:
    tags = tuple(f"node{v}" for v in nodes)
    return Boxes(bounds[nodes], np.full(len(nodes), -1), role, label, tag, tags)


def grid_layers(problem: Problem, tree: KdTree, bounds: Float, known: int) -> list[Layer]:
    """All boxes so far as thin lines, and the cuts between them; [] for too many."""
    nodes = frontier(tree, known)
    if not problem.all_on_plane or len(nodes) > MOST_BOXES:
        return []
    boxes = box_layer(bounds, nodes, Role.REGION, "boxes")
    return [boxes, *cut_layer(problem, tree, bounds, known)]


_grids: WeakKeyDictionary[KdTree, dict[object, tuple[Float, list[Layer]]]] = WeakKeyDictionary()


def whole_grid(problem: Problem, tree: KdTree) -> tuple[Float, list[Layer]]:
    """`plane_boxes` and `grid_layers` of a finished tree; cached, because a search needs them at
    every step.
    """
    known = _grids.setdefault(tree, {})
    on = (problem.plane, problem.all_on_plane)
    if on not in known:
        bounds = frozen(plane_boxes(tree, problem.plane))
        known[on] = bounds, grid_layers(problem, tree, bounds, tree.size)
    return known[on]


def cut_layer(problem: Problem, tree: KdTree, bounds: Float, known: int) -> list[Layer]:
    """The cuts so far, wider at higher levels, the first ones numbered in order."""
    nodes = np.flatnonzero(tree.axis[:known] >= 0)
    if not len(nodes) or len(problem.plane) != 2:
        return []
    axis = (tree.axis[nodes] == problem.plane[1]).astype(int)
    rows = np.arange(len(nodes))
    ends = np.empty((len(nodes), 2, 2))
    ends[rows, :, axis] = tree.split[nodes][:, None]
    ends[rows, 0, 1 - axis] = bounds[nodes, 1 - axis]
    ends[rows, 1, 1 - axis] = bounds[nodes, 3 - axis]
    width = np.maximum(THINNEST, WIDEST - tree.depth[nodes] / 2)
    labels = tuple(str(k + 1) if k < NUMBERED else "" for k in range(len(nodes)))
    tags = tuple(f"node{v}" for v in nodes)
    return [Segments(ends, Role.SAMPLE, labels, "boxes", width, tags)]


def cut_segment(problem: Problem, box: Float, column: int, point: float, role: Role) -> list[Layer]:
    """The line x = point within its box; [] for a column off the plane."""
    if column not in problem.plane:
        return []
    axis = problem.plane.index(column)
    ends = np.empty((1, 2, 2))
    ends[0, :, axis] = point
    ends[0, :, 1 - axis] = box[[1 - axis, 3 - axis]]
    return [Segments(ends, role, (f"{column_name(problem, column)} = {number(point)}",), "cut")]
