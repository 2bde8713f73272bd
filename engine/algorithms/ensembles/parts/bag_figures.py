"""Pictures of trees taught on bags: the copies as sizes, every tree's border pale, the vote, the
tree that grows, its table.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from engine.algorithms.ensembles.parts.bags import Bagged, Bags, Poll
from engine.algorithms.ensembles.parts.forests import grown_to, says
from engine.algorithms.ensembles.parts.pictures import branch_names, learner_tag, margin_plot
from engine.algorithms.ensembles.parts.stumps import Stump, room
from engine.algorithms.ensembles.parts.votes import shares, winners
from engine.algorithms.trees.parts.decimals import writing
from engine.algorithms.trees.parts.model import Tree, boxes, descend
from engine.algorithms.trees.parts.pictures import more_below, nodes_below
from engine.base.arrays import Float, Int, frozen
from engine.base.grid import Grid
from engine.base.lazy import Lazy
from engine.base.notation import counted, pretty_name, subscript
from engine.base.records import replace
from engine.base.tags import joined
from engine.protocol.borders import Cuts, cuts_of
from engine.protocol.step import Step
from engine.scene.scene import (
    Bars,
    Boxes,
    Field,
    Figure,
    Forest,
    Layer,
    Points,
    Role,
    Scene,
    Segments,
    Table,
    TableColumn,
    TreeNode,
    data_points,
    data_table,
)
from engine.scene.scene import (
    Tree as Diagram,
)
from engine.table.dataset import Feature, Kind
from engine.table.problem import Problem

MOST_TREES = 16  # side by side
PALE = 24  # trees whose borders are drawn
LEAST_NODES = 7  # of one of very many trees
MOST_NODES = 63  # of a tree alone
MOST_OF_ALL = 700  # of all trees together
NO_ROWS = frozen(np.zeros(0), np.intp)


def class_surface(given: Bags[object], s: Bagged, grid: Grid) -> Float:
    """(ny, nx) the class with most votes, −1 without trees."""

    def winner(votes: Float) -> Float:
        return winners(votes, len(s.learners)).astype(np.float64)

    return given.leaves.painted(s.learners, grid, winner)


def score_surface(given: Bags[object], s: Bagged, grid: Grid) -> Float:
    """(ny, nx) share of the votes for the first of two classes less that for the other, NaN for
    more classes.
    """
    if len(given.problem.classes) != 2:
        return np.full(grid.shape, np.nan)
    return given.leaves.painted(s.learners, grid, shares)


FIELDS = {"class": class_surface, "score": score_surface}


def label_borders(given: Bags[object], s: Bagged) -> Cuts:
    """The thresholds of all trees by column, where the label can change."""
    return cuts_of(
        test
        for tree in s.learners
        for test in zip(tree.column.tolist(), tree.point.tolist(), strict=True)
    )


def scene(given: Bags[Any], step: Step[Bagged]) -> Scene:
    """The scene of a step: while h[b] is drawn, grown and tested, sizes are copies and fills are
    its answers; else fills are those of the vote.
    """
    problem = given.problem
    s = step.state
    tree = None if s.learner is None else grown_to(s.learner, s.node)
    labels = None if tree is None else says(tree, problem.X)
    votes = given.votes(s, problem.X)
    voting = step.line in ("vote", "return")
    row = disputed(given, votes) if voting and len(s.learners) > 1 else -1
    missed, said = missed_outside(given, s) if step.line == "vote" else (NO_ROWS, NO_ROWS)
    if len(missed):  # then it is the first of these whose way is drawn
        row = int(missed[0])
    forest = forest_figure(given, s, step.line, row, len(missed) > 0)
    if title := forest_title(given, s, step.line, labels):
        forest = replace(forest, title=title)
    _, _, result = plane_title(s, step.line, False).partition(": ")
    if result and not problem.plane and voting:
        forest = replace(forest, title=f"{forest.title}; {result}")
    figures = (forest, *figures_of(given, s, step.line, labels, votes, missed))
    if not problem.plane:
        return Scene((), figures, leads=("Trees", "Examples"))
    of_tree = None if step.line == "vote" else labels
    layers = [
        Field("score" if len(problem.classes) == 2 else "class", boundary=True),
        *spread(given, s, step.line),
        *(tree_layers(given, s, tree) if step.line != "vote" else ()),
        points_layer(given, s, step.line, of_tree, votes),
    ]
    if of_tree is not None and step.line == "out":
        layers += tested(given, s, of_tree)
    if len(missed):
        layers.append(missed_points(problem, missed, said))
    elif row >= 0 and of_tree is None:
        layers.append(disputed_point(problem, row, winners(votes)))
    title = plane_title(s, step.line, of_tree is not None)
    return Scene(tuple(layers), figures, leads=("Plane", "Trees"), plane=title)


def plane_title(s: Bagged, line: str, of_tree: bool) -> str:
    """What the plane shows. of_tree: fills are what h[b] says"""
    h = f"h{subscript(s.round)}"
    if line == "draw":
        return f"Bag of {h}: a larger mark was drawn more often"
    if line == "out":
        return f"Outside the bag of {h}: ringed"
    count = len(s.learners) - (of_tree and s.round == len(s.learners))
    voted = f"Vote of {counted(count, 'tree')}" if count else "No vote yet"
    if of_tree:
        return f"{voted}, and {h} in amber"
    if line == "vote" and s.tested:
        return f"{voted}: {s.errors} wrong, outside their bags {s.missed} of {s.tested}"
    return f"{voted}: the result, {s.errors} wrong" if line == "return" else voted


def forest_title(given: Bags[Any], s: Bagged, line: str, labels: Int | None) -> str:
    """What happens to h[b] at a line, with its number; "" where the step is of no tree alone.

    labels: (n,) what h[b] says, None without
    """
    h = f"h{subscript(s.round)}"
    if line == "loop":
        return f"Trees: {h} is next"
    if line == "split":
        return f"Trees: {h} grows"
    if line not in ("draw", "learn", "out"):
        return ""
    outside = given.outside(s.bag)
    if labels is None:
        n = len(given.known)
        return f"Trees: the bag of {h} has {n - int(outside.sum())} of {counted(n, 'row')}"
    rows = outside if line == "out" else (s.bag > 0) & given.problem.labelled
    wrong = int(np.count_nonzero(rows & (labels != given.problem.codes)))
    place = "outside" if line == "out" else "in"
    return f"Trees: {h} {place} its bag, {wrong} of {int(rows.sum())} wrong"


def missed_outside(given: Bags[Any], s: Bagged) -> tuple[Int, Int]:
    """(m,) the rows that the trees which never saw them get wrong by their vote; (m,) that vote."""
    unseen = Poll(given, s).unseen
    found = winners(unseen)
    rows = np.flatnonzero(unseen.any(axis=0) & (found != given.problem.codes))
    return rows, found[rows]


def missed_points(problem: Problem, rows: Int, said: Int) -> Points:
    """These rows in amber, filled by what the trees `said` (m,) that never saw them; the first,
    whose way through the trees is drawn, has its name.
    """
    names = (problem.names[rows[0]], *[""] * (len(rows) - 1))
    tags = problem.tags_of(rows.tolist())
    return Points(
        problem.xy[rows],
        problem.codes[rows],
        Role.ACTIVE,
        said,
        label=names,
        tag="wrong",
        tags=tags,
    )


def disputed_point(problem: Problem, row: int, labels: Int) -> Points:
    """The row with its name in a ring. labels: (n,) what the vote says"""
    xy, code, label = problem.xy[[row]], problem.codes[[row]], labels[[row]]
    name = (problem.names[row],)
    return Points(xy, code, Role.NEIGHBOUR, label, label=name, tag="disputed")


def figures_of(
    given: Bags[Any], s: Bagged, line: str, labels: Int | None, votes: Float, missed: Int
) -> tuple[Figure, ...]:
    """The trees, the examples, what the columns are worth, the margins.

    labels (n,): what h[b] says, None without; votes (k, n): how many trees say each class; missed:
    the rows that a vote gets wrong
    """
    table = bag_table(given, s, line, labels, votes, missed)
    figures: list[Figure] = [*tree_diagram(given, s), table]
    if s.learners:
        known = given.known
        figures.append(importance_bars(given, s))
        figures.append(margin_plot(votes[:, known], given.problem.codes[known]))
    return tuple(figures)


def disputed(given: Bags[Any], votes: Float) -> int:
    """The labelled row on which the trees are divided most, the first of those; −1 for none."""
    if not len(given.known):
        return -1
    lead = np.ptp(np.sort(votes, axis=0)[-2:], axis=0)  # 0 where there is one class
    return int(given.known[lead[given.known].argmin()])


def forest_figure(given: Bags[Any], s: Bagged, line: str, row: int, judged: bool = False) -> Forest:
    """The trees, the one that is grown or tested lit, those to come as empty frames; of very many
    the last.

    row: the example whose way through each tree is drawn, −1 for none; judged: the trees that never
    saw it are named so
    """
    grown = list(s.learners)
    # the vote is of all the trees, no longer about h[b]
    current = s.round - 1 if line in ("loop", "draw", "split", "learn", "out") else -1
    if s.learner is not None and s.round > len(grown):
        grown.append(grown_to(s.learner, s.node))
    shown = range(
        max(0, len(grown) - MOST_TREES), min(max(len(grown), MOST_TREES), given.p.members)
    )
    x = given.problem.X[[row]]
    votes = np.full(len(shown), -1)
    trees = list[tuple[TreeNode, ...]]()
    for k, b in enumerate(shown):
        tree = grown[b] if b < len(grown) else None
        way: tuple[int, ...] = ()
        if tree is not None and row >= 0 and b < len(s.learners):
            votes[k] = says(tree, x)[0]
            way = tree.way_to(int(descend(tree, x)[0][0]))
        trees.append(() if tree is None else small_nodes(given.problem, tree, way))
    names = tuple(
        f"h{subscript(b + 1)}" + ", never saw it" * (judged and unseen(given, s, b, row))
        for b in shown
    )
    title = "Trees: each has a vote"
    if row >= 0:
        title = f"Trees: votes on {given.problem.names[row]}"
        title += "" if judged else ", most disputed"
    if len(grown) > len(shown):
        title += f"; the last {len(shown)}"
    return Forest(
        title,
        tuple(trees),
        names,
        votes,
        current - shown.start if current >= 0 else -1,
        tuple(map(learner_tag, shown)),
    )


def unseen(given: Bags[Any], s: Bagged, member: int, row: int) -> bool:
    """Whether a row lies outside the bag of a tree that has learnt."""
    return member < len(s.bags) and bool(given.outside(s.bags[member])[row])


def small_nodes(problem: Problem, tree: Tree, way: tuple[int, ...]) -> tuple[TreeNode, ...]:
    """The first nodes of a tree with the name of their column; way: those that a row passes."""
    nodes = list[TreeNode]()
    for node in range(shown_size(tree, MOST_NODES)):
        role = Role.NEAREST if node in way else Role.PLAIN
        column = int(tree.column[node])
        parent = int(tree.parent[node])
        if column >= 0:
            nodes.append(TreeNode(parent, "", problem.features[column].name, role=role))
        else:
            label = int(tree.label[node])
            kind = "leaf" if tree.why[node] else "open"
            nodes.append(TreeNode(parent, "", problem.class_text(label), kind, label, role=role))
    return tuple(nodes)


def points_layer(
    given: Bags[Any], s: Bagged, line: str, of_tree: Int | None, votes: Float
) -> Points:
    """The examples, filled by the answers of h[b] or of the vote, with sizes by their number of
    copies.
    """
    sizes = None
    if s.copies is not None and line != "vote":
        sizes = frozen(s.copies.astype(np.float64))
    if of_tree is None:
        return data_points(given.problem, winners(votes), sizes)
    return data_points(given.problem, of_tree, sizes, partial=True)


def spread(given: Bags[object], s: Bagged, line: str) -> list[Layer]:
    """The borders of the last trees that vote: where they differ, the vote is uncertain."""
    count = len(s.learners)
    if s.learner is not None and count == s.round and line != "vote":
        count -= 1  # h[b] votes already, and is drawn by itself
    shown = range(max(0, count - PALE), count)
    trees = [s.learners[b] for b in shown]
    return borders(given, trees, map(learner_tag, shown), Role.INACTIVE)


def borders(
    given: Bags[object], trees: Sequence[Tree], names: Iterable[str], role: Role
) -> list[Layer]:
    """Lines between leaves of different class, each piece tagged with the name of its tree."""
    pieces = given.leaves.borders(trees)
    tags = tuple(name for name, lines in zip(names, pieces, strict=True) for _ in lines)
    if not tags:
        return []
    return [Segments(frozen(np.concatenate(pieces)), role, tags=tags)]


def tree_layers(given: Bags[Any], s: Bagged, tree: Tree | None) -> list[Layer]:
    """The layers of h[b]: while it grows its boxes, the box being split and the cut; then its
    border.
    """
    if tree is None or s.learner is None:
        return []
    if s.node < 0:
        name = joined("learner", learner_tag(s.round - 1))
        return borders(given, [s.learner], [name], Role.ACTIVE)
    ends, bounds = boxes(tree, given.problem)
    leaves = Boxes(bounds, np.full(len(ends), -1), Role.SAME, tag="leaves")
    return [leaves, *node_layers(given.problem, tree, s.node)]


def node_layers(problem: Problem, tree: Tree, node: int) -> list[Layer]:
    """The cut of a node on the plane, or its box where the test is on a column off the plane."""
    box = node_box(problem, tree, node)
    column = int(tree.column[node])
    point = float(tree.point[node])
    numeric = column in problem.plane and problem.features[column].numeric
    if numeric and not np.isnan(point):
        axis = problem.plane.index(column)
        cut = np.empty((1, 2, 2))
        cut[0, :, axis] = point
        cut[0, :, 1 - axis] = box[[1 - axis, 3 - axis]]
        return [Segments(frozen(cut), Role.ACTIVE, tag="current")]
    if not np.isfinite(box).any():
        return []  # the whole plane
    return [Boxes(box[None], np.array([-1]), Role.ACTIVE, tag="current")]


def node_box(problem: Problem, tree: Tree, node: int) -> Float:
    """(4,) the part of the plane between the cuts on the way to a node; tests of hidden columns do
    not bound it.
    """
    box = np.array([-np.inf, -np.inf, np.inf, np.inf])
    for above, below in pairwise(tree.way_to(node)):
        column = int(tree.column[above])
        if column in problem.plane and problem.features[column].numeric:
            axis = problem.plane.index(column)
            side = axis if tree.branch[below] else 2 + axis
            box[side] = tree.point[above]
    return box


def tested(given: Bags[object], s: Bagged, labels: Int) -> list[Layer]:
    """Rings around the rows outside the bag, on which h[b] is tested. labels: (n,) its answers"""
    if s.copies is None:
        return []
    rows = np.flatnonzero(given.outside(s.copies))
    xy = given.problem.xy[rows]
    codes = given.problem.codes[rows]
    return [Points(xy, codes, Role.CANDIDATE, labels[rows], tag="out", partial=True)]


def bag_table(
    given: Bags[object], s: Bagged, line: str, labels: Int | None, votes: Float, missed: Int
) -> Table:
    """The examples with their copies, what h[b] says, and how many votes their own class has.

    Rows outside the bag are lit where they are spoken of, and pale while the tree grows; of a vote
    those are lit that it misses.
    """
    problem = given.problem
    outside = tuple(missed.tolist())
    if s.copies is not None and line in ("draw", "out"):
        outside = tuple(np.flatnonzero(given.outside(s.copies)).tolist())
    active = None
    if s.copies is not None and line in ("split", "learn"):
        active = s.copies > 0
    roles = {}
    if s.learner is not None and s.node >= 0:
        column = int(s.learner.column[s.node])
        if column >= 0:
            roles = {problem.features[column].name: Role.ACTIVE}

    def columns(found: list[TableColumn]) -> list[TableColumn]:
        return [*found, *bag_columns(given, s, labels, votes)]

    return data_table(problem, columns, current=outside, active=active, roles=roles, tag="out")


def bag_columns(
    given: Bags[object], s: Bagged, labels: Int | None, votes: Float
) -> list[TableColumn]:
    """Table columns of copies, answers of h[b] and votes for each row's class, as far as they are
    known.
    """
    problem = given.problem
    columns = list[TableColumn]()
    if s.copies is not None:
        copies = s.copies.astype(np.float64)
        columns.append(TableColumn(Feature("copies"), copies, tag="copies"))
    if labels is not None:
        feature = Feature(f"h{s.round} says", Kind.CATEGORICAL, problem.classes)
        columns.append(TableColumn(feature, labels.astype(np.float64)))
    if s.learners:
        own_class = np.maximum(problem.codes, 0)
        own_votes = votes[own_class, np.arange(problem.n)]
        right = np.where(problem.labelled, own_votes, np.nan)
        columns.append(TableColumn(Feature("right votes"), right, tag="votes"))
    return columns


def stump_of(problem: Problem, tree: Tree, node: int) -> Stump:
    """The test of a node as a stump, which has a text."""
    classes = tree.label[list(tree.children(node))]
    column = int(tree.column[node])
    return stump_for(problem, column, float(tree.point[node]), tuple(classes.tolist()))


def stump_for(problem: Problem, column: int, point: float, classes: tuple[int, ...]) -> Stump:
    """A test as a stump, which has a text. point: threshold, NaN for a branch per value; classes:
    of its branches
    """
    if np.isnan(point):
        return Stump(column, "values", 0.0, classes)
    if not problem.features[column].numeric:
        return Stump(column, "equals", point, classes)
    known = writing(problem, column)
    low, high = known.beside(point)
    width = float(known.values[-1] - known.values[0])
    return Stump(column, "threshold", point, classes, room(point, low, high, width))


def is_whole(s: Bagged) -> bool:
    """Whether the last round is over: no tree is being grown or tested."""
    return s.learner is None and s.round == len(s.learners) > 0


def tree_diagram(given: Bags[Any], s: Bagged) -> list[Diagram]:
    """While a tree is grown and tested that one; between the rounds the last one; at the end all of
    them beside each other. The name of each stands above it. Nothing before the first.
    """
    problem = given.problem
    texts = tuple(map(problem.class_text, range(len(problem.classes))))
    trees = len(s.learners)
    if is_whole(s):
        title = f"Tree: all {trees}" if trees > 1 else "Tree: the only one"
        return [Diagram(title, Lazy(lambda: forest_nodes(problem, s.learners, texts)), texts)]
    if s.learner is not None:
        tree = s.learner
        number = s.round
    elif trees:
        tree = s.learners[-1]
        number = trees
    else:
        return []
    name = f"tree {number} of {given.p.members}"
    tree_so_far = grown_to(tree, s.node)

    def nodes() -> list[TreeNode]:
        return diagram_nodes(problem, tree_so_far, texts, name, MOST_NODES, s.node)

    return [Diagram(f"Tree: {name}", Lazy(nodes), texts)]


def shown_size(tree: Tree, most: int) -> int:
    """The number of a tree's first nodes that are shown, at most `most`: of each node all children
    or none.
    """
    size = 1
    for node in np.flatnonzero(tree.column >= 0).tolist():
        end = int(tree.first[node] + tree.width[node])
        if end > most:
            break
        size = end
    return size


def most_of_each(count: int) -> int:
    """The number of nodes shown of each of `count` trees in one figure."""
    return max(LEAST_NODES, min(MOST_NODES, MOST_OF_ALL // count))


def forest_nodes(problem: Problem, trees: Sequence[Tree], texts: tuple[str, ...]) -> list[TreeNode]:
    """The nodes of all trees, tree after tree, each below a node with the tree's name."""
    nodes = list[TreeNode]()
    most = most_of_each(len(trees))
    for b, tree in enumerate(trees):
        nodes += diagram_nodes(problem, tree, texts, f"tree {b + 1}", most, shift=len(nodes), b=b)
    return nodes


def forest_ways(trees: Sequence[Tree], x: Float) -> tuple[int, ...]:
    """The paths of row x (d,) through all trees, as indices among `forest_nodes`, name nodes
    included.
    """
    ways = list[int]()
    name = 0  # place of the box with the name of the tree
    most = most_of_each(len(trees))
    for tree in trees:
        size = shown_size(tree, most)
        ends, _ = descend(tree, x[None])
        ways.append(name)
        ways += [name + 1 + node for node in tree.way_to(int(ends[0])) if node < size]
        name += size + 1
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
    families.

    texts: what the classes are called; at: the node at work; shift: how many boxes stand before
    them; b: of several trees, its number from 0
    """
    nodes = [TreeNode(-1, "", name, "leaf", tag="learner" if b < 0 else learner_tag(b))]
    branches = dict[int, str]()  # what stands at the way to a node
    shown = range(shown_size(tree, most))
    for node, below in enumerate(nodes_below(tree, list(shown))):
        box = node_box_of(problem, tree, texts, node)
        if tree.column[node] >= 0:
            names = branch_names(problem, stump_of(problem, tree, node))
            branches |= dict(zip(tree.children(node), names, strict=False))
        box = replace(
            box,
            parent=shift + 1 + int(tree.parent[node]),
            branch=branches.get(node, ""),
            note=box.note + more_below(below),
            role=Role.ACTIVE if node == at else Role.PLAIN,
            tag=node_tag(tree, node, at, b),
            below=below,
        )
        nodes.append(box)
    return nodes


def node_box_of(problem: Problem, tree: Tree, texts: tuple[str, ...], node: int) -> TreeNode:
    """The figure's node of a tree node: its test or class, and its numbers of examples of each
    class.
    """
    totals = zip(tree.totals[node].tolist(), texts, strict=True)
    counts = ", ".join(f"{count:g} {text}" for count, text in totals if count)
    if tree.column[node] >= 0:
        stump = stump_of(problem, tree, node)
        question = stump.question(problem.features)
        column = problem.axis_column(stump.column)
        return TreeNode(-1, "", question, "test", note=counts, column=column)
    if not tree.why[node]:
        return TreeNode(-1, "", "", "open", note=counts)
    label = int(tree.label[node])
    return TreeNode(-1, "", texts[label], "leaf", label, note=counts)


def node_tag(tree: Tree, node: int, at: int, b: int) -> str:
    """The tag of a node. at: the node being split, −1 for none; b: index of the tree among several,
    −1 for a single one
    """
    if b >= 0:
        return f"node{node} of {learner_tag(b)}"
    if node == at:
        return "current"
    if at >= 0 and tree.parent[node] == at:
        return f"branch{int(tree.branch[node])}"
    return f"node{node}"


def importances(given: Bags[Any], s: Bagged) -> Float:
    """(d,) by how much the tests of each column lower the impurity of the copies in the bags.

    Each test counts by the share of the copies that it parts; added up over a tree, the mean over
    the trees. Breiman 2001, mean decrease of impurity.
    """
    worth = np.zeros(given.problem.d)
    for tree in s.learners:
        tests = np.flatnonzero(tree.column >= 0)
        sizes = tree.totals.sum(axis=1)
        shares = sizes[tests] / sizes[0]
        np.add.at(worth, tree.column[tests], tree.gain[tests] * shares)
    return worth / max(len(s.learners), 1)


def importance_bars(given: Bags[Any], s: Bagged) -> Bars:
    """Bars of the importance of the columns, the largest first."""
    problem = given.problem
    worth = importances(given, s)
    order = np.argsort(-np.round(worth, 12), kind="stable")
    names = tuple(pretty_name(problem.features[j].name) for j in order)
    tags = tuple(problem.column_tags[j] for j in order)
    trees = counted(len(s.learners), "tree")
    title = f"Importance: impurity that the tests of a column take away, mean over {trees}"
    unit = "" if given.p.importance == "gini" else "bits"
    return Bars(title, names, frozen(worth[order]), unit=unit, digits=3, tags=tags)
