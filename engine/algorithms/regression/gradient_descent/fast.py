"""A step for each example without a word: the loss of all of them is reckoned once."""

from engine.algorithms.regression.gradient_descent import Setting, State, moved
from engine.authoring import Int, frozen, np, replace
from engine.numerics.descent import weights_on_the_way


def each(given: Setting, s: State, order: Int) -> State:
    if given.in_turn:
        for i in order.tolist():
            before = s
            _, s = moved(given, s, slice(i, i + 1))
            if s is before:
                break
        return replace(s, loss=given.loss(s.w))
    rates = np.full(len(order), given.alpha(s.steps + np.arange(len(order))))
    made = weights_on_the_way(given.A, given.y, order, rates, s.w)
    w = frozen(made[-1].copy()) if len(made) else s.w
    return replace(s, w=w, steps=s.steps + len(made), path=s.path.joined(made), loss=given.loss(w))
