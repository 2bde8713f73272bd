"""A tree of gradient boosting while it grows, and when it is one of the sum."""

from typing import NamedTuple
from weakref import WeakKeyDictionary

from engine.algorithms.trees.parts.levels import OpenNode
from engine.algorithms.trees.parts.model import Tree, Why, descend
from engine.authoring import Bool, Float, Int, Sequence, Record, frozen, np

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


def rooted(root: OpenNode) -> list[Node]:
    """A tree of one open node."""
    root.number = 0
    return [Node(-1, 0, tuple(root.totals), root.totals[1])]


def divide(nodes: list[Node], node: OpenNode) -> None:
    """A node gets its test, its branches get their places in the tree."""
    test = node.test
    assert test is not None
    first = len(nodes)
    nodes[node.number] = nodes[node.number]._replace(
        why=Why.TEST, column=test.column, point=test.point, first=first
    )
    for side, branch in enumerate(node.branches):
        branch.number = first + side
        nodes.append(Node(node.number, side, tuple(branch.totals), branch.totals[1]))


def answer(nodes: list[Node], node: OpenNode, gamma: float) -> None:
    """A node becomes a leaf."""
    nodes[node.number] = nodes[node.number]._replace(why=Why.STOPPED, answer=gamma)


class Growing(Record, eq=True):
    """A tree that grows. nodes: what there is of it; nominal (d,): which columns hold categories;
    current, column, point: node and test looked at, −1 and NaN without.
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
