"""Units that do not look at one another: what they answer, how many examples each gets wrong.

AIMA 18.7.2.
"""

from typing import Any, TypeVar

from engine.algorithms.networks.parts import with_weight
from engine.algorithms.networks.parts.outputs import Outputs, outputs
from engine.authoring import Float, Int, Setting, cached_property, np, replace
from engine.numerics.class_scores import classify, of_classes
from engine.numerics.linear import with_column
from engine.numerics.mistakes import cleared, reach_of, settled_scores
from engine.numerics.sigmoid import share
from engine.numerics.visits import Visits

P = TypeVar("P")
# rates that nobody set: at most, and times the square of the largest example
DEFAULT, STEEPEST = 1.0, 5.0
PART = 50_000  # numbers of the examples that the units look at, between two moments


class Layer(Setting[P]):
    """told: what the m units should say; X (n, d + 1), the dummy input 1 last; reach (d + 1,),
    largest: see `settled_scores`; ones, zeros (m, n): which units should say 1, and which 0, to
    which examples; table: its order in parts.
    """

    p: Any
    threshold = property(lambda self: self.p.unit == "threshold")
    X = cached_property(lambda self: with_column(self.problem.X, 1.0))
    reach = cached_property(lambda self: reach_of(self.X, self.rate))
    largest = cached_property(lambda self: float(np.abs(self.X).max(initial=0.0)))
    ones = cached_property(lambda self: self.told.Y.T > 0.5)
    zeros = cached_property(lambda self: self.told.Y.T <= 0.5)
    table = cached_property(lambda self: self.parts(np.arange(self.problem.n)))

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
    def told(self) -> Outputs:
        return outputs(self.problem, self.p.targets != "target")

    @cached_property
    def visits(self) -> list[Visits]:
        return [
            Visits(self.X, sign, True, reach=self.reach)
            for sign in np.nan_to_num(2.0 * self.told.Y.T - 1.0)
        ]

    def parts(self, order: Int) -> list[Int]:
        """The order in pieces that are learnt in a few hundredths of a second each."""
        size = max(1, PART // (self.X.shape[1] * self.told.Y.shape[1]))
        return [order[at : at + size] for at in range(0, len(order), size)]

    def errs(self, s: Any, j: int) -> bool:
        """Whether unit j is wrong about the example at hand."""
        y = self.told.Y[s.current, j]
        return not np.isnan(y) and bool((s.inputs[j] >= 0) != (y > 0.5))

    # -- one example: a number of each unit (m,) ---------------------------------------------------

    def learners(self, i: int, inputs: Float) -> list[int]:
        """Which units change: those that err, of sigmoid units all whose y is known."""
        y = self.told.Y[i]
        learn = ((inputs >= 0) != (y > 0.5)) & (y == y) if self.threshold else y == y
        return learn.nonzero()[0].tolist()  # type: ignore[no-any-return]

    @np.errstate(over="ignore", invalid="ignore")
    def learnt(self, W: Float, i: int, inputs: Float) -> Float:
        """w + α (y − h) g′ x of each unit, of threshold units without what is only left by
        rounding.
        """
        y = self.told.Y[i]
        rate = self.rate
        x = self.X[i][:, None]
        if self.threshold:
            return cleared(W + rate * (y - (inputs >= 0)) * x, self.reach[:, None])
        return np.asarray(
            W + x * [share(*one, rate) for one in zip(inputs.tolist(), y.tolist(), strict=True)]
        )

    # -- the model ---------------------------------------------------------------------------------

    def judged(self, s: Any) -> Any:
        """The state with its wrong outputs and wrong points."""
        answers = Answers(self, s.W)
        return replace(s, wrong=answers.wrong, errors=answers.errors)

    def own(self, s: Any) -> Float:
        """The columns of the units that tell the target's class."""
        return np.asarray(s.W[:, : self.told.own])

    def predict(self, s: Any, X: Float) -> Int:
        """The first of two classes where its unit has in ≥ 0; of several the class whose unit has
        the largest in.
        """
        return classify(with_column(X, 1.0) @ self.own(s))

    def scores(self, s: Any, X: Float) -> Float:
        return of_classes(with_column(X, 1.0) @ self.own(s))

    def tweak(self, s: Any, link: tuple[int, ...], value: float) -> Any:
        """The weight of link (0, from, to) set by hand."""
        (W,) = with_weight((s.W,), link, value)
        return self.judged(replace(s, W=W, before=s.W, current=-1, inputs=(), unit=-1))


class Answers:
    """in of every unit for every example, kept while single units change; 0 where only rounding
    keeps it from being so. wrong: how many each gets wrong.
    """

    def __init__(self, given: Layer[Any], W: Float) -> None:
        self._given = given
        self.W = W.copy()
        self.wrong = (0,) * W.shape[1]
        self._inputs = np.empty(given.told.Y.shape, order="F")
        for j, w in enumerate(W.T):
            self.change(j, w)

    @np.errstate(over="ignore", invalid="ignore")
    def change(self, j: int, w: Float) -> None:
        """Unit j has the weights w (d + 1,) now. It says 1 where in ≥ 0."""
        self.W[:, j] = w
        given = self._given
        inputs = self._inputs[:, j] = settled_scores(given.X, w, given.reach, largest=given.largest)
        count = int(np.count_nonzero(np.where(inputs >= 0, given.zeros[j], given.ones[j])))
        self.wrong = (*self.wrong[:j], count, *self.wrong[j + 1 :])

    @np.errstate(over="ignore", invalid="ignore")
    def of(self, i: int) -> Float:
        """in for one example; of sigmoid units, where every digit counts, added up from the first
        feature on.
        """
        return (
            self._inputs[i]
            if self._given.threshold
            else np.asarray((self._given.X[i][:, None] * self.W).sum(0))
        )

    @property
    def errors(self) -> int:
        """How many examples are given another class than theirs."""
        wrong = classify(self._inputs[:, : self._given.told.own]) != self._given.problem.codes
        return int(np.count_nonzero(wrong & self._given.problem.labelled))
