"""How wrong answers are: the share of wrong rows, or the mean squared error of values."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.arrays import Float, Int
from engine.numerics.closeness import equal
from engine.table.problem import Problem


def losses(problem: Problem, rows: Int, answers: NDArray[Any]) -> Float:
    """(m,) the loss of the answer to each row.

    1 where the class is wrong or none is given, 0 where it is right; of values the square of the
    error. NaN for rows without a label.
    """
    if problem.regress:
        return np.asarray((answers - problem.y[rows]) ** 2, np.float64)
    codes = problem.codes[rows]
    return np.where(codes < 0, np.nan, answers != codes).astype(np.float64)


def mean_loss(problem: Problem, rows: Int, answers: NDArray[Any]) -> float:
    """The error of answers (m,) to rows (m,): of classes the share of wrong ones, Σ [h(x) ≠ y] / m;
    of values the mean squared error, Σ (h(x) − y)² / m. NaN where no row has a label.
    """
    found = losses(problem, rows, answers)
    known = found[~np.isnan(found)]
    return float(known.mean()) if len(known) else float("nan")


def loss_name(problem: Problem) -> str:
    """The name of `mean_loss`: "mean squared error" or "share of wrong rows"."""
    return "mean squared error" if problem.regress else "share of wrong rows"


def lowest(errors: Sequence[float]) -> list[int]:
    """The places of the least error, up to rounding; [] where all are NaN."""
    known = np.array(errors, np.float64)
    if np.isnan(known).all():
        return []
    return np.flatnonzero(equal(known, np.nanmin(known))).tolist()
