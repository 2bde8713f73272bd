"""The given tree with the way of an example, the tree as a decision list, the examples, and the
tree's boxes on the plane.
"""

from engine.algorithms.trees.given_tree import Setting, State, predict
from engine.algorithms.trees.given_tree.as_list import as_list, list_figure
from engine.algorithms.trees.parts.model import descend, paint
from engine.algorithms.trees.parts.pictures import Read, more_below, read_nodes, shown_nodes
from engine.authoring import Float, Grid, Lazy, Step, np
from engine.scene.scene import (
    Field,
    Figure,
    Layer,
    Role,
    Scene,
    Tree,
    TreeNode,
    active_point,
    data_points,
    data_table,
)

MOST_BOXES = 40  # more examples than that are not drawn one by one


def class_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) the class of every place."""
    return paint(given.tree, given.problem, grid, given.tree.label)


FIELDS = {"class": class_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    current = (s.row,) if s.row >= 0 else ()
    figures: tuple[Figure, ...] = (
        tree_figure(given, s, step.details.get("before", s.node)),
        list_figure(as_list(given.tree), given.words),
        data_table(problem, current=current, tag="current"),
    )
    if not problem.plane:
        return Scene((), figures, leads=("Tree",))
    shown = predict(given, s, problem.X)
    layers: list[Layer] = [Field("class", boundary=True), data_points(problem, shown)]
    layers += [active_point(problem, row, shown, "current") for row in current]
    return Scene(tuple(layers), figures, leads=("Plane", "Tree"))


def tree_figure(given: Setting, s: State, lit: int) -> Tree:
    """The tree; the nodes that the example has passed are marked, and it stands where it is.

    lit: the node in amber, of which the words speak: the test that the example has just met, or
    where it is
    """
    return Tree("Tree", Lazy(lambda: tree_nodes(given, s, lit)), given.words.classes)


def tree_nodes(given: Setting, s: State, lit: int) -> list[TreeNode]:
    """The nodes of the figure, parents before children."""
    tree = given.tree
    shown = shown_nodes(tree, s.node)
    at = {node: i for i, node in enumerate(shown)}
    way = set(tree.way_to(s.node)) if s.node >= 0 else set()
    nodes = {n.node: n for n in read_nodes(tree, shown)}
    boxes = example_boxes(given, s)
    order = [node for node in given.as_written if node in at]
    at = {node: i for i, node in enumerate(order)}
    said = {lit: verdict(given, s, lit)} if s.row >= 0 else {}
    return [
        tree_node(given, lit, nodes[k], at, k in way, boxes.get(k, ()), said.get(k, ""))
        for k in order
    ]


def verdict(given: Setting, s: State, lit: int) -> str:
    """The example at this node, and at a leaf whether that is right."""
    name = given.problem.names[s.row]
    if given.tree.column[lit] >= 0:
        return name
    right = given.tree.label[lit] == given.problem.codes[s.row]
    return f"{name} {'✓' if right else '✗'}"


def example_boxes(given: Setting, s: State) -> dict[int, tuple[tuple[int, int], ...]]:
    """{node: ((row, class code), …)} of the examples that have passed it or come to their end,
    those of a class together, last the one on its way, where it is; of too many that one alone.
    """
    problem = given.problem
    rows = np.flatnonzero(problem.labelled)
    found: dict[int, tuple[tuple[int, int], ...]] = {}
    ended = rows[: s.seen] if len(rows) <= MOST_BOXES else rows[:0]
    ends = descend(given.tree, problem.X[ended])[0].tolist()
    for row, end in sorted(
        zip(ended.tolist(), ends, strict=True), key=lambda e: problem.codes[e[0]]
    ):
        box = (problem.number_of(row) - 1, int(problem.codes[row]))
        for node in given.tree.way_to(end):
            found[node] = (*found.get(node, ()), box)
    if s.row >= 0 and s.row not in ended:
        box = (problem.number_of(s.row) - 1, int(problem.codes[s.row]))
        found[s.node] = (*found.get(s.node, ()), box)
    return found


def tree_node(
    given: Setting,
    lit: int,
    n: Read,
    at: dict[int, int],
    passed: bool,
    boxes: tuple[tuple[int, int], ...],
    said: str,
) -> TreeNode:
    words = given.words
    test = n.column >= 0
    role = Role.NEAREST if passed else Role.PLAIN
    return TreeNode(
        at.get(n.parent, -1),
        words.branch(*n.above, n.branch) if n.above else "",
        words.question(n.column, n.point) if test else words.classes[n.label],
        "test" if test else "leaf",
        -1 if test else n.label,
        said or more_below(n.below).removeprefix(", "),
        boxes,
        role=Role.ACTIVE if n.node == lit else role,
        tag="current" if n.node == lit else "tree",
        column=given.problem.axis_column(n.column),
        below=n.below,
    )
