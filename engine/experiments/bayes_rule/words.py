"""What Bayes' rule says: the joint chances, their quotient, and people counted in thousands."""

from engine.authoring import Choice, Fact, Formula, Note, Operand, Option, note, number, short
from engine.experiments.bayes_rule import PEOPLE, Params, Setting, State

SUMMARY = (
    "Divides all people into ill and well, keeps those with a positive test, and asks how many of"
    " these are ill. Of a rare illness even a good test leaves most of the positive ones well; a"
    " second test turns it."
)
ILL = Formula("P(+, ill) =", "{hit} · {p}", "{a}")
WELL = Formula("P(+, well) =", "{false} · {q}", "{b}")
BAYES = Formula("P(ill|+) =", "{a} / ({a} + {b})", "{after}")


def chips(p: Params) -> tuple[str, ...]:
    positive = f"{p.tests} positive" if p.tests > 1 else "one positive"
    return (f"prior {short(p.prior)}", positive)


def chance(value: float, symbol: str = "", about: str = "") -> Operand:
    """A chance with three figures, however small or near to 1 it is."""
    least = min(value, 1 - value)
    digits = 4
    while 0 < least < 10.0 ** (2 - digits) and digits < 12:
        digits += 1
    return Operand(value, symbol, about, digits)


def given_test(given: Setting) -> dict[str, Operand]:
    """The operands of the test: P(+|ill), P(+|well)."""
    return {
        "hit": Operand(given.hit, "P(+|ill)", "ill", -1),
        "false": Operand(given.false_alarm, "P(+|well)", "well", -1),
    }


def start(given: Setting, s: State) -> Note:
    lead = (
        "Before any test {p} of all people are ill. A test is positive for {hit} of the ill, and"
        " falsely for {false} of the well."
    )
    return note(lead, p=Operand(s.chance, "P(ill)", "ill", -1), **given_test(given))


def test(given: Setting, s: State) -> Note:
    lead = "Test {k} is positive. Before it, P(ill) is {p}."
    return note(lead, k=s.test, p=chance(s.before, "P(ill)", "ill"))


def ill(given: Setting, s: State) -> Note:
    lead = "How many are ill and positive? Of 10,000 people {people}."
    return note(
        lead,
        ILL,
        p=chance(s.before, "P(ill)", "ill"),
        a=chance(s.a, about="ill"),
        people=Operand(number(s.a * PEOPLE, 1), about="ill"),
        **given_test(given),
    )


def well(given: Setting, s: State) -> Note:
    lead = "How many are well and positive all the same? Of 10,000 people {people}."
    return note(
        lead,
        WELL,
        q=chance(1 - s.before, "P(well)", "well"),
        b=chance(s.b, about="well"),
        people=Operand(number(s.b * PEOPLE, 1), about="well"),
        **given_test(given),
    )


def bayes(given: Setting, s: State) -> tuple[Note, Choice]:
    lead = "Of the positive ones {after} are ill: {likelier} is likelier."
    if s.a == s.b:
        lead = "Of the positive ones {after} are ill: both are equally likely."
    elif s.before <= 0.5 < s.chance:
        lead = "Of the positive ones {after} are ill: now {likelier} is likelier."
    said = note(
        lead,
        BAYES,
        Fact("before this test", "{before}"),
        a=chance(s.a, "P(+, ill)", "ill"),
        b=chance(s.b, "P(+, well)", "well"),
        after=chance(s.chance, about="after"),
        before=chance(s.before),
        likelier="ill" if s.a > s.b else "well",
    )
    return said, likelier(s)


def likelier(s: State) -> Choice:
    """The choice between ill and well by their joint chances."""
    options = (Option("ill", s.a, "ill", value=0), Option("well", s.b, "well", value=1))
    winners = (0, 1) if s.a == s.b else (0,) if s.a > s.b else (1,)
    rule = "both are equally likely: ill is named first" if len(winners) > 1 else ""
    return Choice("Which is likelier?", options, winners, winners[0], rule, "P(+, …)")


def end(given: Setting, s: State) -> Note:
    if len(s.chances) <= s.test:
        return note("By these chances no test is ever positive: there is nothing to divide by.")
    lead = "After {k} positive {k:test|tests} the chance of being ill is {after}; it was {prior}."
    return note(
        lead,
        k=s.test,
        after=chance(s.chance, about="after"),
        prior=Operand(s.chances[0], digits=-1),
    )
