"""How the state of a decision tree changes: its list of decisions, the bits still unknown, the
examples wrong.
"""

from typing import TYPE_CHECKING

import numpy as np

from engine.algorithms.trees.parts.levels import OpenNode
from engine.algorithms.trees.parts.log import Decision, Place, divided
from engine.algorithms.trees.parts.model import Why, predict
from engine.base.records import replace

if TYPE_CHECKING:
    from engine.algorithms.trees.decision_tree import Setting, State

DUST = 1e-12  # bits that only rounding leaves
# rows × tests where values are missing: with more wrong rows are counted at the end alone
COUNTED = 200_000


class Node(Place, eq=True):
    """One node for reading. counts: training weight of each class; label: class code"""

    counts: tuple[float, ...]
    label: int


def counted(given: "Setting", s: "State", last: bool = False) -> "State":
    """The state with its errors recounted where rows with missing values are divided among
    branches.
    """
    if not given.parted:
        return s
    if len(given.rows) * s.tests > COUNTED and not last:
        return replace(s, errors=float("nan"))
    labels = predict(s.tree, given.problem.X[given.rows])
    return replace(s, errors=float(np.count_nonzero(labels != given.problem.codes[given.rows])))


def looking_at_node(s: "State", node: OpenNode) -> "State":
    """The state that shows a node and no test of it."""
    return replace(s, current=node.number, column=-1, point=None)


def split(given: "Setting", s: "State", node: OpenNode) -> "State":
    """The state in which a node has its test and branches."""
    unknown = node.unknown
    errors = s.errors + node.totals[node.label]
    for branch in node.branches:
        unknown = unknown - branch.unknown
        errors = errors - branch.totals[branch.label]
    bits = s.bits - unknown / len(given.rows)
    bits = bits if bits > DUST else 0.0
    return counted(given, divided(s, node, bits=bits, errors=errors))


def cut(
    given: "Setting", s: "State", gained: float, mended: float, tests: int, leaves: int
) -> "State":
    """The state in which the current node is a leaf again, without `tests` tests and `leaves`
    leaves below it.
    """
    log = s.log.plus(Decision(s.current, Why.PRUNED))
    bits = s.bits + gained / len(given.rows)
    tests = s.tests - tests
    leaves = s.leaves - leaves + 1
    return counted(
        given, replace(s, log=log, tests=tests, leaves=leaves, bits=bits, errors=s.errors + mended)
    )
