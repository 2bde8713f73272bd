"""What neighbour regression says."""

from engine.algorithms.regression.neighbour_regression import Params
from engine.algorithms.regression.parts.sweep_words import (
    answer,
    end,
    explain,
    near,
    query,
    start,
    store,
    weigh,
)
from engine.authoring import number

__all__ = ["answer", "end", "explain", "near", "query", "start", "store", "weigh"]
SUMMARY = (
    "Asks the k nearest examples and takes the mean, the median or a line of their values. The"
    " curve jumps wherever another example becomes one of the nearest; means are flat at the ends."
)
ERRATA = (
    (
        "MMDS Ex 12.12 calls two neighbours on one side, weighted by 1/d, an extrapolation. The"
        " weights are positive, so the value stays between the two labels; the straight line"
        " through them is estimate = line with k = 2."
    ),
    (
        "MMDS 12.4.3 presents the weighted mean of the two nearest as continuous. It jumps where"
        " the two nearest change, when the next example stands at (x_i + x_{i+2})/2 and not on the"
        " other side of a neighbour."
    ),
    (
        "AIMA 18.8.4 puts leave-one-out at O(k) in place of O(kN). That is the cost of one example:"
        " all N have to be asked."
    ),
)


def chips(p: Params) -> tuple[str, ...]:
    weighted = () if p.weights == "equal" else (f"weights {p.weights}",)
    return (f"k = {number(p.k)}", p.estimate, *weighted)
