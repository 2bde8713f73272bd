"""Rectangles and intervals that fit examples of a hidden one, and how much they miss of it.

ML Ex 7.4, 7.6.
"""

from typing import Literal

from engine.authoring import Bool, Float, Rng, frozen, np

Taken = Literal["tightest", "loosest", "random"]


def drawn(rng: Rng, axes: int) -> Float:
    """(2, axes) lower and upper corner of a box in the unit cube, each side between two uniform
    places.
    """
    return frozen(np.sort(rng.random((2, axes)), axis=0))


def holds(box: Float, X: Float) -> Bool:
    return np.asarray(((box[0] <= X) & (box[1] >= X)).all(axis=1))


def fitted(taken: Taken, c: Float, X: Float, rng: Rng) -> Float:
    """(2, axes) a box that holds just those of X (m, axes) that c holds: the tightest; one pushed
    outwards side by side until it meets a − or the rim; or one at random between the tightest and
    c. Empty without a +.
    """
    plus = holds(c, X)
    if not plus.any():
        return frozen(np.full_like(c, np.nan))
    box = np.stack([X[plus].min(axis=0), X[plus].max(axis=0)])
    if taken == "random":
        return frozen(box + rng.random(box.shape) * (c - box))
    minus = X[~plus]
    for axis in range(box.shape[1]) if taken == "loosest" else ():
        others = [j for j in range(box.shape[1]) if j != axis]
        beside = minus[holds(box[:, others], minus[:, others])][:, axis]
        box[0, axis] = beside[beside < box[0, axis]].max(initial=0.0)
        box[1, axis] = beside[beside > box[1, axis]].min(initial=1.0)
    return frozen(box)


def area(box: Float) -> float:
    return 0.0 if np.isnan(box).any() else float(np.prod(np.maximum(box[1] - box[0], 0.0)))


def missed(c: Float, h: Float) -> float:
    """The part of the cube where two boxes differ: the true error."""
    both = np.stack([np.maximum(c[0], h[0]), np.minimum(c[1], h[1])])
    return area(c) + area(h) - 2 * (area(both) if (both[0] < both[1]).all() else 0.0)
