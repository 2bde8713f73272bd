"""The curse of dimensionality: no neighbour is near, and all examples lie at the rim.

AIMA 18.8.1, Fig 18.27, MMDS 12.5.
"""

from typing import Annotated, NamedTuple

from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Empty,
    EngineError,
    Float,
    Help,
    Int,
    Label,
    Mapping,
    Needs,
    Prefix,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.authoring import (
    Setting as Given,
)
from engine.base.notation import counted
from engine.experiments.curse_of_dimensionality.distances import add_columns, shares
from engine.experiments.parts.left_out import LeftOut, without
from engine.sources.generators import generate

PSEUDOCODE = """
start round:  a cube of N even points, side 1
edge detail:  for n dimensions: ℓ = (k/N)^(1/n)
shell detail:   rim = 1 − (1 − 2s)ⁿ
near:           nearest / farthest, mean
told round:   what is left of “near”
"""
SIZES = (1, 2, 3, 4, 5, 7, 10, 14, 17, 20, 30, 50, 70, 100, 140, 200, 300, 500, 700, 1000)
LEAST = 20  # points that are drawn in the cube
MOST = 300  # points that are drawn, and rows that are measured


class Params(Record, eq=True):
    dimensions: Annotated[int, Range(1, 1000, log=True), Label("Dimensions")] = 200
    k: Annotated[int, Range(1, 10_000, log=True), Label("Neighbours k")] = 1
    points: Annotated[
        int | None,
        Range(1, 1e9, log=True),
        Label("Points N"),
        Empty("rows"),
        Help("in the cube, for ℓ"),
    ] = None
    rim: Annotated[
        float, Range(1e-4, 0.5, log=True), Label("Rim s"), Help("how thick, as a part of the side")
    ] = 0.01


class Seen(NamedTuple):
    """What was measured in n dimensions.

    n: dimensions
    edge: ℓ of the cube that holds k of N
    rim: the share of the cube that lies in the rim, by the formula
    counted: the share of the drawn points in the rim
    cube: nearest / farthest in the cube
    own: nearest / farthest in n columns of the table, NaN where it has fewer
    """

    n: int
    edge: float
    rim: float
    counted: float = np.nan
    cube: float = np.nan
    own: float = np.nan


class State(Record):
    """What was measured is `seen`; the rest is what a moment looks at.

    seen: one for each number of dimensions so far
    now: the one that is looked at, None before
    spread: (2, bins) shares of all distances by their size beside the mean, cube and table
    """

    seen: Prefix[Seen]
    now: Seen | None = None
    spread: Float | None = None


class Setting(Given[Params]):
    """The unit cube of N uniform points, and the columns of the table that is measured beside
    it.
    """

    @cached_property
    def N(self) -> int:
        """The number of points in the cube; raises EngineError where it is below k."""
        N = self.problem.n if self.p.points is None else self.p.points
        if self.p.k > N:
            raise EngineError(
                f"A cube cannot hold {self.p.k} of {counted(N, 'point')}: lower k or raise N."
            )
        return N

    @property
    def sizes(self) -> list[int]:
        """The numbers of dimensions to visit, ascending; the last is the one set."""
        return [n for n in SIZES if n < self.p.dimensions] + [self.p.dimensions]

    def edge(self, n: int) -> float:
        """ℓ = (k/N)^(1/n): the edge of a cube that holds k of N uniform points in n dimensions, as
        a share of the side.
        """
        return float((self.p.k / self.N) ** (1 / n))

    def rim(self, n: int) -> float:
        """1 − (1 − 2s)ⁿ, the share of the n-dimensional cube that lies within s of its sides."""
        return float(1 - (1 - 2 * self.p.rim) ** n)

    @cached_property
    def columns(self) -> Int:
        """(c,) the indices of the numeric columns that have a value."""
        X = self.problem.X
        numeric = [j for j, feature in enumerate(self.problem.features) if feature.numeric]
        known = [j for j in numeric if not np.isnan(X[:, j]).all()]
        return frozen(known, np.intp)

    @cached_property
    def own(self) -> Float:
        """(r, c) these columns of the first rows that have them all, between 0 and 1; (0, 0) of
        fewer than three rows.
        """
        X = self.problem.X[:, self.columns]
        X = X[~np.isnan(X).any(axis=1)][:MOST]
        if len(X) < 3:
            return np.zeros((0, 0))
        low = X.min(axis=0) / 2  # halves, so that no difference is beyond all numbers
        high = X.max(axis=0) / 2
        return frozen((X / 2 - low) / np.where(high > low, high - low, 1.0))

    @cached_property
    def used(self) -> Int:
        """The indices of the columns whose distances are measured: as many as the largest visited
        number of dimensions that the table has.
        """
        d = self.own.shape[1]
        return self.columns[: max((n for n in self.sizes if n <= d), default=0)]

    @cached_property
    def left_out(self) -> LeftOut:
        """The columns and rows of the table that are not measured: columns of words or beyond the
        dimensions, rows with gaps or beyond MOST.
        """
        if not len(self.used):
            return LeftOut()
        problem = self.problem
        return LeftOut(without(problem, self.used.tolist()), problem.n - len(self.own), problem.n)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    own = given.own
    m = int(np.clip(len(own) or given.problem.n, LEAST, MOST))
    U = rng.random((m, given.p.dimensions))  # points of the cube
    _ = given.N  # raises EngineError for more neighbours than points
    s = State(Prefix([], 0))
    yield from at("start", s)
    cube = np.zeros((m, m))  # squares of the distances in the first n columns
    table = np.zeros((len(own), len(own)))
    n_before = 0
    for n in given.sizes:
        s = replace(s, now=Seen(n, given.edge(n), given.rim(n)))
        yield from at("edge", s)
        yield from at("shell", s)
        yield from add_columns(cube, U, n_before, n)
        yield from add_columns(table, own, n_before, n)
        n_before = n
        there = table if n <= own.shape[1] else table[:0, :0]
        s = measured(given, s, U[:, :n], np.sqrt(cube), np.sqrt(there))
        yield None
        edge_before = s.seen[-2].edge if len(s.seen) > 1 else 0.0
        yield from at("near", s, *when(half=edge_before < 0.5 <= s.seen[-1].edge))
    yield from at("told", s)


def measured(given: Setting, s: State, U: Float, cube: Float, table: Float) -> State:
    """The state with what is measured in n dimensions.

    U: (m, n) points of the cube
    cube: (m, m) their distances
    table: (r, r) distances of the rows, (0, 0) where the table has fewer than n columns
    """
    assert s.now is not None
    from_middle = np.abs(U - 0.5).max(axis=1)
    in_rim = from_middle > 0.5 - given.p.rim
    now = s.now._replace(counted=float(in_rim.mean()), cube=contrast(cube), own=contrast(table))
    spread = frozen([shares(cube), shares(table)])
    return replace(s, now=now, seen=s.seen.plus(now), spread=spread)


def contrast(D: Float) -> float:
    """The mean over all places of nearest / farthest distance, from the distances D (m, m).

    NaN for no places, 1 where all lie at one place.
    """
    if not len(D):
        return np.nan
    itself = np.diag(np.full(len(D), np.inf))
    nearest = (D + itself).min(axis=1)
    farthest = D.max(axis=1)
    apart = farthest > 0
    ratio = np.where(apart, nearest / np.where(apart, farthest, 1.0), 1.0)
    return float(ratio.mean())


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    """The measurements at the current number of dimensions by name; {} before the first."""
    if s.now is None:
        return {}
    now = {"edge": s.now.edge, "rim": s.now.rim, "cube": s.now.cube, "own": s.now.own}
    return {name: value for name, value in now.items() if np.isfinite(value)}


def example() -> Problem:
    """Twenty points of two columns."""
    return prepare(generate("moons", 20, 0.2))


ALGORITHM = Algorithm.of(
    __name__,
    title="Curse of dimensionality",
    task=Task.THEORY,
    source=("AIMA 18.8.1", "AIMA Fig 18.27", "MMDS 12.4.5", "MMDS 12.5"),
    needs=Needs(labels=False, missing=True),
    curves=(
        Curve("edge", "edge ℓ of the cube that holds k of N"),
        Curve("cube", "nearest / farthest in the cube"),
        Curve("own", "nearest / farthest in the table"),
        Curve("rim", "share in the rim", bound=True),
    ),
    events=("half",),
)
