"""What a search in a k-d tree says: the ball round the query beside examples and dividing lines."""

from engine.algorithms.instances.kd_search import Params, Setting, State
from engine.algorithms.instances.parts.best import keep, look, names_of, telling
from engine.algorithms.instances.parts.kd_picture import column_name, test_text
from engine.authoring import Choice, Fact, Formula, Note, Operand, Option, note

__all__ = [
    "ERRATA",
    "SUMMARY",
    "answer",
    "build",
    "chips",
    "descend",
    "keep",
    "look",
    "other",
    "prune",
    "query",
]

SUMMARY = (
    "Follows the tests of a k-d tree to the box of the query. On the way back it compares the ball"
    " round the query with each dividing line and searches the other side only if the ball reaches"
    " over it."
)
ERRATA = (
    (
        "AIMA 18.8.2 has k-d trees work well up to 10 dimensions with thousands of examples. That"
        " is optimistic: in 10 columns a few thousand examples leave little to skip, and the search"
        " comes near a scan."
    ),
)
GAP = Formula("to the line =", "|{q} − {m}|", "{gap}")
REACH = Fact("k-th best", "{kth}")
SEARCHED = "equal: it is searched, it may hold an example as near with a lower row number"


def chips(p: Params) -> tuple[str, ...]:
    return (f"k = {p.k}", "Euclidean", "one example in each leaf")


def build(given: Setting, s: State) -> Note:
    lead = (
        "The k-d tree of {n} {n:example|examples} is built once: {leaves} {leaves:leaf|leaves}, the"
        " deepest at level {depth}."
    )
    return note(
        lead, n=given.problem.n, leaves=int(s.tree.leaves[-1]), depth=int(s.tree.deepest[-1])
    )


def query(given: Setting, s: State) -> Note:
    lead = "Which {k} {k:example is|examples are} nearest to {q}?"
    if given.k == 1:
        lead = "Which example is nearest to {q}?"
    return note(lead, q=Operand(s.query, "q", "query"), k=given.k)


def descend(given: Setting, s: State) -> Note:
    column = int(s.tree.axis[s.node])
    answer = "Yes" if s.query[column] <= s.tree.split[s.node] else "No"
    lead = f"{{test}}? {answer}: {{name}} of “?” is {{q}}. The other side waits."
    test = Operand(test_text(given.problem, s.tree, s.node), about="current")
    q = Operand(float(s.query[column]), "q", "query")
    return note(lead, test=test, name=column_name(given.problem, column), q=q)


def prune(given: Setting, s: State) -> tuple[Note, Choice]:
    lead = (
        "The line {line} is farther than the k-th best: {gap} > {kth}. Nothing behind it can be"
        " nearer."
    )
    return line_note(given, s, lead), side_choice(s, 1)


def other(given: Setting, s: State) -> Note | tuple[Note, Choice]:
    if not s.full:
        lead = "The list has still a free place: the other side of {line} is searched."
        return line_note(given, s, lead)
    lead = "The ball reaches over the line {line}: {gap} < {kth}. Its other side is searched."
    if s.as_far(s.gap):
        lead = "The ball touches the line {line}: {gap} = {kth}. Something as near may lie there."
    return line_note(given, s, lead), side_choice(s, 0)


def line_note(given: Setting, s: State, lead: str) -> Note:
    """A note with this lead and the distance of the dividing line, compared with the k-th best
    distance.
    """
    parent = s.tree.parent[s.node]
    column = int(s.tree.axis[parent])
    m = float(s.tree.split[parent])
    digits = telling(s, s.gap)
    kth = Operand(s.radius, "k-th", "ball", digits) if s.full else Operand("none yet", "k-th")
    line = Operand(f"{column_name(given.problem, column)} = {Operand(m).text()}", about="cut")
    return note(
        lead,
        GAP,
        REACH,
        line=line,
        kth=kth,
        q=Operand(float(s.query[column]), "qᵢ", "query", digits),
        m=Operand(m, "m", "cut", digits),
        gap=Operand(s.gap, "gap", "gap", digits),
    )


def side_choice(s: State, chosen: int) -> Choice:
    """The choice by the smaller distance: search the other side (the line is nearer) or prune it
    (the k-th best is).
    """
    line = Option("search it: to the line", s.gap, "gap", value=True)
    ball = Option("leave it out: to the k-th best", s.radius, "ball", value=False)
    tie = s.as_far(s.gap)
    return Choice(
        "Must the other side be searched?",
        (line, ball),
        winners=(0, 1) if tie else (chosen,),
        chosen=chosen,
        rule=SEARCHED if tie else "",
        unit="distance",
        smallest=True,
        digits=telling(s, s.gap),
    )


def answer(given: Setting, s: State) -> Note:
    lead = (
        "The nearest: {names}. {examined} {examined:example was|examples were} measured, a scan"
        " measures {n:|all }{n}; {pruned} {pruned:side of a line was|sides of lines were} too far,"
        " and left out."
    )
    pruned = Operand(len(s.pruned), about="pruned")
    names = Operand(names_of(given.problem, s.neighbours), about="best")
    return note(lead, names=names, examined=s.examined, n=given.problem.n, pruned=pruned)
