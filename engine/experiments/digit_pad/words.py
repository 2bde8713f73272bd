"""What the learners of the digit pad say."""

from engine.authoring import (
    Choice,
    Fact,
    Formula,
    Note,
    Operand,
    Option,
    note,
    np,
    number,
    short,
)
from engine.base.notation import Share, telling_digits
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
    lead = (
        "{n} {n:picture|pictures} of {side} × {side} {side:cell|cells} to learn from, {m} to test."
    )
    if given.shipped:
        lead = (
            "This table holds no square pictures with classes. The lab’s digits: {n} to learn from,"
            " {m} to test."
        )
    return note(lead, n=given.learn.n, m=given.test.n, side=given.side)


def learn(given: Setting, s: State) -> Note:
    right = s.tested[-1][:, 1]
    k = len(s.learners) - 1
    return note(
        "{title}: {right} of the test pictures right, {percent} % wrong.",
        title=title(s, k),
        right=Operand(Share((float(right.sum()), float(len(right)))), about="wrong"),
        percent=number(100 * float(1 - right.mean()), 1) if len(right) else "0",
    )


def title(s: State, k: int) -> str:
    """The name of learner k with its letter, "A, nearest neighbours"."""
    return f"{LETTERS[k]}, {s.learners[k]}"


def look(given: Setting, s: State) -> Note:
    if not s.x.any():
        return note("The pad is empty: draw a digit with the pointer.")
    if given.p.drawn:
        return note("A picture is drawn on the pad.")
    k = (given.p.picture - 1) % given.test.n
    lead = (
        "On the pad lies test picture {k} of {m}, a {label}. Draw over it, or clear it with Delete."
    )
    return note(lead, k=k + 1, m=given.test.n, label=label(given, int(given.test.codes[k])))


def label(given: Setting, code: int) -> str:
    """The name of the class with this code."""
    return given.learn.class_text(code)


def ask(given: Setting, s: State) -> tuple[Note, Choice]:
    k = len(s.answers) - 1
    answer = s.answers[k]
    lead = "{title}: a {label}, sure {sure}."
    if given.rejects(answer):
        lead = "{title} does not answer: {label} at best, sure {sure} < {least}."
    digits = telling_digits(answer.sure, given.p.reject)
    said = note(
        lead,
        *answer_formulas(given, answer),
        Fact("how sure", "{how}"),
        *reasons(answer),
        title=title(s, k),
        how=SURE[k],
        label=Operand(label(given, answer.label), about="answers"),
        sure=Operand(answer.sure, about="answers", digits=digits),
        least=short(given.p.reject),
        **operands(given, answer),
    )
    return said, candidates(given, answer, title(s, k))


def candidates(given: Setting, answer: Answer, title: str) -> Choice:
    """The choice among the five classes for which most speaks, the answer first."""
    order = np.argsort(-answer.parts, kind="stable").tolist()
    shown = [answer.label, *(c for c in order if c != answer.label)][:5]
    most = answer.parts[answer.label]
    winners = tuple(i for i, c in enumerate(shown) if answer.parts[c] == most)
    options = tuple(
        Option(label(given, c), float(answer.parts[c]), "answers", value=c) for c in shown
    )
    rule = "the nearer ones, the larger least lead, else the first" if len(winners) > 1 else ""
    prompt = f"Which digit does {title} see?"
    return Choice(prompt, options, winners, 0, rule, "of 1", digits=2)


def answer_formulas(given: Setting, answer: Answer) -> list[Formula]:
    """The formula sure = votes / k of an answer by neighbours; [] for other learners."""
    return [Formula("sure =", "{votes}", "{sure}")] if len(answer.rows) else []


def reasons(answer: Answer) -> list[Fact]:
    """The facts behind an answer: the nearest pictures with their distances, or the tests of the
    tree; [] for others.
    """
    if len(answer.rows):
        return [Fact("the nearest", "{nearest}"), Fact("their distances", "{distances}")]
    return [Fact("tests on its way", "{tests}")] if answer.path else []


def operands(given: Setting, answer: Answer) -> dict[str, object]:
    """The operands of `answer_formulas` and `reasons`, by name."""
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
        "distances": ", ".join(number(d, 1) for d in answer.inner) if k else "",
        "tests": Operand(", ".join(tests), about="path"),
    }


def sure(given: Setting, s: State) -> Note:
    """The note of what each learner answers, what share of the test pictures is rejected, and how
    many of the others are wrong.
    """
    lead = "{which}."
    if not s.answers:
        lead = (
            "The pad is empty: nothing to say. Of the test pictures so many are wrong or rejected:"
        )
    facts = []
    shares: dict[str, object] = {}
    for k, tested in enumerate(s.tested):
        answered = tested[:, 0] >= given.p.reject
        wrong = number(100 * float(1 - tested[answered, 1].mean()), 1) if answered.any() else "0"
        facts.append(Fact(f"{{t{k}}}", f"{{w{k}}} wrong, {{r{k}}} rejected"))
        shares[f"t{k}"] = title(s, k)
        shares[f"w{k}"] = Operand(f"{wrong} %", about="wrong")
        shares[f"r{k}"] = f"{number(100 * float(1 - answered.mean()), 1)} %"
    said: dict[str, list[str]] = {}
    for letter, answer in zip(LETTERS, s.answers, strict=False):
        digit = "no answer" if given.rejects(answer) else label(given, answer.label)
        said.setdefault(digit, []).append(letter)
    which = "; ".join(f"{', '.join(letters)}: {digit}" for digit, letters in said.items())
    return note(lead, *facts, which=Operand(which, about="answers"), **shares)
