"""What the page whose rule it is finds at a place."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

import engine
from engine.algorithms.regression.parts.smoothing_fits import Rule
from engine.algorithms.regression.parts.sweep import State
from engine.protocol.step import Pace

SMOOTH = ("gaussian", "quadratic")


def page_of(rule: Rule) -> tuple[str, dict[str, Any]]:
    """(key, params) of the local regression that answers by this rule."""
    width = {"width": rule.width} if rule.kernel in SMOOTH else {}
    if rule.estimate == "line" and (rule.kernel in SMOOTH or not rule.k):
        return "locally_weighted_regression", {"kernel": rule.kernel, "k": rule.k, **width}
    if not rule.k:
        return "kernel_regression", {"kernel": rule.kernel, **width}
    return "neighbour_regression", {"k": rule.k, "weights": rule.kernel, "estimate": rule.estimate}


def at_query(x: ArrayLike, y: ArrayLike, rule: Rule, q: float) -> State:
    """The state of that page with the query at q, for examples x (n,), y (n,)."""
    key, params = page_of(rule)
    column = np.asarray(x, np.float64)[:, None]
    data = engine.Dataset.from_arrays(column, np.asarray(y, np.float64), task="regress")
    trace = engine.run(key, data, pace=Pace(end=True), **params)
    return trace.given.at_query(State(stored=True), np.array([q]))
