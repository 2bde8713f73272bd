"""The growing of a tree as a list of decisions, one per node, and the tree that any prefix of it makes."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from engine.core.arrays import Bool, Float, Int, Prefix
from engine.core.records import quick, replace
from engine.algorithms.trees.parts.levels import Branches, Test
from engine.algorithms.trees.parts.model import Tree, Why

N = TypeVar("N")
S = TypeVar("S")
_NEVER = np.iinfo(np.intp).max
_REMEMBERED = 8
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

    @classmethod
    def of(cls, node: int, test: Test, first: int, below: Branches) -> "Division":
        """The branches of `node` get their numbers from `first` on."""
        for number, bud in enumerate(below.buds, first):
            bud.number = number
        return cls(node, Why.TEST, *test, first, *below.rows)


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a node in the tree. kind: 'test', 'leaf' or 'open'; why: its reason; column: tested attribute or −1;
    point: split point or category, None without; children: indices into the nodes."""

    index: int
    parent: int
    branch: int
    depth: int
    kind: str
    why: str
    column: int
    point: float | None
    children: tuple[int, ...]


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


def looking_at(s: S, tree: Tree, node: int) -> S:
    """A state that looks at the test of a node."""
    point = float(tree.point[node])
    return replace(s, current=node, column=int(tree.column[node]), point=None if point != point else point)


def nodes_of(tree: Tree, read: Callable[..., N], *told: Sequence[Any]) -> tuple[N, ...]:
    """The living nodes for reading, parents before children; indices are positions in the result. read: makes one of the
    fields of a `Place` and its part of each of `told` (N,)."""
    alive = np.flatnonzero(tree.alive).tolist()
    at = {node: position for position, node in enumerate(alive)}
    kinds = {Why.OPEN: "open", Why.TEST: "test"}
    return tuple(
        read(
            at[n], at.get(int(tree.parent[n]), -1), int(tree.branch[n]), int(tree.depth[n]),
            kinds.get(Why(tree.why[n]), "leaf"), Why(tree.why[n]).name.lower().replace("_", " "), int(tree.column[n]),
            float(tree.point[n]) if tree.column[n] >= 0 and tree.point[n] == tree.point[n] else None, tuple(at[c] for c in tree.children(n)),
            *(each[n] for each in told),
        )
        for n in alive
    )  # fmt: skip
