"""What both weighted majorities share: the experts of a table, their weights and votes.

ML Table 7.1, AIMA 18.10.1.
"""

from fractions import Fraction
from typing import Any, TypeVar

from engine.algorithms.online.parts.stream import Stream, votes, weights
from engine.authoring import Float, Int, Setting, cached_property, frozen, np, replace
from engine.numerics.class_scores import lead_of_two
from engine.table.forecasts import forecasts

ROUND = 10  # examples between two comparisons
LONG = 5  # digits of a fraction that a person would still write
P = TypeVar("P")


S = TypeVar("S", bound=Any)  # the State of one of the two pages


class Experts(Setting[P]):
    """K experts, the columns of the problem, who forecast its labelled rows in table order."""

    p: Any

    @cached_property
    def stream(self) -> Stream:
        """The examples with their forecasts."""
        problem = self.problem
        rows = np.flatnonzero(problem.labelled)
        says = frozen(forecasts(problem, problem.X[rows]))
        return Stream(frozen(rows), says, frozen(problem.codes[rows]), len(problem.classes))

    def ends(self, seen: int) -> list[int]:
        """The numbers of examples at which mistakes are compared from `seen` on: every tenth, and
        the last.
        """
        n = self.stream.n
        return [*range(seen + ROUND - seen % ROUND, n, ROUND), n]

    def recounted(self, s: S) -> S:
        """The state with mistakes and weights counted again, where examples or β have changed."""
        wrong = self.stream.after(s.seen)
        return replace(s, wrong=wrong, best=int(wrong.min()), weights=weights(wrong, self.p.beta))

    def best(self, seen: int) -> int:
        """M*, the mistakes of the best expert in the first `seen` examples."""
        return int(self.stream.counts[seen].min())

    def missed(self, s: Any) -> bool:
        """Whether the last example with a known label was a mistake."""
        return bool(s.said != self.stream.truth[s.seen - 1])

    def erred(self, s: Any) -> Int:
        """(m,) the experts who were wrong about the last example whose label is known."""
        return np.flatnonzero(self.stream.wrong[s.seen - 1])

    def says(self, s: Any) -> Int | None:
        """(K,) the forecasts for the current example, None between two."""
        if s.row < 0:
            return None
        t = int(np.searchsorted(self.stream.rows, s.row))
        says: Int = self.stream.says[t]
        return says

    def terms(self, s: Any) -> tuple[Fraction | float, ...]:
        """(K,) the weights as shown: exact fractions, or floats where these are long."""
        return exact(s.wrong, self.p.beta, s.weights)

    def terms_before(self, s: Any) -> tuple[Fraction | float, ...]:
        """(K,) the weights before the last example with a known label, as `terms`."""
        return exact(self.stream.after(s.seen - 1), self.p.beta, s.before)

    def scores(self, s: Any, X: Float) -> Float:
        """(m,) share of the weight for the first of two classes minus that for the other, 0 on
        ties; (m, k) shares of more classes; NaN where no expert says anything.
        """
        q = votes(s.weights, forecasts(self.problem, X), len(self.problem.classes))
        shares = q / np.where(q.any(axis=1), q.sum(axis=1), np.nan)[:, None]
        return lead_of_two(shares)


def exact(wrong: Int, beta: float, w: Float) -> tuple[Fraction | float, ...]:
    """(K,) the weights as fractions where these are short, else as floats."""
    base = Fraction(str(beta))
    digits = max(float(np.log10(base.denominator)), 1e-9)  # of one factor more
    return tuple(
        base ** int(count) if count * digits < LONG else float(weight)
        for count, weight in zip(wrong, w, strict=True)
    )
