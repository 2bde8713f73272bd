"""A tree whose steps nobody sees: no candidates are kept, and where the end alone is wanted it
grows level by level.
"""

from functools import reduce
from operator import sub
from typing import Any

from engine.algorithms.trees.decision_tree import Setting
from engine.algorithms.trees.decision_tree.log import DUST, State
from engine.algorithms.trees.parts.levels import Bud
from engine.algorithms.trees.parts.whole import as_decided, grown
from engine.authoring import Rng, Work, replace


def planted(given: Setting, rng: Rng) -> Bud:
    top = given.root(rng)
    top.level.watched = False
    return top


def grow(given: Setting, s: State, top: Bud) -> Any:
    return NotImplemented if given.p.stop == "nodes" else at_once(given, s, top)


def at_once(given: Setting, s: State, top: Bud) -> Work[State]:
    s, log = yield from grown(s, top)
    bits = s.bits
    for told, below in as_decided(log, top.level.table):
        bits -= reduce(sub, below, told) / len(given.rows)
        bits = bits if bits > DUST else 0.0
    wrong = log.tree.wrong(log.tree.totals)[log.tree.ends].sum()
    return replace(s, bits=bits, errors=int(wrong))  # parts of rows are counted at the end
