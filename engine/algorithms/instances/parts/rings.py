"""Convex rings, cut by lines, after Sutherland and Hodgman."""

import numpy as np

from engine.base.arrays import Float


def kept_side(ring: Float, side: Float) -> Float:
    """(k, 2) what of a convex ring (m, 2) is not beyond a line; empty where no corner is left.

    side: (m,) how far each corner is beyond it, negative before it
    """
    kept = []
    for a, b, here, after in zip(
        ring, np.roll(ring, -1, axis=0), side, np.roll(side, -1), strict=True
    ):
        if here <= 0:
            kept.append(a)
        if (here < 0 < after) or (after < 0 < here):
            kept.append(a + here / (here - after) * (b - a))
    return np.array(kept) if kept else np.zeros((0, 2))
