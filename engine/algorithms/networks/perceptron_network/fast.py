"""Visits that nobody watches, unit by unit."""

from collections.abc import Set

from engine.algorithms.networks.perceptron_network import Setting, State
from engine.algorithms.networks.perceptron_network.layer import share
from engine.authoring import Float, Int, frozen, np
from engine.numerics.compiled import Changing, Numbers, Rows, loop


@np.errstate(over="ignore", invalid="ignore")
def visit(given: Setting, s: State, rows: Int) -> tuple[Float | None, Set[int]]:
    W, changes = s.W.copy(), np.zeros(s.W.shape[1])
    for j, w in enumerate(s.W.T):
        if given.threshold:
            W[:, j], changes[j] = given.visits[j].whole_round(rows, w, given.p.rate)
        else:
            W[:, j] = after_sigmoid(given.X[rows], given.told.Y[rows, j], given.p.rate, w)
            changes[j] = np.count_nonzero(~np.isnan(given.told.Y[rows, j]))
    return frozen(W) if np.isfinite(W).all() else None, set(np.flatnonzero(changes).tolist())


def after_sigmoid(rows: Float, wanted: Float, rate: float, w: Float) -> Float:
    """The weights after visits to these rows of which `wanted` is known."""
    if compiled := sigmoid_visits.compiled_for(rows.size):
        compiled(np.ascontiguousarray(rows), wanted.copy(), rate, learnt := w.copy())
        return learnt
    sigmoid_visits(rows.tolist(), wanted.tolist(), rate, plain := w.tolist())
    return np.asarray(plain, np.float64)


@loop(share)
def sigmoid_visits(rows: Rows, wanted: Numbers, rate: float, w: Changing) -> None:
    """Each row whose y is known changes w."""
    for at in range(len(wanted)):
        if wanted[at] == wanted[at]:
            row, score = rows[at], 0.0
            for i in range(len(w)):
                score += w[i] * row[i]
            step = share(score, wanted[at], rate)
            for i in range(len(w)):
                w[i] += step * row[i]
