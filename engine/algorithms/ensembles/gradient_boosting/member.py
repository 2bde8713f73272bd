"""A tree of gradient boosting while it grows, and when it is one of the sum."""

from typing import NamedTuple
from weakref import WeakKeyDictionary

from engine.algorithms.trees.parts.levels import OpenNode
from engine.algorithms.trees.parts.model import Tree, Why, descend
from engine.authoring import Bool, Float, Int, Record, Sequence, frozen, np

_TREES: "WeakKeyDictionary[Member, Tree]" = WeakKeyDictionary()


class Node(NamedTuple):
    """A node of a tree, with fields as in `Tree` except for two.

    totals: number of examples, mean residual, and the squares around it
    answer: γ of a leaf, else the mean
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
    """Give a node its test, and append its children to the list of nodes."""
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
    """Turn a node into a leaf that answers γ."""
    nodes[node.number] = nodes[node.number]._replace(why=Why.STOPPED, answer=gamma)


class Growing(Record):
    """A tree that grows, and the place in it that this step shows.

    nodes: what there is of it
    nominal: (d,) the columns that hold categories
    current: the node that this step shows, −1 for none
    column: of the test that it shows, −1 for none
    point: of that test, NaN for none
    """

    nodes: tuple[Node, ...]
    nominal: Bool
    current: int = -1
    column: int = -1
    point: float = np.nan

    @property
    def tree(self) -> Tree:
        """The tree grown so far; leaves answer γ, open nodes their mean residual."""
        return Member.of(self.nodes, self.nominal, 1.0).tree


class Member(Record, weakref=True):
    """A tree of the sum.

    rate: ν, how much of it is added
    nominal: (d,) the columns that hold categories
    parent, branch, totals, answer, why, column, point, first: (N, …) the fields of its nodes
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

    @classmethod
    def of(cls, nodes: Sequence[Node], nominal: Bool, rate: float) -> "Member":
        """The finished tree of these nodes, weighted by `rate`."""
        fields = zip(*nodes, strict=True)
        return cls(rate, nominal, *(frozen(np.array(field)) for field in fields))

    @property
    def d(self) -> int:
        """The number of columns of the table it was learnt from."""
        return len(self.nominal)

    @property
    def tree(self) -> Tree:
        """The same tree as the `Tree` that pictures draw."""
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

    def gamma(self, X: Float) -> Float:
        """(m,) γ of the leaf that each row reaches."""
        leaf, _ = descend(self.tree, X)
        return np.asarray(self.answer[leaf])

    def part(self, X: Float) -> Float:
        """(m,) ν γ, what the tree adds to F at rows X (m, d)."""
        return self.rate * self.gamma(X)
