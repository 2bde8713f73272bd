"""The few largest of many numbers, without sorting all of them."""

import numpy as np

from engine.core.arrays import Float, Int


def largest(values: Float | Int, most: int) -> Int:
    """The places of so many of the largest, in their order; of equals the first in the table comes first."""
    least = np.partition(values, -most)[-most] if len(values) > most else values.min(initial=0)
    rows = np.flatnonzero(values >= least)
    return rows[np.argsort(-values[rows], kind="stable")[:most]]
