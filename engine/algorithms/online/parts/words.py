"""Words and choices of experts who forecast example after example. ML Table 7.1, AIMA 18.10.1."""

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np

from engine.numerics.largest import largest
from engine.algorithms.online.parts import LONG
from engine.algorithms.online.parts.stream import tied, votes, winners
from engine.core.algorithm import Explanation
from engine.core.arrays import Float, Int, frozen
from engine.core.notation import counted, cut, plural, short, subscript
from engine.core.problem import Problem
from engine.core.scene import Bars
from engine.core.step import Choice, Fact, Formula, Note, Operand, Option, note, verbatim
from engine.core.sums import add_up

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
    return tuple(f.title for f in problem.features)


def listed(problem: Problem, which: Sequence[int]) -> str:
    """The names of these experts; of many only the first."""
    every = names(problem)
    rest = (
        f" and {len(which) - LISTED} {plural(len(which) - LISTED, 'other')}"
        if len(which) > LISTED
        else ""
    )
    return (", ".join(every[i] for i in which[:LISTED]) + rest) or "nobody"


def power(beta: float, mistakes: int) -> str:
    """A weight that is too small to write out: 0.5³²."""
    return f"{short(beta)}{str(max(mistakes, 0)).translate(RAISED)}"


def ratio(part: Fraction | float, whole: Fraction | float) -> Fraction | float:
    """Their quotient, exact where that is short enough to read."""
    share = part / whole
    readable = isinstance(share, Fraction) and share.denominator < 10**LONG
    return share if readable else float(share)


def start(given: Any, s: Any) -> Note:
    problem = given.problem
    lead = (
        "{n} {n:expert forecasts|experts forecast} “{target}”{n:|, each} with the weight 1. Each"
        " example is forecast first; then the truth is told."
    )
    return note(lead, n=problem.d, target=cut(problem.target.name) if problem.target else "")


def take(given: Any, s: Any) -> Note:
    """The forecasts: who says what."""
    problem = given.problem
    row = s.row
    says = given.says(s)
    facts = []
    for c in np.unique(says):
        facts.append(
            Fact(
                verbatim(problem.class_text(int(c))),
                verbatim(listed(problem, np.flatnonzero(says == c).tolist())),
            )
        )
    return note(
        "{point} comes up; what happens is not known yet. The experts forecast:",
        *facts,
        **_point(problem, row),
    )


def vote_note(given: Any, s: Any, q: Float, who: str = "Chance") -> Note:
    """The sum of weights for each class, and what the vote says. who: decides between equals."""
    problem = given.problem
    row = s.row
    terms = given.terms(s)
    says = given.says(s)
    said = s.said
    lead = "Weighted vote on {point}: {label} has {top} of {whole}."
    if len(tied(q)) > 1:
        lead = f"Weighted vote on {{point}}: a tie, {{top}} each. {who} decides for {{label}}."
    formulas, operands = sums(problem, terms, says)
    top = weight_of(terms, np.flatnonzero(says == said))
    whole = add_up(terms)
    label = problem.class_text(said)
    return note(
        lead, *formulas, label=label, top=top, whole=whole, **operands, **_point(problem, row)
    )


def weight_of(terms: Sequence[Fraction | float], who: Int) -> Fraction | float:
    total: Fraction | float = add_up(terms[i] for i in who.tolist())
    return total


def sums(
    problem: Problem, terms: Sequence[Fraction | float], says: Int
) -> tuple[list[Formula], dict[str, Operand]]:
    """q[class] = sum of the weights of the experts who say it, written out when short; classes
    nobody says are left out.
    """
    formulas: list[Formula] = []
    operands: dict[str, Operand] = {}
    for c in np.unique(says[says >= 0])[:LISTED].tolist():
        who = np.flatnonzero(says == c).tolist()
        few = len(who) <= LISTED
        body = (
            " + ".join(f"{{w{i}}}" for i in who)
            if few
            else f"weights of {counted(len(who), 'expert')}"
        )
        formulas.append(Formula(f"q[{verbatim(problem.class_text(c))}] =", body, f"{{q{c}}}"))
        operands[f"q{c}"] = Operand(add_up(terms[i] for i in who), "q", "weights")
        if few:
            operands |= {f"w{i}": Operand(terms[i], f"w{subscript(i + 1)}", "weights") for i in who}
    return formulas, operands


def vote_choice(problem: Problem, q: Float, said: int) -> Choice:
    options = tuple(Option(problem.class_text(c), float(v), value=c) for c, v in enumerate(q))
    best = tuple(tied(q).tolist())
    rule = TIE_RULE if len(best) > 1 else ""
    return Choice("What does the weighted vote say?", options, best, said, rule, "weight")


def truth(given: Any, s: Any) -> Note:
    problem = given.problem
    row = s.row
    missed = given.missed(s)
    mistakes = s.mistakes
    wrong = given.who(s)
    lead = "It is {label}: the forecast was right."
    if missed:
        lead = "It is {label}: the forecast was wrong, mistake {mistakes}."
    label = problem.class_text(int(problem.codes[row]))
    return note(
        lead,
        WRONG,
        label=label,
        mistakes=mistakes,
        wrong=len(wrong),
        n=problem.d,
        **_point(problem, row),
    )


def update(given: Any, s: Any) -> Note:
    """The weights of the wrong experts shrink, whether the forecast was right or not."""
    problem = given.problem
    beta = given.p.beta
    wrong = given.who(s)
    counts = s.wrong
    before = given.terms_before(s)
    after = given.terms(s)
    lead = "Wrong: {who}. " + ("Its weight is" if len(wrong) == 1 else "Their weights are")
    lead += " multiplied by β = {beta}, whether or not the forecast was right."
    parts = (CHANGE,) if len(wrong) <= LISTED else ()
    exact = all(isinstance(after[i], Fraction) for i in wrong.tolist())
    old, new = (
        tuple(weights[i] if exact else power(beta, int(counts[i]) - less) for i in wrong.tolist())
        for weights, less in ((before, 1), (after, 0))
    )
    return note(
        lead,
        *parts,
        who=listed(problem, wrong.tolist()),
        beta=Operand(beta, "β", digits=-1),
        before=Operand(old[0] if len(old) == 1 else old, "w", "weights"),
        after=Operand(new[0] if len(new) == 1 else new, "w", "weights"),
    )


def tally_note(given: Any, s: Any, formula: Formula, bound: float) -> Note:
    """Mistakes so far beside the best expert's, and the bound."""
    problem = given.problem
    seen = s.seen
    mistakes = s.mistakes
    wrong = s.wrong
    beta = given.p.beta
    limit = (
        f"; the bound on {'their number' if formula is VOTE_BOUND else 'the expected number'} is"
        " {bound}"
    )
    lead = (
        "{seen} {seen:example|examples}, mistakes:"
        f" {{mistakes}}{limit if isfinite(bound) else ''}. The best expert, {{name}}, made {{k}}."
    )
    best = int(wrong.argmin())
    return note(
        lead,
        formula,
        seen=seen,
        mistakes=Operand(mistakes, "M"),
        name=names(problem)[best],
        k=Operand(int(wrong[best]), "k"),
        beta=Operand(beta, "β", digits=-1),
        n=Operand(problem.d, "n"),
        bound=bound,
    )


def draw_note(problem: Problem, terms: Sequence[Fraction | float], expert: int, u: float) -> Note:
    """Whom chance has picked."""
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
    """Why this label?

    What every expert forecasts and how much that weighs; says (K,) at one place.
    """
    q = votes(w, says[None], len(problem.classes))
    label = int(winners(q)[0])
    if label < 0:
        return Explanation(
            -1, note("No expert with any weight has a forecast here, so there is no class.")
        )
    lead = "{label} has {top} of {whole}, the largest weight."
    if by_draw:
        lead = "{label} is the likeliest forecast: a drawn expert says so with probability {p}."
    if len(tied(q[0])) > 1:
        lead = "A tie with {top} each: {label} is the first of them in order."
    formulas, operands = sums(problem, terms, says)
    voting = np.flatnonzero(says >= 0)
    top, whole = weight_of(terms, np.flatnonzero(says == label)), weight_of(terms, voting)
    share = ratio(top, whole)
    said = note(
        lead, *formulas, label=problem.class_text(label), top=top, whole=whole, p=share, **operands
    )
    shown = heaviest(w)
    every, tags = (tuple(of[i] for i in shown) for of in (names(problem), problem.column_tags))
    bars = Bars(
        "Votes", every, frozen(w[shown]), group=frozen(says[shown]), tag="weights", tags=tags
    )
    return Explanation(label, said, bars)


def heaviest(w: Float) -> Int:
    """Up to twelve experts, those with most weight, in table order."""
    return np.sort(largest(w, SHOWN))


def _point(problem: Problem, row: int) -> dict[str, Operand]:
    return {"point": Operand(problem.names[row], about="current")}
