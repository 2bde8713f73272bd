"""Changes that make a table fit the method of a lane, each with words for a button."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from engine.base.errors import EngineError
from engine.base.notation import cut
from engine.base.records import replace
from engine.document.document import Document
from engine.document.lane import Lane
from engine.document.lane_run import refusal
from engine.read.column_kinds import read_for
from engine.table.dataset import ColumnRole, Dataset
from engine.table.needs import Fault, Refusal
from engine.table.problem import Problem
from engine.table.transforms import Transform

TOGETHER = 3  # the most faults repaired in a row
MOST = 3  # columns tried as the target, from the last on
INDICATORS = "0/1 columns"  # the words of the refusals


def mends(document: Document, active: int) -> Iterator[tuple[str, Document]]:
    """(words, document) pairs: changes of the lane's data after which it can run.

    A fault that shows only after the first one is repaired is repaired too, up to TOGETHER.
    """
    for words, changed in _mends(document.of_lane(active), active, TOGETHER):
        yield words, document.in_lane(active, partial(_instead, changed))


def _instead(changed: Document, document: Document) -> Document:
    return changed


def _mends(document: Document, active: int, most: int) -> Iterator[tuple[str, Document]]:
    """document: with the lane's data; most: how many successive faults to repair."""
    why = _refused(document, active)
    for words, changed in _changes(document, active, why) if why is not None else ():
        if _runs(changed, active):
            yield words, changed
        elif most > 1 and (next_ := _refused(changed, active)) is not None and next_ != why:
            for more, mended in _mends(changed, active, most - 1):
                yield f"{words}, {more[0].lower()}{more[1:]}", mended


def _refused(document: Document, active: int) -> Refusal | None:
    """Why the lane cannot take the data: by its method's needs, or by the run's error about words.

    None if it can, or if the data make no valid problem at all.
    """
    lane = document.lanes[active]
    try:
        problem = document.problem()
    except EngineError:
        return None
    needed = lane.algorithm.needs.refusal(problem)
    if needed is None and INDICATORS in (sentence := refusal(lane, problem)):
        return Refusal(Fault.WORDS, "holds words", sentence)
    return needed


def has_run(document: Document, active: int) -> bool:
    """Whether the lane can make its first step on its data."""
    return active < len(document.lanes) and _runs(document.of_lane(active), active)


def _runs(document: Document, active: int) -> bool:
    try:
        return runs(document.lanes[active], document.problem())
    except EngineError:
        return False


def runs(each: Lane, problem: Problem) -> bool:
    return each.algorithm.needs.reason(problem) is None and not refusal(each, problem)


Changes = Iterator[tuple[str, Document]]


def _changes(document: Document, active: int, why: Refusal) -> Changes:
    """The changes that address the refusal, whether or not they suffice."""
    found: dict[Fault, Callable[[Document, int, Refusal], Changes]] = {
        Fault.TARGET: _target,
        Fault.WORDS: _indicators,
        Fault.COLUMNS: _columns,
        Fault.GAPS: _gaps,
    }
    if why.fault in found:
        yield from found[why.fault](document, active, why)


def _target(document: Document, active: int, why: Refusal) -> Changes:
    """Read a whole-number target as values or as classes; else predict another fitting column."""
    needs = document.lanes[active].algorithm.needs
    data = document.data
    read = read_for(data, needs)
    if read is not data:
        kind = "numbers" if read.target and read.target.feature.numeric else "classes"
        yield f"Read the target as {kind}", _with(document, read)
        return
    fitting = [
        c
        for c in data.features
        if (needs.values and c.feature.numeric) or (needs.labels and len(c.categories) > 1)
    ]
    for column in fitting[: -MOST - 1 : -1]:
        try:
            other = data.with_role(column.name, ColumnRole.TARGET)
        except EngineError:  # more classes than can be shown
            continue
        aside = (
            other if data.target is None else other.with_role(data.target.name, ColumnRole.IGNORED)
        )
        yield f"Predict {cut(column.name)}", _with(document, aside)


def _indicators(document: Document, active: int, why: Refusal) -> Changes:
    yield from _turned_on(document, "one_hot", f"Use {INDICATORS}")


def _columns(document: Document, active: int, why: Refusal) -> Changes:
    """Turn words into 0/1 columns, or leave out the columns that the refusal names."""
    if INDICATORS in why.sentence:
        yield from _turned_on(document, "one_hot", f"Use {INDICATORS}")
    data = document.data
    own = [name for name in why.columns if any(c.name == name for c in document.data.features)]
    if own and len(own) == len(why.columns) < len(data.features):
        words = cut(own[0]) if len(own) == 1 else f"{len(own)} columns"
        for name in own:
            data = data.with_role(name, ColumnRole.IGNORED)
        yield f"Leave out {words}", _with(document, data)


def _gaps(document: Document, active: int, why: Refusal) -> Changes:
    yield from _turned_on(document, "fill_missing", "Fill missing values")
    yield from _turned_on(document, "drop_missing", "Drop rows with missing values")


def _turned_on(document: Document, kind: str, words: str) -> Changes:
    """Add a transformation, unless it is there already.

    Filling goes before one-hot, so that each row has one of the 0/1 columns.
    """
    present = document.transforms
    if all(transform.kind != kind for transform in present):
        is_before = kind == "fill_missing" and Transform("one_hot") in present
        at = present.index(Transform("one_hot")) if is_before else len(present)
        transforms = (*present[:at], Transform(kind), *present[at:])
        yield words, replace(document, transforms=transforms, plane=(), probe=None)


def _with(document: Document, data: Dataset) -> Document:
    return replace(document, data=data, plane=(), probe=None)


def class_without_rows(problem: Problem) -> int:
    """The first class that has no rows; one past the last if all have some."""
    there = np.bincount(problem.codes[problem.codes >= 0], minlength=len(problem.classes))
    return next((code for code, rows in enumerate(there.tolist()) if not rows), len(there))
