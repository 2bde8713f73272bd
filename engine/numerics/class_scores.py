"""One score of each class, and the class with the largest."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from engine.base.arrays import Float, Int
from engine.numerics.closeness import SHARE, settled


def winners(scored: Iterable[tuple[Float, Any]], shape: tuple[int, ...]) -> Int:
    """Class of the largest of k scores of this shape, the first of equal ones; −1 where none is
    above 0.

    scored: each with how far from equality only rounding may keep it
    """
    best = np.zeros(shape)
    codes = np.full(shape, -1, np.intp)
    doubt = np.zeros(shape)
    for c, (score, near) in enumerate(scored):
        more = score > best + (near + doubt)
        np.copyto(doubt, near, where=more)
        np.copyto(best, score, where=more)
        np.copyto(codes, c, where=more)
    return codes


def classify(inputs: Float) -> Int:
    """Class indices from in of the output units (n, m): the largest, or of one unit whether it is
    at least 0 (a ≥ ½).
    """
    found = np.where(inputs[:, 0] >= 0, 0, 1) if inputs.shape[1] == 1 else inputs.argmax(1)
    return np.where(np.isnan(inputs[:, 0]), -1, found)


def of_classes(inputs: Float) -> Float:
    """in (n, m) of the output units as scores: (n,) for two classes, above 0 for the first, else
    (n, k).
    """
    if inputs.shape[1] > 2:
        return inputs
    return np.asarray(inputs[:, 0] - inputs[:, 1] if inputs.shape[1] == 2 else inputs[:, 0])


def lead_of_two(shares: Float) -> Float:
    """Shares (…, k) of classes as scores: of two classes (…) the first one's less the other's, 0
    where they are equal up to rounding.
    """
    if shares.shape[-1] != 2:
        return shares
    return np.asarray(settled(shares[..., 0] - shares[..., 1], 1.0, SHARE))
