"""A whole tree at once, where its end alone is wanted."""

from functools import reduce
from operator import sub
from typing import Any

from engine.algorithms.trees.decision_tree import Setting, State
from engine.algorithms.trees.decision_tree.log import DUST
from engine.algorithms.trees.parts.grove import as_decided, grown
from engine.algorithms.trees.parts.levels import OpenNode
from engine.authoring import Work, replace


def grow(given: Setting, s: State, root: OpenNode) -> Any:
    if given.p.stop == "nodes":
        return NotImplemented
    return whole(given, s, root)


def whole(given: Setting, s: State, root: OpenNode) -> Work[State]:
    s, log = yield from grown(s, root)
    bits = s.bits
    for before, after in as_decided(log, root.level.table):
        bits -= reduce(sub, after, before) / len(given.rows)
        bits = bits if bits > DUST else 0.0
    wrong = log.tree.wrong(log.tree.totals)[log.tree.ends].sum()
    return replace(s, bits=bits, errors=int(wrong))  # parts of rows are counted at the end
