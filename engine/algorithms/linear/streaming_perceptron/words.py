"""What the perceptron on a stream says: what comes, whether the line knew, what is left of the
past.
"""

from engine.algorithms.linear.parts.words import explain as explain
from engine.algorithms.linear.streaming_perceptron import Params, Setting, State
from engine.algorithms.linear.streaming_perceptron.truth import Truth
from engine.authoring import Fact, Float, Formula, Note, Operand, Problem, note, np, replace, short
from engine.scene.mistakes import look_note, mistake_note, right_note

SUMMARY = (
    "Learns from a stream: every example comes once, is tested, then learnt and never seen again. A"
    " model is there at all times, and it can follow a truth that moves."
)
ERRATA = (
    (
        "MMDS 12.2.9 lets recent examples weigh more by a small η. From w = 0 a constant η only"
        " rescales w (12.2.1): every mistake weighs the same. With a fading memory w is kept at"
        " length 1, and η says how fast the old ones fade."
    ),
    (
        "MMDS 12.2.9 has no rule for how the truth drifts. Turning and shifting lines are"
        " extensions of the lab; label noise costs more than its own share, for each wrong label"
        " also misleads the line."
    ),
)
ERROR = Formula("error =", "{missed} / {m}", "{error}")
SCALE = Formula("w ←", "{raw} / |w|", "{scaled}")
MISTAKES = Fact("mistakes so far", "{mistakes} of {seen}")
TRUTH = Fact("the truth has turned by", "{turned}°")


def chips(p: Params) -> tuple[str, ...]:
    moved = () if p.drift == "none" else (f"{p.drift} truth, {short(p.speed)}° each",)
    line = "line through the origin" if p.threshold == "zero" else "threshold learned"
    fading = ("fading memory",) if p.memory == "fading" else ()
    return (line, f"η {short(p.rate)}", *moved, *fading, f"size: last {p.window}")


def as_it_came(given: Setting, s: State) -> Problem:
    """The problem with the classes of the arrivals so far; rows to come have none."""
    codes = np.full(given.problem.n, -1)
    codes[given.rows[: s.seen]] = [0 if y > 0 else 1 for _, y, _ in s.log]
    return replace(given.problem, codes=codes)


def start(given: Setting, s: State, truth: Truth | None) -> Note:
    lead = (
        "Nothing has come yet: w = {w}. {n} {n:example comes|examples come}, each once, in the"
        " table's order."
    )
    if truth is not None:
        lead += " A line that moves tells {n:its class|their classes}."
    return note(lead, n=len(given.rows), w=Operand(s.w, about="w"))


def arrive(given: Setting, s: State) -> Note:
    return look_note(as_it_came(given, s), s.current, given.X[s.current])


def test(given: Setting, s: State, score: float) -> Note:
    return right_note(as_it_came(given, s), s.current, s.w, given.X[s.current], score, False)


def update(given: Setting, s: State, score: float, raw: Float) -> Note:
    x = given.X[s.current]
    added = replace(s, w=raw)
    scores = score, float(given.score(raw, x))
    said = mistake_note(as_it_came(given, s), added, x, scores, given.p.rate, None, False)
    if given.p.memory == "all":
        return said
    scaled = {"raw": Operand(raw, "w"), "scaled": Operand(s.w, "w", "w")}
    return replace(said, formulas=(*said.formulas, SCALE), operands={**said.operands, **scaled})


def tally(given: Setting, s: State) -> Note:
    missed = given.wrong_of_last(s)
    turned = (TRUTH,) if given.p.drift == "turning" else ()
    lead = (
        "{seen} {seen:example has|examples have} come. Of the last {m}, the line got {missed} wrong"
        " before it learnt from {it}."
    )
    return note(
        lead,
        ERROR,
        MISTAKES,
        *turned,
        seen=s.seen,
        mistakes=s.mistakes,
        missed=Operand(missed, "wrong", "recent"),
        m=Operand(min(s.seen, given.p.window), "m", "recent"),
        error=Operand(s.missed, "error"),
        it="it" if missed == 1 else "them",
        turned=given.p.speed * s.seen,
    )


def end(given: Setting, s: State) -> Note:
    said = tally(given, s)
    return replace(said, lead="The stream is over. " + said.lead)
