"""The conjunction of the shortest description: bits for its literals and bits for its errors.

ML Ex 6.5, AIMA 18.4.3.
"""

from itertools import combinations
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
Literals = tuple[int, ...]


class Params(Record, eq=True):
    columns: Annotated[
        int, Range(1, 12), Label("Columns n"), Help("at most; 2ⁿ conjunctions are tried")
    ] = 8


class State(Record):
    """h: the questions that the conjunction of now asks, errors: its wrong rows; best, least: of
    the shortest description so far, wrong: its wrong rows; tried: (literals, errors) of all so far;
    sizes: the best of 0, 1, … literals with its errors.
    """

    h: Literals
    errors: int
    best: Literals
    wrong: int
    least: float
    tried: Prefix[tuple[int, int]]
    sizes: Prefix[tuple[Literals, int]]


class Setting(Given[Params]):
    """rows: those with a class; bits (m, n): their answers to the questions, one of each column;
    plus (m,): of the first class.
    """

    @cached_property
    def H(self) -> Finite:
        return Finite("conjunctions", self.problem, most=self.p.columns)

    @cached_property
    def left_out(self) -> LeftOut:
        """Columns beyond the first n, and rows without a class."""
        return replace(
            self.H.left_out, rows=self.problem.n - len(self.rows), all_rows=self.problem.n
        )

    @cached_property
    def rows(self) -> Int:
        return frozen(np.flatnonzero(self.problem.labelled))

    @cached_property
    def bits(self) -> Bool:
        return frozen(self.H.bits(self.problem.X[self.rows]))

    @cached_property
    def plus(self) -> Bool:
        return frozen(self.problem.codes[self.rows] == 0)

    @property
    def literal(self) -> float:
        """Bits for a literal."""
        return float(np.log2(self.bits.shape[1]))

    @property
    def error(self) -> float:
        """Bits to name a wrong row."""
        return float(np.log2(len(self.rows)))

    def wrong(self, h: Literals) -> int:
        return int((self.bits[:, list(h)].all(axis=1) != self.plus).sum())

    def length(self, literals: int, errors: int) -> float:
        """Bits of a description; rounded, so that equal ones are the same."""
        return round(literals * self.literal + errors * self.error, 9)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    n = given.bits.shape[1]
    errors = given.wrong(())
    s = State((), errors, (), errors, given.length(0, errors), Prefix([], 0), Prefix([], 0))
    yield from at("start", s)
    for k in range(n + 1):
        top: tuple[Literals, int] | None = None
        for h in combinations(range(n), k):
            errors = given.wrong(h)
            s = replace(s, h=h, errors=errors, tried=s.tried.plus((k, errors)))
            yield from at("try", s)
            top = (h, errors) if top is None or errors < top[1] else top
            if (
                given.length(k, errors) < s.least
            ):  # of equal ones the first stays: fewer literals, then the earlier column
                s = replace(s, best=h, wrong=errors, least=given.length(k, errors))
                yield from at("keep", s, "better")
        yield None
        assert top is not None
        s = replace(s, h=top[0], errors=top[1], sizes=s.sizes.plus(top))
        yield from at("size", s)
    yield from at("done", replace(s, h=s.best, errors=s.wrong))


def predict(given: Setting, s: State, X: Float) -> Int:
    """The first class where the best conjunction holds, else the second; −1 where a value is
    missing.
    """
    held = given.H.bits(X)[:, list(s.best)].all(axis=1)
    return np.where(np.isnan(X).any(axis=1), -1, np.where(held, 0, 1))


def example() -> Problem:
    """f₁ ∧ f₂, but for one row of eight."""
    rows = [[bool(i >> 2 & 1), bool(i >> 1 & 1), bool(i & 1)] for i in range(8)]
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
