"""A round without a word."""

from engine.algorithms.linear.perceptron import Setting, State
from engine.authoring import Int, frozen, np, replace
from engine.numerics.visits import Visits


def one_round(given: Setting, s: State, order: Int) -> State:
    visits = Visits(given.X, given.sign, given.fires, reach=given.reach)
    rates = given.rate(s, np.arange(1, len(order) + 1))
    w, made = visits.whole_round(order, s.w, rates)
    return replace(s, w=frozen(w), mistakes=s.mistakes + made, visited=s.visited + len(order))
