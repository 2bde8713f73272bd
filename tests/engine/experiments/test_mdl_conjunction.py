"""The shortest description against all of them (mitchell A12, E6.5, F8; aima A15)."""

from itertools import combinations
from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.base.tags import names_in
from engine.protocol.step import Level, Pace
from engine.scene.scene import Plot, Points, Polyline, Role

KEY = "mdl_conjunction"


def table(rows: Any, labels: Any) -> engine.Dataset:
    columns = {f"f{j + 1}": [bool(row[j]) for row in rows] for j in range(len(rows[0]))}
    return engine.Dataset.from_columns({**columns, "y": [int(v) for v in labels]}, "y")


def shortest(rows: Any, labels: Any) -> tuple[float, tuple[int, ...], int]:
    """(bits, columns, wrong rows) of the first of the shortest, by all subsets: fewer literals,
    then the earlier columns.
    """
    n = len(rows[0])
    m = len(rows)
    found = []
    for k in range(n + 1):
        for h in combinations(range(n), k):
            wrong = sum(
                all(row[j] for j in h) != bool(y) for row, y in zip(rows, labels, strict=True)
            )
            found.append((round(k * log2(n) + wrong * log2(m), 9), k, h, wrong))
    bits, _, h, wrong = min(found)
    return bits, h, wrong


tables = st.integers(1, 5).flatmap(
    lambda n: st.lists(
        st.tuples(st.tuples(*[st.booleans()] * n), st.booleans()), min_size=2, max_size=12
    )
)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(tables)
def test_it_is_the_shortest_of_all(pairs: list[tuple[tuple[bool, ...], bool]]) -> None:
    rows, labels = zip(*pairs, strict=True)
    if len(set(labels)) < 2:
        return
    s = engine.run(KEY, table(rows, labels))[-1].state
    bits, h, wrong = shortest(rows, labels)
    assert (s.best, s.wrong) == (h, wrong)
    assert s.least == pytest.approx(bits)
    assert len(s.tried) == 2 ** len(rows[0])


def test_an_inconsistent_one_may_be_shorter() -> None:
    """F8, E6.5(b): eight columns, four rows; a literal costs 3 bits, an error 2. f₁ ∧ f₂ fits, f₁
    alone is wrong once.
    """
    rows = [
        [1, 1, 0, 0, 0, 0, 0, 0],
        [1, 1, 0, 0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0, 0, 0, 0],
        [0, 1, 0, 0, 0, 0, 0, 0],
    ]
    trace = engine.run(KEY, table(rows, [1, 1, 0, 0]))
    s, note = trace[-1].state, trace[-1].note
    assert s.wrong > 0 and (s.least, note["perfect"], note["longer"]) == (4.0, "f₁ ∧ f₂", 6.0)
    assert "preferred though it is wrong" in note.text()
    # with as many rows as columns and more, an error is dearer, and the one that fits wins
    many = engine.run(KEY, table(rows * 8, [1, 1, 0, 0] * 8))[-1].state
    assert (many.best, many.wrong) == ((0, 1), 0)


def test_equal_lengths_go_to_fewer_literals() -> None:
    """Four columns, four rows: a literal costs as much as an error, 2 bits. f₁ saves one error: no
    literal stays.
    """
    rows = [[1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 1, 1], [1, 1, 1, 1]]
    trace = engine.run(KEY, table(rows, [1, 1, 0, 1]))
    assert (trace[-1].state.best, trace[-1].state.wrong) == ((), 1)
    choice = trace[-1].choice
    assert choice.winners == (0, 1) and choice.chosen == 0 and choice.smallest and choice.rule
    assert [option.score for option in choice.options] == pytest.approx([2, 2, 8, 10, 12], abs=6)


def test_the_formula_counts_literals_and_errors() -> None:
    trace = engine.run(KEY, engine.algorithms()[KEY].example())
    for step in trace:
        note = step.note
        assert note["bits"] == pytest.approx(note["k"] * log2(3) + note["errors"] * log2(8))
    assert trace[-1].state.best == (0, 1) and trace[-1].state.wrong == 1
    assert trace.predict(np.array([[1.0, 1, 0], [1, 0, 1]])).tolist() == [1, 0]


def test_any_table_of_two_classes_has_columns_with_questions() -> None:
    trace = engine.run(KEY, engine.textbook("restaurant"))
    assert trace.given.bits.shape == (12, 8) and len(trace[-1].state.tried) == 256
    said = trace.algorithm.explain(trace.given, trace[-1].state, trace.problem.X[0])
    assert said.label == trace.codes(trace.problem.X[:1])[0]
    numbers = engine.run(KEY, engine.generate("moons", 30, seed=1), pace=Pace(Level.ROUND))
    assert numbers.given.H.question(0, 1).startswith("x₁ > ")
    wrong = (numbers.codes(numbers.problem.X) != numbers.problem.codes).sum()
    assert wrong == numbers[-1].state.wrong
    with pytest.raises(engine.EngineError, match="two classes"):
        engine.run(KEY, engine.generate("three_fields", 30))


def test_every_description_is_a_point() -> None:
    trace = engine.run(KEY, engine.algorithms()[KEY].example())
    plot = next(
        f for f in trace.algorithm.scene(trace.given, trace[-1]).figures if isinstance(f, Plot)
    )
    layers = {
        names_in(layer.tag)[0]: layer.xy
        for layer in plot.layers
        if isinstance(layer, (Points, Polyline))
    }
    assert layers["best"].tolist() == [[2, pytest.approx(trace[-1].state.least)]]
    whole = next(step for step in trace if step.line == "size" and len(step.state.h) == 3)
    plot, table = trace.algorithm.scene(trace.given, whole).figures
    (amber,) = (layer for layer in plot.layers if layer.role is Role.ACTIVE)
    assert amber.xy[0, 0] == 3  # what the words are about, though another is shorter
    assert len(table.current) == whole.state.errors
    assert layers["sizes"][:, 0].tolist() == [0, 1, 2, 3]
    assert layers["literals"][:, 1] == pytest.approx([k * log2(3) for k in range(4)])
    assert {tuple(np.round(p, 6)) for p in layers["tried"].tolist()} == {
        (k, round(k * log2(3) + e * 3, 6)) for k, e in trace[-1].state.tried
    }


def test_a_conjunction_without_errors_that_is_as_long_is_not_called_longer() -> None:
    """Four columns, four rows: a literal and an error cost 2 bits each. f₁ fits (2 bits), no
    literal is wrong once (2 bits).
    """
    rows = [[1, 0, 0, 0], [1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]]
    last = engine.run(KEY, table(rows, [1, 1, 1, 0]))[-1]
    assert (last.state.best, last.state.wrong) == ((), 1)
    assert last.note["longer"] == last.note["least"] == 2
    assert "would be longer" not in last.note.text() and "is as long" in last.note.text()
    assert last.choice.winners == (0, 1)


@settings(max_examples=30, deadline=None)
@given(tables)
def test_longer_is_said_of_what_is_longer(pairs: list[tuple[tuple[bool, ...], bool]]) -> None:
    rows, labels = zip(*pairs, strict=True)
    if len(set(labels)) < 2:
        return
    last = engine.run(KEY, table(rows, labels), pace=Pace(Level.ROUND))[-1]
    perfect = [
        round(k * log2(len(rows[0])), 9)
        for k in range(len(rows[0]) + 1)
        for h in combinations(range(len(rows[0])), k)
        if all(all(row[j] for j in h) == y for row, y in zip(rows, labels, strict=True))
    ]
    longer = bool(perfect) and last.state.wrong > 0 and perfect[0] > shortest(rows, labels)[0]
    assert ("would be longer" in last.note.text()) == longer
