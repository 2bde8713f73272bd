"""What softmax regression says: scores, probabilities, what the true class lacks of 1."""

from typing import Any

from engine.algorithms.linear.parts.descent import TAKEN, UNEVEN, USED_UP, longer
from engine.algorithms.linear.parts.penalty_words import (
    penalty_chips,
    penalty_facts,
    start_words,
    step_formulas,
)
from engine.algorithms.linear.parts.words import example
from engine.algorithms.linear.parts.words import round as round
from engine.algorithms.linear.softmax_regression import (
    Params,
    Setting,
    State,
    all_scores,
    first_of_best,
)
from engine.authoring import Explanation, Fact, Float, Formula, Note, Operand, note, np, short
from engine.base.notation import subscript
from engine.numerics.class_scores import softmax
from engine.numerics.closeness import tied_with_best
from engine.scene.scene import Bars, Role

SUMMARY = (
    "Every class has weights w and a score w · x at each place; e to the power of the scores,"
    " divided by their sum, are the probabilities of the classes. Gradient descent on the log loss"
    " gives each example's class what it lacks of probability 1 and takes it from the others. Any"
    " number of classes: AIMA 18.6.4 has two, and there this is logistic regression with the log"
    " loss, whose w is w₁ − w₂."
)
FEW = 4  # classes up to which each score and each term of the sum is written
WRITTEN = 8  # weights up to which w · x is written out in an explanation
BEYOND = 300.0  # differences of scores whose powers of e are beyond paper
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
        "The last step did not move W any more: this is the bottom that these steps lead to."
    ),
    "tiny steps": UNEVEN,
    "diverged": (
        "The next step would leave the range of numbers: η is too large for columns of this size."
        " Take a smaller η or standardise the columns."
    ),
}
UPDATES = {
    "ridge": "W ← W + η (Σ[B](y − P)xᵀ − 2αW)",
    "lasso": "W ← S(W + η Σ[B] (y − P) xᵀ)",
}


def chips(p: Params) -> tuple[str, ...]:
    mode = f"{p.mode} of {p.size}" if p.mode == "mini-batch" else p.mode
    return (mode, f"η {short(p.rate)}" if p.rate else "η automatic", *penalty_chips(p))


def wording(p: Params) -> dict[str, str]:
    update = UPDATES.get(p.penalty)
    return {} if update is None else {"update": f"    {update}"}


def class_tag(c: int) -> str:
    """The tag of class c: of its output unit, its weights and its bar."""
    return f"unit 1 {c}"


def _operands(given: Setting, s: State) -> dict[str, Any]:
    """What several lines tell of a state."""
    n = len(given.rows)
    rows = len(s.batch) or n
    return {
        "loss_after": Operand(s.loss, "L", digits=3),
        "right": n - s.errors,
        "n": n,
        "rows": rows,
        "updates": s.updates,
        "k": given.k,
        **example(given, s),
    }


def start(given: Setting, s: State) -> Note:
    facts, operands = given.taken_rate()
    lead = (
        "All weights start at 0: each of the {k} {k:class|classes} has the probability 1/{k}"
        " everywhere. Of equal scores the first is taken."
    )
    return note(lead + start_words(given.p), *facts, k=given.k, **operands)


def look(given: Setting, s: State) -> Note:
    if s.current >= 0:
        lead = "Look at {point}, which is {label}: y = 1 for {label}, 0 for every other class."
    elif len(s.batch):
        lead = "Look at {rows} {rows:example|examples} drawn for this step."
    else:
        lead = "Look at {n:|all }{n} {n:example|examples}."
    return note(lead, **_operands(given, s))


def guess(given: Setting, s: State) -> Note:
    """The note of the probabilities of one example, or of the true classes of several."""
    operands = _operands(given, s)
    if s.current >= 0:
        own = int(given.problem.codes[s.current])
        formulas, terms = score_formulas(given, s.W, given.X[s.current], own)
        lead = "{point} is {label}, and its probability is {p}."
        return note(lead, *formulas, **(operands | terms))
    rows = s.batch if len(s.batch) else given.rows
    P = softmax(given.X[rows] @ s.W.T)
    own_share = P[np.arange(len(rows)), given.problem.codes[rows]]
    lead = (
        "Guess the probability of every class with the present W. The true classes get from {least}"
        " to {most}."
    )
    least, most = (Operand(float(v), "P", "P", 3) for v in (own_share.min(), own_share.max()))
    return note(lead, least=least, most=most, **operands)


def spoken_class(given: Setting, s: State, pull: Float) -> int:
    """The class whose weights a step writes out: that of its example, else of the largest pull."""
    if s.current >= 0:
        return int(given.problem.codes[s.current])
    return int(np.flatnonzero(tied_with_best(np.abs(pull).max(axis=1)))[0])


def update(given: Setting, s: State, loss: float, pull: Float) -> Note:
    """The note of a step. loss: before it; pull: (k, d + 1) Σ (y − P) xᵀ"""
    alone = s.current >= 0
    own = spoken_class(given, s, pull)
    eta = given.rate(s.updates - 1)
    share = given.share(1 if alone else len(s.batch) or len(given.rows))
    penalty, costs = penalty_facts(given, s.W)
    operands = _operands(given, s) | costs
    operands |= {
        "name": Operand(given.problem.class_text(own), about=class_tag(own)),
        "before": Operand(s.before[own], "w", class_tag(own)),
        "after": Operand(s.W[own], "w", class_tag(own)),
        "eta": Operand(eta, "η", digits=-1 if eta == float(f"{eta:.6g}") else 4),
        "loss": Operand(loss, "L", digits=3),
        "pull": Operand(pull[own], "Σ (y − P) x", "data"),
    }
    facts = LOSS, *penalty, RIGHT
    if alone:
        x = given.X[s.current]
        P = softmax((x @ s.before.T)[None])[0]
        operands |= {"p": Operand(float(P[own]), "P", "P", 3), "x": Operand(x, "x", "current")}
        lead = (
            "{point} is {label}, and P gives that {p}: move the weights of {name} towards it by"
            " what is missing, those of the others away from it by what they have."
        )
        pulls = "(1 − {p}) · {x}"
    else:
        lead = (
            "Each of these examples pulls the weights of its class towards it and those of the"
            " others away, the large ones more than the small ones. Those of {name} get the largest"
            " pull."
        )
        pulls = "{pull}"
    if not alone and not len(s.batch) and longer(s.loss, loss):
        lead = "The step was too long: the loss rose. A smaller η does better. Of {name}:"
    written, more = step_formulas(given, s.before[own], eta, pull[own], pulls, share)
    return note(lead, *written, *facts, **(operands | more))


def until(given: Setting, s: State, ending: str) -> Note:
    more, facts = given.way_out(s.updates) if ending in USED_UP else ("", {})
    if ending in USED_UP and given.p.mode == "mini-batch":
        facts |= {"unseen": Operand(max(0, len(given.rows) - s.updates * given.together))}
    penalty, costs = penalty_facts(given, s.W)
    operands = facts | costs | _operands(given, s)
    return note(ENDINGS[ending] + more, LOSS_NOW, *penalty, RIGHT, **operands)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The answer at x (d,): the score and the probability of every class."""
    Z, near = all_scores(given, s, x[None])
    label = int(first_of_best(Z, near)[0])
    z = Z[:, 0]
    tied = int((z[label] - z <= 2.0 * near[0]).sum())
    row = given.extended(x[None])[0]
    formulas, operands = score_formulas(given, s.W, row, label)
    lead = "The probability of {name} is {p}, the largest: so this is called {name}."
    if tied > 1:
        lead = (
            "{tied} {tied:class|classes} share the largest probability, {p}; of equals the first in"
            " order is taken, {name}."
        )
    operands |= {"name": Operand(given.problem.class_text(label), about=class_tag(label))}
    words = note(lead, *formulas, tied=tied, **operands)
    return Explanation(label, words, probability_bars(given, softmax(z[None])[0], label))


def score_formulas(
    given: Setting, W: Float, x: Float, own: int
) -> tuple[tuple[Formula, ...], dict[str, Operand]]:
    """(formulas, operands) of the scores of an extended row x (d + 1,), and of the probability p of
    class `own`: 1 / Σ e^(z − its own score), as paper has no room for large powers.
    """
    z = W @ x
    P = float(softmax(z[None])[0, own])
    behind = z - z[own]
    operands = {"p": Operand(P, "P", "P", 3), "x": Operand(x, "x", "current")}
    few = given.k <= FEW and len(x) <= WRITTEN
    formulas = []
    for c in range(given.k) if few else (own,):
        name = subscript(c + 1)
        formulas.append(Formula(f"z{name} =", f"{{w{c}}} · {{x}}", f"{{z{c}}}"))
        operands[f"w{c}"] = Operand(W[c], f"w{name}", class_tag(c))
        operands[f"z{c}"] = Operand(float(z[c]), f"z{name}", class_tag(c))
    if behind.max() > BEYOND:
        return tuple(formulas), operands
    others = [c for c in range(given.k) if c != own]
    mine = subscript(own + 1)
    if given.k <= FEW:
        powers = " + ".join(f"e^({{g{c}}})" for c in others)
        for c in others:
            operands[f"g{c}"] = Operand(float(behind[c]), f"z{subscript(c + 1)} − z{mine}")
    else:
        powers = "{rest}"
        rest = float(np.exp(behind[others]).sum())
        operands["rest"] = Operand(rest, f"Σ e^(z − z{mine})", "P", 3)
    return (*formulas, Formula("P =", f"1 / (1 + {powers})", "{p}")), operands


def probability_bars(given: Setting, P: Float, label: int) -> Bars:
    """Bars of the probability of each class, in its colour, that of `label` in amber."""
    roles = tuple(Role.ACTIVE if c == label else Role.PLAIN for c in range(given.k))
    tags = tuple(map(class_tag, range(given.k)))
    return Bars(
        "Probabilities P",
        given.problem.class_names,
        P,
        roles,
        None,
        np.arange(given.k),
        digits=3,
        limit=1.0,
        tag="P",
        tags=tags,
    )
