"""Units that do not look at one another: what they answer, how many examples each gets wrong.

AIMA 18.7.2.
"""

from math import tanh
from typing import Any, TypeVar

from engine.algorithms.networks.parts import CALM, with_weight
from engine.algorithms.networks.parts.outputs import Outputs, outputs_for
from engine.authoring import (
    EngineError,
    Float,
    Int,
    Problem,
    Setting,
    cached_property,
    frozen,
    np,
    replace,
)
from engine.base.notation import counted
from engine.numerics.activations import threshold
from engine.numerics.class_scores import classify, of_classes
from engine.numerics.linear import with_column
from engine.numerics.mistakes import reach_of, settled_scores
from engine.numerics.visits import Visits

P = TypeVar("P")
# of rates that are found: at most, and times the square of the largest example
DEFAULT = 1.0
STEEPEST = 5.0
PART = 50_000  # numbers of the examples that the units look at, between two looks at stop


class Layer(Setting[P]):
    """One layer of m units over the columns."""

    p: Any

    @property
    def threshold(self) -> bool:
        """Whether the units are threshold units; else sigmoid."""
        return bool(self.p.unit == "threshold")

    @cached_property
    def targets(self) -> Outputs:
        """The targets of each unit."""
        return outputs_for(self.problem, self.p.targets != "target")

    @cached_property
    def X(self) -> Float:
        """(n, d + 1) the columns, and a last one of 1."""
        return with_column(self.problem.X, 1.0)

    @cached_property
    def start(self) -> Float:
        """(d + 1, m) the weights to begin with: zeros, as set, or those of a majority function.

        Majority: w[i] = 1 for each of n inputs and w[0] = −n/2, so that in ≥ 0 where at least half
        of the inputs are 1. AIMA 18.7.2.
        """
        n = self.problem.d
        shape = (n + 1, len(self.targets.names))
        if self.p.begin == "majority":
            W = np.ones(shape)
            W[-1] = -n / 2
            return frozen(W)
        if self.p.begin == "as set" and self.p.start:
            return frozen(np.asarray(self.p.start, np.float64).reshape(shape[::-1]).T.copy())
        return frozen(np.zeros(shape))

    @cached_property
    def largest(self) -> float:
        """The largest absolute value in X."""
        return float(np.abs(self.X).max(initial=0.0))

    @cached_property
    def reach(self) -> Float:
        """(d + 1,) the largest change of each weight by one example, see `settled_scores`."""
        return reach_of(self.X, self.rate)

    @cached_property
    def rate(self) -> float:
        """α as set.

        Else 1, the book's; of sigmoid units less where one step would move the in of its own
        example by more than 1. It moves by α |x|² (y − h) h (1 − h), and that last factor is at
        most 4/27. One figure, so that it can be read.
        """
        if self.p.rate is not None:
            return float(self.p.rate)
        if self.threshold:
            return DEFAULT
        size = float((self.X**2).sum(axis=1).max(initial=1.0))
        return min(DEFAULT, float(f"{STEEPEST / size:.0e}"))

    @cached_property
    def visits(self) -> list[Visits]:
        """For each threshold unit the examples prepared for unrecorded rounds."""
        signs = np.nan_to_num(2.0 * self.targets.Y.T - 1.0)
        return [Visits(self.X, sign, True, reach=self.reach) for sign in signs]

    def parts(self, order: Int) -> list[Int]:
        """The order in parts between which a run can be cancelled."""
        size = max(1, PART // (self.X.shape[1] * self.targets.Y.shape[1]))
        return [order[at : at + size] for at in range(0, len(order), size)]

    def errs(self, s: Any, j: int) -> bool:
        """Whether unit j is wrong about the current example."""
        y = self.targets.Y[s.current, j]
        return not np.isnan(y) and bool((s.inputs[j] >= 0) != (y > 0.5))

    # -- one example: a number of each unit (m,) ---------------------------------------------------

    def g(self, inputs: Float) -> Float:
        """h of every unit: 1 where in ≥ 0, else 0; for sigmoid units 1/(1 + e^−in)."""
        if self.threshold:
            return threshold(inputs)
        # by the same function as in whole rounds: another one differs in the last digit
        return np.array([0.5 * tanh(0.5 * z) + 0.5 for z in inputs.tolist()])

    def learners(self, i: int, h: Float) -> list[int]:
        """The units that example i updates: those that err; all with a known y for sigmoid units.
        h: (m,) their outputs
        """
        y = self.targets.Y[i]
        learns = ~np.isnan(y)
        if self.threshold:
            learns &= h != y
        return np.flatnonzero(learns).tolist()

    # -- the model ---------------------------------------------------------------------------------

    def with_metrics(self, s: Any) -> Any:
        """The state with its wrong outputs and its errors."""
        answers = Answers(self, s.W)
        return replace(s, wrong=answers.wrong, errors=answers.errors)

    def own(self, s: Any) -> Float:
        """(d + 1, k) the weights of the units for the target's class."""
        return np.asarray(s.W[:, : self.targets.own])

    def predict(self, s: Any, X: Float) -> Int:
        """(m,) class codes: of two classes the first where its unit has in ≥ 0, of more the unit
        with the largest in.
        """
        return classify(with_column(X, 1.0) @ self.own(s))

    def scores(self, s: Any, X: Float) -> Float:
        """(m,) in of the unit for two classes, or (m, classes) for more."""
        return of_classes(with_column(X, 1.0) @ self.own(s))

    def tweak(self, s: Any, link: tuple[int, ...], value: float) -> Any:
        """The state with the weight of link (0, from, to) set by hand."""
        (W,) = with_weight((s.W,), link, value)
        return self.with_metrics(replace(s, W=W, before=s.W, current=-1, inputs=(), unit=-1))


def start_fits(p: Any, problem: Problem) -> None:
    """Raises EngineError where `p.start` has not one number for each weight of each unit."""
    units = len(outputs_for(problem, p.targets != "target").names)
    wanted = units * (problem.d + 1)
    if len(p.start) != wanted:
        raise EngineError(
            f"Start w needs {counted(wanted, 'number')}: {counted(problem.d + 1, 'weight')} for"
            f" each of {counted(units, 'unit')}; it has {len(p.start)}."
        )


class Answers:
    """in of every unit for every example, kept while single units change; 0 where only rounding
    keeps it from being so.

    W: (d + 1, m) the weights now; wrong: of each unit, how many examples it gets wrong
    """

    def __init__(self, given: Layer[Any], W: Float) -> None:
        Y = given.targets.Y
        self.W = W.copy()
        self.wrong = (0,) * W.shape[1]
        self._given = given
        self._should_fire = Y > 0.5
        self._should_rest = Y <= 0.5  # neither where y is not known
        self._inputs = np.empty(Y.shape, order="F")
        for j, w in enumerate(W.T):
            self.change(j, w)

    @CALM
    def change(self, j: int, w: Float) -> None:
        """Give unit j the weights w (d + 1,); its output is 1 where in ≥ 0."""
        given = self._given
        inputs = settled_scores(given.X, w, given.reach, largest=given.largest)
        wrong = np.where(inputs >= 0, self._should_rest[:, j], self._should_fire[:, j])
        self.W[:, j] = w
        self._inputs[:, j] = inputs
        self.wrong = (*self.wrong[:j], int(np.count_nonzero(wrong)), *self.wrong[j + 1 :])

    @CALM
    def of(self, i: int) -> Float:
        """(m,) in[j] = Σ w[i,j]·x[i] for one example; of sigmoid units, where every digit counts,
        added up from the first feature on.
        """
        if self._given.threshold:
            return np.asarray(self._inputs[i])
        return np.asarray((self._given.X[i][:, None] * self.W).sum(0))

    @property
    def errors(self) -> int:
        """The number of examples that get a wrong class."""
        problem = self._given.problem
        said = classify(self._inputs[:, : self._given.targets.own])
        return int(np.count_nonzero((said != problem.codes) & problem.labelled))
