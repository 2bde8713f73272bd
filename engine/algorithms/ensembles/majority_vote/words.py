"""What the majority vote says: the sum by hand, who errs, what is counted beside it."""

from math import comb

from engine.algorithms.ensembles.majority_vote import Params, Setting, State
from engine.algorithms.ensembles.majority_vote.picture import percent
from engine.algorithms.ensembles.parts.majority import counts_law, majority_errs
from engine.authoring import Choice, Fact, Formula, Mapping, Note, Operand, Option, note, np, short
from engine.base.notation import agreeing_digits
from engine.base.tags import class_tag

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
COUNTED = Formula("error counted =", "{errors} / {tallied}", "{share}")
LAW = Fact("by the sum", "{law}")
CHANCE = Fact("usual difference by chance", "± {spread}")


def chips(p: Params) -> tuple[str, ...]:
    chances = f"K = {p.members}, p = {short(p.error)}"
    if p.correlation:
        return (chances, f"ρ = {short(p.correlation)} (extension)")
    return (chances,)


def wording(p: Params) -> Mapping[str, str]:
    if not p.correlation:
        return {}
    return {"start": "error = Σ P(i err), i > K/2", "ask": "  each h[k] errs with p, or as all"}


def start(given: Setting, s: State) -> Note:
    p = given.p
    K = p.members
    lead = (
        "A vote of {K} {K:member|members},{K:| each} wrong with chance {p}. The majority errs"
        " where more than half do: in {percent} of the cases."
    )
    operands = {
        "K": K,
        "p": Operand(p.error, "p", "member", -1),
        "percent": Operand(percent(given.errs), about="formula"),
        "error": Operand(given.errs, "error", "formula", 4),
    }
    if not p.correlation:
        q = Operand(1 - p.error, "(1 − p)", digits=-1)
        return note(lead, binomial_sum(K), q=q, **operands)
    lead += (
        " With chance {copying} a member copies a source that all share, so any two errors have"
        " the correlation {rho}."
    )
    independent = majority_errs(counts_law(K, p.error))
    return note(
        lead,
        Fact("error", "{error}"),
        Fact("were they independent", "{alone}"),
        rho=short(p.correlation),
        copying=Operand(given.copying, digits=3),
        alone=Operand(independent, about="independent", digits=4),
        **operands,
    )


def binomial_sum(K: int) -> Formula:
    """The formula Σ C(K,i) pⁱ (1−p)ᴷ⁻ⁱ over i > K/2; of many terms only the first."""
    wrong = range(K // 2 + 1, K + 1)
    terms = [binomial_term(K, i) for i in wrong[:TERMS]]
    if len(wrong) > TERMS:
        terms.append("…")
    return Formula("error =", " + ".join(terms), "{error}")


def binomial_term(K: int, i: int) -> str:
    """C(K,i) pⁱ (1−p)ᴷ⁻ⁱ as a template, without factors of 1."""
    factors = []
    if i < K:
        factors.append(str(comb(K, i)))
    factors.append(power("{p}", i))
    if i < K:
        factors.append(power("{q}", K - i))
    return " · ".join(factors)


def power(base: str, exponent: int) -> str:
    """A power as it is written, an exponent of 1 left out."""
    if exponent == 1:
        return base
    return base + str(exponent).translate(POWERS)


def case(given: Setting, s: State) -> Note:
    """The note of the case's true class."""
    code = int(given.problem.codes[s.current])
    return note(
        "Case {number} of {cases}: {x} is {c}.",
        number=s.tallied + 1,
        cases=given.cases,
        x=Operand(given.problem.names[s.current], about="current"),
        c=given.problem.class_text(code),
    )


def ask(given: Setting, s: State) -> Note:
    """The note of which members err in the case."""
    lead = "Of {K} {K:member|members} {wrong} {wrong:errs|err} about {x}."
    if given.p.correlation:
        lead += " {copied} {copied:follows|follow} the common source."
    return note(
        lead,
        K=given.p.members,
        wrong=given.wrong(s),
        x=Operand(given.problem.names[s.current], about="current"),
        copied=0 if s.copied is None else int(np.count_nonzero(s.copied)),
    )


def vote(given: Setting, s: State) -> tuple[Note, Choice]:
    """The note and choice of the majority's answer to the case."""
    problem = given.problem
    K = given.p.members
    wrong = given.wrong(s)
    votes = np.bincount(s.votes[-1], minlength=2)
    winners = tuple(np.flatnonzero(votes == votes.max()).tolist())
    tie = len(winners) > 1
    lead = "The majority says {said}, and it is {c}: {right}."
    if tie:
        lead = (
            "As many say {c} as not: there is no majority, and the sum does not count it as wrong."
        )
    said = note(
        lead,
        Fact("err", "{wrong} of {K}"),
        said=problem.class_text(winners[0]),
        c=problem.class_text(int(problem.codes[s.current])),
        right="right" if wrong < K / 2 else "wrong",
        wrong=Operand(wrong, about="counts"),
        K=K,
    )
    options = tuple(
        Option(problem.class_text(c), float(votes[c]), class_tag(c), value=c) for c in range(2)
    )
    question = "Which class has the majority?"
    rule = "as many for both: no majority" if tie else ""
    return said, Choice(question, options, winners, winners[0], rule, "votes", digits=0)


def tally(given: Setting, s: State) -> Note:
    """The note of the counted errors, compared with the formula."""
    K = given.p.members
    law = given.errs
    share = s.errors / s.tallied
    lead = (
        "So far the majority was wrong in {errors} of {tallied} {tallied:case|cases}; the sum says"
        " {percent}."
    )
    ties = int(s.counts[K // 2]) if K % 2 == 0 else 0
    if ties:
        lead += " In {ties} {ties:case|cases} there was no majority."
    digits = agreeing_digits((s.errors, s.tallied), lambda a, b: a / b, share, 4, least=4)
    return note(
        lead,
        COUNTED,
        LAW,
        CHANCE,
        errors=Operand(s.errors, "wrong", "counts", digits),
        tallied=Operand(s.tallied, "cases", digits=digits),
        share=Operand(share, "share", "errors", 4),
        law=Operand(law, "error", "formula", 4),
        percent=percent(law),
        ties=ties,
        spread=Operand(float(np.sqrt(law * (1 - law) / s.tallied)), digits=4),
    )
