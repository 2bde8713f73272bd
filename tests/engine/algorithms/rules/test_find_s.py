"""FIND-S against the least box round the positives, its mistake bound (mitchell A18, D15, F20) and
its pictures.
"""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.base.grid import Grid
from engine.judge.surface import evaluate_field
from engine.protocol.step import Level, Pace
from engine.scene.scene import Boxes, Plot, Role, Segments

ROUND = Pace(Level.ROUND)


def bits(rows: list[str], y: list[int]) -> engine.Dataset:
    columns = {f"f{j + 1}": [row[j] == "1" for row in rows] for j in range(len(rows[0]))}
    return engine.Dataset.from_columns({**columns, "y": y}, "y")


def test_the_least_conjunction_of_the_slides() -> None:
    """Positives 1011, 0011, 0111 of MIT 2.2.13: ?, ?, 1, 1, one column dropped by each after the
    first.
    """
    trace = engine.run("find_s", engine.textbook("mit_conjunction"))
    grown = [s for s in trace if s.line == "grow"]
    assert [s.state.S.low.tolist() for s in grown] == [[1, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]]
    assert [s.state.S.high.tolist() for s in grown] == [[1, 0, 1, 1], [1, 0, 1, 1], [1, 1, 1, 1]]
    assert [s.metrics["asks"] for s in grown] == [4, 3, 2]
    assert trace[-1].note["S"] == "f₃ ∧ f₄"
    assert trace[-1].metrics["errors"] == 0
    assert not trace.when("contradiction")


def test_the_bound_on_the_mistakes_is_reached() -> None:
    """mitchell D15: at most n + 1 mistakes, and this order makes them all."""
    trace = engine.run(
        "find_s", bits(["1111", "0111", "1011", "1101", "1110", "0000"], [1, 1, 1, 1, 1, 0])
    )
    assert trace[4 * 2 + 2].state.mistakes == 5
    assert trace[-1].metrics["bound"] == 5
    assert trace[-1].note["S"] == "True"
    assert trace.when("contradiction")  # no conjunction is left that keeps 0000 out


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 3**5 - 1), st.permutations(list(product((0, 1), repeat=5))))
def test_no_false_positives_and_few_mistakes_when_the_target_is_in_H(
    number: int, order: list[tuple[int, ...]]
) -> None:
    """mitchell D15, F20, on all 32 inputs of a hidden conjunction."""
    wanted = [number // 3**j % 3 for j in range(5)]  # 2: no condition
    y = [int(all(w in (2, v) for v, w in zip(x, wanted, strict=True))) for x in order]
    if len(set(y)) < 2:
        return
    trace = engine.run("find_s", bits(["".join(map(str, x)) for x in order], y))
    assert not trace.when("contradiction")
    assert trace[-1].state.mistakes <= 6
    assert trace[-1].state.errors == 0


numbers = st.lists(
    st.tuples(st.integers(-4, 4), st.integers(-4, 4), st.sampled_from("pqr"), st.booleans()),
    min_size=2,
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(numbers)
def test_the_least_box_round_the_positives(rows: list[tuple[int, int, str, bool]]) -> None:
    """Mixed columns against the definition, row for row; and the leap against the page."""
    if len({y for *_, y in rows}) < 2:
        return
    a, b, c, y = zip(*rows, strict=True)
    data = engine.Dataset.from_columns(
        {"a": [float(v) for v in a], "b": [float(v) for v in b], "c": c, "y": y}, "y"
    )
    trace, fast = engine.run("find_s", data), engine.run("find_s", data, pace=ROUND)
    inside = [row for row in rows if row[3]]
    words = {row[2] for row in inside}
    held = [
        min(r[0] for r in inside) <= u <= max(r[0] for r in inside)
        and min(r[1] for r in inside) <= v <= max(r[1] for r in inside)
        and (len(words) > 1 or w in words)
        for u, v, w, _ in rows
    ]
    assert trace.predict(trace.problem.X).tolist() == held
    s, leapt = trace[-1].state, fast[-1].state
    assert (s.mistakes, s.seen, s.errors) == (leapt.mistakes, leapt.seen, leapt.errors)
    assert s.errors == sum(h != y for h, (*_, y) in zip(held, rows, strict=True))
    assert s.S.low.tolist() == leapt.S.low.tolist() and s.S.high.tolist() == leapt.S.high.tolist()


POINTS = ([[2.0, 5.0], [3.0, 1.0], [4.0, 6.0], [9.0, 9.0]], [1, 1, 1, 0])


def test_the_borders_that_moved_are_lit() -> None:
    """(4, 6) moves the right border from 3 to 4 and the upper one from 5 to 6, and no other."""
    trace = engine.run("find_s", POINTS)
    step = [s for s in trace if s.line == "grow"][-1]
    assert [fact.text for fact in step.note.facts[1:3]] == ["2 … 3 → 2 … 4", "1 … 5 → 1 … 6"]
    layers = trace.algorithm.scene(trace.given, step).layers
    (sides,) = [layer for layer in layers if isinstance(layer, Segments)]
    assert sides.label == ("x₁ ≤ 4", "x₂ ≤ 6")
    assert sides.ends.tolist() == [[[4, 1], [4, 6]], [[2, 6], [4, 6]]]
    boxes = {layer.role: layer.bounds.tolist() for layer in layers if isinstance(layer, Boxes)}
    assert boxes == {Role.ACCEPTED: [[2, 1, 4, 6]], Role.GHOST: [[2, 1, 3, 5]]}


def test_an_interval_is_a_strip() -> None:
    trace = engine.run("find_s", ([[1.0], [2.0], [5.0]], [1, 1, 0]))
    boxes = [
        v for v in trace.algorithm.scene(trace.given, trace[-1]).layers if isinstance(v, Boxes)
    ]
    assert boxes[0].bounds.tolist() == [[1, -np.inf, 2, np.inf]]


def test_the_surface_is_the_box_and_holds_its_borders() -> None:
    trace = engine.run("find_s", POINTS)
    grid = Grid(np.array([1.9, 2.0, 4.0, 4.1]), np.array([0.9, 1.0, 6.0, 6.1]))
    assert evaluate_field(trace.algorithm, trace.given, trace[-1].state, "class",
        grid).tolist() == [
        [1, 1, 1, 1], [1, 0, 0, 1], [1, 0, 0, 1], [1, 1, 1, 1],
    ]  # fmt: skip


def test_truth_values_have_their_map() -> None:
    trace = engine.run("find_s", engine.textbook("mit_conjunction"))
    plot = next(
        f for f in trace.algorithm.scene(trace.given, trace[-1]).figures if isinstance(f, Plot)
    )
    rules = [layer for layer in plot.layers if isinstance(layer, Boxes) and layer.tag == "rule 0"]
    assert len(rules) == 1


def test_goes_on_where_it_was() -> None:
    """From the state after three examples of the slides' six: the same end as in one go."""
    whole = engine.run("find_s", engine.textbook("mit_conjunction"))
    begun = next(s.state for s in whole if s.state.seen == 3)
    rest = engine.Run(whole.algorithm, whole.problem, whole.params, start=begun)
    rest.advance()
    assert rest.trace[-1].state.S.low.tolist() == whole[-1].state.S.low.tolist()
    assert rest.trace[-1].state.mistakes == whole[-1].state.mistakes


def test_a_wrong_label_makes_it_too_wide_for_ever() -> None:
    """mitchell F20, and the words name what keeps a place out."""
    trace = engine.run("find_s", ([[1.0], [2.0], [9.0], [5.0]], [1, 1, 1, 0]))
    assert trace[-1].state.errors == 1
    assert trace.predict([[5.0]]).tolist() == [1]
    assert "no hypothesis of H fits all" in trace[-1].note.text()
    why = trace.algorithm.explain(trace.given, trace[-1].state, np.array([9.5]))
    assert why.label == 1
    assert "x₁ = 9.50, not 1 … 9" in why.note.text()


def test_one_class_is_refused() -> None:
    with pytest.raises(engine.EngineError, match="two classes"):
        engine.run("find_s", ([[1.0], [2.0]], [1, 1]))
