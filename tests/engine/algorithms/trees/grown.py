"""A decision tree grown by the page's own loop at the pace of rounds, from plain arrays."""

from collections.abc import Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

import engine
from engine.algorithms.trees.decision_tree import grow as grow_from
from engine.algorithms.trees.decision_tree import importance, started
from engine.algorithms.trees.parts.entries import Examples
from engine.algorithms.trees.parts.growth import Growth
from engine.algorithms.trees.parts.levels import root
from engine.algorithms.trees.parts.model import Tree
from engine.algorithms.trees.parts.splits import Rule
from engine.base.arrays import Float, Int
from engine.protocol.moment import At
from engine.protocol.step import Level, Pace
from engine.table.dataset import Feature


def rule(measure: str = "gain", **options: Any) -> Rule:
    """The rule of the page for one of its measures."""
    gain = importance if measure == "ratio" else None
    return Rule(partial(importance, measure=measure), gain, **options)


GAIN = rule()


def grow(
    X: Float,
    features: Sequence[Feature],
    codes: Int,
    weights: Float | None,
    classes: int,
    growth: Growth = Growth(GAIN),
) -> Tree:
    """The whole tree for the rows of X (n, d) with class `codes` (n,), −1 = left out, and `weights`
    (n,) or None.
    """
    given: Any = SimpleNamespace(
        p=SimpleNamespace(stop=growth.stop),
        problem=SimpleNamespace(features=features),
        rows=np.flatnonzero(codes >= 0),
        parted=False,
    )
    top = root(Examples.of(X, features, codes, classes), growth, weights)
    growing = grow_from(
        given,
        At(engine.algorithms()["decision_tree"], given, Pace(Level.ROUND)),
        started(given, top),
        top,
    )
    while True:
        try:
            next(growing)
        except StopIteration as end:
            grown: Tree = end.value.tree
            return grown
