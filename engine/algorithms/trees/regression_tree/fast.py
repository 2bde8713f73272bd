"""A whole tree at once, where its nodes are no steps."""

from typing import Any

from engine.algorithms.trees.parts.grove import as_decided, grown
from engine.algorithms.trees.parts.levels import OpenNode
from engine.algorithms.trees.regression_tree import Setting, State
from engine.authoring import Work, replace
from engine.base.sums import add_up


def grow(given: Setting, s: State, root: OpenNode) -> Any:
    if given.linear:
        return NotImplemented
    return whole(s, root)


def whole(s: State, root: OpenNode) -> Work[State]:
    s, log = yield from grown(s, root)
    squares = s.squares
    for before, after in as_decided(log, root.level.table):
        squares = max(add_up(after, squares - before), 0.0)
    return replace(s, squares=squares)
