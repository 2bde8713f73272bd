"""How many mistakes a weighted vote of experts makes at most. ML Theorem 7.5, AIMA 18.10.1."""

from math import inf, log, log2


def vote_bound(best: int, experts: int, beta: float) -> float:
    """At most so many mistakes does the weighted vote make: ML Theorem 7.5 for any β.

    best: mistakes of the best expert; infinite for β = 0 where even that one makes some
    """
    if best == 0:
        of_best = 0.0
    elif beta == 0:
        return inf
    else:
        of_best = best * log2(1 / beta)
    return (of_best + log2(experts)) / log2(2 / (1 + beta))


def expected_bound(best: int, experts: int, beta: float) -> float:
    """At most so many mistakes are expected of a drawn expert's forecasts: AIMA 18.10.1."""
    return (best * log(1 / beta) + log(experts)) / (1 - beta)
