"""Pictures of a decision tree: the tree itself, its boxes on the plane, the table behind it.

AIMA Figs 18.4, 18.6.
"""

import numpy as np

from engine.algorithms.trees.decision_tree import Setting, State
from engine.algorithms.trees.parts.model import Tree, boxes, class_borders, members, paint
from engine.algorithms.trees.parts.naming import TreeWords
from engine.algorithms.trees.parts.pictures import (
    Read,
    View,
    current_layers,
    more_below,
    node_role,
    node_tag,
    own_labels,
    read_nodes,
    shown_nodes,
    tree_table,
    view_of,
)
from engine.base.arrays import Float
from engine.base.grid import Grid
from engine.base.lazy import Lazy
from engine.protocol.borders import Cuts, cuts_of
from engine.protocol.step import Step
from engine.scene.scene import (
    Boxes,
    Field,
    Figure,
    Layer,
    Role,
    Scene,
    Segments,
    TreeNode,
    data_points,
)
from engine.scene.scene import Tree as TreeFigure
from engine.table.problem import Problem

MOST_BOXES = 40  # more examples than that are counted, not drawn one by one
MOST_CELLS = 400


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    view = view_of(step)
    figures: tuple[Figure, ...] = (
        tree_figure(problem, given.words, view),
        tree_table(problem, view),
    )
    layers = plane_layers(problem, view) if problem.plane else ()
    return Scene(layers, figures)


def class_surface(given: Setting, s: State, grid: Grid) -> Float:
    tree = s.tree
    return paint(tree, given.problem, grid, tree.label)


def score_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) the share of the first class on the grid, scaled from −1 (none) to +1 (all)."""
    tree = s.tree
    return paint(tree, given.problem, grid, 2 * tree.shares[:, 0] - 1)


FIELDS = {"class": class_surface, "score": score_surface}


def label_borders(given: Setting, s: State) -> Cuts:
    return cuts_of(zip(s.tree.column.tolist(), s.tree.point.tolist(), strict=True))


# -- the tree --------------------------------------------------------------------------------------


def tree_figure(problem: Problem, words: TreeWords, view: View) -> TreeFigure:
    return TreeFigure("Tree", Lazy(lambda: _tree_nodes(problem, words, view)), words.classes)


def _tree_nodes(problem: Problem, words: TreeWords, view: View) -> list[TreeNode]:
    shown = shown_nodes(view.tree, view.current)
    at = {node: i for i, node in enumerate(shown)}
    boxes = example_boxes(problem, view.tree, shown)
    return [
        _tree_node(words, view, n, at, boxes.get(n.node, ())) for n in read_nodes(view.tree, shown)
    ]


def _tree_node(
    words: TreeWords, view: View, n: Read, at: dict[int, int], boxes: tuple[tuple[int, int], ...]
) -> TreeNode:
    test = n.column >= 0
    open_ = not test and n.why == 0
    text = words.question(n.column, n.point) if test else words.classes[n.label]
    return TreeNode(
        at.get(n.parent, -1),
        words.branch(*n.above, n.branch) if n.above else "",
        "" if open_ else text,
        "test" if test else ("open" if open_ else "leaf"),
        -1 if test or open_ else n.label,
        _beside(words, n.totals, test, open_, n.below),
        boxes,
        node_role(view, n.node),
        node_tag(view, n.node),
        words.problem.axis_column(n.column),
        n.below,
    )


def _beside(words: TreeWords, counts: list[float], test: bool, open_: bool, below: int) -> str:
    """The few words beside a node: its counts; of an open node how it stands."""
    if open_:
        some = [f"{c:.4g}" for c in counts if c > 0]
        parts = any(c % 1 for c in counts)  # of examples: longer numbers, shorter words
        return ("no examples", "pure", (" : " if parts else " against ").join(some))[
            min(len(some), 2)
        ]
    return words.counts(counts, zeros=test) + more_below(below)


def example_boxes(
    problem: Problem, tree: Tree, shown: list[int]
) -> dict[int, tuple[tuple[int, int], ...]]:
    """{node: ((row, class code), …)} of the examples at each node, class by class; {} for too
    many.
    """
    rows = np.flatnonzero(problem.labelled)
    if len(rows) > MOST_BOXES:
        return {}
    by_class = rows[np.argsort(problem.codes[rows], kind="stable")]
    found = {}
    for node in shown:
        here = by_class[members(tree, node, problem.X[by_class]) > 0]
        found[node] = tuple((problem.number_of(int(i)) - 1, int(problem.codes[i])) for i in here)
    return found


# -- beside it -------------------------------------------------------------------------------------


# -- on the plane ----------------------------------------------------------------------------------


def plane_layers(problem: Problem, view: View) -> tuple[Layer, ...]:
    """Class regions, the leaves' boxes with solid borders between classes, the examples, the
    current test.
    """
    ends, bounds = boxes(view.tree, problem)
    few = len(ends) <= MOST_CELLS
    layers: list[Layer] = [Field("class", boundary=not few, tag="leaves")]
    if few:
        plain = np.full(len(ends), -1)
        tags = tuple(node_tag(view, node) for node in ends.tolist())
        layers.append(Boxes(bounds, plain, Role.SAME, tag="leaves", tags=tags))
        layers.append(
            Segments(class_borders(bounds, view.tree.label[ends]), Role.DIFFERENT, tag="boundary")
        )
    layers.append(data_points(problem, own_labels(view.tree, problem)))
    if view.current >= 0:
        layers += current_layers(problem, view)
    return tuple(layers)
