"""Learners that give scores, by which a threshold can part rows and doubt can be told; and rows
that they have not seen.
"""

from typing import Annotated

import numpy as np
from numpy.random import Generator

from engine.core.arrays import Float, Int, frozen
from engine.core.errors import EngineError
from engine.core.grid import Grid
from engine.core.layers import Points, Role
from engine.core.notation import listed, quoted
from engine.core.params import Help, Label, Learner, Range
from engine.core.problem import Problem
from engine.core.recipe import learners
from engine.core.registry import algorithm
from engine.evaluation.confusion import leads
from engine.experiments.parts.learners import Model, Studying, studying
from engine.numerics.contours import joined, level_lines
from engine.pictures.regression import extent

_USUAL = "logistic_regression", "random_forest(members=25)"
_AUTO = (
    "any algorithm of the lab that gives scores; auto: logistic regression, of words or of more"
    " than two classes a random forest"
)
Scoring = Annotated[str, Learner(scores=True), Label("Learner"), Help(_AUTO)]
Judged = Annotated[
    float,
    Range(0.05, 0.95),
    Label("Judged share"),
    Help("of the rows of each class; the others are learnt from"),
]
LARGEST = 1e12  # a lead that is beyond all: of odds that are 0 or ∞
MOST = 200  # thresholds that are stepped through
_FINE, _AIR = 64, 0.15  # cells along an axis, and how far beyond the points
_MARKS = 400  # rows that are drawn one by one
# marks side by side, in a pile, and how much of a lane that is high
_APART, _PILE, _HIGH = 60, 12, 0.6


def scoring(text: str, problem: Problem) -> Studying:
    """The learner that a parameter names, as `studying` does; raises EngineError for one that gives
    no scores.
    """
    simple = algorithm(_USUAL[0]).needs.refusal(problem) is None
    found = studying(text or _USUAL[not simple], problem)
    if found.algorithm.scores is None:
        others = listed([each.title for each in learners(problem) if each.scores is not None])
        raise EngineError(
            f"{quoted(found.name)} gives classes without scores: choose a learner that gives some,"
            f" {others}."
        )
    return found


def parted(problem: Problem, rows: Int, share: float, rng: Generator) -> tuple[Int, Int]:
    """(rows to learn from, rows to judge): about this share of each class is judged, at least one
    row of those that have two; none of a class is left without a row to learn from.
    """
    judged = []
    for code in np.unique(problem.codes[rows]):
        own = rng.permutation(rows[problem.codes[rows] == code])
        judged.append(own[: min(max(1, round(share * len(own))), len(own) - 1)])
    found = np.sort(np.concatenate(judged))
    if not len(found):
        raise EngineError(
            "No class has two rows, one to learn from and one to judge: choose other data."
        )
    return np.setdiff1d(rows, found), found


def leads_of(model: Model, X: Float) -> Float:
    """(m, k) by how much each class is ahead of the best other on rows X, see `leads`; NaN where
    nothing is said.
    """
    scores = model.learner.algorithm.scores
    assert scores is not None
    found = np.asarray(scores(model.given, model.state, X), np.float64)
    return np.clip(
        leads(np.clip(found, -LARGEST, LARGEST), len(model.problem.classes)), -LARGEST, LARGEST
    )


def zero_line(model: Model, code: int) -> Float:
    """(m, 2) plane coordinates of where class `code` and the best other are level, rows of NaN
    between pieces.
    """
    problem = model.problem
    if not problem.plane:
        return frozen(np.zeros((0, 2)))
    (x0, x1), (y0, y1) = (extent(problem, axis) for axis in (0, 1))
    dx = _AIR * (x1 - x0)
    dy = _AIR * (y1 - y0)
    grid = Grid(np.linspace(x0 - dx, x1 + dx, _FINE), np.linspace(y0 - dy, y1 + dy, _FINE))
    lead = leads_of(model, problem.from_plane(grid.points()))[:, code].reshape(grid.shape)
    return frozen(joined(level_lines(grid.x, grid.y, lead, [0.0])))


def bounded(value: float) -> float:
    """Beyond all is ∞."""
    return float(value) if abs(value) < LARGEST else float(np.copysign(np.inf, value))


def stepped(count: int, *also: int) -> list[int]:
    """Which of so many thresholds are stepped through, ascending: at most about MOST of them,
    evenly, and these.
    """
    return sorted(
        {*np.linspace(0, count - 1, min(count, MOST)).round().astype(int).tolist(), *also}
    )


def shown_range(values: Float) -> tuple[float, float]:
    """Of an axis: the values that are not beyond all, never empty, with air."""
    plain = values[np.abs(values) < LARGEST]
    low, high = (float(plain.min()), float(plain.max())) if len(plain) else (-1.0, 1.0)
    air = 0.08 * (high - low) or 1.0
    return low - air, high + air


def lanes(problem: Problem, rows: Int, x: Float, said: Int, step: float, count: int) -> Points:
    """The rows at x (m,) as they are called, each class in a lane of its own, `step` apart; more
    than `count` share them. Rows that would hide one another stand in a pile.
    """
    few = np.arange(len(rows)) % max(1, len(rows) // _MARKS) == 0
    rows, x, codes = rows[few], x[few], problem.codes[rows[few]]
    place = np.round(x / (np.ptp(x) or 1.0) * _APART).astype(np.intp)
    same = (place[:, None] == place) & (codes[:, None] == codes)
    pile = np.tril(same, -1).sum(axis=1) % _PILE
    at = np.column_stack([x, step * (1 + codes % count + _HIGH * pile / _PILE)])
    return Points(at, codes, Role.POINT, said[few], tag="judged", tags=problem.tags_of(rows))
