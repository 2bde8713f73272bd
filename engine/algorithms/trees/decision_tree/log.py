"""What a decision tree has learnt at each moment: its list of decisions, the bits still unknown,
the examples wrong.
"""

from typing import TYPE_CHECKING

import numpy as np

from engine.core.arrays import Prefix
from engine.core.records import Record, replace
from engine.algorithms.trees.parts.levels import OpenNode
from engine.algorithms.trees.parts.log import Decision, Place, divided, nodes_of, rooted, tree_at
from engine.algorithms.trees.parts.model import Tree, Why, predict

if TYPE_CHECKING:
    from engine.algorithms.trees.decision_tree import Setting

DUST = 1e-12  # bits that only rounding leaves
# rows × tests where values are missing: with more wrong rows are counted at the end alone
COUNTED = 200_000


class Node(Place, eq=True):
    """One node for reading. counts: training weight of each class; label: class index."""

    counts: tuple[float, ...]
    label: int


class State(Record):
    """The tree as a list of decisions, one a node, and the running numbers over all its ends.

    log: what was decided so far; nominal: which columns hold categories; current: node looked at or
    −1; column, point: its test looked at or taken, −1 and None without; size: nodes made; bits:
    still unknown per example; errors: wrong examples, NaN where values are missing and counting
    would take too long
    """

    log: Prefix[Decision]
    nominal: tuple[bool, ...]
    bits: float
    errors: float
    size: int = 1
    tests: int = 0
    leaves: int = 0
    current: int = 0
    column: int = -1
    point: float | None = None

    @property
    def tree(self) -> Tree:
        """The tree as it is now, as arrays."""
        return tree_at(self.log, self.nominal)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes as they are now, parents before children."""
        tree = self.tree
        return nodes_of(tree, Node, [*map(tuple, tree.totals.tolist())], tree.label.tolist())


def counted(given: "Setting", s: State, last: bool = False) -> State:
    """With the rows that are called wrong, which no running number knows where they go down in
    parts.
    """
    if not given.parted:
        return s
    if len(given.rows) * s.tests > COUNTED and not last:
        return replace(s, errors=float("nan"))
    told = predict(s.tree, given.problem.X[given.rows])
    return replace(s, errors=float(np.count_nonzero(told != given.problem.codes[given.rows])))


def started(given: "Setting", root: OpenNode) -> State:
    """One open node with all the examples."""
    size = len(given.rows)
    nominal = tuple(not f.numeric for f in given.problem.features)
    bits = root.unknown / max(size, 1)
    return State(rooted(root), nominal, bits, size - root.totals[root.label])


def looking_at_node(s: State, node: OpenNode) -> State:
    """A state that looks at a node and at none of its tests."""
    return replace(s, current=node.number, column=-1, point=None)


def split(given: "Setting", s: State, node: OpenNode) -> State:
    """A state in which a node has got its test."""
    unknown = node.unknown
    errors = s.errors + node.totals[node.label]
    for branch in node.branches:
        unknown = unknown - branch.unknown
        errors = errors - branch.totals[branch.label]
    bits = s.bits - unknown / len(given.rows)
    bits = bits if bits > DUST else 0.0
    return counted(given, divided(s, node, bits=bits, errors=errors))


def cut(given: "Setting", s: State, told: float, mended: float, tests: int, leaves: int) -> State:
    """The current node becomes a leaf again; with it go `tests` tests and `leaves` leaves."""
    log = s.log.plus(Decision(s.current, Why.PRUNED))
    bits = s.bits + told / len(given.rows)
    tests = s.tests - tests
    leaves = s.leaves - leaves + 1
    return counted(
        given, replace(s, log=log, tests=tests, leaves=leaves, bits=bits, errors=s.errors + mended)
    )
