"""Rectangles and intervals in the unit cube: drawn, pushed outwards, compared. ML Ex 7.4, 7.6."""

from typing import Literal

from engine.authoring import Bool, Float, Rng, frozen, np

Taken = Literal["tightest", "loosest", "random"]


def drawn(rng: Rng, axes: int) -> Float:
    """(2, axes) lower and upper corner of a box in the unit cube, each side between two uniform
    places.
    """
    return frozen(np.sort(rng.random((2, axes)), axis=0))


def holds(box: Float, X: Float) -> Bool:
    """(m,) which of the places X (m, axes) lie in the box or on its rim."""
    return np.asarray(((box[0] <= X) & (box[1] >= X)).all(axis=1))


def pushed_out(box: Float, minus: Float) -> Float:
    """(2, axes) the box, pushed outwards side by side until it meets one of the places `minus`
    (k, axes) or the rim of the cube.
    """
    found = box.copy()
    for axis in range(box.shape[1]):
        others = [j for j in range(box.shape[1]) if j != axis]
        beside = minus[holds(found[:, others], minus[:, others])][:, axis]
        found[0, axis] = beside[beside < found[0, axis]].max(initial=0.0)
        found[1, axis] = beside[beside > found[1, axis]].min(initial=1.0)
    return frozen(found)


def area(box: Float) -> float:
    """The share of the unit cube within a box (2, d) of lower and upper ends; 0 where it is empty
    or NaN.
    """
    if np.isnan(box).any():
        return 0.0
    return float(np.prod(np.maximum(box[1] - box[0], 0.0)))


def missed(c: Float, h: Float) -> float:
    """The share of the unit cube where two boxes (2, d) differ: the true error of h for the concept
    c.
    """
    both = np.stack([np.maximum(c[0], h[0]), np.minimum(c[1], h[1])])
    return area(c) + area(h) - 2 * area(both)
