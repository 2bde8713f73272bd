"""A layer of units that do not look at one another: rounds of each, and how many examples each gets wrong."""

from collections.abc import Set
from typing import Any, TypeVar

from engine.algorithms.networks.parts import with_weight
from engine.algorithms.networks.parts.outputs import Outputs, outputs, own_units
from engine.algorithms.networks.perceptron_network.rounds import UnitRound, sigmoid_round, threshold_round
from engine.authoring import Float, Int, Sequence, Setting, cached_property, frozen, np, replace
from engine.numerics.class_scores import classify, of_classes
from engine.numerics.linear import with_column
from engine.numerics.mistakes import RoundEnds, reach_of, settled_scores
from engine.numerics.visits import Visits

P = TypeVar("P")
PART = 50_000  # numbers of the examples that the units look at, between two moments
SAFE = 1e100  # of a column: sums of products with such numbers are still numbers


class Layer(Setting[P]):
    """told: what the m units should say; X (n, d + 1), the dummy input 1 last; reach (d + 1,): see `settled_scores`."""

    p: Any

    @cached_property
    def told(self) -> Outputs:
        return outputs(self.problem, self.p.targets != "target")

    @cached_property
    def X(self) -> Float:
        return with_column(self.problem.X, 1.0)

    @cached_property
    def reach(self) -> Float:
        return reach_of(self.X, self.p.rate)

    @property
    def threshold(self) -> bool:
        return bool(self.p.unit == "threshold")

    def parts(self, order: Int) -> list[Int]:
        """The order in pieces that are learnt in a few hundredths of a second each."""
        size = max(1, PART // (self.X.shape[1] * self.told.Y.shape[1]))
        return [order[at : at + size] for at in range(0, len(order), size)]

    @np.errstate(over="ignore", invalid="ignore")
    def watched(self, rows: Int, w: Float, j: int) -> UnitRound:
        """Unit j visits these rows."""
        if self.threshold:
            return threshold_round(self.X, self.told.Y[:, j], rows, w, self.p.rate)
        return sigmoid_round(self.X, self.told.Y[:, j], rows, w, self.p.rate)

    @np.errstate(over="ignore", invalid="ignore")
    def unwatched(self, rows: Int, w: Float, j: int) -> UnitRound:
        """The same sums; the only change that is told is where the weights end."""
        if not self.threshold:
            return sigmoid_round(self.X, self.told.Y[:, j], rows, w, self.p.rate, watched=False)
        if not self._safe:
            return self.watched(rows, w, j)
        after, mistakes = self._visits[j].whole_round(rows, w, self.p.rate)
        return UnitRound(np.zeros(0), {len(rows) - 1: after} if mistakes else {}, len(w))

    @cached_property
    def _safe(self) -> bool:
        return bool(np.abs(self.X).max() < SAFE)

    @cached_property
    def _visits(self) -> list[Visits]:
        signs = np.nan_to_num(2.0 * self.told.Y.T - 1.0)
        return [Visits(self.X, sign, True, reach=self.reach) for sign in signs]

    def after(self, s: Any, units: Sequence[UnitRound]) -> Float | None:
        """(d + 1, m) the weights after these visits; None where one of them, or a number on the way, has left all bounds."""
        W = frozen(np.column_stack([unit.after(w) for unit, w in zip(units, s.W.T, strict=True)]))
        fine = np.isfinite(W).all() and all(np.isfinite(unit.inputs).all() for unit in units)
        return W if fine else None

    def errs(self, s: Any, j: int) -> bool:
        """Whether unit j is wrong about the example at hand."""
        y = self.told.Y[s.current, j]
        return not np.isnan(y) and bool((s.inputs[j] >= 0) != (y > 0.5))

    # -- the model -----------------------------------------------------------------------------------------------------

    def judged(self, s: Any) -> Any:
        """The state with its wrong outputs and wrong points."""
        answers = Answers(self, s.W)
        return replace(s, wrong=answers.wrong, errors=answers.errors)

    def own(self, s: Any) -> Float:
        """The columns of the units that tell the target's class."""
        return np.asarray(s.W[:, : own_units(self.problem)])

    def inputs(self, s: Any, X: Float) -> Float:
        """(m, k) in of these units for rows X."""
        return np.asarray(with_column(X, 1.0) @ self.own(s))

    def predict(self, s: Any, X: Float) -> Int:
        """The first of two classes where its unit has in ≥ 0; of several the class whose unit has the largest in."""
        return classify(self.inputs(s, X))

    def scores(self, s: Any, X: Float) -> Float:
        return of_classes(self.inputs(s, X))

    def tweak(self, s: Any, link: tuple[int, ...], value: float) -> Any:
        """The weight of link (0, from, to) set by hand."""
        (W,) = with_weight((s.W,), link, value)
        return self.judged(replace(s, W=W, before=s.W, current=-1, inputs=(), unit=-1))


class Answers:
    """in of every unit for every example, kept while single units change."""

    def __init__(self, given: Layer[Any], W: Float) -> None:
        self._given, m = given, len(given.told.names)
        self._inputs = np.empty(given.told.Y.shape, order="F")
        self._wrong = [0] * m
        for j in range(m):
            self.change(j, W[:, j])

    @np.errstate(over="ignore", invalid="ignore")
    def change(self, j: int, w: Float) -> None:
        """Unit j has the weights w (d + 1,) now."""
        inputs = self._inputs[:, j] = settled_scores(self._given.X, w, self._given.reach)
        y = self._given.told.Y[:, j]
        self._wrong[j] = int((((inputs >= 0) != (y > 0.5)) & ~np.isnan(y)).sum())  # it says 1 where in ≥ 0

    @property
    def wrong(self) -> tuple[int, ...]:
        """For each unit, how many examples it gets wrong."""
        return tuple(self._wrong)

    @property
    def errors(self) -> int:
        """How many examples are given another class than theirs."""
        wrong = classify(self._inputs[:, : self._given.told.own]) != self._given.problem.codes
        return int((wrong & self._given.problem.labelled).sum())


def circles(s: Any, ends: Sequence[RoundEnds], changed: Set[int]) -> dict[int, int]:
    """{unit: round} for units whose weights are those at the end of an earlier round, though they changed since: the
    rounds depend on the weights alone, so such a unit goes on in this circle for ever. Remembers the weights of now."""
    found = {}
    for j, end in enumerate(ends):
        again = end.earlier(s.W[:, j], s.round)
        if j in changed and again is not None:
            found[j] = again
    return found
