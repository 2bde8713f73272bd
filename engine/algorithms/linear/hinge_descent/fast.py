"""A round of single steps whose loss is worked out at its end alone."""

from typing import Any

from engine.algorithms.linear.hinge_descent import Setting, State
from engine.algorithms.linear.hinge_descent.loss import TOUCHING
from engine.algorithms.linear.parts.descent import within_numbers
from engine.authoring import Float, Int, np, replace
from engine.numerics.jit import jit


@jit
def hinge_visits(
    rows: Any, pull: float, eta: float, shrinks: Any, widest: Any, touching: float, w: Any
) -> Any:
    """w (d + 1,) after a step for each signed row (n, d + 1).

    pull: of a bad row; shrinks (d + 1,): 1 for each weight, 0 for a b that is free; widest
    (d + 1,): largest size in each column; touching: z this near to 1, relative to its terms, counts
    as 1
    """
    w = w.copy()
    for row in rows:
        z = 0.0
        for weight, x in zip(w, row):  # noqa: B905 numba's has no `strict`
            z += weight * x
        step = 0.0
        if z < 1.0 - touching:
            size = 0.0
            for weight, wide in zip(w, widest):  # noqa: B905
                size += wide * abs(weight)
            if z < 1.0 - touching * max(1.0, size):
                step = pull
        for i in range(len(w)):
            w[i] -= eta * (shrinks[i] * w[i] - step * row[i])
    return w


def one_by_one(given: Setting, s: State, order: Int) -> tuple[State, str]:
    eta = given.rate(s.round - 1)

    def moved(s: State, order: Int) -> State:
        w = visited(given, s.weights, order[:-1], eta)
        with np.errstate(over="ignore", invalid="ignore"):
            slope = given.slope_of_one(w, int(order[-1]))
            w = w - eta * slope
            return replace(s, slope=slope, updates=s.updates + len(order), **given.metrics_of(w))

    return within_numbers(moved, s, order, "f")


def visited(given: Setting, w: Float, order: Int, eta: float) -> Float:
    """The weights (d + 1,) after a step at rate eta for each of these rows in turn."""
    shrinks = np.ones(len(w))
    shrinks[-1] = given.p.penalise_b
    rows = given.signed.T[order]
    moved = hinge_visits(rows, given.pull, eta, shrinks, given.widest, TOUCHING, w)
    return np.asarray(moved, np.float64)
