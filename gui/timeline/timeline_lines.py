"""The curves of a timeline as separate straight pieces, which are drawn in one call.

A painter path with as many corners is drawn many times slower.
"""

import numpy as np

from engine.base.arrays import Float

HELD_OUT, BOUND = (8 / 2.25, 4 / 2.25), (1.5, 2.0)  # dash and gap, in widths of the line


def corners_of(x: Float, y: Float, width: float) -> Float:
    """(m, 2) pixels: stairs through the values x, y (n,) over `width` pixels."""
    return stairs(*thinned(x, y, width))


def pieces(corners: Float) -> Float:
    """(m, 2, 2) the straight pieces between corners (m + 1, 2)."""
    return np.stack([corners[:-1], corners[1:]], axis=1)


def thinned(x: Float, y: Float, width: float) -> tuple[Float, Float]:
    """At most about two points per pixel: the least and the largest value of each pixel's steps."""
    size = int(np.ceil(len(x) / max(1.0, width)))
    if size <= 2:
        return x, y
    whole = len(x) // size * size
    blocks = y[:whole].reshape(-1, size)
    ends = np.column_stack([blocks.min(1), blocks.max(1)]).ravel()
    places = np.repeat(x[:whole:size], 2)
    return np.append(places, x[whole:]), np.append(ends, y[whole:])


def stairs(x: Float, y: Float) -> Float:
    """(m, 2) the corners of stairs: each value y (n,) holds from its x (n,) to the next change."""
    turns = np.append(np.flatnonzero(np.diff(y, prepend=np.nan)), len(y) - 1)
    x = x[turns]
    y = y[turns]
    return np.column_stack([np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]])


def dashed(corners: Float, *pattern: float) -> Float:
    """(m, 2, 2) the drawn pieces of a dashed line along `corners` (n, 2).

    pattern: pixels of dash, gap, dash, gap …
    """
    way = np.append(0.0, np.cumsum(np.hypot(*np.diff(corners, axis=0).T)))
    ends = np.cumsum(pattern)
    starts = np.arange(0.0, way[-1], ends[-1])
    cuts = (starts[:, None] + np.append(0.0, ends[:-1])).ravel()
    stops = np.unique(np.concatenate([way, cuts[cuts < way[-1]]]))
    places = np.column_stack([np.interp(stops, way, corners[:, j]) for j in (0, 1)])
    drawn = np.searchsorted(ends, (stops[:-1] + stops[1:]) / 2 % ends[-1], "right") % 2 == 0
    return np.stack([places[:-1][drawn], places[1:][drawn]], axis=1)
