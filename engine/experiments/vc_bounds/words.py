"""What VC bounds say."""

from engine.authoring import Fact, Formula, Note, Operand, note, np, short
from engine.base.notation import agreeing_digits
from engine.experiments.vc_bounds import (
    Params,
    Setting,
    State,
    both_sides,
)
from engine.experiments.vc_bounds import (
    lower as too_few,
)
from engine.experiments.vc_bounds import (
    strips as by_strips,
)
from engine.experiments.vc_bounds import (
    upper as enough,
)
from engine.experiments.vc_bounds.bounds import error_after
from engine.numerics.closeness import whole_above

SUMMARY = (
    "Computes how many examples are enough by the VC dimension, how many are too few, and how many"
    " by hand; then draws hidden rectangles and shows what a learner that fits them really misses."
)
ERRATA = (
    (
        "ML 7.4.1 calls the VC bound often tighter than that for finite H. With its constants it is"
        " never in the chapter's examples; what it gains is infinite H."
    ),
    "ML Exercise 7.6 asks for δ = .95; surely a confidence of 95 % is meant, δ = .05.",
    (
        "ML Theorem 7.3 does not say of which base its logarithm is; here it is natural. Its"
        " constants 32, 1/8 and 1/100 are quoted."
    ),
)
UPPER = Formula(
    "m ≥ (4 log₂ 2/δ + 8 d log₂ 13/ε) / ε =", "(4 · {a} + 8 · {d} · {b}) / {eps}", "{raw}"
)
STRIPS = Formula("m ≥ (s/ε) ln(s/δ) =", "{s} / {eps} · {c}", "{hand}")
MEAN = Fact("mean error", "{mean}")
HIGH = Fact("97.5 % of the runs err less than", "{high}")
ALLOWED = Fact("the VC bound allows", "{allowed}")
TRAINING = Fact("training error", "0 of {m}")
TRUE = Fact("true error, by uniform examples", "{error}")


def chips(p: Params) -> tuple[str, ...]:
    return (p.hypotheses, f"ε = {short(p.epsilon)}, δ = {short(p.delta)}")


def known(given: Setting, s: State) -> dict[str, Operand]:
    """The operands of all lines, by name."""
    p = given.p
    d = given.dimension
    a = float(np.log2(2 / p.delta))
    b = float(np.log2(13 / p.epsilon))
    m = enough(d, p.epsilon, p.delta)
    digits = agreeing_digits([a, b, d], lambda a, b, d: (4 * a + 8 * d * b) / p.epsilon, m)
    return {
        "kind": Operand(p.hypotheses),
        "d": Operand(d, "d", digits=digits),
        "eps": Operand(p.epsilon, "ε", "epsilon", digits=-1),
        "delta": Operand(p.delta, "δ", digits=-1),
        "a": Operand(a, "log₂ 2/δ", digits=digits),
        "b": Operand(b, "log₂ 13/ε", digits=digits),
        "raw": Operand(m),
        "enough": Operand(whole_above(m), "m"),
        "m": Operand(s.m),
        **by_theorem(given),
        **by_hand(given),
        **found(given, s),
    }


def about(given: Setting, s: State, name: str, tag: str) -> dict[str, Operand]:
    """The operands of all lines, where the one called `name` highlights the curve `tag`."""
    operands = known(given, s)
    return operands | {name: Operand(operands[name].value, about=tag)}


def by_theorem(given: Setting) -> dict[str, Operand]:
    """The operand of how many are too few; {} where ML Theorem 7.3 does not hold."""
    if not given.says_too_few:
        return {}
    return {"few": Operand(whole_above(too_few(given.at_least, given.p.epsilon, given.p.delta)))}


def by_hand(given: Setting) -> dict[str, Operand]:
    """The operands of the argument by strips; 0 where it does not apply."""
    p = given.p
    sides = 2 * given.axes
    m = by_strips(sides, p.epsilon, p.delta) if sides else 0.0
    c = float(np.log(sides / p.delta)) if sides else 0.0
    digits = agreeing_digits([c], lambda c: sides / p.epsilon * c, m)
    return {
        "s": Operand(sides, "s"),
        "c": Operand(c, "ln(s/δ)", digits=digits),
        "hand": Operand(m),
        "by_hand": Operand(whole_above(m)),
        "by_any": Operand(whole_above(both_sides(p.epsilon, p.delta))),
    }


def found(given: Setting, s: State) -> dict[str, Operand]:
    """The operands of the measured errors with the largest m, and of what the bound allows; {}
    before the first run.
    """
    if not len(s.trail):
        return {}
    m, mean, _, high = s.trail[-1]
    allowed = float(error_after(np.array([float(m)]), given.dimension, given.p.delta)[0])
    return {
        "mean": Operand(mean, about="mean", digits=4),
        "high": Operand(high, about="mean", digits=4),
        "allowed": Operand(allowed, about="upper"),
    }


def start(given: Setting, s: State) -> Note:
    lead = (
        "The VC dimension of {kind} is d = {d}. There are infinitely many of them, and yet so few"
        " examples tell them apart."
    )
    if given.p.hypotheses == "network":
        lead = (
            "A network of {units} threshold {units:unit|units} over {inputs} {inputs:input|inputs}"
            " has at most d = 2 (r + 1) s log₂(e s) = {d}. Of sigmoid units this says nothing."
        )
    return note(lead, units=given.p.units, inputs=given.problem.d, **known(given, s))


def upper(given: Setting, s: State) -> Note:
    lead = (
        "{enough} {enough:example is|examples are} enough for every learner that fits them,"
        " whatever the distribution and the concept are."
    )
    return note(lead, UPPER, **about(given, s, "enough", "upper"))


def lower(given: Setting, s: State) -> Note:
    if not given.says_too_few:
        lead = (
            "How many are too few is known for ε < 1/8 and δ < 1/100 only; here ε is {eps} and δ"
            " {delta}."
        )
        return note(lead, **known(given, s))
    lead = (
        "With fewer than {few} {few:example|examples} some distribution and concept defeat any"
        " learner. It is said of the concepts' dimension, the other of the hypotheses'."
    )
    return note(lead, **about(given, s, "few", "lower"))


def strips(given: Setting, s: State) -> Note:
    if not given.axes:
        return note(
            "For {kind} there is no such argument by hand here, and nothing is tried.",
            **known(given, s),
        )
    lead = (
        "The tightest of them misses only strips along its {s} {s:side|sides}. If none of those,"
        " each of weight ε/{s}, stays without an example, it errs at most {eps}: {by_hand}"
        " {by_hand:example|examples}."
    )
    if given.axes == 1:
        lead += (
            " For any interval that fits a strip on both sides of each end is wanted:"
            " {by_any} {by_any:example|examples}."
        )
    return note(lead, STRIPS, **about(given, s, "by_hand", "strips"))


def draw(given: Setting, s: State) -> Note:
    lead = (
        "One of {repeats} {repeats:run|runs} with {m} {m:example|examples}: a hidden c, uniform"
        " examples, {plus} of them +."
    )
    plus = 0 if s.plus is None else int(s.plus.sum())
    tag = "drawn" if given.problem.plane else ""
    return note(lead, repeats=given.p.repeats, plus=Operand(plus, about=tag), **known(given, s))


def fit(given: Setting, s: State, error: float) -> Note:
    lead = (
        "The learner takes the {taken} that fits {m:the|all} {m} {m:example|examples}. Yet it errs"
        " on {error} of the extent."
    )
    empty = s.h is None or bool(np.isnan(s.h).any())
    if empty:
        lead = (
            "No example is +: the learner takes the empty one, which errs on {error} of the extent."
        )
    tag = "h" if given.problem.plane and not empty else ""
    return note(
        lead,
        TRAINING,
        TRUE,
        taken=given.p.learner,
        error=Operand(error, about=tag, digits=4),
        **known(given, s),
    )


def size(given: Setting, s: State) -> Note:
    lead = (
        "With {m} {m:example|examples} the learner errs on {mean} on average; the VC bound"
        " allows {allowed}."
    )
    return note(lead, MEAN, HIGH, ALLOWED, **known(given, s))


def done(given: Setting, s: State) -> Note:
    lead = (
        "{enough} {enough:example|examples} by the VC bound, {by_hand} by strips. Theory and"
        " experiment have the same shape; the constants are far apart."
    )
    if not given.axes:
        lead = "{enough} {enough:example is|examples are} enough by the VC bound with d = {d}."
    if given.says_too_few:
        lead += " Fewer than {few} are too few for some concept and distribution."
    parts: list[Formula | Fact] = [UPPER]
    if given.axes:
        parts.append(STRIPS)
    if len(s.trail):
        parts += [MEAN, HIGH, ALLOWED]
    return note(lead, *parts, **known(given, s))
