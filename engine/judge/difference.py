"""Two models side by side: where their answers differ; and two runs: the first step at which they
do, and in what.
"""

import time
from typing import Any

import numpy as np

from engine.base.arrays import Bool, Float, Int
from engine.base.notation import value_text
from engine.base.records import Record
from engine.judge.likeness import Likeness, part_names
from engine.protocol.step import Operand, Step
from engine.runs.trace import Trace
from engine.table.problem import Problem

LOOKS = 32  # steps that are compared between two looks at the clock


def disagreement(one: Float, other: Float) -> Bool:
    """Where two arrays of classes or values, of any equal shape, are not the same; no answer (NaN)
    is an answer too.
    """
    differs: Bool = ~((one == other) | (np.isnan(one) & np.isnan(other)))
    return differs


class RowsApart(Record):
    """What two models say of the same n rows. differs (n,); only_one, only_other (n,): rows that
    only one of them gets right; apart: of values, the root of the mean squared difference, else
    NaN.
    """

    differs: Bool
    only_one: Bool
    only_other: Bool
    apart: float = float("nan")

    @property
    def share(self) -> float:
        """Of the rows on which they differ; NaN without rows."""
        return float(self.differs.mean()) if len(self.differs) else float("nan")


def rows_apart(problem: Problem, one: Float, other: Float) -> RowsApart:
    """one, other (n,): answers of two models to the rows of `problem`.

    Which is right is known of labelled rows with classes.
    """
    if problem.regress:
        squares = (one - other) ** 2
        known = np.isfinite(squares)
        apart = float(np.sqrt(squares[known].mean())) if known.any() else float("nan")
        none = np.zeros(len(one), bool)
        return RowsApart(disagreement(one, other), none, none, apart)
    right, too = (problem.labelled & (said == problem.codes) for said in (one, other))
    return RowsApart(disagreement(one, other), right & ~too, too & ~right)


def same_clusters(one: Float, other: Float) -> Float:
    """`other` (n,) with its clusters numbered as those of `one` that they share most with: a number
    of a cluster says nothing.
    """
    from scipy.optimize import linear_sum_assignment

    known = (one >= 0) & (other >= 0)
    if not known.any():
        return other
    count = int(max(one.max(), other.max())) + 1
    shared = np.zeros((count, count))
    np.add.at(shared, (other[known].astype(np.intp), one[known].astype(np.intp)), 1.0)
    number: Int = linear_sum_assignment(-shared)[1]
    return np.where(other >= 0, number[np.maximum(other, 0).astype(np.intp)], other).astype(
        np.float64
    )


# -- two runs --------------------------------------------------------------------------------------


class Difference(Record, eq=True):
    """at: the numbers of the step in both recordings; what: 'line', 'operand', 'state', 'tie'
    (another of equals is taken) or 'end' (one run is over); name: of the operand or the part of the
    state, as words write it; values: how both write it; after_gap: steps before it are forgotten,
    so that it may have come earlier, even where those right before it are alike.
    """

    at: tuple[int, int]
    what: str
    name: str
    values: tuple[str, str]
    after_gap: bool = False


class Comparison:
    """Goes through two recordings, which may still grow, side by side until they differ.

    Forgotten steps are passed over: nobody waits for their replay.

    begin: the numbers of the first two steps to be compared
    """

    def __init__(self, one: Trace, other: Trace, begin: tuple[int, int] = (0, 0)) -> None:
        self.one, self.other, self.begin = one, other, begin
        self.compared = 0
        self.found: Difference | None = None
        self._gap = False
        self._alike = Likeness()

    @property
    def over(self) -> bool:
        """Found, or nothing more to compare."""
        return self.found is not None or (
            self._left <= 0 and self.one.finished and self.other.finished
        )

    @property
    def waits(self) -> bool:
        """For the runs to grow, or for nothing."""
        return self.found is not None or (self._left <= 0 and not self._one_ended)

    @property
    def _left(self) -> int:
        """Pairs of recorded steps that are not compared yet."""
        i, j = self.begin
        return min(len(self.one) - i, len(self.other) - j) - self.compared

    @property
    def _one_ended(self) -> bool:
        """All pairs are compared, one run is over there and the other has gone on."""
        (i, j), k = self.begin, self.compared
        ended = [
            trace.finished and len(trace) == at + k
            for trace, at in ((self.one, i), (self.other, j))
        ]
        if not len(self.one) or not len(self.other):
            return False  # one that could not begin
        return ended[0] != ended[1] and len((self.other, self.one)[ended[1]]) > (j, i)[ended[1]] + k

    def advance(self, seconds: float = float("inf")) -> Difference | None:
        """Compare for a slice of time."""
        deadline = time.perf_counter() + seconds
        while self.found is None and self._left > 0:
            for _ in range(min(LOOKS, self._left)):
                self._compare()
                if self.found is not None:
                    return self.found
            if time.perf_counter() >= deadline:
                return None
        if self.found is None and self._one_ended:
            self.found = self._ended()
        return self.found

    def _compare(self) -> None:
        i = self.begin[0] + self.compared
        j = self.begin[1] + self.compared
        self.compared += 1
        if not (self.one.holds(i) and self.other.holds(j)):
            self._gap = True
            return
        one = self.one[i]
        other = self.other[j]
        if (tie := _branches(one, other)) is not None:
            self.found = Difference((i, j), "tie", "", tie, self._gap)
        elif one.line != other.line:
            texts = (
                dict(self.one.algorithm.code_lines(self.one.params)),
                dict(self.other.algorithm.code_lines(self.other.params)),
            )
            lines = texts[0][one.line].strip(), texts[1][other.line].strip()
            self.found = Difference((i, j), "line", "", lines, self._gap)
        elif not (self._alike(one.told, other.told) and self._alike(one.state, other.state)):
            self.found = Difference((i, j), *_named(one, other, self._alike), self._gap)

    def _ended(self) -> Difference:
        (i, j), k = self.begin, self.compared
        i = i + k
        j = j + k
        ends = ("goes on", "has ended") if len(self.one) > i else ("has ended", "goes on")
        return Difference(
            (min(i, len(self.one) - 1), min(j, len(self.other) - 1)), "end", "", ends, self._gap
        )


def first_difference(
    one: Trace, other: Trace, begin: tuple[int, int] = (0, 0)
) -> Difference | None:
    """The first recorded step, from the two numbered `begin` on, in whose line, operands or state
    two runs differ; None where all that is recorded is the same.
    """
    return Comparison(one, other, begin).advance()


def _branches(one: Step[Any], other: Step[Any]) -> tuple[str, str] | None:
    """What both take at a tie of theirs; None where there is none, or both take the same."""
    if one.tie is None or other.tie is None or one.tie.number != other.tie.number:
        return None
    choices = one.choice, other.choice
    if one.tie.taken == other.tie.taken or choices[0] is None or choices[1] is None:
        return None
    mine, theirs = (choice.options[choice.chosen].label for choice in choices if choice is not None)
    return mine, theirs


def _named(one: Step[Any], other: Step[Any], alike: Likeness) -> tuple[str, str, tuple[str, str]]:
    """(what, name, values): the first operand of the words that differs, else the part of the
    state.
    """
    mine, theirs = one.note.operands, other.note.operands
    for name, operand in mine.items():
        if name in theirs and not alike(operand.value, theirs[name].value):
            return (
                "operand",
                operand.symbol or name.replace("_", " "),
                _texts(operand, theirs[name]),
            )
    for name, told in one.told.items():
        if name not in other.told or not alike(told, other.told[name]):
            return (
                "operand",
                name.replace("_", " "),
                (short_value(told), short_value(other.told.get(name))),
            )
    for name in part_names(one.state):
        values = getattr(one.state, name), getattr(other.state, name, None)
        if not alike(*values):
            return "state", name.replace("_", " "), (short_value(values[0]), short_value(values[1]))
    return "state", "", ("", "")


def _texts(one: Operand, other: Operand) -> tuple[str, str]:
    """Both values, with as many digits as tell them apart where the usual ones do not."""
    texts = one.text(), other.text()
    return texts if texts[0] != texts[1] else (value_text(one.value, 6), value_text(other.value, 6))


def short_value(value: Any) -> str:
    """A part of a state in a word or two; "" for what has none."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, np.ndarray) and value.size <= 6 and value.ndim == 1:
        return "(" + ", ".join(value_text(v, 4) for v in value.tolist()) + ")"
    return value_text(value, 4) if isinstance(value, (int, float, str, np.number)) else ""
