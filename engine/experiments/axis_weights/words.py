"""What the search for axis weights says."""

from engine.authoring import Choice, Explanation, Fact, Float, Note, Operand, Option, note, short
from engine.base.notation import counted
from engine.base.tags import column_tag
from engine.experiments.axis_weights import Params, Setting, State
from engine.fit.learners import explained
from engine.numerics.closeness import more

SUMMARY = (
    "Columns that do not matter mislead neighbours. Each axis is multiplied by a factor: one after"
    " the other gets the factor with which rows that are not stored are answered best. A factor of"
    " 0 drops the column."
)
DISTANCE = Fact("distance", "√Σ (z[j] (x[j] − q[j]))²")


def chips(p: Params) -> tuple[str, ...]:
    judged = p.judged if p.judged == "leave-one-out" else counted(p.splits, "split")
    return (f"k = {p.k}", judged)


def axis_name(given: Setting, j: int) -> Operand:
    """The name of axis j as an operand, which highlights it."""
    return Operand(given.problem.titles[j], about=column_tag(given.problem.features[j].name))


def how(given: Setting) -> str:
    """How many answers an error is the share of, as words about {n} rows."""
    if given.p.judged == "leave-one-out":
        return "{n} {n:row|rows}, each answered by all others"
    return "rows held out in {splits} {splits:split|splits} of {n} {n:row|rows}"


def start(given: Setting, s: State) -> Note:
    lead = f"All axes count alike: the share of wrong answers to {how(given)}, is {{e}}."
    if given.p.judged != "leave-one-out":
        lead = lead.replace(", is", " is")
    return note(
        lead,
        DISTANCE,
        n=len(given.rows),
        splits=given.p.splits,
        e=Operand(s.error, "e", "z"),
    )


def axis(given: Setting, s: State) -> Note:
    lead = "Which factor suits {axis}? So far z is {z}, and the error {e}."
    return note(
        lead,
        axis=axis_name(given, s.axis),
        z=Operand(float(s.z[s.axis]), "z", "z", digits=-1),
        e=Operand(s.error, "e", "z"),
    )


def test(given: Setting, s: State) -> Note:
    value = given.values[s.value]
    lead = "With {axis} stretched by {z} the error is {e}; with {now} it is {before}."
    if value == 0:
        lead = "Without {axis} the error is {e}; with z = {now} it is {before}."
    if value == s.z[s.axis]:
        lead = "With {axis} stretched by {z}, as it is now, the error is {e}."
    return note(
        lead,
        DISTANCE,
        axis=axis_name(given, s.axis),
        z=Operand(value, "z", "z", digits=-1),
        e=Operand(float(s.tried[s.axis, s.value]), "e", "z"),
        now=Operand(float(s.z[s.axis]), "z", "z", digits=-1),
        before=Operand(s.error, about="z"),
    )


def set(given: Setting, s: State, least: tuple[int, ...]) -> tuple[Note, Choice]:
    changed = s.value >= 0
    lead = "No factor of {axis} errs less than {e}: z stays {z}."
    if changed:
        lead = "z of {axis} becomes {z}: the error falls to {e}."
        if s.z[s.axis] == 0:
            others = [e for e in s.tried[s.axis, 1:].tolist() if e == e]
            spared = not more(min(others), s.error)
            lead = "{axis} is dropped, z = {z}: the error is {e}, and no other factor gives less."
            if not spared:
                lead = "{axis} is dropped, z = {z}: the error falls to {e}."
    words = note(
        lead,
        axis=axis_name(given, s.axis),
        z=Operand(float(s.z[s.axis]), "z", "z", digits=-1),
        e=Operand(s.error, "e", "z"),
    )
    return words, factors(given, s, least)


def factors(given: Setting, s: State, least: tuple[int, ...]) -> Choice:
    """The choice among the values of z[j], by the error; the present one stays unless it falls."""
    numbers = [i for i, e in enumerate(s.tried[s.axis].tolist()) if e == e]
    options = tuple(
        Option(f"z = {short(given.values[i])}", float(s.tried[s.axis, i]), "z", "", i)
        for i in numbers
    )
    present = float(s.z[s.axis])
    taken = next((i for i in numbers if given.values[i] == present), least[0])
    winners = tuple(numbers.index(i) for i in least)
    rule = "the present one unless the error falls or the column can be spared; else the first"
    if s.value < 0:  # as many errors as with the present z
        tied = taken in least or not more(float(s.tried[s.axis, taken]), s.error)
        winners = winners if tied else (*winners, numbers.index(taken))
    question = f"Which factor for {given.problem.titles[s.axis]}?"
    return Choice(question, options, winners, numbers.index(taken), rule, "error", True)


def until(given: Setting, s: State) -> Note:
    unchanged = bool((s.z == s.before).all())
    changed = int((s.z != s.before).sum())
    dropped = int((s.z == 0).sum())
    lead = "{changed} {changed:factor|factors} changed in round {round}: the error is {e}."
    if unchanged:
        lead = "No factor changed in round {round}: the search ends with error {e}."
    elif s.round >= given.p.rounds:
        lead += " All rounds are done; more could change further factors."
    return note(
        lead,
        Fact("dropped", "{dropped} of {d} {d:column|columns}"),
        changed=changed,
        round=s.round,
        e=Operand(s.error, "e", "z"),
        dropped=dropped,
        d=given.problem.d,
    )


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Why the neighbours of the shown model give their answer at x (d,)."""
    return explained(given, s.model, x)
