"""k-CNF against a list of all clauses (mitchell A21, F15) and the counts of the text."""

from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.algorithms.rules.k_cnf.terms import as_terms
from engine.protocol.step import Level, Pace
from engine.scene.scene import Role, Table

BITS = list(product((0, 1), repeat=4))


def table(rows: Any, y: Any) -> engine.Dataset:
    columns = {f"f{j + 1}": [bool(row[j]) for row in rows] for j in range(len(rows[0]))}
    return engine.Dataset.from_columns({**columns, "y": [int(v) for v in y]}, "y")


def clauses(d: int, k: int) -> list[tuple[tuple[int, int], ...]]:
    """Of every set of at most k columns every choice of the values of which one must be there."""
    return [
        tuple(zip(columns, values, strict=True))
        for size in range(1, k + 1)
        for columns in combinations(range(d), size)
        for values in product((1, 0), repeat=size)
    ]


@pytest.mark.parametrize(("d", "k"), [(1, 1), (1, 3), (3, 2), (4, 4), (6, 3)])
def test_all_clauses_become_columns(d: int, k: int) -> None:
    """Σ C(n, i) 2^i of them, none twice."""
    trace = engine.run("k_cnf", (np.eye(d + 1)[:, :d], [1] + [0] * d), k=k)
    count = sum(comb(d, i) * 2**i for i in range(1, k + 1))
    assert (
        len(trace[0].state.S) == count == len(clauses(d, k))
        if k <= d
        else len(trace[0].state.S) == count
    )
    assert len({tuple(sorted(c)) for c in trace.given.clauses.tolist()}) == count


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(BITS), st.booleans()), min_size=2, max_size=12),
    st.integers(1, 4),
)
def test_the_clauses_that_hold_on_all_positives(
    examples: list[tuple[tuple[int, ...], bool]], k: int
) -> None:
    if len({y for _, y in examples}) < 2:
        return
    rows, y = zip(*examples, strict=True)
    trace = engine.run("k_cnf", table(rows, y), k=k)

    def true(clause: Any, x: Any) -> bool:
        return any(x[j] == v for j, v in clause)

    left = [c for c in clauses(4, k) if all(true(c, x) for x, label in examples if label)]
    assert trace[-1].metrics["clauses"] == len(left)
    expected = [int(all(true(c, x) for c in left)) for x in BITS]
    assert trace.predict(table(BITS, [1] * 16)).tolist() == expected
    assert trace[-1].state.errors == sum(expected[BITS.index(x)] != label for x, label in examples)
    coarse = engine.run("k_cnf", table(rows, y), k=k, pace=Pace(Level.ROUND))
    assert coarse[-1].state.mistakes == trace[-1].state.mistakes


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from((0, 1, 2)), min_size=4, max_size=4), min_size=2, max_size=2),
    st.permutations(BITS),
)
def test_k_term_DNF_is_learnt_without_error(
    terms: list[list[int]], order: list[tuple[int, ...]]
) -> None:
    """mitchell F15: two terms multiply out into clauses of two literals.

    No false positives, few mistakes.
    """
    y = [
        any(all(w in (2, v) for v, w in zip(x, term, strict=True)) for term in terms) for x in order
    ]
    if len(set(y)) < 2:
        return
    trace = engine.run("k_cnf", table(order, y), k=2)
    assert not trace.when("contradiction")
    assert trace[-1].state.errors == 0
    assert trace[-1].state.mistakes <= trace[-1].metrics["bound"] == 1 + 4 + 6 * 3


def test_the_terms_come_back_from_the_clauses() -> None:
    """mitchell A21: f₁ ∧ f₂ ∨ f₃ ∧ f₄ becomes four clauses of two literals, and two terms again."""
    y = [(x[0] and x[1]) or (x[2] and x[3]) for x in BITS]
    note = engine.run("k_cnf", table(BITS, y), k=2)[-1].note
    assert sorted(note["dnf"].replace("(", "").replace(")", "").split(" ∨ ")) == [
        "f₁ ∧ f₂",
        "f₃ ∧ f₄",
    ]


def test_not_every_k_cnf_has_k_terms() -> None:
    """F15: (f₁ ∨ f₂) ∧ (f₃ ∨ f₄) is a 2-CNF of four terms."""
    y = [(x[0] or x[1]) and (x[2] or x[3]) for x in BITS]
    trace = engine.run("k_cnf", table(BITS, y), k=2)
    assert trace[-1].state.errors == 0
    assert trace[-1].note["dnf"] == "there is none"
    clauses = trace.given.clauses[trace[-1].state.S]
    assert as_terms(clauses, 4, 3) is None
    assert len(as_terms(clauses, 4, 4)) == 4


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from((0, 1, 2)), min_size=4, max_size=4), min_size=1, max_size=3)
)
def test_k_terms_are_found_again_wherever_they_hold(terms: list[list[int]]) -> None:
    y = [
        any(all(w in (2, v) for v, w in zip(x, term, strict=True)) for term in terms) for x in BITS
    ]
    if len(set(y)) < 2:
        return
    trace = engine.run("k_cnf", table(BITS, y), k=3)
    found = as_terms(trace.given.clauses[trace[-1].state.S], 4, 3)
    assert len(found) <= len(terms)
    assert [any(all(x[j] == v for j, v in term) for term in found) for x in BITS] == y


def test_one_literal_is_a_conjunction() -> None:
    """k = 1 is FIND-S itself, with its bound n + 1."""
    data = engine.textbook("mit_conjunction")
    one, other = engine.run("k_cnf", data, k=1), engine.run("find_s", data)
    assert one[-1].metrics["bound"] == other[-1].metrics["bound"] == 5
    assert one[-1].note["S"] == other[-1].note["S"] == "f₃ ∧ f₄"
    assert [s.state.mistakes for s in one if s.line == "take"] == [
        s.state.mistakes for s in other if s.line == "take"
    ]


def test_xor_takes_clauses_of_two() -> None:
    rows = list(product((0, 1), repeat=2))
    y = [a != b for a, b in rows]
    assert engine.run("k_cnf", table(rows, y), k=1)[-1].state.errors == 2
    two = engine.run("k_cnf", table(rows, y), k=2)[-1]
    assert two.state.errors == 0
    assert two.note["S"] == "(f₁ ∨ f₂) ∧ (¬f₁ ∨ ¬f₂)"


def test_so_many_examples_are_enough_for_k_terms() -> None:
    """Eq 7.6; for k = 1 it is D1: ten columns, ε = 0.1, δ = 0.05 need 140 examples."""
    X = np.vstack([np.eye(10), np.zeros(10)])
    trace = engine.run("k_cnf", (X, [1] * 10 + [0]), k=1)
    assert trace[-1].note["enough"] == 140
    assert "f₁" not in trace[-1].note["S"] and trace[-1].note["S"] == "True"


def test_dropped_columns_are_pale_and_those_that_go_lit() -> None:
    trace = engine.run("k_cnf", engine.algorithms()["k_cnf"].example())
    first = next(s for s in trace if s.line == "drop")  # 100 is positive
    figures = trace.algorithm.scene(trace.given, first).figures
    new = next(f for f in figures if isinstance(f, Table) and f.title.startswith("New"))
    gone = ["¬f₁", "f₂", "f₃", "¬f₁ ∨ f₂", "¬f₁ ∨ f₃", "f₂ ∨ f₃"]
    assert (
        [new.names[i] for i in new.current]
        == gone
        == [n for n, on in zip(new.names, new.active, strict=True) if not on]
    )
    (column,) = [c for c in new.columns if c.role is Role.ACTIVE]
    assert [column.feature.text(float(v)) for v in column.values] == [
        str(int(n not in gone)) for n in new.names
    ]


def test_too_many_clauses_are_refused_with_the_way_out() -> None:
    with pytest.raises(engine.EngineError, match="1,313,600 clauses"):
        engine.run("k_cnf", engine.generate("boolean_rule"), k=3)
    with pytest.raises(engine.EngineError, match="columns of 0 and 1"):
        engine.run("k_cnf", engine.generate("blobs", seed=1))


def test_why_a_label() -> None:
    trace = engine.run("k_cnf", engine.algorithms()["k_cnf"].example())
    explain = trace.algorithm.explain
    assert "f₁ ∨ f₂" in explain(trace.given, trace[-1].state, np.array([0.0, 0.0, 0.0])).note.text()
    assert explain(trace.given, trace[-1].state, np.array([0.0, 1.0, 0.0])).label == 0


def test_each_clause_says_at_which_positive_it_left() -> None:
    """Of more rows than have a column each: only the positives taken so far, by hand."""
    rows = ["00", *["01"] * 11, "10", "11"]
    data = table([[int(bit) for bit in row] for row in rows], [1] + [0] * 11 + [1, 1])
    trace = engine.run("k_cnf", data, k=1)
    names = trace.problem.names
    new = next(
        f
        for f in trace.algorithm.scene(trace.given, trace[-1]).figures
        if isinstance(f, Table) and f.title.startswith("New")
    )
    assert list(new.names) == ["f₁", "¬f₁", "f₂", "¬f₂"]
    left = next(c for c in new.columns if c.feature.title == "left S at")
    said = [left.feature.text(float(v)) for v in left.values]
    assert said == [names[0], names[12], names[0], names[13]]
    seen = [c.feature.title.split(":")[0] for c in new.columns[3:]]
    assert seen == [names[0], names[12], names[13]]
