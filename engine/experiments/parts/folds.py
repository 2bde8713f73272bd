"""Dealing rows into folds: sizes differ by at most one.

AIMA 18.4; MMDS 12.1.4 leaves shuffling open.
"""

import numpy as np
from numpy.random import Generator

from engine.base.arrays import Int, frozen
from engine.base.errors import EngineError
from engine.table.problem import Problem


def labelled_rows(problem: Problem) -> Int:
    """(m,) the rows that can be learnt from and tested on: all, or those with a class."""
    return np.arange(problem.n) if problem.regress else np.flatnonzero(problem.labelled)


def check_folds(k: int, rows: int) -> int:
    """k; raises EngineError for more folds than rows."""
    if k > rows:
        raise EngineError(
            f"{k} folds need {k} rows with a label, there are {rows}: take k ≤ {rows}."
        )
    return k


def dealt(
    problem: Problem, rows: Int, k: int, rng: Generator | None, stratified: bool = False
) -> Int:
    """(n,) the fold, 0 … k − 1, of each of these rows of the problem, −1 for all others.

    rng: shuffles the rows, None: as they stand; stratified: every fold has its share of each class
    """
    order = rows if rng is None else rng.permutation(rows)
    numbers = np.arange(len(order))
    deal = np.full(problem.n, -1)
    if stratified and not problem.regress:
        by_class = np.argsort(problem.codes[order], kind="stable")
        deal[order[by_class]] = numbers % k
    else:
        deal[order] = numbers * k // len(order)
    return frozen(deal)
