"""Generators of expert forecasts with the outcomes: steady experts, a half-way turn, an adversary,
a pool.

AIMA 18.10.1, ML 7.5.4.
"""

import numpy as np
from numpy.random import Generator as Random

from engine.base.arrays import Bool
from engine.table.dataset import Column, ColumnRole, category_column

Columns = tuple[Column, ...]
EXPERTS = 10
WRONG = np.arange(1, EXPERTS + 1) / 20  # error rates of experts 1 to 10
POOL = np.array([0.1, 0.3, 0.4] + [0.5] * 13)


def pundits(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """Each day ten experts forecast whether the market goes up; expert k errs with probability
    k/20.
    """
    up = rng.random(n) < 0.5
    says = up[:, None] ^ (rng.random((n, EXPERTS)) < WRONG)
    return _table(says, up ^ (rng.random(n) < noise), "expert")


def turn(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """Half-way the error rates of the experts are reversed: the best becomes the worst."""
    up = rng.random(n) < 0.5
    second = np.arange(n)[:, None] >= n / 2
    says = up[:, None] ^ (rng.random((n, EXPERTS)) < np.where(second, WRONG[::-1], WRONG))
    return _table(says, up ^ (rng.random(n) < noise), "expert")


def adversary(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """Experts that guess, against an adversary.

    Each day the opposite of the weighted vote with β = ½ comes true; a tied vote counts as “no”.
    """
    says = rng.random((n, EXPERTS)) < 0.5
    turned = rng.random(n) < noise
    up, wrong = np.zeros(n, bool), np.zeros(EXPERTS)
    for t in range(n):
        w = 0.5 ** (wrong - wrong.min())  # only ratios count
        up[t] = (w @ says[t] <= w @ ~says[t]) ^ turned[t]
        wrong += says[t] != up[t]
    return _table(says, up, "expert")


def pool(rng: Random, n: int, noise: float, classes: int) -> Columns:
    """Sixteen predictors: three that are right with probability 0.9, 0.7 and 0.6, and thirteen that
    guess.
    """
    truth = rng.random(n) < 0.5
    says = truth[:, None] ^ (rng.random((n, len(POOL))) < POOL)
    return _table(says, truth ^ (rng.random(n) < noise), "predictor")


def _table(says: Bool, up: Bool, name: str) -> Columns:
    columns = (
        category_column(f"{name} {k + 1}", says[:, k], (False, True)) for k in range(says.shape[1])
    )
    return (*columns, category_column("up", up, (True, False), ColumnRole.TARGET))
