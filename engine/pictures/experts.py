"""Words, table, bars, curves and wheel of experts who forecast example after example. ML Table 7.1, AIMA 18.10.1."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import log10

import numpy as np

from engine.core.algorithm import Explanation
from engine.core.arrays import Bool, Float, Int, frozen
from engine.core.dataset import Feature
from engine.core.notation import fixed, subscript, value_text
from engine.core.problem import Problem
from engine.core.scene import (
    NO_GROUP,
    Bars,
    Boxes,
    Figure,
    Layer,
    Plot,
    Polyline,
    Role,
    Segments,
    Table,
    TableColumn,
)
from engine.core.step import Choice, Fact, Formula, Note, Operand, Option, note
from engine.numerics.experts import TINY, Stream, breaks, race, share_curves, tied, votes, winners
from engine.pictures.text_columns import text_column

SHOWN = 12  # bars and curves that can be read at once
LISTED = 8  # terms of a sum, names of a list
LONG = 7  # digits of a fraction that a person would still write
TIE_RULE = "Equal weights: one of them is drawn at random (ML Table 7.1)."

CHANGE = Formula("w ←", "{beta} · {before}", "{after}")
SHARE = Formula("P({expert}) =", "{w} ÷ {W}", "{p}")
RISK = Formula("P(mistake) =", "{bad} ÷ {W}", "{p}")
VOTE_BOUND = Formula("M ≤", "({k} · log₂(1/{beta}) + log₂ {n}) / log₂(2/(1 + {beta}))", "{bound}")
DRAW_BOUND = Formula("E[M] <", "({k} · ln(1/{beta}) + ln {n}) / (1 − {beta})", "{bound}")
WRONG = Fact("experts wrong", "{wrong} of {n}")
REGRET = (
    Fact("expected mistakes", "{expected}"),
    Fact("regret, mistakes more than the best expert's", "{regret}"),
    Fact("bound on the expected regret", "{most}"),
)


# -- words -------------------------------------------------------------------------------------------------------------


def names(problem: Problem) -> tuple[str, ...]:
    return tuple(f.title for f in problem.features)


def listed(problem: Problem, which: Sequence[int]) -> str:
    """The names of these experts; of many only the first."""
    every = names(problem)
    rest = f" and {len(which) - LISTED} others" if len(which) > LISTED else ""
    return (", ".join(every[i] for i in which[:LISTED]) + rest) or "nobody"


def exact(wrong: Int, beta: float, w: Float) -> tuple[Fraction | float, ...]:
    """The weights as fractions where they are short, else as numbers."""
    base = Fraction(str(beta))
    size = max(log10(base.denominator), 1e-9)
    return tuple(base ** int(m) if m * size < LONG else float(v) for m, v in zip(wrong, w, strict=True))


def start_note(problem: Problem) -> Note:
    lead = "{n} experts forecast “{target}”, each with the weight 1. Each example is forecast first; then the truth is told."
    return note(lead, n=problem.d, target=problem.target.name if problem.target else "")


def take_note(problem: Problem, row: int, says: Int) -> Note:
    """The forecasts: who says what."""
    facts = []
    for c in np.unique(says):
        facts.append(
            Fact(_safe(problem.class_text(int(c))), _safe(listed(problem, np.flatnonzero(says == c).tolist())))
        )
    return note(
        "{point} comes up; what happens is not known yet. The experts forecast:", *facts, **_point(problem, row)
    )


def vote_note(problem: Problem, row: int, terms: Sequence[Fraction | float], says: Int, q: Float, said: int) -> Note:
    """The sum of weights for each class, and what the vote says."""
    lead = "Weighted vote on {point}: {label} has {top} of {whole}."
    if len(tied(q)) > 1:
        lead = "Weighted vote on {point}: a tie, {top} each. Chance decides for {label}."
    formulas, operands = sums(problem, terms, says)
    top, whole = weight_of(terms, np.flatnonzero(says == said)), sum(terms)
    label = problem.class_text(said)
    return note(lead, *formulas, label=label, top=top, whole=whole, **operands, **_point(problem, row))


def weight_of(terms: Sequence[Fraction | float], who: Int) -> Fraction | float:
    total: Fraction | float = sum(terms[i] for i in who.tolist())
    return total


def sums(problem: Problem, terms: Sequence[Fraction | float], says: Int) -> tuple[list[Formula], dict[str, Operand]]:
    """q[class] = sum of the weights of the experts who say it, written out when short; classes nobody says are left out."""
    formulas: list[Formula] = []
    operands: dict[str, Operand] = {}
    for c in np.unique(says[says >= 0])[:LISTED].tolist():
        who = np.flatnonzero(says == c).tolist()
        short = len(who) <= LISTED
        body = " + ".join(f"{{w{i}}}" for i in who) if short else f"weights of {len(who)} experts"
        formulas.append(Formula(f"q[{_safe(problem.class_text(c))}] =", body, f"{{q{c}}}"))
        operands[f"q{c}"] = Operand(sum(terms[i] for i in who), "q", "weights")
        if short:
            operands |= {f"w{i}": Operand(terms[i], f"w{subscript(i + 1)}", "weights") for i in who}
    return formulas, operands


def vote_choice(problem: Problem, q: Float, said: int) -> Choice:
    options = tuple(Option(problem.class_text(c), float(v)) for c, v in enumerate(q))
    best = tuple(tied(q).tolist())
    rule = TIE_RULE if len(best) > 1 else ""
    return Choice("What does the weighted vote say?", options, best, said, rule, "weight")


def truth_note(problem: Problem, row: int, missed: bool, mistakes: int, wrong: Int) -> Note:
    lead = "It is {label}: the forecast was right."
    if missed:
        lead = "It is {label}: the forecast was wrong, mistake {mistakes}."
    label = problem.class_text(int(problem.codes[row]))
    return note(lead, WRONG, label=label, mistakes=mistakes, wrong=len(wrong), n=problem.d, **_point(problem, row))


def update_note(
    problem: Problem, beta: float, wrong: Int, before: Sequence[Fraction | float], after: Sequence[Fraction | float]
) -> Note:
    """The weights of the wrong experts shrink, whether the forecast was right or not."""
    lead = "Wrong: {who}. Their weights are multiplied by β = {beta}, whether or not the forecast was right."
    short = all(isinstance(after[i], Fraction) for i in wrong.tolist())
    parts = (CHANGE,) if short and len(wrong) <= LISTED else ()
    return note(
        lead,
        *parts,
        who=listed(problem, wrong.tolist()),
        beta=Operand(beta, "β", digits=-1),
        before=Operand(tuple(before[i] for i in wrong.tolist()), "w", "weights"),
        after=Operand(tuple(after[i] for i in wrong.tolist()), "w", "weights"),
    )


def tally_note(
    problem: Problem, formula: Formula, seen: int, mistakes: int, wrong: Int, beta: float, bound: float
) -> Note:
    """Mistakes so far beside the best expert's, and the bound."""
    lead = "{seen} examples, mistakes: {mistakes}. The best expert, {name}, made {k}."
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


def draw_note(problem: Problem, w: Float, terms: Sequence[Fraction | float], expert: int, u: float) -> Note:
    """Whom chance has picked."""
    share = float(w[expert] / w.sum())
    return note(
        "Chance draws {u}, which lies on the part of {expert}: {p} of all weight.",
        SHARE,
        u=Operand(u, "u", "drawn", 3),
        expert=Operand(names(problem)[expert], about="drawn"),
        w=Operand(terms[expert], "w", "weights"),
        W=Operand(sum(terms), "W", "weights"),
        p=Operand(share, "P", digits=3),
    )


def risk_note(
    problem: Problem, row: int, missed: bool, mistakes: int, wrong: Bool, terms: Sequence[Fraction | float], risk: float
) -> Note:
    """What happened, and how likely a mistake was whoever had been drawn."""
    who = np.flatnonzero(wrong)
    said = truth_note(problem, row, missed, mistakes, who)
    added = note(
        "",
        bad=Operand(weight_of(terms, who), "w(wrong)", "weights"),
        W=Operand(sum(terms), "W", "weights"),
        p=Operand(risk, digits=3),
    )
    return Note(said.lead, (RISK,), said.facts, {**said.operands, **added.operands})


def explanation(problem: Problem, says: Int, w: Float, terms: Sequence[Fraction | float], by_draw: bool) -> Explanation:
    """Why this label? What every expert forecasts and how much that weighs; says (K,) at one place."""
    q = votes(w, says[None], len(problem.classes))
    label = int(winners(q)[0])
    if label < 0:
        return Explanation(-1, note("No expert with any weight has a forecast here, so there is no class."))
    lead = "{label} has {top} of {whole}, the largest weight."
    if by_draw:
        lead = "{label} is the likeliest forecast: a drawn expert says so with probability {p}."
    if len(tied(q[0])) > 1:
        lead = "A tie with {top} each: {label} is the first of them in order."
    formulas, operands = sums(problem, terms, says)
    voting = np.flatnonzero(says >= 0)
    top, whole = weight_of(terms, np.flatnonzero(says == label)), weight_of(terms, voting)
    share = float(q[0, label] / q[0].sum())
    said = note(lead, *formulas, label=problem.class_text(label), top=top, whole=whole, p=share, **operands)
    shown = heaviest(w)
    bars = Bars(
        "Votes", tuple(names(problem)[i] for i in shown), frozen(w[shown]), group=frozen(says[shown]), tag="weights"
    )
    return Explanation(label, said, bars)


def _point(problem: Problem, row: int) -> dict[str, Operand]:
    return {"point": Operand(problem.names[row], about="current")}


def _safe(text: str) -> str:
    """A label inside a template."""
    return text.replace("{", "(").replace("}", ")")


# -- figures -----------------------------------------------------------------------------------------------------------


def heaviest(w: Float) -> Int:
    """Up to twelve experts, those with most weight, in table order."""
    return np.sort(np.argsort(-w, kind="stable")[:SHOWN])


def figures(
    problem: Problem, stream: Stream, beta: float, seen: int, says: Int | None, wrong: Int, w: Float, before: Float,
    amber: Sequence[int] = (),
) -> tuple[Figure, ...]:  # fmt: skip
    """Shares of weight over time, weights now, table of experts. amber: the experts this step speaks of."""
    return (
        share_plot(problem, stream, beta, seen, w),
        weight_bars(problem, says, w, before, amber),
        expert_table(problem, says, wrong, exact(wrong, beta, w), w, amber),
    )


def share_plot(problem: Problem, stream: Stream, beta: float, seen: int, w: Float) -> Plot:
    """Every expert's share of all weight after each example; the heaviest now in amber, of many only the heaviest."""
    x, share = share_curves(stream, beta, seen)
    best, every = int(w.argmax()), names(problem)
    layers: list[Layer] = []
    for i in sorted(heaviest(w).tolist(), key=lambda i: i == best):
        role = Role.ACTIVE if i == best and seen else Role.INACTIVE
        xy = frozen(np.column_stack([x, share[:, i]]))
        layers.append(Polyline(xy, role, label=every[i] if i == best and seen else "", tag="weights"))
    top = float(np.nanmax(share, initial=1 / problem.d))
    title = "Shares" if problem.d <= SHOWN else f"Shares, top {SHOWN}"
    return Plot(
        title, "examples", "share of all weight", tuple(layers), beside=True,
        x_range=(0.0, max(1.0, 1.4 * seen)), y_range=(0.0, min(1.05, 1.15 * top)),
    )  # fmt: skip


def race_plot(stream: Stream, misses: Sequence[int], seen: int, bound: Callable[[int], float]) -> Plot:
    """Mistakes so far beside those of the best expert; the bound dashed. misses: positions of the mistakes."""
    x, *curves = race(stream, misses, seen, bound)
    kinds = ((Role.ACTIVE, "mistakes"), (Role.PLAIN, "best"), (Role.MARGIN, "bound"))
    layers = tuple(
        Polyline(frozen(np.column_stack([x, y])), role, label=name if seen else "")
        for y, (role, name) in zip(curves, kinds, strict=True)
    )
    top = float(np.nanmax(curves, initial=1.0))
    return Plot(
        "Mistakes", "examples", "mistakes", layers, x_range=(0.0, max(1.0, 1.5 * seen)), y_range=(0.0, 1.15 * top)
    )


def weight_bars(problem: Problem, says: Int | None, w: Float, before: Float, amber: Sequence[int]) -> Bars:
    shown, every = heaviest(before), names(problem)
    title = "Weights" if problem.d <= SHOWN else f"Weights, top {SHOWN}"
    roles = tuple(Role.ACTIVE if i in amber else Role.PLAIN for i in shown)
    group = None if says is None else frozen(says[shown])
    labels = tuple(every[i] for i in shown)
    return Bars(title, labels, frozen(w[shown]), roles, frozen(before[shown]), group, digits=4, tag="weights")


def expert_table(
    problem: Problem, says: Int | None, wrong: Int, terms: Sequence[Fraction | float], w: Float, amber: Sequence[int]
) -> Table:
    """Name, forecast today, weight, share of all weight, mistakes."""
    said = np.full(problem.d, NO_GROUP) if says is None else says
    columns = (
        text_column("expert", names(problem)),
        text_column("forecast", [problem.class_text(int(c)) if c >= 0 else "–" for c in said]),
        text_column("weight", [value_text(v) for v in terms]),
        TableColumn(Feature("share"), frozen(w / max(float(w.sum()), TINY)), digits=3),
        TableColumn(Feature("mistakes"), frozen(wrong, np.float64)),
    )
    return Table("Experts", columns, names(problem), frozen(said, np.intp), current=tuple(amber), tag="weights")


def wheel(problem: Problem, w: Float, says: Int | None, u: float | None, expert: int) -> Plot:
    """The weights laid side by side from 0 to 1: the drawn number falls on one expert's part."""
    every, parts = names(problem), list(breaks(w))
    wide = [i for i, (low, high) in enumerate(parts) if high - low > 0.002 or i == expert]
    bounds = frozen([[parts[i][0], 0.0, parts[i][1], 1.0] for i in wide])
    group = frozen([NO_GROUP if says is None else int(says[i]) for i in wide], np.intp)
    label = tuple(every[i] if parts[i][1] - parts[i][0] > 0.03 * len(every[i]) + 0.02 else "" for i in wide)
    layers: list[Layer] = [Boxes(bounds, group, label=label, tag="weights")]
    if u is not None:
        low, high = parts[expert]
        layers.append(Boxes(frozen([[low, 0.0, high, 1.0]]), frozen([NO_GROUP]), Role.ACTIVE, tag="drawn"))
        ends = frozen([[[u, -0.25], [u, 1.25]]])
        layers.append(Segments(ends, Role.ACTIVE, (fixed(u, 3),), tag="drawn"))
    return Plot("Draw", "weights side by side", "", tuple(layers), beside=True, x_range=(0.0, 1.0), y_range=(-0.4, 1.4))
