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
from engine.authoring import (
    Setting as Given,
)
from engine.experiments.parts.left_out import LeftOut, without
from engine.numerics.closeness import tidy
from engine.numerics.distances import (
    Space,
    mahalanobis_space,
    minkowski_space,
    norm,
    unit_ball,
)

PSEUDOCODE = """
query round:    q: the place that is asked about
measure detail: for each way to measure: d(x, q)
nearest:          the x of least d, and its ball
told round:     who was nearest, and how often
"""
POWERS = (1.0, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, inf)
NAMES = {1.0: ", Manhattan", 2.0: ", Euclid", inf: ", largest difference"}
TWICE = 2.0  # how much each axis is stretched in turn, where no factors are given
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
    """What was found is `nearest`; the fields after it are what this step shows.

    nearest: for each way so far the rows of least distance
    current: number of the way that is looked at, or −1
    distance: the least by it, NaN before it is measured
    """

    nearest: Prefix[tuple[int, ...]]
    current: int = -1
    distance: float = np.nan

    @property
    def others(self) -> int:
        """The number of different rows that are nearest by at least one distance."""
        return len({rows[0] for rows in self.nearest})


class Setting(Given[Params]):
    """The query q, the n rows and the distances to compare."""

    @cached_property
    def rows(self) -> Int:
        """(n,) the indices of the rows with both values of the plane."""
        return frozen(np.flatnonzero(np.isfinite(self.problem.xy).all(axis=1)))

    @cached_property
    def q(self) -> Float:
        """(2,) the place on the plane."""
        if self.p.query:
            return frozen(self.p.query, np.float64)
        probe = self.problem.query
        whole = self.problem.anchor if probe is None else probe
        return frozen(self.problem.to_plane(whole[None])[0], np.float64)

    @property
    def names(self) -> tuple[str, ...]:
        """The titles of the two columns of the plane."""
        return tuple(self.problem.features[j].title for j in self.problem.plane)

    @cached_property
    def ways(self) -> Mapping[str, Space]:
        """The ways to measure, by their names: the places z of the columns x, and which p.

        minkowski_space: zⱼ = xⱼ · stretchⱼ, and before that (xⱼ − mean) / standard deviation where
        they are normalised.
        """
        X = self.problem.xy[self.rows]
        powers = POWERS if self.p.p is None else (self.p.p,)
        found = {power_name(p): minkowski_space(X, p) for p in powers}
        p = self.p.p or 2.0
        found["columns / spread"] = minkowski_space(X, p, normalise=True)
        if isinstance(self.mahalanobis, Space):
            found["Mahalanobis"] = self.mahalanobis
        each_in_turn = ((TWICE, 1.0), (1.0, TWICE))
        for factors in (self.p.stretch,) if self.p.stretch else each_in_turn:
            name = self.stretch_name(factors)
            found[name] = minkowski_space(X, p, stretch=factors)
        return found

    @cached_property
    def mahalanobis(self) -> Space | str:
        """The space z = (x − mean) W of the Mahalanobis distance; or a sentence why S has no
        inverse.

        W Wᵀ = S⁻¹, S the covariance of the columns, so that |z(x) − z(q)|² = (x − q)ᵀ S⁻¹ (x −
        q).
        """
        try:
            return mahalanobis_space(self.problem.xy[self.rows], self.names)
        except EngineError as why:
            return str(why)

    def stretch_name(self, factors: Sequence[float]) -> str:
        """The factors of the columns in words: "x1 · 2", or "nothing stretched"."""
        pairs = zip(self.names, factors, strict=False)
        parts = [f"{name} · {short(factor)}" for name, factor in pairs if factor != 1]
        return " and ".join(parts) or "nothing stretched"

    @cached_property
    def left_out(self) -> LeftOut:
        """The columns that are not on the plane, and the rows with a gap there."""
        problem = self.problem
        return LeftOut(without(problem, problem.plane), problem.n - len(self.rows), problem.n)

    @cached_property
    def distances(self) -> Sequence[Float]:
        """The distances d(x, q) of the rows (n,), for each way to measure."""
        xy = self.problem.xy[self.rows]
        return [distances(way, xy, self.q) for way in self.ways.values()]

    @cached_property
    def rims(self) -> Sequence[Float]:
        """For each way to measure, the rim (m, 2) of the ball of radius 1 around 0, in the columns
        of the plane; (0, 2) where a factor is 0.
        """
        return [rim(way) for way in self.ways.values()]


def power_name(p: float) -> str:
    """The exponent of a Minkowski distance with its name: "p = 2, Euclid"."""
    value = number(p) if p == inf else short(p)
    return f"p = {value}{NAMES.get(p, '')}"


def distances(way: Space, xy: Float, q: Float) -> Float:
    """(n,) d(x, q) = (Σ |zⱼ(x) − zⱼ(q)|ᵖ)^(1/p), for p = ∞ the largest of |zⱼ(x) − zⱼ(q)|.

    z(x) are the two columns as this way has them: x itself, (x − mean) / standard deviation,
    x · stretch or, for Mahalanobis, (x − mean) W with W Wᵀ = S⁻¹. Distances that are equal up to
    rounding are made equal.
    """
    z = way.embed(xy)
    z_q = way.embed(q[None])
    return frozen(tidy(norm(way.gaps(z, z_q), way.p)))


def rim(way: Space) -> Float:
    """(m, 2) the places at distance 1 from 0 by this way to measure."""
    scale = way.axes((0, 1))  # how far z moves with each axis
    if scale.shape != (2, 2):
        return frozen(np.zeros((0, 2)))
    return frozen(unit_ball(way.p) @ np.linalg.inv(scale))


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
        d = given.distances[way]  # (n,) d(x, q)
        yield from at("measure", s)
        least = d.min()
        nearest = tuple(given.rows[d == least].tolist())
        another = bool(s.nearest) and nearest[0] != s.nearest[-1][0]
        s = replace(s, nearest=s.nearest.plus(nearest), distance=float(least))
        yield from at("nearest", s, *when(another=another, tie=len(nearest) > 1))
        yield None
    yield from at("told", replace(s, current=-1, distance=np.nan))


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    found = {}
    if s.nearest:
        found["others"] = float(s.others)
    if np.isfinite(s.distance):
        found["distance"] = s.distance
    return found


def example() -> Problem:
    """Ten points around a query whose nearest neighbour differs between p = 1, p = 2 and p = ∞."""
    x = [1.9, 1.05, 0.1, -1.6, -1, 1.8, 2.6, -2.4, -2, 0.4]
    y = [0, 1.05, 2.0, -1.4, 1.8, -1.4, 2.2, -2.6, -0.2, -2.3]
    data = Dataset.from_arrays(np.column_stack([x, y]), list("AABABBAABB"))
    return prepare(data, query=(0.0, 0.0))


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
