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


class Forecasting(Record, eq=True):
    """weights (K,) of the experts, `before` this step; wrong (K,) the mistakes that made them;
    best: mistakes of the best expert so far; mistakes: of the algorithm; row: of the table, or −1;
    said: class, or −1; seen: examples whose truth is known; misses: which of them were wrong.
    """

    weights: Float
    before: Float
    wrong: Int
    misses: Prefix[int]
    best: int = 0
    mistakes: int = 0
    row: int = -1
    said: int = -1
    seen: int = 0


S = TypeVar("S", bound=Forecasting)


class Experts(Setting[P]):
    """stream: the labelled examples in table order with their forecasts; the columns of the problem
    are the experts.
    """

    p: Any

    @cached_property
    def stream(self) -> Stream:
        problem = self.problem
        rows = np.flatnonzero(problem.labelled)
        says = frozen(forecasts(problem, problem.X[rows]))
        return Stream(frozen(rows), says, frozen(problem.codes[rows]), len(problem.classes))

    @cached_property
    def votes(self) -> Float:
        """(n, classes) weight of the experts for each class, before each example."""
        return self.stream.votes(self.p.beta)

    def ends(self, seen: int) -> list[int]:
        """How many examples are seen at each comparison from now on."""
        return [*range(seen + ROUND - seen % ROUND, self.stream.n, ROUND), self.stream.n]

    def fresh(self, kind: type[S]) -> S:
        """Every expert has the weight 1, nothing is seen."""
        ones = frozen(np.ones(self.problem.d))
        return kind(ones, ones, frozen(np.zeros(self.problem.d, np.intp)), Prefix([], 0))

    def gone_on(self, s: S) -> S:
        """A state of other examples, brought to those there are now."""
        wrong = self.stream.after(s.seen)
        return replace(s, wrong=wrong, best=int(wrong.min()), weights=weights(wrong, self.p.beta))

    def counted(self, s: S, said: int) -> S:
        """The truth of the next example is known."""
        t = s.seen
        missed = said != int(self.stream.truth[s.seen])
        best = int(self.stream.after(t + 1).min())
        misses = s.misses.plus(t) if missed else s.misses
        return replace(s, best=best, mistakes=s.mistakes + missed, seen=t + 1, misses=misses)

    def missed(self, s: Forecasting) -> bool:
        """Whether the example told last was a mistake."""
        return s.said != int(self.stream.truth[s.seen - 1])

    def who(self, s: Forecasting) -> Int:
        """The experts who were wrong in the example told last."""
        return np.flatnonzero(self.stream.wrong[s.seen - 1])

    def punished(self, s: S) -> S:
        """w ← β w for every expert who was wrong."""
        wrong = self.stream.after(s.seen)
        return replace(s, wrong=wrong, weights=weights(wrong, self.p.beta))

    def says(self, s: Forecasting) -> Int | None:
        """(K,) the forecasts of the example looked at, None between two."""
        return (
            self.stream.says[int(np.searchsorted(self.stream.rows, s.row))] if s.row >= 0 else None
        )

    def terms(self, s: Forecasting) -> tuple[Fraction | float, ...]:
        """The weights as they are written."""
        return exact(s.wrong, self.p.beta, s.weights)

    def terms_before(self, s: Forecasting) -> tuple[Fraction | float, ...]:
        """The weights before the example told last, as they are written."""
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
    """The weights as fractions where they are short, else as numbers."""
    base = Fraction(str(beta))
    size = max(float(np.log10(base.denominator)), 1e-9)
    return tuple(
        base ** int(m) if m * size < LONG else float(v) for m, v in zip(wrong, w, strict=True)
    )
