"""What a regression tree has learnt at each moment: its list of decisions, the squares around the
answers of its ends.
"""

import numpy as np

from engine.core.arrays import Float, Prefix
from engine.core.problem import Problem
from engine.core.records import Record, replace
from engine.algorithms.trees.parts.levels import Branches, Bud, Test
from engine.algorithms.trees.parts.log import Decision, Place, divided, nodes_of, rooted, tree_at
from engine.algorithms.trees.parts.model import Tree, Why


class Node(Place, eq=True):
    """One node for reading. examples; value: their mean, the parent's without any; squares around
    it; weights: w₀ first, of a leaf with a line.
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


class State(Record):
    """log: what was decided so far; nominal: which columns hold categories; squares: Σ (y − h)²; n:
    examples; size: nodes made; current: node looked at or −1; column, point: its test looked at or
    taken, −1 and None without.
    """

    log: Prefix[Decision]
    nominal: tuple[bool, ...]
    squares: float
    n: int
    size: int = 1
    tests: int = 0
    leaves: int = 0
    current: int = 0
    column: int = -1
    point: float | None = None

    @property
    def rmse(self) -> float:
        return float(np.sqrt(self.squares / self.n))

    @property
    def tree(self) -> Tree:
        """The tree as it is now, as arrays; its totals are examples, mean, squares; its labels the
        means.
        """
        return tree_at(self.log, self.nominal)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes as they are now, parents before children."""
        tree = self.tree
        lines = lines_of(self)
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


def lines_of(s: State) -> dict[int, Line]:
    """The leaves with a line."""
    return {d.node: d for d in s.log if isinstance(d, Line)}


def leaf_weights(s: State, tree: Tree, k: int) -> Float:
    """(N, k + 1) the answer of every node as a line over k columns; of those without one their
    mean, level.
    """
    W = np.zeros((len(tree.label), k + 1))
    W[:, 0] = tree.label
    for node, line in lines_of(s).items():
        W[node] = line.w
    return W


def started(problem: Problem, top: Bud) -> State:
    """One open node with all the examples."""
    return State(
        rooted(top),
        tuple(not f.numeric for f in problem.features),
        top.totals[2],
        int(top.totals[0]),
    )


def fitted(s: State, bud: Bud, line: tuple[Float, float], exact: bool) -> State:
    """A leaf whose line takes the place of the mean."""
    made = Line(bud.number, Why.STOPPED if exact else bud.verdict, *line, exact)
    left = max(s.squares - bud.totals[2] + made.squares, 0.0)
    return replace(s, log=s.log.plus(made), leaves=s.leaves + 1, squares=left)


def split(s: State, bud: Bud, test: Test, below: Branches) -> State:
    squares = s.squares - bud.mass
    for b in below.buds:
        squares += b.mass
    return divided(s, bud, test, below, squares=max(squares, 0.0))
