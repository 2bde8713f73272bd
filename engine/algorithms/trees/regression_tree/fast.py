"""A whole tree at once, where nobody looks at its nodes."""

from typing import Any

from engine.algorithms.trees.parts.levels import Bud
from engine.algorithms.trees.parts.log import Grown
from engine.algorithms.trees.parts.whole import grown, squares_left
from engine.algorithms.trees.regression_tree import Setting
from engine.algorithms.trees.regression_tree.log import State
from engine.authoring import Prefix, Work, replace


def grow(given: Setting, s: State, top: Bud) -> Any:
    return NotImplemented if given.linear else whole(s, top)


def whole(s: State, top: Bud) -> Work[State]:
    log = Grown(*(yield from grown(top)))
    size, tests = len(log.order), int((log.tree.column >= 0).sum())
    squares = squares_left(log.tree, log.order)
    return replace(s, log=Prefix(log, len(log)), squares=squares, size=size, tests=tests, leaves=size - tests)
