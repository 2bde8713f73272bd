"""k-d tree: halve the examples at the lower median, column by column. AIMA 18.8.2, ML 8.2.2."""

from itertools import starmap
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
    """One node by itself: x[axis] ≤ split goes to the node `left`, else to `right`; at a leaf axis,
    left and right are −1 and split is NaN. rows: of the table, in its box.
    """

    axis: int
    split: float
    depth: int
    parent: int
    left: int
    right: int
    rows: tuple[int, ...]


class State(Record):
    """tree: its nodes numbered as the recursion meets them; decided: so many of them are; node:
    looked at, −1 none; axis, point: its test as far as it is found, −1 and NaN before.
    """

    tree: KdTree
    decided: int = 0
    node: int = -1
    axis: int = -1
    point: float = float("nan")

    leaves = property(lambda s: int(s.tree.leaves[s.decided]))
    depth = property(lambda s: int(s.tree.deepest[s.decided]))

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes decided so far, each with its test or its rows."""
        t = self.tree
        parts = (
            part[: self.decided].tolist()
            for part in (t.axis, t.split, t.depth, t.parent, t.left, t.right)
        )
        rows = (tuple(t.rows(v).tolist()) for v in range(self.decided))
        return tuple(starmap(Node, zip(*parts, rows, strict=True)))


class Setting(Given[Params]):
    def turn(self, tree: KdTree, v: int) -> int:
        """The column whose turn it is at a node; the guard may take another."""
        return int(tree.axis[v] if self.p.axis == "widest" else tree.depth[v] % self.problem.d)

    def median(self, tree: KdTree, v: int, column: int) -> float:
        """The lower one; without a guard it is what splits."""
        if not tree.guard[v]:
            return float(tree.split[v])
        values = self.problem.X[tree.rows(v), column]
        return float(np.partition(values, middle := (len(values) - 1) // 2)[middle])


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    s = State((yield from build(given.problem.X, given.p.axis == "widest", given.p.leaf_size)))
    yield from at("start", s)
    s = yield from grow(given, at, s)
    yield from at("done", s)


def whole_tree(given: Setting, s: State) -> State:
    return State(s.tree, s.tree.size)


@leap_to(whole_tree)
def grow(given: Setting, at: At, s: State) -> Part[State, State]:
    """What `build` has made of the nodes, in the order in which the recursion meets them."""
    tree = s.tree
    for v in range(tree.size):
        leaf = tree.leaf(v)
        guarded = bool(tree.guard[v])
        tested = (int(tree.axis[v]), float(tree.split[v]))
        if leaf:
            if guarded:
                yield from at("guard", State(tree, v, v, *tested), "guard")
            yield from at("leaf", State(tree, v + 1, v), "leaf")
            continue
        i = given.turn(tree, v)
        yield from at("axis", State(tree, v, v, i))
        yield from at("median", State(tree, v, v, i, given.median(tree, v, i)))
        if guarded:
            yield from at("guard", State(tree, v, v, *tested), "guard")
        yield from at("split", State(tree, v + 1, v, *tested), "split")
    return State(tree, tree.size)


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
