"""Triangles round some points that leave others out: which three sides do it. ML Ex 7.5.

A side that is pushed inwards until it touches the + still leaves out what it left out. So only the
directions of the three sides matter, and each − is left out by the sides of an arc of directions.
"""

from itertools import combinations

from engine.authoring import Bool, Float, Int, frozen, np
from engine.experiments.shattering.hypotheses import AIR, NOTHING, Answer
from engine.numerics.closeness import more

EVEN = np.pi * np.array([0.5, 7 / 6, 11 / 6])  # directions of an upright triangle, its base below
IN_ARC = (0.25, 0.5, 0.75)  # places of an arc that are tried


def triangle(points: Float, plus: Bool, middle: Float, half: Float) -> Answer:
    """A triangle that holds exactly the points (n, 2) where `plus` (n,) is true, or why there is
    none: a − inside the hull of the +, or no three sides that leave all − out.

    middle, half: (2,) of the points, as `scaled` gives them
    """
    if not plus.any():
        return Answer(True, NOTHING)
    x = (points - middle) / half
    hull = hull_of(x[plus])
    ring = frozen((hull * half + middle).ravel())
    minus = x[~plus]
    arcs = [arc(m, x[plus]) for m in minus]
    for i, found in zip(np.flatnonzero(~plus).tolist(), arcs, strict=True):
        if found is None:
            return Answer(False, ring, within=i)
    angles = directions([found for found in arcs if found is not None])
    sides = best_sides(angles, x[plus], minus)
    if sides is None:
        return Answer(False, ring)
    return Answer(True, frozen((corners(*sides) * half + middle).ravel()))


def hull_of(x: Float) -> Float:
    """(k, 2) the corners of the convex hull of places (n, 2), counter-clockwise; of places on one
    line both ends.
    """
    places = np.unique(x, axis=0)
    if len(places) < 3:
        return places
    below = chain(places)
    above = chain(places[::-1])
    return np.array([*below[:-1], *above[:-1]])


def chain(places: Float) -> list[Float]:
    """The lower chain of the hull of places (n, 2) in their order along an axis."""
    kept: list[Float] = []
    for place in places:
        while len(kept) > 1 and not more(turn(kept[-2], kept[-1], place), 0.0, 1.0):
            kept.pop()
        kept.append(place)
    return kept


def turn(a: Float, b: Float, c: Float) -> float:
    """Twice the area of the triangle a, b, c; positive where it turns left."""
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def arc(minus: Float, plus: Float) -> tuple[float, float] | None:
    """(from, to) the directions of the sides that have a − (2,) outside and all + (k, 2) inside,
    in radians; None where the − lies in the hull of the +.
    """
    away = minus - plus
    if not more(float(np.abs(away).max(axis=1).min()), 0.0, 1.0):
        return None  # at the same place as a +
    first = np.arctan2(away[0, 1], away[0, 0])
    turned = np.angle(np.exp(1j * (np.arctan2(away[:, 1], away[:, 0]) - first)))
    low = float(turned.min())
    high = float(turned.max())
    if not more(np.pi, high - low, 1.0):
        return None
    return first + high - np.pi / 2, first + low + np.pi / 2


def directions(arcs: list[tuple[float, float]]) -> Float:
    """(k,) the directions that are tried: some in each part between the ends of arcs and the
    directions opposite to them, where neither what a side leaves out nor which sides meet changes.
    """
    ends = np.array(arcs).ravel()
    around = np.unique(np.mod(np.concatenate([ends, ends + np.pi]), 2 * np.pi))
    if not len(around):
        return EVEN
    width = np.diff(np.append(around, around[0] + 2 * np.pi))
    inside = [around + part * width for part in IN_ARC]
    return np.sort(np.mod(np.concatenate([*inside, EVEN]), 2 * np.pi))


def best_sides(angles: Float, plus: Float, minus: Float) -> tuple[Float, Float] | None:
    """((3, 2) outward directions, (3,) distances from 0) of a triangle's sides, or None.

    Of those that leave all − (m, 2) out it is the one with most room, not too pointed.
    """
    normal = np.column_stack([np.cos(angles), np.sin(angles)])
    reach = (normal @ plus.T).max(axis=1)  # (k,) where each side touches the +
    outside = normal @ minus.T - reach[:, None]  # (k, m) how far outside each − is
    chosen = np.array(list(combinations(range(len(angles)), 3)))
    gap = widest_gap(angles, chosen)
    room = outside[chosen].max(axis=1).min(axis=1, initial=2 * AIR)
    good = more(room, 0.0, 1.0) & more(np.pi, gap, 1.0)
    if not good.any():
        return None
    best = int(np.where(good, room - AIR * gap, -np.inf).argmax())
    sides = chosen[best]
    return normal[sides], reach[sides] + min(AIR, float(room[best]) / 2)


def widest_gap(angles: Float, chosen: Int) -> Float:
    """(t,) the widest angle between neighbours of three directions; below π the sides meet in a
    triangle. angles: (k,) ascending; chosen: (t, 3) their numbers, ascending
    """
    three = angles[chosen]
    after = np.column_stack([three[:, 1:], three[:, 0] + 2 * np.pi])
    return np.asarray((after - three).max(axis=1))


def corners(normal: Float, distance: Float) -> Float:
    """(3, 2) where neighbouring sides n · x = distance meet."""
    pairs = ((0, 1), (1, 2), (2, 0))
    return np.array([np.linalg.solve(normal[list(two)], distance[list(two)]) for two in pairs])
