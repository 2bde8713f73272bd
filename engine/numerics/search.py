"""The search for the neighbours of one query: what is known so far. AIMA 18.8.1-18.8.2."""

from dataclasses import dataclass, replace

import numpy as np

from engine.core.arrays import Float, Int, frozen
from engine.numerics.distances import tidy
from engine.numerics.stored import Stored
from engine.numerics.votes import Vote

NONE = float("nan")
EMPTY, EMPTY_INT = frozen(np.zeros(0)), frozen(np.zeros(0, np.intp))


@dataclass(frozen=True, slots=True)
class Search:
    """The state: a memory and the best of it for one query.

    stored: whether the examples are in the memory (they are the model); query (d,); neighbours, distances: the best so
    far, as table rows, nearest first; votes (classes,) of these; label they give, −1 none; radius: distance of the k-th, NaN
    while a place is free; looked, distance: row measured now (−1 none) and its distance; seen: how many were; former, dropped: the k-th before this step"""

    stored: bool
    query: Float
    neighbours: Int
    distances: Float
    votes: Float
    label: int = -1
    radius: float = NONE
    looked: int = -1
    distance: float = NONE
    seen: int = 0
    former: float = NONE
    dropped: int = -1


def begin(query: Float, classes: int) -> Search:
    """Nothing stored, nothing found."""
    return Search(False, query, EMPTY_INT, EMPTY, frozen(np.zeros(classes)))


def hold(memory: Stored, vote: Vote, s: Search, held: Int) -> Search:
    """The state with the examples at these positions of the memory, nearest first, as neighbours, and their vote."""
    d = memory.distances(s.query)[held]
    votes, label = vote.ballot(memory.codes[held][None], d[None])
    radius = float(d[-1]) if len(held) == vote.k else NONE
    return replace(
        s,
        neighbours=frozen(memory.rows[held]),
        distances=frozen(d),
        votes=frozen(votes[0]),
        label=int(label[0]),
        radius=radius,
    )


def insert(memory: Stored, vote: Vote, s: Search, held: Int, rank: Float, new: int) -> tuple[Search, Int]:
    """Example `new` comes into the list; on equal distances it stands behind those of lower row number."""
    full = len(held) == vote.k
    place = np.searchsorted(rank[held], rank[new], side="right")
    held = np.insert(held, place, new)[: vote.k]
    before = s
    s = hold(memory, vote, s, held)
    s = replace(s, looked=int(memory.rows[new]), distance=float(memory.distances(s.query)[new]), seen=new + 1)
    if not full:
        return replace(s, former=NONE, dropped=-1), held
    return replace(s, former=before.radius, dropped=int(before.neighbours[-1])), held


def next_closer(rank: Float, at: int, rim: float) -> int:
    """The first example from `at` on that is closer than `rim`, or the number of examples."""
    size = 256
    while at < len(rank):
        hits = np.flatnonzero(rank[at : at + size] < rim)
        if len(hits):
            return at + int(hits[0])
        at, size = at + size, 4 * size
    return len(rank)


def outside_tie(memory: Stored, s: Search) -> int:
    """The first row outside that is as near as the last neighbour, −1 if there is none."""
    rank = tidy(memory.distances(s.query))
    equal = memory.rows[rank == tidy(s.distances[-1:])[0]]
    outside = equal[~np.isin(equal, s.neighbours)]
    return int(outside[0]) if len(outside) else -1
