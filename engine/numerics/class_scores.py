"""Scores per class, and the class with the largest."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from engine.base.arrays import Float, Int
from engine.numerics.closeness import SHARE, settled


def winners(scored: Iterable[tuple[Float, Any]], shape: tuple[int, ...], floor: float = 0.0) -> Int:
    """The class with the largest of k scores of this shape; ties go to the first, −1 where none is
    above `floor`.

    scored: (score, the rounding error to allow for) of each class
    """
    best = np.full(shape, floor)
    codes = np.full(shape, -1, np.intp)
    doubt = np.zeros(shape)
    for c, (score, near) in enumerate(scored):
        more = score > best + (near + doubt)
        np.copyto(doubt, near, where=more)
        np.copyto(best, score, where=more)
        np.copyto(codes, c, where=more)
    return codes


def softmax(Z: Float) -> Float:
    """(m, k) the probabilities e^z / Σ e^z of scores Z (m, k), without overflow."""
    terms = np.exp(Z - Z.max(axis=1, keepdims=True))
    return np.asarray(terms / terms.sum(axis=1, keepdims=True))


def classify(inputs: Float) -> Int:
    """Class indices from the inputs of the output units (n, m), −1 for NaN.

    The largest wins; a single unit decides for class 0 if its input is at least 0 (a ≥ ½).
    """
    found = np.where(inputs[:, 0] >= 0, 0, 1) if inputs.shape[1] == 1 else inputs.argmax(1)
    return np.where(np.isnan(inputs[:, 0]), -1, found)


def of_classes(inputs: Float) -> Float:
    """The inputs (n, m) of the output units as scores: (n,) for two classes, positive for the
    first; else (n, m).
    """
    if inputs.shape[1] > 2:
        return inputs
    return np.asarray(inputs[:, 0] - inputs[:, 1] if inputs.shape[1] == 2 else inputs[:, 0])


def lead_of_two(shares: Float) -> Float:
    """Class shares (…, k) as scores: of two classes (…) the difference, 0 if equal up to rounding.

    More classes are unchanged.
    """
    if shares.shape[-1] != 2:
        return shares
    return np.asarray(settled(shares[..., 0] - shares[..., 1], 1.0, SHARE))
