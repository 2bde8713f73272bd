"""What decision lists say."""

from engine.algorithms.rules.decision_list import Params, Setting, State, predict
from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Note,
    Operand,
    Option,
    Problem,
    Said,
    note,
)
from engine.core.notation import counted
from engine.numerics.boolean import Uniform, covers, to_values, twins
from engine.pictures.boolean import MISSING, conjunction_text, rows_text

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


def test_name(problem: Problem, u: Uniform) -> str:
    return conjunction_text(problem, u.test) if u.test else "anything"


def list_text(problem: Problem, s: State) -> str:
    parts = [f"{test_name(problem, u)} → {problem.class_text(u.code)}" for u in s.tests if u.test]
    # the test that anything passes is the end
    last = next((u.code for u in s.tests if not u.test), 1)
    return "; ".join([*parts, f"else {problem.class_text(last)}"])


def sized(literals: int) -> str:
    return "one literal" if literals == 1 else counted(literals, "literal")


def told(
    given: Setting, s: State, test: Uniform | None = None, tag: str = "list"
) -> dict[str, Operand]:
    """The operands that most notes have; test: the one that they speak of."""
    problem = given.problem
    one = (
        {}
        if test is None
        else {
            "test": Operand(test_name(problem, test), about=tag),
            "count": Operand(test.count, about="rows"),
            "answer": Operand(problem.class_text(test.code)),
        }
    )
    return one | {
        "rows": Operand(rows_text(problem, s.left), about="rows"),
        "gone": Operand(rows_text(problem, s.gone), about="rows"),
        "list": Operand(list_text(problem, s), about="list" if s.tests else ""),
        "left": Operand(len(s.left), about="rows"),
        "errors": Operand(s.errors),
        "default": Operand(problem.class_text(1)),
    }


def start(given: Setting, s: State) -> Note:
    lead = "The list is empty, so everything gets {default}. No example is explained yet."
    return note(lead, LEFT, WRONG, **told(given, s))


def while_(given: Setting, s: State) -> Note:
    return note("Examples that no test of the list matches: {rows}.", LEFT, **told(given, s))


def find(
    given: Setting, s: State, best: tuple[Uniform, ...], ties: int, of: int, hand: bool = False
) -> Said:
    """best: the first of the `of` tests that were found, `ties` of them as wide as the first.

    Of the smallest size that is every test that will do; of the widest ones not every narrower one,
    so these are not counted.
    """
    t = s.found or best[0]
    prefer = given.p.prefer
    how = "was taken by hand" if hand else "comes first"
    lead = (
        "{test} matches {count} of the examples left, "
        + ("all of" if t.count > 1 else "of")
        + " class {answer}. "
    )
    size, most = sized(len(t.test)), sized(given.p.k)
    if prefer == "widest" and ties == 1:
        lead += f"No other test of at most {most} matches as many of one class alone."
    elif prefer == "widest":
        lead += (
            f"{counted(ties, 'test')} of at most {most} match as many of one class alone; this one"
            f" {how}."
        )
    elif not t.test:
        lead += "So nothing need be asked."
    elif of == 1:
        lead += f"No other test of {size} matches examples of one class alone."
    else:
        lead += f"{counted(of, 'test')} of {size} match examples of one class alone; "
        lead += (
            "this one is the widest." if ties == 1 else f"{ties} are equally wide, this one {how}."
        )
    options = tuple(
        Option(
            test_name(given.problem, u),
            u.count,
            "rule" if u == t else "",
            f"→ {given.problem.class_text(u.code)}",
            u.test,
        )
        for u in best
    )
    winners = tuple(range(min(ties, len(best))))
    rule = TIES[prefer] if len(winners) > 1 else ""
    choice = Choice(
        "Which test comes next?", options, winners, best.index(t), rule, "examples", digits=0
    )
    return note(lead, MATCHED, **told(given, s, t, "rule")), choice


def fail(given: Setting, s: State) -> Note:
    problem = given.problem
    lead = "Fail: no test of at most {size} matches examples of one class alone. Left: {rows}. "
    alike = twins(problem.X, problem.codes, s.left)
    if alike is None:
        lead += "More literals per test may help: no two examples that are alike differ in class."
    else:
        lead += "{one} and {other} are alike and of different classes: nothing tells them apart."
    one, other = (Operand(problem.names[i], about="rows") for i in alike or (0, 0))
    return note(lead, LEFT, size=sized(given.p.k), one=one, other=other, **told(given, s))


def add(given: Setting, s: State) -> Note:
    return note(
        "{test} → {answer} is put at the end of the list.", LIST, WRONG, **told(given, s, s.found)
    )


def drop(given: Setting, s: State) -> Note:
    return note(
        "{test} explains {gone}. Left: {rows}.", LIST, LEFT, WRONG, **told(given, s, s.found)
    )


def done(given: Setting, s: State) -> Note:
    lead = "Every example is explained. What matches no test gets {default}."
    if any(not u.test for u in s.tests):
        lead = "Every example is explained. The last test takes all that the others leave."
    if s.failed:
        lead = (
            "The list stays incomplete; what matches no test gets {default}. Wrong examples:"
            " {errors}."
        )
    return note(lead, LIST, WRONG, **told(given, s))


def explain(given: Setting, s: State, x: Float) -> Explanation:
    label = int(predict(given, s, x[None])[0])
    if label < 0:
        return Explanation(label, MISSING)
    values = to_values(given.problem.features, x[None])
    at = next((k for k, u in enumerate(s.tests) if covers(u.test, values)[0]), None)
    if at is None:
        said = note("No test of the list holds here, so the answer is {default}.", **told(given, s))
    else:
        lead = "Test {number} is the first that holds: {test}. So the answer is {answer}."
        said = note(lead, number=at + 1, **told(given, s, s.tests[at]))
    return Explanation(label, said, path=path(s, at))


def path(s: State, at: int | None) -> tuple[int, ...]:
    """The nodes of the chain in the picture down to the answer of test number `at`; None: to its
    end.
    """
    last = len(s.tests) if at is None else at
    ends = at is not None and s.tests[at].test
    return (*range(0, 2 * last + 1, 2), *((2 * last + 1,) if ends else ()))
