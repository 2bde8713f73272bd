"""Pictures of trees taught on bags: the copies as sizes, every tree's border pale, the vote, the
tree that grows, its table.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from engine.algorithms.ensembles.parts.bags import Bagged, Bags
from engine.algorithms.ensembles.parts.forests import grown_to
from engine.algorithms.ensembles.parts.pictures import branch_names, learner_tag, margin_plot
from engine.algorithms.ensembles.parts.stumps import Stump, room
from engine.algorithms.ensembles.parts.votes import shares, winners
from engine.algorithms.trees.parts.decimals import writing
from engine.algorithms.trees.parts.model import Tree, boxes, descend, predict
from engine.algorithms.trees.parts.pictures import more_below, nodes_below
from engine.core.arrays import Float, Int, frozen
from engine.core.borders import Cuts, cuts_of
from engine.core.dataset import Feature, Kind
from engine.core.grid import Grid
from engine.core.late import Late
from engine.core.notation import counted, pretty_name
from engine.core.problem import Problem
from engine.core.scene import (
    Bars,
    Boxes,
    Field,
    Figure,
    Layer,
    Points,
    Role,
    Scene,
    Segments,
    Table,
    TableColumn,
    Tree as Diagram,
    TreeNode,
    data_points,
    data_table,
)
from engine.core.step import Step
from engine.core.tags import joined

PALE = 24
# boxes of one of very many trees, of one alone, of all together
LEAST_NODES, MOST_NODES, MOST_OF_ALL = 7, 63, 700


def class_surface(given: Bags[object], s: Bagged, grid: Grid) -> Float:
    return given.leaves.painted(
        s.learners, grid, lambda votes: winners(votes, len(s.learners)).astype(np.float64)
    )


def score_surface(given: Bags[object], s: Bagged, grid: Grid) -> Float:
    """Share of the votes for the first of two classes less that for the other."""
    if len(given.problem.classes) != 2:
        return np.full(grid.shape, np.nan)
    return given.leaves.painted(s.learners, grid, shares)


FIELDS = {"class": class_surface, "score": score_surface}


def label_borders(given: Bags[object], s: Bagged) -> Cuts:
    return cuts_of(
        test
        for tree in s.learners
        for test in zip(tree.column.tolist(), tree.point.tolist(), strict=True)
    )


def scene(given: Bags[Any], step: Step[Bagged]) -> Scene:
    """While h[b] is drawn, grown and tested sizes are copies; the fill is what h[b] says, else what
    the vote says.
    """
    problem = given.problem
    s = step.state
    tree = None if s.learner is None else grown_to(s.learner, s.node)
    votes = given.votes(s, problem.X)
    own = None if tree is None or step.line == "vote" else predict(tree, problem.X)
    figures: list[Figure] = [] if (shown := tree_diagram(given, s)) is None else [shown]
    figures.append(
        bag_table(given, s, step.line, None if tree is None else predict(tree, problem.X), votes)
    )
    if len(s.learners):
        figures.append(importance_bars(given, s))
        figures.append(margin_plot(votes[:, given.known], problem.codes[given.known]))
    if not problem.plane:
        return Scene((), tuple(figures))
    sizes = None if s.copies is None or step.line == "vote" else frozen(s.copies.astype(np.float64))
    points = data_points(
        problem, winners(votes) if own is None else own, sizes, partial=own is not None
    )
    field = Field("score" if len(problem.classes) == 2 else "class", boundary=True)
    return Scene(
        (field, *spread(given, s), *tree_layers(given, s, tree), points, *tested(given, s, own)),
        tuple(figures),
    )


def spread(given: Bags[object], s: Bagged) -> list[Layer]:
    """The borders of the last trees that vote: where they differ the vote is unsure."""
    count = len(s.learners) - (s.learner is not None and len(s.learners) == s.round)
    shown = range(max(0, count - PALE), count)
    return borders(given, [s.learners[b] for b in shown], map(learner_tag, shown), Role.INACTIVE)


def borders(
    given: Bags[object], trees: Sequence[Tree], names: Iterable[str], role: Role
) -> list[Layer]:
    """Where leaves of different class touch; each piece has the name of its tree."""
    pieces = given.leaves.borders(trees)
    tags = tuple(name for name, lines in zip(names, pieces, strict=True) for _ in lines)
    return [Segments(frozen(np.concatenate(pieces)), role, tags=tags)] if tags else []


def tree_layers(given: Bags[Any], s: Bagged, tree: Tree | None) -> list[Layer]:
    """h[b]: while it grows its boxes, with the one that is parted now and the cut; then
    its border.
    """
    if tree is None or s.learner is None:
        return []
    if s.node < 0:
        return borders(
            given, [s.learner], [joined("learner", learner_tag(s.round - 1))], Role.ACTIVE
        )
    problem = given.problem
    ends, bounds = boxes(tree, problem)
    layers: list[Layer] = [Boxes(bounds, np.full(len(ends), -1), Role.SAME, tag="leaves")]
    box = node_box(problem, tree, s.node)
    column = int(tree.column[s.node])
    if (
        column in problem.plane
        and not np.isnan(tree.point[s.node])
        and problem.features[column].numeric
    ):
        axis = problem.plane.index(column)
        cut = np.empty((1, 2, 2))
        cut[0, :, axis], cut[0, :, 1 - axis] = tree.point[s.node], box[[1 - axis, 3 - axis]]
        return [*layers, Segments(frozen(cut), Role.ACTIVE, tag="current")]
    return (
        [*layers, Boxes(box[None], np.array([-1]), Role.ACTIVE, tag="current")]
        if np.isfinite(box).any()
        else layers
    )


def node_box(problem: Problem, tree: Tree, node: int) -> Float:
    """(4,) the part of the plane between the cuts on the way to a node; tests of hidden columns do
    not bound it.
    """
    box = np.array([-np.inf, -np.inf, np.inf, np.inf])
    way = tree.way_to(node)
    for above, below in pairwise(way):
        if (column := int(tree.column[above])) in problem.plane and problem.features[
            column
        ].numeric:
            axis = problem.plane.index(column)
            box[axis if tree.branch[below] else 2 + axis] = tree.point[above]
    return box


def tested(given: Bags[object], s: Bagged, own: Int | None) -> list[Layer]:
    """The rows outside the bag, which h[b] has never seen, ringed once it is whole."""
    if own is None or s.copies is None or s.node >= 0:
        return []
    rows = np.flatnonzero(given.outside(s.copies))
    codes = given.problem.codes[rows]
    return [
        Points(given.problem.xy[rows], codes, Role.CANDIDATE, own[rows], tag="out", partial=True)
    ]


def bag_table(given: Bags[object], s: Bagged, line: str, own: Int | None, votes: Float) -> Table:
    """The examples with their copies, what h[b] says, and how many votes their own class has; those
    outside the bag lit where they are spoken of, and pale while the tree grows.
    """
    problem = given.problem
    spoken = s.copies is not None and line in ("draw", "out")
    outside = (
        tuple(np.flatnonzero(given.outside(s.copies)).tolist())
        if spoken and s.copies is not None
        else ()
    )
    active = s.copies > 0 if s.copies is not None and line in ("split", "learn") else None
    column = int(s.learner.column[s.node]) if s.learner is not None and s.node >= 0 else -1
    roles = {problem.features[column].name: Role.ACTIVE} if column >= 0 else {}

    def columns(found: list[TableColumn]) -> list[TableColumn]:
        if s.copies is not None:
            found.append(TableColumn(Feature("copies"), s.copies.astype(np.float64), tag="copies"))
        if own is not None:
            said = Feature(f"h{s.round} says", Kind.CATEGORICAL, problem.classes)
            found.append(TableColumn(said, own.astype(np.float64)))
        if len(s.learners):
            right = np.where(
                problem.labelled, votes[np.maximum(problem.codes, 0), np.arange(problem.n)], np.nan
            )
            found.append(TableColumn(Feature("right votes"), right, tag="votes"))
        return found

    return data_table(problem, columns, current=outside, active=active, roles=roles, tag="out")


def stump_of(problem: Problem, tree: Tree, node: int) -> Stump:
    """The test of a node, as it reads."""
    column = int(tree.column[node])
    point = float(tree.point[node])
    return stump_for(problem, column, point, tuple(tree.label[list(tree.children(node))].tolist()))


def stump_for(problem: Problem, column: int, point: float, classes: tuple[int, ...]) -> Stump:
    if np.isnan(point):
        return Stump(column, "values", 0.0, classes)
    if not problem.features[column].numeric:
        return Stump(column, "equals", point, classes)
    known = writing(problem, column)
    width = float(known.values[-1] - known.values[0])
    return Stump(column, "threshold", point, classes, room(point, *known.beside(point), width))


def is_whole(s: Bagged) -> bool:
    """Whether the last round is over: no tree is being grown or tested."""
    return s.learner is None and s.round == len(s.learners) > 0


def tree_diagram(given: Bags[Any], s: Bagged) -> Diagram | None:
    """While a tree is grown and tested that one; between the rounds the last one; at the end all of
    them beside each other. The name of each stands above it. None before the first.
    """
    problem = given.problem
    count = given.p.members
    texts = tuple(map(problem.class_text, range(len(problem.classes))))
    if is_whole(s):
        title = f"Tree: all {len(s.learners)}" if len(s.learners) > 1 else "Tree: the only one"
        return Diagram(title, Late(lambda: forest_nodes(problem, s.learners, texts)), texts)
    tree = s.learner if s.learner is not None else s.learners[-1] if len(s.learners) else None
    if tree is None:
        return None
    number = s.round if s.learner is not None else len(s.learners)
    name = f"tree {number} of {count}"
    drawn = grown_to(tree, s.node)
    return Diagram(
        f"Tree: {name}",
        Late(lambda: diagram_nodes(problem, drawn, texts, name, MOST_NODES, s.node)),
        texts,
    )


def shown_size(tree: Tree, most: int) -> int:
    """How many of the first nodes of a tree are shown: whole families, as far as `most` nodes hold
    them.
    """
    size = 1
    for node in np.flatnonzero(tree.column >= 0).tolist():
        if (end := int(tree.first[node] + tree.width[node])) > most:
            break
        size = end
    return size


def most_of_each(count: int) -> int:
    """How many nodes of each of so many trees are shown beside the others."""
    return max(LEAST_NODES, min(MOST_NODES, MOST_OF_ALL // count))


def forest_nodes(problem: Problem, trees: Sequence[Tree], texts: tuple[str, ...]) -> list[TreeNode]:
    """The boxes of all the trees, one after the other, each below a box with its name."""
    nodes = list[TreeNode]()
    most = most_of_each(len(trees))
    for b, tree in enumerate(trees):
        nodes += diagram_nodes(problem, tree, texts, f"tree {b + 1}", most, shift=len(nodes), b=b)
    return nodes


def forest_ways(trees: Sequence[Tree], x: Float) -> tuple[int, ...]:
    """Where the row x (d,) goes in all the trees, as indices among `forest_nodes`, the names
    included.
    """
    ways = list[int]()
    shift = 0
    most = most_of_each(len(trees))
    for tree in trees:
        size = shown_size(tree, most)
        ends, _ = descend(tree, x[None])
        ways += [shift, *(shift + 1 + node for node in tree.way_to(int(ends[0])) if node < size)]
        shift += size + 1
    return tuple(ways)


def diagram_nodes(
    problem: Problem,
    tree: Tree,
    texts: tuple[str, ...],
    name: str,
    most: int,
    at: int = -1,
    shift: int = 0,
    b: int = -1,
) -> list[TreeNode]:
    """The boxes of a tree below one with its name, from the top, as far as there is room for whole
    families. texts: what the classes are called; at: the node at work; shift: how many boxes stand
    before them; b: of several trees, its number from 0.
    """
    nodes = [TreeNode(-1, "", name, "leaf", tag="learner" if b < 0 else learner_tag(b))]
    names = dict[int, str]()
    for node, below in enumerate(nodes_below(tree, list(range(shown_size(tree, most))))):
        test = tree.column[node] >= 0
        label = int(tree.label[node])
        counts = ", ".join(
            f"{c:g} {text}" for c, text in zip(tree.totals[node], texts, strict=True) if c
        )
        kind = "test" if test else "leaf" if tree.why[node] else "open"
        text = "" if kind == "open" else texts[label]
        column = ""
        if test:
            stump = stump_of(problem, tree, node)
            text = stump.question(problem.features)
            column = problem.axis_column(stump.column)
            names |= dict(zip(tree.children(node), branch_names(problem, stump), strict=False))
        up = int(tree.parent[node])
        role = Role.ACTIVE if node == at else Role.PLAIN
        group = label if kind == "leaf" else -1
        note = counts + more_below(below)
        tag = node_tag(tree, node, at, b)
        nodes.append(
            TreeNode(
                shift + 1 + up,
                names.get(node, ""),
                text,
                kind,
                group,
                note,
                (),
                role,
                tag,
                column,
                below,
            )
        )
    return nodes


def node_tag(tree: Tree, node: int, at: int, b: int) -> str:
    """What a node is called: the one at work and its branches; of several trees with the tree that
    it stands in.
    """
    if b >= 0:
        return f"node{node} of {learner_tag(b)}"
    if node == at:
        return "current"
    return (
        f"branch{int(tree.branch[node])}" if at >= 0 and tree.parent[node] == at else f"node{node}"
    )


def importances(given: Bags[Any], s: Bagged) -> Float:
    """(d,) by how much the tests of each column lower the impurity of the copies in the bags, added
    up over a tree, each test by the share of the copies that it parts; the mean over the trees.
    Breiman 2001, mean decrease of impurity.
    """
    found = np.zeros(given.problem.d)
    for tree in s.learners:
        tests = np.flatnonzero(tree.column >= 0)
        sizes = tree.totals.sum(axis=1)
        np.add.at(found, tree.column[tests], tree.gain[tests] * sizes[tests] / sizes[0])
    return found / max(len(s.learners), 1)


def importance_bars(given: Bags[Any], s: Bagged) -> Bars:
    """The columns by their importance, the largest first."""
    problem = given.problem
    worth = importances(given, s)
    order = np.argsort(-np.round(worth, 12), kind="stable")
    names = tuple(pretty_name(problem.features[j].name) for j in order)
    tags = tuple(problem.column_tags[j] for j in order)
    title = (
        "Importance: impurity that the tests of a column take away, mean over"
        f" {counted(len(s.learners), 'tree')}"
    )
    unit = "" if given.p.importance == "gini" else "bits"
    return Bars(title, names, frozen(worth[order]), unit=unit, digits=3, tags=tags)
