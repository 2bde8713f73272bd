"""Pairs whose words are not wanted: the same choice and the same move."""

from engine.algorithms.margins.svm import Setting, State, choose
from engine.algorithms.margins.svm.dual import Dual, Pair
from engine.authoring import Work, replace


def moved(given: Setting, s: State, dual: Dual, until: int) -> Work[tuple[State, Pair | None]]:
    """(the state at `until` moves, the last pair); None where every pair fulfils its condition."""
    pair: Pair | None = None
    while dual.moves < until:
        pair = choose(given, dual)
        if pair is None or pair.endless:
            break
        yield from dual.move(pair.i, pair.j, min(pair.best, pair.room))
    s = given.state(dual)
    if pair and pair.endless:
        s = replace(s, pair=(pair.i, pair.j), before=tuple(s.alpha[[pair.i, pair.j]].tolist()))
    return s, pair
