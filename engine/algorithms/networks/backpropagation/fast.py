"""Examples that nobody watches: the same sums without a halt."""

from engine.algorithms.networks.backpropagation import Setting, State
from engine.algorithms.networks.backpropagation.lesson import bounded
from engine.algorithms.networks.backpropagation.passes import backward, descend, forward, learnt, one_example
from engine.algorithms.networks.parts import Arrays, Units
from engine.authoring import Float, Int, Sequence, frozen, np, replace


def learn(given: Setting, s: State, rows: Int) -> tuple[State, int | None]:
    p, one = given.p, given.p.mode == "stochastic"
    if one:
        weights = learn_in_order(given.units, s.weights, given.X, given.Y, rows, p.rate, p.decay)
    else:
        weights = learnt(s.weights, *one_example(given.units, s.weights, given.X, given.Y), p.rate, p.decay)
    if bounded(weights) or not one:
        return (replace(s, weights=weights), None) if bounded(weights) else (s, -1)
    for i in rows.tolist():  # whose step was it?
        weights = learnt(s.weights, *one_example(given.units, s.weights, given.X[i], given.Y[i]), p.rate, p.decay)
        if not bounded(weights):
            return s, int(given.rows[i])
        s = replace(s, weights=weights)
    return s, None


@np.errstate(over="ignore", invalid="ignore")
def learn_in_order(
    units: Units, weights: Sequence[Float], X: Float, Y: Float, order: Int, rate: float, decay: float
) -> Arrays:
    """The weights after one example after the other."""
    learnt = [w.copy() for w in weights]
    for i in order:
        answers = forward(units, learnt, X[i])
        descend(learnt, answers, backward(units, learnt, answers, Y[i]), rate, decay)
    return tuple(map(frozen, learnt))
