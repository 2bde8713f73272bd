"""How many mistakes a weighted vote of experts makes at most. ML Theorem 7.5, AIMA 18.10.1."""

from math import inf, log, log2


def vote_bound(best: int, experts: int, beta: float) -> float:
    """Mistakes of the weighted vote are at most this: ML Theorem 7.5 for any β.

    `best`: mistakes of the best expert.
    """
    if beta == 0 and best:
        return inf
    return ((best * log2(1 / beta) if best else 0.0) + log2(experts)) / log2(2 / (1 + beta))


def expected_bound(best: int, experts: int, beta: float) -> float:
    """Expected mistakes of a drawn expert's forecasts are at most this: AIMA 18.10.1."""
    return (best * log(1 / beta) + log(experts)) / (1 - beta)
