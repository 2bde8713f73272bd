"""The list as a chain of tests, the table whose rows leave, the map of the inputs.

AIMA Fig 18.10.
"""

from functools import partial

from engine.algorithms.rules.decision_list import Setting, State, model, predict
from engine.algorithms.rules.decision_list.words import test_name
from engine.algorithms.rules.parts import NEGATIVE
from engine.authoring import Float, Grid, Problem, Step
from engine.numerics.boolean import squares
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
    table = examples_table(problem, (s.left,), s.gone, columns, title)
    rules = [t.test for t in s.tests if t.test]
    growing = pending(s)
    now = -1
    if growing is not None:
        now = len(rules)
    elif s.found is not None and s.found.test:
        now = len(rules) - 1
    inputs = map_figures(problem, rules, classes, growing, None, True, now, s.gone)
    return boolean.scene(problem, classes, (chain(problem, s), table, *inputs))


def pending(s: State) -> tuple[tuple[int, float], ...] | None:
    """The test that was found but is not in the list yet; None for none."""
    return s.found.test if s.found is not None and s.found not in s.tests else None


def chain(problem: Problem, s: State) -> Tree:
    """The list as a tree that branches to one side only: matched examples get a class, others go
    on.

    The test that anything passes is the end of it. Where a test was found its place is at the open
    end.
    """
    nodes: list[TreeNode] = []
    parent = -1
    branch = ""
    for t in s.tests:
        role = Role.ACTIVE if t is s.found else Role.PLAIN
        answer = problem.class_text(t.code)
        matched = f"{t.count} matched"
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
        tag = "rule" if pending(s) is not None else ""
        rest = f"{len(s.left)} left"
        answer = problem.class_text(NEGATIVE)
        nodes.append(TreeNode(parent, branch, answer, kind, NEGATIVE, rest, tag=tag))
    names = tuple(problem.class_text(c) for c in range(len(problem.classes)))
    return Tree("Decision list", nodes, names)
