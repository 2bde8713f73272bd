"""What the shortest description says."""

from engine.authoring import Choice, Explanation, Fact, Float, Formula, Note, Operand, Option, note
from engine.base.notation import agreeing_digits
from engine.experiments.mdl_conjunction import Literals, Params, Setting, State, predict

SUMMARY = (
    "Sends a conjunction and the rows that it gets wrong in as few bits as it can. A literal has to"
    " save errors to be worth its bits, so that the shortest description may be wrong on some rows."
)
SUM = Formula("bits =", "{k} · {literal} + {errors} · {error}", "{bits}")
LEAST = Fact("shortest so far", "{best}")
BITS = Fact("its bits", "{least}")
TIE = "equal length: fewer literals, then the earlier columns"


def chips(p: Params) -> tuple[str, ...]:
    return (f"n ≤ {p.columns}",)


def rule(given: Setting, h: Literals) -> str:
    """A conjunction as text: the questions of its columns h joined by ∧, "always" for none."""
    return " ∧ ".join(given.H.question(k, 1) for k in h) or "always"


def operands(given: Setting, s: State) -> dict[str, Operand]:
    """The operands that most notes have."""
    bits = given.length(len(s.h), s.errors)

    def length(literal: float, error: float) -> float:
        return len(s.h) * literal + s.errors * error

    digits = agreeing_digits([given.literal, given.error], length, bits)
    return {
        "n": Operand(given.bits.shape[1]),
        "m": Operand(len(given.rows)),
        "k": Operand(len(s.h), "|h|"),
        "errors": Operand(s.errors, "errors"),
        "literal": Operand(given.literal, "log₂ n", "literals", digits),
        "error": Operand(given.error, "log₂ m", digits=digits),
        "bits": Operand(bits, about="h"),
        "h": Operand(rule(given, s.h), about="h"),
        "best": Operand(rule(given, s.best), about="best"),
        "least": Operand(s.least, about="best"),
        "wrong": Operand(s.wrong, about="rows"),
    }


def start(given: Setting, s: State) -> Note:
    lead = (
        "Each of the {n} {n:column|columns} can be a literal: {literal} {literal:bit names|bits"
        " name} one. A wrong row among {m} costs {error} {error:bit|bits}. Without a literal"
        " {wrong} {wrong:row is|rows are} wrong."
    )
    left_out = given.left_out
    known = left_out.operands | operands(given, s)
    return note(lead + left_out.sentence, SUM, LEAST, BITS, **known)


def try_(given: Setting, s: State) -> Note:
    lead = "{h}, {k} {k:literal|literals}, is wrong on {errors} {errors:row|rows}."
    if given.length(len(s.h), s.errors) == s.least and s.h != s.best:
        lead += " It is as short as {best}, which came first and stays."
    return note(lead, SUM, LEAST, BITS, **operands(given, s))


def keep(given: Setting, s: State) -> Note:
    lead = "{h} is the shortest so far: {bits} {bits:bit|bits} with its errors."
    return note(lead, SUM, **operands(given, s))


def size(given: Setting, s: State) -> Note:
    lead = (
        "Of {k} {k:literal|literals}, {h} is best: {errors} {errors:row|rows} wrong, {bits}"
        " {bits:bit|bits}."
    )
    return note(lead, SUM, LEAST, BITS, **operands(given, s))


def done(given: Setting, s: State) -> tuple[Note, Choice]:
    known = operands(given, s)
    facts = list[Fact]()
    lead = (
        "The shortest description is {best}: {least} {least:bit|bits}, with {wrong} wrong"
        " {wrong:row|rows}."
    )
    perfect = next((h for h, errors in s.sizes if not errors), None)
    if perfect is not None and s.wrong:
        longer = given.length(len(perfect), 0)
        known["perfect"] = Operand(rule(given, perfect))
        known["longer"] = Operand(longer, about="sizes")
        facts = [Fact("without errors", "{perfect}"), Fact("its bits", "{longer}")]
        if longer > s.least:
            lead += (
                " A conjunction without errors would be longer: this is preferred though it is"
                " wrong."
            )
        else:
            lead += (
                " A conjunction without errors is as long; this one has fewer literals, so that it"
                " came first and stays."
            )
    prior = Fact("as probabilities", "P(h) ∝ 2^(−bits of h), P(D | h) ∝ 2^(−bits of its errors)")
    return note(lead, SUM, *facts, prior, **known), choice(given, s)


def choice(given: Setting, s: State) -> Choice:
    """The choice among the best conjunctions of each size, by length in bits."""
    lengths = [given.length(len(h), errors) for h, errors in s.sizes]
    options = tuple(
        Option(rule(given, h), lengths[size], "sizes", f"{errors} wrong", size)
        for size, (h, errors) in enumerate(s.sizes)
    )
    winners = tuple(size for size, bits in enumerate(lengths) if bits == min(lengths))
    rule_of_ties = TIE if len(winners) > 1 else ""
    return Choice(
        "Which description is shortest?",
        options,
        winners,
        winners[0],
        rule_of_ties,
        "bits",
        smallest=True,
        digits=2,
    )


def explain(given: Setting, s: State, x: Float) -> Explanation:
    label = int(predict(given, s, x[None])[0])
    holds = "holds" if label == 0 else "does not hold"
    lead = f"{{best}} {holds} here: {{label}}."
    text = given.problem.class_text(label)
    return Explanation(label, note(lead, best=rule(given, s.best), label=text))
