"""Examples that nobody watches: the same sums without a halt."""

from typing import Any

from engine.algorithms.networks.backpropagation import Setting, State
from engine.algorithms.networks.parts.lesson import bounded
from engine.authoring import Int, replace


def learn(given: Setting, s: State, rows: Int) -> tuple[State, int | None]:
    single = given.p.mode == "stochastic"
    weights = s.weights
    groups: list[Any] = rows.tolist() if single else [slice(None)]
    for i in groups:
        before = weights
        a = given.forward(weights, given.X[i])
        weights = given.learnt(before, a, given.backward(before, a, given.Y[i]))
        if not bounded(weights):
            return replace(s, weights=before), int(given.rows[i]) if single else -1
    return replace(s, weights=weights), None
