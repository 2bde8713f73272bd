"""What a search in a k-d tree knows at one moment, and how an example comes into the list of the best. AIMA 18.8.2."""

from dataclasses import dataclass, replace

import numpy as np

from engine.core.arrays import Float, Int, Prefix, frozen
from engine.numerics.distances import norm, tidy
from engine.numerics.kd import KdTree

NONE = float("nan")


@dataclass(frozen=True, slots=True)
class Lookup:
    """The state: where the search is and what it has found.

    tree; query (d,); visited: nodes it has been in; pruned: nodes left out with all below; neighbours, distances: the best
    so far, nearest first; radius: distance of the k-th, ∞ while a place is free; node: looked at, −1 none; gap: from the
    query to the line that parts `node` from its sibling; looked, distance: row measured now; examined: rows measured
    """

    tree: KdTree
    query: Float
    visited: Prefix[int]
    pruned: Prefix[int]
    neighbours: Int
    distances: Float
    radius: float = float("inf")
    node: int = -1
    gap: float = NONE
    looked: int = -1
    distance: float = NONE
    examined: int = 0

    @property
    def best(self) -> Int:
        """(≤ k,) rows of the nearest examples found so far, nearest first: `neighbours` by the name of the pseudo-code."""
        return self.neighbours


def begin(tree: KdTree, query: Float) -> Lookup:
    """Nothing visited, nothing found."""
    return Lookup(tree, query, Prefix([], 0), Prefix([], 0), frozen(np.zeros(0, np.intp)), frozen(np.zeros(0)))


def enter(s: Lookup, node: int) -> Lookup:
    return replace(s, node=node, visited=s.visited.plus(node), gap=NONE, looked=-1, distance=NONE)


def at_line(s: Lookup, node: int) -> Lookup:
    """The search stands before the side `node`: how far is the line that parts it from the other?"""
    parent = s.tree.parent[node]
    gap = abs(float(s.query[s.tree.axis[parent]] - s.tree.split[parent]))
    return replace(s, node=node, gap=gap, looked=-1, distance=NONE)


def prune(s: Lookup) -> Lookup:
    return replace(s, pruned=s.pruned.plus(s.node))


def rank(distance: float) -> float:
    """Distances that are equal on paper are equal here."""
    return float(tidy(np.array([distance]))[0])


def out_of_reach(s: Lookup) -> bool:
    """Everything behind the line is farther than the k-th best."""
    return rank(s.gap) > rank(s.radius)


def distances(X: Float, rows: Int, query: Float) -> Float:
    """(m,) from the query to some rows."""
    gaps = np.abs(X[rows] - query)
    return norm(list(gaps.T), 2)


def look(s: Lookup, row: int, distance: float) -> Lookup:
    return replace(s, looked=row, distance=distance, examined=s.examined + 1)


def nearer(s: Lookup) -> bool:
    """The example looked at belongs to the best: a place is free, or it is nearer; if equally near, its row is lower."""
    if s.radius == float("inf"):
        return True
    return (rank(s.distance), s.looked) < (rank(s.radius), int(s.neighbours[-1]))


def keep(s: Lookup, k: int) -> Lookup:
    """The example looked at comes into the list; the last one drops out when the list was full."""
    rows, found = np.append(s.neighbours, s.looked), np.append(s.distances, s.distance)
    order = np.lexsort([rows, tidy(found)])[:k]
    radius = float(found[order[-1]]) if len(order) == k else float("inf")
    return replace(s, neighbours=frozen(rows[order]), distances=frozen(found[order]), radius=radius)


def finish(s: Lookup) -> Lookup:
    """The search is over: nothing is looked at any more."""
    return replace(s, node=-1, gap=NONE, looked=-1, distance=NONE)
