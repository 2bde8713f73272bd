"""What K2 says."""

from math import exp

from engine.algorithms.bayes.k2_search import Params, Setting, State
from engine.algorithms.bayes.parts import case_tag
from engine.algorithms.bayes.parts.answers import explain as explain
from engine.algorithms.bayes.parts.score import best_of
from engine.authoring import Choice, Fact, Formula, Note, Operand, Option, Sequence, note
from engine.base.notation import listed, quoted
from engine.base.sums import add_up

SUMMARY = (
    "Finds the arcs of a Bayesian network over complete rows: each variable takes parents from"
    " those before it in the order, the best first, as long as its score grows. More parents fit"
    " better, but make a larger table to learn."
)
ERRATA = (
    (
        "ML 6.11.6 names K2 and its metric without a formula. g here is the standard one of Cooper"
        " and Herskovits: how likely the column is given its parents, when every table is as likely"
        " as any other."
    ),
)
FEW = 3  # rows of a table whose factorials are written out
NONE = "none"
CHANGE = Fact("ln g of the network", "{before} → {total}")
TIE = "no parent more, else the first in the order"


def chips(p: Params) -> tuple[str, ...]:
    return (
        f"at most {p.parents} {'parent' if p.parents == 1 else 'parents'}",
        "order given" if p.order else "order of the table",
    )


def named(given: Setting, variables: Sequence[int]) -> str:
    """The names of these variables as text: "Storm, Lightning and Thunder"."""
    return listed(given.variables[x].title for x in variables)


def variable(given: Setting, x: int) -> Operand:
    """The name of variable x as an operand, which highlights its node."""
    return Operand(given.variables[x].title, about=given.variables[x].tag)


def g(given: Setting, x: int, parents: Sequence[int]) -> tuple[list[Formula], dict[str, Operand]]:
    """(formulas, operands) of g(x, parents): with its factorials where they are few, and the
    result.
    """
    N = given.counts(x, parents)
    r = given.sizes[x]
    value = given.score(x, parents)
    if len(N) > FEW or r > FEW or value < -600:
        return [], {}
    numbers = {"r": Operand(r - 1, "(r − 1)"), "g": Operand(exp(value), "g", digits=4)}
    rows = []
    for j, counts in enumerate(N.tolist()):
        for k, count in enumerate(counts):
            numbers[f"n{j}_{k}"] = Operand(count, "N", case_tag(j))
        numbers[f"m{j}"] = Operand(add_up(counts) + r - 1, "(N + r − 1)")
        factorials = " · ".join(f"{{n{j}_{k}}}!" for k in range(r))
        row = f"{{r}}! · {factorials} / {{m{j}}}!"
        rows.append(row if len(N) == 1 else f"({row})")
    return [Formula("g =", " · ".join(rows), "{g}")], numbers


def start(given: Setting, s: State) -> Note:
    order = Operand(named(given, given.order))
    return note(
        "{n} {n:variable|variables}, no arcs. The order is {order}: an arc leads from an earlier"
        " one to a later one.",
        Fact("ln g of the network", "{total}"),
        n=len(given.variables),
        order=order,
        total=s.score,
    )


def node(given: Setting, s: State) -> Note:
    formulas, said = g(given, s.current, ())
    before = given.order[: given.order.index(s.current)]
    lead = "Which of {before} are parents of {x}? Without any, ln g is {now}."
    if not before:
        lead = "{x} is the first in the order: nothing can be its parent. ln g is {now}."
    return note(
        lead,
        *formulas,
        x=variable(given, s.current),
        before=named(given, before),
        now=float(s.scores[s.current]),
        **said,
    )


def try_(
    given: Setting, s: State, candidates: tuple[int, ...], scores: tuple[float, ...], best: int
) -> tuple[Note, Choice]:
    """The note and choice of the candidates' scores, compared with the score without a new
    parent.
    """
    x = s.current
    now = float(s.scores[x])
    if best >= 0:
        z, then = s.tried, scores[best]
        formulas, numbers = g(given, x, (*s.parents[x], z))
        lead = "{z} makes the best new parent of {x}: ln g rises from {now} to {then}."
    else:
        then = max(scores)
        z = candidates[scores.index(then)]
        formulas, numbers = g(given, x, s.parents[x])
        lead = (
            "No new parent of {x} is worth its larger table: ln g is {now}; with {z}, the best, it"
            " would be {then}."
        )
    numbers |= {"x": variable(given, x), "z": variable(given, z)}
    said = note(lead, *formulas, now=now, then=then, **numbers)
    options = [
        Option(given.variables[v].title, score, given.variables[v].tag, value=v)
        for v, score in zip(candidates, scores, strict=True)
    ]
    options.append(Option(NONE, now, given.variables[x].tag, value=-1))
    prompt = f"Which new parent does {quoted(given.variables[x].title)} get?"
    chosen = best if best >= 0 else len(scores)
    winners = best_of((*scores, now))
    return said, Choice(prompt, tuple(options), winners, chosen, TIE, "ln g")


def add(given: Setting, s: State, before: float) -> Note:
    """The note of the new arc and the table that it gives x. before: the state without it"""
    x = s.current
    own = s.parents[x]
    lead = "{z} is a parent of {x} now, whose table has {rows} {rows:row|rows}."
    rows = Operand(len(s.tables[x]), about="arcs")
    return note(
        lead,
        CHANGE,
        z=variable(given, own[-1]),
        x=variable(given, x),
        rows=rows,
        before=before,
        total=s.score,
    )


def keep(given: Setting, s: State) -> Note:
    x = s.current
    own = s.parents[x]
    lead = "{x} has {parents} as {many:parent|parents}. ln g of the network is {total}."
    if not own:
        lead = "{x} has no parents. ln g of the network is {total}."
    elif len(own) == given.p.parents:
        lead = (
            "{x} has {parents} as {many:parent|parents}, and more are not allowed. ln g of the"
            " network is {total}."
        )
    parents = Operand(named(given, own), about="arcs") if own else ""
    return note(lead, x=variable(given, x), parents=parents, many=len(own), total=s.score)


def found(given: Setting, s: State) -> Note:
    lead = (
        "The network is found: {arcs} {arcs:arc|arcs} between {n} {n:variable|variables}, ln g"
        " {total}."
    )
    return note(
        lead, arcs=Operand(len(s.edges), about="arcs"), n=len(given.variables), total=s.score
    )
