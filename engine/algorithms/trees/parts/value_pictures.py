"""What trees that learn values show beside the plane: the tree with its means, what each split point takes away."""

from collections.abc import Container

import numpy as np

from engine.core.arrays import Bool, Float
from engine.core.notation import number, pretty_name
from engine.core.problem import Problem
from engine.core.scene import Plot, Role, Segments, TreeNode
from engine.core.scene import Tree as TreeFigure
from engine.core.tags import joined
from engine.algorithms.trees.parts.model import members
from engine.algorithms.trees.parts.naming import TreeWords
from engine.algorithms.trees.parts.value_words import tidy
from engine.algorithms.trees.parts.pictures import View, node_role, node_tag, shown_nodes

MOST_BARS = 1000


def rows_at(problem: Problem, y: Float, view: View) -> Bool:
    """(n,) whether an example is at the current node; all of them without one."""
    there = np.isfinite(y)
    return np.asarray(there & (members(view.tree, view.current, problem.X) > 0)) if view.current >= 0 else there


def reductions(problem: Problem, y: Float, view: View, least: int) -> list[Plot]:
    """What each split point of the column looked at would take away of the variance, as bars."""
    column, rows = view.column, rows_at(problem, y, view)
    if column < 0 or not np.isfinite(view.point) or not problem.features[column].numeric:
        return []
    at, taken = reduction_by_point(problem.X[rows, column], y[rows], least)
    bars = np.zeros((len(at), 2, 2))
    bars[:, :, 0], bars[:, 1, 1] = at[:, None], taken
    best = int(np.abs(at - view.point).argmin())
    others = np.delete(np.arange(len(at)), best)[:: 1 + len(at) // MOST_BARS]
    name, tag = pretty_name(problem.features[column].name), problem.column_tags[column]
    layers = Segments(bars[others], Role.PLAIN, tag=tag), Segments(bars[[best]], Role.ACTIVE, tag=joined("cut", tag))
    return [Plot(f"Variance reduction: of each {name} > v", name, "variance reduction", layers)]


def reduction_by_point(x: Float, y: Float, least: int) -> tuple[Float, Float]:
    """(split points, variance reduction of each) that leave so many examples on either side. AIMA 18.3.6."""
    order = np.argsort(x, kind="stable")
    x, y, many = x[order], y[order] - y.mean(), np.arange(1, len(x))
    low, over = y.cumsum()[:-1], len(x) - many
    good = (x[:-1] < x[1:]) & (many >= least) & (over >= least)
    return (x[:-1] + (x[1:] - x[:-1]) / 2)[good], (low**2 / (many * over))[good]


def tree_figure(words: TreeWords, view: View, lines: Container[int] = (), title: str = "Tree") -> TreeFigure:
    """The tree with the answers of its ends; lines: the leaves that answer with a line."""
    shown = shown_nodes(view.tree, view.current)
    at = {node: i for i, node in enumerate(shown)}
    return TreeFigure(title, [tree_node(words, view, node, at, node in lines) for node in shown])


def tree_node(words: TreeWords, view: View, node: int, at: dict[int, int], line: bool) -> TreeNode:
    tree, up = view.tree, int(view.tree.parent[node])
    column, point, many = int(tree.column[node]), float(tree.point[node]), float(tree.totals[node, 0])
    mean = number(tidy(many, float(tree.label[node]), float(tree.totals[node, 2])), 2)
    branch = words.branch(int(tree.column[up]), float(tree.point[up]), int(tree.branch[node])) if up >= 0 else ""
    text = words.question(column, point) if column >= 0 else "a line" if line else mean
    beside = number(many) + (f" · mean {mean}" if column >= 0 or line else "")
    hidden = column >= 0 and any(child not in at for child in tree.children(node))
    return TreeNode(
        at.get(up, -1), branch, text, "test" if column >= 0 else "leaf" if tree.why[node] else "open", -1,
        beside + (", more below" if hidden else ""), (), node_role(view, node), node_tag(view, node),
        words.problem.axis_column(column),
    )  # fmt: skip
