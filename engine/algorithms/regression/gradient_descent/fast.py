"""A step for each example without a word: the loss of all of them is reckoned once."""

from engine.algorithms.regression.gradient_descent import Setting, State, moved
from engine.authoring import Int, np, replace
from engine.numerics.descent import weights_on_the_way


def each(given: Setting, s: State, order: Int) -> State:
    if given.in_turn:
        for i in order.tolist():
            before, (_, s) = s, moved(given, s, slice(i, i + 1))
            if s is before:
                break
        return replace(s, loss=given.loss(s.w))
    rates = np.full(len(order), given.alpha(s.steps + np.arange(len(order))))
    made = weights_on_the_way(given.A, given.y, order, rates, s.w)
    path = s.path.plus(*made)
    return replace(s, w=path[-1], steps=s.steps + len(made), path=path, loss=given.loss(path[-1]))
