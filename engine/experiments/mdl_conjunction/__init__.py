"""The conjunction of the shortest description: bits for its literals and bits for its errors.

ML Ex 6.5, AIMA 18.4.3.
"""

from itertools import combinations, product
from typing import Annotated

from engine.authoring import (
    Algorithm,
    At,
    Bool,
    Curve,
    Dataset,
    Float,
    Help,
    Int,
    Label,
    Needs,
    Part,
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
)
from engine.authoring import (
    Setting as Given,
)
from engine.experiments.parts.finite import Finite
from engine.experiments.parts.left_out import LeftOut

PSEUDOCODE = """
start  round:  a literal: log₂ n, an error: log₂ m
try    detail: for each h, the short ones first:
keep   detail:   |h| log₂ n + errors log₂ m less?
size:          the best of so many literals
done   round:  return the shortest description
"""
Literals = tuple[int, ...]  # the columns of its literals


class Params(Record, eq=True):
    columns: Annotated[
        int, Range(1, 12), Label("Columns n"), Help("at most; 2ⁿ conjunctions are tried")
    ] = 8


class State(Record):
    """The model is `best`; behind `sizes` stands what a moment looks at.

    best: the columns whose questions are in the shortest description so far
    wrong: how many rows it gets wrong
    least: its bits
    tried: (literals, errors) of all so far
    sizes: the best of 0, 1, … literals with its errors
    h: the columns of the conjunction that is tried
    errors: how many rows it gets wrong
    """

    best: Literals
    wrong: int
    least: float
    tried: Prefix[tuple[int, int]]
    sizes: Prefix[tuple[Literals, int]]
    h: Literals
    errors: int


class Setting(Given[Params]):
    """The labelled rows and their answers, one Boolean question for each column."""

    @cached_property
    def H(self) -> Finite:
        """The questions, one for each column, and what is left out; see `Finite.question_of` for
        the question of a column.
        """
        return Finite("conjunctions", self.problem, most=self.p.columns)

    @cached_property
    def left_out(self) -> LeftOut:
        """The columns beyond the first n, and the rows without a class."""
        n = self.problem.n
        return replace(self.H.left_out, rows=n - len(self.rows), all_rows=n)

    @cached_property
    def rows(self) -> Int:
        """(m,) those with a class."""
        return frozen(np.flatnonzero(self.problem.labelled))

    @cached_property
    def bits(self) -> Bool:
        """(m, n) their answers to the questions."""
        return frozen(self.H.bits(self.problem.X[self.rows]))

    @cached_property
    def plus(self) -> Bool:
        """(m,) which of them are of the first class."""
        return frozen(self.problem.codes[self.rows] == 0)

    @property
    def literal(self) -> float:
        """log₂ n, the bits that name one literal."""
        return float(np.log2(self.bits.shape[1]))

    @property
    def error(self) -> float:
        """log₂ m, the bits that name one wrong row."""
        return float(np.log2(len(self.rows)))

    def wrong(self, h: Literals) -> int:
        """The number of rows that a conjunction gets wrong. h: indices of its columns"""
        holds = self.bits[:, list(h)].all(axis=1)
        return int(np.count_nonzero(holds != self.plus))

    def length(self, literals: int, errors: int) -> float:
        """|h| log₂ n + errors log₂ m, the length of a description in bits; rounded, so that equal
        lengths compare equal.
        """
        return round(literals * self.literal + errors * self.error, 9)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    n = given.bits.shape[1]
    errors = given.wrong(())
    s = State(
        best=(),
        wrong=errors,
        least=given.length(0, errors),
        tried=Prefix([], 0),
        sizes=Prefix([], 0),
        h=(),
        errors=errors,
    )
    yield from at("start", s)
    for size in range(n + 1):
        s = yield from one_size(given, at, s, list(combinations(range(n), size)))
        yield from at("size", s)
    yield from at("done", replace(s, h=s.best, errors=s.wrong))


def one_size(given: Setting, at: At, s: State, some: list[Literals]) -> Part[State, State]:
    """Tries the conjunctions `some`, all of one size, in the order of the columns; returns the
    state with the best of them.
    """
    top = some[0]
    fewest = given.wrong(top)
    for h in some:
        errors = given.wrong(h)
        s = replace(s, h=h, errors=errors, tried=s.tried.plus((len(h), errors)))
        yield from at("try", s)
        if errors < fewest:
            top = h
            fewest = errors
        length = given.length(len(h), errors)
        if length < s.least:  # of equal ones the first stays: fewer literals, earlier columns
            s = replace(s, best=h, wrong=errors, least=length)
            yield from at("keep", s, "better")
    yield None
    return replace(s, h=top, errors=fewest, sizes=s.sizes.plus((top, fewest)))


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the first class where the best conjunction holds, the second elsewhere.

    −1 where a value of X (m, d) is missing.
    """
    holds = given.H.bits(X)[:, list(s.best)].all(axis=1)
    return np.where(np.isnan(X).any(axis=1), -1, np.where(holds, 0, 1))


def example() -> Problem:
    """Eight rows labelled f₁ ∧ f₂, one of them wrongly."""
    rows = list(product((False, True), repeat=3))
    columns = {f"f{j + 1}": [row[j] for row in rows] for j in range(3)}
    labels = [int(a and b and not c) for a, b, c in rows]
    return prepare(Dataset.from_columns({**columns, "y": labels}, "y"))


ALGORITHM = Algorithm.of(
    __name__,
    title="MDL conjunction",
    task=Task.THEORY,
    source=("ML Ex 6.5", "AIMA 18.4.3"),
    needs=Needs(min_classes=2, max_classes=2),
    curves=(
        Curve("least", "bits of the shortest description", about=("best", "lengths")),
        Curve("wrong", "wrong rows", of_n=True, digits=0, about=("rows",)),
    ),
    events=("better",),
)
