"""What the majority vote says: the sum by hand, who errs, what is counted beside it."""

from math import comb

from engine.algorithms.ensembles.majority_vote import Params, Setting, State
from engine.authoring import Choice, Fact, Formula, Mapping, Note, Operand, Option, note, np, short
from engine.core.notation import agreeing_digits
from engine.core.tags import class_tag
from engine.algorithms.ensembles.parts.majority import counts_law, majority_errs

SUMMARY = (
    "Asks several members, each wrong with the same chance, and takes the majority. Five who err"
    " independently in one case of ten are together wrong in less than one of a hundred; members"
    " who err together gain little, and nothing helps those who are wrong more often than right."
)
ERRATA = (
    (
        "AIMA 18.10 asks for the majority of any number of voters. With an even number there may be"
        " none: the sum over i > K/2 leaves these cases out, and so does what is counted here; they"
        " are marked as ties."
    ),
)
POWERS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
TERMS = 4  # of the sum that are written out
COUNTED = Formula("error counted =", "{errors} / {asked}", "{share}")
LAW = Fact("by the sum", "{law}")
CHANCE = Fact("usual difference by chance", "± {spread}")


def chips(p: Params) -> tuple[str, ...]:
    return (
        f"K = {p.members}, p = {short(p.error)}",
        *[f"ρ = {short(p.correlation)} (extension)"] * (p.correlation > 0),
    )


def wording(p: Params) -> Mapping[str, str]:
    if not p.correlation:
        return {}
    return {"start": "error = Σ P(i err), i > K/2", "ask": "  each h[k] errs with p, or as all"}


def start(given: Setting, s: State) -> Note:
    p, law = given.p, given.errs
    K = p.members
    alike = p.correlation > 0
    lead = (
        "{K} {K:member is|members are} asked,{K:| each} wrong with chance {p}. The majority errs"
        " where more than half do: in {percent} of the cases."
    )
    if alike:
        lead += (
            " With chance {copying} a member copies a source that all share, so any two errors have"
            " the correlation {rho}."
        )
    error = Operand(law, "error", "formula", 4)
    told = {
        "K": K,
        "p": Operand(p.error, "p", "member", -1),
        "percent": Operand(percent(law), about="formula"),
        "rho": short(p.correlation),
        "copying": Operand(given.copying, digits=3),
    }
    if alike:
        alone = Operand(majority_errs(counts_law(K, p.error)), about="independent", digits=4)
        return note(
            lead,
            Fact("error", "{error}"),
            Fact("were they independent", "{alone}"),
            error=error,
            alone=alone,
            **told,
        )
    return note(
        lead, binomial_sum(K), error=error, q=Operand(1 - p.error, "(1 − p)", digits=-1), **told
    )


def binomial_sum(K: int) -> Formula:
    """Σ C(K,i) pⁱ (1−p)ᴷ⁻ⁱ over i > K/2; of many terms only the first."""
    wrong = range(K // 2 + 1, K + 1)
    terms = list[str]()
    for i in wrong[:TERMS]:
        powers = [
            f"{{{x}}}{str(m).translate(POWERS) if m > 1 else ''}"
            for x, m in (("p", i), ("q", K - i))
            if m
        ]
        terms.append(" · ".join([*[str(comb(K, i))] * (i < K), *powers]))
    return Formula("error =", " + ".join([*terms, *["…"] * (len(wrong) > TERMS)]), "{error}")


def percent(share: float) -> str:
    return f"{100 * share:.2f} %" if 0 < share < 0.1 else f"{100 * share:.0f} %"


def case(given: Setting, s: State) -> Note:
    """Which class the case has."""
    name = given.problem.names[s.current]
    number = s.asked + 1
    lead = "Case {number} of {cases}: {x} is {c}."
    c = given.problem.class_text(int(given.problem.codes[s.current]))
    return note(lead, number=number, cases=given.cases, x=Operand(name, about="current"), c=c)


def ask(given: Setting, s: State) -> Note:
    wrong = given.wrong(s)
    x = Operand(given.problem.names[s.current], about="current")
    lead = "Of {K} {K:member|members} {wrong} {wrong:errs|err} about {x}."
    alike = given.p.correlation > 0
    if alike:
        lead += " {copied} {copied:follows|follow} the common source."
    copied = int(np.count_nonzero(s.copied)) if s.copied is not None else 0
    return note(lead, K=given.p.members, wrong=wrong, x=x, copied=copied)


def vote(given: Setting, s: State) -> tuple[Note, Choice]:
    problem = given.problem
    K = given.p.members
    wrong = given.wrong(s)
    truth = int(problem.codes[s.current])
    votes = np.bincount(s.votes[-1], minlength=2)
    winners = tuple(int(c) for c in np.flatnonzero(votes == votes.max()))
    lead = "The majority says {said}, and it is {c}: {right}."
    if len(winners) > 1:
        lead = (
            "As many say {c} as not: there is no majority, and the sum does not count it as wrong."
        )
    told = {
        "said": problem.class_text(winners[0]),
        "c": problem.class_text(truth),
        "right": "right" if 2 * wrong < K else "wrong",
    }
    counts = Fact("err", "{wrong} of {K}")
    options = tuple(
        Option(problem.class_text(c), float(votes[c]), class_tag(c), value=c) for c in range(2)
    )
    rule = "as many for both: no majority" if len(winners) > 1 else ""
    choice = Choice(
        "Which class has the majority?", options, winners, winners[0], rule, "votes", digits=0
    )
    return note(lead, counts, wrong=Operand(wrong, about="counts"), K=K, **told), choice


def tally(given: Setting, s: State) -> Note:
    """What was counted, and what the sum has for it."""
    law = given.errs
    share = s.errors / s.asked
    lead = (
        "So far the majority was wrong in {errors} of {asked} {asked:case|cases}; the sum says"
        " {percent}."
    )
    digits = agreeing_digits((s.errors, s.asked), lambda a, b: a / b, share, 4, least=4)
    ties = int(s.counts[given.p.members // 2]) if given.p.members % 2 == 0 else 0
    if ties:
        lead += " In {ties} {ties:case|cases} there was no majority."
    return note(
        lead,
        COUNTED,
        LAW,
        CHANCE,
        errors=Operand(s.errors, "wrong", "counts", digits),
        asked=Operand(s.asked, "cases", digits=digits),
        share=Operand(share, "share", "errors", 4),
        law=Operand(law, "error", "formula", 4),
        percent=percent(law),
        ties=ties,
        spread=Operand(float(np.sqrt(law * (1 - law) / s.asked)), digits=4),
    )
