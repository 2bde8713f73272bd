"""Least-squares weights in closed form. AIMA Eq 18.3, 18.6.2."""

import numpy as np

from engine.base.arrays import Float, frozen
from engine.numerics.closeness import OF_TERMS, equal


def least_squares(X: Float, y: Float, origin: bool = False) -> tuple[Float, bool]:
    """(w (d + 1,), unique): the weights that minimise Σ (y − h)², with w₀ = 0 if `origin`.

    If they are not unique, those of least norm, with each column in units of its spread and w₀
    free. AIMA Eq 18.3, 18.6.2.
    """
    middle, level = (np.zeros(X.shape[1]), 0.0) if origin else (X.mean(0), float(y.mean()))
    centred = X - middle
    size = np.sqrt(np.einsum("ij,ij->j", centred, centred))
    # column by column and in place, to avoid copies of a large X
    reach = np.array([np.maximum(x.max(initial=0), -x.min(initial=0)) for x in X.T], np.float64)
    size[equal(size, 0.0, np.sqrt(len(X)) * reach, OF_TERMS)] = np.inf
    centred /= size
    slopes, _, rank, _ = np.linalg.lstsq(centred, y - level, rcond=None)
    slopes = slopes / size
    return frozen(np.concatenate([[level - slopes @ middle], slopes])), int(rank) == X.shape[1]
