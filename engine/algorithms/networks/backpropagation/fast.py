"""Examples whose moments are not recorded: the same sums without a halt."""

from engine.algorithms.networks.backpropagation import Setting, State
from engine.algorithms.networks.parts.network_setting import bounded
from engine.authoring import Int, replace


def learn_one_by_one(given: Setting, s: State, rows: Int) -> tuple[State, int | None]:
    """(the state after an unrecorded step for each of these rows, the row whose step made the
    weights diverge or None).
    """
    weights = s.weights
    for i in rows.tolist():
        before = weights
        a = given.forward(before, given.X[i])
        deltas = given.backward(before, a, given.Y[i])
        weights = given.learnt(before, a, deltas)
        if not bounded(weights):
            return replace(s, weights=before), int(given.rows[i])
    return replace(s, weights=weights), None
