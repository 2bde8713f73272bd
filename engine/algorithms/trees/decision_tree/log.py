"""What a decision tree has learnt at each moment: its list of decisions, the bits still unknown, the examples wrong."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.core.arrays import Prefix
from engine.core.records import quick, replace
from engine.algorithms.trees.parts.levels import Branches, Bud, Test
from engine.algorithms.trees.parts.log import Decision, Division, Place, nodes_of, tree_at
from engine.algorithms.trees.parts.model import Tree, Why, predict

if TYPE_CHECKING:
    from engine.algorithms.trees.decision_tree import Setting

DUST = 1e-12  # bits that only rounding leaves
COUNTED = 200_000  # rows × tests where values are missing: with more wrong rows are counted at the end alone


@dataclass(frozen=True, slots=True)
class Node(Place):
    """One node for reading. counts: training weight of each class; label: class index."""

    counts: tuple[float, ...]
    label: int


@quick
@dataclass(frozen=True, slots=True)
class State:
    """The tree as a list of decisions, one a node, and the running numbers over all its ends.

    log: what was decided so far; nominal: which columns hold categories; current: node looked at or −1; column, point: its
    test looked at or taken, −1 and None without; size: nodes made; bits: still unknown per example; errors: wrong examples,
    NaN where values are missing and counting would take too long
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


def wrong_rows(
    given: "Setting", log: Prefix[Decision], s: State, running: float, tests: int | None = None, last: bool = False
) -> float:
    """Wrong examples: the `running` number, but where they go down in parts the rows that are called wrong."""
    if not given.parted:
        return running
    if len(given.rows) * (s.tests if tests is None else tests) > COUNTED and not last:
        return float("nan")
    told = predict(tree_at(log, s.nominal), given.problem.X[given.rows])
    return float(np.count_nonzero(told != given.problem.codes[given.rows]))


def started(given: "Setting", top: Bud) -> State:
    """One open node with all the examples."""
    log = Prefix[Decision]([Division.of(-1, Test(-1, np.nan, 0.0, 0), 0, Branches(top.level, 0, 1))], 1)
    size, nominal = len(given.rows), tuple(not f.numeric for f in given.problem.features)
    return State(log, nominal, top.mass / max(size, 1), size - top.totals[top.label])


def leaf(s: State, bud: Bud) -> State:
    return replace(s, log=s.log.plus(Decision(bud.number, bud.verdict)), leaves=s.leaves + 1)


def split(given: "Setting", s: State, bud: Bud, test: Test, below: Branches) -> State:
    log = s.log.plus(Division.of(bud.number, test, s.size, below))
    told, wrong = bud.mass, s.errors + bud.totals[bud.label]
    for b in below.buds:
        told, wrong = told - b.mass, wrong - b.totals[b.label]
    bits = s.bits - told / len(given.rows)
    return replace(
        s, log=log, column=test.column, point=None if test.point != test.point else test.point, size=s.size + len(below.buds),
        tests=s.tests + 1, bits=bits if bits > DUST else 0.0, errors=wrong_rows(given, log, s, wrong, s.tests + 1),
    )  # fmt: skip


def cut(given: "Setting", s: State, told: float, mended: float, tests: int, leaves: int) -> State:
    """The current node becomes a leaf again; with it go `tests` tests and `leaves` leaves."""
    log, tests = s.log.plus(Decision(s.current, Why.PRUNED)), s.tests - tests
    wrong = wrong_rows(given, log, s, s.errors + mended, tests)
    return replace(
        s, log=log, tests=tests, leaves=s.leaves - leaves + 1, bits=s.bits + told / len(given.rows), errors=wrong
    )
