"""Visits that nobody watches."""

from collections.abc import Set

from engine.algorithms.networks.perceptron_network import Setting, State
from engine.authoring import Float, Int


def visit(given: Setting, s: State, rows: Int) -> tuple[Float | None, Set[int]]:
    units = [given.unwatched(rows, w, j) for j, w in enumerate(s.W.T)]
    return given.after(s, units), {j for j, unit in enumerate(units) if unit.changes}
