"""What locally weighted regression says."""

from engine.algorithms.regression.locally_weighted_regression import Params, Setting, State
from engine.algorithms.regression.parts.least_squares import sum_of_squares
from engine.algorithms.regression.parts.sweep import width_chip
from engine.algorithms.regression.parts.sweep_words import answer as answered
from engine.algorithms.regression.parts.sweep_words import (
    end,
    explain,
    query,
    start,
    store,
    weigh,
)
from engine.algorithms.regression.parts.sweep_words import fit as solved
from engine.authoring import Fact, Formula, Note, Operand, note, np, number, replace
from engine.base.notation import change_digits, counted
from engine.numerics.closeness import settled

__all__ = ["answer", "end", "explain", "fit", "query", "start", "store", "weigh"]
SUMMARY = (
    "Fits a line or a quadratic for the query alone: examples inside the window of the kernel count"
    " by their nearness. Smooth, better at the ends than a mean, and no model remains but the"
    " examples."
)
ERRATA = (
    (
        "AIMA 18.8.4 and ML 8.3.1 are silent when fewer than n + 1 examples lie inside the window,"
        " so that no line is settled. Here the weighted mean is taken, with none inside the"
        " nearest example, and the step says so."
    ),
    (
        "AIMA 18.8.4 refers to Fig 18.29(d) where Fig 18.28(d) is meant, and mixes d and |x| in the"
        " kernel."
    ),
)
UPDATE = Formula("b ←", "{before} + {rate} · {sum}", "{b}")
LOSS = Fact("½ Σ w (y − b · a)²", "{loss_before} → {loss}")
MOST_DIGITS = 5  # of a formula
AFTER = Fact("updates of b", "{updates}")
SOLVED = Fact("solved at once", "{solved}")
CRITICAL = Fact("critical η = 2/λmax(Σ w a aᵀ)", "{critical}, η is {verdict}")


def chips(p: Params) -> tuple[str, ...]:
    nearest = (f"k = {p.k}",) if p.k else ()
    bent = ("quadratic model",) if p.model == "quadratic" else ()
    slowly = (counted(p.updates, "update"),) if p.found == "by gradient" else ()
    return (p.kernel, *width_chip(p.kernel, p.width), *nearest, *bent, *slowly)


def fit(given: Setting, s: State) -> Note:
    """The note of what is solved, or of an update towards it."""
    return update(given, s) if len(s.path) > 1 else solved(given, s)


def update(given: Setting, s: State) -> Note:
    """The note of an update of b by the delta rule. ML 8.3.1."""
    a = given.a(s)
    y = np.asarray(given.problem.y, np.float64)[s.neighbours]
    before, b = s.path[-2:]
    rate, _, critical = given.rate(s)
    done = len(s.path) - 1
    losses = [sum_of_squares(np.sqrt(s.weights) * (y - a @ each)) / 2 for each in (before, b)]
    lead = (
        "Update {done}: every example pulls b by its error, the nearer the stronger. x is measured"
        " from {q}, so that b₀ is h(q) = {value}."
    )
    pulls = (s.weights * (y - a @ before))[:, None] * a
    pull = settled(pulls.sum(axis=0), np.abs(pulls).max(initial=0.0))
    digits = min(change_digits(before, b), MOST_DIGITS)
    few = min(change_digits(np.zeros(len(b)), pull), MOST_DIGITS)
    return note(
        lead,
        UPDATE,
        LOSS,
        CRITICAL,
        SOLVED,
        done=done,
        solved=Operand(given.solved(s), "h(q)"),
        q=Operand(float(s.query[given.model.column]), "q", "query"),
        value=Operand(s.value, "h(q)", "line"),
        before=Operand(before, "b", "before", digits),
        b=Operand(b, "b", "line", digits),
        rate=Operand(rate, "η", "", change_digits(np.zeros(1), np.array([rate]))),
        sum=Operand(pull, "Σ w (y − b · a) a", "change", few),
        loss_before=losses[0],
        loss=losses[1],
        critical=number(critical, 4),
        verdict="below it" if rate < critical else "not below it: too large",
    )


def answer(given: Setting, s: State) -> Note:
    """The note of the estimate; of one found by gradient also how far it has come."""
    found = answered(given, s)
    if not given.by_gradient or s.fallback:
        return found
    _, updates, critical = given.rate(s)
    lead = found.lead
    if given.diverged(s):
        lead += (
            " η is too large here: the errors have grown a million times by update {updates}."
            " Take it below {critical}."
        )
    others = note(
        "",
        updates=updates,
        critical=Operand(number(critical, 4)),
        solved=Operand(given.solved(s), "h(q)"),
    )
    return replace(
        found,
        lead=lead,
        facts=(*found.facts, AFTER, SOLVED),
        operands={**found.operands, **others.operands},
    )
