"""What the error of an ensemble says."""

from math import comb

from engine.authoring import Fact, Formula, Mapping, Note, Operand, note, np, number, short
from engine.core.notation import agreeing_digits
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
TERMS, MOST = 3, 11  # of the sum that are written out, of so many members


def chips(p: Params) -> tuple[str, ...]:
    return (
        f"p = {short(p.error)}",
        *[f"ρ = {short(p.correlation)} (extension)"] * (p.correlation > 0),
    )


def wording(p: Params) -> Mapping[str, str]:
    return {"law": "  Σ P(i err), i > K/2"} if p.correlation else {}


def start(given: Setting, s: State) -> Note:
    lead = "Each member errs with chance {p}; up to {most} of them vote on {n} {n:case|cases}."
    if given.p.correlation:
        lead += (
            " With chance {copying} one copies a source that all share: any two errors have the"
            " correlation {rho}."
        )
    p, copying = Operand(given.p.error, "p", "law", -1), Operand(given.copying, digits=3)
    return note(
        lead,
        p=p,
        most=int(given.sizes[-1]),
        n=given.cases,
        copying=copying,
        rho=short(given.p.correlation),
    )


def size(given: Setting, s: State) -> Note:
    return note("{K} {K:member is|members are} asked.", K=s.K)


def law(given: Setting, s: State, law: float) -> Note:
    lead = "More than half of {K} {K:errs|err} in {percent} of all cases."
    return note(lead, *by_hand(given, s.K), K=s.K, percent=percent(law), **terms(given, law))


def terms(given: Setting, law: float) -> dict[str, Operand]:
    q = Operand(1 - given.p.error, "(1 − p)", digits=-1)
    return {
        "error": Operand(law, "error", "law", 4),
        "p": Operand(given.p.error, "p", "law", -1),
        "q": q,
    }


def by_hand(given: Setting, K: int) -> list[Formula]:
    """Σ C(K,i) pⁱ (1−p)ᴷ⁻ⁱ over i > K/2; of many terms the first; there is no such sum for members
    that copy.
    """
    if given.p.correlation or K > MOST:
        return []
    wrong = range(K // 2 + 1, K + 1)
    terms = list[str]()
    for i in wrong[:TERMS]:
        powers = [
            f"{{{x}}}{str(m).translate(POWERS) if m > 1 else ''}"
            for x, m in (("p", i), ("q", K - i))
            if m
        ]
        terms.append(" · ".join([*[str(comb(K, i))] * (i < K), *powers]))
    return [Formula("error =", " + ".join([*terms, *["…"] * (len(wrong) > TERMS)]), "{error}")]


def percent(share: float) -> str:
    return f"{number(100 * share, 2 if share < 0.1 else 1)} %"


def count(given: Setting, s: State) -> Note:
    seen = s.seen[-1]
    n = given.cases
    lead = (
        "The majority of {K} is wrong in {percent} of all cases; counted in {wrong} of {n}"
        " {n:case|cases}."
    )
    digits = agreeing_digits((s.wrong, n), lambda a, b: a / b, seen.counted, 4, least=4)
    formula = Formula("counted =", "{wrong} / {n}", "{counted}")
    facts = [Fact("usual difference by chance", "± {spread}")]
    facts += [Fact("were they independent", "{alone}")] * (given.p.correlation > 0)
    return note(
        lead,
        *by_hand(given, s.K),
        formula,
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
    error = Operand(percent(p), about="law")
    return note(
        lead,
        p=error,
        K=last.K,
        law=Operand(percent(last.law), about="law"),
        alone=Operand(percent(last.alone), about="alone"),
    )
