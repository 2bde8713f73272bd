"""What the learners of the digit pad say."""

from engine.authoring import (
    Choice,
    Fact,
    Float,
    Formula,
    Note,
    Operand,
    Option,
    note,
    np,
    number,
    short,
)
from engine.core.notation import Share, telling_digits
from engine.experiments.digit_pad import Params, Setting, State
from engine.experiments.digit_pad.learners import Answer

SUMMARY = (
    "Draw a digit on the pad with the pointer. Neighbours, a network, margins and a tree have"
    " learnt from pictures and say which digit it is, why, and how sure they are; those who are not"
    " sure enough do not answer. The right button rubs out."
)
LETTERS = "ABCD"
SURE = (
    "share of the votes",
    "its output",
    "least lead in its duels, 1 on the margin",
    "share of the leaf",
)


def chips(p: Params) -> tuple[str, ...]:
    return (f"answers if {short(p.reject)} sure",)


def start(given: Setting, s: State) -> Note:
    side = given.side
    n = given.learn.n
    m = given.test.n
    lead = (
        "{n} {n:picture|pictures} of {side} × {side} {side:cell|cells} to learn from, {m} to test."
    )
    if given.shipped:
        lead = (
            "This table holds no square pictures with classes. The lab’s digits: {n} to learn from,"
            " {m} to test."
        )
    return note(lead, n=n, m=m, side=side)


def learn(given: Setting, s: State) -> Note:
    tested = s.tested[-1]
    right = Operand(Share((float(tested[:, 1].sum()), float(len(tested)))), about="wrong")
    percent = number(100 * float(1 - tested[:, 1].mean()), 1) if len(tested) else "0"
    lead = "{title}: {right} of the test pictures right, {percent} % wrong."
    return note(
        lead,
        title=f"{LETTERS[len(s.learners) - 1]}, {s.learners[-1]}",
        right=right,
        percent=percent,
    )


def look(given: Setting, s: State) -> Note:
    if not s.x.any():
        return note("The pad is empty: draw a digit with the pointer.")
    lead = "A picture is drawn on the pad."
    if not given.p.drawn:
        k = (given.p.picture - 1) % given.test.n
        lead = (
            "On the pad lies test picture {k} of {m}, a {label}. Draw over it, or clear it with"
            " Delete."
        )
        return note(lead, k=k + 1, m=given.test.n, label=label(given, int(given.test.codes[k])))
    return note(lead)


def label(given: Setting, code: int) -> str:
    return given.learn.class_text(code)


def ask(given: Setting, s: State) -> tuple[Note, Choice]:
    k = len(s.answers) - 1
    answer = s.answers[k]
    title = f"{LETTERS[k]}, {s.learners[k]}"
    lead = "{title}: a {label}, sure {sure}."
    if given.rejects(answer):
        lead = "{title} does not answer: {label} at best, sure {sure} < {least}."
    digits = telling_digits(answer.sure, given.p.reject)
    told = note(
        lead,
        *reckoned(given, answer),
        Fact("how sure", "{how}"),
        *reasons(answer),
        title=title,
        how=SURE[k],
        label=Operand(label(given, answer.label), about="answers"),
        sure=Operand(answer.sure, about="answers", digits=digits),
        least=short(given.p.reject),
        **operands(given, answer),
    )
    order = np.argsort(-answer.parts, kind="stable").tolist()
    first = [answer.label, *(c for c in order if c != answer.label)][:5]
    winners = tuple(i for i, c in enumerate(first) if answer.parts[c] == answer.parts[answer.label])
    options = tuple(
        Option(label(given, c), float(answer.parts[c]), "answers", value=c) for c in first
    )
    rule = "the nearer ones, the larger least lead, else the first" if len(winners) > 1 else ""
    return told, Choice(
        f"Which digit does {title} see?", options, winners, 0, rule, "of 1", digits=2
    )


def reckoned(given: Setting, answer: Answer) -> list[Formula]:
    """Votes over neighbours, by hand."""
    return [Formula("sure =", "{votes}", "{sure}")] * bool(len(answer.rows))


def reasons(answer: Answer) -> list[Fact]:
    if len(answer.rows):
        return [Fact("the nearest", "{nearest}"), Fact("their distances", "{distances}")]
    return [Fact("tests on its way", "{tests}")] * bool(answer.path)


def operands(given: Setting, answer: Answer) -> dict[str, object]:
    side = given.side
    k = len(answer.rows)
    digits = [label(given, int(given.learn.codes[row])) for row in answer.rows]
    tests = [
        f"r{j // side + 1}c{j % side + 1} {'>' if x > t else '≤'} {number(t, 1)}"
        for j, t, x in answer.path
    ]
    votes = Share((float(np.round(answer.parts[answer.label] * k)), float(max(k, 1))))
    return {
        "votes": Operand(votes, "votes / k", "nearest"),
        "nearest": Operand(", ".join(digits), about="nearest"),
        "distances": distances(answer.inner) if k else "",
        "tests": Operand(", ".join(tests), about="path"),
    }


def distances(d: Float) -> str:
    return ", ".join(number(v, 1) for v in d)


def sure(given: Setting, s: State) -> Note:
    """Who answers what; of the test pictures how many are rejected, and how many of the others are
    wrong.
    """
    lead = (
        "{which}."
        if s.answers
        else "The pad is empty: nothing to say. Of the test pictures so many are wrong or rejected:"
    )
    facts = [Fact(f"{{t{k}}}", f"{{w{k}}} wrong, {{r{k}}} rejected") for k in range(len(s.tested))]
    told: dict[str, object] = {}
    for k, (title, tested) in enumerate(zip(s.learners, s.tested, strict=True)):
        answered = tested[:, 0] >= given.p.reject
        wrong = number(100 * float(1 - tested[answered, 1].mean()), 1) if answered.any() else "0"
        told |= {
            f"t{k}": f"{LETTERS[k]}, {title}",
            f"w{k}": Operand(f"{wrong} %", about="wrong"),
            f"r{k}": f"{number(100 * float(1 - answered.mean()), 1)} %",
        }
    said: dict[str, list[str]] = {}
    for letter, answer in zip(LETTERS, s.answers, strict=False):
        said.setdefault(
            "no answer" if given.rejects(answer) else label(given, answer.label), []
        ).append(letter)
    which = "; ".join(f"{', '.join(who)}: {digit}" for digit, who in said.items())
    return note(lead, *facts, which=Operand(which, about="answers"), **told)
