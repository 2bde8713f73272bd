"""A round of single steps without a word: the loss is reckoned only at its end."""

from engine.algorithms.linear.hinge_descent import Setting, State
from engine.algorithms.linear.parts.descent import CALM, within_numbers
from engine.authoring import Int, replace


def one_by_one(given: Setting, s: State, order: Int) -> tuple[State, str]:
    eta = given.rate(s.round - 1)

    @CALM
    def moved(s: State, order: Int) -> State:
        w, slope = s.weights, s.slope
        for i in order.tolist():
            slope = given.slope_of_one(w, i)
            w = w - eta * slope
        return replace(s, slope=slope, updates=s.updates + len(order), **given.judged(w))

    return within_numbers(moved, s, order, "f")
