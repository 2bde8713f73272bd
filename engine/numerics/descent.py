"""Steps downhill on the squared loss of a linear model, and falling rates. AIMA 18.6.1, MMDS 12.2.2."""

import numpy as np

from engine.core.arrays import Float, Log, frozen

STILL = 1e-6  # cosine between errors and columns below which w counts as standing still
OVERFLOW = 1e120  # squared size beyond which weights are no longer reckoned with


def moved(A: Float, y: Float, w: Float, a: float, in_turn: bool, path: Log[Float]) -> tuple[Float, Float | None]:
    """(Σ (y − h(x)) x, w + a Σ (y − h(x)) x), which is added to `path`; None instead of weights too large to reckon
    with. The factor 2 of the derivative is part of a. A (m, d + 1) with x₀ = 1."""
    if in_turn:
        return moved_in_turn(A, y, w, a, path)
    gradient = (y - A @ w) @ A
    after = frozen(w + a * gradient)
    if not after @ after < OVERFLOW:
        return gradient, None
    path.append(after)
    return gradient, after


def moved_in_turn(A: Float, y: Float, w: Float, a: float, path: Log[Float]) -> tuple[Float, Float | None]:
    """Every weight moves before the next one's derivative is taken: AIMA Eq 18.4 read literally."""
    after, gradient = np.array(w), np.zeros(len(w))
    corners = []
    for k in range(len(w)):
        gradient[k] = (y - A @ after) @ A[:, k]
        after[k] += a * gradient[k]
        corners.append(frozen(np.array(after)))
    if not after @ after < OVERFLOW:
        return gradient, None
    for corner in corners:
        path.append(corner)
    return gradient, corners[-1]


def least_pulls(A: Float, y: Float) -> Float:
    """(d + 1,) the parts of the gradient below which w counts as standing still, whatever the units and the rate."""
    return np.asarray(STILL * np.linalg.norm(A, axis=0) * np.linalg.norm(y), np.float64)


def decayed(rate: float, schedule: str, c: float, t: int) -> float:
    """The rate after t steps: fixed, rate / (1 + ct) or rate · 1000 / (1000 + t)."""
    if schedule == "1/(1+ct)":
        return rate / (1 + c * t)
    return rate * (1000 / (1000 + t) if schedule == "1000/(1000+t)" else 1.0)
