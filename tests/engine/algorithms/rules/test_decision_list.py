"""Decision lists against AIMA 18.5.1 and its own laws."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.protocol.step import Level, Pace
from engine.scene.scene import Role, Table, Tree

ROUND = Pace(Level.ROUND)


def uniform(X, y, rows, size):
    """Every conjunction of `size` values that holds on some rows, all of one class, with the number
    of rows.
    """
    found = {}
    for columns in combinations(range(X.shape[1]), size):
        for values in {tuple(x) for x in X[np.ix_(rows, columns)]} if columns else {()}:
            held = [
                i for i in rows if all(X[i, j] == v for j, v in zip(columns, values, strict=True))
            ]
            if held and len({y[i] for i in held}) == 1:
                found[tuple(zip(columns, values, strict=True))] = len(held)
    return found


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("prefer", ["smallest", "widest"])
def test_fits_the_restaurant(k: int, prefer: str) -> None:
    """aima A30, E23: one literal per test is enough for the twelve rows; Patrons = Some comes
    first.
    """
    trace = engine.run("decision_list", engine.textbook("restaurant"), k=k, prefer=prefer)
    assert (trace.predict(trace.problem.X) == trace.problem.y).all()
    first = trace[-1].state.tests[0]
    assert [(trace.problem.features[j].text(v), first.count) for j, v in first.test] == [
        ("Some", 4)
    ]
    assert not trace.when("fail")


@pytest.mark.parametrize("prefer", ["smallest", "widest"])
def test_every_choice_is_the_best_of_all(prefer: str) -> None:
    """Against a search over all conjunctions of at most two values."""
    problem = engine.prepare(engine.textbook("restaurant"))
    trace = engine.run("decision_list", problem, k=2, prefer=prefer)
    for s in (s for s in trace if s.line == "find"):
        rows = s.state.left.tolist()
        sizes = [uniform(problem.X, problem.codes, rows, size) for size in range(3)]
        everything = {test: count for found in sizes for test, count in found.items()}
        keys = {
            t: (len(t), -n) if prefer == "smallest" else (-n, len(t)) for t, n in everything.items()
        }
        chosen = s.state.found
        assert everything[chosen.test] == chosen.count
        assert keys[chosen.test] == min(keys.values())
        options = s.choice.options
        assert options[s.choice.chosen].value == chosen.test
        assert [everything[option.value] for option in options] == [
            option.score for option in options
        ]


def test_one_literal_cannot_tell_xor_apart() -> None:
    trace = engine.run("decision_list", engine.textbook("xor"), k=1)
    assert trace.when("fail")
    assert trace[-1].state.tests == ()
    assert "More literals" in next(s for s in trace if s.line == "fail").note.text()
    two = engine.run("decision_list", engine.textbook("xor"), k=2)
    assert (two.predict(two.problem.X) == two.problem.y).all()


def test_what_matches_nothing_is_negative() -> None:
    trace = engine.run("decision_list", engine.textbook("restaurant"))
    assert set(trace.predict(trace.problem.X, 0).tolist()) == {"No"}


def test_chain_grows_and_rows_leave() -> None:
    trace = engine.run("decision_list", engine.textbook("restaurant"))
    left = [len(s.state.left) for s in trace if s.line == "drop"]
    assert left == sorted(left, reverse=True)
    figures = trace.algorithm.scene(trace.given, trace[-1]).figures
    tree = next(f for f in figures if isinstance(f, Tree))
    tests = trace[-1].state.tests
    # what anything passes is the end of the chain: no branch “no” below it
    assert tests[-1].test == ()
    assert len(tree.nodes) == 2 * len(tests) - 1
    for x in trace.problem.X:
        path = trace.algorithm.explain(trace.given, trace[-1].state, x).path
        assert tree.nodes[path[-1]].kind == "leaf"
        assert all(tree.nodes[b].parent == a for a, b in pairwise(path))


def test_numbers_are_refused() -> None:
    with pytest.raises(engine.EngineError, match="words or of 0 and 1"):
        engine.run("decision_list", engine.generate("blobs", seed=1))


rows = st.lists(
    st.lists(st.sampled_from([0.0, 1.0]), min_size=3, max_size=3), min_size=2, max_size=8
)


@settings(max_examples=80, deadline=None)
@given(rows, st.sampled_from(["smallest", "widest"]))
def test_all_literals_fit_whatever_is_consistent(rows: list[list[float]], prefer: str) -> None:
    """aima E05: with as many literals as columns it fails only on equal rows of different class."""
    X = np.array(rows)
    y = np.arange(len(rows)) % 2
    trace = engine.run("decision_list", (X, y), k=3, prefer=prefer, pace=ROUND)
    seen: dict[tuple[float, ...], set[int]] = {}
    for x, label in zip(map(tuple, rows), y.tolist(), strict=True):
        seen.setdefault(x, set()).add(label)
    assert bool(trace.when("fail")) == any(len(labels) > 1 for labels in seen.values())
    if not trace.when("fail"):
        assert (trace.predict(X) == y).all()


def test_twins_are_named_when_it_fails() -> None:
    trace = engine.run("decision_list", ([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]], [1, 0, 0]))
    note = next(s for s in trace if s.line == "fail").note
    assert (note["one"], note["other"]) == ("x₁", "x₂")
    assert "{one} and {other}" in note.lead
    assert "may help" not in note.lead


def test_the_chain_of_an_unfinished_list_ends_open() -> None:
    trace = engine.run("decision_list", engine.textbook("restaurant"))
    step = next(s for s in trace if s.line == "drop")
    tree = next(f for f in trace.algorithm.scene(trace.given, step).figures if isinstance(f, Tree))
    assert [node.kind for node in tree.nodes] == ["test", "leaf", "open"]
    path = trace.algorithm.explain(trace.given, step.state, trace.problem.X[1]).path
    assert path == (0, 2)


def test_only_tests_that_were_counted_are_reported() -> None:
    """Six tests of at most two literals match one class alone: a = u and b = p three examples each,
    four pairs fewer. Then u q, v p → yes and v q → no are left, then v q alone: true of it are a =
    v, b = q and the test that asks nothing.
    """
    rows = {"a": list("uuuvv"), "b": list("ppqpq"), "y": ["yes"] * 4 + ["no"]}
    data = engine.Dataset.from_columns(rows, "y")
    found = {
        prefer: [
            s for s in engine.run("decision_list", data, k=2, prefer=prefer) if s.line == "find"
        ]
        for prefer in ("widest", "smallest")
    }
    first, last = found["widest"][0], found["widest"][-1]
    assert (first.details["ties"], first.choice.winners, first.note["count"]) == (2, (0, 1), 3)
    # a = u, b = p
    assert [option.value for option in first.choice.options[:2]] == [((0, 0),), ((1, 0),)]
    # nothing, a = v, b = q, both
    assert (last.details["ties"], last.choice.winners) == (4, (0, 1, 2, 3))
    first, last = found["smallest"][0], found["smallest"][-1]
    assert (first.details["of"], first.details["ties"], len(first.choice.options)) == (2, 2, 2)
    assert last.state.found.test == ()
    texts = [
        found[prefer][at].note.text()
        for prefer, at in (("widest", 0), ("smallest", 0), ("widest", -1))
    ]
    assert [text.count(f"{n} tests") for n, text in zip((2, 2, 4), texts, strict=True)] == [1, 1, 1]
    assert "test" not in last.note.text()


def test_the_test_that_is_found_and_the_examples_that_it_matches_are_in_amber() -> None:
    trace = engine.run("decision_list", engine.textbook("restaurant"))
    for s in (s for s in trace if s.line == "find"):
        figures = trace.algorithm.scene(trace.given, s).figures
        tree = next(f for f in figures if isinstance(f, Tree))
        (node,) = [node for node in tree.nodes if node.role is Role.ACTIVE]
        assert node.text.startswith(s.note["test"])
        table = next(f for f in figures if isinstance(f, Table))
        assert len(table.current) == s.note["count"]


def test_examples_that_leave_are_pale_and_amber_only_where_they_met_the_test() -> None:
    trace = engine.run("decision_list", engine.textbook("restaurant"))
    for s in (s for s in trace if s.line == "drop"):
        table = next(
            f for f in trace.algorithm.scene(trace.given, s).figures if isinstance(f, Table)
        )
        assert table.current == tuple(s.state.gone.tolist())
        assert not table.active[list(table.current)].any()
        columns = {trace.problem.features[j].name for j, _ in s.state.found.test}
        assert set(table.cells) == columns
