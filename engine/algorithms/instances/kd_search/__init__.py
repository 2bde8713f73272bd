"""k nearest neighbours by a k-d tree: leave out what lies beyond a line that the ball does not
reach. AIMA 18.8.2.
"""

from math import inf, isfinite, nan
from typing import Annotated

from engine.algorithms.instances.parts import PLACES, Query
from engine.algorithms.instances.parts.best import BestSoFar, Search, kept
from engine.algorithms.instances.parts.kd import KdTree
from engine.algorithms.instances.parts.kd_build import build
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Float,
    Int,
    Label,
    Mapping,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.base.arrays import Prefix

PSEUDOCODE = """
build  round: tree ← k-d tree of the examples
query  round: best ← empty, stack ← root
descend:      down to a leaf: stack far sides
look:           each x in the leaf: d ← |x − q|
keep:             if d < k-th best: keep x
prune:        pop: |qᵢ − m| > k-th? drop it
other:          else: descend into it
answer round: stack empty: return best
"""


class Params(Record, eq=True):
    k: Annotated[int, Range(1, 10_000, log=True), Label("Neighbours k")] = 1
    query: Query = ()


class State(Record, BestSoFar):
    """The model is `tree`; the fields after it are what the query has found so far, and last what
    this step shows.

    tree: of all examples
    query: (d,) q
    visited: nodes that the search has been in
    pruned: nodes that it left out with all below
    neighbours: (≤ k,) rows of the best so far, nearest first
    distances: of these from q
    radius: distance of the k-th best, ∞ while a place is free
    node: looked at, or −1
    gap: from q to the line that parts `node` from its sibling
    looked: the row measured now, or −1
    distance: of that row from q
    examined: how many rows were measured
    """

    tree: KdTree
    query: Float
    visited: Prefix[int]
    pruned: Prefix[int]
    neighbours: Int
    distances: Float
    radius: float = inf
    node: int = -1
    gap: float = nan
    looked: int = -1
    distance: float = nan
    examined: int = 0


class Setting(Search[Params]):
    """The examples, the query, and k, the number of neighbours to find."""


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    # on level l column i = l mod d is cut at m, the lower median of xᵢ: xᵢ ≤ m goes left, down to
    # leaves of one example, see the page of k-d tree
    tree = yield from build(given.problem.X, widest=False, leaf_size=1)
    s = begun(tree, given.query)
    yield from at("build", s)
    yield from at("query", s)
    stack = [0]  # the root
    while stack:
        s = yield from descended(at, s, stack)
        s = yield from measured(given, at, s)
        s = yield from climbed(at, s, stack)
    yield from at("answer", replace(s, node=-1, gap=nan, looked=-1, distance=nan))


def begun(tree: KdTree, query: Float) -> State:
    """The state before the search, without any neighbour."""
    no_nodes: Prefix[int] = Prefix([], 0)
    no_rows = frozen(np.zeros(0, np.intp))
    return State(tree, query, no_nodes, no_nodes, no_rows, frozen(np.zeros(0)))


def descended(at: At, s: State, stack: list[int]) -> Part[State, State]:
    """The state at the leaf reached from the node on top of the stack; the other child of each node
    passed is pushed on the stack.
    """
    s = entered(s, stack.pop())
    while not s.tree.leaf(s.node):
        near, far = s.tree.sides(s.node, s.query)  # qᵢ ≤ m: near is the left one, else the right
        stack.append(far)
        yield from at("descend", s)
        s = entered(s, near)
    return s


def entered(s: State, node: int) -> State:
    """The state at a node to which the search descends."""
    return replace(s, node=node, visited=s.visited.plus(node), gap=nan, looked=-1, distance=nan)


def measured(given: Setting, at: At, s: State) -> Part[State, State]:
    """The state after every x of the leaf is compared with the k-th best; of tied distances the
    lower row stays.
    """
    rows = s.tree.rows(s.node)
    distances = given.distances(rows)  # (m,) d = |x − q| = √Σ (xᵢ − qᵢ)²
    for row, d in zip(rows.tolist(), distances.tolist(), strict=True):
        s = replace(s, looked=row, distance=d, examined=s.examined + 1)
        tie = s.as_far(d)
        closer = s.closer(row, d)  # a place is free, or d < k-th best
        if tie:
            closer = at.take((False, True), closer)
        if closer:
            before = s
            s = kept(s, given.k)
            yield from at("keep", s, "closer", *when(tie=tie), before=before)
        else:
            yield from at("look", s, *when(tie=tie))
    return s


def climbed(at: At, s: State, stack: list[int]) -> Part[State, State]:
    """Takes far sides off the stack while |qᵢ − m| is more than the distance of the k-th best.

    The first that is near enough stays on it, to be searched next; at the end it is empty.
    """
    while stack:
        yield None
        node = stack[-1]
        above = s.tree.parent[node]
        i = s.tree.axis[above]
        m = s.tree.split[above]
        gap = abs(float(s.query[i] - m))  # |qᵢ − m|: nothing beyond the line is nearer
        s = replace(s, node=node, gap=gap, looked=-1, distance=nan)
        tie = s.as_far(gap)  # then an example as near, of a lower row, may lie beyond it
        if gap > s.radius and not tie:
            stack.pop()
            s = replace(s, pruned=s.pruned.plus(node))
            yield from at("prune", s, "pruned")
        else:
            yield from at("other", s, "crossed", *when(tie=tie))
            break
    return s


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return {"examined": s.examined, "radius": s.radius if isfinite(s.radius) else nan}


def example() -> Problem:
    """Fourteen points and a query near a dividing line, so that its first leaf does not hold the
    nearest.
    """
    x = [1.0, 2.0, 2.5, 3.5, 4.5, 5.0, 5.5, 6.5, 7.0, 8.0, 8.5, 9.0, 9.5, 4.0]
    y = [6.0, 2.0, 8.5, 5.0, 1.0, 7.0, 3.5, 9.0, 5.5, 1.5, 7.5, 4.0, 9.5, 9.0]
    return prepare(Dataset.from_columns({"x": x, "y": y}), query=(5.4, 5.0))


ALGORITHM = Algorithm.of(
    __name__,
    title="k-d tree search",
    task=Task.STRUCTURE,
    source=("AIMA 18.8.2",),
    needs=PLACES,
    curves=(
        Curve("examined", "examples measured", of_n=True, digits=0),
        Curve("radius", "distance of the k-th best"),
    ),
    events=("closer", "crossed", "pruned", "tie"),
)
