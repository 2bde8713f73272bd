"""Errors of a model on its training rows and on held-out rows, at each round of its run."""

import numpy as np

from engine.base.arrays import Float, Int
from engine.protocol.step import Level
from engine.runs.trace import Trace
from engine.table.baseline import error_of


def error_share(trace: Trace, at: int = -1, held_out: bool = False) -> float:
    """The share of wrong rows at step `at`, for values the root mean squared error.

    NaN without labelled rows.
    """
    problem = trace.problem.held_out if held_out else trace.problem
    if problem is None or not (problem.n if problem.regress else problem.labelled.any()):
        return float("nan")
    return error_of(problem, trace.codes(problem.X, at))


def held_out_curve(trace: Trace, start: int = 0) -> tuple[Int, Float]:
    """(step indices, errors) on held-out rows of each ROUND step from round `start` on.

    Empty without a split, and for methods that do not predict.
    """
    rounds = list(trace.indices(Level.ROUND)[start:])
    if trace.problem.held_out is None or trace.algorithm.predict is None:
        return np.zeros(0, np.intp), np.zeros(0)
    return np.asarray(rounds, np.intp), np.asarray(
        [error_share(trace, i, held_out=True) for i in rounds]
    )
