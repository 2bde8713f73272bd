"""The few largest of many numbers, without sorting all of them."""

import numpy as np

from engine.base.arrays import Float, Int

STRETCH = 128  # numbers that are told by the largest of them


def largest(values: Float | Int, most: int) -> Int:
    """The places of so many of the largest, in their order; of equals the first in the table comes
    first.
    """
    rows = np.arange(len(values))
    # the largest of each stretch tell where they can be, in a fifth of the time
    if len(values) > STRETCH * most:
        tops = values[: len(values) // STRETCH * STRETCH].reshape(-1, STRETCH).max(axis=1)
        rows = np.flatnonzero(values >= np.partition(tops, -most)[-most])
    if len(rows) > most:
        rows = rows[values[rows] >= np.partition(values[rows], -most)[-most]]
    return rows[np.argsort(-values[rows], kind="stable")[:most]]
