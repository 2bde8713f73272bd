"""The edges between boxes of different classes."""

from functools import lru_cache

import numpy as np

from engine.base.arrays import Float, Int


def dividing_edges(bounds: Float, group: Int) -> Float:
    """(m, 2, 2) the common edges of boxes of different classes.

    bounds: (k, 4), see `Boxes`; group: (k,)
    Cached, because the boxes of a run often stay for many steps.
    """
    return _dividing(np.ascontiguousarray(bounds).tobytes(), np.asarray(group, np.int64).tobytes())


@lru_cache(maxsize=16)
def _dividing(boxes: bytes, groups: bytes) -> Float:
    bounds = np.frombuffer(boxes).reshape(-1, 4)
    group = np.frombuffer(groups, np.int64)
    upright = _touching(bounds, group)
    level = _touching(bounds[:, [1, 0, 3, 2]], group)[..., ::-1]
    return np.concatenate([upright, level])


def _touching(bounds: Float, group: Int) -> Float:
    """(m, 2, 2) the upright common edges of boxes of different classes.

    The right side of one box lies on the left side of the other; the edge is the part that both
    have.
    """
    left, low, right, high = bounds.T
    same_place = (right[:, None] == left[None]) & np.isfinite(right)[:, None]
    bottom = np.maximum(low[:, None], low[None])
    top = np.minimum(high[:, None], high[None])
    first, second = np.nonzero(same_place & (bottom < top) & (group[:, None] != group[None]))
    at = right[first]
    return np.stack(
        [np.column_stack([at, bottom[first, second]]), np.column_stack([at, top[first, second]])],
        axis=1,
    )
