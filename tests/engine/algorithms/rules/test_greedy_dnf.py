"""Greedy DNF against MIT 2.2.33-2.2.43 and 2.3.15-2.3.21 (mit D06, D08, D09, D12) and
its own laws.
"""

from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.protocol.step import Level, Pace
from engine.scene.scene import Bars, Plot, Role

ROUND = Pace(Level.ROUND)


def shares(step):
    return {
        name: tuple(step.note[name])
        for name in step.note.operands
        if name[0] == "v" and name[1:].isdigit()
    }


def test_trace_of_the_slides() -> None:
    """mit D08, score by score, and D06: f3^f4 v f1^f2 with no error and four literals."""
    trace = engine.run("greedy_dnf", engine.textbook("mit_harder"))
    scored = [s for s in trace if s.line == "score"]
    assert [shares(s) for s in scored] == [
        {"v0": (2, 1), "v1": (2, 1), "v2": (4, 1), "v3": (3, 1)},
        {"v0": (2, 0), "v1": (2, 1), "v3": (3, 0)},
        {"v0": (1, 1), "v1": (1, 1), "v2": (1, 1), "v3": (0, 1)},
        {"v1": (1, 0), "v2": (1, 0), "v3": (0, 1)},
    ]
    assert [s.state.chosen for s in scored] == [2, 3, 0, 1]
    assert [s.choice.winners for s in scored] == [(2,), (2,), (0, 1, 2), (0, 1)]
    assert [s.state.P.tolist() for s in trace if s.line == "cover"] == [[2], []]
    assert trace[-1].state.rules == ((2, 3), (0, 1))
    assert trace[-1].metrics["literals"] == 4
    assert trace[-1].metrics["errors"] == 0


@pytest.mark.parametrize(
    ("floor", "score"), [("0.001", 3000), ("0.000001", 3_000_000), ("zero wins", 15)]
)
def test_the_three_floors(floor: str, score: int) -> None:
    """mit D09; “zero wins” needs no more than a floor below 1/positives."""
    trace = engine.run("greedy_dnf", engine.textbook("mit_harder"), floor=floor)
    second = [s for s in trace if s.line == "score"][1]
    assert second.state.scores[3] == F(score)
    assert trace[-1].state.rules == ((2, 3), (0, 1))


def test_full_noise_gives_false() -> None:
    """mit D12: “at most”, not “fewer than”."""
    trace = engine.run("greedy_dnf", engine.textbook("mit_harder"), epsilon=1.0)
    assert trace[-1].state.rules == ()
    assert not trace.when("fail")


def test_a_fifth_of_noise_is_exact() -> None:
    """0.2 of 5 is one row, without rounding; each rule has its own allowance."""
    X = np.array(
        [[1, 0], [1, 0], [1, 0], [1, 0], [0, 1], [1, 1], [0, 0], [0, 0], [0, 0], [0, 0]], float
    )
    trace = engine.run("greedy_dnf", (X, [1] * 5 + [0] * 5), epsilon=0.2)
    assert trace[-1].state.rules == ((0,),)
    assert trace[-1].state.P.tolist() == [4]


@pytest.mark.parametrize(
    ("policy", "rules"), [("literal", ((1,),)), ("keep", ((1,),)), ("drop", ())]
)
def test_policies_for_stuck_rules(policy: str, rules: tuple) -> None:
    """mit A13: equal rows of both classes; no column tells them apart."""
    trace = engine.run(
        "greedy_dnf", ([[1.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]], [1, 0, 0, 0]), stuck=policy
    )
    assert trace.when("stuck")
    assert {tuple(sorted(rule)) for rule in trace[-1].state.rules} == set(rules)
    assert bool(trace.when("fail")) == (policy == "drop")


def test_literal_rule_may_end_covering_nothing() -> None:
    """mit A12, gap 3: a column with n⁺ = 0 joins, and the useless rule makes the search fail."""
    data = ([[0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0]], [1, 0, 0])
    trace = engine.run("greedy_dnf", data, stuck="literal")
    assert trace.when("fail")
    assert trace[-1].state.rules == ()
    kept = engine.run("greedy_dnf", data, stuck="keep")
    assert kept[-1].state.rules == ((),)  # f2 holds everywhere, so the unfinished rule is True
    assert kept.when("stuck")


def test_xor_and_tree_sets_need_negations() -> None:
    """mit exercise 16: no rule without negation can be right on every row."""
    for name in ("mit_tree", "mit_xor"):
        trace = engine.run("greedy_dnf", engine.textbook(name))
        assert trace[-1].metrics["errors"] > 0


def test_map_and_bars() -> None:
    """mit C12: two blocks on the map when the search is over; the chosen column's bar is lit."""
    trace = engine.run("greedy_dnf", engine.textbook("mit_harder"))
    figures = trace.algorithm.scene(trace.given, trace[-1]).figures
    plot = next(f for f in figures if isinstance(f, Plot))
    assert [layer.tag for layer in plot.layers if layer.role is Role.ACCEPTED] == [
        "rule 0",
        "rule 1",
    ]
    scored = next(s for s in trace if s.line == "score")
    figures = trace.algorithm.scene(trace.given, scored).figures
    bars = next(f for f in figures if isinstance(f, Bars))
    assert bars.roles == (Role.PLAIN, Role.PLAIN, Role.ACTIVE, Role.PLAIN)


rows = st.lists(
    st.lists(st.sampled_from([0.0, 1.0]), min_size=3, max_size=3), min_size=2, max_size=10
)


@settings(max_examples=80, deadline=None)
@given(
    rows, st.sampled_from(["literal", "keep", "drop"]), st.sampled_from([0.0, 0.2, 0.34, 0.5, 1.0])
)
def test_ends_and_keeps_its_promises(rows: list[list[float]], stuck: str, epsilon: float) -> None:
    X = np.array(rows)
    y = 1 - np.arange(len(rows)) % 2
    trace = engine.run("greedy_dnf", (X, y), stuck=stuck, epsilon=epsilon)
    s = trace[-1].state
    assert trace.finished
    assert s.failed == (len(s.P) > F(str(epsilon)) * int((y == 1).sum()))
    assert (trace.predict(X[s.P]) == 0).all()
    if epsilon == 0 and stuck == "drop":  # every rule that joins is free of negatives
        assert (trace.predict(X[y == 0]) == 0).all()
    assert all(len(set(rule)) == len(rule) for rule in s.rules)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(rows, st.sampled_from(["literal", "keep", "drop"]), st.sampled_from([0.0, 0.34, 0.5]))
def test_the_count_of_wrong_examples_is_that_of_the_answers(
    rows: list[list[float]], stuck: str, epsilon: float
) -> None:
    X = np.array(rows)
    y = 1 - np.arange(len(rows)) % 2
    trace = engine.run("greedy_dnf", (X, y), stuck=stuck, epsilon=epsilon)
    for at, s in enumerate(trace):
        assert s.metrics["errors"] == (trace.predict(X, at) != y).sum(), s.line


def test_why_a_positive_cannot_be_covered() -> None:
    """mit 2.2.31, manners: who is in whose way.

    Without negation a negative row above a positive one is always covered with it.
    """
    trace = engine.run("greedy_dnf", ([[1.0, 0.0], [1.0, 1.0]], [1, 0]), stuck="drop")
    assert "x₂ is 1 wherever x₁ is" in next(s for s in trace if s.line == "fail").note.text()


@pytest.mark.slow
def test_noise_makes_many_rules_and_the_text_stays_short() -> None:
    trace = engine.run("greedy_dnf", engine.generate("boolean_rule", 1500, 0.4), pace=ROUND)
    assert len(trace[-1].state.rules) > 30
    assert max(len(str(s.note["h"])) for s in trace) < 2000
    assert trace[-1].metrics["errors"] == (trace.predict(trace.problem.X) != trace.problem.y).sum()


def test_a_complex_target_needs_far_more_rows() -> None:
    """mit F14, F15: of a thousand columns 100 rows find the simple target, not the one of 24
    literals.
    """
    errors = {}
    for name in ("boolean_rule_simple", "boolean_rule_wide"):
        trace = engine.run("greedy_dnf", engine.generate(name, 100, seed=1))
        fresh = engine.prepare(engine.generate(name, 1000, seed=2))
        labels = np.array(fresh.classes)[fresh.codes]
        errors[name] = float((trace.predict(fresh.X) != labels).mean())
    assert errors["boolean_rule_simple"] < 0.02
    assert errors["boolean_rule_wide"] > 0.2


def test_without_a_map_the_rules_are_a_table_with_a_row_for_each_literal() -> None:
    """f3, or f1 and f2: by hand, of six columns, which no map shows. v(f3) = 1/0 comes first."""
    X = [[1, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [1, 0, 0, 1, 1, 1], [0, 1, 0, 1, 1, 1]]
    columns = {f"f{j + 1}": [row[j] for row in X] for j in range(6)}
    data = engine.Dataset.from_columns({**columns, "y": [1, 1, 0, 0]}, "y")
    trace = engine.run("greedy_dnf", data)

    def rows(step):
        (table,) = (
            figure
            for figure in trace.algorithm.scene(trace.given, step).figures
            if figure.title.startswith("Rules")
        )
        starts, literals = table.columns
        return [
            (starts.feature.text(start), literals.feature.text(literal))
            for start, literal in zip(starts.values, literals.values, strict=True)
        ]

    assert rows(trace[0]) == [("h", "False")]
    assert trace[-1].state.rules == ((2,), (0, 1))
    assert rows(trace[-1]) == [("r₁", "f₃"), ("r₂", "f₁"), ("∧", "f₂")]


def test_the_choice_stands_at_the_line_of_its_score() -> None:
    """The loop is a line of its own, as in the greedy conjunction."""
    trace = engine.run("greedy_dnf", engine.textbook("mit_harder"))
    lines = [step.line for step in trace]
    assert lines[3:5] == ["inner", "score"]
    assert lines.count("inner") == lines.count("score") == 4
