"""How the state of a regression tree changes: its list of decisions, the squares around the answers
of its ends.
"""

from typing import TYPE_CHECKING

import numpy as np

from engine.algorithms.trees.parts.levels import OpenNode
from engine.algorithms.trees.parts.log import Decision, Place, divided, nodes_of
from engine.algorithms.trees.parts.model import Tree, Why
from engine.base.arrays import Float
from engine.base.records import replace

if TYPE_CHECKING:
    from engine.algorithms.trees.regression_tree import State


class Node(Place, eq=True):
    """One node for reading.

    examples: how many
    value: their mean, the parent's where there are none
    squares: around the mean
    weights: of a leaf with a line, w₀ first
    """

    examples: int
    value: float
    squares: float
    weights: tuple[float, ...]


class Line(Decision):
    """A leaf with a line. w (k + 1,): w₀ first; squares: that it leaves; exact: none, but for
    rounding.
    """

    w: Float
    squares: float
    exact: bool

    @property
    def own_bytes(self) -> int:
        return 500 + self.w.nbytes


def nodes_for_reading(s: "State") -> tuple[Node, ...]:
    """The nodes so far, parents before children."""
    tree = s.tree
    lines = lines_of(s)
    weights = [tuple(lines[n].w.tolist()) if n in lines else () for n in range(len(tree.label))]
    many, _, squares = tree.totals.T
    return nodes_of(
        tree,
        Node,
        many.astype(np.intp).tolist(),
        tree.label.tolist(),
        squares.tolist(),
        weights,
    )


def lines_of(s: "State") -> dict[int, Line]:
    """{node: line} of the leaves with a line."""
    return {d.node: d for d in s.log if isinstance(d, Line)}


def leaf_weights(s: "State", tree: Tree, k: int) -> Float:
    """(N, k + 1) the answer of every node as a line over k columns; of those without one their
    mean, level.
    """
    W = np.zeros((len(tree.label), k + 1))
    W[:, 0] = tree.label
    for node, line in lines_of(s).items():
        W[node] = line.w
    return W


def looking_at_node(s: "State", node: OpenNode) -> "State":
    """The state that shows a node and no test of it."""
    return replace(s, current=node.number, column=-1, point=None)


def fitted(s: "State", node: OpenNode, line: tuple[Float, float], exact: bool) -> "State":
    """The state in which a node is a leaf with this line. exact: whether the line meets every
    example
    """
    made = Line(node.number, Why.STOPPED if exact else node.reason, *line, exact)
    left = max(s.squares - node.unknown + made.squares, 0.0)
    return replace(s, log=s.log.plus(made), leaves=s.leaves + 1, squares=left)


def split(s: "State", node: OpenNode) -> "State":
    """The state in which a node has its test and branches."""
    squares = s.squares - node.unknown
    for branch in node.branches:
        squares += branch.unknown
    return divided(s, node, squares=max(squares, 0.0))
