"""Words, choices and figures of decision lists. AIMA 18.5.1, Figs 18.10 and 18.11."""

from collections.abc import Sequence
from typing import Protocol

from engine.core.arrays import Int
from engine.core.problem import Problem
from engine.core.scene import Figure, Role, Tree, TreeNode
from engine.core.step import Choice, Fact, Note, Operand, Option, note
from engine.numerics.boolean import Classes, Conjunction, Uniform, Uniforms, twins
from engine.pictures.boolean import conjunction_text, examples_table, map_figures, rows_text

MATCHED = Fact("examples that match", "{count}")
LEFT = Fact("examples left", "{left}")
WRONG = Fact("wrong examples", "{errors}")
OPTIONS = 30
TIES = {
    "smallest": "as many literals and examples: the first in the order of the columns",
    "widest": "as many examples: the fewest literals, then the order of the columns",
}


class Listed(Protocol):
    """What words and figures need of a state."""

    @property
    def tests(self) -> tuple[Uniform, ...]: ...
    @property
    def left(self) -> Int: ...
    @property
    def gone(self) -> Int: ...
    @property
    def found(self) -> Uniform | None: ...
    @property
    def errors(self) -> int: ...
    @property
    def failed(self) -> bool: ...


def test_name(problem: Problem, test: Conjunction) -> str:
    return conjunction_text(problem, test) if test else "anything"


def list_text(problem: Problem, tests: Sequence[Uniform]) -> str:
    parts = [f"{test_name(problem, u.test)} → {problem.class_text(u.code)}" for u in tests if u.test]
    last = next((u.code for u in tests if not u.test), 1)  # the test that anything passes is the end
    return "; ".join([*parts, f"else {problem.class_text(last)}"])


def told(problem: Problem, s: Listed) -> dict[str, Operand]:
    return {
        "rows": Operand(rows_text(problem, s.left), about="rows"),
        "gone": Operand(rows_text(problem, s.gone), about="rows"),
        "list": Operand(list_text(problem, s.tests), about="list" if s.tests else ""),
        "left": Operand(len(s.left), about="rows"),
        "errors": Operand(s.errors),
        "default": Operand(problem.class_text(1)),
    }


def start_note(problem: Problem, s: Listed) -> Note:
    return note("The list is empty, so everything gets {default}. No example is explained yet.", LEFT, WRONG,
                **told(problem, s))  # fmt: skip


def while_note(problem: Problem, s: Listed) -> Note:
    return note("Examples that no test of the list matches: {rows}.", LEFT, **told(problem, s))


def find_note(problem: Problem, s: Listed, found: Uniforms, prefer: str, k: int) -> Note:
    """found: as `best_uniform` finds it. Of the smallest size it has every test that will do; of the widest ones every
    test that is as wide, but not every narrower one, so these are not counted."""
    best = found[0]
    winners = found.widest
    lead = (
        "{test} matches {count} of the examples left, " + ("all of" if best.count > 1 else "of") + " class {answer}. "
    )
    size = _size(len(best.test))
    if prefer == "widest" and winners == 1:
        lead += f"No other test of at most {_size(k)} matches as many of one class alone."
    elif prefer == "widest":
        lead += f"{winners} tests of at most {_size(k)} match as many of one class alone; this one comes first."
    elif not best.test:
        lead += "So nothing need be asked."
    elif len(found) == 1:
        lead += f"No other test of {size} matches examples of one class alone."
    else:
        lead += f"{len(found)} tests of {size} match examples of one class alone; "
        lead += "this one is the widest." if winners == 1 else f"{winners} are equally wide, this one comes first."
    return note(lead, MATCHED, **_test(problem, best, "rule"), **told(problem, s))


def _size(literals: int) -> str:
    return "one literal" if literals == 1 else f"{literals} literals"


def _test(problem: Problem, u: Uniform, tag: str = "list") -> dict[str, Operand]:
    return {
        "test": Operand(test_name(problem, u.test), about=tag),
        "count": Operand(u.count, about="rows"),
        "answer": Operand(problem.class_text(u.code)),
    }


def find_choice(problem: Problem, found: Uniforms, prefer: str) -> Choice:
    """The best tests; every test that covers as many examples as the chosen one is as good. Only the chosen one is shown."""
    shown = found[:OPTIONS]
    winners = tuple(k for k, u in enumerate(shown) if u.count == shown[0].count)
    options = tuple(
        Option(test_name(problem, u.test), u.count, "rule" if u is shown[0] else "", f"→ {problem.class_text(u.code)}")
        for u in shown
    )
    rule = TIES[prefer] if len(winners) > 1 else ""
    return Choice("Which test comes next?", options, winners, 0, rule, "examples", digits=0)


def add_note(problem: Problem, s: Listed, u: Uniform) -> Note:
    return note("{test} → {answer} is put at the end of the list.", Fact("list", "{list}"), WRONG,
                **_test(problem, u), **told(problem, s))  # fmt: skip


def drop_note(problem: Problem, s: Listed, u: Uniform) -> Note:
    lead = "{test} explains {gone}. Left: {rows}."
    return note(lead, Fact("list", "{list}"), LEFT, WRONG, **_test(problem, u), **told(problem, s))


def fail_note(problem: Problem, s: Listed, k: int) -> Note:
    lead = "Fail: no test of at most {size} matches examples of one class alone. Left: {rows}. "
    alike = twins(problem.X, problem.codes, s.left)
    if alike is None:
        lead += "More literals per test may help: no two examples that are alike differ in class."
    else:
        lead += "{one} and {other} are alike and of different classes: nothing tells them apart."
    one, other = (problem.names[i] for i in alike or (0, 0))
    return note(
        lead,
        LEFT,
        size=_size(k),
        one=Operand(one, about="rows"),
        other=Operand(other, about="rows"),
        **told(problem, s),
    )


def done_note(problem: Problem, s: Listed) -> Note:
    lead = "Every example is explained. What matches no test gets {default}."
    if any(not u.test for u in s.tests):
        lead = "Every example is explained. The last test takes all that the others leave."
    if s.failed:
        lead = "The list stays incomplete; what matches no test gets {default}. Wrong examples: {errors}."
    return note(lead, Fact("list", "{list}"), WRONG, **told(problem, s))


def explain_note(problem: Problem, s: Listed, at: int | None) -> Note:
    """at: number of the first test that holds, None when none does."""
    if at is None:
        return note("No test of the list holds here, so the answer is {default}.", **told(problem, s))
    lead = "Test {number} is the first that holds: {test}. So the answer is {answer}."
    return note(lead, number=at + 1, **_test(problem, s.tests[at]))


# -- figures -----------------------------------------------------------------------------------------------------------


def figures(problem: Problem, s: Listed, classes: Classes) -> tuple[Figure, ...]:
    """The chain of tests (Fig 18.10), the table whose rows leave, the map of the inputs."""
    columns = dict.fromkeys((j for j, _ in s.found.test), Role.ACTIVE) if s.found else {}
    table = examples_table(problem, (s.left,), s.gone, columns, "Examples: pale once a test has matched them")
    rules = [u.test for u in s.tests if u.test]
    growing = s.found.test if s.found is not None and pending(s) else None
    return (chain(problem, s), table, *map_figures(problem, rules, classes, growing, numbered=True))


def pending(s: Listed) -> bool:
    """A test was found that is not in the list yet."""
    return s.found is not None and s.found not in s.tests


def chain(problem: Problem, s: Listed) -> Tree:
    """The list as a tree that branches to one side only: matched examples get a class, others go on. The test that
    anything passes is the end of it. Where a test was found its place is at the open end."""
    nodes: list[TreeNode] = []
    parent, branch = -1, ""
    for u in s.tests:
        role = Role.ACTIVE if u is s.found else Role.PLAIN
        text, matched = problem.class_text(u.code), f"{u.count} matched"
        if not u.test:
            nodes.append(TreeNode(parent, branch, text, "leaf", u.code, matched, role=role, tag="list"))
            break
        nodes.append(TreeNode(parent, branch, test_name(problem, u.test), role=role, tag="list"))
        parent, branch = len(nodes) - 1, "no"
        nodes.append(TreeNode(parent, "yes", text, "leaf", u.code, matched, role=role, tag="list"))
    else:
        text, kind = problem.class_text(1), "open" if len(s.left) else "leaf"
        tag = "rule" if pending(s) else ""
        nodes.append(TreeNode(parent, branch, text, kind, 1, f"{len(s.left)} left", tag=tag))
    return Tree("Decision list", nodes, tuple(problem.class_text(c) for c in range(len(problem.classes))))


def path(s: Listed, at: int | None) -> tuple[int, ...]:
    """The nodes of `chain` down to the answer of test number `at`; None: to its end."""
    last = len(s.tests) if at is None else at
    ends = at is not None and s.tests[at].test
    return (*range(0, 2 * last + 1, 2), *((2 * last + 1,) if ends else ()))
