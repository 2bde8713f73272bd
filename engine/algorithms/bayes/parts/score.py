"""The score of Cooper and Herskovits: how likely a variable's values are, given its parents,
whatever their table is.
"""

from collections import Counter
from typing import Any

from engine.algorithms.bayes.parts import Networked, P, Parents
from engine.authoring import EngineError, Float, Int, Problem, Sequence, cached_property, frozen, np
from engine.base.notation import listed, quoted
from engine.base.spelling import place_of
from engine.numerics.closeness import tied_with_best

LARGEST = 4096  # rows of a table: a parent that would make more is not tried


class Scoring(Networked[P]):
    """Variables in an order, parents before their children; counts, scores and tables of them."""

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The indices of the variables, parents before children; those not named follow in table
        order.

        Raises EngineError for a name that is no column or stands twice.
        """
        names = [v.name for v in self.variables]
        found = [place_of(name, names) for name in self.p.order]
        for name, place in zip(self.p.order, found, strict=True):
            if place is None:
                raise EngineError(
                    f"Order names {quoted(name)}, which is no column: there are {listed(names)}."
                )
        named = tuple(place for place in found if place is not None)
        twice = [x for x, count in Counter(named).items() if count > 1]
        if twice:
            raise EngineError(f"Order names {quoted(names[twice[0]])} twice.")
        return (*named, *(x for x in range(len(names)) if x not in named))

    @cached_property
    def seen(self) -> Int:
        """(m, v) the complete rows, which are counted."""
        return self.codes

    @cached_property
    def factorials(self) -> Float:
        """(m,) ln 0!, ln 1!, … up to the largest number needed."""
        most = self.problem.n + max(self.sizes)
        logs = np.log(np.arange(1.0, most + 1))
        return np.append(0.0, np.cumsum(logs))

    def check(self) -> None:
        """Raises EngineError where a value is not known: K2 counts complete rows."""
        if (self.codes < 0).any():
            raise EngineError(
                "K2 needs every value: give each row a class, or leave out those without one."
            )

    def fits(self, parents: Parents) -> None:
        """Raises EngineError where the arcs are not of these variables."""
        small = all(self.cases(own) <= LARGEST for own in parents)
        if len(parents) != len(self.variables) or not small:
            raise EngineError("The arcs are of other columns: start again.")

    def candidates(self, x: int, parents: Sequence[int]) -> tuple[int, ...]:
        """The variables before x in the order that are not its parents yet; () when x has as many
        parents as allowed.
        """
        if len(parents) >= self.p.parents:
            return ()
        before = self.order[: self.order.index(x)]
        return tuple(z for z in before if z not in parents and self.cases((*parents, z)) <= LARGEST)

    def counts(self, x: int, parents: Sequence[int]) -> Int:
        """(rows of the table, values of x) N, the number of examples with each combination."""
        rows = self.cases(parents)
        size = self.sizes[x]
        at = self.case(self.seen, parents) * size + self.seen[:, x]
        return np.bincount(at, minlength=rows * size).reshape(rows, size)

    def score(self, x: int, parents: Sequence[int]) -> float:
        """ln g = Σ ln((r − 1)! Π N! / (Σ N + r − 1)!) over the rows of the table of x, which has r
        values.
        """
        N = self.counts(x, parents)
        r = self.sizes[x]
        ln = self.factorials
        rows = ln[r - 1] + ln[N].sum(axis=1) - ln[N.sum(axis=1) + r - 1]
        return float(rows.sum())

    def table(self, x: int, parents: Sequence[int]) -> Float:
        """(rows, values) (N + 1) / (Σ N + r): the chances that the score expects."""
        N = self.counts(x, parents)
        return frozen((N + 1) / (N.sum(axis=1, keepdims=True) + N.shape[1]))


def best_of(scores: Sequence[float]) -> tuple[int, ...]:
    """The indices of all scores that tie with the largest."""
    size = max(1.0, abs(max(scores)))
    return tuple(np.flatnonzero(tied_with_best(scores, size=size)).tolist())


def order_named(p: Any, problem: Problem) -> None:
    """Raises EngineError where `p.order` names something that is no variable of the table."""
    _ = Scoring(problem, p).order
