"""The weights of least squares in closed form. AIMA Eq 18.3, 18.6.2."""

import numpy as np

from engine.base.arrays import Float, frozen
from engine.numerics.closeness import OF_TERMS, equal


def least_squares(X: Float, y: Float, origin: bool = False) -> tuple[Float, bool]:
    """(w (d + 1,), unique): the weights of least Σ (y − h)², w₀ = 0 when `origin`.

    AIMA Eq 18.3, 18.6.2.

    Where they are not unique, those of least size, every column measured in its own spread and w₀
    free.
    """
    middle, level = (np.zeros(X.shape[1]), 0.0) if origin else (X.mean(0), float(y.mean()))
    centred = X - middle
    size = np.sqrt(np.einsum("ij,ij->j", centred, centred))
    # without a copy of X, as the division below: of many rows the room for it takes longer than the
    # reckoning
    reach = np.array([np.maximum(x.max(initial=0), -x.min(initial=0)) for x in X.T], np.float64)
    size[equal(size, 0.0, np.sqrt(len(X)) * reach, OF_TERMS)] = np.inf
    centred /= size
    slopes, _, rank, _ = np.linalg.lstsq(centred, y - level, rcond=None)
    slopes = slopes / size
    return frozen(np.concatenate([[level - slopes @ middle], slopes])), int(rank) == X.shape[1]
