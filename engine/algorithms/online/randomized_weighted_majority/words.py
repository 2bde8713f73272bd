"""What the randomised weighted majority says."""

from engine.algorithms.online.parts import words
from engine.algorithms.online.parts.words import start, take, update
from engine.algorithms.online.randomized_weighted_majority import Params, Setting, State
from engine.authoring import Explanation, Float, Note, Operand, note, replace, short
from engine.base.sums import add_up
from engine.table.forecasts import forecasts

__all__ = ["start", "take", "update"]
SUMMARY = (
    "The columns are experts who forecast the target, row by row. Each time one expert is drawn,"
    " with a chance in proportion to the weight; every wrong expert's weight is multiplied by β."
    " Afterwards the likeliest label is shown."
)
ERRATA = (
    (
        "AIMA 18.10.1 bounds the number of mistakes M. The bound is on the expected number, over"
        " all draws: a single run can make more."
    ),
)


def chips(p: Params) -> tuple[str, ...]:
    return (f"β {short(p.beta)}",)


def draw(given: Setting, s: State) -> Note:
    return words.draw_note(given.problem, given.terms(s), s.drawn, s.u)


def say(given: Setting, s: State) -> Note:
    name = Operand(words.names(given.problem)[s.drawn], about="drawn")
    return note(
        "{expert} says {label}, so that is the forecast.",
        expert=name,
        label=given.problem.class_text(s.said),
    )


def truth(given: Setting, s: State) -> Note:
    """The note of the true label, and how likely a mistake was over all experts."""
    said = words.truth(given, s)
    terms = given.terms(s)
    bad = words.weight_of(terms, given.erred(s))
    whole = add_up(terms)
    operands = {
        "bad": Operand(bad, "w(wrong)", "weights"),
        "W": Operand(whole, "W", "weights"),
        "p": Operand(words.ratio(bad, whole), digits=3),
    }
    return replace(said, formulas=(words.RISK,), operands={**said.operands, **operands})


def tally(given: Setting, s: State) -> Note:
    bound = given.bound(s.best)
    said = words.tally_note(given, s, words.DRAW_BOUND, bound)
    more = {
        "expected": Operand(s.expected, "E[M]"),
        "regret": Operand(s.regret),
        "most": Operand(bound - s.best),
    }
    return replace(said, facts=(*said.facts, *words.REGRET), operands={**said.operands, **more})


def explain(given: Setting, s: State, x: Float) -> Explanation:
    says = forecasts(given.problem, x[None])[0]
    return words.explanation(given.problem, says, s.weights, given.terms(s), by_draw=True)
