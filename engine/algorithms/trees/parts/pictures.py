"""What pictures of trees share: what of a tree is looked at, the nodes that there is room for,
boxes and split points.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from engine.algorithms.trees.parts.log import tree_at
from engine.algorithms.trees.parts.model import Tree, Why, boxes, members, predict, step_down
from engine.base.arrays import Bool, Float, Int, Prefix
from engine.base.notation import counted
from engine.base.records import Record, replace
from engine.protocol.step import Choice, Step
from engine.scene.scene import Boxes, Layer, Role, Segments, Table, data_table
from engine.table.problem import Problem

MOST_NODES = 150
MOST_PASSED = 1_000_000  # nodes by all examples


class View(Record):
    """What a step shows of a tree.

    tree: nodes pruned in this step are still in it
    fallen: (N,) those nodes
    current: a node or −1
    column, point: the test shown, −1 for none
    chosen: whether that test is the node's
    """

    tree: Tree
    fallen: Bool
    current: int = -1
    column: int = -1
    point: float = float("nan")
    chosen: bool = False


def view_of(step: Step[Any]) -> View:
    """The nodes of the tree that a step shows; a pruned test with the nodes that go with it."""
    s = step.state
    tree = s.tree
    point = float("nan") if s.point is None else s.point
    fallen = np.zeros(len(tree.alive), dtype=bool)
    if s.column >= 0 and s.log[-1].why is Why.PRUNED and s.log[-1].node == s.current:
        before = tree_at(Prefix(s.log.items, len(s.log) - 1), s.nominal)
        tree, fallen = before, before.alive & ~tree.alive
    return View(tree, fallen, s.current, s.column, point, step.line == "choose")


def shown_nodes(tree: Tree, current: int) -> list[int]:
    """The nodes that the figure has room for: all children of a node or none, first those on the
    path to `current`.
    """
    alive = tree.alive
    way = set(tree.way_to(current)) if current >= 0 else set()
    tests = np.flatnonzero(alive & (tree.column >= 0))
    if len(alive) > MOST_NODES:
        aside = np.ones(len(alive), dtype=bool)
        aside[list(way)] = False
        tests = tests[np.lexsort((tests, tree.depth[tests], aside[tests]))]
    shown = {0}
    for node in tests.tolist():
        if node in shown and (len(shown) + tree.width[node] <= MOST_NODES or node in way):
            shown.update(tree.children(int(node)))
    return sorted(shown)


def nodes_below(tree: Tree, shown: list[int]) -> list[int]:
    """For each shown node whose children are not shown the number of nodes below it; 0 for the
    others.
    """
    size = tree.alive.astype(np.intp)  # of the tree from each node on
    for depth in range(int(tree.depth.max(initial=0)), 0, -1):
        level = np.flatnonzero(tree.depth == depth)
        np.add.at(size, tree.parent[level], size[level])
    among = set(shown)
    hidden = [
        bool(tree.width[node]) and not among.issuperset(tree.children(node)) for node in shown
    ]
    return [int(size[node]) - 1 if cut else 0 for node, cut in zip(shown, hidden, strict=True)]


class Read(NamedTuple):
    """A node, read from the arrays of its tree.

    below: see `nodes_below`
    above: the test (column, point) whose branch it is, None at the root
    """

    node: int
    parent: int
    branch: int
    column: int
    point: float
    why: int
    label: Any
    totals: list[float]
    children: range
    below: int
    above: tuple[int, float] | None


def read_nodes(tree: Tree, shown: list[int]) -> list[Read]:
    """The shown nodes, the root first; read together, because one by one is much slower."""
    parts = (tree.parent, tree.branch, tree.column, tree.point, tree.why, tree.label, tree.totals)
    read = [part[shown].tolist() for part in parts]
    first = tree.first[shown]
    children = map(
        range,
        first.tolist(),
        (first + np.where(tree.column[shown] >= 0, tree.width[shown], 0)).tolist(),
    )
    up = tree.parent[shown[1:]]
    above = [None, *zip(tree.column[up].tolist(), tree.point[up].tolist(), strict=True)]
    return list(map(Read, shown, *read, children, nodes_below(tree, shown), above))


def passed(tree: Tree, problem: Problem) -> Int | None:
    """(levels, n) the node that each example passes at every level of the grown tree, below its
    leaf the leaf itself.

    Computed once for all steps. None where values are missing, as such rows follow several
    branches, and where the array would be too large.
    """
    whole = tree.whole or tree
    of, found = whole.memo.get("passed", (None, None))
    if of is not problem.X:
        found = _passed(whole, problem)
        whole.memo["passed"] = problem.X, found  # at once: other threads read it too
    return found  # type: ignore[no-any-return]


def _passed(tree: Tree, problem: Problem) -> Int | None:
    if np.isnan(problem.X).any():
        return None
    nodes = [np.zeros(problem.n, np.intp)]
    each = np.arange(problem.n)
    while (inner := tree.column[nodes[-1]] >= 0).any():
        if problem.n * len(nodes) > MOST_PASSED:
            return None
        value = problem.X[each, tree.column[nodes[-1]]]
        nodes.append(np.where(inner, step_down(tree, nodes[-1], value), nodes[-1]))
    return np.array(nodes)


def own_labels(tree: Tree, problem: Problem) -> Int:
    """(n,) what the tree predicts for its own examples."""
    if (nodes := passed(tree, problem)) is None:
        return predict(tree, problem.X)
    # those that are not there yet lie below an end
    ends = (tree.column.take(nodes, mode="clip") < 0).argmax(0)
    return np.asarray(tree.label[nodes[ends, np.arange(problem.n)]])


def members_of(tree: Tree, node: int, problem: Problem) -> Bool:
    """(n,) which of its own examples pass `node`, wholly or in part."""
    if (nodes := passed(tree, problem)) is None:
        return np.asarray(members(tree, node, problem.X) > 0)
    return np.asarray((nodes == node).any(0))


def figure_path(tree: Tree, current: int, way: tuple[int, ...]) -> tuple[int, ...]:
    """The indices in the tree figure of the nodes on the path `way`."""
    at = {node: i for i, node in enumerate(shown_nodes(tree, current))}
    return tuple(at[node] for node in way if node in at)


def more_below(count: int) -> str:
    """The text ", 5 nodes below" for a node whose children have no room, "" for 0."""
    return f", {counted(count, 'node')} below" if count else ""


def node_role(view: View, node: int) -> Role:
    if view.fallen[node]:
        return Role.REJECTED
    return Role.ACTIVE if node == view.current else Role.PLAIN


def node_tag(view: View, node: int) -> str:
    """The tag of a node: the current node and its branches are highlighted with the terms of the
    formula.
    """
    if node == view.current:
        return "current"
    near = view.current >= 0 and view.tree.parent[node] == view.current
    return f"branch{int(view.tree.branch[node])}" if near else f"node{node}"


def tree_table(problem: Problem, view: View) -> Table:
    """The examples, those of the current node active, the current column highlighted, used-up
    columns struck out.
    """
    tree = view.tree
    roles = {}
    if view.current >= 0:
        for above in tree.way_to(view.current)[:-1]:
            if tree.nominal[tree.column[above]] and np.isnan(tree.point[above]):
                roles[problem.features[int(tree.column[above])].name] = Role.REJECTED
    if view.column >= 0:
        roles[problem.features[view.column].name] = Role.ACTIVE
    active = members_of(tree, view.current, problem) if view.current >= 0 else None
    return data_table(
        problem,
        roles=roles,
        active=None if active is None else active & (problem.labelled | problem.regress),
    )


def current_layers(problem: Problem, view: View) -> list[Layer]:
    box = box_of(view.tree, view.current, problem)
    cut = split_line(problem, box, view.column, view.point)
    if cut is not None:
        return [Segments(cut, Role.ACTIVE if view.chosen else Role.CANDIDATE, tag="cut")]
    return (
        [Boxes(box[None], np.array([-1]), Role.ACTIVE, tag="current")]
        if np.isfinite(box).any()
        else []
    )


def box_of(tree: Tree, node: int, problem: Problem) -> Float:
    """(4,) the part of the plane between the split points on the way to `node`; tests of hidden
    columns do not bound it.
    """
    box = np.array([-np.inf, -np.inf, np.inf, np.inf])
    way = tree.way_to(node)
    for above, below in pairwise(way):
        column = int(tree.column[above])
        if column in problem.plane:
            axis = problem.plane.index(column)
            side = axis if tree.branch[below] else 2 + axis
            box[side] = tree.point[above]
    return box


def decided_at(choice: Choice, problem: Problem, tree: Tree, node: int) -> Choice:
    """The choice of a test, with the examples of the node and its part of the plane."""
    rows = tuple(np.flatnonzero(members_of(tree, node, problem)).tolist())
    return replace(
        choice, rows=rows, box=tuple(box_of(tree, node, problem).tolist()) if problem.plane else ()
    )


def split_line(problem: Problem, box: Float, column: int, point: float) -> Float | None:
    """(1, 2, 2) the candidate A > v within the box, when the plane shows A."""
    if column not in problem.plane or np.isnan(point):
        return None
    axis = problem.plane.index(column)
    ends = np.empty((1, 2, 2))
    ends[0, :, axis] = point
    ends[0, :, 1 - axis] = box[[1 - axis, 3 - axis]]
    return ends


def leaf_boxes(problem: Problem, tree: Tree, ends: Int) -> tuple[Layer, ...]:
    """The boxes of these leaves on the plane."""
    found, bounds = boxes(tree, problem)
    here = np.isin(found, ends)
    if not problem.plane or not here.any() or len(found) == 1:
        return ()
    return (Boxes(bounds[here], np.full(int(here.sum()), -1), Role.ACTIVE, tag="leaf"),)
