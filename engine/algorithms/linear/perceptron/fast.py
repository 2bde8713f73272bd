"""A round without a word."""

from engine.algorithms.linear.perceptron import Setting, State
from engine.authoring import Int, frozen, np, replace


def one_round(given: Setting, s: State, order: Int) -> State:
    rates = given.rate(s, np.arange(1, len(order) + 1))
    w, made = given.visits.whole_round(order, s.w, rates)
    return replace(s, w=frozen(w), mistakes=s.mistakes + made, visited=s.visited + len(order))
