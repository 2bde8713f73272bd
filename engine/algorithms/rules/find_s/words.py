"""What FIND-S says."""

from engine.algorithms.rules.find_s import Setting, State, predict
from engine.algorithms.rules.parts import NEGATIVE, POSITIVE
from engine.algorithms.rules.parts.boxwords import (
    HYPOTHESIS,
    MISTAKES,
    WRONG,
    box_text,
    example_operands,
    moves,
    outside,
)
from engine.authoring import Explanation, Fact, Float, Note, Operand, note
from engine.base.notation import listed

SUMMARY = (
    "Begins with a hypothesis that holds nowhere. Every positive example that it misses widens it"
    " just so far that it holds there too: a value becomes “?”, a border of an interval moves."
    " Negative examples change nothing."
)
ERRATA = (
    (
        "ML 7.3.2 counts |H| = 3ⁿ conjunctions. The hypothesis that FIND-S begins with, which holds"
        " nowhere, is one more."
    ),
    (
        "ML 7.5.1: FIND-S never calls a negative example positive. That holds while some hypothesis"
        " of H fits all examples; one positive that is labelled wrongly makes S too wide for ever."
    ),
    "ML Exercise 7.6 leaves open which consistent rectangle is taken. Here it is the tightest.",
)


def operands(given: Setting, s: State) -> dict[str, Operand]:
    """The operands that most notes have."""
    problem = given.problem
    known = {} if s.current < 0 else example_operands(problem, s.current)
    return known | {
        "S": Operand(box_text(problem, s.S), "S", "S"),
        "before": Operand(box_text(problem, s.before), "S", "S"),
        "errors": Operand(s.errors),
        "mistakes": Operand(s.mistakes),
        "bound": Operand(given.bound),
        "positive": Operand(problem.class_text(POSITIVE)),
        "negative": Operand(problem.class_text(NEGATIVE)),
        "asks": Operand(given.asks(s.S), about="S"),
        "d": Operand(problem.d),
    }


def start(given: Setting, s: State) -> Note:
    lead = "S asks for everything at once, so it holds nowhere: every example is {negative}."
    return note(lead, HYPOTHESIS, WRONG, **operands(given, s))


def take(given: Setting, s: State) -> Note:
    label = int(predict(given, s, given.X[[s.current]])[0])
    says = given.problem.class_text(label)
    lead = "Look at {point} = {x}. S says {says}."
    return note(lead, HYPOTHESIS, says=says, **operands(given, s))


def skip(given: Setting, s: State, covered: bool) -> Note:
    lead = "{point} is {label}, and FIND-S does not look at such examples."
    if covered:
        lead += (
            " But S holds there: nothing narrower fits the positives, so no hypothesis of H fits"
            " all examples."
        )
    return note(lead, HYPOTHESIS, MISTAKES, **operands(given, s))


def keep(given: Setting, s: State) -> Note:
    lead = "{point} is {label} and S holds there. Nothing changes."
    return note(lead, HYPOTHESIS, MISTAKES, **operands(given, s))


def grow(given: Setting, s: State) -> Note:
    """The note of the borders that moved, and what had excluded the example."""
    lead = "{point} is {label}, but S did not hold there: {why}. S drops what {point} violates."
    if s.before.empty:
        lead = (
            "{point} is the first example of class {positive}. S drops what {point} violates and"
            " holds just there."
        )
    why = listed(outside(given.problem, s.before.low, s.before.high, given.X[s.current]))
    changed = moves(given.problem, s.before, s.S)
    known = {"why": Operand(why, about="S")} | operands(given, s)
    return note(lead, HYPOTHESIS, *changed, MISTAKES, **known)


def done(given: Setting, s: State) -> Note:
    lead = (
        "S is the narrowest hypothesis round all examples of class {positive}. It asks about {asks}"
        " of {d} {d:column|columns}."
    )
    if s.errors:
        lead += (
            " It covers {errors} {errors:example that is|examples that are} {negative}: no"
            " hypothesis of H fits all."
        )
    bound = () if given.bound is None else (Fact("bound n + 1 on the mistakes", "{bound}"),)
    return note(lead, HYPOTHESIS, WRONG, MISTAKES, *bound, **operands(given, s))


def explain(given: Setting, s: State, x: Float) -> Explanation:
    problem = given.problem
    label = int(predict(given, s, x[None])[0])
    answer = problem.class_text(label)
    S = Operand(box_text(problem, s.S), about="S")
    if label == POSITIVE:
        lead = "S = {S} holds here, so the answer is {answer}."
        return Explanation(label, note(lead, S=S, answer=answer))
    why = "it holds nowhere" if s.S.empty else listed(outside(problem, s.S.low, s.S.high, x))
    lead = "S = {S} does not hold here: {why}. The answer is {answer}."
    return Explanation(label, note(lead, S=S, why=why, answer=answer))
