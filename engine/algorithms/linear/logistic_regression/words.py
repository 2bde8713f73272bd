"""What logistic regression says: the pull of each example. AIMA 18.6.4."""

from typing import Any

from engine.algorithms.linear.logistic_regression import Params, Setting, State
from engine.algorithms.linear.parts.descent import TAKEN, UNEVEN, USED_UP, longer
from engine.algorithms.linear.parts.penalty_words import (
    penalty_chips,
    penalty_facts,
    start_words,
    step_formulas,
)
from engine.algorithms.linear.parts.words import explain as terms
from engine.algorithms.linear.parts.words import moved
from engine.algorithms.linear.parts.words import round as round
from engine.authoring import Explanation, Fact, Float, Formula, Note, Operand, note, np, short
from engine.numerics.activations import logistic

SUMMARY = (
    "A line with a soft threshold: the probability of the positive class goes smoothly from 0 to 1"
    " across it. Gradient descent moves the line a little for every example, most for those that it"
    " is wrong or unsure about. The figure “Threshold” has it beside the hard step (dotted) and the"
    " probit curve (dashed)."
)
ERRATA = (
    "AIMA 18.6.4 drops a factor 2 of the slope of (y − h)²: it is part of η.",
    (
        "Squared loss through the logistic function is not convex: a wrong example far from the"
        " line has h (1 − h) near 0 and hardly pulls, so too large a first step can strand the"
        " line. Log loss (extension) is convex."
    ),
)
FAR = 0.9  # an example this wrong is far out on the wrong side
SCORE = Formula("z =", "{before} · {x}", "{z}")
GUESS = Formula("h =", "1 / (1 + e⁻ᶻ)", "{h}")
PULL = {"squared": "({y} − {h}) · {h} · (1 − {h}) · {x}", "log": "({y} − {h}) · {x}"}
WRITTEN = {  # the line `update`: by loss and penalty
    ("squared", "ridge"): "w ← w + η(Σ (y−h)h(1−h)x − 2αw)",
    ("squared", "lasso"): "w ← S(w + η Σ[B] (y−h) h (1−h) x)",
    ("log", "none"): "w ← w + η Σ[B] (y−h) x",
    ("log", "ridge"): "w ← w + η (Σ[B] (y−h) x − 2αw)",
    ("log", "lasso"): "w ← S(w + η Σ[B] (y−h) x)",
}
SUMS = {"squared": "Σ (y − h) h (1 − h) x", "log": "Σ (y − h) x"}
LOSS, LOSS_NOW = Fact("loss", "{loss} → {loss_after}"), Fact("loss", "{loss_after}")
RIGHT = Fact("right", "{right} of {n}")
ENDINGS = {
    "round": "Every example has been looked at once more.",
    "": f"{TAKEN}.",
    "falling": (
        f"{TAKEN}, and the last one still lowered the loss: more steps can lead further down."
    ),
    "overshoot": (
        f"{TAKEN}, and the last one still overshot: the loss rose. A smaller η does better."
    ),
    "converged": (
        "The last step did not move w any more: this is the bottom that these steps lead to."
    ),
    "flat": (
        "The last step did not move w any more, but this is no bottom: where a point is wrong, its"
        " probability is so near to 0 or 1 that h (1 − h) lets it pull no more. Standardise the"
        " columns, or take a smaller η or the log loss."
    ),
    "tiny steps": UNEVEN,
    "diverged": (
        "The next step would leave the range of numbers: η is too large for columns of this size."
        " Take a smaller η or standardise the columns."
    ),
}


def chips(p: Params) -> tuple[str, ...]:
    rate = f"η {short(p.rate)}" if p.rate else "η automatic"
    return (f"{p.loss} loss", p.mode, rate, *penalty_chips(p))


def wording(p: Params) -> dict[str, str]:
    update = WRITTEN.get((p.loss, p.penalty))
    return {} if update is None else {"update": f"    {update}"}


def _operands(given: Setting, s: State) -> dict[str, Any]:
    """What the lines tell of a state; of one example, if there is one, z and h by the weights
    before this step.
    """
    n = len(given.rows)
    x = given.X[s.current]
    h = logistic(given.known[0] @ s.before)
    z = float(x @ s.before)
    one = Operand(float(logistic(np.asarray(z))), "h", "P", digits=3)
    return {
        "loss_after": Operand(s.loss, "L", digits=3),
        "right": n - s.errors,
        "n": n,
        "x": Operand(x, "x", "current"),
        "y": Operand(int(given.y[s.current]), "y"),
        "z": z,
        "h": one if s.current >= 0 else Operand("one h for each example", "h", "P"),
        "least": Operand(float(h.min()), digits=3),
        "most": Operand(float(h.max()), digits=3),
        "positive": given.problem.class_text(0),
        **moved(given, s, given.rate(s.updates - 1)),
    }


def start(given: Setting, s: State) -> Note:
    facts, operands = given.taken_rate()
    lead = "Start with w = {w}." if s.w.any() else "Start with w = {w}: every probability is ½."
    return note(lead + start_words(given.p), *facts, w=s.w, **operands)


def look(given: Setting, s: State) -> Note:
    one = "Look at {point}, which is {label}: y = {y}."
    return note(
        one if s.current >= 0 else "Look at {n:|all }{n} {n:example|examples}.",
        **_operands(given, s),
    )


def guess(given: Setting, s: State) -> Note:
    """The note of h for one example, or for all."""
    operands = _operands(given, s) | {"before": Operand(s.w, "w", "w")}
    if s.current < 0:
        return note(
            "Guess each probability with the present w. They run from {least} to {most}.",
            GUESS,
            **operands,
        )
    return note("{point} is {positive} with probability {h}.", SCORE, GUESS, **operands)


def update(given: Setting, s: State, loss: float, pull: Float | None = None) -> Note:
    """The note of a step. loss: before it; pull: sum over all examples, None for a step on one"""
    penalty, costs = penalty_facts(given, s.w)
    facts = LOSS, *penalty, RIGHT
    operands = _operands(given, s) | {"loss": Operand(loss, "L", digits=3)} | costs
    if pull is not None:
        lead = (
            "Every example pulls at the line, the large ones more than the small ones; together"
            " they move it."
        )
        lead = (
            "The step was too long: the loss rose. A smaller η does better."
            if longer(s.loss, loss)
            else lead
        )
        written, more = step_formulas(given, s.before, operands["eta"].value, pull, "{pull}")
        operands["pull"] = Operand(pull, SUMS[given.p.loss], "data")
        return note(lead, *written, *facts, **(operands | more))
    lead = "{point} is {label}, y = {y}, and h says {h}: move w by what is missing."
    if abs(operands["y"].value - operands["h"].value) > FAR and given.p.loss == "squared":
        lead = (
            "{point} is {label}, y = {y}, but h says {h}. So far out h (1 − h) is almost 0, and it"
            " hardly pulls."
        )
    alone = given.pulls(given.y[s.current], np.asarray(operands["h"].value)) * given.X[s.current]
    written, more = step_formulas(
        given, s.before, operands["eta"].value, alone, PULL[given.p.loss], given.share(1)
    )
    return note(lead, SCORE, GUESS, *written, *facts, **(operands | more))


def until(given: Setting, s: State, ending: str) -> Note:
    more, facts = given.way_out(s.updates) if ending in USED_UP else ("", {})
    penalty, costs = penalty_facts(given, s.w)
    operands = facts | costs | _operands(given, s)
    return note(ENDINGS[ending] + more, LOSS_NOW, *penalty, RIGHT, **operands)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The answer at x (d,): P, with w · x term by term."""
    parts = terms(given, s, x)
    z = parts.note.operands["score"].value
    h = Operand(float(logistic(np.asarray(z))), "h", "P", digits=3)
    operands = {**parts.note.operands, "h": h, "positive": Operand(given.problem.class_text(0))}
    lead = "The probability of {positive} is {h}, so this is called {name}."
    return Explanation(parts.label, note(lead, *parts.note.formulas, GUESS, **operands), parts.bars)
