"""A whole tree at once, where nobody looks at its nodes."""

from typing import Any

from engine.algorithms.trees.parts.levels import Bud
from engine.algorithms.trees.parts.whole import as_decided, grown
from engine.algorithms.trees.regression_tree import Setting
from engine.algorithms.trees.regression_tree.log import State
from engine.authoring import Work, replace
from engine.core.sums import add_up


def grow(given: Setting, s: State, top: Bud) -> Any:
    return NotImplemented if given.linear else whole(s, top)


def whole(s: State, top: Bud) -> Work[State]:
    s, log = yield from grown(s, top)
    left = s.squares
    for squares, below in as_decided(log, top.level.table):
        left = max(add_up(below, left - squares), 0.0)
    return replace(s, squares=left)
