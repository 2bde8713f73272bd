"""The list as a chain of tests, the table whose rows leave, the map of the inputs.

AIMA Fig 18.10.
"""

from engine.algorithms.rules.decision_list import Setting, State, model, predict
from engine.algorithms.rules.decision_list.words import test_name
from engine.authoring import Problem, Step
from engine.core.scene import Role, Scene, Tree, TreeNode
from engine.numerics.boolean import squares
from engine.pictures import boolean
from engine.pictures.boolean import examples_table, map_figures

FIELDS = {
    "class": lambda given, s, grid: squares(given.problem, grid, lambda X: predict(given, s, X))
}


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    classes = model(step.state)
    columns = dict.fromkeys((j for j, _ in s.found.test), Role.ACTIVE) if s.found else {}
    table = examples_table(
        problem, (s.left,), s.gone, columns, "Examples: pale once a test has matched them"
    )
    rules = [u.test for u in s.tests if u.test]
    growing = pending(s)
    now = (
        len(rules) - (growing is None) if s.found and (s.found.test or growing is not None) else -1
    )
    inputs = map_figures(problem, rules, classes, growing, numbered=True, now=now)
    return boolean.scene(problem, classes, (chain(problem, s), table, *inputs))


def pending(s: State) -> tuple[tuple[int, float], ...] | None:
    """The test that was found and is not in the list yet."""
    return s.found.test if s.found is not None and s.found not in s.tests else None


def chain(problem: Problem, s: State) -> Tree:
    """The list as a tree that branches to one side only: matched examples get a class, others go
    on. The test that anything passes is the end of it. Where a test was found its place is at the
    open end.
    """
    nodes: list[TreeNode] = []
    parent = -1
    branch = ""
    for u in s.tests:
        role = Role.ACTIVE if u is s.found else Role.PLAIN
        text = problem.class_text(u.code)
        matched = f"{u.count} matched"
        if not u.test:
            nodes.append(
                TreeNode(parent, branch, text, "leaf", u.code, matched, role=role, tag="list")
            )
            break
        nodes.append(TreeNode(parent, branch, test_name(problem, u), role=role, tag="list"))
        parent = len(nodes) - 1
        branch = "no"
        nodes.append(TreeNode(parent, "yes", text, "leaf", u.code, matched, role=role, tag="list"))
    else:
        text = problem.class_text(1)
        kind = "open" if len(s.left) else "leaf"
        tag = "rule" if pending(s) is not None else ""
        nodes.append(TreeNode(parent, branch, text, kind, 1, f"{len(s.left)} left", tag=tag))
    return Tree(
        "Decision list", nodes, tuple(problem.class_text(c) for c in range(len(problem.classes)))
    )
