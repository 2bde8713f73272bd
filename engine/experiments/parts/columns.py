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


def error_without_columns(problem: Problem, folds: Sequence[Int]) -> float:
    """errV without any column, the mean over the folds.

    Each fold is answered by the commonest class of the other folds, the first of equals, or by
    their mean value.
    """
    found = []
    for i, fold in enumerate(folds):
        rest = np.concatenate([other for k, other in enumerate(folds) if k != i])
        if problem.regress:
            answer = problem.y[rest].mean()
        else:
            answer = np.bincount(problem.codes[rest]).argmax()
        found.append(mean_loss(problem, fold, np.full(len(fold), answer)))
    return float(np.mean(found))


def error_of(problem: Problem, subset: Subset) -> Work[float]:
    """errV of a learner on some columns: the mean of its errors on the folds.

    Raises EngineError where the learner refuses them.
    """
    reduced = with_columns(problem, subset.columns)
    found = list[float]()
    for i, fold in enumerate(subset.folds):
        rest = np.sort(np.concatenate([f for k, f in enumerate(subset.folds) if k != i]))
        model = yield from fitted(subset.learner, reduced, rest, subset.seeds[i])
        found.append(mean_loss(problem, fold, model.answers(reduced.X[fold])))
    return float(np.mean(found))


def in_order(columns: Sequence[int], d: int) -> Float:
    """(d,) of each column its place among these, from 1; NaN for the others."""
    places = np.full(d, np.nan)
    places[list(columns)] = np.arange(1, len(columns) + 1)
    return places
