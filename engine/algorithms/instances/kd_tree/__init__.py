"""k-d tree: halve the examples at the lower median, column by column. AIMA 18.8.2, ML 8.2.2."""

from typing import Annotated, Literal

from engine.algorithms.instances.parts import PLACES
from engine.algorithms.instances.parts.kd import KdTree
from engine.algorithms.instances.parts.kd_build import build
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Help,
    Label,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Setting as Given,
    Steps,
    Task,
    leap_to,
    np,
    prepare,
)

PSEUDOCODE = """
start  round:  grow(all examples, level 0):
leaf:            if few examples: make a leaf
axis   detail:   i ← level mod n, or widest
median detail:   m ← lower median of xᵢ
guard:           if no xᵢ > m: next i, smaller m
split:           grow(x ≤ m), grow(x > m)
done   round:  return the tree
"""


class Params(Record, eq=True):
    axis: Annotated[
        Literal["cycle", "widest"],
        Label("Column to split"),
        Help("cycle: one after the other, level by level; widest: the one with the largest spread"),
    ] = "cycle"
    leaf_size: Annotated[
        int,
        Range(1, 1000, log=True),
        Label("Leaf size"),
        Help("a node with that many examples or fewer is not split"),
    ] = 1


class Node(Record, eq=True):
    """One node by itself: x[axis] ≤ split goes to the node `left`, else to `right`.

    At a leaf axis, left and right are −1 and split is NaN. rows: of the table, in its box
    """

    axis: int
    split: float
    depth: int
    parent: int
    left: int
    right: int
    rows: tuple[int, ...]


class State(Record):
    """The model is the first part of `tree`; what comes behind `decided` is what a moment looks at.

    tree: its nodes numbered as the recursion meets them
    decided: so many of these are decided
    node: looked at, or −1
    axis: i, the column of its test, −1 before it is found
    point: m, where it is cut, NaN before
    """

    tree: KdTree
    decided: int = 0
    node: int = -1
    axis: int = -1
    point: float = float("nan")

    @property
    def leaves(self) -> int:
        """How many of the nodes decided are leaves."""
        return int(self.tree.leaves[self.decided])

    @property
    def depth(self) -> int:
        """The deepest level among the nodes decided."""
        return int(self.tree.deepest[self.decided])

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes decided so far, each with its test or its rows."""
        t = self.tree
        return tuple(
            Node(
                int(t.axis[v]),
                float(t.split[v]),
                int(t.depth[v]),
                int(t.parent[v]),
                int(t.left[v]),
                int(t.right[v]),
                tuple(t.rows(v).tolist()),
            )
            for v in range(self.decided)
        )


class Setting(Given[Params]):
    """How a node is cut: by which column, and at which number."""

    def turn(self, tree: KdTree, v: int) -> int:
        """i: the column whose turn it is at node v, level mod n, or the one with the widest spread;
        the guard may take another.
        """
        if self.p.axis == "widest":
            return int(tree.axis[v])
        return int(tree.depth[v] % self.problem.d)

    def median(self, tree: KdTree, v: int, i: int) -> float:
        """m: the lower median of xᵢ in node v, number ⌈k / 2⌉ of its k values in order."""
        if not tree.guard[v]:
            return float(tree.split[v])  # then the node is cut there
        values = self.problem.X[tree.rows(v), i]
        middle = (len(values) - 1) // 2
        return float(np.partition(values, middle)[middle])


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    widest = given.p.axis == "widest"
    tree = yield from build(given.problem.X, widest, given.p.leaf_size)
    s = State(tree)
    yield from at("start", s)
    s = yield from grow(given, at, s)
    yield from at("done", s)


def whole_tree(given: Setting, s: State) -> State:
    """The state in which every node is decided."""
    return State(s.tree, s.tree.size)


@leap_to(whole_tree)
def grow(given: Setting, at: At, s: State) -> Part[State, State]:
    """The nodes in the order in which the recursion meets them: a node, all of its left part, all
    of its right part. `build` has made them, a level at a time.
    """
    tree = s.tree
    for v in range(tree.size):
        i = int(tree.axis[v])
        m = float(tree.split[v])
        guarded = bool(tree.guard[v])  # no xᵢ > m: the next i, or the next smaller m
        if tree.leaf(v):  # few examples, or all at one place
            if guarded:
                yield from at("guard", State(tree, v, v, i, m), "guard")
            yield from at("leaf", State(tree, v + 1, v), "leaf")
            continue
        turn = given.turn(tree, v)
        yield from at("axis", State(tree, v, v, turn))
        yield from at("median", State(tree, v, v, turn, given.median(tree, v, turn)))
        if guarded:
            yield from at("guard", State(tree, v, v, i, m), "guard")
        yield from at("split", State(tree, v + 1, v, i, m), "split")  # x ≤ m left, x > m right
    return whole_tree(given, s)


def example() -> Problem:
    """Ten places; two of them are taken twice, and three share the largest x."""
    x = [2.0, 5.0, 9.0, 4.0, 8.0, 7.0, 1.0, 9.0, 9.0, 4.0, 6.0, 3.0]
    y = [3.0, 4.0, 6.0, 7.0, 1.0, 2.0, 9.0, 8.0, 2.5, 7.0, 9.0, 5.5]
    return prepare(Dataset.from_columns({"x": x, "y": y}))


ALGORITHM = Algorithm.of(
    __name__,
    title="k-d tree",
    task=Task.STRUCTURE,
    source=("AIMA 18.8.2", "ML 8.2.2"),
    needs=PLACES,
    curves=(
        Curve("leaves", "leaves", digits=0, about=("boxes",)),
        Curve("depth", "deepest level", digits=0),
    ),
    events=("split", "leaf", "guard"),
)
