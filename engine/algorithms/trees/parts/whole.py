"""Whole trees, grown level by level where only the end of a run is wanted: one leap for trees of
classes and of values.
"""

from collections.abc import Iterator
from typing import TypeVar

from engine.algorithms.trees.parts.entries import Examples
from engine.algorithms.trees.parts.grove import grown_below
from engine.algorithms.trees.parts.levels import Bud
from engine.algorithms.trees.parts.log import Grown
from engine.algorithms.trees.parts.model import by_branches
from engine.core.arrays import Prefix
from engine.core.records import Record, replace
from engine.core.work import Work

S = TypeVar("S", bound=Record)


def grown(s: S, top: Bud) -> Work[tuple[S, Grown]]:
    """(the state in which the last node below a root has been decided but for what is added up on
    the way, its log): numbered and decided as by a page that grows each branch to its end.
    """
    level = top.level
    (tree,) = yield from grown_below(level.table, level.front, level.growth)
    log = Grown(*by_branches(tree))
    size = len(log.order)
    leaves = len(log.tree.ends)
    after = replace(s, log=Prefix(log, size + 1), size=size, tests=size - leaves, leaves=leaves)
    return after, log


def as_decided(log: Grown, table: Examples) -> Iterator[tuple[float, list[float]]]:
    """What is unknown at each test and in its branches, in turn: added up like this it rounds as on
    a page.
    """
    tree = log.tree
    mass = [table.unknown(totals) for totals in tree.totals.tolist()]
    tests = log.order[tree.column[log.order] >= 0]
    first = tree.first[tests]
    end = first + tree.width[tests]
    for node, low, high in zip(tests.tolist(), first.tolist(), end.tolist(), strict=True):
        yield mass[node], mass[low:high]
