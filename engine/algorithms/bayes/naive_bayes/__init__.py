"""Naive Bayes: count how usual each value is in each class, multiply, take the larger product.

MIT 2.5, ML 6.
"""

from typing import Annotated, Literal

from engine.algorithms.bayes.naive_bayes.products import Column, Pair, Products, odds, product
from engine.algorithms.bayes.naive_bayes.query import asked, query_fits
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
    Part,
    Problem,
    Record,
    Rng,
    Setting as Given,
    Steps,
    Task,
    cached_property,
    np,
    prepare,
    replace,
    when,
)
from engine.core.arrays import Prefix
from engine.core.notation import Share
from engine.numerics.boolean import Classes, domain, labels, to_values
from engine.pictures.boolean import two_valued

PSEUDOCODE = """
split    round:  P ← positives, N ← negatives
count    detail: for each column j and value v:
positive detail:   R[j](v, +) ← share of v in P
negative:          R[j](v, −) ← share of v in N
query    round:  at an example x: S(+), S(−) ← 1
factor:            for each j: S ← S · R[j](x[j])
answer   round:  return + if S(+) > S(−), else −
"""
LAPLACE = (
    "Laplace correction: adds 1 to each count and the number of values to its whole; no share is 0"
    " or 1"
)
LOGS = "adds logarithms instead of multiplying: the same comparison, no underflow"
FLOATS = (
    "fractions: exact, however long; floats: as computers reckon, where long products underflow"
    " to 0"
)
QUERY = "for each column one of its words, or its place in their list from 0; empty: the first row"


class Params(Record, eq=True):
    laplace: Annotated[bool, Label("Laplace"), Help(LAPLACE)] = False
    logs: Annotated[bool, Label("Logarithms"), Help(LOGS)] = False
    prior: Annotated[
        bool, Label("Class prior"), Help("S starts with the class's share of the examples")
    ] = False
    arithmetic: Annotated[Literal["fractions", "floats"], Label("Arithmetic"), Help(FLOATS)] = (
        "fractions"
    )
    query: Annotated[tuple[float | str, ...], Label("Query"), Help(QUERY), Fits(query_fits)] = ()


class State(Record):
    """R: of each column counted so far, for each of its values, the share in the first and in the
    second class; prior: share of each class among the examples; ones (d,): the value of each column
    that is x = 1 in the linear rule; query (d,) values asked for; used: factors multiplied so far;
    column: looked at now or −1; errors: wrong training rows. weights (known,), bias: the linear
    rule that the shares make, see `odds`.
    """

    R: Prefix[Column]
    prior: tuple[Share, ...]
    ones: tuple[int, ...]
    query: Float
    used: int
    column: int
    errors: int

    weights = property(lambda s: odds(s.R, s.ones)[0])
    bias = property(lambda s: odds(s.R, s.ones)[1])


class Setting(Given[Params]):
    """X (n, d) stored values; P, N: its rows of the first and of the second class; sizes (d,):
    values of each column; ones (d,), prior, query (d,): see `State`; begin: what S is at the
    beginning, None for 1; kind: what S is then.
    """

    X = cached_property(
        lambda given: np.asfortranarray(to_values(given.problem.features, given.problem.X))
    )
    P = cached_property(lambda given: given.X[given.problem.codes == 0].astype(np.intp, order="F"))
    N = cached_property(lambda given: given.X[given.problem.codes == 1].astype(np.intp, order="F"))
    sizes = cached_property(
        lambda given: tuple(len(domain(feature)) for feature in given.problem.features)
    )
    ones = cached_property(
        lambda given: tuple(int(two_valued(given.problem, j)) for j in range(given.problem.d))
    )
    query = cached_property(lambda given: asked(given.problem, given.p.query))
    known = property(lambda given: len(given.P) + len(given.N))
    prior = cached_property(
        lambda given: tuple(Share((len(C), given.known)) for C in (given.P, given.N))
    )
    begin = property(lambda given: given.prior if given.p.prior else None)

    @property
    def kind(self) -> str:
        return (
            "fractions"
            if self.p.arithmetic == "fractions"
            else "logs"
            if self.p.logs
            else "products"
        )


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    rows = Products(given.X, given.begin, given.kind)
    s = State(Prefix([], 0), given.prior, given.ones, given.query, 0, -1, wrong(given, rows))
    yield from at("split", s)
    s = yield from counted(given, at, s, rows)
    s = replace(s, column=-1)
    yield from at("query", s)
    for j in range(given.problem.d):
        s = replace(s, used=j + 1, column=j)
        yield from at("factor", s)
    s = replace(s, column=-1)
    yield from at("answer", s, *when(tie=len(set(S(given, s))) == 1))


def counted(given: Setting, at: At, s: State, rows: Products) -> Part[State, State]:
    for j in range(given.problem.d):
        yield None  # a long table can be left between its columns
        s = replace(s, column=j)
        yield from at("count", s)
        positive = shares(
            given, np.bincount(given.P[:, j], minlength=given.sizes[j]).tolist(), len(given.P)
        )
        yield from at("positive", s, shares=positive)
        second = shares(
            given, np.bincount(given.N[:, j], minlength=given.sizes[j]).tolist(), len(given.N)
        )
        column = Column(zip(positive, second, strict=True))
        s = replace(s, R=s.R.plus(column), errors=wrong(given, rows.times(column)))
        yield from at("negative", s)
    return s


def shares(given: Setting, counts: list[int], rows: int) -> tuple[Share, ...]:
    """Of each value how often it stands in so many rows, as it is counted: 2/7 stays 2/7."""
    extra = int(given.p.laplace)
    return tuple([Share((count + extra, rows + extra * len(counts))) for count in counts])


def S(given: Setting, s: State) -> Pair:
    """The two numbers of which the larger one wins: in fractions or floats, or in floats ln S where
    logarithms are added.
    """
    if given.kind == "fractions":
        return product(s.R[: s.used], s.query, 0, given.begin), product(
            s.R[: s.used], s.query, 1, given.begin
        )
    first, second = (
        Products(s.query[None], given.begin, given.kind).times(*s.R[: s.used]).sums[0].tolist()
    )
    return first, second


def wrong(given: Setting, rows: Products) -> int:
    """How many rows get another class than their own; a tie is the second class."""
    return int(((rows.codes() != given.problem.codes) & given.problem.labelled).sum())


def model(given: Setting, s: State) -> Classes:
    return lambda values: Products(values, given.begin, given.kind).times(*s.R).codes()


def predict(given: Setting, s: State, X: Float) -> Int:
    return labels(given.problem.features, X, model(given, s))


def scores(given: Setting, s: State, X: Float) -> Float:
    return (
        Products(to_values(given.problem.features, X), given.begin, "fractions")
        .times(*s.R)
        .log_odds()
    )


def example() -> Problem:
    """The ten rows of MIT 2.5.3."""
    bits = ["0110", "0011", "1010", "0011", "0000", "1001", "1101", "1000", "1101", "1011"]
    columns = {f"f{j + 1}": [float(row[j]) for row in bits] for j in range(4)}
    return prepare(Dataset.from_columns({**columns, "y": [1] * 5 + [0] * 5}, "y"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Naive Bayes",
    task=Task.CLASSIFY,
    source=("MIT 2.5.1-2.5.25", "MIT 2.5.30-2.5.39", "ML 6.13"),
    needs=Needs(min_classes=2, max_classes=2, discrete=True, sample=LINEAR_ROWS),
    curves=(Curve("errors", "wrong examples", of_n=True, digits=0),),
    events=("tie",),
)
