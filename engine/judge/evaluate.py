"""Judging a model from outside: errors on rows it has not seen, at every round of its run."""

import numpy as np

from engine.base.arrays import Float, Int
from engine.protocol.step import Level
from engine.runs.trace import Trace
from engine.table.baseline import error_of


def error_share(trace: Trace, at: int = -1, held_out: bool = False) -> float:
    """Share of wrong rows at step `at`, or the root of the mean squared error of values; NaN
    without labelled rows.
    """
    problem = trace.problem.held_out if held_out else trace.problem
    if problem is None or not (problem.n if problem.regress else problem.labelled.any()):
        return float("nan")
    return error_of(problem, trace.codes(problem.X, at))


def held_out_curve(trace: Trace, start: int = 0) -> tuple[Int, Float]:
    """(indices, shares): held-out error at every ROUND step from number `start` of them on; empty
    without a split.
    """
    rounds = list(trace.indices(Level.ROUND)[start:])
    if trace.problem.held_out is None or trace.algorithm.predict is None:
        return np.zeros(0, np.intp), np.zeros(0)
    return np.asarray(rounds, np.intp), np.asarray(
        [error_share(trace, i, held_out=True) for i in rounds]
    )
