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
    Float,
    Help,
    Label,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    leap_to,
    np,
    prepare,
)
from engine.authoring import (
    Setting as Given,
)
from engine.numerics.closeness import tidy

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
    """The model is the first part of `tree`; the fields after `decided` are what this step shows.

    tree: the whole tree, its nodes numbered as the recursion meets them
    decided: how many of these are grown, the first ones
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
        """The number of leaves among the nodes grown."""
        return int(self.tree.leaves[self.decided])

    @property
    def depth(self) -> int:
        """The largest depth among the nodes grown."""
        return int(self.tree.deepest[self.decided])

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes grown so far, each with its test or its rows."""
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
    """The examples, and the rule by which they are halved."""


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    widest = given.p.axis == "widest"
    # for the pictures: the tree that `grow` comes to, all nodes of a level at once
    tree = yield from build(given.problem.X, widest, given.p.leaf_size)
    s = State(tree)
    yield from at("start", s)
    s = yield from grow(given, at, s)
    yield from at("done", s)


def whole_tree(given: Setting, s: State) -> State:
    """The state in which every node is grown."""
    return State(s.tree, s.tree.size)


@leap_to(whole_tree)
def grow(given: Setting, at: At, s: State) -> Part[State, State]:
    """The state after grow(all examples, level 0), with its calls on a stack: a node, then its left
    part, then its right part.
    """
    tree = s.tree
    n = given.problem.d
    v = 0  # the number of the node
    stack = [(np.arange(given.problem.n), 0)]
    while stack:
        rows, level = stack.pop()
        X = given.problem.X[rows]
        few = len(rows) <= given.p.leaf_size
        at_one_place = bool((X.min(axis=0) == X.max(axis=0)).all())
        if few or at_one_place:
            if not few:
                yield from at("guard", State(tree, v, v), "guard")
            yield from at("leaf", State(tree, v + 1, v), "leaf")
        else:
            i = widest_column(X) if given.p.axis == "widest" else level % n
            yield from at("axis", State(tree, v, v, i))
            m = lower_median(X[:, i])
            yield from at("median", State(tree, v, v, i, m))
            if not (X[:, i] > m).any():
                turn = i
                i, m = guarded(X, i)
                yield from at("guard", State(tree, v, v, i, m), "guard", turn=turn)
            left = rows[X[:, i] <= m]
            right = rows[X[:, i] > m]
            stack += [(right, level + 1), (left, level + 1)]
            yield from at("split", State(tree, v + 1, v, i, m), "split")
        v += 1
    return whole_tree(given, s)


def widest_column(X: Float) -> int:
    """The index of the column of X (k, n) with the largest max − min, the first of ties."""
    low = X.min(axis=0)
    high = X.max(axis=0)
    spread = tidy(high / 2 - low / 2)  # half of it, which is always finite
    return int(np.where(high > low, spread, -1.0).argmax())


def lower_median(values: Float) -> float:
    """The ⌈k / 2⌉-th smallest of k values."""
    middle = (len(values) - 1) // 2
    return float(np.partition(values, middle)[middle])


def guarded(X: Float, i: int) -> tuple[int, float]:
    """(i, m) for rows X (k, n), not all equal, where no xᵢ > m: the next column that has several
    values; its lower median, or the next smaller value if no xᵢ is above that either.
    """
    while X[:, i].min() == X[:, i].max():
        i = (i + 1) % X.shape[1]
    x = X[:, i]
    m = lower_median(x)
    if m == x.max():
        m = float(x[x < m].max())
    return i, m


def example() -> Problem:
    """Twelve points, two of them twice at one place, three with the largest x."""
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
