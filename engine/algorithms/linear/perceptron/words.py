"""What the perceptron says."""

from engine.algorithms.linear.parts.words import explain as explain
from engine.algorithms.linear.parts.words import round as round
from engine.algorithms.linear.perceptron import Params, Setting, State
from engine.authoring import Mapping, Note, note, short
from engine.scene.mistakes import end_note, look_note, mistake_note, right_note

SUMMARY = (
    "Looks at one example at a time; after a mistake it turns the line towards the right side. It"
    " stops for good once a round passes without a mistake, which happens only if a line separates"
    " the classes."
)
ERRATA = (
    (
        "MMDS 12.2.1 warns of a badly chosen η. From w = 0 a constant η only rescales w: the"
        " mistakes are the same."
    ),
    (
        "AIMA 18.6.3 lets the rate 1000/(1000+t) find the line with the fewest errors on any data."
        " On data that no line separates it calms down, but in general somewhere else."
    ),
    (
        "AIMA 18.6.3: where it says O(1/t), Θ(1/t) is meant, and Figure 18.16(c) where it refers to"
        " 18.16(b)."
    ),
    (
        "MMDS 12.2.2 advises a small c in η/(1 + ct); too small a c leaves η as it is for all the"
        " rounds there are."
    ),
)


def wording(p: Params) -> Mapping[str, str]:
    """Replaced texts of lines for the rule of AIMA Eq 18.7, where y and h are 0 or 1; {} for
    mmds.
    """
    by_answer = {"test": "    if y ≠ h, h = [w · x ≥ 0]", "update": "      w ← w + η (y − h) x"}
    return by_answer if p.rule == "aima" else {}


def chips(p: Params) -> tuple[str, ...]:
    return (
        "line through the origin" if p.threshold == "zero" else "threshold learned",
        f"η {short(p.rate)}",
    )


def start(given: Setting, s: State) -> Note:
    return note("Start with w = {w}.", w=s.w)


def take(given: Setting, s: State) -> Note:
    return look_note(given.problem, s.current, given.X[s.current])


def test(given: Setting, s: State, score: float) -> Note:
    return right_note(given.problem, s.current, s.w, given.X[s.current], score, given.fires)


def update(given: Setting, s: State, score: float, errors: int) -> Note:
    x = given.X[s.current]
    scores = float(score), float(given.score(s.w, x))
    return mistake_note(given.problem, s, x, scores, given.rate(s), (errors, s.errors), given.fires)


def until(
    given: Setting, s: State, mistakes: int, cycle: int | None, done: bool, rule: bool
) -> Note:
    return end_note(s, mistakes, cycle, done, rule)
