"""Amber in the pictures of Bayes with words: the numbers of a factor, both priors of a query, the
class that is answered.
"""

import pytest

import engine
from engine.scene.scene import Role
from engine.scene.views import name_in


@pytest.mark.parametrize(
    ("key", "table"), [("categorical_bayes", "Shares"), ("multinomial_bayes", "Words")]
)
def test_amber_lies_on_what_the_step_speaks_of(key: str, table: str) -> None:
    trace = engine.run(key, engine.algorithms()[key].example())
    lit = {"query": len(trace.problem.classes), "answer": 1, "prior": 1}
    seen = set()
    for step in trace:
        figures = {name_in(f.title): f for f in trace.algorithm.scene(trace.given, step).figures}
        if "Chances" not in figures:
            continue
        seen.add(step.line)
        chances = figures["Chances"]
        assert chances.roles.count(Role.ACTIVE) == lit.get(step.line, 0)
        assert (chances.before is not None) == (step.line == "factor")
        if step.line in ("factor", "query", "answer"):
            assert bool(figures[table].active) == (step.line == "factor")
    assert seen >= {"query", "factor", "answer"}
