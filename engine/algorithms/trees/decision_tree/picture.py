"""Pictures of a decision tree: the tree itself, its boxes on the plane, the table behind it. AIMA Figs 18.4, 18.6."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from engine.core.arrays import Bool, Float, Int, Prefix
from engine.core.grid import Grid
from engine.core.problem import Problem
from engine.core.scene import (
    Boxes,
    Field,
    Figure,
    Layer,
    Role,
    Scene,
    Segments,
    Table,
    TreeNode,
    data_points,
    data_table,
)  # fmt: skip
from engine.core.scene import Tree as TreeFigure
from engine.core.step import Step
from engine.algorithms.trees.decision_tree.log import State
from engine.algorithms.trees.decision_tree import Setting
from engine.algorithms.trees.decision_tree.log import tree_at
from engine.algorithms.trees.parts.model import Tree, Why, boxes, class_borders, members, paint, predict
from engine.algorithms.trees.decision_tree.naming import TreeWords

MOST_BOXES = 40  # more examples than that are counted, not drawn one by one
MOST_NODES = 150
MOST_CELLS = 400


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What of a tree is looked at.

    tree: as it is, nodes cut off in this step still in it; fallen (N,): those; current: a node or −1;
    column, point: the test looked at, −1 none; chosen: it has been taken
    """

    tree: Tree
    fallen: Bool
    current: int = -1
    column: int = -1
    point: float = float("nan")
    chosen: bool = False


def view_of(step: Step[State]) -> View:
    """What a step looks at. A test is shown with the nodes that fall with it when it is pruned."""
    s = step.state
    tree, point = s.tree, float("nan") if s.point is None else s.point
    fallen = np.zeros(len(tree.alive), dtype=bool)
    if s.column >= 0 and s.log[-1].why is Why.PRUNED and s.log[-1].node == s.current:
        before = tree_at(Prefix(s.log.items, len(s.log) - 1), s.nominal)
        tree, fallen = before, before.alive & ~tree.alive
    return View(tree, fallen, s.current, s.column, point, step.line == "choose")


def scene(given: Setting, step: Step[State]) -> Scene:
    problem, view = given.problem, view_of(step)
    figures: tuple[Figure, ...] = (tree_figure(problem, given.words, view), tree_table(problem, view))
    layers = plane_layers(problem, view) if problem.plane else ()
    return Scene(layers, figures)


def class_surface(given: Setting, s: State, grid: Grid) -> Int:
    tree = s.tree
    return np.asarray(paint(tree, given.problem, grid, tree.label))


def score_surface(given: Setting, s: State, grid: Grid) -> Float:
    """Share of the first class, from −1 (none) to +1 (all)."""
    tree = s.tree
    return np.asarray(paint(tree, given.problem, grid, 2 * tree.shares[:, 0] - 1))


FIELDS = {"class": class_surface, "score": score_surface}


# -- the tree ----------------------------------------------------------------------------------------------------------


def shown_nodes(tree: Tree, current: int) -> list[int]:
    """The nodes that the figure has room for: whole families, those on the way to `current` first, then from the top."""
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


def figure_path(tree: Tree, current: int, way: tuple[int, ...]) -> tuple[int, ...]:
    """The positions in the tree figure of the nodes on `way`."""
    at = {node: i for i, node in enumerate(shown_nodes(tree, current))}
    return tuple(at[node] for node in way if node in at)


def tree_figure(problem: Problem, words: TreeWords, view: View) -> TreeFigure:
    shown = shown_nodes(view.tree, view.current)
    at = {node: i for i, node in enumerate(shown)}
    drawn = example_boxes(problem, view.tree, shown)
    nodes = [_tree_node(words, view, node, at, drawn.get(node, ())) for node in shown]
    return TreeFigure("Tree", nodes, words.classes)


def _tree_node(
    words: TreeWords, view: View, node: int, at: dict[int, int], drawn: tuple[tuple[int, int], ...]
) -> TreeNode:
    tree = view.tree
    up = int(tree.parent[node])
    branch = words.branch(int(tree.column[up]), float(tree.point[up]), int(tree.branch[node])) if up >= 0 else ""
    test = tree.column[node] >= 0
    open_ = not test and tree.why[node] == 0
    counts, label = tree.totals[node], int(tree.label[node])
    hidden = test and any(child not in at for child in tree.children(node))
    text = words.question(int(tree.column[node]), float(tree.point[node])) if test else words.problem.class_text(label)
    return TreeNode(
        at.get(up, -1), branch, "" if open_ else text, "test" if test else ("open" if open_ else "leaf"),
        -1 if test or open_ else label, _beside(words, counts, bool(test), open_, hidden), drawn, _role(view, node),
        _tag(view, node), words.problem.axis_column(int(tree.column[node])),
    )  # fmt: skip


def _beside(words: TreeWords, counts: Float, test: bool, open_: bool, hidden: bool) -> str:
    """The few words beside a node: its counts; of an open node how it stands."""
    if open_:
        kinds = int((counts > 0).sum())
        against = " against ".join(f"{c:g}" for c in counts[counts > 0])
        return ("no examples", "pure", against)[min(kinds, 2)]
    return words.counts(counts, zeros=test) + (", more below" if hidden else "")


def _role(view: View, node: int) -> Role:
    if view.fallen[node]:
        return Role.REJECTED
    return Role.ACTIVE if node == view.current else Role.PLAIN


def _tag(view: View, node: int) -> str:
    """The current node and its branches light up with the terms of the formula."""
    if node == view.current:
        return "current"
    near = view.current >= 0 and view.tree.parent[node] == view.current
    return f"branch{int(view.tree.branch[node])}" if near else f"node{node}"


def example_boxes(problem: Problem, tree: Tree, shown: list[int]) -> dict[int, tuple[tuple[int, int], ...]]:
    """The examples at each node as (index in the whole table, class), class by class; nothing when there are too many to
    draw."""
    rows = np.flatnonzero(problem.labelled)
    if len(rows) > MOST_BOXES:
        return {}
    by_class = rows[np.argsort(problem.codes[rows], kind="stable")]
    found = {}
    for node in shown:
        here = by_class[members(tree, node, problem.X[by_class]) > 0]
        found[node] = tuple((problem.number_of(int(i)) - 1, int(problem.codes[i])) for i in here)
    return found


# -- beside it ---------------------------------------------------------------------------------------------------------


def tree_table(problem: Problem, view: View) -> Table:
    """The examples of the current node stand out, as does the column looked at; spent columns are struck."""
    tree, roles = view.tree, {}
    if view.current >= 0:
        for above in tree.way_to(view.current)[:-1]:
            if tree.nominal[tree.column[above]] and np.isnan(tree.point[above]):
                roles[problem.features[int(tree.column[above])].name] = Role.REJECTED
    if view.column >= 0:
        roles[problem.features[view.column].name] = Role.ACTIVE
    active = members(tree, view.current, problem.X) > 0 if view.current >= 0 else None
    return data_table(problem, roles=roles, active=None if active is None else active & problem.labelled)


# -- on the plane ------------------------------------------------------------------------------------------------------


def plane_layers(problem: Problem, view: View) -> tuple[Layer, ...]:
    """Class regions, the leaves' boxes with solid borders between classes, the examples, and the test looked at."""
    ends, bounds = boxes(view.tree, problem)
    few = len(ends) <= MOST_CELLS
    layers: list[Layer] = [Field("class", boundary=not few, tag="leaves")]
    if few:
        plain = np.full(len(ends), -1)
        tags = tuple(_tag(view, node) for node in ends.tolist())
        layers.append(Boxes(bounds, plain, Role.SAME, tag="leaves", tags=tags))
        layers.append(Segments(class_borders(bounds, view.tree.label[ends]), Role.DIFFERENT, tag="boundary"))
    layers.append(data_points(problem, predict(view.tree, problem.X)))
    if view.current >= 0:
        layers += _current_layers(problem, view)
    return tuple(layers)


def _current_layers(problem: Problem, view: View) -> list[Layer]:
    box = box_of(view.tree, view.current, problem)
    cut = split_line(problem, box, view.column, view.point)
    if cut is not None:
        return [Segments(cut, Role.ACTIVE if view.chosen else Role.CANDIDATE, tag="cut")]
    if not np.isfinite(box).any():
        return []
    return [Boxes(box[None], np.array([-1]), Role.ACTIVE, tag="current")]


def box_of(tree: Tree, node: int, problem: Problem) -> Float:
    """(4,) the part of the plane between the split points on the way to `node`; tests of hidden columns do not bound it."""
    box = np.array([-np.inf, -np.inf, np.inf, np.inf])
    way = tree.way_to(node)
    for above, below in pairwise(way):
        column = int(tree.column[above])
        if column in problem.plane:
            axis = problem.plane.index(column)
            side = axis if tree.branch[below] else 2 + axis
            box[side] = tree.point[above]
    return box


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
    """The boxes of some leaves, for an explanation."""
    found, bounds = boxes(tree, problem)
    here = np.isin(found, ends)
    if not problem.plane or not here.any() or len(found) == 1:
        return ()
    return (Boxes(bounds[here], np.full(int(here.sum()), -1), Role.ACTIVE, tag="leaf"),)
