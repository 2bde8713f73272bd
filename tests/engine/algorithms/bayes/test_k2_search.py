"""K2 by exact factorials, by hand, against all sets of parents, and on a network that is known."""

from fractions import Fraction
from itertools import combinations, product
from math import exp, factorial, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.base.errors import EngineError
from engine.base.records import replace
from engine.base.tags import joined
from engine.protocol.step import Level, Pace
from engine.scene.scene import Arrows, Role

ALGORITHM = engine.algorithms()["k2_search"]


def exact(columns, x, parents, sizes):
    """g with whole numbers, straight from its definition."""
    rows = list(zip(*columns, strict=True))
    r = sizes[x]
    g = Fraction(1)
    for case in product(*(range(sizes[z]) for z in parents)):
        own = [row for row in rows if tuple(row[z] for z in parents) == case]
        g *= Fraction(factorial(r - 1), factorial(len(own) + r - 1))
        for value in range(r):
            g *= factorial(sum(row[x] == value for row in own))
    return g


def table(codes, **more):
    letters = "abcdefgh"
    return engine.Dataset.from_columns(
        {f"v{j}": [letters[c] for c in column] for j, column in enumerate(codes)}, **more
    )


def arcs(trace):
    names = [v.name for v in trace.given.variables]
    return {(names[a], names[b]) for a, b in trace[-1].state.edges.tolist()}


def test_eight_days_by_hand() -> None:
    """Lightning alone: 1!·3!·5!/9!; Thunder with Lightning as parent:
    (1!·3!·0!/4!)·(1!·1!·4!/6!).
    """
    trace = engine.run("k2_search", ALGORITHM.example())
    lightning, thunder = (
        next(s for s in trace if s.line == "node" and s.state.current == x) for x in (1, 2)
    )
    assert lightning.note["g"] == pytest.approx(6 * 120 / factorial(9))
    assert thunder.note["g"] == pytest.approx(24 * 24 / factorial(9))
    (add,) = [s for s in trace if s.line == "add"]
    assert add.state.edges.tolist() == [[1, 2]]
    assert exp(add.state.scores[2]) == pytest.approx(6 / 24 * 24 / 720)
    assert add.state.tables[2].ravel() == pytest.approx([0.8, 0.2, 2 / 7, 5 / 7])


@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 9))
@settings(max_examples=20, deadline=None)
def test_the_score_is_the_product_of_factorials(seed: int, parents: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 4, 4)
    codes = [rng.integers(0, size, n) for size in sizes]
    trace = engine.run("k2_search", table(codes), max_steps=1)
    seen = [len(v.values) for v in trace.given.variables]
    rows = trace.given.codes.T.tolist()
    assert trace.given.score(3, tuple(range(parents))) == pytest.approx(
        log(exact(rows, 3, range(parents), seen))
    )


def test_every_option_is_scored_and_the_best_is_taken() -> None:
    data = engine.textbook("restaurant")
    trace = engine.run("k2_search", data, parents=2)
    assert any(step.line == "try" for step in trace)
    for before, step in zip(trace, list(trace)[1:], strict=False):
        if step.line != "try":
            continue
        s = before.state
        x = step.state.current
        choice = step.choice
        for option in choice.options:
            own = s.parents[x] if option.value == -1 else (*s.parents[x], option.value)
            expected = exact(trace.given.codes.T.tolist(), x, own, trace.given.sizes)
            assert option.score == pytest.approx(log(expected))
        assert choice.options[choice.chosen].value == step.state.tried
        assert choice.options[choice.chosen].score == pytest.approx(
            max(o.score for o in choice.options)
        )


def test_with_room_for_all_parents_of_two_variables_greed_finds_the_best_set() -> None:
    """With one variable before it, K2's choice is that of a search through all sets."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        a = rng.integers(0, 2, 12)
        b = np.where(rng.random(12) < 0.25, 1 - a, a)
        trace = engine.run("k2_search", table([a, b]))
        rows = trace.given.codes.T.tolist()
        sizes = trace.given.sizes
        scores = {own: exact(rows, 1, own, sizes) for k in (0, 1) for own in combinations((0,), k)}
        assert trace[-1].state.parents[1] == max(scores, key=lambda own: (scores[own], -len(own)))


def test_the_order_decides_where_arcs_lead() -> None:
    a = [0, 0, 0, 0, 1, 1, 1, 1]
    assert arcs(engine.run("k2_search", table([a, a]))) == {("v0", "v1")}
    assert arcs(engine.run("k2_search", table([a, a]), order=("v1",))) == {("v1", "v0")}


def test_equal_scores_take_the_first_in_the_order_and_no_parent_before_any() -> None:
    a = [0, 0, 0, 0, 1, 1, 1, 1]
    trace = engine.run("k2_search", table([a, a, a]))
    first = next(s for s in trace if s.line == "try" and s.state.current == 2)
    assert first.choice.winners == (0, 1)
    assert first.state.tried == 0
    constant = engine.run("k2_search", table([a, [0] * 8]))
    assert constant[-1].state.edges.shape == (0, 2)
    assert next(s for s in constant if s.line == "try").choice.chosen == 1


def test_the_arcs_of_a_known_network_come_back() -> None:
    found = arcs(engine.run("k2_search", engine.generate("campfire", 5000), parents=3))
    assert found == {
        ("Storm", "Lightning"),
        ("Storm", "Campfire"),
        ("BusTourGroup", "Campfire"),
        ("Lightning", "Thunder"),
        ("Lightning", "ForestFire"),
        ("Campfire", "ForestFire"),
    }


def test_the_target_is_the_last_variable_and_parents_are_limited() -> None:
    trace = engine.run("k2_search", engine.textbook("restaurant"), parents=1)
    assert trace.given.variables[-1].name == "WillWait"
    assert all(len(own) <= 1 for own in trace[-1].state.parents)
    assert arcs(engine.run("k2_search", engine.textbook("restaurant"), parents=0)) == set()


def test_the_score_of_the_network_is_the_sum_and_never_falls() -> None:
    trace = engine.run("k2_search", engine.textbook("restaurant"))
    scores = trace.metrics["score"]
    assert (np.diff(scores) >= -1e-9).all()
    assert scores[-1] == pytest.approx(trace[-1].state.scores.sum())


def test_the_picture_has_the_arcs_tried_and_found() -> None:
    trace = engine.run("k2_search", ALGORITHM.example())
    tried = [s for s in trace if s.line == "try"][1]
    graph, bars, counts, table_ = trace.algorithm.scene(trace.given, tried).figures
    given, s = trace.given, tried.state
    now = given.score(s.current, s.parents[s.current])
    others = [
        given.score(s.current, (*s.parents[s.current], z)) for z in tried.details["candidates"]
    ]
    assert bars.values.tolist() == [*(g - now for g in others), 0.0]
    arcs = [layer for layer in graph.layers if layer.tag == "tried"]
    assert [(layer.role, len(layer.start)) for layer in arcs] == [(Role.GHOST, 1), (Role.ACTIVE, 1)]
    best = bars.roles.index(Role.ACTIVE)
    assert bars.values[best] == max(others) - now, "the arc in amber is the best one"
    assert counts.values.tolist() == [[3, 0], [1, 4]]
    assert [c.role.value for c in table_.columns] == ["plain", "active", "active"]
    end = trace.algorithm.scene(trace.given, trace[-1]).figures[0]
    assert [len(layer.start) for layer in end.layers if layer.tag == "arcs"] == [1]


def test_wrong_orders_and_unknown_values_are_said() -> None:
    with pytest.raises(EngineError, match="no column"):
        engine.run("k2_search", ALGORITHM.example(), order=("Rain",))
    with pytest.raises(EngineError, match="twice"):
        engine.run("k2_search", ALGORITHM.example(), order=("Storm", "Storm"))
    with pytest.raises(EngineError, match="some are missing"):
        engine.run("k2_search", engine.generate("campfire", 50, 0.3))
    unlabelled = engine.Dataset.from_columns({"a": list("uv"), "y": ["p", None]}, target="y")
    with pytest.raises(EngineError, match="needs every value"):
        engine.run("k2_search", unlabelled)


def test_every_pace_and_a_resumed_run_end_alike() -> None:
    data = engine.generate("campfire", 100)
    ends = [engine.run("k2_search", data, pace=Pace(level))[-1].state for level in Level]
    assert all(end.parents == ends[0].parents for end in ends)
    trace = engine.run("k2_search", data)
    for step in list(trace)[::5]:
        run = engine.Run(ALGORITHM, trace.problem, trace.params, start=step.state)
        run.advance()
        assert run.trace[-1].state.parents == ends[0].parents


# -- the class of a row ----------------------------------------------------------------------------


def days(n=40, seed=2):
    """Three columns of letters and a class of three values that two of them tell
    something about.
    """
    rng = np.random.default_rng(seed)
    a, b, c = rng.integers(0, 2, n), rng.integers(0, 3, n), rng.integers(0, 2, n)
    y = np.where(rng.random(n) < 0.2, rng.integers(0, 3, n), (a + b) % 3)
    return [a, b, c, y]


def by_counting(columns, parents, sizes, row):
    """P(class | row) as fractions, from (N + 1) / (Σ N + r) of every variable; a value None is
    summed over.
    """
    rows = list(zip(*columns, strict=True))
    order = range(len(sizes))

    def entry(x, whole):
        own = [r for r in rows if all(r[z] == whole[z] for z in parents[x])]
        return Fraction(sum(r[x] == whole[x] for r in own) + 1, len(own) + sizes[x])

    free = [range(sizes[x]) if row[x] is None else [row[x]] for x in order]
    sums = [Fraction(0)] * sizes[-1]
    for whole in product(*free):
        term = Fraction(1)
        for x in order:
            term *= entry(x, whole)
        sums[whole[-1]] += term
    return [part / sum(sums) for part in sums]


@pytest.mark.parametrize("seed", range(3))
def test_the_class_is_the_one_with_most_of_the_joint_chance(seed: int) -> None:
    columns = days(seed=seed)
    trace = engine.run("k2_search", table(columns, target="v3"))
    s = trace[-1].state
    sizes = trace.given.sizes
    assert sizes == (2, 3, 2, 3) and len(s.edges)
    for row in product([0, 1], [0, 1, 2], [0, 1]):
        expected = by_counting(columns, s.parents, sizes, (*row, None))
        explanation = ALGORITHM.explain(trace.given, s, np.array(row, float))
        assert explanation.bars.values == pytest.approx([float(p) for p in expected])
        assert (
            trace.codes(np.array([row], float)).tolist()
            == [explanation.label]
            == [expected.index(max(expected))]
        )
        assert explanation.note["joint"] / explanation.note["whole"] == pytest.approx(
            float(max(expected))
        )
    # by the known values; of none there is no answer
    gaps = trace.codes(np.array([[0, np.nan, 1], [np.nan] * 3]))
    expected = by_counting(columns, s.parents, sizes, (0, None, 1, None))
    assert gaps.tolist() == [expected.index(max(expected)), -1]
    assert trace.predict({"v0": ["a"], "v1": ["a"], "v2": ["a"]}).tolist() == [
        "abc"[int(trace.codes(np.zeros((1, 3)))[0])]
    ]


def test_without_arcs_every_row_is_the_commonest_class() -> None:
    columns = days()
    trace = engine.run("k2_search", table(columns, target="v3"), parents=0)
    most = int(np.bincount(columns[3]).argmax())
    assert trace.codes(trace.problem.X).tolist() == [most] * 40


def test_arcs_from_the_class_alone_are_naive_bayes() -> None:
    from sklearn.naive_bayes import BernoulliNB

    columns = [c for c in days() if c.max() < 2] + [np.arange(40) % 2]
    columns[0] = np.where(np.arange(40) % 3 == 0, 1 - columns[2], columns[2])
    trace = engine.run("k2_search", table(columns, target="v2"))
    parents = ((2,), (2,), ())
    tables = tuple(trace.given.table(x, own) for x, own in enumerate(parents))
    s = replace(trace[-1].state, parents=parents, tables=tables)
    X = np.array(list(product([0.0, 1.0], repeat=2)))
    peer = BernoulliNB(alpha=1).fit(np.column_stack(columns[:2]), columns[2])
    assert ALGORITHM.predict(trace.given, s, X).tolist() == peer.predict(X).tolist()
    chances = [ALGORITHM.explain(trace.given, s, x).bars.values for x in X]
    assert np.array(chances) == pytest.approx(peer.predict_proba(X))


def test_a_network_without_a_class_has_no_answer() -> None:
    trace = engine.run("k2_search", ALGORITHM.example())
    assert trace.codes(trace.problem.X).tolist() == [-1] * 8
    assert (
        "no class to tell"
        in ALGORITHM.explain(trace.given, trace[-1].state, trace.problem.X[0]).note.text()
    )


def test_the_amber_arc_is_the_one_that_the_words_add() -> None:
    trace = engine.run("k2_search", engine.generate("campfire", 200))
    added = [step for step in trace if step.line == "add"]
    assert any(len(step.state.parents[step.state.current]) > 1 for step in added)
    for step in added:
        network = ALGORITHM.scene(trace.given, step).figures[0]
        arrows = [one for one in network.layers if isinstance(one, Arrows)]
        (amber,) = (one for one in arrows if one.role is Role.ACTIVE)
        child = step.state.current
        newest = step.state.parents[child][-1]
        names = (trace.given.variables[x].tag for x in (newest, child))
        assert amber.tags == (joined(*names),)
        assert sum(one.size for one in arrows) == len(step.state.edges)
    for step in (one for one in trace if one.line == "try"):
        network = ALGORITHM.scene(trace.given, step).figures[0]
        amber = [a for a in network.layers if isinstance(a, Arrows) and a.role is Role.ACTIVE]
        assert sum(one.size for one in amber) == (step.state.tried >= 0), "not the old parents"
    found = ALGORITHM.scene(trace.given, trace[-1]).figures[0]
    roles = [one.role for one in found.layers if isinstance(one, Arrows)]
    assert Role.ACTIVE not in roles, "at the end no arc is at hand"
