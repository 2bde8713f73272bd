"""Discs and triangles on the plane that are few enough to list, at the crossings of a grid.

ML 7.3, Ex 7.5.
"""

from itertools import combinations, product

from engine.authoring import Bool, Float, Int, frozen, np
from engine.numerics.closeness import equal, more

_OF_A_RIM = 72  # corners of the outline of a disc


def crossings(axes: tuple[Float, ...]) -> Float:
    """(c, 2) where the edges of both axes cross, the first axis by the first column."""
    return frozen(list(product(*(axis.tolist() for axis in axes))))


def all_discs(axes: tuple[Float, ...]) -> Float:
    """(c · e, 3) centre and radius of the discs around each crossing, of e radii in equal steps up
    to half of the longer side of the grid; e is the number of edges of the longer axis.
    """
    count = max(map(len, axes))
    longest = max(float(np.ptp(axis)) for axis in axes) / 2
    radii = longest * np.arange(1, count + 1) / count
    centres = crossings(axes)
    return np.column_stack([np.repeat(centres, count, axis=0), np.tile(radii, len(centres))])


def in_discs(discs: Float, xy: Float) -> Bool:
    """(k, m) which places xy (m, 2) lie in each disc (k, 3) or on its rim."""
    away = np.hypot(*(xy[None] - discs[:, None, :2]).transpose(2, 0, 1))
    return np.asarray(~more(away, discs[:, 2:], discs[:, 2:]))


def all_triangles(axes: tuple[Float, ...]) -> Int:
    """(k, 3) the numbers of three crossings that do not lie on a line, counter-clockwise."""
    corners = crossings(axes)
    one, two, three = np.array(list(combinations(range(len(corners)), 3)), np.intp).T
    turn = turns(corners[one], corners[two], corners[three])
    size = np.ptp(corners, axis=0).prod()
    flat = equal(turn, 0.0, size)
    swapped = np.where(turn < 0, two, three)
    two = np.where(turn < 0, three, two)
    return np.asarray(np.column_stack([one, two, swapped])[~flat])


def turns(a: Float, b: Float, c: Float) -> Float:
    """(…,) twice the area of the triangles a, b, c (…, 2), below 0 where they go clockwise."""
    ab, ac = b - a, c - a
    return np.asarray(ab[..., 0] * ac[..., 1] - ab[..., 1] * ac[..., 0])


def in_triangles(corners: Float, triangles: Int, xy: Float) -> Bool:
    """(k, m) which places xy (m, 2) lie in each triangle (k, 3) of corners (c, 2), or on a side.

    Many triangles share a side: of each of these it is computed once where the places lie.
    """
    sides = triangles[:, [[0, 1], [1, 2], [2, 0]]]  # (k, 3, 2)
    unique, which = np.unique(sides.reshape(-1, 2), axis=0, return_inverse=True)
    from_, to = corners[unique[:, :1]], corners[unique[:, 1:]]  # (s, 1, 2)
    size = np.ptp(corners, axis=0).prod()
    left = ~more(0.0, turns(from_, to, xy[None]), size)  # (s, m)
    one, two, three = which.reshape(-1, 3).T
    return np.asarray(left[one] & left[two] & left[three])


def rim(disc: Float) -> Float:
    """(corners, 2) the outline of a disc (3,)."""
    angles = np.linspace(0, 2 * np.pi, _OF_A_RIM, endpoint=False)
    return np.asarray(disc[:2] + disc[2] * np.column_stack([np.cos(angles), np.sin(angles)]))
