"""Naive Bayes: count how usual each value is in each class, multiply, take the larger product.

MIT 2.5, ML 6.
"""

from typing import Annotated, Literal

from engine.algorithms.bayes.naive_bayes.products import Column, Pair, Products, odds, product
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
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    When,
    cached_property,
    np,
    prepare,
    replace,
    when,
)
from engine.authoring import (
    Setting as Given,
)
from engine.base.arrays import Prefix
from engine.base.notation import Share
from engine.numerics.boolean import Classes, domain, labels, to_values
from engine.scene.boolean import two_valued

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
    "fractions: exact, however long; floats: as computers calculate, where long products underflow"
    " to 0"
)
ESTIMATE = (
    "m-estimate (ML 6.13): adds m examples in which all values are equally usual; m = number of"
    " values is Laplace; 0: none"
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
    m: Annotated[
        int, Range(0, 10_000), Label("Virtual rows m"), Help(ESTIMATE), When("laplace", (False,))
    ] = 0


class State(Record):
    """The model is `R` and `prior`; the fields after `ones` are the query and what this step shows.

    R: of each column counted so far, for each of its values, the share in P and the share in N
    prior: the share of each class among the examples
    ones: (d,) in the linear rule a column counts as 1 where it has this value of its own, else as 0
    query: (d,) x, the values of the query
    used: how many factors are multiplied
    column: looked at, or −1
    errors: examples that get another class than their own
    """

    R: Prefix[Column]
    prior: tuple[Share, ...]
    ones: tuple[int, ...]
    query: Float
    used: int
    column: int
    errors: int

    @property
    def weights(self) -> Float:
        """(columns counted,) the weights of the linear rule that the counts give, see `odds`."""
        return odds(self.R, self.ones)[0]

    @property
    def bias(self) -> float:
        """The bias of the linear rule that the counts give, see `odds`."""
        return odds(self.R, self.ones)[1]


class Setting(Given[Params]):
    """The values of the table by class, and the initial products S(+) and S(−)."""

    @cached_property
    def X(self) -> Float:
        """(n, d) the values of the examples."""
        return np.asfortranarray(to_values(self.problem.features, self.problem.X))

    @cached_property
    def P(self) -> Int:
        """(p, d) the values of the positives, the first class."""
        return np.asfortranarray(self.X[self.problem.codes == 0], np.intp)

    @cached_property
    def N(self) -> Int:
        """(n − p, d) the values of the negatives, the second class."""
        return np.asfortranarray(self.X[self.problem.codes == 1], np.intp)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """(d,) the number of values of each column."""
        return tuple(len(domain(feature)) for feature in self.problem.features)

    @cached_property
    def ones(self) -> tuple[int, ...]:
        """(d,) in the linear rule a column counts as 1 where it has this value, else as 0."""
        return tuple(int(two_valued(self.problem, j)) for j in range(self.problem.d))

    @cached_property
    def query(self) -> Float:
        """(d,) the query x in stored values; raises EngineError for a word that is no value of its
        column.
        """
        return query_row(self.problem, self.p.query)

    @cached_property
    def prior(self) -> tuple[Share, ...]:
        """The share of each of the two classes among the labelled examples."""
        whole = len(self.P) + len(self.N)
        return Share((len(self.P), whole)), Share((len(self.N), whole))

    @property
    def begin(self) -> tuple[Share, ...] | None:
        """S(+) and S(−) before the first factor: the prior, or None for 1."""
        return self.prior if self.p.prior else None

    @property
    def kind(self) -> str:
        """How S is computed: in 'fractions', or in floats as 'products' or sums of 'logs'."""
        if self.p.arithmetic == "fractions":
            return "fractions"
        return "logs" if self.p.logs else "products"

    def products(self, X: Float) -> Products:
        """The products S of all rows X (m, d), before the first factor."""
        return Products(X, self.begin, self.kind)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    rows = given.products(given.X)  # of the examples, to see which are wrong so far
    R: Prefix[Column] = Prefix([], 0)
    errors = wrong(given, rows)
    s = State(R, given.prior, given.ones, given.query, used=0, column=-1, errors=errors)
    yield from at("split", s)
    s = yield from counted(given, at, s, rows)
    s = replace(s, column=-1)
    yield from at("query", s)  # S(+), S(−) ← 1, or the share of the class, see `begin`
    for j in range(given.problem.d):
        s = replace(s, used=j + 1, column=j)  # S ← S · R[j](x[j]), see `S`
        yield from at("factor", s)
    s = replace(s, column=-1)
    plus, minus = S(given, s)
    yield from at("answer", s, *when(tie=plus == minus))  # + if S(+) > S(−), else −


def counted(given: Setting, at: At, s: State, rows: Products) -> Part[State, State]:
    """The state with R[j](v, ·) of every column j and value v: the shares of v among the examples P
    and N.
    """
    P, N = given.P, given.N
    for j, size in enumerate(given.sizes):
        yield None  # a long table can be left between its columns
        s = replace(s, column=j)
        yield from at("count", s)
        positive = shares(given, np.bincount(P[:, j], minlength=size).tolist(), len(P))
        yield from at("positive", s, shares=positive)
        negative = shares(given, np.bincount(N[:, j], minlength=size).tolist(), len(N))
        column = Column(zip(positive, negative, strict=True))
        s = replace(s, R=s.R.plus(column), errors=wrong(given, rows.times(column)))
        yield from at("negative", s)
    return s


def shares(given: Setting, counts: list[int], rows: int) -> tuple[Share, ...]:
    """The share count / rows of each value of a column, not reduced (2/7 stays 2/7); with Laplace
    (count + 1) / (rows + values), with an m-estimate (count + m p) / (rows + m), p = 1 / values.
    """
    k = len(counts)
    m = k if given.p.laplace else given.p.m
    if m % k:  # m p is no whole number
        return tuple(Share((k * count + m, k * (rows + m))) for count in counts)
    return tuple(Share((count + m // k, rows + m)) for count in counts)


def S(given: Setting, s: State) -> Pair:
    """(S(+), S(−)) = Π_j R[j](x[j]) of the factors used, in each class; times the class's share of
    the examples if that counts. A sum of logarithms where floats are added.
    """
    R = s.R[: s.used]
    x = s.query
    if given.kind == "fractions":
        return product(R, x, 0, given.begin), product(R, x, 1, given.begin)
    plus, minus = given.products(x[None]).times(*R).sums[0].tolist()
    return plus, minus


def wrong(given: Setting, rows: Products) -> int:
    """The number of labelled examples that get the other class; a tie counts as the second
    class.
    """
    return int(((rows.codes() != given.problem.codes) & given.problem.labelled).sum())


def model(given: Setting, s: State) -> Classes:
    """A function from values (m, d) to class codes (m,): 0 where S(+) > S(−), else 1."""

    def classes(values: Float) -> Int:
        return given.products(values).times(*s.R).codes()

    return classes


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) class indices of rows X (m, d); −1 where a value is missing."""
    return labels(given.problem.features, X, model(given, s))


def scores(given: Setting, s: State, X: Float) -> Float:
    """(m,) ln S(+) − ln S(−) of rows X (m, d)."""
    values = to_values(given.problem.features, X)
    return Products(values, given.begin, "fractions").times(*s.R).log_odds()


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
