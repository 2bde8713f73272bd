"""What feature selection says."""

from typing import Any

from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Mapping,
    Note,
    Operand,
    Option,
    note,
    np,
    replace,
)
from engine.base.notation import counted, listed
from engine.base.tags import column_tag
from engine.experiments.feature_selection import Params, Setting, State
from engine.experiments.parts.loss import loss_name
from engine.fit.learners import explained
from engine.numerics.closeness import more

SUMMARY = (
    "Looks for the columns that a learner needs: each column in turn is added (or left out), the"
    " learner is cross-validated with these columns, and the change of least error is kept, until"
    " none makes it better."
)
BACKWARD = {
    "start": "S ← all columns",
    "look": "for each column c in S:",
    "test": "  e ← errV of S − c",
    "take": "S ← S − c, c of the least e",
    "stop": "until every c makes errV more",
}
NAMED = 6  # columns that a sentence names


def wording(p: Params) -> Mapping[str, str]:
    found = dict(BACKWARD) if p.direction == "backward" else {}
    if p.until == "all columns are tried":
        found["stop"] = "then S ← the S of the least errV"
    return found


def chips(p: Params) -> tuple[str, ...]:
    return (p.direction, counted(p.k, "fold"))


def named(given: Setting, columns: tuple[int, ...]) -> str:
    """The columns in a sentence: their names, or how many there are."""
    if not columns:
        return "no column"
    if len(columns) > NAMED:
        return f"{len(columns)} columns"
    return listed(given.problem.titles[j] for j in columns)


def column(given: Setting, c: int) -> Operand:
    """The name of column c as an operand, which highlights it."""
    return Operand(given.problem.titles[c], "c", column_tag(given.problem.features[c].name))


def deal(given: Setting, s: State) -> Note:
    lead = (
        "{n} {n:row is|rows are} dealt into {k} {k:fold|folds}. Every set of columns is"
        " judged on the same folds: each fold by what the learner finds in the others."
    )
    return note(lead, n=len(given.rows), k=given.k)


def start(given: Setting, s: State) -> Note:
    kind = "mean value" if given.problem.regress else "commonest class"
    lead = f"Without a column there is only the {kind} of the other folds: errV is {{e}}."
    if not given.forward:
        lead = "{learner} with {d:|all }{d} {d:column|columns}: errV is {e}."
    return note(
        lead, e=Operand(s.error, "errV", "S"), learner=given.learner.name, d=given.problem.d
    )


def look(given: Setting, s: State) -> Note:
    lead = "Would {c} help beside {S}?" if s.columns else "Would {c} help?"
    if not given.forward:
        lead = "Can {c} be spared?"
    return note(lead, c=column(given, s.column), S=named(given, s.columns))


def test(given: Setting, s: State) -> Note:
    c = column(given, s.column)
    e = float(s.tried[s.column])
    if e != e:
        return note("{c} is left out: {why}", c=c, why=s.refused[-1][1])
    lead = (
        f"With {{c}} beside {{S}} the {loss_name(given.problem)} is {{e}}; without it {{before}}."
    )
    if not s.columns:
        lead = f"With {{c}} alone the {loss_name(given.problem)} is {{e}}; without it {{before}}."
    if not given.forward:
        lead = f"Without {{c}} the {loss_name(given.problem)} is {{e}}; with it {{before}}."
    return note(
        lead,
        Fact("least so far", "{least}"),
        c=c,
        S=named(given, s.columns),
        e=Operand(e, "e", "tried"),
        before=Operand(s.error, "errV", "S"),
        least=float(np.nanmin(s.tried)),
    )


def take(given: Setting, s: State, best: tuple[int, ...]) -> tuple[Note, Choice]:
    before = s.rounds[-2].error
    verb = "comes to S" if given.forward else "leaves S"
    less = "falls" if more(before, s.error) else "stays"
    if more(s.error, before):
        less = "rises"
    lead = f"{{c}} {verb}: errV {less} from {{before}} to {{e}} with {{m}} {{m:column|columns}}."
    if less == "stays":
        lead = f"{{c}} {verb}: errV stays {{e}} with {{m}} {{m:column|columns}}."
    words = note(
        lead,
        Fact("S", "{S}"),
        S=named(given, s.columns),
        c=column(given, s.column),
        before=Operand(before, about="S"),
        e=Operand(s.error, "errV", "S"),
        m=len(s.columns),
    )
    return words, best_of(given, s, best)


def best_of(given: Setting, s: State, best: tuple[int, ...]) -> Choice:
    """The choice among the columns that were tried, by errV."""
    tried = np.flatnonzero(~np.isnan(s.tried)).tolist()
    options = tuple(
        Option(
            given.problem.titles[c],
            float(s.tried[c]),
            column_tag(given.problem.features[c].name),
            "",
            c,
        )
        for c in tried
    )
    question = "Which column comes to S?" if given.forward else "Which column leaves S?"
    winners = tuple(tried.index(c) for c in best)
    return Choice(
        question, options, winners, tried.index(s.column), "the first of equals", "errV", True
    )


def stop(given: Setting, s: State) -> Note:
    d = given.problem.d
    operands: dict[str, Any] = {
        "S": named(given, s.columns),
        "e": Operand(s.error, "errV", "S"),
        "m": len(s.columns),
        "d": d,
    }
    lead = "{m} of {d} {d:column is|columns are} kept: {S}, with errV {e}."
    if not s.columns:
        lead = "No column is kept: errV {e} is that of always giving the same answer."
    if given.p.until == "all columns are tried":
        return note(lead + " No other S of the search has less.", **operands)
    known = s.tried[~np.isnan(s.tried)]
    ended = not given.candidates(s.rounds[-1].columns)
    if ended or not len(known):
        return note(lead, **operands)
    operands["next"] = float(known.min())
    way = "one more column gives at best {next}." if given.forward else "one less at best {next}."
    return note(lead + " " + way[0].upper() + way[1:], **operands)


def learn(given: Setting, s: State) -> Note:
    if s.model is None:
        return note("There is nothing to learn from: S has no column.")
    lead = "{learner} learns from {n:|all }{n} {n:row|rows} with {S}."
    return note(lead, learner=given.learner.name, n=len(given.rows), S=named(given, s.columns))


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Why the final model gives its answer at x (d,), in the learner's words; it sees S alone."""
    found = explained(given, s.model, x[list(s.columns)])
    return replace(found, layers=())
