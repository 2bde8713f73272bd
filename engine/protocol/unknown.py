"""Answers for rows with missing values: none where the model cannot give one.

Pages need not handle such rows.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.arrays import Bool, Float
from engine.base.notation import counted, quoted
from engine.protocol.step import Note, note
from engine.table.problem import Problem


def unknown(X: Float, by_known: bool) -> Bool:
    """(m,) which rows of X (m, d) cannot be answered.

    Those with a missing value; `by_known`: only those whose values are all missing.
    """
    gaps = np.isnan(X)
    return np.asarray(gaps.all(axis=1) if by_known else gaps.any(axis=1))


def skip_missing(
    answer: Callable[[Any, Any, Float], NDArray[Any]], none: float, by_known: bool
) -> Callable[..., Any]:
    """`answer` for the rows that can be answered; the others get `none`, or NaN in regression."""

    def answered(given: Any, state: Any, X: Float) -> NDArray[Any]:
        # the usual case, without a copy
        if not np.isnan(X).any() or not (missing := unknown(X, by_known)).any():
            return answer(given, state, X)
        known = answer(given, state, X[~missing])
        found = np.full(
            (len(X), *known.shape[1:]), np.nan if given.problem.regress else none, known.dtype
        )
        found[~missing] = known
        return found

    return answered


def missing_note(problem: Problem, x: Float) -> Note:
    """The note of a row x (d,) with missing values: which columns are unknown."""
    names = [
        feature.name for feature, gap in zip(problem.features, np.isnan(x), strict=True) if gap
    ]
    return note("{names} unknown: nothing can be said of this row.", names=_listed(names))


def _listed(names: list[str]) -> str:
    """The names with their verb: '“a” is', '“a” and “b” are', '“a” and 3 more columns are'."""
    if len(names) > 2:
        return f"{quoted(names[0])} and {counted(len(names) - 1, 'more column')} are"
    return " and ".join(map(quoted, names)) + (" are" if len(names) > 1 else " is")
