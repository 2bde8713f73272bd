"""What the learning curves by columns say."""

from typing import Any

from engine.authoring import Fact, Note, Operand, note
from engine.base.notation import counted
from engine.experiments.column_curves import NAMES, Params, Setting, State
from engine.experiments.parts.loss import loss_name
from engine.experiments.parts.sentences import last_reason

SUMMARY = (
    "Three learning curves of one learner on the same rows: with all columns, without one of them,"
    " and with columns of chance. A missing column can keep the error from falling to 0;"
    " irrelevant ones cost rows."
)


def chips(p: Params) -> tuple[str, ...]:
    return (counted(p.trials, "trial"), counted(p.irrelevant, "random column"))


def tables(given: Setting, s: State) -> Note:
    lead = (
        "{learner} learns on three tables: with {d:|all }{d} {d:column|columns}, without {missing},"
        " and with {r} {r:column|columns} of chance more."
    )
    return note(
        lead,
        learner=given.learner.name,
        d=given.problem.d,
        missing=given.problem.titles[given.left_out],
        r=given.p.irrelevant,
    )


def size(given: Setting, s: State) -> Note:
    lead = (
        "Now {m} of the {n} {n:row|rows} {m:is|are} learnt from; {rest} {rest:is|are} left to"
        " test on."
    )
    return note(lead, m=s.size, n=len(given.rows), rest=len(given.rows) - s.size)


def draw(given: Setting, s: State) -> Note:
    lead = "Trial {i}: {m} {m:row is|rows are} drawn, the same for all tables."
    return note(lead, i=len(s.errors[0]) + 1, m=s.size)


def test(given: Setting, s: State) -> Note:
    lead = f"Trial {{i}} with {{m}} {{m:row|rows}}: the {loss_name(given.problem)} on each table."
    operands: dict[str, Any] = {"i": len(s.errors[0]), "m": s.size}
    facts = []
    unknown = False
    for table, errors in enumerate(s.errors):
        e = errors.last
        unknown = unknown or e != e
        operands[f"e{table}"] = Operand(e, about=f"table {table}")
        facts.append(Fact(NAMES[table], f"{{e{table}}}" if e == e else "nothing learnt"))
    if unknown:
        return note(lead + " {why}.", *facts, **operands, why=last_reason(list(s.refused)))
    return note(lead, *facts, **operands)


def mean(given: Setting, s: State) -> Note:
    """The note of a size: the mean error on each table."""
    means = s.points[-1].means
    operands: dict[str, Any] = {
        f"e{table}": Operand(e, about=f"table {table}") for table, e in enumerate(means)
    }
    operands |= {
        "m": s.size,
        "missing": given.problem.titles[given.left_out],
        "r": given.p.irrelevant,
    }
    if any(e != e for e in means):
        facts = [
            Fact(name, f"{{e{table}}}" if means[table] == means[table] else "nothing learnt")
            for table, name in enumerate(NAMES)
        ]
        return note("{m} {m:row|rows} do not suffice for every table.", *facts, **operands)
    lead = (
        f"With {{m}} {{m:row|rows}} the {loss_name(given.problem)} is {{e0}} with all columns,"
        " {e1} without {missing}, {e2} with {r} irrelevant {r:one|ones} more."
    )
    return note(lead, **operands)
