"""What the intervals of an error say."""

from math import log

from engine.authoring import Fact, Formula, Note, Operand, note, np, number, short
from engine.base.notation import agreeing_digits
from engine.experiments.error_interval import Params, Setting, State
from engine.experiments.error_interval.bounds import RULES, z_of

SUMMARY = (
    "Between which ends the true error lies when k of N fresh rows are wrong, by Hoeffding,"
    " Chernoff, the normal and the binomial law; how often each holds in repeats; and the error"
    " that the training rows alone would allow."
)
BOTH = Fact("p lies between", "{low} and {high}")
MEET = Fact("columns from which the bound reaches the normal interval", "{low_first}")


def chips(p: Params) -> tuple[str, ...]:
    return (f"{p.wrong} of {p.rows} wrong", f"{short(p.confidence)} %")


def operands(given: Setting, s: State) -> dict[str, Operand]:
    """The operands that all lines share."""
    return {
        "k": Operand(given.k, "k"),
        "N": Operand(given.N, "N"),
        "e": Operand(given.e, "e", "e", 4),
        "delta": Operand(given.delta, "δ", digits=-1),
        "confidence": Operand(short(given.p.confidence)),
    }


def ends(s: State, rule: str) -> dict[str, Operand]:
    """The operands of the ends of an interval."""
    low, high = s.intervals[rule]
    return {
        "low": Operand(low, about=rule.lower(), digits=4),
        "high": Operand(high, about=rule.lower(), digits=4),
    }


def start(given: Setting, s: State) -> Note:
    lead = (
        "{k} of {N} fresh {N:row is|rows are} wrong: e = {e}. Between which ends does the true"
        " error p lie, with a chance of {confidence} %?"
    )
    return note(lead, Formula("e =", "{k} / {N}", "{e}"), **operands(given, s))


def hoeffding(given: Setting, s: State) -> Note:
    lead = (
        "Hoeffding: whatever p is, e is off by more than {half} with a chance of at most {delta},"
        " half of it on each side."
    )
    ln = log(2 / given.delta)

    def width(ln: float, N: float) -> float:
        return float(np.sqrt(ln / (2 * N)))

    half = width(ln, given.N)
    digits = agreeing_digits([ln, given.N], width, half, 4, least=4)
    known = {
        "ln": Operand(ln, "ln 2/δ", digits=digits),
        "half": Operand(half, about="hoeffding", digits=4),
    }
    formula = Formula("half width =", "√({ln} / (2 · {N}))", "{half}")
    return note(lead, formula, BOTH, **known, **operands(given, s), **ends(s, "Hoeffding"))


def chernoff(given: Setting, s: State) -> Note:
    lead = (
        "Chernoff measures the difference as a share γ of p: here its interval is {wider} than"
        " Hoeffding's. For small errors it is narrower, for large ones wider."
    )
    ours = np.ptp(s.intervals["Chernoff"])
    wider = "wider" if ours > np.ptp(s.intervals["Hoeffding"]) else "narrower"
    tails = (
        Fact("P(e < (1 − γ) p) at most", "e^(−N p γ² / 2)"),
        Fact("P(e > (1 + γ) p) at most", "e^(−N p γ² / 3)"),
    )
    return note(lead, BOTH, *tails, wider=wider, **operands(given, s), **ends(s, "Chernoff"))


def normal(given: Setting, s: State) -> Note:
    lead = (
        "The normal law in place of the binomial one, and e in place of p: {confidence} % lie"
        " within {z} standard deviations."
    )
    if given.k in (0, given.N):
        lead = (
            "The normal law with e in place of p: with e = {e} it has no width at all. It needs"
            " errors on both sides."
        )
    z = z_of(given.delta)

    def width(z: float, e: float, rest: float, N: float) -> float:
        return float(z * np.sqrt(e * rest / N))

    half = width(z, given.e, 1 - given.e, given.N)
    digits = agreeing_digits([z, given.e, 1 - given.e, given.N], width, half, 4, least=4)
    known = operands(given, s) | ends(s, "normal")
    known |= {
        "z": Operand(z, "z", digits=digits),
        "e": Operand(given.e, "e", "e", digits),
        "rest": Operand(1 - given.e, digits=digits),
        "half": Operand(half, about="normal", digits=4),
    }
    formula = Formula("half width =", "{z} · √({e} · {rest} / {N})", "{half}")
    return note(lead, formula, BOTH, **known)


def binomial(given: Setting, s: State) -> Note:
    lead = (
        "By the binomial law itself: with p = {low} a count of {k} or more, with p = {high} one of"
        " {k} or less has a chance of {tail}."
    )
    if given.k == 0:
        lead = (
            "By the binomial law itself: with p = {high} a count of 0 has a chance of {tail}; no p"
            " is too small for it."
        )
    elif given.k == given.N:
        lead = (
            "By the binomial law itself: with p = {low} a count of {k} has a chance of {tail}; no p"
            " is too large for it."
        )
    tail = Operand(given.delta / 2, digits=-1)
    return note(lead, BOTH, tail=tail, **operands(given, s), **ends(s, "binomial"))


def pac(given: Setting, s: State) -> Note:
    lead = (
        "With a chance of {confidence} % a conjunction of {n} {n:column|columns} that fits {m}"
        " {m:row|rows} errs by at most {eps}: this {says} e = {e}. From {first}"
        " {first:column|columns} on the bound allows it."
    )
    n = given.p.columns
    logd = log(1 / given.delta)

    def error(n: float, three: float, logd: float, m: float) -> float:
        return (n * three + logd) / m

    digits = agreeing_digits([n, log(3), logd, given.p.trained], error, s.epsilon, 4, least=4)
    known = {
        "n": Operand(n, "n", "columns"),
        "m": Operand(given.p.trained, "m"),
        "three": Operand(log(3), "ln 3", digits=digits),
        "logd": Operand(logd, "ln 1/δ", digits=digits),
        "eps": Operand(s.epsilon, "ε", "allowed", 4),
        "says": "allows" if s.epsilon >= given.e else "does not allow",
        "first": Operand(given.fewest(given.e), about="allowed"),
        "low_first": Operand(given.fewest(s.intervals["normal"][0])),
    }
    formula = Formula("ε =", "({n} · {three} + {logd}) / {m}", "{eps}")
    return note(lead, formula, MEET, **known, **operands(given, s))


def draw(given: Setting, s: State) -> Note:
    lead = "With p = {p}, {wrong} of {N} fresh {N:row is|rows are} wrong this time."
    return note(lead, wrong=Operand(s.wrong, about="now"), **truth(given), **operands(given, s))


def truth(given: Setting) -> dict[str, Operand]:
    """The operand of the true error."""
    return {"p": Operand(given.truth, "p", "p", 4)}


def hold(given: Setting, s: State) -> Note:
    missed = [rule for rule, held in zip(RULES, s.trials[-1].holds, strict=True) if not held]
    lead = "All four intervals around {now} hold p = {p}."
    if missed:
        lead = "Around {now}, p = {p} is missed by: {missed}."
    now = Operand(s.wrong / given.N, about="now", digits=4)
    known = counts(given, s)
    return note(lead, *HELD, now=now, missed=", ".join(missed), **known, **truth(given))


HELD = tuple(Fact(f"{rule} holds p", f"{{{rule}}} of {{R}}") for rule in RULES)


def counts(given: Setting, s: State) -> dict[str, Operand]:
    """The operands of how often each interval held p."""
    found = {rule: Operand(s.held(rule), about=rule.lower()) for rule in RULES}
    return {**found, "R": Operand(len(s.trials))}


def both_sides(given: Setting, s: State) -> Note:
    """What the training rows allow beside what the fresh rows say, where nothing is repeated."""
    lead = (
        "The training rows allow an error of {eps} at most, the fresh ones say {low} to {high}:"
        " these {meet}. The more columns, the likelier is a rule that fits all training rows and"
        " errs on fresh ones: from {low_first} {low_first:column|columns} on the bound reaches the"
        " interval, from {first} on it allows e = {e}."
    )
    low = s.intervals["normal"][0]
    known = {
        "eps": Operand(s.epsilon, "ε", "allowed", 4),
        "meet": "meet" if s.epsilon >= low else "do not meet",
        "first": Operand(given.fewest(given.e), about="allowed"),
        "low_first": Operand(given.fewest(low)),
    }
    return note(lead, MEET, **known, **operands(given, s), **ends(s, "normal"))


def done(given: Setting, s: State) -> Note:
    if not s.trials:
        return both_sides(given, s)
    lead = (
        "The binomial interval held p in {binomial} of {R} {R:repeat|repeats}, the normal one in"
        " {normal}, Hoeffding's in {Hoeffding}, Chernoff's in {Chernoff}; {confidence} % were"
        " wanted."
    )
    widths = tuple(Fact(f"width of {rule}", f"{{{rule} width}}") for rule in RULES)
    sizes = {f"{rule} width": number(float(np.ptp(s.intervals[rule])), 4) for rule in RULES}
    return note(lead, *widths, **sizes, **counts(given, s), **operands(given, s))
