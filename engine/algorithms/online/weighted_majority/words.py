"""What the weighted majority says."""

from engine.algorithms.online.parts import words
from engine.algorithms.online.parts.words import start, take, truth, update
from engine.algorithms.online.weighted_majority import Params, Setting, State
from engine.authoring import Choice, Explanation, Float, Note, short
from engine.table.forecasts import forecasts

__all__ = ["start", "take", "truth", "update"]
SUMMARY = (
    "The columns are experts who forecast the target, row by row. They vote with weights; every"
    " expert who is wrong loses the share 1 − β of the weight, so the vote is never much worse than"
    " the best expert."
)
ERRATA = (
    (
        "ML Theorem 7.5 prints M ≤ 2.4 (k + log₂ n) for β = ½. The proof gives 1/log₂(4/3) ="
        " 2.409…, so 2.4 is rounded the wrong way; the bound drawn here is the proved one."
    ),
    (
        "ML 7.5.4 calls β = 0 the same as HALVING. Their ties differ (at random here, negative"
        " there), and when no expert is always right all weights become 0; from then on every vote"
        " is a tie."
    ),
)


def chips(p: Params) -> tuple[str, ...]:
    return (f"β {short(p.beta)}",)


def vote(given: Setting, s: State, q: Float, hand: bool = False) -> tuple[Note, Choice]:
    decider = "The hand" if hand else "Chance"
    said = words.vote_note(given, s, q, decider)
    return said, words.vote_choice(given.problem, q, s.said)


def tally(given: Setting, s: State) -> Note:
    return words.tally_note(given, s, words.VOTE_BOUND, given.bound(s.best))


def explain(given: Setting, s: State, x: Float) -> Explanation:
    says = forecasts(given.problem, x[None])[0]
    return words.explanation(given.problem, says, s.weights, given.terms(s), by_draw=False)
