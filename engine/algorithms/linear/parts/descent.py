"""What descents on a loss share: the rate, when a step was too long or moved nothing, and what the
last words say.
"""

from collections.abc import Callable
from math import isfinite
from typing import Annotated, Any, TypeVar

from engine.algorithms.linear.parts import Rows
from engine.authoring import (
    Empty,
    Fact,
    Float,
    Help,
    Int,
    Label,
    Operand,
    Range,
    cached_property,
    np,
)
from engine.numerics.closeness import equal, more
from engine.numerics.descent import decayed, largest_square

S = TypeVar("S")
# a run ends when its loss is not finite any more
CALM = np.errstate(over="ignore", invalid="ignore")
EVEN = 1e-3  # of the pulls in both directions: what is left of them is none
UNEVEN = (
    "The last step did not move the line any more, but the pulls on it are not even: η is so small,"
    " for weights of this size, that this shows no bottom. Take a larger η, or start nearer."
)
TAKEN = "{updates:|All }{updates} {updates:step is|steps are} taken"
USED_UP = ("", "falling", "overshoot")  # endings of a run that had no more steps
UNSEEN = (
    " {unseen} of the {n} {n:example|examples} {unseen:has|have} had no step yet: more steps look"
    " at them."
)
UNLIKE = (
    " The columns, with the 1 of the bias, differ {times}-fold in size, so that the weights of the"
    " small ones move slowly: standardise the columns in the data panel."
)
MUCH = 10.0  # from such a factor between the sizes of the columns on the words mention it


RATE = (
    "times the sum of the pulls; empty: from the size of the columns, so that a step does not"
    " overshoot"
)
Rate = Annotated[
    float | None, Range(1e-15, 10, log=True), Label("Rate η"), Empty("auto"), Help(RATE)
]
TAKEN_RATE = Fact("η, by the size of the columns", "{taken}")
WHOLE = 1.0  # of the safe rate: where all examples make one step
ALONE = 0.1  # of the safe rate: where each example makes a step of its own


class Descent(Rows[Any]):
    """A linear learner by gradient descent; the last weight is a bias."""

    @property
    def column(self) -> float:
        """The constant feature of the bias, 1."""
        return 1.0

    @property
    def decay(self) -> float:
        """c of a decaying schedule."""
        return 1.0

    @property
    def steepest(self) -> float:
        """The largest second derivative of one example's loss, for an x of length 1."""
        return 1.0

    @property
    def stiffness(self) -> float:
        """The second derivative of what a step adds to the loss of its examples: a penalty."""
        return 0.0

    @cached_property
    def base_rate(self) -> float:
        """η before any decay: as set, or 1 / L with one significant digit.

        L bounds the second derivative of the whole loss. Where each example makes its own step, L
        is that of the largest example, and a tenth of 1 / L is used.
        """
        if self.p.rate is not None:
            return float(self.p.rate)
        X = self.X[self.rows]
        alone = self.p.mode == "stochastic"
        if alone:
            share = ALONE
            size = float((X**2).sum(axis=1).max(initial=1.0))
        else:
            share = WHOLE
            size = largest_square(X)
        return float(f"{share / (self.steepest * size + self.stiffness):.0e}")

    def rate(self, t: Any) -> Any:
        """The learning rate η after t rounds or steps; elementwise for an array t."""
        return decayed(self.base_rate, self.p.schedule, self.decay, t)

    @cached_property
    def unlike(self) -> float:
        """How many times as large the largest column is as the smallest that is not 0, by the roots
        of their mean squares, with the constant 1 of the bias among them.
        """
        peaks = np.abs(self.X[self.rows]).max(axis=0, initial=0.0)
        peaks = np.where(peaks > 0, peaks, 1.0)
        sizes = peaks * np.sqrt(np.square(self.X[self.rows] / peaks).sum(axis=0))
        sizes = sizes[sizes > 0]
        return float(sizes.max() / sizes.min()) if len(sizes) else 1.0

    def way_out(self, updates: int) -> tuple[str, dict[str, Operand]]:
        """(template, operands) of advice where the steps were used up: examples without a step, and
        what slows the descent.
        """
        unseen = len(self.rows) - updates if self.p.mode == "stochastic" else 0
        words = ""
        if unseen > 0:
            words += UNSEEN
        if self.unlike >= MUCH:
            words += UNLIKE
        return words, {
            "unseen": Operand(unseen),
            "times": Operand(float(f"{self.unlike:.0e}"), digits=-1),
        }

    def taken_rate(self) -> tuple[tuple[Fact, ...], dict[str, Operand]]:
        """(facts, operands) of a learning rate that was chosen automatically; ((), {}) where it was
        set.
        """
        if self.p.rate is not None:
            return (), {}
        return (TAKEN_RATE,), {"taken": Operand(self.base_rate, "η", digits=-1)}


def longer(loss: float, before: float) -> bool:
    """Whether the loss rose in a step, because it was too long."""
    return bool(more(loss, before))


def last_step(loss: float, before: float) -> str:
    """How the closing sentence about the last batch step continues: "overshoot", "falling" or
    "".
    """
    if longer(loss, before):
        return "overshoot"
    return "falling" if loss < before else ""


def still(w: Float, before: Float) -> bool:
    """Whether a step left the weights unchanged up to rounding."""
    return bool(equal(w, before, np.abs(w).max()).all())


def even(pull: Float, both: Float) -> bool:
    """Whether the pulls on each weight cancel, so that it stands still for their sake and not
    because the steps are short.

    pull (d,): their sum; both (d,): the sum of their sizes.
    """
    return bool((np.abs(pull) <= EVEN * both).all())


def within_numbers(moved: Callable[[S, Int], S], s: S, order: Int, loss: str) -> tuple[S, str]:
    """(the state after a step for each of these examples, ""); where w leaves all numbers on the
    way, (the last state before, "diverged").

    moved: (state, order) → the state after these steps; loss: the field that is finite as long as w
    is
    """
    after = moved(s, order)
    if isfinite(getattr(after, loss)):
        return after, ""
    if len(order) == 1:
        return s, "diverged"
    half = len(order) // 2
    s, ending = within_numbers(moved, s, order[:half], loss)
    if ending:
        return s, ending
    return within_numbers(moved, s, order[half:], loss)
