"""What active learning says."""

from engine.algorithms.online.active_learning import Params, Setting, State
from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Int,
    Mapping,
    Note,
    Operand,
    Option,
    note,
    np,
)
from engine.base.notation import quoted

SUMMARY = (
    "Labels cost something: a learner asks only for those of rows near its boundary, where it is in"
    " doubt. A rival buys as many by chance; what both have wrong shows what asking is worth."
)
ERRATA = (
    (
        "MMDS 12.1.4 names neither the threshold nor the price. Here a row that comes is in doubt"
        " if few of those before it were nearer to the boundary, and every label costs the same."
    ),
)
FEW = 8  # rows that a choice names
TIE = "the first in the table"
LABEL_WANTED = (
    "What class is {x}? The table does not know. Give it one (right click on the point), and the"
    " run goes on."
)
ENDS = {"spent": "The budget is spent.", "nothing left": "No row is left to ask for."}
PRICE = Fact("price", "{asked} · {each} = {price}")
BOTH = Fact("wrong, near the boundary and by chance", "{errors} and {chance} of {n}")


def wording(p: Params) -> Mapping[str, str]:
    return {"look": "x ← the next row; is it in doubt?"} if p.mode == "stream" else {}


def chips(p: Params) -> tuple[str, ...]:
    if p.oracle == "person":
        return (p.learner, p.mode, "a person says the class")
    return (p.learner, p.mode)


def point(given: Setting, s: State) -> Operand:
    """The name of the current row as an operand."""
    return Operand(given.problem.names[s.current], about="current")


def bill(given: Setting, s: State) -> dict[str, Operand]:
    """The operands of the number of labels bought and the errors of both learners."""
    return {
        "asked": Operand(len(s.asked), "labels", "asked"),
        "each": Operand(given.p.price, "price", digits=-1),
        "price": Operand(s.price, digits=-1),
        "errors": Operand(s.errors, about="errors"),
        "chance": Operand(s.by_chance, about="chance"),
        "n": Operand(int(given.problem.labelled.sum())),
    }


def start(given: Setting, s: State) -> Note:
    if s.current >= 0:
        return note(LABEL_WANTED, x=point(given, s))
    lead = (
        "{asked} {asked:label|labels} bought by chance, until both classes are known. From these"
        " both begin."
    )
    return note(lead, PRICE, BOTH, **bill(given, s))


def look(given: Setting, s: State, wanted: bool) -> tuple[Note, Choice]:
    return _arrival(given, s, wanted) if given.p.mode == "stream" else _search(given, s)


def _search(given: Setting, s: State) -> tuple[Note, Choice]:
    """The rows of which the learner is least sure."""
    left = np.setdiff1d(s.rest, s.asked)
    doubt = given.doubt(s, left)
    order = np.argsort(doubt, kind="stable")[:FEW]
    options = tuple(
        Option(given.problem.names[i], float(d), given.problem.row_tags[i], value=int(i))
        for i, d in zip(left[order], doubt[order], strict=True)
    )
    winners = tuple(int(k) for k in np.flatnonzero(doubt[order] == doubt.min()))
    lead = (
        "{x} is the nearest to the boundary of {left} {left:row|rows} without a label: its score is"
        " {score}."
    )
    said = note(
        lead, x=point(given, s), left=len(left), score=Operand(float(doubt.min()), digits=3)
    )
    prompt = "Which label is worth most to the learner?"
    return said, Choice(prompt, options, winners, winners[0], TIE, "|score|", True)


def _arrival(given: Setting, s: State, wanted: bool) -> tuple[Note, Choice]:
    """The next row of a stream: is it worth a label?"""
    share = given.nearer(s)
    came = len(given.came(s))
    lead = (
        "{x} comes. Of the {came} before it {share} are nearer to the boundary, less than {unsure}:"
        " it is in doubt."
    )
    if not wanted:
        lead = (
            "{x} comes. Of the {came} before it {share} are nearer to the boundary, not less than"
            " {unsure}: it passes by."
        )
    unsure = Operand(given.p.unsure, about="asked", digits=-1)
    said = note(lead, x=point(given, s), came=came, share=Operand(share), unsure=unsure)
    options = (
        Option("buy its label", share, "current", value="buy"),
        Option("let it pass", given.p.unsure, value="pass"),
    )
    chosen = 0 if wanted else 1
    winners = (0, 1) if share == given.p.unsure else (chosen,)
    prompt = f"Is the label of {quoted(given.problem.names[s.current])} worth its price?"
    rule = "equal: it passes"
    return said, Choice(prompt, options, winners, chosen, rule, "share nearer", True)


def ask(given: Setting, s: State) -> Note | tuple[Note, Choice]:
    problem = given.problem
    code = int(given.problem.codes[s.current])
    if code < 0:
        return note(LABEL_WANTED, x=point(given, s))
    said = note(
        "{x} is {label}. That was label {asked}.",
        PRICE,
        x=point(given, s),
        label=problem.class_text(code),
        **bill(given, s),
    )
    options = tuple(
        Option(problem.class_text(k), float(k == code), value=k)
        for k in range(len(problem.classes))
    )
    prompt = f"What class is {quoted(problem.names[s.current])}?"
    return said, Choice(prompt, options, (code,), code)


def learn(given: Setting, s: State, former: tuple[Int, object]) -> Note:
    lead = (
        "Learnt anew from {asked} {asked:label|labels}: {errors} {errors:row|rows} wrong. With"
        " labels bought by chance: {chance}."
    )
    if s.errors == s.by_chance:
        lead = (
            "Learnt anew from {asked} {asked:label|labels}: {errors} {errors:row|rows} wrong, as"
            " many as by chance."
        )
    return note(lead, PRICE, BOTH, **bill(given, s))


def end(given: Setting, s: State, ending: str) -> Note:
    if ending == "waiting":
        lead = "The run waits for the class of {x}: give it one (right click on the point)."
        return note(lead, PRICE, BOTH, x=point(given, s), **bill(given, s))
    lead = ENDS[ending] + " {errors} of {n} wrong; with labels bought by chance {chance}."
    scores = given.scores_of(*given.learnt(s), given.problem.X)
    if (scores == 0).all():
        lead += " Every row has the score 0: what is learnt says neither class."
    return note(lead, PRICE, BOTH, **bill(given, s))


def explain(given: Setting, s: State, x: Float) -> Explanation:
    learnt = given.learnt(s)
    score = float(given.scores_of(*learnt, x[None])[0])
    code = int(given.classes_of(*learnt, x[None])[0])
    first = given.problem.class_text(0)
    lead = (
        "{label}: the score of this place is {score}. Above 0 it is {first}; the nearer to 0, the"
        " more a label is worth."
    )
    words = note(
        lead, label=given.problem.class_text(code), score=Operand(score, digits=3), first=first
    )
    return Explanation(code, words)
