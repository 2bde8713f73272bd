"""Visits that nobody watches, unit by unit."""

from collections.abc import Set

from engine.algorithms.networks.perceptron_network import Setting, State
from engine.authoring import Float, Int, frozen, np
from engine.numerics.sigmoid import after_sigmoid


@np.errstate(over="ignore", invalid="ignore")
def visit(given: Setting, s: State, rows: Int) -> tuple[Float | None, Set[int]]:
    W = s.W.copy()
    changes = np.zeros(s.W.shape[1])
    for j, w in enumerate(s.W.T):
        if given.threshold:
            W[:, j], changes[j] = given.visits[j].whole_round(rows, w, given.rate)
        else:
            W[:, j] = after_sigmoid(given.X[rows], given.told.Y[rows, j], np.asarray(given.rate), w)
            changes[j] = np.count_nonzero(~np.isnan(given.told.Y[rows, j]))
    return frozen(W) if np.isfinite(W).all() else None, set(np.flatnonzero(changes).tolist())
