"""What kernel regression says."""

from engine.algorithms.regression.kernel_regression import Params
from engine.algorithms.regression.parts.sweep import width_chip
from engine.algorithms.regression.parts.sweep_words import (
    answer,
    end,
    explain,
    query,
    start,
    store,
    weigh,
)

__all__ = ["answer", "end", "explain", "query", "start", "store", "weigh"]
SUMMARY = (
    "Every example takes part in every query, the nearer the more. A continuous kernel gives a"
    " continuous curve; too wide a kernel flattens it, too narrow a kernel follows single examples."
)
ERRATA = (
    (
        "MMDS 12.4.4 calls σ in e^(−(x−q)²/σ²) the standard deviation. Without the 2 in the"
        " exponent that is σ/√2."
    ),
    "AIMA Fig 18.29 writes the kernel with d and |x| mixed; here d is the distance throughout.",
)


def chips(p: Params) -> tuple[str, ...]:
    return (p.kernel, *width_chip(p.kernel, p.width))
