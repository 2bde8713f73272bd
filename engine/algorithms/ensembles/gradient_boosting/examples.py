"""The examples of gradient boosting, laid out for its trees, and the numbers of its curves."""

from typing import Any, TypeVar

from engine.algorithms.ensembles.parts.forests import Leaves
from engine.algorithms.trees.parts.entries import Examples, Sample
from engine.algorithms.trees.parts.growth import Growth
from engine.algorithms.trees.parts.levels import OpenNode, root
from engine.algorithms.trees.parts.model import Tree, members
from engine.algorithms.trees.parts.naming import TreeWords
from engine.algorithms.trees.parts.splits import Importance, Rule
from engine.algorithms.trees.parts.values import Values, known_values
from engine.authoring import Bool, Float, Int, Mapping, Setting, cached_property, frozen, np
from engine.numerics.closeness import settled

P = TypeVar("P")


class Boosting(Setting[P]):
    """The examples and the number of functions F: one for values and for two classes, else one for
    each class.
    """

    p: Any

    @cached_property
    def Y(self) -> Float:
        """(k, n) the values, or 1 for examples of the output's class and 0 for others.

        Of two classes the first has the only output. NaN where the value or class is not known.
        """
        problem = self.problem
        if problem.regress:
            return known_values(problem)[None]
        classes = np.arange(self.classes if self.classes > 2 else 1)
        return np.where(problem.labelled, problem.codes == classes[:, None], np.nan)

    @property
    def classes(self) -> int:
        """The number of classes."""
        return len(self.problem.classes)

    @property
    def outputs(self) -> int:
        """k, the number of functions F; each gets one tree in every round."""
        return len(self.Y)

    @cached_property
    def rows(self) -> Int:
        """(m,) the indices of the rows with a class or value."""
        return np.flatnonzero(np.isfinite(self.Y[0]))

    @cached_property
    def nominal(self) -> Bool:
        """(d,) which columns hold categories."""
        return frozen([not feature.numeric for feature in self.problem.features], np.bool_)

    @cached_property
    def words(self) -> TreeWords:
        """Texts of the trees' tests."""
        return TreeWords(self.problem)

    @cached_property
    def leaves(self) -> Leaves:
        """The boxes of the trees' leaves on the plane."""
        return Leaves(self.problem)

    @cached_property
    def table(self) -> Examples:
        """The columns laid out for growing trees, without the rows that have no class or value."""
        known = np.isfinite(self.Y[0]) - 1  # 0, or −1 where not known
        return Examples.of(self.problem.X, self.problem.features, known, 0)

    @cached_property
    def sample(self) -> Sample:
        """All examples sorted by every column, shared by all trees."""
        return Sample.root(self.table)

    def open_node(self, values: Float, importance: Importance, depth: int, least: int) -> OpenNode:
        """The root of a tree that learns these values (n,) by the test of largest importance.

        depth: tests from the root to a leaf, at most; least: examples in a leaf, at least.
        """
        rule = Rule(importance, every_midpoint=True, most_branches=0, least=least)
        growth = Growth(rule, stop="depth", limit=depth)
        return root(Values.learnt(self.table, values), growth, sample=self.sample)

    def rows_of(self, tree: Tree, node: int) -> Int:
        """The indices of the examples at a node of a tree."""
        return self.rows[members(tree, node, self.problem.X[self.rows]) > 0]

    # -- what is counted of F (k, n)

    def decided(self, F: Float) -> Int:
        """(…) class indices by F (k, …): the largest F, the first of tied ones.

        Of two classes the first from F = 0 on.
        """
        if len(F) == 1:
            return np.where(F[0] >= 0, 0, 1)
        return np.asarray(F.argmax(axis=0))

    def errors(self, F: Float) -> int:
        """The number of examples that get a wrong class from F (k, n); 0 for values."""
        if self.problem.regress:
            return 0
        wrong = self.decided(F) != self.problem.codes
        return int(np.count_nonzero(wrong[self.rows]))

    def root_mean_square(self, residuals: Float, F: Float) -> float:
        """The root mean square of the residuals (k, n); for values 0 where they are within rounding
        of 0.
        """
        size = float(np.sqrt((residuals[:, self.rows] ** 2).mean()))
        if not self.problem.regress:
            return size
        largest = np.abs(F[:, self.rows]).max()
        return float(settled(size, float(largest)))

    def metrics(self, s: Any) -> Mapping[str, float]:
        """The curves: wrong examples (of classes), loss, and root mean square of what is left."""
        of_both = {"loss": s.loss, "rmse": s.off}
        if self.problem.regress:
            return of_both
        return {"errors": float(s.errors), **of_both}
