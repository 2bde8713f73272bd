"""k nearest neighbours by a k-d tree: leave out what lies behind a line that the ball does not
reach. AIMA 18.8.2.
"""

from math import inf, isfinite, nan
from typing import Annotated

from engine.algorithms.instances.parts import PLACES, Asked, Query
from engine.algorithms.instances.parts.best import Searching, kept
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
from engine.core.arrays import Prefix
from engine.numerics.distances import norm

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


class State(Record, Searching):
    """tree; query (d,); visited: nodes it has been in; pruned: nodes left out with all below;
    neighbours, distances: the best so far, nearest first; radius: distance of the k-th, ∞ while a
    place is free; node: looked at, −1 none; gap: from the query to the line that parts `node` from
    its sibling; looked, distance: row measured now; examined: rows measured
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


class Setting(Asked[Params]):
    k = property(lambda given: min(given.p.k, given.problem.n))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    tree = yield from build(given.problem.X, widest=False, leaf_size=1)
    s = begun(tree, given.query)
    yield from at("build", s)
    yield from at("query", s)
    stack = [0]
    while stack:
        node = stack.pop()
        while not tree.leaf(node):
            s = entered(s, node)
            node, far = tree.sides(node, s.query)
            stack.append(far)
            yield from at("descend", s)
        s = yield from climbed(at, (yield from measured(given, at, entered(s, node))), stack)
    yield from at("answer", replace(s, node=-1, gap=nan, looked=-1, distance=nan))


def begun(tree: KdTree, query: Float) -> State:
    return State(
        tree, query, Prefix([], 0), Prefix([], 0), frozen(np.zeros(0, np.intp)), frozen(np.zeros(0))
    )


def entered(s: State, node: int) -> State:
    return replace(s, node=node, visited=s.visited.plus(node), gap=nan, looked=-1, distance=nan)


def measured(given: Setting, at: At, s: State) -> Part[State, State]:
    """Every example of a leaf is compared with the best so far; if it is as near as the k-th, the
    lower row is kept.
    """
    rows = s.tree.rows(s.node)
    distances = norm(list(np.abs(given.problem.X[rows] - s.query).T), 2)
    for row, d in zip(rows.tolist(), distances.tolist(), strict=True):
        s, (out, tie) = (
            replace(s, looked=row, distance=d, examined=s.examined + 1),
            s.stays_out(row, d),
        )
        if at.take((True, False), out) if tie else out:
            yield from at("look", s, *when(tie=tie))
        else:
            before = s
            s = kept(s, given.k)
            yield from at("keep", s, "closer", *when(tie=tie), before=before)
    return s


def climbed(at: At, s: State, stack: list[int]) -> Part[State, State]:
    """Up to the next side that has to be searched, which stays on the stack; to none when no side
    waits any more.
    """
    while stack:
        yield None
        node = stack[-1]
        parent = s.tree.parent[stack[-1]]
        gap = abs(float(s.query[s.tree.axis[parent]] - s.tree.split[parent]))
        s, tie = replace(s, node=node, gap=gap, looked=-1, distance=nan), s.level(gap)
        if not tie and gap > s.radius:
            s = replace(s, pruned=s.pruned.plus(stack.pop()))
            yield from at("prune", s, "pruned")
            continue
        yield from at("other", s, "crossed", *when(tie=tie))
        break
    return s


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return {"examined": s.examined, "radius": s.radius if isfinite(s.radius) else nan}


def example() -> Problem:
    """Fourteen places and a query near a line: the first leaf does not hold the nearest."""
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
