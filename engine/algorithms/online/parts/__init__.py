"""What both weighted majorities share: the experts of a table, what a state remembers of them.

ML Table 7.1, AIMA 18.10.1.
"""

from fractions import Fraction
from typing import Any, TypeVar

from engine.algorithms.online.parts.stream import Stream, votes, weights, winners
from engine.authoring import Float, Int, Record, Setting, cached_property, frozen, np, replace
from engine.core.arrays import Prefix
from engine.core.forecasts import forecasts
from engine.numerics.class_scores import lead_of_two

ROUND = 10  # examples between two comparisons
LONG = 5  # digits of a fraction that a person would still write
P = TypeVar("P")


class Forecasting(Record):
    """The model is `weights`; what comes behind `misses` is what a moment looks at.

    weights: (K,) of the experts
    wrong: (K,) mistakes of the experts that are in their weights
    mistakes: of the algorithm
    best: mistakes of the best expert
    seen: examples whose truth is known
    misses: which of them were mistakes
    before: (K,) the weights before this step
    row: of the table, or −1
    said: the class that was forecast, or −1
    """

    weights: Float
    wrong: Int
    misses: Prefix[int]
    before: Float
    mistakes: int = 0
    best: int = 0
    seen: int = 0
    row: int = -1
    said: int = -1


S = TypeVar("S", bound=Forecasting)


class Experts(Setting[P]):
    """The columns of the problem are K experts, who forecast its labelled rows in table order."""

    p: Any

    @cached_property
    def stream(self) -> Stream:
        """The examples with their forecasts."""
        problem = self.problem
        rows = np.flatnonzero(problem.labelled)
        says = frozen(forecasts(problem, problem.X[rows]))
        return Stream(frozen(rows), says, frozen(problem.codes[rows]), len(problem.classes))

    def ends(self, seen: int) -> list[int]:
        """How many examples are seen at each comparison from now on: every tenth, and the last."""
        n = self.stream.n
        return [*range(seen + ROUND - seen % ROUND, n, ROUND), n]

    def fresh(self, kind: type[S]) -> S:
        """The state, of the page's class, in which each weight is 1 and nothing is seen."""
        ones = frozen(np.ones(self.problem.d))
        none = frozen(np.zeros(self.problem.d, np.intp))
        return kind(weights=ones, wrong=none, misses=Prefix([], 0), before=ones)

    def recounted(self, s: S) -> S:
        """A state of other examples, or another β, with the weights that follow from those of
        now.
        """
        wrong = self.stream.after(s.seen)
        return replace(s, wrong=wrong, best=int(wrong.min()), weights=weights(wrong, self.p.beta))

    def with_truth(self, s: S, mistake: bool) -> S:
        """The state in which the truth of the next example is known: M + 1 after a mistake."""
        t = s.seen
        best = int(self.stream.counts[t + 1].min())
        misses = s.misses.plus(t) if mistake else s.misses
        return replace(s, seen=t + 1, best=best, mistakes=s.mistakes + mistake, misses=misses)

    def missed(self, s: Forecasting) -> bool:
        """Whether the last example whose truth is known was a mistake."""
        return s.said != int(self.stream.truth[s.seen - 1])

    def erred(self, s: Forecasting) -> Int:
        """The experts who were wrong in the last example whose truth is known."""
        return np.flatnonzero(self.stream.wrong[s.seen - 1])

    def says(self, s: Forecasting) -> Int | None:
        """(K,) the forecasts of the example looked at, None between two."""
        if s.row < 0:
            return None
        t = int(np.searchsorted(self.stream.rows, s.row))
        says: Int = self.stream.says[t]
        return says

    def terms(self, s: Forecasting) -> tuple[Fraction | float, ...]:
        """(K,) the weights as they are written."""
        return exact(s.wrong, self.p.beta, s.weights)

    def terms_before(self, s: Forecasting) -> tuple[Fraction | float, ...]:
        """(K,) the weights before the last example whose truth is known, as they are written."""
        return exact(self.stream.after(s.seen - 1), self.p.beta, s.before)

    def predict(self, s: Forecasting, X: Float) -> Int:
        """(m,) the class with most weight among the experts whose forecasts stand in X; the first
        of equals, −1 without any.
        """
        return winners(votes(s.weights, forecasts(self.problem, X), len(self.problem.classes)))

    def scores(self, s: Forecasting, X: Float) -> Float:
        """(m,) share of the weight for the first of two classes minus that for the other, 0 on
        ties; (m, k) shares of more classes; NaN where no expert says anything.
        """
        q = votes(s.weights, forecasts(self.problem, X), len(self.problem.classes))
        shares = q / np.where(q.any(axis=1), q.sum(axis=1), np.nan)[:, None]
        return lead_of_two(shares)


def exact(wrong: Int, beta: float, w: Float) -> tuple[Fraction | float, ...]:
    """(K,) the weights as fractions where they are short, else as numbers."""
    base = Fraction(str(beta))
    digits = max(float(np.log10(base.denominator)), 1e-9)  # of one factor more
    return tuple(
        base ** int(count) if count * digits < LONG else float(weight)
        for count, weight in zip(wrong, w, strict=True)
    )
