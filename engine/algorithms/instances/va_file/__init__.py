"""VA file: read a summary of a few bits first, look up only what may be near. MMDS 12.4.5."""

from math import inf, nan
from typing import Annotated, Literal

from engine.algorithms.instances.parts import PLACES, Query
from engine.algorithms.instances.parts.best import Searching, kept
from engine.algorithms.instances.va_file.cells import Bounds, File, Filed
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
cut    round:  cut each column into 2ᵇ parts
file   round:  file: the cell of each x, b bits
query  round:  stage 1: at a query q, kth ← ∞
bound  detail:   each cell: low, high ← d(q, ·)
hold   detail:   low ≤ kth: hold its examples
drop   detail:   else: none of them is near
second round:  stage 2: best ← empty
look:            each held x: d ← |x − q|
keep:              if d < k-th best: keep x
answer round:  return best
"""
BITS = "high-order bits of each number that the file keeps: 2ᵇ parts of every column"
TEST = (
    "bounds: by the k-th smallest upper bound, always exact; same cell: only the cell of the query,"
    " an error"
)
FEW = 64  # cells up to which each is a step


class Params(Record, eq=True):
    bits: Annotated[int, Range(1, 10), Label("Bits b"), Help(BITS)] = 3
    k: Annotated[int, Range(1, 10_000, log=True), Label("Neighbours k")] = 1
    test: Annotated[Literal["bounds", "same cell"], Label("Candidates by"), Help(TEST)] = "bounds"
    query: Query = ()


class State(Record, Searching):
    """file: the cells; bounds: of the distance to each, and which pass; bounded, judged: so many
    cells of it are read; cell: looked at, −1 none; kth: k-th smallest upper bound so far; held:
    examples that passed; query (d,); neighbours, distances: the best so far, nearest first; radius:
    distance of the k-th, ∞ while a place is free; looked, distance: row measured now; examined:
    rows measured; missed: rows that are nearer and were not looked up. candidates (m,): rows that
    passed
    """

    file: File
    bounds: Bounds
    query: Float
    neighbours: Int
    distances: Float
    missed: Int
    bounded: int = 0
    judged: int = 0
    cell: int = -1
    kth: float = inf
    held: int = 0
    radius: float = inf
    looked: int = -1
    distance: float = nan
    examined: int = 0

    @property
    def candidates(self) -> Int:
        passed = self.bounds.passed & (np.arange(self.file.size) < self.judged)
        return np.flatnonzero(passed[self.file.cell])


class Setting(Filed[Params]):
    """k: how many there can be; file; bounds: of the query; shares: by how many bits which share of
    the examples is held.
    """


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    none = frozen(np.zeros(0, np.intp))
    s = State(given.file, given.bounds, given.query, none, frozen(np.zeros(0)), none)
    yield from at("cut", s)
    yield from at("file", s)
    yield from at("query", s)
    s = yield from bounded(given, at, s)
    s = yield from judged(given, at, s)
    yield from at("second", s)
    s = yield from looked_up(given, at, s)
    s = replace(s, looked=-1, distance=nan, missed=given.missed(s.neighbours))
    yield from at("answer", s, *when(missed=bool(len(s.missed))))


def bounded(given: Setting, at: At, s: State) -> Part[State, State]:
    """Stage 1 reads the file: how near and how far may examples of each cell be?

    Many upper bounds give the k-th smallest.
    """
    tell = at.step if s.file.size <= FEW else at
    smallest = np.zeros(0)
    for c in range(s.file.size):
        yield None
        highs = np.full(min(given.k, int(s.file.count[c])), s.bounds.high[c])
        smallest = np.sort(np.append(smallest, highs), kind="stable")[: given.k]
        before = s.kth
        kth = float(smallest[-1]) if len(smallest) == given.k else inf
        s = replace(s, cell=c, bounded=c + 1, kth=kth)
        yield from tell("bound", s, before=before)
    return replace(s, cell=-1)


def judged(given: Setting, at: At, s: State) -> Part[State, State]:
    tell = at.step if s.file.size <= FEW else at
    for c in range(s.file.size):
        yield None
        if s.bounds.passed[c]:
            s = replace(s, cell=c, judged=c + 1, held=s.held + int(s.file.count[c]))
            yield from tell("hold", s)
        else:
            s = replace(s, cell=c, judged=c + 1)
            yield from tell("drop", s)
    return replace(s, cell=-1)


def looked_up(given: Setting, at: At, s: State) -> Part[State, State]:
    """Stage 2 measures the candidates in table order; if one is as near as the k-th, the lower row
    is kept.
    """
    rows = s.candidates
    for row, d in zip(rows.tolist(), given.distances(rows).tolist(), strict=True):
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
    return s


def example() -> Problem:
    """Nine places; the nearest to the query lies just beyond the edge of its cell."""
    x = [0.0, 1.4, 2.2, 4.2, 3.1, 3.3, 6.5, 7.4, 8.0]
    y = [8.0, 1.5, 4.4, 3.7, 3.2, 0.0, 6.0, 2.5, 3.5]
    return prepare(Dataset.from_columns({"x": x, "y": y}), query=(3.8, 3.6))


ALGORITHM = Algorithm.of(
    __name__,
    title="VA file",
    task=Task.STRUCTURE,
    source=("MMDS 12.4.5",),
    needs=PLACES,
    curves=(
        Curve("held", "candidates", of_n=True, digits=0),
        Curve("examined", "examples looked up", of_n=True, digits=0),
    ),
    events=("closer", "missed", "tie"),
)
