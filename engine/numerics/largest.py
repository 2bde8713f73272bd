"""Finds the few largest of many numbers without sorting them all."""

import numpy as np

from engine.base.arrays import Float, Int

STRETCH = 128  # numbers in a stretch, which its maximum represents


def largest(values: Float | Int, most: int) -> Int:
    """The indices of the `most` largest values, largest first; ties keep their order."""
    rows = np.arange(len(values))
    # the maxima of the stretches bound the result, so most numbers need no partition
    if len(values) > STRETCH * most:
        tops = values[: len(values) // STRETCH * STRETCH].reshape(-1, STRETCH).max(axis=1)
        rows = np.flatnonzero(values >= np.partition(tops, -most)[-most])
    if len(rows) > most:
        rows = rows[values[rows] >= np.partition(values[rows], -most)[-most]]
    return rows[np.argsort(-values[rows], kind="stable")[:most]]
