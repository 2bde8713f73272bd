"""The losses of gradient boosting: squares for values, log-loss for classes; what they leave and
what a leaf answers. Extension (Friedman 2001).
"""

from functools import partial
from typing import Any, TypeVar

from engine.algorithms.ensembles.parts.forests import Leaves
from engine.algorithms.trees.parts.entries import Examples, Sample
from engine.algorithms.trees.parts.growth import Growth
from engine.algorithms.trees.parts.levels import OpenNode, root
from engine.algorithms.trees.parts.model import Tree, members
from engine.algorithms.trees.parts.naming import TreeWords
from engine.algorithms.trees.parts.splits import Rule, drop
from engine.algorithms.trees.parts.values import Values, known_values
from engine.authoring import Float, Int, Mapping, Setting, cached_property, frozen, np, replace
from engine.numerics.impurity import total_squares
from engine.numerics.sigmoid import log_loss
from engine.numerics.closeness import settled

P = TypeVar("P")
S = TypeVar("S", bound=Any)
LEAST = 1e-9  # share of a class without examples
FLAT = 1e-150  # a sum of p (1 − p) that divides nothing


class Boosting(Setting[P]):
    """rows: whose class or value is known; Y (k, n): the values, 1 for the first of two classes, or
    1 in the row of the class; NaN where not known.
    """

    p: Any
    words = cached_property(lambda given: TreeWords(given.problem))
    leaves = cached_property(lambda given: Leaves(given.problem))
    outputs = cached_property(lambda given: len(given.Y))
    rows = cached_property(lambda given: np.flatnonzero(np.isfinite(given.Y[0])))
    nominal = cached_property(
        lambda given: frozen([not f.numeric for f in given.problem.features], np.bool_)
    )

    @cached_property
    def Y(self) -> Float:
        problem = self.problem
        if problem.regress:
            return known_values(problem)[None]
        classes = np.arange(len(problem.classes) if len(problem.classes) > 2 else 1)
        return np.where(problem.labelled, problem.codes == classes[:, None], np.nan)

    @cached_property
    def table(self) -> tuple[Examples, Sample]:
        """The columns laid out and sorted, once for all trees."""
        table = Examples.of(self.problem.X, self.problem.features, np.isfinite(self.Y[0]) - 1, 0)
        return table, Sample.root(table)

    def root(self, residual: Float) -> OpenNode:
        rule = Rule(
            partial(drop, total=total_squares),
            every_midpoint=True,
            most_branches=0,
            least=self.p.min_leaf,
        )
        table, sample = self.table
        return root(
            Values.learnt(table, residual),
            Growth(rule, stop="depth", limit=self.p.depth),
            sample=sample,
        )

    def rows_of(self, tree: Tree, node: int) -> Int:
        """The examples at a node."""
        return self.rows[members(tree, node, self.problem.X[self.rows]) > 0]

    # -- the losses

    def constant(self) -> Float:
        """(k,) the F of least loss without any column: the mean, the log-odds, or the logarithms of
        the shares.
        """
        mean = self.Y[:, self.rows].mean(axis=1)
        if self.problem.regress:
            return frozen(mean)
        mean = np.clip(mean, LEAST, 1 - LEAST)
        return frozen(np.log(mean / (1 - mean)) if len(mean) == 1 else np.log(mean))

    def chances(self, F: Float) -> Float:
        """(k, m) p of each output; of values F itself."""
        if self.problem.regress:
            return F
        if len(F) == 1:
            return np.asarray(0.5 * np.tanh(0.5 * F) + 0.5)
        power = np.exp(F - F.max(axis=0))
        return np.asarray(power / power.sum(axis=0))

    def residuals(self, F: Float) -> Float:
        """(k, n) y − p, or y − F: the way down the loss of each example."""
        return self.Y - self.chances(F)

    def answer(self, residual: Float, node: OpenNode) -> float:
        """γ of a leaf."""
        r = residual[node.rows]
        return float(self.answers(r, np.zeros(len(r), np.intp), np.array([node.totals[1]]))[0])

    def answers(self, r: Float, leaf: Int, means: Float) -> Float:
        """γ of leaves, of whose examples r is left: the mean, or a Newton step down the log-loss, Σ
        r / Σ p (1 − p).
        """
        if self.problem.regress:
            return means
        over, under = self.newton(r, leaf, len(means))
        return np.divide(over, under, out=np.zeros(len(means)), where=under > FLAT)

    def newton(self, r: Float, leaf: Int, count: int) -> tuple[Float, Float]:
        """(Σ r, Σ p (1 − p)) of leaves; of k > 2 classes the first times (k − 1)/k.

        Where y is 1 or 0, p (1 − p) is
        |r| (1 − |r|).
        """
        size = np.abs(r)
        shares = (self.outputs - 1) / self.outputs if self.outputs > 1 else 1.0
        parts = r, size * (1 - size), size
        over, under, whole = (
            np.asarray(np.bincount(leaf, part, count), np.float64) for part in parts
        )
        return settled(over, whole) * shares, under

    def loss(self, F: Float) -> float:
        """The mean squared error, or −log p of the right class, of the examples."""
        Y = self.Y[:, self.rows]
        F = F[:, self.rows]
        if self.problem.regress:
            return float(((Y - F) ** 2).mean())
        if len(F) == 1:
            return float(log_loss(Y[0], F[0]).mean())
        top = F.max(axis=0)
        return float((top + np.log(np.exp(F - top).sum(axis=0)) - (Y * F).sum(axis=0)).mean())

    def off(self, F: Float) -> float:
        """Root mean square of what is left, 0 where only rounding is."""
        left = self.residuals(F)[:, self.rows]
        size = float(np.sqrt((left**2).mean()))
        if not self.problem.regress:
            return size
        return float(settled(size, float(np.abs(F[:, self.rows]).max())))

    def judged(self, s: S, **changes: object) -> S:
        """A state with the numbers of its curves."""
        F: Any = changes.get("F", s.F)
        return replace(s, **changes, loss=self.loss(F), errors=self.errors(F), off=self.off(F))

    def metrics(self, s: Any) -> Mapping[str, float]:
        counted = {} if self.problem.regress else {"errors": float(s.errors)}
        return counted | {"loss": s.loss, "rmse": s.off}

    def errors(self, F: Float) -> int:
        if self.problem.regress:
            return 0
        return int(np.count_nonzero((self.decided(F) != self.problem.codes)[self.rows]))

    def decided(self, F: Float) -> Int:
        """Class indices by F (k, …): the first of two classes from 0 on, else the largest, the
        first of equals.
        """
        if len(F) == 1:
            return np.where(F[0] >= 0, 0, 1)
        return np.asarray(F.argmax(axis=0))
