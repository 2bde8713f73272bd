"""How likely a bad hypothesis is still there after m examples: the sum over the bad ones and the
bound. ML 7.3.
"""

from engine.authoring import Bool, Float, Int, Rng, np
from engine.base.notation import power_of_ten

MOST_ROWS = 1000  # of a table, which stand for its distribution
BALANCED = 0.2  # share of both labels that a concept drawn for a run has, if one of H does


def concept(says: Bool, rng: Rng) -> int:
    """The number of one of the hypotheses, drawn among those that are neither nearly empty nor
    nearly all.

    says: (|H|, n) where each hypothesis holds on the rows
    """
    shares = says.mean(axis=1)
    balanced = np.flatnonzero((shares >= BALANCED) & (shares <= 1 - BALANCED))
    if not len(balanced):
        balanced = np.arange(len(says))
    return int(rng.choice(balanced))


def tens(low: float, high: float) -> tuple[tuple[float, str], ...]:
    """(exponent, text) of the ticks on a logarithmic axis from 10^low to 10^high."""
    step = max(1, round((high - low) / 6))
    exponents = range(int(np.ceil(low)), int(np.floor(high)) + 1)
    return tuple((float(k), power_of_ten(k)) for k in exponents if k % step == 0)


def union(errors: Float, examples: int) -> Float:
    """(m + 1,) Σ (1 − error)ᵐ over hypotheses with these errors (b,), after 0 to m examples."""
    m = np.arange(examples + 1)
    return np.asarray(((1 - errors)[:, None] ** m).sum(axis=0))


def bound(hypotheses: float, epsilon: float, examples: int) -> Float:
    """(m + 1,) |H| e^(−εm), after 0 to m examples. ML Theorem 7.1."""
    return np.asarray(hypotheses * np.exp(-epsilon * np.arange(examples + 1)))


def exhausted_after(wrong: Bool, rows: Int) -> int:
    """After how many examples each of the bad hypotheses was wrong once, m + 1 for never.

    wrong: (b, n) on which rows each bad hypothesis is wrong; rows: (m,) the rows of the examples
    """
    if not len(wrong):
        return 0
    never = np.ones((len(wrong), 1), bool)  # one more place, where the search for the first ends
    struck = np.hstack([wrong[:, rows], never])
    first = struck.argmax(axis=1)  # the number of the example that strikes each
    return int(first.max()) + 1


def least_expected(rows: int, looks: int, chance: float) -> float:
    """The mean of the least share of errors in `looks` looks at m rows, by chance alone.

    It is Σ P(all have ≥ i errors) / m, i = 1 … m. chance: the probability of an error on a row
    """
    from scipy.special import bdtr  # the binomial law, summed up

    m = rows
    above = 1 - bdtr(np.arange(m), m, chance)  # P(errors > i), i = 0 … m − 1
    return float((above**looks).sum() / m)
