"""Pairs that nobody watches."""

from engine.algorithms.margins.svm import Setting, State
from engine.algorithms.margins.svm.dual import Pair, Solver


def moved(given: Setting, s: State, solver: Solver, until: int) -> tuple[State, Pair | None]:
    pair = None
    while solver.moves < until and (pair := given.choose(solver)) is not None and not solver.endless(pair):
        solver.move(pair)
    return given.state(solver), pair
