"""What the greedy conjunction says."""

from engine.algorithms.rules.greedy_conjunction import Params, Setting, State, predict
from engine.algorithms.rules.parts import POSITIVE, words
from engine.algorithms.rules.parts.words import HYPOTHESIS, LOWEST, name, obstacle, operands
from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Formula,
    Note,
    Operand,
    Option,
    note,
    short,
)
from engine.base.notation import counted
from engine.scene.boolean import MISSING

SUMMARY = (
    "For yes/no columns. Only columns that are on in every positive example may join; each time the"
    " one that removes most negatives is added, until none is left or no column helps."
)
ERRATA = (
    (
        "MIT 2.2.22 indents the choice, the update and the removal into the loop over the columns."
        " They stand behind it."
    ),
    "MIT 2.2.22 removes the rows by the loop's column j. It must be the chosen column.",
    (
        "MIT 2.2.22 fails only when no column is usable. On the set of 2.2.28 a usable column with"
        " n = 0 stays for ever; so fail when the largest n is 0. “literal” lets such columns join,"
        " each once."
    ),
)
REMOVES = Formula("n({name}) =", "{count}")
NAMED = 12  # columns that a sentence lists


def chips(p: Params) -> tuple[str, ...]:
    said = [f"ε = {short(p.epsilon)}"]
    if p.floor > 1:
        said.append(f"floor {p.floor}")
    if p.stuck != "keep":
        said.append(f"stuck: {p.stuck}")
    return tuple(said)


def start(given: Setting, s: State) -> Note:
    return words.start_note(given.problem, s)


def until(given: Setting, s: State) -> Note:
    most = "at most {allowed} may stay" if given.allowed else "none may stay"
    lead = f"h = {{h}} still covers negatives: {{N}}; {most}."
    return note(lead, allowed=given.allowed, **operands(given.problem, s))


def usable(given: Setting, s: State) -> Note:
    titles = [given.problem.features[j].title for j in given.usable[:NAMED]]
    names = Operand(", ".join(titles) or "none", about="rows")
    lead = (
        "Usable columns hold 1 in every positive example: {names}. The others would make some"
        " positive wrong."
    )
    return note(lead, Fact("N", "{N}"), HYPOTHESIS, names=names, **operands(given.problem, s))


def count(
    given: Setting, s: State, winners: tuple[int, ...], hand: bool = False
) -> tuple[Note, Choice]:
    problem = given.problem
    ties = len(winners)
    most = int(s.scores[s.chosen] or 0)
    lead = "How many rows of N would each usable column remove? {name} removes most: {count}."
    if ties > 1:
        lead = f"{{name}} and {ties - 1} more would remove {{count}} {{count:row|rows}} of N each. "
        lead += "It is taken by hand." if hand else "The lowest column is taken."
    if not most:
        lead = (
            "No usable column removes a row of N. The printed loop takes one all the same: {name}."
        )
    candidates = [j for j in given.usable if j not in (s.rule or ())]
    options = tuple(
        Option(problem.features[j].title, float(s.scores[j] or 0), "scores", value=j)
        for j in candidates
    )
    best = tuple(candidates.index(j) for j in winners)
    choice = Choice(
        "Which column joins h?",
        options,
        best,
        candidates.index(s.chosen),
        LOWEST if ties > 1 else "",
        "rows of N removed",
        digits=0,
    )
    known = {"name": name(problem, s.chosen), "count": Operand(most)} | operands(problem, s)
    return note(lead, REMOVES, **known), choice


def fail(given: Setting, s: State) -> Note:
    """The note of why the search is stuck, where the printed pseudo-code would take a useless
    column for ever.
    """
    problem = given.problem
    p = given.p
    lead = "Stuck: no usable column removes any more of N, which still holds {N}."
    if not len(given.usable):
        lead = "Stuck: no column holds 1 in every positive example, and N still holds {N}."
    elif p.stuck == "literal":
        lead = "Stuck: every usable column is in h, and N still holds {N}."
    elif any(s.scores):
        lead = (
            f"Stuck: no usable column removes {counted(p.floor, 'row')} of N or more, and N still"
            " holds {N}."
        )
    end = "h = {h} is what there is." if s.rules else "h is dropped."
    lead = " ".join((lead, end, *obstacle(problem, s)))
    return note(lead, HYPOTHESIS, **operands(problem, s, growing=False))


def add(given: Setting, s: State) -> Note:
    return words.add_note(given.problem, s, s.chosen)


def drop(given: Setting, s: State) -> Note:
    return words.drop_note(given.problem, s, s.chosen)


def done(given: Setting, s: State) -> Note:
    return words.done_note(given.problem, s, s.failed)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    label = int(predict(given, s, x[None])[0])
    if label < 0:
        return Explanation(label, MISSING)
    first = 0 if label == POSITIVE else None
    return Explanation(label, words.explain_note(given.problem, s, s.rules, first, label))
