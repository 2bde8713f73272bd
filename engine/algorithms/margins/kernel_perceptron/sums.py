"""Sums of kernels over counted mistakes: the score of each example, from mistake to mistake, and how large its terms are."""

from typing import Any, TypeVar

from engine.algorithms.margins.parts.lifted import Lifted, settled
from engine.authoring import Bool, EngineError, Float, Int, Work, cached_property, frozen, np

P = TypeVar("P")
FEW = 500  # examples up to which the kernel matrix is kept


class Sums(Lifted[P]):
    """rows: those with a class; lengths (n,): |F(x)|; reach (n,): what a mistake adds to a score at most."""

    rows = cached_property(lambda given: np.flatnonzero(given.problem.labelled))
    learned = property(lambda given: float(given.p.threshold == "learned"))  # 1.0 or 0.0
    lengths = cached_property(lambda given: np.sqrt(given.kernel.diagonal(given.X)))
    reach = cached_property(lambda given: given.lengths * given.lengths.max() + given.learned)
    matrix = cached_property(lambda given: given.kernel.matrix(given.X, given.X))

    def normal(self, s: Any) -> Float | None:
        return (s.counts * self.sign) @ self.X if self.kernel.name == "linear" else None

    def constants(self, s: Any) -> float:
        return float(self.learned * s.mistakes)

    def terms(self, i: int) -> tuple[Float, Float]:
        """(n,) what a mistake about example i changes every score by, but for its sign; (n,) the size of that."""
        K = self.matrix[i] if self.problem.n <= FEW else self.kernel.matrix(self.X[[i]], self.X)[0]
        K = K + self.learned
        return K, K if self.kernel.name == "rbf" else self.lengths[i] * self.lengths + self.learned

    def settled_scores(self, s: Any) -> Float:
        """(n,) the scores of the examples themselves, which decide."""
        return np.asarray(settled(s.scores, s.sizes))

    def wrong(self, scores: Float, sizes: Float) -> Bool:
        """(n,) y Σ c y K ≤ 0, of examples that have a class."""
        return np.asarray((self.sign * settled(scores, sizes) <= 0) & (self.sign != 0))

    def sums(self, counts: Int) -> Work[tuple[Float, Float]]:
        """(n,) the scores of these counts, which may come from another kernel, and (n,) the sizes of their terms."""
        if len(counts) != self.problem.n:
            raise EngineError("These counts belong to other examples: start again.")
        scores, sizes = np.zeros((2, self.problem.n))
        for i in np.flatnonzero(counts).tolist():
            K, size = self.terms(i)
            scores, sizes = scores + counts[i] * self.sign[i] * K, sizes + counts[i] * size
            yield
        return scores, sizes

    def counted(self, counts: Int, scores: Float, sizes: Float) -> dict[str, Any]:
        """What a state tells of its counts."""
        return {
            "counts": frozen(counts), "scores": frozen(scores), "sizes": frozen(sizes), "mistakes": int(counts.sum()),
            "b": self.learned * float(self.sign @ counts), "errors": int(self.wrong(scores, sizes).sum()),
        }  # fmt: skip
