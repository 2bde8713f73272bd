"""The growing of a tree as a list of decisions, one per node, and the tree that any prefix of it makes."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.core.arrays import Bool, Float, Int, Log, Prefix, frozen
from engine.core.records import quick, replace
from engine.numerics.impurity import entropy_mass
from engine.algorithms.trees.parts.model import Tree, Why

_NEVER = np.iinfo(np.intp).max
_REMEMBERED = 8
_DUST = 1e-12  # bits that only rounding leaves
_ARRAYS = tuple(name for name in Tree.__dataclass_fields__ if name not in ("nominal", "whole", "memo"))


@quick
@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """What was settled about one node. why: TEST, PRUNED, or the reason for a leaf."""

    node: int
    why: Why

    @property
    def own_bytes(self) -> int:
        """What remembering it costs, its rows of the shared arrays included."""
        return 400


@quick
@dataclass(frozen=True, slots=True, eq=False)
class Division(Decision):
    """A node gets a test.

    column, point: the test, as in Tree; first: its first child; totals (branches, classes), labels, tied (branches,):
    what is known of the children. The root is the one child of node −1.
    """

    column: int
    point: float
    gain: float
    ties: int
    first: int
    totals: Float
    labels: Int
    tied: Bool

    @property
    def own_bytes(self) -> int:
        return 800 + self.totals.nbytes + 9 * len(self.totals)


@dataclass(frozen=True, slots=True)
class Node:
    """One node of the tree for reading. kind: 'test', 'leaf' or 'open'; why: its reason; column: tested attribute or −1;
    point: split point or category, None without; children: indices into the nodes; counts: training weight of each class; label: class index."""

    index: int
    parent: int
    branch: int
    depth: int
    kind: str
    why: str
    column: int
    point: float | None
    children: tuple[int, ...]
    counts: tuple[float, ...]
    label: int


class TreeLog:
    """Writes the decisions down and keeps the running numbers: bits unknown and wrong weight over all ends."""

    def __init__(self, totals: Float, label: int, tied: bool) -> None:
        self.log: Log[Decision] = Log()
        self.size = 1
        self.weight = float(totals.sum())
        self.bits = float(entropy_mass(totals))
        self.wrong = self.weight - float(totals[label])
        self.tests = self.leaves = 0
        row = (frozen(totals[None], np.float64), frozen([label], np.intp), frozen([tied], np.bool_))
        self.log.items.append(Division(-1, Why.TEST, -1, float("nan"), 0.0, 0, 0, *row))

    def split(self, decision: Division, told: float, mended: float) -> int:
        """A test that takes `told` bits from the unknown and `mended` from the wrong weight; returns its first child."""
        first = self.size
        self.log.items.append(replace(decision, first=first) if decision.first != first else decision)
        self.size += len(decision.labels)
        self.tests += 1
        self.bits = max(self.bits - told, 0.0)
        self.wrong -= mended
        return first

    def leaf(self, decision: Decision) -> None:
        self.log.items.append(decision)
        self.leaves += 1

    def cut(self, node: int, told: float, mended: float, tests: int, leaves: int) -> None:
        """Node becomes a leaf again; with it go `tests` tests and `leaves` leaves."""
        self.log.items.append(Decision(node, Why.PRUNED))
        self.bits += told
        self.wrong += mended
        self.tests -= tests
        self.leaves -= leaves - 1

    @property
    def metrics(self) -> dict[str, float]:
        """bits: still unknown per example; errors: wrong weight, whole where no value is missing."""
        wrong = self.wrong if self.wrong.is_integer() else round(self.wrong, 9)
        bits = self.bits / self.weight if self.weight else 0.0
        return {
            "bits": bits if bits > _DUST else 0.0,
            "errors": wrong + 0.0,
            "leaves": float(self.leaves),
        }


@dataclass(frozen=True, slots=True, eq=False)
class _History:
    """The tree as it was at its largest, and when (at which length of the log) each node was decided, cut and dead."""

    tree: Tree
    born: Int
    decided: Int
    cut: Int
    dead: Int


_histories: "OrderedDict[int, tuple[list[Decision], int, _History]]" = OrderedDict()


def tree_at(log: Prefix[Decision], nominal: Sequence[bool]) -> Tree:
    """The tree that the decisions in `log` make. What was worked out for a longer prefix of the same log is used again."""
    known = _histories.get(id(log.items))
    if known is None or known[0] is not log.items or known[1] < len(log):
        length = len(log.items)
        known = (log.items, length, _history(log.items[:length], nominal))
        _histories[id(log.items)] = known
        while len(_histories) > _REMEMBERED:
            _histories.popitem(last=False)
    past, now = known[2], len(log)
    count = int(np.searchsorted(past.born, now))
    t = past.tree
    decided, cut = past.decided[:count] < now, past.cut[:count] < now
    inner = decided & ~cut & (t.column[:count] >= 0)
    why = np.where(decided, t.why[:count], int(Why.OPEN))
    cropped = {name: getattr(t, name)[:count] for name in _ARRAYS}
    return Tree(**cropped | {
        "nominal": t.nominal, "column": np.where(inner, t.column[:count], -1),
        "why": np.where(cut, int(Why.PRUNED), why), "alive": past.dead[:count] >= now, "whole": t,
    })  # fmt: skip


def _history(items: Sequence[Decision], nominal: Sequence[bool]) -> _History:
    tests = [d for d in items if isinstance(d, Division)]
    width = np.array([len(d.labels) for d in tests], dtype=np.intp)
    above = np.array([d.node for d in tests], dtype=np.intp)
    size = int(width.sum())
    parent = np.repeat(above, width)
    columns: dict[str, Any] = {name: np.full(size, -1, dtype=np.intp) for name in ("column", "first")}
    columns |= {name: np.zeros(size, dtype=np.intp) for name in ("why", "width", "ties")}
    columns |= {"point": np.full(size, np.nan), "gain": np.zeros(size)}
    for name in ("column", "first", "point", "gain", "ties"):
        columns[name][above[1:]] = [getattr(d, name) for d in tests[1:]]
    columns["width"][above[1:]] = width[1:]
    times = _times(items, size, parent)
    for d in items[1:]:
        if d.why is not Why.PRUNED:
            columns["why"][d.node] = int(d.why)
    start = np.cumsum(width) - width
    tree = Tree(
        parent=parent, branch=np.arange(size) - np.repeat(start, width), depth=_depths(parent),
        totals=np.concatenate([d.totals for d in tests]), label=np.concatenate([d.labels for d in tests]),
        tied=np.concatenate([d.tied for d in tests]), nominal=np.array(nominal, dtype=bool),
        alive=np.ones(size, dtype=bool), **columns,
    )  # fmt: skip
    return _History(tree, *times)


def _depths(parent: Int) -> Int:
    depth = [0] * len(parent)
    for node, above in enumerate(parent.tolist()):
        depth[node] = depth[above] + 1 if above >= 0 else 0
    return np.array(depth, dtype=np.intp)


def _times(items: Sequence[Decision], size: int, parent: Int) -> tuple[Int, Int, Int, Int]:
    born, decided, cut, dead = (np.full(size, _NEVER) for _ in range(4))
    children: dict[int, range] = {}
    for time, d in enumerate(items):
        if d.why is Why.PRUNED:
            cut[d.node] = time
            falling = list(children[d.node])
            while falling:
                node = falling.pop()
                if dead[node] == _NEVER:
                    dead[node] = time
                    falling += children.get(node, ())
            continue
        if d.node >= 0:
            decided[d.node] = time
        if isinstance(d, Division):
            children[d.node] = range(d.first, d.first + len(d.labels))
            born[d.first : d.first + len(d.labels)] = time
    return born, decided, cut, dead


def nodes_of(tree: Tree) -> tuple[Node, ...]:
    """The living nodes for reading, parents before children; indices are positions in the result."""
    alive = np.flatnonzero(tree.alive).tolist()
    at = {node: position for position, node in enumerate(alive)}
    kinds = {Why.OPEN: "open", Why.TEST: "test"}
    return tuple(
        Node(
            at[n], at.get(int(tree.parent[n]), -1), int(tree.branch[n]), int(tree.depth[n]),
            kinds.get(Why(tree.why[n]), "leaf"), Why(tree.why[n]).name.lower().replace("_", " "), int(tree.column[n]),
            float(tree.point[n]) if tree.column[n] >= 0 and tree.point[n] == tree.point[n] else None, tuple(at[c] for c in tree.children(n)),
            tuple(tree.totals[n].tolist()), int(tree.label[n]),
        )
        for n in alive
    )  # fmt: skip


def decisions(tree: Tree, breadth_first: bool) -> Iterator[tuple[Decision, float, float]]:
    """A grown tree told again as decisions in the order of growing, with the bits each test told and the errors it mended.

    Depth first: branch by branch. Breadth first: level by level, best gain first, the leaves of a level after its tests.
    """
    mass, wrong = entropy_mass(tree.totals), tree.totals.sum(1) - tree.totals[np.arange(len(tree.label)), tree.label]
    below = [np.bincount(tree.parent[1:], part[1:], len(mass)) for part in (mass, wrong)]
    told, mended = (mass - below[0]).tolist(), (wrong - below[1]).tolist()
    column, point, gain, ties = tree.column.tolist(), tree.point.tolist(), tree.gain.tolist(), tree.ties.tolist()
    first, width, why = tree.first.tolist(), tree.width.tolist(), tree.why.tolist()
    reasons = tuple(Why)
    number = [0] * len(mass)  # of each node in the order of growing
    size = 1
    for node in _breadth_first(tree) if breadth_first else _depth_first(first, width, column):
        if column[node] < 0:
            yield Decision(number[node], reasons[why[node]]), 0.0, 0.0
            continue
        a, b = first[node], first[node] + width[node]
        row = (tree.totals[a:b], tree.label[a:b], tree.tied[a:b])
        made = Division(number[node], Why.TEST, column[node], point[node], gain[node], ties[node], size, *row)
        number[a:b] = range(size, size + b - a)
        size += b - a
        yield made, told[node], mended[node]


def _depth_first(first: list[int], width: list[int], column: list[int]) -> list[int]:
    waiting, order = [0], []
    while waiting:
        order.append(node := waiting.pop())
        if column[node] >= 0:
            waiting.extend(range(first[node] + width[node] - 1, first[node] - 1, -1))
    return order


def _breadth_first(tree: Tree) -> list[int]:
    order = np.lexsort((np.arange(len(tree.gain)), -np.round(tree.gain, 9), tree.column < 0, tree.depth))
    return order.tolist()  # type: ignore[no-any-return]
