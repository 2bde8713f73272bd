"""Compares two models by their predictions, and two runs by the first step at which they differ."""

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

LOOKS = 32  # steps compared between two checks of the clock


def disagreement(one: Float, other: Float) -> Bool:
    """Truth values of the shape of two arrays of classes or values: where they differ; NaN equals
    NaN.
    """
    differs: Bool = ~((one == other) | (np.isnan(one) & np.isnan(other)))
    return differs


class RowsApart(Record):
    """How the predictions of two models for the same n rows differ.

    differs: (n,)
    only_one, only_other: (n,) the rows that only one of them gets right
    apart: for values the root of the mean squared difference, else NaN
    """

    differs: Bool
    only_one: Bool
    only_other: Bool
    apart: float = float("nan")

    @property
    def share(self) -> float:
        """The share of rows with different predictions; NaN without rows."""
        return float(self.differs.mean()) if len(self.differs) else float("nan")


def rows_apart(problem: Problem, one: Float, other: Float) -> RowsApart:
    """Compare the predictions one, other (n,) of two models for the rows of `problem`.

    Only labelled rows with classes can be right.
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
    """`other` (n,) renumbered so that its clusters share the most rows with those of `one`.

    Cluster numbers are arbitrary, so a match of the clusters has to come first.
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
    """The first step at which two runs differ.

    at: the number of the step in each of the recordings
    what: 'line', 'operand', 'state', 'tie' (they take different equals) or 'end' (one run is over)
    name: the operand or the part of the state, in words
    values: both values, as text
    after_gap: whether earlier steps could not be compared, so that the first difference may lie
        there
    """

    at: tuple[int, int]
    what: str
    name: str
    values: tuple[str, str]
    after_gap: bool = False


class Comparison:
    """Compares two recordings, which may still grow, step by step until they differ.

    Skips steps that a trace no longer holds, to avoid their replay.

    begin: the numbers of the first two steps to compare
    """

    def __init__(self, one: Trace, other: Trace, begin: tuple[int, int] = (0, 0)) -> None:
        self.one, self.other, self.begin = one, other, begin
        self.compared = 0
        self.found: Difference | None = None
        self._gap = False
        self._alike = Likeness()

    @property
    def over(self) -> bool:
        """Whether a difference is found or both runs are over without one."""
        return self.found is not None or (
            self._left <= 0 and self.one.finished and self.other.finished
        )

    @property
    def pending(self) -> bool:
        """Whether there is nothing to compare now: found, or the runs have to grow first."""
        return self.found is not None or (self._left <= 0 and not self._one_ended)

    @property
    def _left(self) -> int:
        """The number of recorded pairs of steps that are not compared yet."""
        i, j = self.begin
        return min(len(self.one) - i, len(self.other) - j) - self.compared

    @property
    def _one_ended(self) -> bool:
        """Whether all pairs are compared, one run has ended there and the other has gone on."""
        (i, j), k = self.begin, self.compared
        ended = [
            trace.finished and len(trace) == at + k
            for trace, at in ((self.one, i), (self.other, j))
        ]
        if not len(self.one) or not len(self.other):
            return False  # a run that could not begin
        return ended[0] != ended[1] and len((self.other, self.one)[ended[1]]) > (j, i)[ended[1]] + k

    def advance(self, seconds: float = float("inf")) -> Difference | None:
        """Compare for at most `seconds`; returns the difference, or None if none is found yet."""
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
        elif not (self._alike(one.details, other.details) and self._alike(one.state, other.state)):
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
    """The first recorded step from `begin` on at which line, operands or state differ, or None."""
    return Comparison(one, other, begin).advance()


def _branches(one: Step[Any], other: Step[Any]) -> tuple[str, str] | None:
    """What each run takes at a tie, or None if there is no tie or both take the same."""
    if one.tie is None or other.tie is None or one.tie.number != other.tie.number:
        return None
    choices = one.choice, other.choice
    if one.tie.taken == other.tie.taken or choices[0] is None or choices[1] is None:
        return None
    mine, theirs = (choice.options[choice.chosen].label for choice in choices if choice is not None)
    return mine, theirs


def _named(one: Step[Any], other: Step[Any], alike: Likeness) -> tuple[str, str, tuple[str, str]]:
    """(what, name, values) of the first differing operand, else of the part of the state."""
    mine, theirs = one.note.operands, other.note.operands
    for name, operand in mine.items():
        if name in theirs and not alike(operand.value, theirs[name].value):
            return (
                "operand",
                operand.symbol or name.replace("_", " "),
                _texts(operand, theirs[name]),
            )
    for name, detail in one.details.items():
        if name not in other.details or not alike(detail, other.details[name]):
            return (
                "operand",
                name.replace("_", " "),
                (short_value(detail), short_value(other.details.get(name))),
            )
    for name in part_names(one.state):
        values = getattr(one.state, name), getattr(other.state, name, None)
        if not alike(*values):
            return "state", name.replace("_", " "), (short_value(values[0]), short_value(values[1]))
    return "state", "", ("", "")


def _texts(one: Operand, other: Operand) -> tuple[str, str]:
    """Both values as text, with more digits if they would read the same."""
    texts = one.text(), other.text()
    return texts if texts[0] != texts[1] else (value_text(one.value, 6), value_text(other.value, 6))


def short_value(value: Any) -> str:
    """A part of a state in a word or two; "" if it does not fit in so few."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, np.ndarray) and value.size <= 6 and value.ndim == 1:
        return "(" + ", ".join(value_text(v, 4) for v in value.tolist()) + ")"
    return value_text(value, 4) if isinstance(value, (int, float, str, np.number)) else ""
