"""Learning from some of the columns, judged by cross-validation on the same folds."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.base.arrays import Float, Int, frozen
from engine.base.records import replace
from engine.base.work import Work
from engine.experiments.parts.loss import mean_loss
from engine.fit.learners import Studying, fitted
from engine.table.problem import Problem


class Subset(NamedTuple):
    """Columns to learn from, and how to judge them.

    columns: their indices
    folds: the rows (m,) of each fold
    seeds: of the learner's chance, one for each fold
    """

    learner: Studying
    columns: tuple[int, ...]
    folds: tuple[Int, ...]
    seeds: tuple[int, ...]


def with_columns(problem: Problem, columns: Sequence[int]) -> Problem:
    """The problem with these columns alone, in this order, and nothing held out."""
    places = list(columns)
    query = problem.query
    return replace(
        problem,
        X=frozen(problem.X[:, places]),
        features=tuple(problem.features[j] for j in places),
        plane=tuple(places.index(j) for j in problem.plane if j in places),
        anchor=frozen(problem.anchor[places]),
        query=None if query is None else frozen(query[places]),
        held_out=None,
    )


def error_without_columns(problem: Problem, rows: Int, test: Int) -> float:
    """The error on rows `test` of what can be learnt from `rows` without any column: the commonest
    class, the first of equals, or the mean value.
    """
    if problem.regress:
        answer = problem.y[rows].mean()
    else:
        answer = np.bincount(problem.codes[rows]).argmax()
    return mean_loss(problem, test, np.full(len(test), answer))


def other_folds(folds: Sequence[Int], i: int) -> Int:
    """The rows of all folds but the i-th, ascending."""
    return np.sort(np.concatenate([fold for k, fold in enumerate(folds) if k != i]))


def error_of(problem: Problem, subset: Subset) -> Work[float]:
    """errV of a learner on some columns: the mean of its errors on the folds.

    Raises EngineError where the learner refuses them.
    """
    reduced = with_columns(problem, subset.columns)
    found = list[float]()
    for i, fold in enumerate(subset.folds):
        rest = other_folds(subset.folds, i)
        model = yield from fitted(subset.learner, reduced, rest, subset.seeds[i])
        found.append(mean_loss(problem, fold, model.answers(reduced.X[fold])))
    return float(np.mean(found))


def in_order(columns: Sequence[int], d: int) -> Float:
    """(d,) of each column its place among these, from 1; NaN for the others."""
    places = np.full(d, np.nan)
    places[list(columns)] = np.arange(1, len(columns) + 1)
    return places
