"""Locality-sensitive hashing: near examples share a bucket in some table, with some luck.

AIMA 18.8.3, MMDS 12.4.6.
"""

from math import inf, nan
from typing import Annotated, Literal

from engine.algorithms.instances.lsh.hashes import Hash, Hashing
from engine.algorithms.instances.parts import PLACES, Query
from engine.algorithms.instances.parts.best import Searching, kept
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


class State(Record, Searching):
    """query (d,); turn, r: which radius is tried, −1 none yet; tables: drawn for it; opened: so
    many buckets of the query are; candidates (m,): rows met in them, for this radius and those
    before; neighbours, distances: the best so far, nearest first; radius: distance of the k-th, ∞
    while a place is free; looked, distance: row measured now; examined: rows measured; missed: rows
    that are nearer and were not met. buckets: of each table the bucket of every row
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

    buckets = property(lambda s: tuple(table.bucket for table in s.tables))
    found = property(lambda s: len(s.candidates))


class Setting(Hashing[Params]):
    """bitwise: Hamming distance on bits, else straight lines; radii, k: as they are used;
    distances(rows); chance(d, r).
    """


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    none = frozen(np.zeros(0, np.intp))
    s = State(given.query, none, frozen(np.zeros(0)), none, none)
    yield from at("query", s)
    for turn, r in enumerate(given.radii):
        s = replace(s, turn=turn, r=r, tables=(), opened=0)
        yield from at("radius", s)
        for _ in range(given.p.tables):
            s = replace(s, tables=(*s.tables, given.drawn(r, rng)))
            yield from at("draw", s) or (None,)
        yield from at("fill", s)
        s = yield from searched(given, at, s)
        near = int((s.distances <= given.reach(r)).sum())
        yield from at("enough", s, *when(too_few=near < given.k), near=near)
        if near >= given.k:
            break
    s = replace(s, missed=given.missed(s.neighbours))
    yield from at("answer", s, *when(missed=bool(len(s.missed))))


def searched(given: Setting, at: At, s: State) -> Part[State, State]:
    """Whoever shares a bucket with the query, and was not met before, is measured."""
    for table in s.tables:
        there = table.beside(s.query)
        new = np.setdiff1d(there, s.candidates)
        s = replace(s, opened=s.opened + 1, candidates=frozen(np.union1d(s.candidates, new)))
        yield from at("bucket", s, there=len(there), new=frozen(new))
        for row, d in zip(new.tolist(), given.distances(new).tolist(), strict=True):
            yield None
            s, (out, tie) = (
                replace(s, looked=row, distance=d, examined=s.examined + 1),
                s.stays_out(row, d),
            )
            if out:
                yield from at("look", s, *when(tie=tie))
            else:
                before = s
                s = kept(s, given.k)
                yield from at("keep", s, "closer", *when(tie=tie), before=before)
        s = replace(s, looked=-1, distance=nan)
    return s


def example() -> Problem:
    """Nine places round a query."""
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
