"""The error that the VC bound allows after so many examples: ML Eq 7.7 turned round."""

from engine.authoring import Float, np
from engine.experiments.vc_bounds import upper

LEAST = -6.0  # powers of ten between which the error is sought
MOST = 3.0
HALVINGS = 60


def error_after(m: Float, d: float, delta: float) -> Float:
    """(k,) the ε for which just m (k,) examples are enough by `upper`.

    The number of examples falls with ε, so that halving finds it.
    """
    low = np.full(len(m), LEAST)
    high = np.full(len(m), MOST)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        need = np.array([needed(exponent, d, delta) for exponent in middle.tolist()])
        low = np.where(need > m, middle, low)
        high = np.where(need > m, high, middle)
    return np.asarray(10.0**high)


def needed(exponent: float, d: float, delta: float) -> float:
    """The number of examples for ε = 10^exponent; 0 for ε above 13, where the formula ends."""
    return upper(d, 10.0**exponent, delta) if exponent < 1.1 else 0.0
