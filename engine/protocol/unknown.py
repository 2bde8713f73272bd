"""An unknown in, nothing known out: what a model says of rows with unknown values.

No page has to think of it.
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
    """(m,) the rows that nothing can be said of: those with an unknown value, or, `by_known`,
    without any other.
    """
    gaps = np.isnan(X)
    return np.asarray(gaps.all(axis=1) if by_known else gaps.any(axis=1))


def skip_missing(
    answer: Callable[[Any, Any, Float], NDArray[Any]], none: float, by_known: bool
) -> Callable[..., Any]:
    """`answer` of the rows that something can be said of; of the others `none`, or NaN where values
    are told.
    """

    def answered(given: Any, state: Any, X: Float) -> NDArray[Any]:
        # a whole surface seldom has gaps
        if not np.isnan(X).any() or not (gone := unknown(X, by_known)).any():
            return answer(given, state, X)
        known = answer(given, state, X[~gone])
        found = np.full(
            (len(X), *known.shape[1:]), np.nan if given.problem.regress else none, known.dtype
        )
        found[~gone] = known
        return found

    return answered


def missing_note(problem: Problem, x: Float) -> Note:
    """Of a row x (d,) with unknown values."""
    names = [
        feature.name for feature, gap in zip(problem.features, np.isnan(x), strict=True) if gap
    ]
    return note("{names} unknown: nothing can be said of this row.", names=_listed(names))


def _listed(names: list[str]) -> str:
    """“a” is, “a” and “b” are, “a” and 3 more columns are."""
    if len(names) > 2:
        return f"{quoted(names[0])} and {counted(len(names) - 1, 'more column')} are"
    return " and ".join(map(quoted, names)) + (" are" if len(names) > 1 else " is")
