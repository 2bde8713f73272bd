"""Learners that give scores, by which a threshold parts rows and doubt shows; and rows that they
have not seen.
"""

from typing import Annotated

import numpy as np
from numpy.random import Generator

from engine.base.arrays import Float, Int, frozen
from engine.base.errors import EngineError
from engine.base.grid import Grid
from engine.base.notation import listed, quoted
from engine.fit.learners import Model, Studying, studying
from engine.judge.confusion import leads
from engine.numerics.contours import level_lines, one_polyline
from engine.protocol.params import Help, Label, Learner, Range
from engine.protocol.recipe import learners
from engine.protocol.registry import algorithm
from engine.scene.layers import Points, Role
from engine.scene.regression import extent
from engine.table.problem import Problem

_SIMPLE = "logistic_regression"  # the usual learner where it suits
_OTHERWISE = "random_forest(members=25)"
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
_FINE = 64  # cells along an axis of the plane
_AIR = 0.15  # of the plane, beyond the points
_MARKS = 400  # rows that are drawn one by one
_APART = 60  # marks that stand side by side in a lane
_PILE = 12  # marks of a pile
_HIGH = 0.6  # of a lane, a pile


def scoring(text: str, problem: Problem) -> Studying:
    """The learner that a parameter names, "" for the usual one.

    Raises EngineError as `studying` does, and for a learner without scores.
    """
    simple = algorithm(_SIMPLE).needs.refusal(problem) is None
    usual = _SIMPLE if simple else _OTHERWISE
    found = studying(text or usual, problem)
    if found.algorithm.scores is None:
        others = listed([each.title for each in learners(problem) if each.scores is not None])
        raise EngineError(
            f"{quoted(found.name)} gives classes without scores: choose a learner that gives some,"
            f" {others}."
        )
    return found


def parted(problem: Problem, rows: Int, share: float, rng: Generator) -> tuple[Int, Int]:
    """(rows to learn from, rows to judge): about this share of each class is judged.

    At least one row is learnt from, and one is judged if the class has two. Raises EngineError
    where no class has two rows.
    """
    judged = []
    for code in np.unique(problem.codes[rows]):
        own = rng.permutation(rows[problem.codes[rows] == code])
        wanted = max(1, round(share * len(own)))
        judged.append(own[: min(wanted, len(own) - 1)])
    found = np.sort(np.concatenate(judged))
    if not len(found):
        raise EngineError(
            "No class has two rows, one to learn from and one to judge: choose other data."
        )
    return np.setdiff1d(rows, found), found


def leads_of(model: Model, X: Float) -> Float:
    """(m, k) the score of each class less that of the best other, on rows X (m, d); NaN where
    there is no answer.
    """
    scores = model.learner.algorithm.scores
    assert scores is not None
    found = np.asarray(scores(model.given, model.state, X), np.float64)
    ahead = leads(np.clip(found, -LARGEST, LARGEST), len(model.problem.classes))
    return np.clip(ahead, -LARGEST, LARGEST)


def zero_line(model: Model, code: int) -> Float:
    """(m, 2) plane coordinates of where class `code` and the best other are level, rows of NaN
    between pieces.
    """
    problem = model.problem
    if not problem.plane:
        return frozen(np.zeros((0, 2)))
    grid = Grid(_places(problem, 0), _places(problem, 1))
    lead = leads_of(model, problem.from_plane(grid.points()))[:, code].reshape(grid.shape)
    return frozen(one_polyline(level_lines(grid.x, grid.y, lead, [0.0])))


def _places(problem: Problem, axis: int) -> Float:
    """(_FINE,) places along an axis of the plane, also beyond the points."""
    low, high = extent(problem, axis)
    air = _AIR * (high - low)
    return np.linspace(low - air, high + air, _FINE)


def bounded(value: float) -> float:
    """A lead, replaced by ±∞ where its size is at least LARGEST."""
    if abs(value) < LARGEST:
        return float(value)
    return float(np.copysign(np.inf, value))


def stepped(count: int, *also: int) -> list[int]:
    """The indices of the thresholds to step through, ascending: about MOST of `count`, evenly, and
    those in `also`.
    """
    evenly = np.linspace(0, count - 1, min(count, MOST)).round().astype(int)
    return sorted({*evenly.tolist(), *also})


def shown_range(values: Float) -> tuple[float, float]:
    """(low, high) of an axis that holds the values below LARGEST with a margin; never empty."""
    plain = values[np.abs(values) < LARGEST]
    if not len(plain):
        plain = np.array([-1.0, 1.0])
    low = float(plain.min())
    high = float(plain.max())
    air = 0.08 * (high - low) or 1.0
    return low - air, high + air


def lanes(problem: Problem, rows: Int, x: Float, said: Int, step: float, count: int) -> Points:
    """The rows at x (m,) in the class they are given, `said` (m,), each true class in a lane of its
    own.

    Rows that would hide one another are stacked; of many rows only every few are drawn.

    step: distance of two lanes
    count: number of lanes; more classes share lanes
    """
    each = max(1, len(rows) // _MARKS)
    rows = rows[::each]
    x = x[::each]
    codes = problem.codes[rows]
    place = np.round(x / (np.ptp(x) or 1.0) * _APART).astype(np.intp)
    same = (place[:, None] == place) & (codes[:, None] == codes)
    below = np.tril(same, -1).sum(axis=1) % _PILE  # rows at the same place, beneath this one
    highest = int(below.max(initial=1))
    lane = 1 + codes % count
    xy = np.column_stack([x, step * (lane + _HIGH * below / max(highest, 2))])
    tags = problem.tags_of(rows)
    return Points(xy, codes, Role.POINT, said[::each], tag="judged", tags=tags)
