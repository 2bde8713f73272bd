"""Words and choices of experts who forecast example after example. ML Table 7.1, AIMA 18.10.1."""

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np

from engine.algorithms.online.parts import LONG
from engine.algorithms.online.parts.stream import tied, votes, winners
from engine.base.arrays import Float, Int, frozen
from engine.base.notation import counted, cut, plural, short, subscript
from engine.base.sums import add_up
from engine.numerics.largest import largest
from engine.protocol.algorithm import Explanation
from engine.protocol.step import Choice, Fact, Formula, Note, Operand, Option, note, verbatim
from engine.scene.scene import Bars
from engine.table.problem import Problem

SHOWN = 12  # bars and curves that can be read at once
LISTED = 8  # terms of a sum, names of a list
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
TIE_RULE = "Equal weights: one of them is drawn at random (ML Table 7.1)."

CHANGE = Formula("w ←", "{beta} · {before}", "{after}")
SHARE = Formula("P({expert}) =", "{w} ÷ {W}", "{p}")
RISK = Formula("P(mistake) =", "{bad} ÷ {W}", "{p}")
VOTE_BOUND = Formula("M ≤", "({k} · log₂(1/{beta}) + log₂ {n}) / log₂(2/(1 + {beta}))", "{bound}")
DRAW_BOUND = Formula("E[M] ≤", "({k} · ln(1/{beta}) + ln {n}) / (1 − {beta})", "{bound}")
WRONG = Fact("experts wrong", "{wrong} of {n}")
REGRET = (
    Fact("expected mistakes", "{expected}"),
    Fact("regret, mistakes more than the best expert's", "{regret}"),
    Fact("bound on the expected regret", "{most}"),
)


# -- words -----------------------------------------------------------------------------------------


def names(problem: Problem) -> tuple[str, ...]:
    """The names of the experts."""
    return tuple(feature.title for feature in problem.features)


def listed(problem: Problem, which: Sequence[int]) -> str:
    """The names of these experts as text; of many only the first ones."""
    if not which:
        return "none"
    every = names(problem)
    text = ", ".join(every[i] for i in which[:LISTED])
    others = len(which) - LISTED
    if others > 0:
        text += f" and {others} {plural(others, 'other')}"
    return text


def power(beta: float, mistakes: int) -> str:
    """A weight as a power of β: "0.5³²"."""
    return f"{short(beta)}{str(max(mistakes, 0)).translate(RAISED)}"


def ratio(part: Fraction | float, whole: Fraction | float) -> Fraction | float:
    """part / whole, as a fraction where that is short enough to read."""
    share = part / whole
    if isinstance(share, Fraction) and share.denominator < 10**LONG:
        return share
    return float(share)


def start(given: Any, s: Any) -> Note:
    """The note of the experts and what they forecast."""
    problem = given.problem
    lead = (
        "{n} {n:expert forecasts|experts forecast} “{target}”{n:|, each} with the weight 1. Each"
        " example is forecast first; then its class is shown."
    )
    return note(lead, n=problem.d, target=cut(problem.target.name) if problem.target else "")


def take(given: Any, s: Any) -> Note:
    """The note of the forecasts, with the experts for each class."""
    problem = given.problem
    says = given.says(s)
    facts = []
    for c in np.unique(says).tolist():
        experts = np.flatnonzero(says == c).tolist()
        facts.append(Fact(verbatim(problem.class_text(c)), verbatim(listed(problem, experts))))
    return note(
        "{point} comes up; what happens is not known yet. The experts forecast:",
        *facts,
        **_point(problem, s.row),
    )


def vote_note(given: Any, s: Any, q: Float, decider: str = "Chance") -> Note:
    """The note of the sums of weights for each class and the outcome of the vote. decider: the rule
    for ties
    """
    problem = given.problem
    terms = given.terms(s)
    says = given.says(s)
    lead = "Weighted vote on {point}: {label} has {top} of {whole}."
    if len(tied(q)) > 1:
        lead = f"Weighted vote on {{point}}: a tie, {{top}} each. {decider} decides for {{label}}."
    formulas, operands = sums(problem, terms, says)
    return note(
        lead,
        *formulas,
        label=problem.class_text(s.said),
        top=weight_of(terms, np.flatnonzero(says == s.said)),
        whole=add_up(terms),
        **operands,
        **_point(problem, s.row),
    )


def weight_of(terms: Sequence[Fraction | float], experts: Int) -> Fraction | float:
    """The sum of the weights of these experts."""
    total: Fraction | float = add_up(terms[i] for i in experts.tolist())
    return total


def sums(
    problem: Problem, terms: Sequence[Fraction | float], says: Int
) -> tuple[list[Formula], dict[str, Operand]]:
    """(formulas, their operands): q[class] = the sum of the weights of the experts who say it,
    written out when short; without the classes that no expert says.
    """
    formulas: list[Formula] = []
    operands: dict[str, Operand] = {}
    for c in np.unique(says[says >= 0])[:LISTED].tolist():
        experts = np.flatnonzero(says == c).tolist()
        body = f"weights of {counted(len(experts), 'expert')}"
        if len(experts) <= LISTED:
            body = " + ".join(f"{{w{i}}}" for i in experts)
            for i in experts:
                operands[f"w{i}"] = Operand(terms[i], f"w{subscript(i + 1)}", "weights")
        formulas.append(Formula(f"q[{verbatim(problem.class_text(c))}] =", body, f"{{q{c}}}"))
        operands[f"q{c}"] = Operand(add_up(terms[i] for i in experts), "q", "weights")
    return formulas, operands


def vote_choice(problem: Problem, q: Float, said: int) -> Choice:
    """The choice among the classes by weight. q: (classes,); said: the class taken"""
    options = tuple(Option(problem.class_text(c), float(v), value=c) for c, v in enumerate(q))
    best = tuple(tied(q).tolist())
    rule = TIE_RULE if len(best) > 1 else ""
    return Choice("What does the weighted vote say?", options, best, said, rule, "weight")


def truth(given: Any, s: Any) -> Note:
    """The note of the true label, and whether the forecast was right."""
    problem = given.problem
    lead = "It is {label}: the forecast was right."
    if given.missed(s):
        lead = "It is {label}: the forecast was wrong, mistake {mistakes}."
    return note(
        lead,
        WRONG,
        label=problem.class_text(int(problem.codes[s.row])),
        mistakes=s.mistakes,
        wrong=len(given.erred(s)),
        n=problem.d,
        **_point(problem, s.row),
    )


def update(given: Any, s: Any) -> Note:
    """The note of the reduced weights of the experts who were wrong."""
    wrong = given.erred(s).tolist()
    before, after = written_weights(given, s, wrong)
    verb = "Its weight is" if len(wrong) == 1 else "Their weights are"
    lead = (
        f"Wrong: {{who}}. {verb} multiplied by β = {{beta}}, whether or not the forecast was right."
    )
    return note(
        lead,
        *((CHANGE,) if len(wrong) <= LISTED else ()),
        who=listed(given.problem, wrong),
        beta=Operand(given.p.beta, "β", digits=-1),
        before=Operand(before[0] if len(wrong) == 1 else before, "w", "weights"),
        after=Operand(after[0] if len(wrong) == 1 else after, "w", "weights"),
    )


def written_weights(
    given: Any, s: Any, experts: Sequence[int]
) -> tuple[tuple[Fraction | str, ...], tuple[Fraction | str, ...]]:
    """(weights of these experts before the last example, after it): as fractions, as powers of β
    where one of them is long.
    """
    before = given.terms_before(s)
    after = given.terms(s)
    if all(isinstance(after[i], Fraction) for i in experts):
        return tuple(before[i] for i in experts), tuple(after[i] for i in experts)
    beta = given.p.beta
    counts = [int(s.wrong[i]) for i in experts]
    return (
        tuple(power(beta, count - 1) for count in counts),
        tuple(power(beta, count) for count in counts),
    )


def tally_note(given: Any, s: Any, formula: Formula, bound: float) -> Note:
    """The note of the mistakes so far, with the best expert's and the bound."""
    problem = given.problem
    best = int(s.wrong.argmin())
    lead = "{seen} {seen:example|examples}, mistakes: {mistakes}"
    if isfinite(bound):
        number = "their number" if formula is VOTE_BOUND else "the expected number"
        lead += f"; the bound on {number} is {{bound}}"
    return note(
        lead + ". The best expert, {name}, made {k}.",
        formula,
        seen=s.seen,
        mistakes=Operand(s.mistakes, "M"),
        name=names(problem)[best],
        k=Operand(int(s.wrong[best]), "k"),
        beta=Operand(given.p.beta, "β", digits=-1),
        n=Operand(problem.d, "n"),
        bound=bound,
    )


def draw_note(problem: Problem, terms: Sequence[Fraction | float], expert: int, u: float) -> Note:
    """The note of the expert drawn by chance. u: the random number in [0, 1)"""
    share = ratio(terms[expert], add_up(terms))
    return note(
        "Chance draws {u}, which lies on the part of {expert}: {p} of all weight.",
        SHARE,
        u=Operand(u, "u", "drawn", 3),
        expert=Operand(names(problem)[expert], about="drawn"),
        w=Operand(terms[expert], "w", "weights"),
        W=Operand(add_up(terms), "W", "weights"),
        p=Operand(share, "P", digits=3),
    )


def explanation(
    problem: Problem, says: Int, w: Float, terms: Sequence[Fraction | float], by_draw: bool
) -> Explanation:
    """Why a place has its label: what every expert forecasts there and how much that weighs.

    says: (K,) the forecasts, −1 for none; by_draw: whether an expert is drawn; else they vote
    """
    q = votes(w, says[None], len(problem.classes))
    label = int(winners(q)[0])
    if label < 0:
        nothing = note("No expert with any weight has a forecast here, so there is no class.")
        return Explanation(-1, nothing)
    lead = "{label} has {top} of {whole}, the largest weight."
    if by_draw:
        lead = "{label} is the likeliest forecast: a drawn expert says so with probability {p}."
    if len(tied(q[0])) > 1:
        lead = "A tie with {top} each: {label} is the first of them in order."
    formulas, operands = sums(problem, terms, says)
    top = weight_of(terms, np.flatnonzero(says == label))
    whole = weight_of(terms, np.flatnonzero(says >= 0))
    said = note(
        lead,
        *formulas,
        label=problem.class_text(label),
        top=top,
        whole=whole,
        p=ratio(top, whole),
        **operands,
    )
    shown = heaviest(w)
    every = names(problem)
    bars = Bars(
        "Votes",
        tuple(every[i] for i in shown),
        frozen(w[shown]),
        group=frozen(says[shown]),
        tag="weights",
        tags=tuple(problem.column_tags[i] for i in shown),
    )
    return Explanation(label, said, bars)


def heaviest(w: Float) -> Int:
    """(m,) the experts with most weight, at most twelve, in table order."""
    return np.sort(largest(w, SHOWN))


def _point(problem: Problem, row: int) -> dict[str, Operand]:
    """The operand of the example looked at."""
    return {"point": Operand(problem.names[row], about="current")}
