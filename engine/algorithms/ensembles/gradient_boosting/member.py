"""A tree of gradient boosting while it grows, and when it is one of the sum."""

from weakref import WeakKeyDictionary

from engine.algorithms.trees.parts.levels import Branches, Bud, Test
from engine.algorithms.trees.parts.log import Decision, Division, tree_at
from engine.algorithms.trees.parts.model import Tree, Why, descend
from engine.authoring import Bool, Float, Int, Prefix, Problem, dataclass, frozen, np, quick, replace

_TREES: "WeakKeyDictionary[Member, Tree]" = WeakKeyDictionary()


@quick
@dataclass(frozen=True, slots=True, eq=False)
class Answer(Decision):
    """A leaf. answer: γ, what lowers the loss most here."""

    answer: float


@dataclass(frozen=True, slots=True)
class Sprout:
    """log, nominal: the tree so far; size: nodes; current, column, point: node and test looked at, −1 and NaN without."""

    log: Prefix[Decision]
    nominal: tuple[bool, ...]
    size: int = 1
    current: int = -1
    column: int = -1
    point: float = float("nan")

    @classmethod
    def started(cls, problem: Problem, top: Bud) -> "Sprout":
        log = Prefix[Decision]([Division.of(-1, Test(-1, np.nan, 0.0, 0), 0, Branches(top.level, 0, 1))], 1)
        return cls(log, tuple(not f.numeric for f in problem.features))

    @property
    def tree(self) -> Tree:
        """The tree as it is now; its leaves answer γ, open nodes the mean of what is left."""
        tree = tree_at(self.log, self.nominal)
        label = tree.label.copy()
        for decision in self.log:
            if isinstance(decision, Answer):
                label[decision.node] = decision.answer
        return replace(tree, label=label)

    def at(self, bud: Bud) -> "Sprout":
        return replace(self, current=bud.number, column=-1, point=float("nan"))

    def tried(self, column: int, point: float | None) -> "Sprout":
        return replace(self, column=column, point=float("nan") if point is None else point)

    def ended(self, bud: Bud, answer: float) -> "Sprout":
        return replace(self, log=self.log.plus(Answer(bud.number, bud.verdict, answer)))

    def divided(self, bud: Bud, test: Test, below: Branches) -> "Sprout":
        log = self.log.plus(Division.of(bud.number, test, self.size, below))
        return replace(self, log=log, size=self.size + len(below.buds), column=test.column, point=test.point)

    def whole(self) -> "Sprout":
        return replace(self, current=-1, column=-1, point=float("nan"))


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Member:
    """A tree of the sum, all (N,) by its nodes: parent, branch, column, point, first as in `Tree`; answer: γ of the leaves;
    totals (N, 3): examples, mean, squares of what was left; nominal (d,); rate: how much of it is added."""

    rate: float
    parent: Int
    branch: Int
    column: Int
    point: Float
    first: Int
    totals: Float
    answer: Float
    nominal: Bool

    d = property(lambda member: len(member.nominal))

    @classmethod
    def of(cls, sprout: Sprout, rate: float) -> "Member":
        tree = sprout.tree
        parts = tree.parent, tree.branch, tree.column, tree.point, tree.first, tree.totals, tree.label, tree.nominal
        return cls(rate, *(frozen(np.array(part)) for part in parts))

    @property
    def tree(self) -> Tree:
        """As the pictures of trees take it."""
        if self not in _TREES:
            none, test = np.zeros(len(self.column), np.intp), self.column >= 0
            _TREES[self] = Tree(
                parent=self.parent, branch=self.branch, depth=none, why=np.where(test, int(Why.TEST), int(Why.STOPPED)),
                column=self.column, point=self.point, first=self.first, width=2 * test, totals=self.totals, label=self.answer,
                tied=none > 0, gain=np.zeros(len(none)), ties=none, nominal=self.nominal, alive=none == 0,
            )  # fmt: skip
        return _TREES[self]

    def values(self, X: Float) -> Float:
        """(m,) γ of the leaf that each row reaches."""
        return np.asarray(self.answer[descend(self.tree, X)[0]])

    def part(self, X: Float) -> Float:
        """(m,) what it adds to F."""
        return self.rate * self.values(X)
