"""The error of predictions, and the baseline: one answer to every row, the commonest class or the
mean of the rows learnt from.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.base.notation import quoted, value_text
from engine.table.problem import Problem

_NAMED = 24  # characters of a class in a sentence


def error_of(problem: Problem, says: NDArray[Any]) -> float:
    """The error of predictions `says` (n,), class indices or values, for the rows of a problem.

    The share of wrong rows, or the root mean squared error of values; NaN without labelled rows.
    """
    if problem.regress and problem.n:
        squares = (says - problem.y) ** 2
        return float(np.sqrt(np.nanmean(squares))) if not np.isnan(squares).all() else float("nan")
    if not problem.labelled.any():
        return float("nan")
    return float((problem.labelled & (says != problem.codes)).sum() / problem.labelled.sum())


class Baseline(NamedTuple):
    """One answer for every row.

    answer: a class index or a value
    name: of that answer: “A” in quotation marks, or a number
    kind: what that answer is, as words: "the commonest class"
    """

    answer: float
    name: str
    kind: str

    def error(self, problem: Problem) -> float:
        """The error of this answer for the rows of `problem`, see `error_of`."""
        return error_of(problem, np.full(problem.n, self.answer))


def baseline(learnt: Problem) -> Baseline | None:
    """The baseline of the rows learnt from: the commonest class, the first of equals, or the mean.

    None where no row has a label.
    """
    if learnt.regress:
        values = learnt.y[np.isfinite(learnt.y)]
        return (
            Baseline(float(values.mean()), value_text(float(values.mean())), "the mean")
            if len(values)
            else None
        )
    codes = learnt.codes[learnt.labelled]
    if not len(codes) or not learnt.classes:
        return None
    counts = np.bincount(codes)
    commonest = int(counts.argmax())
    name = quoted(learnt.class_text(commonest), _NAMED)
    return Baseline(float(commonest), name, commonest_words(counts, "class", "classes"))


def commonest_words(counts: NDArray[Any], one: str, several: str) -> str:
    """What the commonest of counted things is: "the commonest class", or where others are as
    common "one of the commonest classes".
    """
    tied = np.count_nonzero(counts == counts.max()) > 1
    return f"one of the commonest {several}" if tied else f"the commonest {one}"
