"""Locality-sensitive hashing: near examples share a bucket in some table, with some luck.

AIMA 18.8.3, MMDS 12.4.6.
"""

from math import inf, nan
from typing import Annotated, Literal

from engine.algorithms.instances.lsh.hashes import WIDE, Hash, Hashing, unit_rows
from engine.algorithms.instances.parts import PLACES, Query
from engine.algorithms.instances.parts.best import BestSoFar, kept
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Float,
    Help,
    Int,
    Label,
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

PSEUDOCODE = """
query  round:  at a query q: best ← empty
radius round:  for each radius r, upwards:
draw:            each table: m random bits or lines
fill   round:    put every x into its buckets
bucket:          each table: open the one of q
look:            each new x there: d ← |x − q|
keep:              if d < k-th best: keep x
enough round:    until k of best within c · r
answer round:  return best
"""
HASH = (
    "bits: some columns of 0 and 1; lines: strips across random lines; auto: bits where all columns"
    " hold 0 and 1"
)
BITS = "random bits, or random lines, of each table"
RADII = "distances tried in turn, each with tables of its own; empty: three that suit the data"
FACTOR = "how many times the radius counts as near enough"


class Params(Record, eq=True):
    tables: Annotated[int, Range(1, 50), Label("Tables ℓ")] = 3
    bits: Annotated[int, Range(1, 64, log=True), Label("Bits or lines m"), Help(BITS)] = 2
    radii: Annotated[tuple[float, ...], Label("Radii"), Help(RADII)] = ()
    factor: Annotated[float, Range(1, 10), Label("Factor c"), Help(FACTOR)] = 1.0
    k: Annotated[int, Range(1, 10_000, log=True), Label("Neighbours k")] = 1
    hash: Annotated[Literal["auto", "bits", "lines"], Label("Hash by"), Help(HASH)] = "auto"
    query: Query = ()


class State(Record, BestSoFar):
    """The model is `tables`, drawn for one radius; the other fields are what the query has found so
    far, and last what this step shows.

    query: (d,) q
    neighbours: (≤ k,) rows of the best so far, nearest first
    distances: of these from q
    candidates: (m,) rows met in buckets of q, for this radius and those before
    missed: rows that are nearer and were not met
    tables: drawn so far for this radius
    turn: number of the radius that is tried, −1 none yet
    r: that radius
    opened: how many of its tables have shown their bucket of q
    radius: distance of the k-th best, ∞ while a place is free
    looked: the row measured now, or −1
    distance: of that row from q
    examined: how many rows were measured
    """

    query: Float
    neighbours: Int
    distances: Float
    candidates: Int
    missed: Int
    tables: tuple[Hash, ...] = ()
    turn: int = -1
    r: float = nan
    opened: int = 0
    radius: float = inf
    looked: int = -1
    distance: float = nan
    examined: int = 0

    @property
    def buckets(self) -> tuple[Int, ...]:
        """For each hash table the bucket number of every row (n,)."""
        return tuple(table.bucket for table in self.tables)

    @property
    def found(self) -> int:
        """The number of different rows found in the buckets."""
        return len(self.candidates)


class Setting(Hashing[Params]):
    """The examples, the query, the radii, and the distance that is near enough."""

    def draw_hash(self, r: float, rng: Rng) -> Hash:
        """A table for this radius, with every example in its bucket.

        Of bits: x ↦ the values of m columns drawn by chance. Of lines: x ↦ ⌊(x · u + b) / w⌋ for m
        random directions u, with strips of width w = 2 r and a random offset b < w.
        """
        X = self.problem.X
        d = self.problem.d
        # m as set. Of bits fewer for larger r: the chance that rows at distance r have the same,
        # C(d − r, m) / C(d, m), is to be as large as for the first radius
        m = self.many(r)
        width = WIDE * r
        if self.bitwise:
            columns = rng.choice(d, m, replace=False)
            return Hash.of(X, width, columns=np.sort(columns))
        lines = unit_rows(rng.normal(size=(m, d)))
        offsets = width * rng.random(m)
        return Hash.of(X, width, lines=lines, offsets=offsets)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    none = frozen(np.zeros(0, np.intp))
    s = State(given.query, none, frozen(np.zeros(0)), candidates=none, missed=none)
    yield from at("query", s)
    # as set; else of bits 1, 2, 4, of lines 1/16, 1/8, 1/4 of what the widest column spans
    for turn, r in enumerate(given.radii):
        s = replace(s, turn=turn, r=r, tables=(), opened=0)
        yield from at("radius", s)
        s = yield from filled(given, at, s, rng)
        s = yield from searched(given, at, s)
        near = int(np.count_nonzero(s.distances <= given.reach(r)))  # c · r
        yield from at("enough", s, *when(too_few=near < given.k), near=near)
        if near >= given.k:
            break
    s = replace(s, missed=given.overlooked(s.neighbours))
    yield from at("answer", s, *when(missed=len(s.missed) > 0))


def filled(given: Setting, at: At, s: State, rng: Rng) -> Part[State, State]:
    """The state with the hash tables of this radius, every x in its bucket."""
    for _ in range(given.p.tables):
        s = replace(s, tables=(*s.tables, given.draw_hash(s.r, rng)))
        yield None
        yield from at("draw", s)
    yield from at("fill", s)
    return s


def searched(given: Setting, at: At, s: State) -> Part[State, State]:
    """The state after each new x in a bucket of q is measured; of tied distances the lower row
    stays.
    """
    for table in s.tables:
        there = table.beside(s.query)  # the rows with the same hash values as q
        new = np.setdiff1d(there, s.candidates)
        s = replace(s, opened=s.opened + 1, candidates=frozen(np.union1d(s.candidates, new)))
        yield from at("bucket", s, there=len(there), new=frozen(new))
        distances = given.distances(new)  # (m,) d = |x − q|
        for row, d in zip(new.tolist(), distances.tolist(), strict=True):
            yield None
            s = replace(s, looked=row, distance=d, examined=s.examined + 1)
            tie = s.as_far(d)
            if s.closer(row, d):  # a place is free, or d < k-th best
                before = s
                s = kept(s, given.k)
                yield from at("keep", s, "closer", *when(tie=tie), before=before)
            else:
                yield from at("look", s, *when(tie=tie))
        s = replace(s, looked=-1, distance=nan)
    return s


def example() -> Problem:
    """Nine points around a query."""
    x = [1.0, 2.4, 3.4, 4.6, 5.4, 4.9, 6.6, 8.0, 9.0]
    y = [7.0, 1.0, 4.6, 6.9, 4.4, 5.2, 2.0, 7.6, 4.0]
    return prepare(Dataset.from_columns({"x": x, "y": y}), query=(4.6, 4.6))


ALGORITHM = Algorithm.of(
    __name__,
    title="Locality-sensitive hashing",
    task=Task.STRUCTURE,
    source=("AIMA 18.8.3", "MMDS 12.4.6"),
    needs=PLACES,
    curves=(
        Curve("found", "candidates", of_n=True, digits=0),
        Curve("examined", "examples measured", of_n=True, digits=0),
    ),
    events=("closer", "missed", "tie", "too few"),
)
