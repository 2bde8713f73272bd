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
    Setting as Given,
    Steps,
    Task,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.core.notation import counted
from engine.data.generators import generate
from engine.experiments.curse_of_dimensionality.distances import contrast, shares
from engine.experiments.parts.left_out import LeftOut, without

PSEUDOCODE = """
start round:  a cube of N even points, side 1
edge detail:  for n dimensions: ℓ = (k/N)^(1/n)
shell detail:   rim = 1 − (1 − 2s)ⁿ
near:           nearest / farthest, mean
told round:   what is left of “near”
"""
SIZES = (1, 2, 3, 4, 5, 7, 10, 14, 17, 20, 30, 50, 70, 100, 140, 200, 300, 500, 700, 1000)
LEAST, MOST = 20, 300  # points that are drawn in the cube, and rows that are measured
WORK = 4  # dimensions between two looks whether to go on


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
    """With n dimensions: the edge of the cube that holds k of N; the share in the rim, by the law
    and counted; how far the nearest is beside the farthest, in the cube and in so many columns of
    the table, NaN where there are not so many.
    """

    n: int
    edge: float
    rim: float
    counted: float = np.nan
    cube: float = np.nan
    own: float = np.nan


class State(Record):
    """seen: one for each number of dimensions so far; now: the one that is looked at; spread (2,
    bins): the shares of all distances by their size beside the mean, of the cube and of the table.
    """

    seen: Prefix[Seen]
    now: Seen | None = None
    spread: Float | None = None


class Setting(Given[Params]):
    """N, n: as asked or of the table; own (m, d): the columns of numbers of the first rows that
    have them all, between 0 and 1; columns: which they are.
    """

    @cached_property
    def N(self) -> int:
        N = self.problem.n if self.p.points is None else self.p.points
        if self.p.k > N:
            raise EngineError(
                f"A cube cannot hold {self.p.k} of {counted(N, 'point')}: lower k or raise N."
            )
        return N

    sizes = property(
        lambda given: [n for n in SIZES if n < given.p.dimensions] + [given.p.dimensions]
    )

    @cached_property
    def columns(self) -> Int:
        known = [
            j
            for j, f in enumerate(self.problem.features)
            if f.numeric and not np.isnan(self.problem.X[:, j]).all()
        ]
        return frozen(known, np.intp)

    @cached_property
    def own(self) -> Float:
        X = self.problem.X[:, self.columns]
        X = X[~np.isnan(X).any(axis=1)][:MOST]
        if len(X) < 3:
            return np.zeros((0, 0))
        low = X.min(axis=0)
        high = X.max(axis=0)
        return frozen((X / 2 - low / 2) / np.where(high > low, high / 2 - low / 2, 1.0))

    @cached_property
    def used(self) -> Int:
        """The columns of the table whose distances are measured: as many as the largest number of
        dimensions that it has.
        """
        d = self.own.shape[1]
        return self.columns[: max((n for n in self.sizes if n <= d), default=0)]

    @cached_property
    def left_out(self) -> LeftOut:
        """Columns and rows of a table that is measured: one of words or beyond the dimensions, one
        with gaps or beyond MOST.
        """
        if not len(self.used):
            return LeftOut()
        problem = self.problem
        return LeftOut(without(problem, self.used.tolist()), problem.n - len(self.own), problem.n)

    def edge(self, n: int) -> float:
        return float((self.p.k / self.N) ** (1 / n))

    def rim(self, n: int) -> float:
        return float(1 - (1 - 2 * self.p.rim) ** n)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    own = given.own
    U = rng.random((int(np.clip(len(own) or given.problem.n, LEAST, MOST)), given.p.dimensions))
    squares, of_table = np.zeros((len(U), len(U))), np.zeros((len(own), len(own)))
    s = State(Prefix([], 0))
    _ = given.N  # more neighbours than points are refused before anything is told
    yield from at("start", s)
    begun = 0
    for n in given.sizes:
        s = replace(s, now=Seen(n, given.edge(n), given.rim(n)))
        yield from at("edge", s)
        yield from at("shell", s)
        for j in range(begun, n):
            squares += np.subtract.outer(U[:, j], U[:, j]) ** 2
            if j < own.shape[1]:
                of_table += np.subtract.outer(own[:, j], own[:, j]) ** 2
            yield from [None] * (j % WORK == 0)
        begun = n
        table = of_table if n <= own.shape[1] else of_table[:0, :0]
        yield None
        s = measured(given, s, U[:, :n], np.sqrt(squares), np.sqrt(table))
        before = s.seen[-2].edge if len(s.seen) > 1 else 0.0
        yield None
        yield from at("near", s, *when(half=before < 0.5 <= s.seen[-1].edge))
    yield from at("told", s)


def measured(given: Setting, s: State, U: Float, cube: Float, own: Float) -> State:
    """cube (m, m) and own (r, r): distances, (0, 0) where the table has not so many columns."""
    assert s.now is not None
    rim = float((np.abs(U - 0.5).max(axis=1) > 0.5 - given.p.rim).mean())
    now = s.now._replace(counted=rim, cube=contrast(cube), own=contrast(own))
    return replace(s, now=now, seen=s.seen.plus(now), spread=frozen([shares(cube), shares(own)]))


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    told = {} if s.now is None else s.now._asdict()
    return {
        name: told[name]
        for name in ("edge", "rim", "cube", "own")
        if np.isfinite(told.get(name, np.nan))
    }


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
