"""What the posterior of degrees says."""

from math import log

from engine.authoring import (
    Explanation,
    Fact,
    Float,
    Formula,
    Note,
    Operand,
    note,
    np,
    number,
    short,
)
from engine.base.notation import agreeing_digits, fixed, listed
from engine.experiments.posterior_of_degrees import Params, Setting, State
from engine.protocol.unknown import missing_note

SUMMARY = (
    "Weighs polynomials of growing degree by Bayes' rule: each higher degree is less likely before"
    " any data, and fits them no worse. The most probable is a compromise: Ockham's razor, as a"
    " prior."
)
ERRATA = (
    (
        "AIMA 18.2 gives no formula for prior or likelihood. Here the prior falls by the factor r"
        " with each degree, and y is normal around the curve with standard deviation σ."
    ),
)


def chips(p: Params) -> tuple[str, ...]:
    return (f"r = {short(p.ratio)}, σ = {short(p.sigma)}",)


def operands(given: Setting, s: State) -> dict[str, Operand]:
    """The operands that all lines share."""
    known = {
        "r": Operand(given.p.ratio, "r", digits=-1),
        "sigma": Operand(given.p.sigma, "σ", digits=-1),
        "n": Operand(given.n, "n"),
    }
    if s.fit is not None:
        known["k"] = Operand(s.fit.degree, "k", f"degree {s.fit.degree}")
        known["loss"] = Operand(s.loss, "loss", "errors", 4)
    return known


def prior(given: Setting, s: State) -> Note:
    lead = (
        "Before any data a curve of degree k is {r} times as probable as one of degree k − 1: the"
        " simplest has {first}, degree {highest} has {last}."
    )
    if given.p.ratio == 1:
        lead = "Before any data each degree from 0 to {highest} is as probable: {first}."
    return note(
        lead,
        first=Operand(float(given.prior[0]), about="prior", digits=4),
        last=Operand(short(float(f"{given.prior[-1]:.3g}"))),
        highest=given.p.degree,
        **operands(given, s),
    )


def fit(given: Setting, s: State) -> Note:
    lead = "The curve of degree {k} with the least Σ (y − h)² leaves {loss}."
    return note(lead, **operands(given, s))


def noise(given: Setting, s: State, likelihood: float) -> Note:
    lead = (
        "If y scatters around it with σ = {sigma}, the logarithm of the probability of these {n}"
        " {n:value|values} is {likelihood}."
    )
    known = operands(given, s)
    twice: float = 2 * given.p.sigma**2

    def logarithm(loss: float, level: float) -> float:
        return -loss / twice - given.n * level

    digits = agreeing_digits([s.loss, given.level], logarithm, likelihood)
    known["loss"] = Operand(s.loss, "loss", "errors", digits)
    known["level"] = Operand(given.level, "ln(σ √2π)", digits=digits)
    known["likelihood"] = Operand(likelihood, "ln P(data | h)")
    body = "−{loss} / (2 · {sigma}²) − {n} · {level}"
    return note(lead, Formula("ln P(data | h) =", body, "{likelihood}"), **known)


def weigh(given: Setting, s: State) -> Note:
    lead = "Degree {k} now has a share of {share} of what was weighed so far."
    weighed = s.weighed[-1]
    k = weighed.fit.degree
    before = log(given.prior[k])
    known = operands(given, s)

    def total(likelihood: float, before: float) -> float:
        return likelihood + before

    digits = agreeing_digits([weighed.likelihood, before], total, weighed.score)
    known["likelihood"] = Operand(weighed.likelihood, "ln P(data | h)", digits=digits)
    known["before"] = Operand(before, "ln P(h)", "prior", digits)
    known["score"] = Operand(weighed.score)
    known["share"] = Operand(float(s.posterior[k]), about="posterior", digits=4)
    formula = Formula("ln P(data | h) P(h) =", "{likelihood} + {before}", "{score}")
    return note(lead, formula, most(s), best=Operand(s.best, about="best"), **known)


def most(s: State) -> Fact:
    """The fact of the most probable degree so far."""
    return Fact("most probable so far", f"degree {s.best}")


def choose(given: Setting, s: State) -> Note:
    lead = "The most probable curve has degree {best}, with {share}: {why}."
    if len(s.ties) > 1:
        lead = (
            "Degrees {tied} are as probable, with {share} each: only a prior with r below 1 could"
            " decide. The simplest, degree {best}, is taken."
        )
    least = min(range(len(s.weighed)), key=[one.loss for one in s.weighed].__getitem__)
    return note(
        lead,
        Fact("least Σ (y − h)²", f"degree {least}, {number(s.weighed[least].loss, 4)}"),
        Fact("its Σ (y − h)²", "{loss}"),
        best=Operand(s.best, about="best"),
        share=Operand(float(s.posterior[s.best]), about="posterior", digits=4),
        why=reason(given, s),
        tied=listed(str(k) for k in s.ties),
        **operands(given, s),
    )


def reason(given: Setting, s: State) -> str:
    """Why the most probable degree is it, where it has no equals."""
    highest = len(s.weighed) - 1
    if not highest:
        return "there is no other"
    if given.p.ratio == 1:
        return "with the same prior for all, the best fit is the most probable"
    if s.weighed[s.best].loss == 0 and s.best < highest:
        return "higher degrees meet every point as well, but their prior is lower"
    if s.best == highest:
        return "it fits so much better that it makes up for its low prior"
    if s.best == 0:
        return "the others gain less by their fit than their prior costs"
    return "simpler ones fit too badly, others gain less by their fit than their prior costs"


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """The value of the most probable curve at x (d,)."""
    at = float(x[given.column])
    if np.isnan(at):
        return Explanation(-1, missing_note(given.problem, x))
    if s.best < 0:
        return Explanation(-1, note("No curve is weighed yet, so every place has the value 0."))
    value = float(s.weighed[s.best].fit(np.array([at]))[0])
    words = note(
        "This place is called {name}: at x = {x} the most probable curve so far, of degree {best},"
        " has the value {value}.",
        name=fixed(value),
        x=at,
        best=Operand(s.best, about="best"),
        value=Operand(value, "h(x)"),
    )
    return Explanation(-1, words)
