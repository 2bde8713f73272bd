"""Distances: which example is the nearest changes with the way to measure.

AIMA 18.8.1, ML 8.2.2.
"""

from math import inf
from typing import Annotated

from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    Empty,
    EngineError,
    Float,
    Help,
    Int,
    Label,
    Length,
    Mapping,
    Needs,
    Place,
    Prefix,
    Problem,
    Range,
    Record,
    Rng,
    Sequence,
    Setting as Given,
    Steps,
    Task,
    cached_property,
    frozen,
    np,
    number,
    prepare,
    replace,
    short,
    when,
)
from engine.experiments.parts.left_out import LeftOut, without
from engine.numerics.closeness import tidy
from engine.numerics.distances import Space, mahalanobis_space, minkowski_space, unit_ball

PSEUDOCODE = """
query round:    q: the place that is asked about
measure detail: for each way to measure: d(x, q)
nearest:          the x of least d, and its ball
told round:     who was nearest, and how often
"""
POWERS = (1.0, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, inf)
NAMES = {1.0: ", Manhattan", 2.0: ", Euclid", inf: ", largest difference"}
TWICE = 2.0  # how much an axis is stretched that nobody set
P = (
    "1: sum of the differences, 2: straight line, inf: largest difference; empty: one after the"
    " other"
)
STRETCH = "two factors, for the axes of the plane; empty: each of them doubled in turn"


class Params(Record, eq=True):
    p: Annotated[float | None, Range(1, inf), Label("Minkowski p"), Empty("all"), Help(P)] = None
    stretch: Annotated[tuple[float, ...], Label("Stretch axes"), Help(STRETCH), Length("2")] = ()
    query: Annotated[
        tuple[float, ...],
        Label("Query"),
        Help("a place on the plane; empty: the probe, or the middle"),
        Length("2"),
        Place(),
    ] = ()


class State(Record):
    """nearest: for each way so far the rows of least distance; current: number of the way, or −1;
    distance: the least by it, NaN before it is measured.
    """

    nearest: Prefix[tuple[int, ...]]
    current: int = -1
    distance: float = np.nan

    @property
    def others(self) -> int:
        """Rows that were the nearest by one way or another."""
        return len({rows[0] for rows in self.nearest})


class Setting(Given[Params]):
    """rows (n,): those with both values of the plane; q (2,): the place; ways: the names of the
    distances with their spaces; refused: why one of them is missing.
    """

    @cached_property
    def rows(self) -> Int:
        return frozen(np.flatnonzero(np.isfinite(self.problem.xy).all(axis=1)))

    @cached_property
    def q(self) -> Float:
        whole = self.problem.anchor if self.problem.query is None else self.problem.query
        return frozen(self.p.query or self.problem.to_plane(whole[None])[0], np.float64)

    @cached_property
    def ways(self) -> Mapping[str, Space]:
        X = self.problem.xy[self.rows]
        p = self.p.p or 2.0
        powers = POWERS if self.p.p is None else (self.p.p,)
        found = {
            f"p = {number(p) if p == inf else short(p)}{NAMES.get(p, '')}": minkowski_space(X, p)
            for p in powers
        }
        found["columns / spread"] = minkowski_space(X, p, normalise=True)
        if isinstance(self.mahalanobis, Space):
            found["Mahalanobis"] = self.mahalanobis
        names = self.names
        factors = [self.p.stretch] if self.p.stretch else [(TWICE, 1.0), (1.0, TWICE)]
        for pair in factors:
            told = " and ".join(
                f"{name} · {short(f)}" for name, f in zip(names, pair, strict=False) if f != 1
            )
            found[told or "nothing stretched"] = minkowski_space(X, p, stretch=pair)
        return found

    @cached_property
    def mahalanobis(self) -> Space | str:
        """The space, or why there is none."""
        try:
            return mahalanobis_space(self.problem.xy[self.rows], self.names)
        except EngineError as why:
            return str(why)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the axes."""
        return tuple(self.problem.features[j].title for j in self.problem.plane)

    @cached_property
    def left_out(self) -> LeftOut:
        """The columns that are not on the plane; the rows without a place there."""
        problem = self.problem
        return LeftOut(without(problem, problem.plane), problem.n - len(self.rows), problem.n)

    @cached_property
    def distances(self) -> Sequence[Float]:
        """By way (n,): from q to the rows; equal where they are on paper."""
        xy = self.problem.xy[self.rows]
        q = self.q[None]
        spaces = self.ways.values()
        return [frozen(tidy(space.distance(space.embed(xy), space.embed(q)))) for space in spaces]

    @cached_property
    def rims(self) -> Sequence[Float]:
        """By way (m, 2): the unit ball in the columns of the plane; an axis with factor
        0 has none.
        """
        axes = [(space.p, space.axes((0, 1))) for space in self.ways.values()]
        return [
            frozen(unit_ball(p) @ np.linalg.inv(A) if A.shape == (2, 2) else np.zeros((0, 2)))
            for p, A in axes
        ]


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    if not len(given.rows):
        raise EngineError(
            "No row has both values of the plane: choose other axes, or fill the gaps."
        )
    ways = given.ways
    s = State(Prefix([], 0))
    yield from at("query", s)
    for way in range(len(ways)):
        s = replace(s, current=way, distance=np.nan)
        yield from at("measure", s)
        d = given.distances[way]
        rows = tuple(given.rows[d == d.min()].tolist())
        changed = bool(s.nearest) and rows[0] != s.nearest[-1][0]
        s = replace(s, nearest=s.nearest.plus(rows), distance=float(d.min()))
        yield from at("nearest", s, *when(another=changed, tie=len(rows) > 1))
        yield None
    yield from at("told", replace(s, current=-1, distance=np.nan))


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    told = {"others": float(s.others)} if s.nearest else {}
    return told | ({"distance": s.distance} if np.isfinite(s.distance) else {})


def example() -> Problem:
    """Ten points around a query, of which another is nearest by the sum, the line and the largest
    difference.
    """
    x = [1.9, 1.05, 0.1, -1.6, -1, 1.8, 2.6, -2.4, -2, 0.4]
    y = [0, 1.05, 2.0, -1.4, 1.8, -1.4, 2.2, -2.6, -0.2, -2.3]
    return prepare(
        Dataset.from_arrays(np.column_stack([x, y]), list("AABABBAABB")), query=(0.0, 0.0)
    )


ALGORITHM = Algorithm.of(
    __name__,
    title="Distances and their balls",
    task=Task.THEORY,
    source=("AIMA 18.8.1", "ML 8.2.2"),
    needs=Needs(labels=False, missing=True, on_plane=2, max_rows=100_000),
    curves=(
        Curve("distance", "distance of the nearest", about=("nearest",)),
        Curve("others", "rows that were the nearest", digits=0, about=("nearest",)),
    ),
    events=("another", "tie"),
)
