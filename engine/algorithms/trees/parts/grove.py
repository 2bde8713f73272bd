"""Whole trees of one sample or of many, where only their ends are wanted: grown level by level
together, since the numpy calls of a level take as long for one tree as for forty.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from engine.algorithms.trees.parts.entries import Examples, Sample
from engine.algorithms.trees.parts.growth import (
    Frontier,
    Growth,
    Tries,
    among,
    branch,
    check_values,
    choose,
    root_frontier,
)
from engine.algorithms.trees.parts.levels import OpenNode
from engine.algorithms.trees.parts.log import Grown
from engine.algorithms.trees.parts.model import Tree, Why, by_branches
from engine.algorithms.trees.parts.splits import score_tests
from engine.base.arrays import Float, Int, Prefix, frozen
from engine.base.records import Record, replace
from engine.base.work import Work

S = TypeVar("S", bound=Record)


def whole_tree(root: OpenNode) -> Work[tuple[Tree, Int]]:
    """(the whole tree below a root, the order (N,) in which its nodes are decided): numbered and
    decided as on a page, where each branch is grown to its end before the next.
    """
    level = root.level
    (tree,) = yield from grown_below(level.table, level.front, level.growth)
    return by_branches(tree)


def grown(s: S, root: OpenNode) -> Work[tuple[S, Grown]]:
    """(the state of a page in which the last node below a root is decided, but for its running
    numbers; the log of that).
    """
    log = Grown(*(yield from whole_tree(root)))
    size = len(log.order)
    leaves = len(log.tree.ends)
    state = replace(s, log=Prefix(log, size + 1), size=size, tests=size - leaves, leaves=leaves)
    return state, log


def as_decided(log: Grown, table: Examples) -> Iterator[tuple[float, list[float]]]:
    """(impurity of a test, impurities of its branches) in bits, for each test in the order of
    growing.
    """
    tree = log.tree
    unknown = [table.unknown(totals) for totals in tree.totals.tolist()]
    tests = log.order[tree.column[log.order] >= 0]
    first = tree.first[tests]
    end = first + tree.width[tests]
    for node, i, j in zip(tests.tolist(), first.tolist(), end.tolist(), strict=True):
        yield unknown[node], unknown[i:j]


def grove(
    table: Examples, sample: Sample, growth: Growth, tries: Sequence[Tries] = ()
) -> Work[list[Tree]]:
    """The whole trees of the groups of a sample, all level by level at once; nodes are numbered so
    too in each tree. tries: of each tree, where not all columns are tried.
    """
    check_values(table, growth)
    return (yield from grown_below(table, root_frontier(table, sample, growth), growth, tries))


def grown_below(
    table: Examples, front: Frontier, growth: Growth, tries: Sequence[Tries] = ()
) -> Work[list[Tree]]:
    """The same of roots that are there."""
    trees = front.sample.groups
    tree = np.arange(trees)  # of each node of the level
    parent = np.full(trees, -1)
    side = np.zeros(trees, np.intp)  # which branch of its parent's test
    count = np.zeros(trees, np.intp)  # nodes of each tree so far
    levels = list[tuple[Any, ...]]()
    while len(tree):
        begin = np.searchsorted(tree, np.arange(trees))
        number = count[tree] + np.arange(len(tree)) - begin[tree]
        count += np.bincount(tree, minlength=trees)
        tests, below = yield from _tests(table, front, growth, tries, tree, number)
        why, column, point, width, gain, ties = tests
        ahead = np.append(0, width.cumsum())
        first = np.where(width > 0, count[tree] + ahead[:-1] - ahead[begin[tree]], -1)
        depth = np.full(len(tree), front.depth)
        totals = np.asarray(front.totals, np.float64)
        known = (parent, side, depth, why, column, point, first, width)
        levels.append((tree, *known, totals, front.label, front.tied, gain, ties))
        if below is None:
            break
        front = below
        tree = tree.repeat(width)
        parent = number.repeat(width)
        side = np.arange(len(tree)) - (width.cumsum() - width).repeat(width)
        yield
    owner, *arrays = (np.concatenate(part) for part in zip(*levels, strict=True))
    order = owner.argsort(kind="stable")
    ends = np.bincount(owner, minlength=trees).cumsum()
    arrays = [frozen(array[order]) for array in arrays]
    return [sealed([part[i:j] for part in arrays], table) for i, j in pairwise([0, *ends.tolist()])]


def _tests(
    table: Examples, front: Frontier, growth: Growth, tries: Sequence[Tries], tree: Int, number: Int
) -> Work[tuple[tuple[Any, ...], Frontier | None]]:
    """((why, column, point, width, gain, ties) of the nodes of a level, each (g,) and as in `Tree`;
    their branches, None where there are none). tree, number (g,): whose nodes they are, and which.
    """
    why = front.state.copy()
    column = np.full(len(why), -1)
    point = np.full(len(why), np.nan)
    gain = np.zeros(len(why))
    width, ties = np.zeros((2, len(why)), np.intp)
    tests = (why, column, point, width, gain, ties)
    opened = np.flatnonzero(why == Why.OPEN)
    if not len(opened):
        return tests, None
    front = front.pick(why == Why.OPEN)
    scores = yield from score_tests(table, front.sample, front.totals, front.used, growth.rule)
    if tries:
        scores, _ = among(scores, _keys(tries, tree[opened], number[opened]), tries[0].many)
    picks = choose(scores, front, growth)
    on = picks.goes_on
    why[opened] = np.where(on, Why.TEST, np.where(picks.divides, Why.STOPPED, Why.NO_TEST))
    inner = opened[on]
    column[inner] = picks.column[on]
    point[inner] = picks.point[on]
    gain[inner] = picks.gain[on]
    width[inner] = table.widths(picks.column, picks.point)[on]
    ties[inner] = picks.winners.sum(1)[on]
    yield
    if not len(inner):
        return tests, None
    return tests, branch(table, front.pick(on), picks.column[on], picks.point[on], growth)


def _keys(tries: Sequence[Tries], tree: Int, number: Int) -> Float:
    """(g, d) the keys of nodes of several trees."""
    found = list[Float]()
    last = np.flatnonzero(np.diff(tree, append=-1)) + 1
    for i, j in pairwise([0, *last.tolist()]):
        found.append(tries[tree[i]].keys(int(number[j - 1]) + 1)[number[i:j]])
    return np.concatenate(found)


def sealed(known: Sequence[Any], table: Examples) -> Tree:
    """A grown tree of these arrays, made read-only; ties are not set yet."""
    arrays: list[Any] = [
        frozen(part) for part in (*known, table.is_nominal, np.ones(len(known[0]), bool))
    ]
    return Tree(*arrays)
