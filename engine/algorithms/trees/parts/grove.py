"""Whole trees of many samples, grown level by level together: a level takes 0.3 ms of numpy calls
for one tree as for forty.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from engine.algorithms.trees.parts.entries import Examples, Sample
from engine.algorithms.trees.parts.growth import (
    Front,
    Growth,
    Tries,
    among,
    branch,
    check_values,
    choose,
    root_front,
)
from engine.algorithms.trees.parts.model import Tree, Why
from engine.algorithms.trees.parts.splits import score_tests
from engine.core.arrays import Float, Int, frozen
from engine.core.work import Work


def grove(
    table: Examples, sample: Sample, growth: Growth, tries: Sequence[Tries] = ()
) -> Work[list[Tree]]:
    """The whole trees of the groups of a sample, all level by level at once; nodes are numbered so
    too in each tree. tries: of each tree, where not all columns are tried.
    """
    check_values(table, growth)
    return (yield from grown_below(table, root_front(table, sample, growth), growth, tries))


def grown_below(
    table: Examples, front: Front, growth: Growth, tries: Sequence[Tries] = ()
) -> Work[list[Tree]]:
    """The same of roots that are there."""
    sample = front.sample
    tree = np.arange(front.sample.groups)
    parent = np.full(len(tree), -1)
    branches = np.zeros(len(tree), np.intp)
    count = np.zeros(sample.groups, np.intp)
    parts = list[tuple[Any, ...]]()
    while len(tree):
        begin = np.searchsorted(tree, np.arange(sample.groups))
        g = len(tree)
        number = count[tree] + np.arange(g) - begin[tree]
        count += np.bincount(tree, minlength=len(count))
        why = front.state.copy()
        depth = np.full(g, front.depth)
        point = np.full(g, np.nan)
        gain = np.zeros(g)
        column, first = np.full((2, g), -1)
        width, ties = np.zeros((2, g), np.intp)
        below: Front | None = None
        if len(here := np.flatnonzero(why == Why.OPEN)):
            opened = front.pick(why == Why.OPEN)
            scores = yield from score_tests(
                table, opened.sample, opened.totals, opened.used, growth.rule
            )
            if tries:
                scores, _ = among(scores, _keys(tries, tree[here], number[here]), tries[0].many)
            picks = choose(scores, opened, growth)
            on = picks.goes_on
            why[here] = np.where(on, Why.TEST, np.where(picks.divides, Why.STOPPED, Why.NO_TEST))
            inner = here[on]
            column[inner], point[inner], gain[inner] = (
                picks.column[on],
                picks.point[on],
                picks.gain[on],
            )
            width[inner], ties[inner] = (
                table.widths(picks.column, picks.point)[on],
                picks.winners.sum(1)[on],
            )
            ahead = np.append(0, width.cumsum())
            first[inner] = (count[tree] + ahead[:-1] - ahead[begin[tree]])[inner]
            yield
            below = (
                branch(table, opened.pick(on), picks.column[on], picks.point[on], growth)
                if on.any()
                else None
            )
        totals = np.asarray(front.totals, np.float64)
        said = front.label, front.tied
        parts.append(
            (
                tree,
                parent,
                branches,
                depth,
                why,
                column,
                point,
                first,
                width,
                totals,
                *said,
                gain,
                ties,
            )
        )
        if below is None:
            break
        front = below
        tree = tree.repeat(width)
        parent = number.repeat(width)
        branches = np.arange(len(tree)) - (width.cumsum() - width).repeat(width)
        yield
    owner, *arrays = (np.concatenate(part) for part in zip(*parts, strict=True))
    order = owner.argsort(kind="stable")
    ends = np.bincount(owner, minlength=sample.groups).cumsum()
    arrays = [frozen(array[order]) for array in arrays]
    return [sealed([part[i:j] for part in arrays], table) for i, j in pairwise([0, *ends.tolist()])]


def _keys(tries: Sequence[Tries], tree: Int, number: Int) -> Float:
    """(g, d) the keys of nodes of several trees."""
    found = list[Float]()
    last = np.flatnonzero(np.diff(tree, append=-1)) + 1
    for i, j in pairwise([0, *last.tolist()]):
        found.append(tries[tree[i]].keys(int(number[j - 1]) + 1)[number[i:j]])
    return np.concatenate(found)


def sealed(known: Sequence[Any], table: Examples) -> Tree:
    """A grown tree of these arrays, up to the ties, which nobody can write to any more."""
    arrays: list[Any] = [
        frozen(part) for part in (*known, table.is_nominal, np.ones(len(known[0]), bool))
    ]
    return Tree(*arrays)
