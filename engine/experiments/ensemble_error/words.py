"""What the error of an ensemble says."""

from math import comb

from engine.authoring import Fact, Formula, Mapping, Note, Operand, note, np, number, short
from engine.base.notation import agreeing_digits
from engine.experiments.ensemble_error import Params, Setting, State

SUMMARY = (
    "Adds members to a vote, each wrong with the same chance p. Independent members of p < ½"
    " together err ever less, those of p > ½ ever more; members that err together gain little"
    " however many they are."
)
ERRATA = (
    (
        "AIMA 18.10 has five members of p = 1/10 err in less than one case of a hundred: that holds"
        " if they are independent, 0.86 %; with a correlation of 0.3 between them it is 6.8 %."
    ),
)
POWERS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
TERMS = 3  # of the sum that are written out
MOST = 11  # members for which it is written out


def chips(p: Params) -> tuple[str, ...]:
    error = f"p = {short(p.error)}"
    if p.correlation:
        return (error, f"ρ = {short(p.correlation)} (extension)")
    return (error,)


def wording(p: Params) -> Mapping[str, str]:
    return {"law": "  Σ P(i err), i > K/2"} if p.correlation else {}


def start(given: Setting, s: State) -> Note:
    lead = "Each member errs with chance {p}; up to {most} of them vote on {n} {n:case|cases}."
    if given.p.correlation:
        lead += (
            " With chance {copying} one copies a source that all share: any two errors have the"
            " correlation {rho}."
        )
    return note(
        lead,
        p=Operand(given.p.error, "p", "law", -1),
        most=int(given.sizes[-1]),
        n=given.cases,
        copying=Operand(given.copying, digits=3),
        rho=short(given.p.correlation),
    )


def size(given: Setting, s: State) -> Note:
    return note("A vote of {K} {K:member|members}.", K=s.K)


def law(given: Setting, s: State, law: float) -> Note:
    lead = "More than half of {K} {K:errs|err} in {percent} of all cases."
    return note(lead, *by_hand(given, s.K), K=s.K, percent=percent(law), **terms(given, law))


def terms(given: Setting, law: float) -> dict[str, Operand]:
    """The operands of the sum that `by_hand` writes, and its result `law`."""
    return {
        "error": Operand(law, "error", "law", 4),
        "p": Operand(given.p.error, "p", "law", -1),
        "q": Operand(1 - given.p.error, "(1 − p)", digits=-1),
    }


def by_hand(given: Setting, K: int) -> list[Formula]:
    """The formula Σ C(K,i) pⁱ (1−p)ᴷ⁻ⁱ over i > K/2, of a long sum its first terms; [] for members
    that copy.
    """
    if given.p.correlation or K > MOST:
        return []
    wrong = range(K // 2 + 1, K + 1)
    terms = [term(K, i) for i in wrong[:TERMS]]
    if len(wrong) > TERMS:
        terms.append("…")
    return [Formula("error =", " + ".join(terms), "{error}")]


def term(K: int, i: int) -> str:
    """The term C(K,i) pⁱ (1−p)ᴷ⁻ⁱ as a template, without factors and exponents of 1."""
    factors = [str(comb(K, i))] if i < K else []
    factors.append(power("p", i))
    if i < K:
        factors.append(power("q", K - i))
    return " · ".join(factors)


def power(name: str, exponent: int) -> str:
    """The template of an operand with a raised exponent: {p}³."""
    raised = str(exponent).translate(POWERS) if exponent > 1 else ""
    return f"{{{name}}}{raised}"


def percent(share: float) -> str:
    """A share as text in per cent: "12.5 %"."""
    return f"{number(100 * share, 2 if share < 0.1 else 1)} %"


def count(given: Setting, s: State) -> Note:
    seen = s.seen[-1]
    n = given.cases
    lead = (
        "The majority of {K} is wrong in {percent} of all cases; counted in {wrong} of {n}"
        " {n:case|cases}."
    )
    digits = agreeing_digits((s.wrong, n), lambda a, b: a / b, seen.counted, 4, least=4)
    facts = [Fact("usual difference by chance", "± {spread}")]
    if given.p.correlation:
        facts.append(Fact("were they independent", "{alone}"))
    return note(
        lead,
        *by_hand(given, s.K),
        Formula("counted =", "{wrong} / {n}", "{counted}"),
        *facts,
        K=s.K,
        percent=percent(seen.law),
        wrong=Operand(s.wrong, "wrong", "counted", digits),
        n=n,
        counted=Operand(seen.counted, about="counted", digits=4),
        **terms(given, seen.law),
        alone=Operand(seen.alone, about="alone", digits=4),
        spread=Operand(float(np.sqrt(seen.law * (1 - seen.law) / n)), digits=4),
    )


def told(given: Setting, s: State) -> Note:
    p = given.p.error
    last = s.seen[-1]
    lead = "A member alone errs in {p} of the cases, {K} together in {law}."
    if p == 0.5:
        lead = "Members that guess are no better together: {law}."
    elif p > 0.5:
        lead += " Who is wrong more often than right is worse together."
    elif given.p.correlation:
        lead += " Independent ones would err in {alone}."
    return note(
        lead,
        p=Operand(percent(p), about="law"),
        K=last.K,
        law=Operand(percent(last.law), about="law"),
        alone=Operand(percent(last.alone), about="alone"),
    )
