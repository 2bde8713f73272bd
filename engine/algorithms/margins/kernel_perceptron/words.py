"""What the kernelised perceptron says: the sum of one row of K, a mistake more, whether anything is
left to count.
"""

from typing import Any

from engine.algorithms.margins.kernel_perceptron import Params, Setting, State
from engine.algorithms.margins.parts.picture import numbered
from engine.algorithms.margins.parts.words import explain_sum, kernel_chip, sum_terms
from engine.authoring import Explanation, Fact, Float, Formula, Note, Operand, note, np
from engine.scene.mistakes import round_over

SUMMARY = (
    "A perceptron that has no weights: it only counts how often it was wrong about each example."
    " The counts are the multipliers of a sum of kernels, whose sign is the class: a line in the"
    " lifted space, a curve on the plane."
)
ERRATA = (
    (
        "AIMA 18.9 only names the kernelised perceptron. Its rule here is that of MMDS 12.2.1 with"
        " K in place of each dot product: a score of 0 is wrong, or it would never begin. A rate η"
        " would only scale all counts, so there is none."
    ),
    (
        "AIMA 18.9 does not say what it has for a threshold. A kernel with a constant part"
        " (polynomial) has one built in; for the others it can be learned, MMDS 12.2.4."
    ),
    "AIMA 18.9 has no rbf kernel: it is an extension.",
)
SIDE = Fact("y Σ c y K", "{margin} {verdict}")
AFTER = Fact("after it", "{margin_after} {verdict_after}")
COUNT = Formula("{name} ←", "{count} + 1", "{count_after}")
WRONG = Fact("wrong points", "{errors} → {errors_after}")
KERNEL = Fact("K(x, z)", "{kernel}")
SUPPORT = Fact("examples with c > 0", "{support}")


def chips(p: Params) -> tuple[str, ...]:
    if p.threshold == "learned":
        return (kernel_chip(p), "threshold learned", "size: mistakes")
    return (kernel_chip(p), "size: mistakes")


def start(given: Setting, s: State) -> Note:
    lead = "No example has been wrong yet: all counts are 0, and so is the score everywhere."
    kernel = given.kernel.text()
    if given.learned:
        kernel += " + 1"
    return note(lead, KERNEL, kernel=kernel)


def round(given: Setting, s: State) -> Note:
    return note("Round {round} begins.", round=s.round)


def of_example(given: Setting, s: State) -> dict[str, Any]:
    """The operands of the current example: name, class and sign."""
    problem = given.problem
    i = s.current
    sign = int(given.sign[i])
    label = problem.class_text(int(problem.codes[i]))
    return {"point": Operand(problem.names[i], about="current"), "label": label, "sign": sign}


def take(given: Setting, s: State) -> Note:
    return note(
        "Look at {point}, which is {label}. Its row of K tells how alike it is to each.",
        **of_example(given, s),
    )


def summed(
    given: Setting, s: State, counts: Any, score: float
) -> tuple[Formula, dict[str, Operand]]:
    """(formula, operands) of the current example's score as a sum over the examples with a count in
    `counts.alpha`.
    """
    rows = np.flatnonzero(counts.alpha)
    near = given.kernel.matrix(given.X[[s.current]], given.X[rows])[0]
    body, operands = sum_terms(given, counts, rows, near, "c", "counts")
    if given.learned:
        body += " + {b}"
    operands["b"] = Operand(float(given.sign @ counts.alpha), "b")
    operands["score"] = Operand(score, "score")
    return Formula("Σ c y K =", body, "{score}"), operands


def test(given: Setting, s: State, score: float) -> Note:
    formula, operands = summed(given, s, s, score)
    lead = "{point} is {label} and lies on its side. Nothing is counted."
    margin = float(given.sign[s.current]) * score
    return note(
        lead, formula, SIDE, margin=margin, verdict="> 0, right", **operands, **of_example(given, s)
    )


def update(given: Setting, s: State, score: float, errors: int) -> Note:
    i = s.current
    sign = float(given.sign[i])
    name = numbered(given.problem, i, "c")
    counts = s.counts.copy()
    counts[i] -= 1
    before = State(counts, s.scores, s.sizes, 0.0, 0)
    formula, operands = summed(given, s, before, score)
    formulas = [formula]
    if not counts.any():
        lies = " and no score is known yet, which counts as wrong."
        formulas = []
    elif score:
        lies = " but lies on the other side."
    else:
        lies = " but lies on the boundary."
    after = sign * float(given.settled_scores(s)[i]) + 0.0
    return note(
        "Mistake: {point} is {label}" + lies + " It counts one more.",
        *formulas,
        COUNT,
        SIDE,
        AFTER,
        WRONG,
        name=name,
        count=Operand(int(counts[i]), name, "counts"),
        count_after=Operand(int(s.counts[i]), about="counts"),
        margin=sign * score + 0.0,
        verdict="≤ 0, wrong",
        margin_after=after,
        verdict_after="> 0, right" if after > 0 else "≤ 0, still wrong",
        errors=errors,
        errors_after=s.errors,
        **operands,
        **of_example(given, s),
    )


def until(given: Setting, s: State, mistakes: int, cycle: int | None, done: bool) -> Note:
    lead = round_over(mistakes, s.errors)
    if not mistakes:
        lead = "Round {round} passed without a mistake: no count will ever change again."
    elif cycle is not None:
        earlier = "round {cycle}" if cycle else "the start"
        lead += (
            f" All scores are those of {earlier} again: the circle has no end, and no such boundary"
            " separates the classes."
        )
    elif done:
        lead += (
            " These were all the rounds, and whether this kernel separates the classes stays open."
        )
    support = Operand(int(np.count_nonzero(s.counts)), about="counts")
    return note(
        lead,
        SUPPORT,
        round=s.round,
        mistakes=mistakes,
        errors=s.errors,
        cycle=cycle,
        support=support,
    )


def explain(given: Setting, s: State, x: Float) -> Explanation:
    nothing = "Nothing has been counted yet: the score is 0 everywhere."
    return explain_sum(
        given, s, x, "c", "Σ c y K", ("counts", "score", ""), bool(given.learned), nothing
    )
