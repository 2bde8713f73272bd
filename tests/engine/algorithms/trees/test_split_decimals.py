"""Split points that differ read differently, with few decimals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.algorithms.trees.parts import decimals as writing
from engine.algorithms.trees.parts.decimals import class_changes, decimals, split_text
from engine.base.notation import fixed, read_number
from engine.protocol.step import Level, Pace

ROUND = Pace(Level.ROUND)


def test_tests_of_one_column_read_differently() -> None:
    """Moons: x2 is tested at 0.56441 and, below its "no", at 0.56113; two decimals write 0.56
    for both.
    """
    trace = engine.run("decision_tree", engine.generate("moons", 200, 0.15, seed=0), pace=ROUND)
    nodes = [node for node in trace[-1].state.nodes if node.kind == "test"]
    points = {(node.column, node.point) for node in nodes}
    figure = trace.algorithm.scene(trace.given, trace[-1]).figures[0]
    assert len({node.text for node in figure.nodes if node.kind == "test"}) == len(points)
    assert "x₂ > 0.564" in {node.text for node in figure.nodes}
    for way in trace[-1].note["formula"].split(" ∨ "):
        conditions = way.strip("()").split(" ∧ ")
        assert len(set(conditions)) == len(conditions)


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 2)), min_size=2, max_size=30))
def test_midpoints_of_values_with_two_decimals_read_differently(
    rows: list[tuple[int, int]],
) -> None:
    """Their midpoints end in a 5 behind the second decimal, so three decimals are always enough."""
    values, codes = (
        np.array([hundredths / 100 for hundredths, _ in rows]),
        np.array([code for _, code in rows]),
    )
    points = class_changes(values, codes)
    digits = decimals(values, codes)
    written = [fixed(point, digits) for point in points]
    assert len(set(written)) == len(written)
    wide = np.ptp(values) >= 1 or np.ptp(values) == 0
    assert digits in (2, 3) or not wide


@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(-1, 2)), max_size=20))
def test_whole_numbers_keep_two_decimals(rows: list[tuple[int, int]]) -> None:
    assert (
        decimals(
            np.array([float(v) for v, _ in rows]), np.array([code for _, code in rows], np.intp)
        )
        == 2
    )


def test_class_changes_by_hand() -> None:
    """1 a, 2 a, 3 a and b, 4 b, 5 b, 7 a; a missing value and a row without a class do
    not count.
    """
    values = np.array([4.0, 3, 1, 2, 3, 5, 7, np.nan, 6])
    codes = np.array([1, 0, 0, 0, 1, 1, 0, 1, -1])
    assert class_changes(values, codes).tolist() == [2.5, 3.5, 6.0]


@pytest.mark.parametrize("gap", [1e-2, 1e-3, 1e-4])
def test_close_points_are_parted_by_at_most_three_decimals_more(gap: float) -> None:
    values, codes = np.array([0.5 - gap, 0.5, 0.5 + gap, 3.0]), np.array([0, 1, 0, 1])
    digits = decimals(values, codes)
    assert digits <= 5
    assert len({fixed(point, digits) for point in class_changes(values, codes)}) == 3


@pytest.mark.parametrize("gap", [1e-9, 1e-15])
def test_what_five_decimals_cannot_part_costs_no_decimals(gap: float) -> None:
    assert decimals(np.array([0.5 - gap, 0.5, 0.5 + gap, 3.0]), np.array([0, 1, 0, 1])) == 2


@pytest.mark.parametrize("values", [[], [np.nan], [2.0], [1e308, -1e308, 3.0], [1e-300, 2e-300]])
def test_strange_columns(values: list[float]) -> None:
    digits = decimals(np.array(values), np.arange(len(values)) % 2)
    assert 2 <= digits <= 11


@pytest.mark.parametrize("start", [0.5, -100_000.1, 999_999.0, 1_700_000_010.0, 3e12])
@pytest.mark.parametrize("gap", [1e-9, 0.1, 10.0])
def test_no_rule_contradicts_itself(start: float, gap: float) -> None:
    """Each written split point lies between the two values that it parts, at steps and at rounds; 3
    is far away.
    """
    x = np.unique(np.append(start + gap * np.arange(4), 3.0))
    data = engine.Dataset.from_columns(
        {"x": x.tolist(), "y": ["a", "b"] * (len(x) // 2) + ["a"] * (len(x) % 2)}, "y"
    )
    for pace in (Pace(), ROUND):
        trace = engine.run("decision_tree", data, pace=pace)
        points = {
            node.point: x[np.searchsorted(x, node.point) - 1 :][:2]
            for node in trace[-1].state.nodes
            if node.point
        }
        said = " ".join(step.note.text() for step in trace if step.line == "choose")
        for point, (low, high) in points.items():
            assert trace.predict([[low]]) != trace.predict([[high]])
            written = split_text(trace.problem, 0, point)
            assert low < read_number(written) < high
            assert f"x > {written}" in said


def test_a_rule_of_dates_in_seconds() -> None:
    x = [1_700_000_010.0, 1_700_000_020.0, 1_700_000_030.0, 1_700_000_040.0]
    trace = engine.run(
        "decision_tree", engine.Dataset.from_columns({"x": x, "y": list("abab")}, target="y")
    )
    note = trace.algorithm.explain(trace.given, trace[-1].state, trace.problem.X[1]).note
    assert note["rule"].split(" ∧ ") == ["x > 1700000015", "x ≤ 1700000025"]
    assert note["target"] == "y = b"


def test_a_column_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = engine.prepare(engine.generate("moons", 50, 0.15, seed=0))
    first = split_text(problem, 1, 0.5)
    monkeypatch.setattr(writing, "decimals", None)
    assert split_text(problem, 1, 0.5) == first
