"""How many hypotheses there are, by their logarithm, and how many examples are enough for so many.

ML 7.3, AIMA 18.5.1.
"""

from math import comb, lgamma, log

from engine.base.sums import add_up
from engine.numerics.closeness import whole_above

SPACES = (
    "all conjunctions",
    "all functions",
    "k-term DNF",
    "k-decision lists",
    "integer rectangles",
)
INTEGERS = 100  # bounds 0 … 99, ML Ex 7.2


def log_size(space: str, n: int, k: int) -> float:
    """ln |H| of a class of hypotheses over n columns: 3ⁿ, 2^(2ⁿ), 3^(nk), 3^c c! or (100 · 101 /
    2)². k: literals or terms
    """
    if space == "all conjunctions":
        return n * log(3)
    if space == "all functions":
        return float(2.0**n * log(2))
    if space == "k-term DNF":
        return n * k * log(3)
    if space == "k-decision lists":
        c = tests(n, k)
        return c * log(3) + lgamma(c + 1)
    return 2 * log(INTEGERS * (INTEGERS + 1) / 2)


def tests(n: int, k: int) -> int:
    """|Conj(n, k)|: the number of conjunctions of at most k of 2n literals, with those that never
    hold. AIMA 18.5.1.
    """
    return add_up(comb(2 * n, i) for i in range(k + 1))


def written(space: str, n: int, k: int) -> str:
    """|H| as the text of a formula, "3^4"."""
    return {
        "all conjunctions": f"3^{n}",
        "all functions": f"2^(2^{n})",
        "k-term DNF": f"3^({n} · {k})",
        "k-decision lists": f"3^{tests(n, k)} · {tests(n, k)}!",
        "integer rectangles": "(100 · 101 / 2)²",
    }[space]


def enough(size: float, epsilon: float, delta: float, agnostic: bool) -> int:
    """The number of examples that suffices for ln |H| = `size`. ML Eq 7.2; for the agnostic learner
    Eq 7.3.
    """
    return whole_above((size + log(1 / delta)) / (2 * epsilon**2 if agnostic else epsilon))


def exactly(size: float, epsilon: float, delta: float) -> int:
    """The least m with |H| (1 − ε)ᵐ ≤ δ, before 1 − ε is replaced by e^−ε. AIMA 18.5."""
    return whole_above((size + log(1 / delta)) / -log(1 - epsilon))
