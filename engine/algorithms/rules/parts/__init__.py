"""What the rule learners share: the table, how a rule is written, how many examples are enough."""

from fractions import Fraction
from math import log
from typing import TypeVar

from engine.algorithms.rules.parts.covering import rows_of
from engine.authoring import (
    Dataset,
    Float,
    Int,
    Problem,
    Record,
    Sequence,
    Setting,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
)
from engine.numerics.boolean import Classes, Conjunction, any_covers, labels
from engine.numerics.closeness import whole_above

P = TypeVar("P")
S = TypeVar("S", bound=Record)
Rule = tuple[int, ...]  # the columns that have to be 1
Rules = tuple[Rule, ...]
Scores = tuple[Fraction | int | None, ...]  # of each column, None of one that may not join
POSITIVE, NEGATIVE = 0, 1  # class indices
EPSILON, DELTA = 0.1, 0.05  # as in ML 7.3.2


class Streamed(Setting[P]):
    """A table whose labelled rows arrive one by one, in order."""

    @property
    def X(self) -> Float:
        """(n, d) the values of the table."""
        return self.problem.X

    @cached_property
    def stream(self) -> Int:
        """(m,) the indices of the labelled rows, in table order."""
        return frozen(np.flatnonzero(self.problem.labelled))

    def positive(self, row: int) -> bool:
        """Whether a row is of the first class."""
        return int(self.problem.codes[row]) == POSITIVE


class Booleans(Streamed[P]):
    """A table of 0 and 1, or of codes of words, without missing values; see `Needs`."""

    @cached_property
    def positives(self) -> Int:
        """(m,) the indices of the rows of the first class."""
        return rows_of(self.problem.codes, POSITIVE)

    @cached_property
    def negatives(self) -> Int:
        """(m,) the indices of the rows of the second class."""
        return rows_of(self.problem.codes, NEGATIVE)

    def with_metrics(self, s: S, model: Classes) -> S:
        """The state whose field `errors` is the number of rows that a model gets wrong."""
        wrong = model(self.X) != self.problem.codes
        return replace(s, errors=int(np.count_nonzero(wrong & self.problem.labelled)))

    def labels(self, X: Float, model: Classes) -> Int:
        """(m,) class indices by a model of the rows X (m, d); −1 where a value is missing."""
        return labels(self.problem.features, X, model)


def disjunction(rules: Sequence[Conjunction]) -> Classes:
    """A function from values (m, d) to class codes (m,): 0 where at least one rule holds, else
    1.
    """

    def classes(values: Float) -> Int:
        return np.where(any_covers(rules, values), POSITIVE, NEGATIVE)

    return classes


def enough(size: float) -> int:
    """The least m ≥ (ln |H| + ln 1/δ) / ε; `size` is ln |H|. ML Eq 7.2.

    With probability 1 − δ every hypothesis that fits m examples has an error of at most ε.
    """
    return whole_above((size + log(1 / DELTA)) / EPSILON)


def bits(rows: str, y: str) -> Problem:
    """A problem of Boolean columns f1, f2, … rows: like "0110 1011"; y: the class of each row as 0
    or 1
    """
    columns = {
        f"f{j + 1}": [bit == "1" for bit in column]
        for j, column in enumerate(zip(*rows.split(), strict=True))
    }
    return prepare(Dataset.from_columns({**columns, "y": [int(label) for label in y]}, "y"))
