"""What EM for the tables of a network says: expected counts, and the shares that they make."""

from engine.algorithms.bayes.bayes_net_em import Params, Setting, State
from engine.algorithms.bayes.parts import case_tag
from engine.algorithms.bayes.parts.answers import explain as explain
from engine.algorithms.bayes.parts.learning_words import row as row
from engine.algorithms.bayes.parts.learning_words import spoken
from engine.algorithms.bayes.parts.learning_words import start as start
from engine.authoring import Fact, Float, Formula, Mapping, Note, Operand, note

SUMMARY = (
    "Learns the tables of a Bayesian network whose arcs are known, though some values are not seen:"
    " each is counted by how likely it is, and every table becomes the shares of these counts. ln"
    " P(D) never falls; the end is a local top."
)
RISE = Fact("ln P(D)", "{before} → {now}")


def wording(p: Params) -> Mapping[str, str]:
    return {"start": "every w ← even chances"} if p.start == "even" else {}


def chips(p: Params) -> tuple[str, ...]:
    return ("arcs given" if p.parents else "arcs by K2",)


def round(given: Setting, s: State) -> Note:
    return note("Round {round}: every row says what it expects of every table.", round=s.round)


def expect(given: Setting, s: State) -> Note:
    """The expected counts of the row of a table whose counts differ most."""
    x = s.current
    case, said = spoken(given, x, s.counts[x])
    lead = "What all rows expect of {x}{case}, added up: together {sum} of {n} {n:row|rows}."
    values = given.variables[x].values
    counts = s.counts[x][case]
    return note(
        lead,
        Fact("N of " + ", ".join(v.replace("{", "{{").replace("}", "}}") for v in values), "{N}"),
        **said,
        N=Operand(counts, "N", case_tag(case), 3),
        sum=Operand(float(counts.sum()), digits=3),
        n=given.problem.n,
    )


def set(given: Setting, s: State, before: Float) -> Note:
    """The new chances of that row of the table: the shares of its counts."""
    x = s.current
    N = s.counts[x]
    case, said = spoken(given, x, N)
    whole = float(N[case].sum())
    lead = "The chances of {x}{case} become the shares of the counts."
    law = [Formula("w ←", "{N} / {sum}", "{w}")]
    if whole == 0:
        lead = "No row can be in this case of {x}: its chances stay."
        law = []
    return note(
        lead,
        *law,
        Fact("before", "{before}"),
        **said,
        N=Operand(N[case], "N", case_tag(case), 3),
        sum=Operand(whole, "ΣN", digits=3),
        w=Operand(s.tables[x][case], about=case_tag(case), digits=3),
        before=Operand(before[case], digits=3),
    )


def until(given: Setting, s: State, before: float, over: bool) -> Note:
    lead = "Round {round} is over: ln P(D) rises."
    if over:
        lead = "Settled after round {round}: ln P(D) rises no more."
    return note(lead, RISE, round=s.round, before=before, now=s.log_likelihood)
