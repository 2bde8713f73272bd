"""Naive Bayes for numbers: in each class every column has a bell of its own. ML 6.13."""

from typing import Annotated, Literal

from engine.algorithms.bayes.parts.classes import Counted, lead, ln, winner
from engine.authoring import (
    LINEAR_ROWS,
    Algorithm,
    At,
    Curve,
    Dataset,
    Float,
    Help,
    Int,
    Label,
    Length,
    Needs,
    Place,
    Problem,
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

PSEUDOCODE = """
prior   round:  P(v) ← n[v] / n
class   detail: for each class v, column j:
mean    detail:   μ[v,j] ← mean of x[j] in v
spread:           σ²[v,j] ← mean of (x[j]−μ)²
query   round:  at an example x: S(v) ← P(v)
factor:           for each j: S(v) ← S(v) N(x[j])
answer  round:  return the v of the largest S(v)
"""
LEAST = 1e-9  # of the variance of all examples in a column: no class is narrower
SHAPES = (
    "each: a σ² of its own for every class, borders are conic. shared: one σ² for all classes,"
    " borders are lines"
)


class Params(Record, eq=True):
    variances: Annotated[Literal["each", "shared"], Label("Variances"), Help(SHAPES)] = "each"
    query: Annotated[
        tuple[float, ...],
        Label("Query"),
        Length("columns"),
        Place(),
        Help("one number for each column; empty: the first row"),
    ] = ()


class State(Record):
    """The model is `means`, `variances` and `prior`; NaN where they are not known yet.

    means: (k, d) μ
    variances: (k, d) σ²
    prior: (k,) P(v)
    query: (d,) x, the place of the query
    used: how many factors are multiplied
    label: the class whose bells were just computed, or −1
    column: the column of the last factor, or −1
    errors: examples that get another class than their own
    """

    means: Float
    variances: Float
    prior: Float
    query: Float
    used: int
    label: int
    column: int
    errors: int


class Setting(Counted):
    """The numbers of the examples by class, and the least variance of each column."""

    @cached_property
    def rows(self) -> Float:
        """(m, d) the examples that have a class."""
        return self.problem.X[self.problem.labelled]

    @cached_property
    def least(self) -> Float:
        """(d,) the least variance; of a column where all values are equal 1, as it tells
        nothing.
        """
        whole = self.rows.var(axis=0)
        return np.where(whole > 0, LEAST * whole, 1.0)

    @cached_property
    def query(self) -> Float:
        """(d,) the query x: as typed, the probe, or the first row."""
        if self.p.query:
            return frozen(self.p.query, np.float64)
        return frozen(self.problem.X[0] if self.problem.query is None else self.problem.query)

    def of_class(self, v: int) -> Float:
        """(n[v], d) the examples of class v; of a class without any all examples, as its prior is
        0 anyway.
        """
        own = self.problem.X[self.problem.codes == v]
        return own if len(own) else self.rows

    def logs(self, s: State, X: Float) -> Float:
        """(m, k) ln S(v) = ln P(v) + Σ ln N(x[j]; μ[v,j], σ²[v,j]) of rows X (m, d), over the
        classes whose bells are known; the others have −∞.
        """
        found = np.full((len(X), self.k), -np.inf)
        for v in np.flatnonzero(~np.isnan(s.variances[:, 0])).tolist():
            bells = bell_logs(X, s.means[v], s.variances[v])
            found[:, v] = ln(s.prior)[v] + bells.sum(axis=1)
        return found


def bell_logs(x: Float, mu: Float, variance: Float) -> Float:
    """ln N(x; μ, σ²) = −(x − μ)² / 2σ² − ½ ln 2πσ², elementwise."""
    return np.asarray(-0.5 * ((x - mu) ** 2 / variance + np.log(2 * np.pi * variance)))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    k, d = given.k, given.problem.d
    nothing = frozen(np.full((k, d), np.nan))
    errors = int(given.problem.labelled.sum())
    s = State(nothing, nothing, given.prior, given.query, 0, -1, -1, errors)
    yield from at("prior", s)
    for v in range(k):
        yield None
        s = replace(s, label=v)
        yield from at("class", s)
        own = given.of_class(v)
        mu = own.mean(axis=0)
        s = replace(s, means=with_row(s.means, v, mu))
        yield from at("mean", s)
        spread = np.maximum(((own - mu) ** 2).mean(axis=0), given.least)
        s = replace(s, variances=with_spread(given, s, spread))
        s = replace(s, errors=given.wrong(given.logs(s, given.problem.X)))
        yield from at("spread", s)
    s = replace(s, label=-1)
    yield from at("query", s)  # S(v) ← P(v)
    for j in range(d):
        s = replace(s, used=j + 1, column=j)  # S(v) ← S(v) · N(x[j]; μ, σ²), see `S`
        yield from at("factor", s)
    s = replace(s, column=-1)
    best = winner(S(given, s)[None])[0]
    yield from at("answer", s, *when(none=best < 0))


def with_row(table: Float, v: int, row: Float) -> Float:
    """The table (k, d) with another row v."""
    changed = table.copy()
    changed[v] = row
    return frozen(changed)


def with_spread(given: Setting, s: State, spread: Float) -> Float:
    """The variances (k, d) with those of class `s.label`; where they are shared, all classes so far
    have the mean of theirs, weighted by P(v).
    """
    v = s.label
    if given.p.variances == "each" or v == 0:
        return with_row(s.variances, v, spread)
    P = s.prior[: v + 1]
    one = spread
    if P.sum() > 0:
        one = (P[:v].sum() * s.variances[0] + P[v] * spread) / P.sum()
    table = s.variances.copy()
    table[: v + 1] = np.maximum(one, given.least)
    return frozen(table)


def S(given: Setting, s: State) -> Float:
    """(k,) ln S(v) of the query by the factors used so far."""
    bells = bell_logs(s.query[: s.used], s.means[:, : s.used], s.variances[:, : s.used])
    return np.asarray(ln(s.prior) + bells.sum(axis=1))


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) class indices of rows X (m, d); −1 while no bell is known."""
    return winner(given.logs(s, X))


def scores(given: Setting, s: State, X: Float) -> Float:
    """ln S of each class (m, k); of two classes (m,) the first less the second."""
    return lead(given.logs(s, X))


def example() -> Problem:
    """Three classes of four points: a wide one, a high one and a small one."""
    wide = [[-4.0, 0.0], [-2.0, 0.6], [0.0, -0.6], [-2.0, 0.0]]
    high = [[3.0, 3.0], [3.4, 5.0], [2.6, 1.0], [3.0, 3.0]]
    small = [[1.0, -2.6], [1.4, -3.0], [0.6, -3.0], [1.0, -3.4]]
    y = ["A"] * 4 + ["B"] * 4 + ["C"] * 4
    return prepare(Dataset.from_arrays(wide + high + small, y))


ALGORITHM = Algorithm.of(
    __name__,
    title="Naive Bayes, numbers",
    task=Task.CLASSIFY,
    source=(),
    extension=True,
    needs=Needs(min_classes=2, numeric=True, sample=LINEAR_ROWS),
    curves=(Curve("errors", "wrong examples", of_n=True, digits=0),),
    events=("none",),
)
