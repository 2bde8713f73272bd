"""What naive Bayes with any number of classes shares: ln S of each class, the chances of the
classes, the class that wins, and their words and pictures. ML 6.13.
"""

from collections.abc import Iterable
from typing import Any

from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Formula,
    Int,
    Note,
    Operand,
    Option,
    Setting,
    cached_property,
    frozen,
    note,
    np,
)
from engine.base.notation import counted, cut, fixed
from engine.base.tags import class_tags
from engine.numerics.closeness import settled, tied_with_best
from engine.scene.scene import Bars, Role

SHOWN = 4  # classes whose products are written out
SMALL = -9.0  # ln S of the likeliest class, below which logarithms are added
TIE = "equal products: the first of these classes"


class Counted(Setting[Any]):
    """The labelled examples by class."""

    @property
    def k(self) -> int:
        """The number of classes."""
        return len(self.problem.classes)

    @cached_property
    def prior(self) -> Float:
        """(k,) P(v), the share of each class among the labelled examples."""
        counts = self.problem.counts
        return frozen(counts / counts.sum())

    @cached_property
    def members(self) -> Float:
        """(n, k) 1 where a row is an example of a class, else 0."""
        return np.asarray(self.problem.codes[:, None] == np.arange(self.k), np.float64)

    def wrong(self, logs: Float) -> int:
        """How many labelled examples get another class by ln S (n, k)."""
        other = winner(logs) != self.problem.codes
        return int((other & self.problem.labelled).sum())


def ln(values: Float) -> Float:
    """The logarithms of chances, −∞ of 0."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(values))


def winner(logs: Float) -> Int:
    """(m,) the class with the largest ln S (m, k), the first of equal ones; −1 where all S are
    0.
    """
    best = np.argmax(tied_with_best(logs, size=sizes(logs)), axis=1)
    return np.where(np.isfinite(logs).any(axis=1), best, -1)


def sizes(logs: Float) -> Float:
    """(m, 1) the size of what rounding can change in ln S (m, k)."""
    finite = np.where(np.isfinite(logs), np.abs(logs), 0.0)
    return np.asarray(1 + finite.max(axis=1, keepdims=True))


def lead(logs: Float) -> Float:
    """ln S (m, k) as scores: of two classes (m,) ln S(first) − ln S(second), else as they are; NaN
    where all S are 0.
    """
    none = np.asarray(~np.isfinite(logs).any(axis=1))
    if logs.shape[1] != 2:
        return np.where(none[:, None], np.nan, logs)
    with np.errstate(invalid="ignore"):
        return np.where(none, np.nan, settled(logs[:, 0] - logs[:, 1], sizes(logs)[:, 0]))


def chances(logs: Float) -> Float:
    """(m, k) P(v|x) = S(v) / Σ S of ln S (m, k); even where all S are 0."""
    top = logs.max(axis=1, keepdims=True)
    parts = np.where(np.isfinite(top), np.exp(logs - np.where(np.isfinite(top), top, 0.0)), 1.0)
    return np.asarray(parts / parts.sum(axis=1, keepdims=True))


# -- pictures and words ----------------------------------------------------------------------------


def chance_bars(
    given: Counted,
    logs: Float,
    title: str = "Chances: P(v|x)",
    lit: Iterable[int] | None = None,
    before: Float | None = None,
) -> Bars:
    """Bars of the chances of the classes at one place.

    logs: (k,) ln S; before: (k,) what they were before this step; lit: the classes that a step
    speaks of; None: it decides, the winner is highlighted, those of a tie are ghosts
    """
    roles = [Role.PLAIN] * given.k
    here = set(() if lit is None else lit)
    lighted = Role.ACTIVE
    if lit is None:
        tied = tied_with_best(logs[None], size=sizes(logs[None]))[0]
        here = set(np.flatnonzero(tied).tolist())
        lighted = Role.ACTIVE if len(here) == 1 else Role.GHOST
    for v in here:
        roles[v] = lighted
    return Bars(
        title,
        given.problem.class_names,
        frozen(chances(logs[None])[0]),
        tuple(roles),
        None if before is None else frozen(chances(before[None])[0]),
        group=np.arange(given.k),
        digits=3,
        limit=1.0,
        tag="chances",
        tags=class_tags(given.k),
        ticks="" if before is None else "before this step",
        checked=lit is None,
    )


def step_bars(
    given: Counted, line: str, logs: Float, before: Float, used: int, whole: int, label: int = -1
) -> Bars:
    """The chances of the query as a step knows them: the priors; after each factor, with what they
    were before it; the answer.

    logs, before: (k,) ln S now and before a factor; used: how many of the `whole` factors are
    multiplied; label: the class whose prior this step computes, −1 for all
    """
    if line == "factor":
        title = f"Chances: after {used} of {counted(whole, 'factor')}"
        return chance_bars(given, logs, title, (), before)
    if used:
        return chance_bars(given, logs)
    now = range(given.k) if label < 0 else (label,)
    return chance_bars(given, logs, "Chances: P(v)", now if line in ("prior", "query") else ())


def priors_title(given: Counted, name: str) -> str:
    """The title of a view with the priors of the classes; of many classes the name alone."""
    if given.k > SHOWN:
        return name
    pairs = zip(given.problem.class_names, given.prior.tolist(), strict=True)
    return f"{name}: " + ", ".join(f"P({cut(v)}) {fixed(p, 3)}" for v, p in pairs)


def shown(given: Counted, *logs: Float) -> list[int]:
    """The classes that a note writes out: all of few, else those with the largest last ln S."""
    if given.k <= SHOWN:
        return list(range(given.k))
    return sorted(np.argsort(-logs[-1], kind="stable")[:SHOWN].tolist())


def products(
    given: Counted, before: Float, factors: Float, sign: str, whole: Float, about: str
) -> tuple[Any, Any]:
    """(formulas S(v) ← S(v) · P, their operands) of one factor; of products that become too small
    to be read their logarithms.

    before: (k,) ln S; factors: (k,); sign: what the factor is called; whole: (k,) ln S of all
    factors; about: tag of what a factor lights
    """
    after = before + ln(factors)
    vanishing = bool(whole.max() < SMALL)
    formulas = []
    numbers = dict[str, Any]()
    for c in shown(given, after):
        numbers[f"c{c}"] = given.problem.class_text(c)
        numbers[f"r{c}"] = Operand(float(factors[c]), sign, about, 4)
        if vanishing:
            formulas.append(Formula(f"ln S({{c{c}}}) ←", f"{{s{c}}} + ln {{r{c}}}", f"{{t{c}}}"))
            numbers[f"s{c}"] = Operand(float(before[c]), "ln S")
            numbers[f"t{c}"] = Operand(float(after[c]), about="chances")
        else:
            formulas.append(Formula(f"S({{c{c}}}) ←", f"{{s{c}}} · {{r{c}}}", f"{{t{c}}}"))
            numbers[f"s{c}"] = Operand(float(np.exp(before[c])), "S", digits=4)
            numbers[f"t{c}"] = Operand(float(np.exp(after[c])), about="chances", digits=4)
    return formulas, numbers


def priors(given: Counted) -> tuple[Any, Any]:
    """(facts P(v), their operands)."""
    facts = []
    numbers = dict[str, Any]()
    for c in shown(given, given.prior):
        facts.append(Fact(f"P({{c{c}}})", f"{{p{c}}}"))
        numbers[f"c{c}"] = given.problem.class_text(c)
        numbers[f"p{c}"] = Operand(float(given.prior[c]), digits=3)
    return facts, numbers


def answered(given: Counted, logs: Float, errors: int) -> tuple[Note, Choice]:
    """The note and the choice of the answer. logs: (k,) ln S; errors: wrong examples"""
    best = int(winner(logs[None])[0])
    P = chances(logs[None])[0]
    facts, numbers = posteriors(given, logs, P)
    lead_text = "{answer} has the largest S: made to add up to 1, its chance is {chance}."
    winners = np.flatnonzero(tied_with_best(logs[None], size=sizes(logs[None]))[0]).tolist()
    if best < 0:
        lead_text = "Every class has a factor of 0: all S are 0, and there is no answer."
        winners = list(range(given.k))
    elif len(winners) > 1:
        lead_text = (
            "{count} {count:class has|classes have} the same S; the first of them is {answer}."
        )
    said = note(
        lead_text,
        *facts,
        Fact("wrong examples", "{errors}"),
        answer=given.problem.class_text(best),
        chance=Operand(float(P[best]), about="chances", digits=3),
        count=len(winners),
        errors=errors,
        **numbers,
    )
    options = tuple(
        Option(given.problem.class_text(c), float(P[c]), value=c) for c in range(given.k)
    )
    rule = TIE if len(winners) > 1 else ""
    return said, Choice("Which class?", options, tuple(winners), winners[0], rule, "P(v|x)")


def posteriors(given: Counted, logs: Float, P: Float) -> tuple[Any, Any]:
    """(facts P(v|x), their operands) of the classes that are written out."""
    facts = []
    numbers = dict[str, Any]()
    for c in shown(given, logs):
        facts.append(Fact(f"P({{c{c}}} | x)", f"{{p{c}}}"))
        numbers[f"c{c}"] = given.problem.class_text(c)
        numbers[f"p{c}"] = Operand(float(P[c]), about="chances", digits=3)
    return facts, numbers


def explained(given: Counted, logs: Float) -> Explanation:
    """The answer at a place with ln S (k,): the chance of every class."""
    best = int(winner(logs[None])[0])
    P = chances(logs[None])[0]
    facts, numbers = posteriors(given, logs, P)
    text = "{answer} has the largest product S; its chance is {chance}."
    if best < 0:
        text = "All products S are 0: no class is possible here."
    said = note(
        text,
        *facts,
        answer=given.problem.class_text(best),
        chance=Operand(float(P[best]), digits=3),
        **numbers,
    )
    return Explanation(best, said, chance_bars(given, logs))
