"""Visits whose steps are not recorded, unit by unit."""

from collections.abc import Set

from engine.algorithms.networks.parts import CALM
from engine.algorithms.networks.perceptron_network import Setting, State
from engine.authoring import Float, Int, frozen, np
from engine.numerics.sigmoid import after_sigmoid


@CALM
def visit(given: Setting, s: State, rows: Int) -> tuple[Float | None, Set[int]]:
    """(weights after these examples or None where they diverged, the units that changed)."""
    Y = given.targets.Y[rows]
    W = s.W.copy()
    changes = np.zeros(s.W.shape[1])
    for j, w in enumerate(s.W.T):
        if given.threshold:
            W[:, j], changes[j] = given.visits[j].whole_round(rows, w, given.rate)
        else:
            W[:, j] = after_sigmoid(given.X[rows], Y[:, j], np.asarray(given.rate), w)
            changes[j] = np.count_nonzero(~np.isnan(Y[:, j]))
    changed = set(np.flatnonzero(changes).tolist())
    return (frozen(W) if np.isfinite(W).all() else None), changed
