"""What locally weighted regression says."""

from engine.algorithms.regression.locally_weighted_regression import Params
from engine.algorithms.regression.parts.sweep import width_chip
from engine.algorithms.regression.parts.sweep_words import (
    answer,
    end,
    explain,
    fit,
    query,
    start,
    store,
    weigh,
)

__all__ = ["answer", "end", "explain", "fit", "query", "start", "store", "weigh"]
SUMMARY = (
    "Fits a line for the query alone: examples inside the window of the kernel count by their"
    " nearness. Smooth, better at the ends than a mean, and no model remains but the examples."
)
ERRATA = (
    (
        "AIMA 18.8.4 and ML 8.3.1 are silent when fewer than n + 1 examples lie inside the window,"
        " so that no line is settled. Here the weighted mean is taken, with none inside the"
        " nearest example, and the step says so."
    ),
    (
        "AIMA 18.8.4 refers to Fig 18.29(d) where Fig 18.28(d) is meant, and mixes d and |x| in the"
        " kernel."
    ),
)


def chips(p: Params) -> tuple[str, ...]:
    nearest = (f"k = {p.k}",) if p.k else ()
    return (p.kernel, *width_chip(p.kernel, p.width), *nearest)
