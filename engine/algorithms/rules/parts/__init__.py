"""What the rule learners over 0 and 1 share: the table, what a state of theirs holds, how many
examples are enough.
"""

from fractions import Fraction
from math import ceil, log
from typing import TypeVar

from engine.algorithms.rules.parts.covering import rows_of
from engine.authoring import (
    Dataset,
    Float,
    Int,
    Problem,
    Record,
    Setting,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
)
from engine.numerics.boolean import Classes, labels

P = TypeVar("P")
S = TypeVar("S", bound=Record)
Rule = tuple[int, ...]
Rules = tuple[Rule, ...]
Scores = tuple[Fraction | int | None, ...]
EPSILON, DELTA = 0.1, 0.05  # as in ML 7.3.2


class Booleans(Setting[P]):
    """X (n, d) in 0 and 1, or in codes of words, without gaps, see `Needs`; positives, negatives:
    the rows of the first and the second class; stream: all of them in order.
    """

    @property
    def X(self) -> Float:
        return self.problem.X

    @cached_property
    def positives(self) -> Int:
        return rows_of(self.problem.codes, 0)

    @cached_property
    def negatives(self) -> Int:
        return rows_of(self.problem.codes, 1)

    @cached_property
    def stream(self) -> Int:
        return frozen(np.flatnonzero(self.problem.labelled))

    def judged(self, s: S, model: Classes) -> S:
        """The state with the number of wrong rows."""
        wrong = model(self.X) != self.problem.codes
        return replace(s, errors=int(np.count_nonzero(wrong & self.problem.labelled)))

    def labels(self, X: Float, model: Classes) -> Int:
        """The class by a model; −1 where a value is missing."""
        return labels(self.problem.features, X, model)


def enough(size: float) -> int:
    """So many examples are enough, with probability 1 − δ, that whatever of the `size` = ln |H|
    hypotheses fits them errs no more than ε (ML Eq 7.2).
    """
    return ceil((size + log(1 / DELTA)) / EPSILON)


def bits(rows: str, y: str) -> Problem:
    """A table of yes/no columns from rows like 0110, and the class of each."""
    columns = {
        f"f{j + 1}": [bit == "1" for bit in column]
        for j, column in enumerate(zip(*rows.split(), strict=True))
    }
    return prepare(Dataset.from_columns({**columns, "y": [int(label) for label in y]}, "y"))
