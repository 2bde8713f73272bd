"""What the game of mistakes says."""

from engine.authoring import Choice, Fact, Note, Operand, Option, note, np, short
from engine.base.notation import listed
from engine.experiments.mistake_bounds import Params, Setting, State
from engine.experiments.mistake_bounds.picture import SIGNS
from engine.experiments.parts.sizes import enough
from engine.numerics.closeness import equal

SUMMARY = (
    "Plays the worst case against the best learner there is: inputs whose label can be either, so"
    " that every answer can be denied. How often that goes on is the optimal mistake bound, between"
    " the VC dimension and log₂ of the class."
)
ERRATA = (
    (
        "ML 7.5.4 prints 2.4 for 1 / log₂ (4/3) = 2.409…, rounded down: the printed bound of"
        " WEIGHTED-MAJORITY is slightly stronger than its proof."
    ),
)
SIZE = Fact("log₂ |C|", "{log}")
LEFT = Fact("concepts left", "{left} of {all}")
MISTAKES = Fact("mistakes", "{mistakes} of {opt}")
VC = Fact("VC(C)", "{vc}")
OPT = Fact("Opt(C)", "{opt}")
HALVING = Fact("M_Halving(C)", "{halving}")
TIE = "the first of the inputs that are as bad"
EPSILON, DELTA = 0.1, 0.05
ENOUGH = Fact(
    f"examples that are enough, (ln {{written}} + ln 1/δ) / ε, ε = {short(EPSILON)}, δ ="
    f" {short(DELTA)}",
    "{enough}",
)
WRITTEN = Fact("over all {written} that can be written, each with weight 1", "{rate} k + {heavier}")
BOUND = Fact(
    f"WEIGHTED-MAJORITY over C, β = {short(0.5)}, at most, where the best of C errs k times",
    "{rate} k + {weighted}",
)
MAJORITY = 1 / float(np.log2(4 / 3))  # of WEIGHTED-MAJORITY, β = ½


def chips(p: Params) -> tuple[str, ...]:
    return (p.concepts,)


def operands(given: Setting, s: State) -> dict[str, Operand]:
    """The operands that most notes have."""
    C = given.C
    known = {
        "all": Operand(len(C.names), "|C|"),
        "inputs": Operand(len(C.inputs)),
        "log": Operand(float(np.log2(len(C.names))), about="log"),
        "left": Operand(s.left, about="V"),
        "mistakes": Operand(s.mistakes, about="path"),
        "kind": Operand(given.p.concepts),
    }
    for name, value in (("vc", s.vc), ("opt", s.opt), ("halving", s.halving)):
        if value >= 0:
            known[name] = Operand(value, about=name)
    if s.x >= 0:
        known["x"] = Operand(C.inputs[s.x], about="path")
    if s.said >= 0:
        known["said"] = Operand(SIGNS[s.said])
        known["other"] = Operand(SIGNS[1 - s.said])
    return known


def start(given: Setting, s: State) -> Note:
    lead = (
        "C holds {all} {all:concept|concepts} over {inputs} {inputs:input|inputs}. No learner needs"
        " more than log₂ {all} = {log} {log:mistake|mistakes}; how many are unavoidable?"
    )
    left_out = given.left_out
    return note(lead + left_out.sentence, SIZE, **left_out.operands, **operands(given, s))


def vc(given: Setting, s: State) -> Note:
    lead = (
        "Of {vc} {vc:input|inputs} the concepts make every labelling: so many answers can be"
        " denied, whatever is said."
    )
    return note(lead, VC, SIZE, **operands(given, s))


def opt(given: Setting, s: State) -> Note:
    lead = (
        "An adversary takes the input that splits V so that even the better half stays hard. So"
        " {opt} {opt:mistake is|mistakes are} unavoidable, and possible to keep to."
    )
    return note(lead, VC, OPT, SIZE, **operands(given, s))


def ask(given: Setting, s: State) -> tuple[Note, Choice]:
    ways = given.questions_left(s.V)
    scores = [value for *_, value in ways]
    options = tuple(
        Option(
            given.C.inputs[x],
            value,
            detail=f"{no.bit_count()} say −, {yes.bit_count()} say +",
            value=x,
        )
        for x, no, yes, value in ways
    )
    winners = tuple(k for k, value in enumerate(scores) if value == max(scores))
    chosen = [x for x, *_ in ways].index(s.x)
    rule = TIE if len(winners) > 1 else ""
    question = "Which input costs most?"
    choice = Choice(question, options, winners, chosen, rule, "1 + min Opt", digits=0)
    lead = (
        "{x} comes: {value} {value:mistake is|mistakes are} still to come, one here and the"
        " smaller Opt of both sides."
    )
    value = Operand(scores[chosen])
    return note(lead, LEFT, MISTAKES, value=value, **operands(given, s)), choice


def say(given: Setting, s: State) -> Note:
    no, yes = next((no, yes) for x, no, yes in given.C.splits(s.V) if x == s.x)
    opt_no = given.best[no]
    opt_yes = given.best[yes]
    lead = (
        "The best learner says {said}: Opt is {no} where the label is −, {yes} where it is +, and"
        " it keeps the larger for itself."
    )
    if opt_no == opt_yes:
        lead = "Both sides have Opt {no}: the learner may say either, here {said}."
    return note(lead, LEFT, MISTAKES, no=opt_no, yes=opt_yes, **operands(given, s))


def deny(given: Setting, s: State) -> Note:
    lead = "It is {other}: mistake {mistakes}. {left} {left:concept fits|concepts fit} still."
    if s.left == 1:
        lead = (
            "It is {other}: mistake {mistakes}. Only {name} fits, and nothing can be denied any"
            " more."
        )
    name = Operand(listed(n for k, n in enumerate(given.C.names) if s.V >> k & 1))
    return note(lead, LEFT, MISTAKES, name=name, **operands(given, s))


def halving(given: Setting, s: State) -> Note:
    lead = (
        "Against the majority, with a tie as −, the worst order of inputs makes {halving}"
        " {halving:mistake|mistakes}."
    )
    return note(lead, VC, OPT, HALVING, SIZE, **operands(given, s))


def done(given: Setting, s: State) -> Note:
    lead = "VC {vc} ≤ Opt {opt} ≤ HALVING {halving} ≤ log₂ {all} = {log}."
    if s.vc == s.halving and equal(s.vc, np.log2(len(given.C.names)), 1.0):
        lead += " All are the same: a target that may be anything can always contradict the answer."
    known = operands(given, s)
    known["rate"] = Operand(MAJORITY)
    known["weighted"] = Operand(MAJORITY * float(np.log2(len(given.C.names))))
    if not given.C.trees:
        return note(lead, BOUND, **known)
    n = int(np.log2(len(given.C.inputs)))
    size = 16 * n * (n - 1)
    known |= {"n": Operand(n), "other": Operand(n - 1), "written": Operand(size)}
    known["heavier"] = Operand(MAJORITY * float(np.log2(size)))
    known["enough"] = Operand(enough(float(np.log(size)), EPSILON, DELTA, agnostic=False))
    lead += (
        " {n} · {other} · 16 = {written} {written:tree|trees} can be written; {enough}"
        " {enough:example is|examples are} enough, and WEIGHTED-MAJORITY over them errs at most"
        " {rate} k + {heavier} {heavier:time|times}."
    )
    return note(lead, ENOUGH, WRITTEN, BOUND, **known)
