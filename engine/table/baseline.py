"""The error of what is said of rows, and of the baseline: one answer for every row, the commonest
class or the mean value of the rows learnt from.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.base.notation import quoted, value_text
from engine.table.problem import Problem

_NAMED = 24  # characters of a class in a sentence


def error_of(problem: Problem, says: NDArray[Any]) -> float:
    """Share of wrong rows, or the root of the mean squared error of values, of what is said (n,) of
    the rows of a problem, class indices or values; NaN without labelled rows.
    """
    if problem.regress and problem.n:
        squares = (says - problem.y) ** 2
        return float(np.sqrt(np.nanmean(squares))) if not np.isnan(squares).all() else float("nan")
    if not problem.labelled.any():
        return float("nan")
    return float((problem.labelled & (says != problem.codes)).sum() / problem.labelled.sum())


class Baseline(NamedTuple):
    """answer: a class index or a value; name: of that answer, “A” in quotation marks or
    a number.
    """

    answer: float
    name: str

    def error(self, problem: Problem) -> float:
        """The share of wrong rows, or the root of the mean squared error, of this one answer to
        every row of `problem`.
        """
        return error_of(problem, np.full(problem.n, self.answer))


def baseline(learnt: Problem) -> Baseline | None:
    """Of the rows of a problem; the first of classes that are equally common; None where no row has
    a label.
    """
    if learnt.regress:
        values = learnt.y[np.isfinite(learnt.y)]
        return (
            Baseline(float(values.mean()), value_text(float(values.mean())))
            if len(values)
            else None
        )
    codes = learnt.codes[learnt.labelled]
    if not len(codes) or not learnt.classes:
        return None
    commonest = int(np.bincount(codes).argmax())
    return Baseline(float(commonest), quoted(learnt.class_text(commonest), _NAMED))
