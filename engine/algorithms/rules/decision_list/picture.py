"""The list as a chain of tests, the table whose rows leave, the map of the inputs.

AIMA Fig 18.10.
"""

from functools import partial

from engine.algorithms.rules.decision_list import Setting, State, model, predict
from engine.algorithms.rules.decision_list.words import test_name
from engine.algorithms.rules.parts import NEGATIVE
from engine.authoring import Float, Grid, Problem, Step, replace
from engine.base.notation import counted
from engine.numerics.boolean import covers, squares
from engine.scene import boolean
from engine.scene.boolean import examples_table, map_figures
from engine.scene.scene import Role, Scene, Tree, TreeNode


def class_surface(given: Setting, s: State, grid: Grid) -> Float:
    """(ny, nx) the class by the list at every place of the grid."""
    return squares(given.problem, grid, partial(predict, given, s))


FIELDS = {"class": class_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    classes = model(s)
    tested = [j for j, _ in s.found.test] if s.found is not None else []
    columns = dict.fromkeys(tested, Role.ACTIVE)
    title = "Examples: pale once a test has matched them"
    matched = s.gone
    cells: tuple[str, ...] = ()
    if s.found is not None and step.line in ("find", "drop"):  # amber where they meet the test
        if step.line == "find":
            matched = s.left[covers(s.found.test, given.X[s.left])]
        cells = tuple(problem.features[j].name for j in tested)
    table = examples_table(problem, (s.left,), matched, columns, title)
    table = replace(table, cells=cells)
    rules = [t.test for t in s.tests if t.test]
    growing = pending(s)
    now = -1
    if growing is not None:
        now = len(rules)
    elif s.found is not None and s.found.test:
        now = len(rules) - 1
    said = heading(problem, step)
    inputs = map_figures(problem, rules, classes, growing, None, True, now, s.gone, said)
    return boolean.scene(problem, classes, (chain(problem, s, said), table, *inputs))


def heading(problem: Problem, step: Step[State]) -> str:
    """What a step does, for the headings of the list and the map."""
    s = step.state
    test = "" if s.found is None else test_name(problem, s.found)
    by_line = {
        "start": "empty",
        "find": f"{test} matches {0 if s.found is None else s.found.count}",
        "add": f"{test} joins",
        "drop": f"{test} takes {len(s.gone)}",
        "fail": "no test is left",
        "done": f"{s.errors} wrong",
    }
    return by_line.get(step.line, f"{counted(len(s.left), 'example')} left")


def pending(s: State) -> tuple[tuple[int, float], ...] | None:
    """The test that was found but is not in the list yet; None for none."""
    return s.found.test if s.found is not None and s.found not in s.tests else None


def chain(problem: Problem, s: State, said: str) -> Tree:
    """The list as a tree that branches to one side only: matched examples get a class, others go
    on.

    The test that anything passes is the end of it. A test that was found and is not in the list yet
    is in amber at the open end.
    """
    nodes: list[TreeNode] = []
    parent = -1
    branch = ""
    for t in s.tests:
        role = Role.ACTIVE if t is s.found else Role.PLAIN
        answer = problem.class_text(t.code)
        matched = f"{t.count} matched"
        if t is s.found:
            matched = f"takes {t.count}" if len(s.gone) else f"{t.count} match"
        to_leaf = branch
        if t.test:
            nodes.append(TreeNode(parent, branch, test_name(problem, t), role=role, tag="list"))
            parent = len(nodes) - 1
            branch = "no"
            to_leaf = "yes"
        nodes.append(
            TreeNode(parent, to_leaf, answer, "leaf", t.code, matched, role=role, tag="list")
        )
        if not t.test:
            break
    else:
        kind = "open" if len(s.left) else "leaf"
        rest = f"{len(s.left)} left" + (", no test for them" if s.failed else "")
        answer = problem.class_text(NEGATIVE)
        role = Role.PLAIN
        tag = ""
        if s.found is not None and pending(s) is not None:
            answer = f"{test_name(problem, s.found)} → {problem.class_text(s.found.code)}"
            rest = f"{s.found.count} of {len(s.left)} match"
            role = Role.ACTIVE
            tag = "rule"
        nodes.append(TreeNode(parent, branch, answer, kind, NEGATIVE, rest, role=role, tag=tag))
    names = tuple(problem.class_text(c) for c in range(len(problem.classes)))
    return Tree(f"Decision list: {said}", nodes, names)
