"""A tree of gradient boosting while it grows, and when it is one of the sum."""

from typing import NamedTuple
from weakref import WeakKeyDictionary

from engine.algorithms.trees.parts.levels import Bud, Test
from engine.algorithms.trees.parts.model import Tree, Why, descend
from engine.authoring import Bool, Float, Int, Record, Sequence, frozen, np, replace

_TREES: "WeakKeyDictionary[Member, Tree]" = WeakKeyDictionary()


class Node(NamedTuple):
    """As in `Tree`, but for totals: examples, mean, squares of what is left; answer: γ of a leaf,
    else the mean.
    """

    parent: int
    branch: int
    totals: tuple[float, ...]
    answer: float
    why: Why = Why.OPEN
    column: int = -1
    point: float = np.nan
    first: int = -1


def rooted(top: Bud) -> list[Node]:
    """A tree of one open node; buds know their places in it."""
    top.number = 0
    return [Node(-1, 0, tuple(top.totals), top.totals[1])]


def divide(nodes: list[Node], bud: Bud, test: Test) -> list[Bud]:
    """A node gets a test; its branches."""
    first = len(nodes)
    below = bud.branches().buds
    nodes[bud.number] = nodes[bud.number]._replace(
        why=Why.TEST, column=test.column, point=test.point, first=first
    )
    for side, b in enumerate(below):
        b.number = first + side
        nodes.append(Node(bud.number, side, tuple(b.totals), b.totals[1]))
    return below


class Sprout(Record, eq=True):
    """nodes: the tree so far; current, column, point: node and test looked at, −1 and
    NaN without.
    """

    nodes: tuple[Node, ...]
    nominal: Bool
    current: int = -1
    column: int = -1
    point: float = np.nan

    @property
    def tree(self) -> Tree:
        """The tree as it is now; its leaves answer γ, open nodes the mean of what is left."""
        return Member.of(self.nodes, self.nominal, 1.0).tree

    def looks(
        self, nodes: Sequence[Node], bud: Bud, column: int = -1, point: float | None = np.nan
    ) -> "Sprout":
        return replace(
            self,
            nodes=tuple(nodes),
            current=bud.number,
            column=column,
            point=np.nan if point is None else point,
        )


class Member(Record, weakref=True):
    """A tree of the sum: the fields of its nodes (N, …); nominal (d,); rate: how much of it is
    added.
    """

    rate: float
    nominal: Bool
    parent: Int
    branch: Int
    totals: Float
    answer: Float
    why: Int
    column: Int
    point: Float
    first: Int

    d = property(lambda member: len(member.nominal))

    @classmethod
    def of(cls, nodes: Sequence[Node], nominal: Bool, rate: float) -> "Member":
        return cls(rate, nominal, *(frozen(np.array(each)) for each in zip(*nodes, strict=True)))

    @property
    def tree(self) -> Tree:
        """As the pictures of trees take it."""
        if self not in _TREES:
            none = np.zeros(len(self.why), np.intp)
            _TREES[self] = Tree(
                parent=self.parent,
                branch=self.branch,
                depth=none,
                why=self.why,
                column=self.column,
                point=self.point,
                first=self.first,
                width=2 * (self.column >= 0),
                totals=self.totals,
                label=self.answer,
                tied=none > 0,
                gain=np.zeros(len(none)),
                ties=none,
                nominal=self.nominal,
                alive=none == 0,
            )
        return _TREES[self]

    def values(self, X: Float) -> Float:
        """(m,) γ of the leaf that each row reaches."""
        return np.asarray(self.answer[descend(self.tree, X)[0]])

    def part(self, X: Float) -> Float:
        """(m,) what it adds to F."""
        return self.rate * self.values(X)
