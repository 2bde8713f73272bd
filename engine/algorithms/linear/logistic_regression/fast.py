"""A round of single updates without a word."""

from engine.algorithms.linear.logistic_regression import Setting, State, judged, updated
from engine.authoring import Int, np


def one_by_one(given: Setting, s: State, order: Int) -> tuple[State, str]:
    after = judged(given, updated(given, s, order))
    if np.isfinite(after.loss):
        return after, ""
    for i in order:  # somewhere on the way w left all numbers: the round ends before
        after = judged(given, updated(given, s, np.asarray([i])))
        if not np.isfinite(after.loss):
            break
        s = after
    return s, "diverged"
