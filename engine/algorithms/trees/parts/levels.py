"""The whole decision tree without steps: level by level, and the small nodes in plain numbers. AIMA 18.3.3, 18.4.1."""

from collections.abc import Sequence

import numpy as np

from engine.core.arrays import Float, Int
from engine.core.dataset import Feature
from engine.algorithms.trees.parts import numbers as tree_numbers
from engine.algorithms.trees.parts.entries import Examples
from engine.algorithms.trees.parts.growth import (
    Front,
    Growth,
    branch,
    branches,
    choose,
    root_front,
    start_budget,
    weigh,
    within_budget,
)  # fmt: skip
from engine.algorithms.trees.parts.model import Tree, Why
from engine.algorithms.trees.parts.rows import TreeRows


def grow(
    X: Float,
    features: Sequence[Feature],
    codes: Int,
    weights: Float | None,
    classes: int,
    growth: Growth = Growth(),
) -> Tree:
    """The whole tree for the rows of X (n, d) with class `codes` (n,), −1 = left out, and `weights` (n,) or None.

    Raises EngineError for a categorical column of too many values.
    """
    table = Examples.of(X, features, codes, classes)
    return grow_from(table, root_front(table, weights, growth), growth)


def grow_from(table: Examples, front: Front, growth: Growth) -> Tree:
    """The same from the root that `root_front` made."""
    tree = TreeRows(front.totals, front.label, front.tied, table.is_nominal)
    nodes = np.zeros(1, dtype=np.intp)
    tree.settle(nodes, front.state)
    budget = start_budget(growth)
    while (goes := front.state == Why.OPEN).any():
        front, nodes = front.pick(goes), nodes[goes]
        if tree_numbers.takes(table, front, growth):
            tree_numbers.finish(table, front, nodes, tree, growth)
            break
        picks = choose(weigh(table, front, growth), front, growth)
        width = branches(table, picks)
        goes_on, budget = within_budget(picks, width, budget, growth)
        if not goes_on.all():
            tree.settle(nodes[~goes_on], np.where(picks.divides, Why.STOPPED, Why.NO_TEST)[~goes_on])
            if not goes_on.any():
                break
        parents, chosen = front.pick(goes_on), (picks.column[goes_on], picks.point[goes_on])
        front, width = branch(table, parents, *chosen, growth)
        ties = picks.winners[goes_on].sum(1)
        nodes = tree.split(
            nodes[goes_on], *chosen, picks.gain[goes_on], ties, width, front.totals, front.label, front.tied
        )
        tree.settle(nodes, front.state)
    return tree.finish()
