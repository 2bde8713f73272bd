"""What trees that learn values show beside the plane: the tree with its means, what each split
point takes away.
"""

from collections.abc import Container

import numpy as np

from engine.algorithms.trees.parts.naming import TreeWords
from engine.algorithms.trees.parts.pictures import (
    Read,
    View,
    members_of,
    more_below,
    node_role,
    node_tag,
    read_nodes,
    shown_nodes,
)
from engine.algorithms.trees.parts.value_words import tidy
from engine.base.arrays import Bool, Float
from engine.base.lazy import Lazy
from engine.base.notation import number, pretty_name
from engine.base.tags import joined
from engine.scene.scene import Plot, Role, Segments, TreeNode
from engine.scene.scene import Tree as TreeFigure
from engine.table.problem import Problem

MOST_BARS = 1000


def rows_at(problem: Problem, y: Float, view: View) -> Bool:
    """(n,) whether each example is at the current node; all where there is none."""
    there = np.isfinite(y)
    return (
        np.asarray(there & members_of(view.tree, view.current, problem))
        if view.current >= 0
        else there
    )


def reductions(problem: Problem, y: Float, view: View, least: int) -> list[Plot]:
    """Bars of the variance reduction of each split point of the current column; [] for none. y:
    (n,); least: examples in a branch
    """
    column = view.column
    rows = rows_at(problem, y, view)
    if column < 0 or not np.isfinite(view.point) or not problem.features[column].numeric:
        return []
    at, taken = reduction_by_point(problem.X[rows, column], y[rows], least)
    bars = np.zeros((len(at), 2, 2))
    bars[:, :, 0], bars[:, 1, 1] = at[:, None], taken
    best = int(np.abs(at - view.point).argmin())
    others = np.delete(np.arange(len(at)), best)[:: 1 + len(at) // MOST_BARS]
    name = pretty_name(problem.features[column].name)
    tag = problem.column_tags[column]
    layers = (
        Segments(bars[others], Role.PLAIN, tag=tag),
        Segments(bars[[best]], Role.ACTIVE, tag=joined("cut", tag)),
    )
    return [Plot(f"Variance reduction: of each {name} > v", name, "variance reduction", layers)]


def reduction_by_point(x: Float, y: Float, least: int) -> tuple[Float, Float]:
    """(split points (m,), variance reduction of each (m,)) that leave at least `least` examples on
    either side. AIMA 18.3.6.
    """
    order = np.argsort(x, kind="stable")
    x, y, many = x[order], y[order] - y.mean(), np.arange(1, len(x))
    low = y.cumsum()[:-1]
    over = len(x) - many
    good = (x[:-1] < x[1:]) & (many >= least) & (over >= least)
    return (x[:-1] + (x[1:] - x[:-1]) / 2)[good], (low**2 / (many * over))[good]


def tree_figure(
    words: TreeWords, view: View, lines: Container[int] = (), title: str = "Tree"
) -> TreeFigure:
    """The tree figure with the answers of its leaves. lines: the leaves that answer with a line"""
    return TreeFigure(title, Lazy(lambda: tree_nodes(words, view, lines)))


def tree_nodes(words: TreeWords, view: View, lines: Container[int]) -> list[TreeNode]:
    shown = shown_nodes(view.tree, view.current)
    at = {node: i for i, node in enumerate(shown)}
    return [tree_node(words, view, n, at, n.node in lines) for n in read_nodes(view.tree, shown)]


def tree_node(words: TreeWords, view: View, n: Read, at: dict[int, int], line: bool) -> TreeNode:
    test = n.column >= 0
    many = n.totals[0]
    mean = number(tidy(many, n.label, n.totals[2]), 2)
    text = words.question(n.column, n.point) if test else "a line" if line else mean
    beside = number(many) + (f" · mean {mean}" if test or line else "")
    return TreeNode(
        at.get(n.parent, -1),
        words.branch(*n.above, n.branch) if n.above else "",
        text,
        "test" if test else "leaf" if n.why else "open",
        -1,
        beside + more_below(n.below),
        (),
        node_role(view, n.node),
        node_tag(view, n.node),
        words.problem.axis_column(n.column),
        n.below,
    )
