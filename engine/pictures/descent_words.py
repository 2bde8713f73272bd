"""Words of gradient descent on squared loss: the sums of a step, the critical rate, the end. AIMA 18.6.1."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from engine.core.arrays import Float
from engine.core.notation import change_digits, fixed, number, plural, telling_digits
from engine.core.problem import Problem
from engine.core.step import Fact, Formula, Note, Operand, note
from engine.numerics.least_squares import critical_rate, valley

LONG_VALLEY = 30.0

BATCH = Formula("w ←", "{before} + {alpha} · {sum}", "{w}")
EACH = Formula("w ←", "{before} + {alpha} · {pull}", "{w}")
ONE = Formula("w ←", "{before} + {alpha} · ({y} − {h}) · {x}", "{w}")
LOSS = Fact("loss Σ (y − h)²", "{loss_before} → {loss}")
CRITICAL = Fact("critical α = 2/λmax(XᵀX)", "{critical}, α is {verdict}")
SAFE = Fact("safe α = 2/max |x|²", "{critical}, α is {verdict}")
FACTOR = Fact("factor 2 of the derivative", "part of α")
VALLEY = Fact("the valley", "{valley} {valley:time|times} longer than wide")


@dataclass(frozen=True, slots=True)
class Rates:
    """rate: α before the schedule; critical: the rate below which descent is safe; longest: shape of the valley."""

    rate: float
    critical: float
    longest: float
    batch: bool

    @property
    def verdict(self) -> str:
        return "below it" if self.rate < self.critical else "not below it: too large"


def rates(A: Float, mode: str, rate: float | None) -> Rates:
    """The rate that was set, or a safe one for these examples; A (n, d + 1) with x₀ = 1."""
    batch = mode == "batch"
    largest = float(np.einsum("ij,ij->i", A, A).max())
    critical = critical_rate(A) if batch else 2 / largest
    automatic = critical * (0.5 if batch else 0.1)
    return Rates(automatic if rate is None else rate, critical, valley(A), batch)


class Place(Protocol):
    """What a state of descent tells."""

    @property
    def w(self) -> Float: ...
    @property
    def before(self) -> Float: ...
    @property
    def loss(self) -> float: ...
    @property
    def current(self) -> int: ...
    @property
    def steps(self) -> int: ...
    @property
    def round(self) -> int: ...


def _speed(speed: Rates, alpha: float) -> dict[str, Operand]:
    return {
        "alpha": Operand(_small(alpha), "α"),  # beside the sum, which is the change
        "critical": Operand(number(speed.critical, 4)),
        "verdict": Operand("below it" if alpha < speed.critical else "not below it: too large"),
    }


def _small(value: float) -> float | str:
    """A rate with three figures."""
    return number(value, 4) if value < 1e-3 else f"{value:.3g}"


def _bound(speed: Rates) -> Fact:
    return CRITICAL if speed.batch else SAFE


def start_note(w: Float, loss: float, speed: Rates) -> Note:
    lead = "Start at w = {w}: the loss is {loss}."
    facts = [_bound(speed), FACTOR]
    if speed.longest > LONG_VALLEY:
        lead += " The valley is long and narrow; with standardised columns it is round and the critical rate is 2/N."
        facts.append(VALLEY)
    return note(
        lead,
        *facts,
        w=Operand(w, "w", "w"),
        loss=loss,
        valley=number(float(f"{speed.longest:.3g}"), 0),
        **_speed(speed, speed.rate),
    )


def take_note(round_: int, n: int, what: str) -> Note:
    """what: the mode at the beginning of a round, 'errors' of all examples, or the name of one example."""
    if what == "batch":
        return note(
            "Step {round}: {n:|all }{n} {n:example is asked for its error|examples are asked for their errors}.",
            round=round_,
            n=n,
        )
    if what == "stochastic":
        return note("Round {round}: every example makes a step of its own.", round=round_, n=n)
    if what == "errors":
        return note(
            "The {n} {errors} {n:says|say} how far each value is from the line.",
            n=n,
            errors=Operand(plural(n, "error"), about="change"),
        )
    return note("Look at {point} alone.", point=Operand(what, about="current"))


def batch_note(s: Place, loss_before: float, total: Float, alpha: float, speed: Rates) -> Note:
    uphill = s.loss > loss_before * (1 + 1e-12)
    told = number(loss_before) != number(s.loss)  # else two equal numbers would be said to fall
    lead = (
        "The loss rose from {loss_before} to {loss}: the step jumped over the valley. α is too large."
        if uphill
        else "All errors together push w downhill: the loss falls "
        + ("from {loss_before} to {loss}." if told else "by {drop} to {loss}.")
    )
    if not uphill and s.loss >= loss_before:
        lead = "The errors push w so little that the loss stays {loss}."
        if (s.w == s.before).all():
            lead = "The errors do not push w in any direction: w stays, and the loss is {loss}."
    digits = change_digits(s.before, s.w)
    return note(
        lead,
        BATCH,
        LOSS,
        _bound(speed),
        before=Operand(s.before, "w", "before", digits),
        sum=Operand(total, "Σ (y − h) x", "change", _pull_digits(total)),
        w=Operand(s.w, "w", "w", digits),
        loss_before=loss_before,
        loss=s.loss,
        drop=number(max(loss_before - s.loss, 0.0), 1),
        **_speed(speed, alpha),
    )


def one_note(
    problem: Problem, s: Place, loss_before: float, x: Float, y: float, error: float, alpha: float,
    pull: Float | None = None,
) -> Note:  # fmt: skip
    """pull: (y − h) x where the weights move one after the other, so that h is not the same for all of them."""
    lead = (
        "{point} lies on the line already: nothing changes."
        if error == 0
        else "{point} lies {gap} {side} the line and pulls it {way}. The loss of all examples goes from {loss_before} to {loss}."
    )
    if pull is not None and error != 0:
        lead += " The weights move one after the other: for each of them y − h is what is left by then."
    digits, near = change_digits(s.before, s.w), min(telling_digits(y, y - error), 9)
    pulled = x * error if pull is None else pull
    return note(
        lead,
        ONE if pull is None else EACH,
        LOSS,
        point=Operand(problem.names[s.current], about="current"),
        gap=Operand(abs(error), digits=near),
        side="above" if error > 0 else "below",
        way="up" if error > 0 else "down",
        before=Operand(s.before, "w", "before", digits),
        alpha=Operand(_small(alpha), "α", "change"),
        y=Operand(float(y), "y", "current", near),
        h=Operand(_braced(float(y) - error, near), "h"),
        x=Operand(x, "x", "change"),
        pull=Operand(pulled, "(y − h) x", "change", _pull_digits(pulled)),
        w=Operand(s.w, "w", "w", digits),
        loss_before=loss_before,
        loss=s.loss,
    )


def _pull_digits(pull: Float) -> int:
    """Decimals with which a pull does not read as none at all."""
    return change_digits(np.zeros(len(pull)), pull)


def _braced(value: float, digits: int) -> str:
    return f"({fixed(value, digits)})" if value < 0 else fixed(value, digits)


def end_note(s: Place, loss_before: float, alpha: float, speed: Rates, events: tuple[str, ...], over: bool) -> Note:
    if "diverged" in events:
        lead = (
            "Diverged: the loss has grown to {loss}. Every step jumps over the valley and lands higher. Take α below "
            "{critical}, or standardise the columns."
        )
    elif "converged" in events:
        lead = f"Converged after {{steps}} {plural(s.steps, 'step')}: the errors no longer push w in any direction."
        lead += " The loss is {loss}."
    elif over:
        lead = f"{{steps}} {plural(s.steps, 'step is', 'steps are')} taken. The loss is {{loss}}; w still moves."
    else:
        lead = "Round {round} is over: the loss is {loss}, it was {loss_before} a round ago."
    facts = (_bound(speed),) if over else ()
    return note(
        lead,
        *facts,
        w=Operand(s.w, "w", "w"),
        steps=s.steps,
        round=s.round,
        loss=s.loss,
        loss_before=loss_before,
        **_speed(speed, alpha),
    )
