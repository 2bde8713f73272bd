"""What decision lists say."""

from engine.algorithms.rules.decision_list import Params, Setting, State, predict
from engine.algorithms.rules.parts import NEGATIVE
from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Note,
    Operand,
    Option,
    Problem,
    Words,
    note,
)
from engine.base.notation import counted
from engine.numerics.boolean import Uniform, covers, to_values, twins
from engine.scene.boolean import MISSING, conjunction_text, rows_text

SUMMARY = (
    "Finds a small test that matches examples of one class alone, writes it down with that class,"
    " puts those examples away and goes on with the rest. A new example gets the class of the first"
    " test that holds."
)
ERRATA = (
    (
        "AIMA 18.5.1 leaves the choice of the test free. Here both of its strategies; ties take the"
        " wider test, then the order of the columns."
    ),
    (
        "AIMA Fig 18.10 is an example of a list. It does not fit all twelve restaurant rows, and"
        " the text does not say so."
    ),
)
LIST = Fact("list", "{list}")
MATCHED = Fact("examples that match", "{count}")
LEFT = Fact("examples left", "{left}")
WRONG = Fact("wrong examples", "{errors}")
TIES = {
    "smallest": "as many literals and examples: the first in the order of the columns",
    "widest": "as many examples: the fewest literals, then the order of the columns",
}


def chips(p: Params) -> tuple[str, ...]:
    return (f"k = {p.k}", f"{p.prefer} test")


def test_name(problem: Problem, t: Uniform) -> str:
    """A test as text, a conjunction, or "anything"."""
    return conjunction_text(problem, t.test) if t.test else "anything"


def list_text(problem: Problem, s: State) -> str:
    """The whole list as a sentence."""
    parts = [f"{test_name(problem, t)} → {problem.class_text(t.code)}" for t in s.tests if t.test]
    # the test that anything passes is the end
    last = next((t.code for t in s.tests if not t.test), NEGATIVE)
    return "; ".join([*parts, f"else {problem.class_text(last)}"])


def sized(literals: int) -> str:
    """A number of literals as text: "one literal", "2 literals"."""
    return "one literal" if literals == 1 else counted(literals, "literal")


def operands(
    given: Setting, s: State, test: Uniform | None = None, tag: str = "list"
) -> dict[str, Operand]:
    """The operands that most notes share. test: the test they are about"""
    problem = given.problem
    known: dict[str, Operand] = {}
    if test is not None:
        known = {
            "test": Operand(test_name(problem, test), about=tag),
            "count": Operand(test.count, about="rows"),
            "answer": Operand(problem.class_text(test.code)),
        }
    return known | {
        "rows": Operand(rows_text(problem, s.left), about="rows"),
        "gone": Operand(rows_text(problem, s.gone), about="rows"),
        "list": Operand(list_text(problem, s), about="list" if s.tests else ""),
        "left": Operand(len(s.left), about="rows"),
        "errors": Operand(s.errors),
        "default": Operand(problem.class_text(NEGATIVE)),
    }


def start(given: Setting, s: State) -> Note:
    lead = "The list is empty, so everything gets {default}. No example is explained yet."
    return note(lead, LEFT, WRONG, **operands(given, s))


def while_(given: Setting, s: State) -> Note:
    return note("Examples that no test of the list matches: {rows}.", LEFT, **operands(given, s))


def find(
    given: Setting, s: State, best: tuple[Uniform, ...], ties: int, of: int, hand: bool = False
) -> Words:
    """best: the first of the `of` tests that were found, `ties` of them as wide as the first.

    Of the smallest size that is every test that will do; of the widest ones not every narrower one,
    so these are not counted.
    """
    t = s.found or best[0]
    lead = sentence(given, t, ties, of, hand)
    options = tuple(
        Option(
            test_name(given.problem, other),
            other.count,
            "rule" if other == t else "",
            f"→ {given.problem.class_text(other.code)}",
            other.test,
        )
        for other in best
    )
    winners = tuple(range(min(ties, len(best))))
    rule = TIES[given.p.prefer] if len(winners) > 1 else ""
    chosen = best.index(t)
    question = "Which test comes next?"
    choice = Choice(question, options, winners, chosen, rule, "examples", digits=0)
    return note(lead, MATCHED, **operands(given, s, t, "rule")), choice


def sentence(given: Setting, t: Uniform, ties: int, of: int, hand: bool) -> str:
    """The template that says why this test is taken. ties, of: as in `find`; hand: whether a person
    chose it
    """
    how = "was taken by hand" if hand else "comes first"
    all_of = "all of" if t.count > 1 else "of"
    lead = f"{{test}} matches {{count}} of the examples left, {all_of} class {{answer}}. "
    size = sized(len(t.test))
    most = sized(given.p.k)
    if given.p.prefer == "widest":
        if ties == 1:
            return lead + f"No other test of at most {most} matches as many of one class alone."
        tests = counted(ties, "test")
        return lead + f"{tests} of at most {most} match as many of one class alone; this one {how}."
    if not t.test:
        return lead + "So nothing need be asked."
    if of == 1:
        return lead + f"No other test of {size} matches examples of one class alone."
    lead += f"{counted(of, 'test')} of {size} match examples of one class alone; "
    if ties == 1:
        return lead + "this one is the widest."
    return lead + f"{ties} are equally wide, this one {how}."


def fail(given: Setting, s: State) -> Note:
    problem = given.problem
    lead = "Fail: no test of at most {size} matches examples of one class alone. Left: {rows}. "
    alike = twins(problem.X, problem.codes, s.left)
    if alike is None:
        lead += "More literals per test may help: no two examples that are alike differ in class."
    else:
        lead += "{one} and {other} are alike and of different classes: nothing tells them apart."
    one, other = (Operand(problem.names[i], about="rows") for i in alike or (0, 0))
    return note(lead, LEFT, size=sized(given.p.k), one=one, other=other, **operands(given, s))


def add(given: Setting, s: State) -> Note:
    lead = "{test} → {answer} is put at the end of the list."
    return note(lead, LIST, WRONG, **operands(given, s, s.found))


def drop(given: Setting, s: State) -> Note:
    lead = "{test} explains {gone}. Left: {rows}."
    return note(lead, LIST, LEFT, WRONG, **operands(given, s, s.found))


def done(given: Setting, s: State) -> Note:
    lead = "Every example is explained. What matches no test gets {default}."
    if any(not t.test for t in s.tests):
        lead = "Every example is explained. The last test takes all that the others leave."
    if s.failed:
        lead = (
            "The list stays incomplete; what matches no test gets {default}. Wrong examples:"
            " {errors}."
        )
    return note(lead, LIST, WRONG, **operands(given, s))


def explain(given: Setting, s: State, x: Float) -> Explanation:
    label = int(predict(given, s, x[None])[0])
    if label < 0:
        return Explanation(label, MISSING)
    values = to_values(given.problem.features, x[None])
    at = next((k for k, t in enumerate(s.tests) if covers(t.test, values)[0]), None)
    if at is None:
        lead = "No test of the list holds here, so the answer is {default}."
        return Explanation(label, note(lead, **operands(given, s)), path=path(s, at))
    lead = "Test {number} is the first that holds: {test}. So the answer is {answer}."
    said = note(lead, number=at + 1, **operands(given, s, s.tests[at]))
    return Explanation(label, said, path=path(s, at))


def path(s: State, at: int | None) -> tuple[int, ...]:
    """The nodes of the chain in the picture down to the answer of test number `at`; None: to its
    end.

    The tests are the even ones, the leaf of each follows it.
    """
    last = len(s.tests) if at is None else at
    down = range(0, 2 * last + 1, 2)
    if at is None or not s.tests[at].test:
        return tuple(down)
    return (*down, 2 * last + 1)
