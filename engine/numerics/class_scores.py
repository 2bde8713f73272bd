"""One linear score for each class, and the class with the largest. MMDS 12.2.5."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

import numpy as np

from engine.core.arrays import Float, Int
from engine.core.grid import Grid
from engine.core.problem import Problem
from engine.numerics.linear import linear_surface, size_surface, with_column
from engine.numerics.mistakes import EQUAL

Scored = tuple[Float, Any]  # scores of a class, and how far from equality only rounding may keep them


def lengths(V: Float) -> Float:
    """(k, 1) the length of each w in V (k, d + 1), 1 for a w of zeros: scores divided by it are distances from a line."""
    sizes = np.linalg.norm(V[:, :-1], axis=1, keepdims=True)
    return np.where(sizes > 0, sizes, 1.0)


def row_scores(V: Float, reach: Float, X: Float) -> Scored:
    """(k, m) w_i·x − θ_i of rows X (m, d), 0 where only rounding keeps it from being so; (k, m) that rounding.

    V (k, d + 1) holds w_i and last θ_i; reach (k, d + 1): as in `settled_scores`.
    """
    rows = with_column(X, -1.0).T
    score, near = V @ rows, EQUAL * (_rough(V, reach) @ np.abs(rows))
    return np.where(np.abs(score) <= near, 0.0, score), near


def grid_scores(problem: Problem, V: Float, reach: Float, grid: Grid) -> Iterator[Scored]:
    """k times (ny, nx): the same over a grid, with the largest rounding of all its places."""
    corners = Grid(np.abs(grid.x).max(keepdims=True), np.abs(grid.y).max(keepdims=True))
    for v, more in zip(V, reach, strict=True):
        near = EQUAL * float(size_surface(problem, _rough(v, more), corners)[0, 0])
        yield linear_surface(problem, v, -float(v[-1]), grid), near


def _rough(V: Float, reach: Float) -> Float:
    """How large the terms of weights are that have been rounded; a weight of 0 has none, as in `settled_scores`."""
    return np.where(V == 0, 0.0, np.abs(V) + reach)


def winners(scored: Iterable[Scored], shape: tuple[int, ...]) -> Int:
    """Class of the largest of k scores of this shape, the first of equal ones; −1 where none is above 0."""
    best, codes, doubt = np.zeros(shape), np.full(shape, -1, np.intp), np.zeros(shape)
    for c, (score, near) in enumerate(scored):
        more = score > best + (near + doubt)
        np.copyto(doubt, near, where=more)
        np.copyto(best, score, where=more)
        np.copyto(codes, c, where=more)
    return codes


def classify(inputs: Float) -> Int:
    """Class indices from in of the output units (n, m): the largest, or of one unit whether it is at least 0 (a ≥ ½)."""
    found = np.where(inputs[:, 0] >= 0, 0, 1) if inputs.shape[1] == 1 else inputs.argmax(1)
    return np.where(np.isnan(inputs[:, 0]), -1, found)


def of_classes(inputs: Float) -> Float:
    """in (n, m) of the output units as scores: (n,) for two classes, above 0 for the first, else (n, k)."""
    if inputs.shape[1] > 2:
        return inputs
    return np.asarray(inputs[:, 0] - inputs[:, 1] if inputs.shape[1] == 2 else inputs[:, 0])


def borders(N: Float, b: Float, reach: float) -> Float:
    """(m, 2, 2) pieces of the lines between the regions of classes, and of none of them, on a plane.

    The score of class i at a place is N[i]·place + b[i]; none of them wins where no score is above 0. N (k, 2); pieces
    without an end are `reach` long on that side.
    """
    N, b = np.vstack([N, np.zeros(2)]), np.append(b, 0.0)
    pieces = []
    for i, j in combinations(range(len(N)), 2):
        normal, level = N[i] - N[j], b[i] - b[j]
        size = float(normal @ normal)
        if size == 0:
            continue
        foot, along = -level / size * normal, np.array([-normal[1], normal[0]]) / np.sqrt(size)
        others = [c for c in range(len(N)) if c not in (i, j)]
        lead, slope = (N[i] - N[others]) @ foot + b[i] - b[others], (N[i] - N[others]) @ along
        with np.errstate(divide="ignore", invalid="ignore"):
            cut = -lead / slope
        low = max(float(cut[slope > 0].max(initial=-reach)), -reach)
        high = min(float(cut[slope < 0].min(initial=reach)), reach)
        if low < high and (lead[slope == 0] >= 0).all():
            pieces.append([foot + low * along, foot + high * along])
    return np.array(pieces).reshape(-1, 2, 2)
