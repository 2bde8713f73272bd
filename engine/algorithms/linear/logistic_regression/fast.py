"""A round of single updates without a word."""

from engine.algorithms.linear.logistic_regression import Setting, State, judged, updated
from engine.algorithms.linear.parts.descent import within_numbers
from engine.authoring import Int


def one_by_one(given: Setting, s: State, order: Int) -> tuple[State, str]:
    return within_numbers(
        lambda s, order: judged(given, updated(given, s, order)), s, order, "loss"
    )
