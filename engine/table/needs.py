"""`Needs`: what data an algorithm can take, and why it cannot take a table."""

from enum import Enum, auto
from typing import NamedTuple

import numpy as np

from engine.base.notation import counted, quoted
from engine.base.records import Record
from engine.base.sums import add_up
from engine.table.dataset import Feature, Kind
from engine.table.problem import Problem
from engine.table.row_words import MANY

LINEAR_ROWS = 200_000  # the sample of methods whose cost is linear in the rows


class Fault(Enum):
    """The kind of fault of a table, named by what mends it."""

    TARGET = auto()  # another target, or the same one as classes or as numbers
    FEW_CLASSES = auto()  # a point of another class
    FEW_ROWS = auto()
    TOO_MUCH = auto()  # too many classes, rows or columns
    WORDS = auto()  # 0/1 columns
    COLUMNS = auto()  # columns to be left out, words as 0/1 columns
    GAPS = auto()


class Refusal(NamedTuple):
    """Why an algorithm cannot take a table.

    fact: what the table is or lacks, in a few words
    sentence: what the algorithm needs, with the way out
    columns: the names of the columns that are in the way
    """

    fault: Fault
    fact: str
    sentence: str
    columns: tuple[str, ...] = ()


class Needs(Record, eq=True):
    """What data an algorithm can take.

    `reason` is the sentence shown in the picker and raised by `run`.

    labels: a class target
    values: a numeric target (set labels=False then; with both, either will do)
    numeric: every column is a number or a pair
    binary: every column holds only 0 and 1, as numbers or as truth values
    whole: if not binary, one or two columns of whole numbers will do
    discrete: every column holds words, truth values, or only 0 and 1
    counts: no number is below 0
    forecasts: every column holds only labels of the target
    on_plane: so many numeric columns on the plane's axes
    missing: gaps are allowed
    sample: rows of the fair sample that a document gives it of a larger table; more than usual for
        methods whose cost is linear in the rows
    """

    labels: bool = True
    values: bool = False
    min_classes: int = 1
    max_classes: int = 64
    numeric: bool = False
    binary: bool = False
    whole: bool = False
    discrete: bool = False
    counts: bool = False
    forecasts: bool = False
    on_plane: int = 0
    missing: bool = False
    held_out: bool = False
    min_rows: int = 1
    max_rows: int = 1_000_000
    sample: int = MANY
    max_columns: int = 10_000

    def reason(self, problem: Problem, sampled: bool = False) -> str | None:
        """Why the algorithm cannot take `problem`, with the way out; None when it can."""
        found = self.refusal(problem, sampled)
        return None if found is None else found.sentence

    def refusal(self, problem: Problem, sampled: bool = False) -> Refusal | None:
        """The first reason why the algorithm cannot take `problem`; None when it can.

        sampled: it gets at most `sample` rows, as in a document of its own
        """
        labels = self.labels and not (self.values and problem.regress)
        counts = problem.counts.tolist() if labels else []
        rows = add_up(counts) if labels else problem.n
        return (
            self._about_target(problem, labels)
            or self._too_few(rows)
            or (self._about_classes(problem, counts) if labels else None)
            or self._too_much(problem, sampled)
            or self._about_columns(problem)
            or self._about_gaps(problem)
        )

    def _about_target(self, problem: Problem, labels: bool) -> Refusal | None:
        if problem.d == 0:
            return Refusal(Fault.TARGET, "no columns", "needs at least one column to learn from")
        numbers = self.values and not self.labels and not problem.regress
        if numbers or (labels and not problem.classes):
            fact = (
                "no target"
                if problem.target is None
                else f"target is a {'number' if problem.regress else 'class'}"
            )
            target = "a column of classes or of numbers" if self.values else "a column of classes"
            return Refusal(
                Fault.TARGET,
                fact,
                f"needs {'a column of numbers' if numbers else target} as target",
            )
        return None

    def _too_few(self, rows: int) -> Refusal | None:
        if rows < self.min_rows:
            there = {0: "there are none", 1: "there is one"}.get(rows, f"there are {rows}")
            few = f"needs at least {counted(self.min_rows, 'example')}, {there}"
            return Refusal(Fault.FEW_ROWS, counted(rows, "row"), few)
        return None

    def _about_classes(self, problem: Problem, counts: list[int]) -> Refusal | None:
        count = len(counts) - counts.count(0)
        if count < self.min_classes:
            few = f"needs {_count(self.min_classes, 'at least')}, this table has {_few(count)}"
            return Refusal(Fault.FEW_CLASSES, _classes(count), few)
        if count > self.max_classes:
            many = f"needs {_count(self.max_classes, 'at most')}, this table has {count}"
            return Refusal(Fault.TOO_MUCH, _classes(count), many)
        if self.max_classes == 2 and count == 2 and not all(counts[:2]):
            absent = problem.class_text(0 if not counts[0] else 1)
            empty = (
                f"needs the first two classes of the table, {quoted(absent)} has no rows: relabel"
                " points"
            )
            return Refusal(Fault.FEW_CLASSES, f"no {absent}", empty)
        return None

    def _too_much(self, problem: Problem, sampled: bool) -> Refusal | None:
        n, d = problem.n, problem.d
        if (min(n, self.sample) if sampled else n) > self.max_rows:
            many = f"takes at most {counted(self.max_rows, 'row')}, there are {n:,}"
            return Refusal(Fault.TOO_MUCH, counted(n, "row"), many)
        if d > self.max_columns:
            many = f"takes at most {counted(self.max_columns, 'column')}, there are {d:,}"
            return Refusal(Fault.TOO_MUCH, counted(d, "column"), many)
        return None

    def _about_columns(self, problem: Problem) -> Refusal | None:
        if len(problem.plane) < self.on_plane:
            sentence = (
                f"needs {counted(self.on_plane, 'column')} of numbers on the plane, there"
                f" {_are(len(problem.plane))}"
            )
            made = add_up(
                1 if len(f.categories) == 2 else len(f.categories)
                for f in problem.features
                if not f.numeric
            )
            way = (
                ": turn words into 0/1 columns"
                if made and len(problem.plane) + made >= self.on_plane
                else ""
            )
            return Refusal(Fault.COLUMNS, f"{len(problem.plane)} on the plane", sentence + way)
        if self.numeric and (
            words := [f.name for f in problem.features if not f.numeric and len(f.categories) != 2]
        ):
            sentence = f"needs numbers, {quoted(words[0])} holds words: turn on 0/1 columns"
            return Refusal(Fault.WORDS, "holds words", sentence, tuple(words))
        if self.counts and (below := _below_zero(problem)):
            (way,) = _leave(problem, below)
            sentence = f"needs counts, {quoted(below[0])} holds numbers below 0: {way}"
            return Refusal(Fault.COLUMNS, "below 0", sentence, below)
        bits = _zero_one(problem) if self.binary or self.discrete else []
        if not all(bits) and not (self.whole and whole_numbers(problem)):
            return self._about_strange(
                [f for f, good in zip(problem.features, bits, strict=True) if not good], problem
            )
        return self._about_forecasts(problem) if self.forecasts else None

    def _about_strange(self, strange: list[Feature], problem: Problem) -> Refusal | None:
        """strange: the columns that hold something other than 0 and 1"""
        measured = tuple(f.name for f in strange if f.numeric)
        if self.binary:
            words = () if len(measured) == len(strange) else ("turn words into 0/1 columns",)
            way = ", ".join((*words, *_leave(problem, measured)))
            sentence = (
                f"needs columns of 0 and 1, {quoted(strange[0].name)} holds something else: {way}"
            )
            return Refusal(Fault.COLUMNS, "not 0 and 1", sentence, measured)
        if self.discrete and measured:
            (way,) = _leave(problem, measured)
            sentence = (
                f"needs columns of words or of 0 and 1, {quoted(measured[0])} holds other numbers:"
                f" {way}"
            )
            return Refusal(Fault.COLUMNS, "holds numbers", sentence, measured)
        return None

    def _about_forecasts(self, problem: Problem) -> Refusal | None:
        from engine.table.forecasts import strangers

        stranger = next(strangers(problem), "")
        return Refusal(Fault.COLUMNS, "no forecasts", stranger) if stranger else None

    def _about_gaps(self, problem: Problem) -> Refusal | None:
        if not self.missing and problem.has_gaps:
            gaps = "needs every value, some are missing: fill or drop them in the data panel"
            return Refusal(Fault.GAPS, "has gaps", gaps)
        return None


def _are(count: int) -> str:
    return "is one" if count == 1 else f"are {count or 'none'}"


def _leave(problem: Problem, names: tuple[str, ...]) -> tuple[str, ...]:
    """What to do with numeric columns that are in the way; () where there are none."""
    if len(names) == problem.d:
        return ("choose other data",)
    return {0: (), 1: ("leave it out",)}.get(
        len(names), (f"leave out the {len(names)} columns of other numbers",)
    )


def _zero_one(problem: Problem) -> list[bool]:
    """For each column, whether it holds only 0 and 1."""
    numeric = Kind.NUMERIC  # looked up once: enumeration members are slow in Python 3.11
    return [
        w if f.kind is numeric else f.categories in ((False, True), (0, 1))
        for f, w in zip(problem.features, problem.bits, strict=True)
    ]


def _below_zero(problem: Problem) -> tuple[str, ...]:
    """The names of the columns of numbers that hold one below 0."""
    columns = zip(problem.features, problem.columns, strict=True)
    return tuple(f.name for f, x in columns if f.numeric and bool((x < 0).any()))


def is_binary(problem: Problem) -> bool:
    """Whether every column holds only 0 and 1."""
    return all(_zero_one(problem))


def whole_numbers(problem: Problem) -> bool:
    """Whether there are one or two columns, all numeric and of whole numbers; gaps are allowed."""
    numeric = 0 < problem.d <= 2 and all(f.numeric for f in problem.features)
    return numeric and bool((np.isnan(problem.X) | (np.floor(problem.X) == problem.X)).all())


def _count(classes: int, limit: str) -> str:
    return {1: "one class", 2: "two classes"}.get(classes, f"{limit} {classes} classes")


def _classes(count: int) -> str:
    return {0: "no class", 1: "one class"}.get(count, f"{count} classes")


def _few(count: int) -> str:
    return {0: "none", 1: "one"}.get(count, str(count))
