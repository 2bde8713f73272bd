"""Groups of weighted examples: the weight of each class in them, the classes that weigh most, how pure they are."""

from typing import Literal

import numpy as np

from engine.core.arrays import Float, Int
from engine.core.sums import add_up
from engine.numerics.impurity import Mass

Criterion = Literal["error", "gain", "gini"]

TIE = 1e-10  # of the total weight: sums that differ by rounding alone are equal, so ties fall alike on every machine


def purity(sums: Float, criterion: Criterion) -> Float:
    """How pure groups of examples are, times their weight; sums (k, …) weight of each class. Larger is better.

    error: weight of the largest class; gain: minus the entropy in bits (AIMA 18.3.4); gini: minus the impurity (extension)
    """
    if criterion == "error":
        return np.asarray(sums.max(axis=0))
    return -Mass(criterion == "gini", None)(sums.sum(axis=0), tuple(sums))


def class_sums(cells: Int, weights: Float, shape: tuple[int, int]) -> Float:
    """Table of `shape` with the sum of the weights in each of its cells (row by row)."""
    return np.asarray(np.bincount(cells, weights, shape[0] * shape[1]), np.float64).reshape(shape)


def heaviest(sums: Float) -> list[list[int]]:
    """The classes that weigh most in each branch, by its class weights sums (b, k); an empty branch has those of all."""
    rows = sums.tolist()
    every = [add_up(weights) for weights in zip(*rows, strict=True)]
    near = TIE * max(add_up(every), 1e-300)
    branches = [(row, max(row) - near) for row in (row if add_up(row) > 0 else every for row in rows)]
    return [[c for c, weight in enumerate(row) if weight >= least] for row, least in branches]


def leaf_classes(sums: Float) -> tuple[int, ...]:
    """(b,) class of each branch: the heaviest; ties go to the last class ('No')."""
    return tuple(classes[-1] for classes in heaviest(sums))


def sides(lean: float, lean_of_all: float, mass: float) -> tuple[int, int, int]:
    """`leaf_classes` of a cut of two classes without missing values, below it, above it and of all rows, by how much class 0
    outweighs class 1."""
    return int(lean <= TIE * mass), int(lean_of_all - lean <= TIE * mass), int(lean_of_all <= TIE * mass)
