"""What the methods that learn the tables of a network from rows with gaps say alike. ML 6.11.5."""

from typing import Any

from engine.algorithms.bayes.parts import case_tag
from engine.algorithms.bayes.parts.learning import Learning, likeliest, telling
from engine.authoring import Fact, Float, Formula, Note, Operand, note, np
from engine.base.notation import listed


def variable(given: Learning[Any], x: int) -> Operand:
    """The name of variable x as an operand, which highlights its node."""
    return Operand(given.variables[x].title, about=given.variables[x].tag)


def spoken(given: Learning[Any], x: int, values: Float) -> tuple[int, dict[str, Operand]]:
    """(the row of a table whose numbers differ most, the operands that name it)."""
    case = telling(values)
    text = given.case_text(given.parents[x], case)
    named = Operand(f" for {text}" if text else "", about=case_tag(case))
    return case, {"x": variable(given, x), "case": named}


def start(given: Learning[Any], s: Any) -> Note:
    unseen = int((given.known < 0).sum())
    cells = given.known.size
    lead = (
        "{arcs} {arcs:arc|arcs}, {n} {n:variable|variables}; values not seen: {unseen} of {cells}."
    )
    if given.hidden:
        lead += " Nobody sees {hidden}."
    hidden = Operand(listed(given.variables[x].title for x in given.hidden))
    return note(
        lead,
        Fact("ln P(D)", "{now}"),
        arcs=Operand(len(s.edges), about="arcs" if len(s.edges) else ""),
        n=len(given.variables),
        unseen=unseen,
        cells=cells,
        hidden=hidden,
        now=s.log_likelihood,
    )


def row(given: Learning[Any], s: Any) -> Note:
    """The note of a row: its most probable way to be filled, in the table that is shown."""
    x = s.current
    unseen = np.flatnonzero(given.known[s.row] < 0)
    ways, joint, shares = given.of_row(s.tables, s.row)
    counts = given.counted(x, ways, shares)
    case, k = likeliest(counts)
    met = (given.case(ways, s.parents[x]) == case) & (ways[:, x] == k)
    named = f"{given.variables[x].title} {given.variables[x].values[k]}"
    if s.parents[x]:
        named += ", " + given.case_text(s.parents[x], case)
    lead = "In {d} all is seen: it counts as 1 for {case}."
    law: tuple[Formula, ...] = ()
    if len(unseen):
        lead = (
            "In {d} there is no value for {unseen}. It counts as {share} for {case}, as likely as"
            " that is there."
        )
        law = (Formula("P({case} | {d}) =", "{joint} / {whole}", "{share}"),)
    return note(
        lead,
        *law,
        d=Operand(given.problem.names[s.row], about="current"),
        unseen=Operand(listed(given.variables[z].title for z in unseen)),
        case=Operand(named, about=case_tag(case)),
        share=Operand(float(counts[case, k]), digits=3),
        joint=Operand(float(joint[met].sum()), "P(both)", digits=4),
        whole=Operand(float(joint.sum()), f"P({given.problem.names[s.row]})", digits=4),
    )
