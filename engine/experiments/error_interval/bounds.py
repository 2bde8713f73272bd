"""Between which ends the true error p lies, by four rules, after k of N fresh rows were wrong.

ML Ex 7.8, 7.3.1, Ex 7.3.
"""

from collections.abc import Callable, Mapping
from math import log

from engine.authoring import Float, np

Interval = tuple[Float, Float]
Rule = Callable[[Float, int, float], Interval]


def hoeffding(k: Float, N: int, delta: float) -> Interval:
    """e ± √(ln(2/δ) / 2N): each side fails with at most e^(−2Nε²) = δ/2. ML 7.3.1."""
    e = k / N
    half = np.sqrt(log(2 / delta) / (2 * N))
    return np.maximum(e - half, 0.0), np.minimum(e + half, 1.0)


def chernoff(k: Float, N: int, delta: float) -> Interval:
    """The p of which e is not off by a factor 1 ± γ with a chance below δ/2. ML Ex 7.3.

    e falls below (1 − γ) p with at most e^(−N p γ²/2); it exceeds (1 + γ) p with at most
    e^(−N p γ²/3) for γ ≤ 1, e^(−N p γ/3) for larger γ. Each is solved for p.
    """
    e = k / N
    least = log(2 / delta) / N
    middle = e + least
    high = middle + np.sqrt(middle**2 - e**2)
    middle = e + 1.5 * least
    low = middle - np.sqrt(middle**2 - e**2)
    far = np.maximum(e - 3 * least, 0.0)  # for γ > 1, p < e/2
    return np.where(low >= e / 2, low, far), np.minimum(high, 1.0)


def normal(k: Float, N: int, delta: float) -> Interval:
    """e ± z √(e (1 − e) / N), with z so that a normal number exceeds it with chance δ/2."""
    e = k / N
    half = z_of(delta) * np.sqrt(e * (1 - e) / N)
    return np.maximum(e - half, 0.0), np.minimum(e + half, 1.0)


def binomial(k: Float, N: int, delta: float) -> Interval:
    """The p with which k or fewer, and k or more, of N rows are wrong with a chance of at least
    δ/2. Clopper and Pearson 1934.
    """
    from scipy.special import betaincinv  # its import takes a while

    low = betaincinv(np.maximum(k, 1), N - k + 1, delta / 2)
    high = betaincinv(k + 1, np.maximum(N - k, 1), 1 - delta / 2)
    return np.where(k > 0, low, 0.0), np.where(k < N, high, 1.0)


def z_of(delta: float) -> float:
    """z with P(|normal number| > z) = δ: 1.96 for 0.05."""
    from scipy.special import ndtri

    return float(ndtri(1 - delta / 2))


RULES: Mapping[str, Rule] = {
    "Hoeffding": hoeffding,
    "Chernoff": chernoff,
    "normal": normal,
    "binomial": binomial,
}
