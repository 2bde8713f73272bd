"""VA file: read a summary of a few bits first, look up only what may be near. MMDS 12.4.5."""

from math import inf, nan
from typing import Annotated, Literal

from engine.algorithms.instances.parts import PLACES, Query
from engine.algorithms.instances.parts.best import BestSoFar, kept
from engine.algorithms.instances.va_file.cells import (
    Bounds,
    File,
    Filed,
    codes_of,
    edges_of,
    gaps,
    length,
)
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
from engine.numerics.closeness import at_most

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


class State(Record, BestSoFar):
    """The model is `file`; the fields after it are what the query has found so far, and last what
    this step shows.

    file: the cells of the examples
    bounds: of the distance from q to each cell, and which pass
    query: (d,) q
    neighbours: (≤ k,) rows of the best so far, nearest first
    distances: of these from q
    missed: rows that are nearer and were not looked up
    bounded: how many cells have their bounds
    judged: how many cells have passed or are dropped
    cell: looked at, or −1
    kth: k-th smallest upper bound so far, ∞ while there are fewer
    held: how many examples passed
    radius: distance of the k-th best, ∞ while a place is free
    looked: the row measured now, or −1
    distance: of that row from q
    examined: how many rows were measured
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
        """(m,) the rows of the cells kept so far."""
        passed = self.bounds.passed & (np.arange(self.file.size) < self.judged)
        return np.flatnonzero(passed[self.file.cell])


class Setting(Filed[Params]):
    """The examples, the query and the approximation file."""

    def missed(self, found: Int) -> Int:
        """(m,) the nearest rows that the search did not find; none where it goes by bounds."""
        if self.p.test == "bounds":
            return frozen(found[:0])
        return self.overlooked(found)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    X = given.problem.X
    edges = edges_of(X, given.p.bits)  # of each column min + j (max − min) / 2ᵇ, j = 0, …, 2ᵇ
    parts = codes_of(X, edges)  # of each xᵢ the j with edgeⱼ ≤ xᵢ < edgeⱼ₊₁, which has b bits
    file = File.of(edges, parts)
    bounds = bounds_of(given, file)  # of all cells; `bounded` says how many are shown
    none = frozen(np.zeros(0, np.intp))
    s = State(file, bounds, given.query, none, frozen(np.zeros(0)), missed=none)
    yield from at("cut", s)
    yield from at("file", s)
    yield from at("query", s)
    s = yield from bounded(given, at, s)
    s = yield from judged(given, at, s)
    yield from at("second", s)
    s = yield from looked_up(given, at, s)
    s = replace(s, looked=-1, distance=nan, missed=given.missed(s.neighbours))
    yield from at("answer", s, *when(missed=len(s.missed) > 0))


def bounds_of(given: Setting, file: File) -> Bounds:
    """The bounds of each cell: the least and the largest distance of its examples from q, and
    whether it passes.

    In column i a cell reaches from lowᵢ to highᵢ. q is at least max(0, lowᵢ − qᵢ, qᵢ − highᵢ)
    away from what lies between, at most max(|lowᵢ − qᵢ|, |highᵢ − qᵢ|); a distance is √Σ gap².
    """
    near, far = gaps(*file.corners(), given.query)  # (c, d) least and largest gaps
    low = length(near)  # (c,)
    high = length(far)  # (c,)
    upper = high[file.cell]  # (n,) of every example
    kth = np.partition(upper, given.k - 1)[given.k - 1]  # the k-th smallest
    own = (file.codes == file.place(given.query)).all(axis=1)
    passed = own if given.p.test == "same cell" else at_most(low, kth)
    return Bounds(frozen(low), frozen(high), frozen(passed), frozen(own))


def bounded(given: Setting, at: At, s: State) -> Part[State, State]:
    """Stage 1 reads the file: how near and how far may the examples of each cell be?

    Of the upper bounds of all examples the k-th smallest is kept: k of them are not farther.
    """
    moment = at.step if s.file.size <= FEW else at
    smallest = np.zeros(0)  # the k smallest upper bounds so far
    for c in range(s.file.size):
        yield None
        high = s.bounds.high[c]
        times = min(given.k, int(s.file.count[c]))  # one for each of its examples
        smallest = np.append(smallest, np.full(times, high))
        smallest = np.sort(smallest, kind="stable")[: given.k]
        before = s.kth
        kth = float(smallest[-1]) if len(smallest) == given.k else inf
        s = replace(s, cell=c, bounded=c + 1, kth=kth)
        yield from moment("bound", s, before=before)
    return replace(s, cell=-1)


def judged(given: Setting, at: At, s: State) -> Part[State, State]:
    """The state in which the candidates are the examples of each cell with low ≤ kth; no other can
    be near.
    """
    moment = at.step if s.file.size <= FEW else at
    for c in range(s.file.size):
        yield None
        s = replace(s, cell=c, judged=c + 1)
        if s.bounds.passed[c]:  # low ≤ kth; by "same cell": q lies in it
            s = replace(s, held=s.held + int(s.file.count[c]))
            yield from moment("hold", s)
        else:
            yield from moment("drop", s)
    return replace(s, cell=-1)


def looked_up(given: Setting, at: At, s: State) -> Part[State, State]:
    """The state after stage 2, which measures each candidate x in table order; of tied distances
    the lower row stays.
    """
    rows = s.candidates
    distances = given.distances(rows)  # (m,) d = |x − q|
    for row, d in zip(rows.tolist(), distances.tolist(), strict=True):
        yield None
        s = replace(s, looked=row, distance=d, examined=s.examined + 1)
        tie = s.as_far(d)
        if s.closer(row, d):  # a place is free, or d < k-th best
            before = s
            s = kept(s, given.k)
            yield from at("keep", s, "closer", *when(tie=tie), before=before)
        else:
            yield from at("look", s, *when(tie=tie))
    return s


def example() -> Problem:
    """Nine points; the nearest to the query lies just across the edge of its cell."""
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
