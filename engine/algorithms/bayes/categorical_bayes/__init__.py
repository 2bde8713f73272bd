"""Naive Bayes for any number of classes: shares of words, made less extreme by an m-estimate.

ML 6.13.
"""

from typing import Annotated, Literal

from engine.algorithms.bayes.parts.classes import Counted, lead, ln, winner
from engine.algorithms.bayes.parts.query import query_fits, query_row
from engine.authoring import (
    LINEAR_ROWS,
    Algorithm,
    At,
    Curve,
    Dataset,
    Fits,
    Float,
    Help,
    Int,
    Label,
    Needs,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    When,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.base.arrays import Prefix
from engine.numerics.boolean import domain, to_values

PSEUDOCODE = """
prior  round:  P(v) ← n[v] / n
column detail: for each column j:
count:           P(a|v) ← n[a,v] / n[v]
query  round:  at an example x: S(v) ← P(v)
factor:          for each j: S(v) ← S(v) P(x[j]|v)
answer round:  return the v of the largest S(v)
"""
ESTIMATE = (
    "shares: as counted. Laplace: 1 more in each count. m-estimate: m more examples, in which the"
    " values of a column are equally usual"
)
QUERY = "for each column one of its words, or its place in their list from 0; empty: the first row"


class Params(Record, eq=True):
    estimate: Annotated[
        Literal["shares", "Laplace", "m-estimate"], Label("Estimate"), Help(ESTIMATE)
    ] = "shares"
    m: Annotated[
        float,
        Range(0.01, 1000, log=True),
        Label("Virtual rows m"),
        When("estimate", ("m-estimate",)),
    ] = 1.0
    query: Annotated[tuple[float | str, ...], Label("Query"), Help(QUERY), Fits(query_fits)] = ()


class State(Record):
    """The model is `tables` and `prior`; the other fields are the query and what this step shows.

    tables: of each column counted so far (values, k) P(a|v)
    prior: (k,) P(v)
    query: (d,) x, the values of the query
    used: how many factors are multiplied
    column: looked at, or −1
    errors: examples that get another class than their own
    """

    tables: Prefix[Float]
    prior: Float
    query: Float
    used: int
    column: int
    errors: int


class Setting(Counted):
    """The values of the table, and what is added to their counts."""

    @cached_property
    def X(self) -> Int:
        """(n, d) the values of the examples by their numbers."""
        return np.asfortranarray(to_values(self.problem.features, self.problem.X), np.intp)

    @cached_property
    def values(self) -> tuple[int, ...]:
        """(d,) the number of values of each column."""
        return tuple(len(domain(feature)) for feature in self.problem.features)

    @cached_property
    def query(self) -> Float:
        """(d,) the query x; raises EngineError for a word that is no value of its column."""
        return query_row(self.problem, self.p.query)

    def added(self, j: int) -> float:
        """m: how many examples the estimate adds to each class for column j."""
        if self.p.estimate == "Laplace":
            return float(self.values[j])
        return float(self.p.m) if self.p.estimate == "m-estimate" else 0.0

    def counts(self, j: int) -> Float:
        """(values, k) n[a,v], the examples of class v with value a in column j."""
        rows = self.problem.labelled
        at = self.X[rows, j] * self.k + self.problem.codes[rows]
        found = np.bincount(at, minlength=self.values[j] * self.k)
        return np.asarray(found.reshape(-1, self.k), np.float64)

    def logs(self, s: State, X: Float) -> Float:
        """(m, k) ln S(v) of rows X (m, d) by the columns counted so far."""
        values = to_values(self.problem.features, X).astype(np.intp)
        found = np.tile(ln(s.prior), (len(X), 1))
        for j, table in enumerate(s.tables):
            found += ln(table)[values[:, j]]
        return found


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    logs = np.tile(ln(given.prior), (given.problem.n, 1))  # (n, k) ln S(v) of the examples so far
    tables = Prefix[Float]([], 0)
    s = State(tables, given.prior, given.query, 0, -1, given.wrong(logs))
    yield from at("prior", s)
    for j in range(given.problem.d):
        yield None  # a long table can be left between its columns
        s = replace(s, column=j)
        yield from at("column", s)
        P = estimate(given, j)
        logs += ln(P)[given.X[:, j]]
        s = replace(s, tables=s.tables.plus(P), errors=given.wrong(logs))
        yield from at("count", s)
    s = replace(s, column=-1)
    yield from at("query", s)  # S(v) ← P(v)
    for j in range(given.problem.d):
        s = replace(s, used=j + 1, column=j)  # S(v) ← S(v) · P(x[j]|v), see `S`
        yield from at("factor", s)
    s = replace(s, column=-1)
    best = winner(S(given, s)[None])[0]
    yield from at("answer", s, *when(none=best < 0))


def estimate(given: Setting, j: int) -> Float:
    """(values, k) P(a|v) = (n[a,v] + m p) / (n[v] + m), p = 1 / values; even where there is neither
    an example nor m.
    """
    n = given.counts(j)
    m = given.added(j)
    p = 1 / len(n)
    whole = n.sum(axis=0) + m
    with np.errstate(invalid="ignore", divide="ignore"):
        return frozen(np.where(whole > 0, (n + m * p) / whole, p))


def S(given: Setting, s: State) -> Float:
    """(k,) ln S(v) of the query by the factors used so far."""
    found = ln(s.prior).copy()
    for j in range(s.used):
        found += ln(s.tables[j][int(s.query[j])])
    return found


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) class indices of rows X (m, d); −1 where every product is 0."""
    return winner(given.logs(s, X))


def scores(given: Setting, s: State, X: Float) -> Float:
    """ln S of each class (m, k); of two classes (m,) the first less the second."""
    return lead(given.logs(s, X))


def example() -> Problem:
    """Nine animals in three classes, by what they wear and where they live."""
    skin = ["fur"] * 3 + ["feathers"] * 3 + ["scales"] * 2 + ["fur"]
    lives = ["land", "land", "water", "land", "water", "land", "water", "water", "land"]
    kind = ["mammal"] * 3 + ["bird"] * 3 + ["fish"] * 2 + ["mammal"]
    return prepare(Dataset.from_columns({"skin": skin, "lives": lives, "kind": kind}, "kind"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Naive Bayes, several classes",
    task=Task.CLASSIFY,
    source=("ML 6.13",),
    needs=Needs(min_classes=2, discrete=True, sample=LINEAR_ROWS),
    curves=(Curve("errors", "wrong examples", of_n=True, digits=0),),
    events=("none",),
)
