"""The parts of growing a decision tree, for many nodes at once.

AIMA 18.3.3 (Fig 18.5), 18.3.6; MIT 2.4.22-2.4.27.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from engine.algorithms.trees.parts.entries import Examples, Sample, multiplied
from engine.algorithms.trees.parts.model import Why
from engine.algorithms.trees.parts.splits import Rule, Scores, run_starts
from engine.base.arrays import Bool, Float, Int
from engine.base.errors import EngineError
from engine.base.records import Record
from engine.numerics.closeness import SHARE
from engine.numerics.impurity import entropy

MOST_VALUES = 1000
_BY_KINDS = np.array([Why.EMPTY, Why.PURE, Why.OPEN], dtype=np.intp)


class Growth(Record):
    """How a tree is grown.

    rule: scores of the tests; ties, plurality: 'first' or 'last' in order, or 'random' (drawn from
    `salt` and the way to the node, so that the order of growing does not matter); whole_part: an
    example's part of at most this weight is divided no more when a value is missing, it follows the
    largest branch; stop: 'pure' 'entropy' 'size' 'no-gain' 'depth' 'nodes'; limit: its threshold;
    count_all: 'nodes' counts leaves too; tries: which columns each node may ask for, None all
    """

    rule: Rule
    ties: str = "first"
    plurality: str = "first"
    whole_part: float = 1 / 8
    stop: str = "pure"
    limit: float = 0.0
    count_all: bool = False
    salt: int = 0
    tries: "Tries | None" = None

    @property
    def draws(self) -> bool:
        return "random" in (self.ties, self.plurality)


class Tries:
    """Which columns a node tries, of d: `many` drawn ones, and on until one divides its examples.

    Nodes are numbered level by level, and keys are drawn as far as nodes are needed.
    """

    def __init__(self, rng: Generator, d: int, many: int) -> None:
        self.rng = rng
        self.many = many
        self.chances = np.zeros((0, d))

    def keys(self, nodes: int) -> Float:
        """(nodes, d) random keys; a node tries the columns with the smallest keys."""
        more = max(0, nodes - len(self.chances))
        if more:
            self.chances = np.concatenate(
                [self.chances, self.rng.random((more, self.chances.shape[1]))]
            )
        return self.chances[:nodes]


def among(scores: Scores, keys: Float, many: int) -> tuple[Scores, Bool]:
    """(scores with untried columns excluded, which columns (g, d) each node has tried). keys: (g,
    d), see Tries
    """
    turn = keys.argsort(axis=1).argsort(axis=1)
    first = np.where(scores.worth > -np.inf, turn, turn.shape[1]).min(
        axis=1, initial=turn.shape[1], keepdims=True
    )
    tried = turn < np.maximum(first + 1, many)
    return scores._replace(worth=np.where(tried, scores.worth, -np.inf)), tried


class Frontier(Record):
    """Nodes of one depth with their entries.

    totals (g, classes) of the node's examples; voters (g, classes) of those whose plurality is its
    class, the parent's where it has none; label (g,) plurality of the voters; tied (g,) whether it
    had equals; state (g,) Why: OPEN or the reason for a leaf; path (g,) uint64, a name of the way
    from the root; used (g, columns) attributes spent on that way
    """

    sample: Sample
    totals: Any
    voters: Any
    label: Int
    tied: Bool
    state: Int
    path: Any
    used: Bool
    depth: int

    def pick(self, keep: Bool) -> "Frontier":
        if self.sample.ordered and keep.all():
            return self
        return Frontier(
            self.sample.pick(keep),
            self.totals[keep],
            self.voters[keep],
            self.label[keep],
            self.tied[keep],
            self.state[keep],
            self.path[keep],
            self.used[keep],
            self.depth,
        )


class Picks(NamedTuple):
    """The test of each node: column (g,), point (g,); winners (g, columns): all as good; divides:
    whether there is one; goes_on: whether the node is split (a stopping rule may forbid it); equals
    (g,): how many tests are as good, of one column often several.
    """

    column: Int
    point: Float
    winners: Bool
    divides: Bool
    goes_on: Bool
    gain: Float
    equals: Int


def root_frontier(table: Examples, sample: Sample, growth: Growth) -> Frontier:
    """The root of the examples in `sample`; for several groups the roots of several trees."""
    totals = table.totals(sample)
    path = _mix(np.full(sample.groups, growth.salt, dtype=np.uint64))
    label, tied = plurality(table, totals, growth, path)
    used = np.zeros((sample.groups, table.X.shape[1]), dtype=bool)
    return Frontier(
        sample, totals, totals, label, tied, _state(table, totals, 0, growth), path, used, 0
    )


def check_values(table: Examples, growth: Growth) -> None:
    """Raises EngineError for a column of too many values."""
    crowded = np.flatnonzero(table.sizes > MOST_VALUES)
    if len(crowded) and growth.rule.most_branches > MOST_VALUES:
        raise EngineError(
            f"A column has {table.sizes[crowded[0]]} different words, and the tree would make a"
            f" branch for each of them. It takes up to {MOST_VALUES}: turn on “Tests of one value”"
            " or leave the column out."
        )


def choose(scores: Scores, front: Frontier, growth: Growth) -> Picks:
    """The test of greatest importance at each node, by the tie rule: the first cut of the first
    column, or one drawn of all.
    """
    best = scores.worth.max(1, initial=-np.inf)
    divides = best > -np.inf
    winners = (scores.worth >= best[:, None] - SHARE) & divides[:, None]
    column = _one_of(winners, growth.ties, front.path)
    at = np.arange(len(column))
    point = scores.point[at, column]
    gain = scores.gain[at, column]
    others = scores.others.pick(winners[scores.others.node, scores.others.column])
    equals = winners.sum(1) + np.bincount(others.node, minlength=len(column))
    if growth.ties == "random" and len(others.node):
        draws = _draws(winners, front.path)
        key = _mix(draws[others.node, others.column] ^ others.point.view(np.uint64)) >> np.uint64(1)
        largest = draws[at, column]
        np.maximum.at(largest, others.node, key)
        picked = others.pick(key == largest[others.node])
        column[picked.node], point[picked.node], gain[picked.node] = (
            picked.column,
            picked.point,
            picked.gain,
        )
    goes_on = divides & (gain > growth.limit + SHARE) if growth.stop == "no-gain" else divides
    return Picks(column, point, winners, divides, goes_on, gain, equals)


def branch(table: Examples, front: Frontier, column: Int, point: Float, growth: Growth) -> Frontier:
    """All the branches of tests (column, point) at every node of `front`, values that no example
    has included; node by node.
    """
    width = table.widths(column, point)
    start = width.cumsum() - width
    parent = np.arange(len(width)).repeat(width)
    sample = _divide(table, front.sample, column, point, start, width, growth.whole_part)
    totals = table.totals(sample)
    path = front.path[parent]
    if growth.draws:
        path = _mix(path + (np.arange(len(parent)) - start[parent] + 1).astype(np.uint64))
    voters = voters_of(totals, front.totals[parent], start[width == 3] if table.apart else None)
    label, tied = plurality(table, voters, growth, path)
    used = front.used[parent]
    if len(table.nominal):
        by_value = table.is_nominal[column] & np.isnan(point)
        used[np.arange(len(parent)), column[parent]] |= by_value[parent]
    state = _state(table, totals, front.depth + 1, growth)
    return Frontier(sample, totals, voters, label, tied, state, path, used, front.depth + 1)


def plurality(table: Examples, voters: Any, growth: Growth, path: Any) -> tuple[Any, Bool]:
    """(most frequent class of each node's voters, whether it had equals).

    Each node draws for itself, also where several branches without examples ask the same parent's.
    AIMA Fig 18.5. Of values the mean, which has no equals.
    """
    if not table.classes:
        return voters[:, 1].copy(), np.zeros(len(voters), dtype=bool)
    winners = heaviest(voters)
    return _one_of(winners, growth.plurality, ~path), winners.sum(1) > 1


def heaviest(totals: Any) -> Bool:
    """(g, classes) which classes tie for the most examples."""
    near = SHARE * np.minimum(totals.sum(1, keepdims=True), 1)
    return np.asarray(totals >= totals.max(1, keepdims=True) - near)


def voters_of(totals: Any, above: Any, three: Int | None = None) -> Any:
    """(children, classes) the examples whose plurality is each child's class: its own, the parent's
    (`above`) where it has none.

    three: where the branches of A > v and A = v with one for missing values begin; a side without
    examples takes those of the other
    """
    filled = totals.any(1)
    voters = np.where(filled[:, None], totals, above)
    for side, other in ((0, 1), (1, 0)):
        if three is None:
            break
        lone = three[~filled[three + side] & filled[three + other]]
        voters[lone + side] = totals[lone + other]
    return voters


def _state(table: Examples, totals: Any, depth: int, growth: Growth) -> Int:
    """OPEN, or why nodes of these class totals are leaves before any attribute is looked at.

    AIMA Fig 18.5.
    """
    kinds = table.kinds(totals)
    state = _BY_KINDS[np.minimum(kinds, 2)]
    if growth.stop == "entropy":
        state[(kinds > 1) & (entropy(totals) < growth.limit)] = Why.STOPPED
    elif growth.stop == "size":
        state[(kinds > 1) & (table.size(totals.T) < growth.limit - SHARE)] = Why.STOPPED
    elif growth.stop == "depth" and depth >= growth.limit:
        state[kinds > 1] = Why.STOPPED
    return np.asarray(state)


def _divide(
    table: Examples,
    sample: Sample,
    column: Int,
    point: Float,
    start: Int,
    width: Int,
    whole_part: float,
) -> Sample:
    """The entries sent down their branches, not yet in order (`Sample.pick` does that)."""
    group = sample.group
    value = table.X.ravel()[sample.rows * table.X.shape[1] + column[group]]
    way, gap = table.ways(value, column[group], point[group])
    children = int(width.sum())
    if gap is not None and gap.any():
        return _divide_gaps(
            sample, np.asarray(way, np.float64), gap, start, width, children, whole_part
        )
    child = start[group] + np.asarray(way, np.intp)
    return Sample(
        sample.rows, child, children, sample.weight, sample.orders, sample.twins, ordered=False
    )


def _divide_gaps(
    sample: Sample, way: Float, gap: Bool, start: Int, width: Int, children: int, whole_part: float
) -> Sample:
    """Entries without the value go down all branches, weighted by the branches' frequency.

    AIMA 18.3.6.
    """
    weight = np.ones(len(gap)) if sample.weight is None else sample.weight
    known = start[sample.group[~gap]] + way[~gap].astype(np.intp)
    share = np.bincount(known, weight[~gap], children).astype(np.float64)
    parent = np.repeat(np.arange(len(width)), width)
    share = share / np.add.reduceat(share, start)[parent]
    largest = _largest(share, start, parent) - start
    parts = gap & (weight > whole_part)
    way = np.where(gap, largest[sample.group], way)
    copies = np.where(parts, width[sample.group], 1)
    source = np.repeat(np.arange(len(gap)), copies)
    ramp = np.arange(len(source)) - np.repeat(np.cumsum(copies) - copies, copies)
    child = start[sample.group[source]] + np.where(parts[source], ramp, way[source]).astype(np.intp)
    weights = weight[source] * np.where(parts[source], share[child], 1.0)
    orders = multiplied(sample.orders, copies)
    whole = Sample(
        sample.rows[source], child, children, weights, orders, sample.twins, ordered=False
    )
    return whole.where(weights > 0)


def _largest(share: Float, start: Int, parent: Int) -> Int:
    """The largest branch of each node; the first one of equals."""
    good = np.flatnonzero(share >= np.maximum.reduceat(share, start)[parent] - 1e-12)
    return np.asarray(good[run_starts(parent[good])])


def _one_of(winners: Bool, rule: str, path: Any) -> Int:
    """One True column of each row: the first, the last, or one drawn by the node's path."""
    if rule == "first":
        return np.asarray(winners.argmax(1))
    if rule == "last":
        return np.asarray(winners.shape[1] - 1 - winners[:, ::-1].argmax(1))
    return np.asarray(_draws(winners, path).argmax(1))


def _draws(winners: Bool, path: Any) -> Any:
    """Numbers of the same shape by which the winners of each row are drawn, the largest first; 0
    for those that are none.
    """
    draw = _mix(path[:, None] ^ _mix(np.arange(1, winners.shape[1] + 1, dtype=np.uint64)))
    return np.where(winners, draw >> np.uint64(1), np.uint64(0))


def _mix(x: Any) -> Any:
    """A 64-bit number scrambled so that neighbours become unlike (the finishing steps of
    splitmix64).
    """
    x = (x + np.uint64(0x9E3779B97F4A7C15)).astype(np.uint64)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
