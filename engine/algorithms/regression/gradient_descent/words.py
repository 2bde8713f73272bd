"""What gradient descent says: the sums of a step, the critical rate, the end."""

from engine.algorithms.regression.gradient_descent import Params, Setting, State
from engine.algorithms.regression.parts.fits import explain as explain
from engine.algorithms.regression.parts.fits import point
from engine.authoring import Fact, Float, Formula, Note, Operand, note, np, number, plural, short
from engine.base.notation import change_digits, fixed, subscript, telling_digits
from engine.numerics.closeness import equal, more, settled

SUMMARY = (
    "Starts with any weights and walks downhill on the loss: in batch mode all errors make one"
    " step, in stochastic mode every example makes its own. Too large a rate jumps over the valley"
    " and climbs."
)
ERRATA = (
    (
        "AIMA 18.6.1 writes the loop weight by weight. Read literally, w₀ has moved before the"
        " derivative for w₁ is taken; gradient descent moves all weights at once. The literal"
        " reading is offered as an update."
    ),
    (
        "LS, Linear regression: the loss prints w₀ · x + w₀, it is w₁ · x + w₀; the batch update"
        " prints x, it is xⱼ."
    ),
    (
        "LS, Linear regression: batch descent is said to converge for certain. It does below α ="
        " 2/λmax(XᵀX) only."
    ),
)
LONG_VALLEY = 30.0
_WEIGHTS = 4  # that are said one by one
BATCH = Formula("w ←", "{before} + {alpha} · {sum}", "{w}")
EACH = Formula("w ←", "{before} + {alpha} · {pull}", "{w}")
ONE = Formula("w ←", "{before} + {alpha} · ({y} − {h}) · {x}", "{w}")
LOSS = Fact("loss Σ (y − h)²", "{loss_before} → {loss}")
SIGN = Formula("w ←", "{before} + {alpha} · {sign} · {x}", "{w}")
ABSOLUTE = Fact("loss Σ |y − h|", "{loss_before} → {loss}")
STEADY = Fact("length of a step", "the same near the bottom as far from it, unless α falls")
CRITICAL = Fact("critical α = 2/λmax(XᵀX)", "{critical}, α is {verdict}")
SAFE = Fact("safe α = 2/max |x|²", "{critical}, α is {verdict}")
FACTOR = Fact("factor 2 of the derivative", "part of α")
VALLEY = Fact("the valley", "{valley} {valley:time|times} longer than wide")


def chips(p: Params) -> tuple[str, ...]:
    rate = f"α {short(p.rate)}" if p.rate else "α automatic"
    literal = () if p.update == "all weights at once" else ("weights one after the other",)
    loss = "absolute loss" if p.loss == "absolute" else "2 is part of α"
    return (p.mode, rate, loss, *literal)


def limits(given: Setting) -> list[Fact]:
    """What is said of the rate: the critical one of the squared loss; the absolute one has none."""
    if given.absolute:
        return [STEADY]
    return [CRITICAL if given.batch else SAFE]


def start(given: Setting, s: State) -> Note:
    lead = "Start at w = {w}: the loss is {loss}."
    longest = valley(given.A, given.spread)
    facts = limits(given)
    if not given.absolute:
        facts.append(FACTOR)
    if longest > LONG_VALLEY and not given.absolute:
        lead += (
            " The valley is long and narrow; with standardised columns it is round and the critical"
            " rate is 2/N."
        )
        facts.append(VALLEY)
    shape = number(float(f"{longest:.3g}"), 0)
    return note(
        lead,
        *facts,
        w=Operand(s.w, "w", "w"),
        loss=s.loss,
        valley=shape,
        **_speed(given, given.alpha(0)),
    )


def valley(A: Float, sizes: Float) -> float:
    """The ratio of length to width of the ovals of equal loss, ∞ for a level valley.

    A: (n, d + 1) the examples; sizes: (d + 1,) its singular values
    """
    if len(A) < A.shape[1] or equal(sizes[-1], 0.0, sizes[0]):
        return float("inf")
    return float(sizes[0] / sizes[-1])


def round(given: Setting, s: State) -> Note:
    if not given.batch:
        return note("Round {round}: every example makes a step of its own.", round=s.round)
    lead = "Step {round}: {n:|all }{n} {n:example gives its error|examples give their errors}."
    return note(lead, round=s.round, n=given.n)


def take(given: Setting, s: State) -> Note:
    if not given.batch:
        return note("Look at {point} alone.", point=point(given, s))
    errors = Operand(plural(given.n, "error"), about="change")
    return note(
        "The {n} {errors} {n:says|say} how far each value is from the line.",
        n=given.n,
        errors=errors,
    )


def update(given: Setting, s: State, loss_before: float, pull: Float) -> Note:
    """The note of a step. pull: (d + 1,) Σ (y − h) x"""
    if given.batch:
        return _batch_note(given, s, loss_before, pull)
    return _one_note(given, s, loss_before, pull)


def _lead(given: Setting, s: State, loss_before: float) -> str:
    """What a step of all examples did to the loss."""
    if more(s.loss, loss_before):
        if given.absolute:
            return (
                "The loss rose from {loss_before} to {loss}: the step, as long as ever, went beyond"
                " the bottom. α has to fall."
            )
        return (
            "The loss rose from {loss_before} to {loss}: the step jumped over the valley. α is too"
            " large."
        )
    if (s.w == s.before).all() and s.loss >= loss_before:
        return "The errors do not push w in any direction: w stays, and the loss is {loss}."
    if s.loss >= loss_before:
        return "The errors push w so little that the loss stays {loss}."
    who = "Every example pulls by the sign of its error, not by its size" if given.absolute else ""
    who = who or "All errors together push w downhill"
    if number(loss_before) == number(s.loss):  # else two equal numbers would be said to fall
        return who + ": the loss falls by {drop} to {loss}."
    return who + ": the loss falls from {loss_before} to {loss}."


def _batch_note(given: Setting, s: State, loss_before: float, pull: Float) -> Note:
    """What the step of all examples does to the loss."""
    return note(
        _lead(given, s, loss_before),
        BATCH,
        ABSOLUTE if given.absolute else LOSS,
        *limits(given),
        drop=number(max(loss_before - s.loss, 0.0), 1),
        sum=Operand(
            pull,
            "Σ sign(y − h) x" if given.absolute else "Σ (y − h) x",
            "change",
            _pull_digits(pull),
        ),
        **_change(s, loss_before),
        **_speed(given, given.alpha(s.steps - 1)),
    )


def _one_note(given: Setting, s: State, loss_before: float, pull: Float) -> Note:
    """What the step of one example does.

    Where the weights move one after the other, h is not the same for all of them.
    """
    row = int(np.searchsorted(given.rows, s.current))
    alpha = given.alpha(s.steps - 1)
    x = given.A[row]
    y = float(given.y[row])
    error = float(y - x @ s.before)
    lead = "{point} lies {gap} {side} the line and pulls it {way}."
    lead += " The loss of all examples goes from {loss_before} to {loss}."
    if error == 0:
        lead = "{point} lies on the line already: nothing changes."
    elif given.in_turn:
        lead += (
            " The weights move one after the other: for each of them y − h is what is left by then."
        )
    near = min(telling_digits(y, y - error), 9)
    pulled = pull if given.in_turn else given.pull(np.array([error]), x[None])
    formula = EACH if given.in_turn else SIGN if given.absolute else ONE
    h = fixed(y - error, near)
    return note(
        lead,
        formula,
        ABSOLUTE if given.absolute else LOSS,
        point=point(given, s),
        gap=Operand(abs(error), digits=near),
        side="above" if error > 0 else "below",
        way="up" if error > 0 else "down",
        alpha=_rate(alpha, "change"),
        y=Operand(y, "y", "current", near),
        h=Operand(f"({h})" if y < error else h, "h"),
        x=Operand(x, "x", "change"),
        sign=Operand(float(np.sign(error)), "sign(y − h)", "change", 0),
        pull=Operand(
            pulled,
            "sign(y − h) x" if given.absolute else "(y − h) x",
            "change",
            _pull_digits(pulled),
        ),
        **_change(s, loss_before),
    )


def weights_of(w: Float) -> list[Fact]:
    """The first weights by their names, w₀ first."""
    return [Fact("w" + subscript(k), f"{{w{k}}}") for k in range(min(len(w), _WEIGHTS))]


def until(given: Setting, s: State, loss_before: float, end: str, over: bool) -> Note:
    """The note of a round's end. end: "diverged", "converged" or "" for neither; over: whether the
    steps are used up
    """
    lead = "Round {round} is over: the loss is {loss}, it was {loss_before} a round ago."
    if end == "diverged":
        lead = (
            "Diverged: the loss has grown to {loss}. Every step jumps over the valley and lands"
            " higher. Take α below {critical}, or standardise the columns."
        )
        if given.absolute:
            lead = "The loss has grown to {loss}: α is far too large."
    elif end == "converged":
        lead = (
            "Converged after {steps} {steps:step|steps}: the errors no longer push w in any"
            " direction. The loss is {loss}."
        )
    elif over:
        lead = "{steps} {steps:step is|steps are} taken. The loss is {loss}; w still moves."
    facts = [*weights_of(s.w), *limits(given)] if over else []
    shown = settled(s.w, float(np.abs(s.w).max()))[:_WEIGHTS]
    each_weight = {f"w{k}": Operand(float(v), about="w") for k, v in enumerate(shown)}
    return note(
        lead,
        *facts,
        **each_weight,
        steps=s.steps,
        round=s.round,
        loss=s.loss,
        loss_before=loss_before,
        w=Operand(s.w, "w", "w"),
        **_speed(given, given.alpha(s.steps)),
    )


# -- operands --------------------------------------------------------------------------------------


def _speed(given: Setting, alpha: float) -> dict[str, Operand]:
    """The rate beside the critical one."""
    return {
        "alpha": _rate(alpha),  # beside the sum, which is the change
        "critical": Operand(number(given.critical, 4)),
        "verdict": Operand("below it" if alpha < given.critical else "not below it: too large"),
    }


def _change(s: State, loss_before: float) -> dict[str, Operand]:
    """Weights and loss before the step and after it."""
    digits = change_digits(s.before, s.w)
    return {
        "before": Operand(s.before, "w", "before", digits),
        "w": Operand(s.w, "w", "w", digits),
        "loss_before": Operand(loss_before),
        "loss": Operand(s.loss),
    }


def _rate(alpha: float, about: str = "") -> Operand:
    """A rate that was set as it was set, one that was derived with three figures or what its
    formula needs.
    """
    if alpha == np.round(alpha, 6):
        return Operand(alpha, "α", about, -1)
    if alpha < 1e-3:
        return Operand(alpha, "α", about, 4)
    return Operand(alpha, "α", about, max(0, 2 - int(np.floor(np.log10(alpha)))))


def _pull_digits(pull: Float) -> int:
    """Decimals with which a pull does not read as none at all."""
    return change_digits(np.zeros(len(pull)), pull)
