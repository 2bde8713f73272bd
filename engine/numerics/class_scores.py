"""One linear score for each class, and the class with the largest. MMDS 12.2.5."""

from collections.abc import Iterable, Iterator

import numpy as np

from engine.core.arrays import Float, Int
from engine.core.grid import Grid
from engine.core.problem import Problem
from engine.numerics.linear import linear_surface, with_column


def per_length(V: Float) -> Float:
    """V (k, d + 1), each row divided by the length of its w: scores become distances from its line."""
    lengths = np.linalg.norm(V[:, :-1], axis=1, keepdims=True)
    return V / np.where(lengths > 0, lengths, 1.0)


def row_scores(V: Float, X: Float) -> Float:
    """(k, m) w_i·x − θ_i of rows X (m, d); V holds w_i and last θ_i."""
    return V @ with_column(X, -1.0).T


def grid_scores(problem: Problem, V: Float, grid: Grid) -> Iterator[Float]:
    """k times (ny, nx): the same over a grid."""
    return (linear_surface(problem, v, -float(v[-1]), grid) for v in V)


def winners(scores: Iterable[Float], shape: tuple[int, ...]) -> Int:
    """Class of the largest of k scores of this shape, the first of equal ones; −1 where none is above 0."""
    best, codes = np.zeros(shape), np.full(shape, -1, np.intp)
    for c, score in enumerate(scores):
        codes = np.where(score > best, c, codes)
        best = np.maximum(best, score)
    return codes
