"""What the exhaustion of a version space says."""

from engine.authoring import Fact, Formula, Note, Operand, note, np, short
from engine.experiments.parts.chance import bound, union
from engine.experiments.version_space_exhaustion import Params, Setting, State

SUMMARY = (
    "Puts every hypothesis at its training and its true error. Examples strike each that is wrong"
    " once; when no bad hypothesis is left, every consistent learner is as good as ε."
)
ERRATA = (
    (
        "ML 7.3 defines ε-exhausted by errors below ε, its proof counts errors above ε. Many"
        " hypotheses have just ε, so here all errors of ε or more are bad; the proof holds for them"
        " too."
    ),
)
LEFT = Fact("hypotheses left", "{left} of {all}")
BAD = Fact("bad ones left", "{bad} of {all_bad}")
BOUND = Formula("P(a bad one is left) ≤ |H| e^(−ε m) =", "{H} · e^(−{eps} · {m})", "{bound}")
COUNTED = Fact("counted share of runs with a bad one left", "{share}")
UNION = Fact("Σ of (1 − error)ᵐ over the bad", "{union}")


def chips(p: Params) -> tuple[str, ...]:
    kind = () if p.hypotheses == "auto" else (p.hypotheses,)
    return (*kind, f"ε = {short(p.epsilon)}")


def operands(given: Setting, s: State) -> dict[str, Operand]:
    """The operands that most notes have."""
    m = len(s.drawn)
    known = {
        "left": Operand(s.left, about="V"),
        "all": Operand(given.H.size),
        "bad": Operand(s.bad_left, about="bad" if s.bad_left else ""),
        "all_bad": Operand(int(s.bad.sum())),
        "kind": Operand(given.H.kind),
        "H": Operand(given.H.size, "|H|"),
        "eps": Operand(s.epsilon, "ε", "epsilon", digits=-1),
        "m": Operand(m, "m", "m"),
        "bound": Operand(float(bound(given.H.size, s.epsilon, m)[-1]), about="bound", digits=4),
        "union": Operand(float(union(s.errors[s.bad], m)[-1]), about="union", digits=4),
        "c": Operand(given.H.name(s.c) if s.c >= 0 else "the classes of the table"),
    }
    if s.share is not None:
        known["share"] = Operand(float(s.share[-1]), about="counted", digits=4)
    if m:
        x = s.drawn[-1]
        known["point"] = Operand(given.problem.names[x], about="current")
        known["sign"] = Operand("+" if s.truth[x] else "−")
    return known


def start(given: Setting, s: State) -> Note:
    lead = (
        "All {all} {kind} are in V. The hidden concept is {c}: {all_bad} of them {all_bad:is|are}"
        " bad, with an error of {eps} or more."
    )
    left_out = given.left_out
    return note(lead + left_out.sentence, BOUND, UNION, **left_out.operands, **operands(given, s))


def draw(given: Setting, s: State) -> Note:
    lead = "Example {m} is {point}, and it is {sign}."
    return note(lead, BOUND, UNION, LEFT, BAD, **operands(given, s))


def strike(given: Setting, s: State) -> Note:
    gone = int((s.before & ~s.version_space).sum())
    lead = (
        "{gone} {gone:hypothesis was|hypotheses were} wrong at {point} and {gone:is|are} struck."
        " {left} {left:stays|stay}, {bad} of them bad."
    )
    if not gone:
        lead = "None in V was wrong at {point}: {left} {left:stays|stay}, {bad} of them bad."
    if not s.left:
        lead = (
            "{point} strikes the last: no hypothesis fits these examples, so that the concept is"
            " not in H."
        )
    struck = Operand(gone, about="struck now" if gone else "")
    return note(lead, BOUND, UNION, LEFT, BAD, gone=struck, **operands(given, s))


def lamp(given: Setting, s: State) -> Note:
    lead = (
        "No bad hypothesis is left after {m} {m:example|examples}: V is exhausted. Whatever a"
        " consistent learner takes from it now errs less than {eps}."
    )
    if not s.left:
        lead = "No hypothesis is left at all, and so no bad one."
    return note(lead, BOUND, UNION, LEFT, BAD, **operands(given, s))


def repeat(given: Setting, s: State) -> Note:
    lead = (
        "In {failed} of {repeats} other {repeats:run|runs} a bad hypothesis was left after {m}"
        " {m:example|examples}."
    )
    known = operands(given, s)
    failed = round(known["share"].value * given.p.repeats)
    known["failed"] = Operand(failed, about="counted")
    known["repeats"] = Operand(given.p.repeats)
    return note(lead, BOUND, UNION, COUNTED, **known)


def done(given: Setting, s: State) -> Note:
    lead = (
        "V was exhausted after {after} {after:example|examples}; {left} {left:hypothesis"
        " is|hypotheses are} left."
    )
    if s.exhausted < 0:
        lead = (
            "V is not exhausted after {m} {m:example|examples}: {bad} bad"
            " {bad:hypothesis|hypotheses} could still be taken."
        )
    facts = [COUNTED, LEFT, BAD]
    known = operands(given, s)
    known["after"] = Operand(s.exhausted)
    if given.H.kind == "functions":
        even, unseen = evenly_split(given, s)
        facts.append(Fact("inputs without an example that V splits evenly", "{even} of {unseen}"))
        known["even"] = Operand(even)
        known["unseen"] = Operand(unseen)
    return note(lead, BOUND, UNION, *facts, **known)


def evenly_split(given: Setting, s: State) -> tuple[int, int]:
    """(inputs without an example for which half of V says +, all inputs without an example)."""
    bits = given.H.bits(given.problem.X[list(s.drawn)])
    d = bits.shape[1]
    seen = bits @ (1 << np.arange(d)[::-1])  # codes of the inputs
    unseen = np.setdiff1d(np.arange(1 << d), seen)
    V = np.flatnonzero(s.version_space)
    yes = (V[:, None] >> unseen & 1).sum(axis=0)  # function h holds at code c where its bit c is 1
    return int(np.count_nonzero(2 * yes == s.left)), len(unseen)
