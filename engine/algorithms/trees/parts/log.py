"""The growing of a tree as a list of decisions, one per node, and the tree that any prefix of it
makes.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, TypeVar

import numpy as np

from engine.algorithms.trees.parts.levels import OpenNode
from engine.algorithms.trees.parts.model import ARRAYS, Tree, Why
from engine.base.arrays import Bool, Float, Int, Prefix
from engine.base.records import Record, replace
from engine.base.sums import add_up

N = TypeVar("N")
S = TypeVar("S", bound=Record)
_NEVER = np.iinfo(np.intp).max
_REMEMBERED = 8


class Decision(Record):
    """A decision about one node. why: TEST, PRUNED, or the reason for a leaf"""

    node: int
    why: Why

    @property
    def own_bytes(self) -> int:
        """The size in bytes of one decision, with its rows of the shared arrays."""
        return 400


class Division(Decision):
    """The decision that gives a node a test.

    column, point: the test, as in Tree
    first: its first child
    totals: (branches, classes) of the children
    labels, tied: (branches,) of the children

    The root is the only child of node −1.
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
    def of(cls, node: OpenNode, first: int) -> "Division":
        """The decision that gives a node its test; its branches are numbered from `first` on."""
        test = node.test
        assert test is not None
        for number, branch in enumerate(node.branches, first):
            branch.number = number
        return cls(
            node.number,
            Why.TEST,
            test.column,
            test.point,
            test.gain,
            test.ties,
            first,
            *node.sums,
        )


def rooted(root: OpenNode) -> Prefix[Decision]:
    """The log of one open node with all the examples."""
    return Prefix([Division(-1, Why.TEST, -1, np.nan, 0.0, 0, 0, *root.level.sums)], 1)


class Place(Record, eq=True):
    """The place of a node in the tree. kind: 'test', 'leaf' or 'open'; why: its reason; column:
    tested attribute or −1; point: split point or category, None without; children: indices into the
    nodes.
    """

    index: int
    parent: int
    branch: int
    depth: int
    kind: str
    why: str
    column: int
    point: float | None
    children: tuple[int, ...]


class _History(Record):
    """The tree as it was at its largest, and when (at which length of the log) each node was
    decided, cut and dead.
    """

    tree: Tree
    born: Int
    decided: Int
    cut: Int
    dead: Int


class Grown(Sequence[Decision]):
    """The log of a tree that was grown at once: a decision is made where it is read.
    tree: its nodes numbered as they come to be; order (N,): as they are decided.
    """

    __slots__ = ("order", "tree")

    def __init__(self, tree: Tree, order: Int) -> None:
        self.tree, self.order = tree, order

    def __len__(self) -> int:
        return 1 + len(self.order)

    def __getitem__(self, index: Any) -> Any:
        at = range(len(self))[index]
        return [self.decision(i) for i in at] if isinstance(at, range) else self.decision(at)

    def decision(self, at: int) -> Decision:
        t = self.tree
        node = int(self.order[at - 1]) if at else -1
        if at and t.column[node] < 0:
            return Decision(node, Why(t.why[node]))
        test = (
            (int(t.column[node]), float(t.point[node]), float(t.gain[node]), int(t.ties[node]))
            if at
            else (-1, np.nan, 0.0, 0)
        )
        below = slice(*(t.first[node] + (0, t.width[node])).tolist()) if at else slice(0, 1)
        return Division(
            node, Why.TEST, *test, below.start, t.totals[below], t.label[below], t.tied[below]
        )

    @property
    def own_bytes(self) -> int:
        return int(self.order.nbytes + add_up(getattr(self.tree, name).nbytes for name in ARRAYS))

    def history(self) -> _History:
        decided = np.empty_like(self.order)
        never = np.full(len(self.order), _NEVER)
        decided[self.order] = np.arange(1, len(self))
        born = np.where(self.tree.parent < 0, 0, decided[self.tree.parent])
        return _History(self.tree, born, decided, never, never)


_histories: "OrderedDict[int, tuple[Sequence[Decision], int, _History]]" = OrderedDict()


def tree_at(log: Prefix[Decision], nominal: Sequence[bool]) -> Tree:
    """The tree after the decisions in `log`. The work for an earlier prefix of the same log is
    reused.
    """
    known = _histories.get(id(log.items))
    if known is None or known[0] is not log.items or known[1] < len(log):
        items = log.items
        if isinstance(items, Grown):
            known = items, len(items), items.history()
        else:
            so_far = items[:]  # the run may add decisions meanwhile, in its own thread
            known = items, len(so_far), _history(so_far, nominal)
        _histories[id(log.items)] = known
        while len(_histories) > _REMEMBERED:
            _histories.popitem(last=False)
    past = known[2]
    now = len(log)
    count = int(np.searchsorted(past.born, now))
    t = past.tree
    decided = past.decided[:count] < now
    cut = past.cut[:count] < now
    inner = decided & ~cut & (t.column[:count] >= 0)
    why = np.where(decided, t.why[:count], int(Why.OPEN))
    cropped = {name: getattr(t, name)[:count] for name in ARRAYS}
    return Tree(
        **cropped
        | {
            "nominal": t.nominal,
            "column": np.where(inner, t.column[:count], -1),
            "why": np.where(cut, int(Why.PRUNED), why),
            "alive": past.dead[:count] >= now,
            "whole": t,
        }
    )


def _history(items: Sequence[Decision], nominal: Sequence[bool]) -> _History:
    when = [time for time, d in enumerate(items) if isinstance(d, Division)]
    tests: list[Any] = [items[time] for time in when]
    width = np.array([len(d.labels) for d in tests], dtype=np.intp)
    node, why = (np.fromiter(map(attrgetter(name), items), np.intp) for name in ("node", "why"))
    above = node[when]
    size = int(width.sum())
    parent = np.repeat(above, width)
    columns: dict[str, Any] = {
        name: np.full(size, -1, dtype=np.intp) for name in ("column", "first")
    }
    columns |= {name: np.zeros(size, dtype=np.intp) for name in ("why", "width", "ties")}
    columns |= {"point": np.full(size, np.nan), "gain": np.zeros(size)}
    for name in ("column", "first", "point", "gain", "ties"):
        columns[name][above[1:]] = np.fromiter(
            map(attrgetter(name), tests[1:]), columns[name].dtype
        )
    columns["width"][above[1:]] = width[1:]
    times = _times(node, why == Why.PRUNED, np.repeat(when, width), parent)
    decided = times[1] < _NEVER
    columns["why"][decided] = why[times[1][decided]]
    start = np.cumsum(width) - width
    tree = Tree(
        parent=parent,
        branch=np.arange(size) - np.repeat(start, width),
        depth=_depths(parent),
        totals=np.concatenate([d.totals for d in tests]),
        label=np.concatenate([d.labels for d in tests]),
        tied=np.concatenate([d.tied for d in tests]),
        nominal=np.array(nominal, dtype=bool),
        alive=np.ones(size, dtype=bool),
        **columns,
    )
    return _History(tree, *times)


def _depths(parent: Int) -> Int:
    depth = [0] * len(parent)
    for node, above in enumerate(parent.tolist()):
        depth[node] = depth[above] + 1 if above >= 0 else 0
    return np.array(depth, dtype=np.intp)


def _times(node: Int, pruned: Bool, born: Int, parent: Int) -> tuple[Int, Int, Int, Int]:
    """When each node came to be (N,), was decided, was cut, and fell with one above it; of the
    nodes that were decided (m,) one after the other, and which of them by pruning.
    """
    decided, cut, dead = (np.full(len(parent), _NEVER) for _ in range(3))
    kept = np.flatnonzero(~pruned & (node >= 0))
    decided[node[kept]], cut[node[pruned]] = kept, np.flatnonzero(pruned)
    if pruned.any():
        for below, above in enumerate(parent.tolist()):  # parents come first
            dead[below] = min(dead[above], cut[above]) if above >= 0 else _NEVER
    return born, decided, cut, dead


def leaf(s: S, node: OpenNode) -> S:
    """The state in which a node is a leaf."""
    now: Any = s
    decision = Decision(node.number, node.reason)
    return replace(s, log=now.log.plus(decision), leaves=now.leaves + 1)


def divided(s: S, node: OpenNode, **numbers: float) -> S:
    """The state in which a node has its test and branches. numbers: fields of the state to
    replace
    """
    now: Any = s
    division = Division.of(node, now.size)
    return replace(
        s,
        log=now.log.plus(division),
        column=division.column,
        point=point_of(division.point),
        size=now.size + len(division.labels),
        tests=now.tests + 1,
        **numbers,
    )


def point_of(point: float) -> float | None:
    """A split point, None in place of NaN (a branch for every value)."""
    return None if np.isnan(point) else point


def looking_at(s: S, tree: Tree, node: int) -> S:
    """The state that shows the test of a node."""
    point = point_of(float(tree.point[node]))
    return replace(s, current=node, column=int(tree.column[node]), point=point)


def nodes_of(tree: Tree, read: Callable[..., N], *columns: Sequence[Any]) -> tuple[N, ...]:
    """One record for each living node of the tree, parents before children; the indices of parents
    and children count the records.

    read: makes a record of the fields of a `Place` and the node's value in each of `columns` (N,)
    """
    alive = np.flatnonzero(tree.alive).tolist()
    at = {node: position for position, node in enumerate(alive)}
    kinds = {Why.OPEN: "open", Why.TEST: "test"}
    return tuple(
        read(
            at[n],
            at.get(int(tree.parent[n]), -1),
            int(tree.branch[n]),
            int(tree.depth[n]),
            kinds.get(Why(tree.why[n]), "leaf"),
            Why(tree.why[n]).name.lower().replace("_", " "),
            int(tree.column[n]),
            (
                float(tree.point[n])
                if tree.column[n] >= 0 and tree.point[n] == tree.point[n]
                else None
            ),
            tuple(at[c] for c in tree.children(n)),
            *(each[n] for each in columns),
        )
        for n in alive
    )
