"""A round of single steps without a word: the loss is reckoned only at its end."""

from engine.algorithms.linear.hinge_descent import State, judged
from engine.algorithms.linear.hinge_descent.loss import Setting
from engine.authoring import Int, np, replace


def one_by_one(given: Setting, s: State, order: Int) -> tuple[State, str]:
    w, slope, eta = s.weights, s.slope, given.rate(s)
    with np.errstate(over="ignore", invalid="ignore"):
        for i in order.tolist():
            slope = given.slope_of_one(w, i)
            w = w - eta * slope
    after = judged(given, replace(s, slope=slope, updates=s.updates + len(order)), w)
    return (after, "") if np.isfinite(after.f) else step_by_step(given, s, order)


def step_by_step(given: Setting, s: State, order: Int) -> tuple[State, str]:
    """Up to where w leaves all numbers."""
    for i in order.tolist():
        s = replace(s, slope=given.slope_of_one(s.weights, i))
        after = judged(given, replace(s, updates=s.updates + 1), given.downhill(s))
        if not np.isfinite(after.f):
            return s, "diverged"
        s = after
    return s, ""
