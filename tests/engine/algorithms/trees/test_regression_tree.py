"""The regression tree by hand, against scikit-learn and brute force, and by its own laws.

AIMA 18.3.6.
"""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeRegressor

import engine
from engine.algorithms.trees.parts.log import Grown, tree_at
from engine.algorithms.trees.parts.model import ARRAYS
from engine.algorithms.trees.parts.pictures import members_of
from engine.base.arrays import Prefix
from engine.base.errors import EngineError
from engine.base.grid import Grid
from engine.protocol.step import Level, Pace
from engine.scene.scene import Plot, Role, Segments
from tests.engine.digests import parts

ALGORITHM = engine.algorithms()["regression_tree"]
KEY = "regression_tree"


def table(**columns):
    return engine.Dataset.from_columns(columns, "y", task="regress")


def waves(n: int = 120, seed: int = 0, d: int = 3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.sin(3 * X[:, 0]) + X[:, -1] ** 2 + 0.1 * rng.normal(size=n)
    return X, y, table(**{f"x{j}": X[:, j] for j in range(d)}, y=y)


STAIR = table(x=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], y=[1.0, 1.0, 1.0, 4.0, 4.0, 7.0])


def test_a_stair_by_hand() -> None:
    """Mean 3, squares 4+4+4+1+1+16 = 30.

    Cut at 3.5: right of it 4, 4, 7 with mean 5 and squares 1+1+4 = 6: 24 taken away, 4 an example.
    Then 4, 4 | 7 takes the 6.
    """
    trace = engine.run(KEY, STAIR, min_leaf=1)
    start = trace[0]
    chosen = [step for step in trace if step.line == "choose"]
    assert [start.note[name] for name in ("n", "mean", "squares")] == [6, 3, 30]
    first, second = chosen
    assert (first.state.column, first.state.point) == (0, 3.5)
    assert [first.note[name] for name in ("before", "s0", "s1", "taken", "n", "reduction")] == [
        30,
        0,
        6,
        24,
        6,
        4,
    ]
    assert [first.note[name] for name in ("n0", "m0", "n1", "m1")] == [3, 1, 3, 5]
    assert first.choice.options[0].score == pytest.approx(4)
    assert (second.state.point, second.state.squares) == (5.5, 0)
    assert second.note["taken"] == pytest.approx(6)
    assert [node.value for node in trace[-1].state.nodes] == pytest.approx([3, 1, 5, 4, 7])
    assert trace.predict([[0.0], [3.5], [3.6], [9.0]]).tolist() == [1, 1, 4, 7]
    assert trace[-1].note["rmse"] == 0


def test_the_least_number_of_examples_in_a_leaf() -> None:
    """With two in each leaf 4, 4 | 7 is forbidden; with three the second cut has no place at all;
    four leave no test.
    """
    two, three, four = (engine.run(KEY, STAIR, min_leaf=least) for least in (2, 3, 4))
    assert two.predict([[6.0]]).tolist() == three.predict([[6.0]]).tolist() == [5]
    assert four[-1].state.tests == 0
    assert four[-1].state.squares == 30
    assert next(s for s in four if s.line == "leaf").state.nodes[0].why == "no test"


@pytest.mark.parametrize(("seed", "least"), [(0, 4), (1, 6), (2, 10), (3, 30)])
def test_the_tree_is_that_of_scikit_learn(seed: int, least: int) -> None:
    X, y, data = waves(400, seed=seed)
    trace = engine.run(KEY, data, min_leaf=least, stop="depth", depth=4)
    peer = DecisionTreeRegressor(min_samples_leaf=least, max_depth=4, random_state=0).fit(X, y)
    nodes = trace[-1].state.nodes
    order = []
    waiting = [0]
    while waiting:  # scikit-learn numbers nodes as they are met from left to right
        order.append(waiting.pop())
        waiting += nodes[order[-1]].children[::-1]
    assert len(nodes) == peer.tree_.node_count
    assert [nodes[i].column for i in order] == [max(column, -1) for column in peer.tree_.feature]
    assert [nodes[i].value for i in order] == pytest.approx(peer.tree_.value.ravel().tolist())
    assert [nodes[i].squares / nodes[i].examples for i in order] == pytest.approx(
        peer.tree_.impurity, abs=1e-9
    )
    np.testing.assert_allclose(trace.predict(X), peer.predict(X))


def test_weights_count_as_copies_do() -> None:
    """For those who grow it on weights: a tree of examples with whole weights is that of so many
    copies.
    """
    from engine.algorithms.trees.parts.entries import Examples
    from engine.algorithms.trees.parts.growth import Growth
    from engine.algorithms.trees.parts.levels import root
    from engine.algorithms.trees.parts.splits import Rule
    from engine.algorithms.trees.parts.values import Values
    from engine.algorithms.trees.regression_tree import importance
    from engine.table.dataset import Feature

    X, y, _ = waves(60)
    copies = np.random.default_rng(1).integers(0, 3, 60)
    rule = Growth(Rule(importance, every_midpoint=True), stop="depth", limit=3)

    def grown(X, y, weights=None):
        features = [Feature(f"x{j}") for j in range(X.shape[1])]
        table = Examples.of(X, features, np.zeros(len(X), np.intp), 0)
        waiting, found = [root(Values.learnt(table, y), rule, weights)], []
        while waiting:
            node = waiting.pop()
            found.append((*node.totals, *(node.test[:2] if node.test else ())))
            waiting += node.branches if node.test else []
        return found

    one, other = (
        grown(X, y, copies.astype(float)),
        grown(np.repeat(X, copies, 0), np.repeat(y, copies)),
    )
    assert len(one) == len(other) > 10
    for a, b in zip(one, other, strict=True):
        assert a == pytest.approx(b)


# -- lines -----------------------------------------------------------------------------------------


def test_two_lines_need_one_test() -> None:
    """y = |x|: each half lies on a line, so that one test is enough; with constants it
    takes many.
    """
    x = np.arange(-6.0, 6.1)
    x = x[x != 0]
    trace = engine.run(KEY, table(x=x, y=np.abs(x)), leaf="linear")
    lines = [node.weights for node in trace[-1].state.nodes if node.weights]
    assert trace[-1].state.tests <= 3
    assert trace[-1].state.squares == pytest.approx(0, abs=1e-20)
    assert {round(w[1], 9) for w in lines} == {-1, 1}
    np.testing.assert_allclose(trace.predict([[-20.0], [20.0]]), [20, 20])
    assert engine.run(KEY, table(x=x, y=np.abs(x)))[-1].state.squares > 1


def test_a_linear_leaf_is_the_line_of_its_examples() -> None:
    X, y, data = waves(80, d=1)
    trace = engine.run(KEY, data, leaf="linear", min_leaf=8)
    constant = engine.run(KEY, data, min_leaf=8)
    ends = constant.predict(X)
    for value in np.unique(ends):
        here = ends == value
        np.testing.assert_allclose(
            trace.predict(X[here]), np.polyval(np.polyfit(X[here, 0], y[here], 1), X[here, 0])
        )
    left = float(((trace.predict(X) - y) ** 2).sum())
    assert trace[-1].state.squares == pytest.approx(left)
    assert left < constant[-1].state.squares


def test_a_line_that_its_examples_do_not_settle_is_the_flattest() -> None:
    """Three examples at one x: the mean."""
    trace = engine.run(KEY, table(x=[1.0, 1.0, 1.0], y=[1.0, 2.0, 6.0]), leaf="linear")
    assert trace.predict([[0.0], [5.0]]).tolist() == pytest.approx([3, 3])


# -- words as columns ------------------------------------------------------------------------------


def test_a_branch_per_value_and_the_parents_mean() -> None:
    trace = engine.run(KEY, ALGORITHM.example())
    empty = next(step for step in trace if step.line == "empty")
    # 3, 4, 5, 1, 1, 1, 1 of the seven with Warm ≤ 20.5
    assert empty.note["label"] == pytest.approx(16 / 7)
    assert trace.predict({"Warm": [10.0], "Sky": ["snow"]}).tolist() == pytest.approx([16 / 7])


@given(st.integers(0, 10**6), st.integers(1, 3), st.booleans())
@settings(max_examples=15)
def test_the_first_test_takes_most_squares_away(seed: int, least: int, subsets: bool) -> None:
    """Against all tests tried one by one, of a column of numbers and one of words."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 4, 9) / 2
    word = rng.integers(0, 3, 9)
    y = rng.integers(0, 5, 9) / 1.0
    data = table(x=x, w=[("p", "q", "r")[k] for k in word], y=y)

    def taken(parts) -> float:
        parts = [y[part] for part in parts if part.any()]
        if len(parts) < 2 or min(map(len, parts)) < least:
            return -np.inf
        return float(
            ((y - y.mean()) ** 2).sum() - np.sum([((p - p.mean()) ** 2).sum() for p in parts])
        )

    many = len(set(word.tolist()))
    words = (
        [[word == k for k in range(3)]]
        if not subsets or many < 3
        else [[word == k, word != k] for k in range(3)]
    )
    best = max(
        *(taken([x <= v, x > v]) for v in np.unique(x)),
        *(taken(parts) for parts in words),
    )
    chosen = next(
        (
            s
            for s in engine.run(KEY, data, min_leaf=least, subset_tests=subsets, max_steps=4)
            if s.line == "choose"
        ),
        None,
    )
    if np.ptp(y) == 0 or best == -np.inf:
        assert chosen is None
    else:
        assert chosen.note["taken"] == pytest.approx(best, abs=1e-9)


# -- ties, stops, ends -----------------------------------------------------------------------------


def test_columns_that_are_as_good_tie_to_the_last_bit() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=30)
    y = rng.normal(size=30) * 1e3 + 7e8
    data = table(a=x, b=np.exp(x), c=-x, y=y)  # the same order, and its mirror
    first = next(step for step in engine.run(KEY, data) if step.line == "choose")
    assert first.choice.winners == (0, 1, 2)
    assert first.choice.chosen == 0
    assert "tie" in first.events
    drawn = {
        next(
            s for s in engine.run(KEY, data, ties="random", seed=k) if s.line == "choose"
        ).state.column
        for k in range(20)
    }
    assert drawn == {0, 1, 2}


def test_stopping_rules() -> None:
    _, _, data = waves()
    assert engine.run(KEY, data, stop="depth", depth=0)[-1].state.tests == 0
    assert (
        max(node.depth for node in engine.run(KEY, data, stop="depth", depth=2)[-1].state.nodes)
        == 2
    )
    some = engine.run(KEY, data, stop="no-gain", least_gain=0.3)
    shares = [s.note["taken"] / s.note["before"] for s in some if s.line == "choose"]
    assert shares and min(shares) > 0.3
    assert 0 < some[-1].state.tests < engine.run(KEY, data)[-1].state.tests


@given(st.integers(0, 10**6), st.integers(1, 4), st.sampled_from(["constant", "linear"]))
@settings(max_examples=12)
def test_laws_of_every_tree(seed: int, least: int, leaf: str) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (14, 2)) / 2
    y = rng.normal(size=14)
    trace = engine.run(KEY, table(a=X[:, 0], b=X[:, 1], y=y), min_leaf=least, leaf=leaf)
    squares = [step.state.squares for step in trace]
    assert all(after <= before + 1e-9 for before, after in pairwise(squares))
    ends = [node for node in trace[-1].state.nodes if node.kind != "test"]
    assert min(node.examples for node in ends) >= least
    assert sum(node.examples for node in ends) == 14
    assert squares[-1] == pytest.approx(float(((trace.predict(X) - y) ** 2).sum()), abs=1e-9)
    assert trace[-1].state.rmse == pytest.approx(np.sqrt(squares[-1] / 14), abs=1e-9)


@pytest.mark.parametrize("unit", [1e-120, 1e-9, 1e9, 1e120])
def test_the_unit_of_the_values_changes_no_test(unit: float) -> None:
    X, y, data = waves(50)
    there = engine.run(KEY, table(x0=X[:, 0], x1=X[:, 1], x2=X[:, 2], y=y * unit))
    here = engine.run(KEY, data)
    tests = [
        [(node.column, node.point) for node in trace[-1].state.nodes] for trace in (here, there)
    ]
    assert tests[0] == tests[1]


def test_a_few_odd_values_do_not_hide_the_others() -> None:
    """One value is a million times larger: below it the tree goes on as without it."""
    x = np.arange(20.0)
    y = np.where(x < 10, 0.0, 1.0) + np.where(x == 19, 1e6, 0.0)
    trace = engine.run(KEY, table(x=x, y=y), min_leaf=1)
    assert trace.predict(x[:, None]).tolist() == pytest.approx(y.tolist())


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([1.0], [5.0]),
        ([1.0, 2.0, 3.0], [0.1, 0.1, 0.1]),
        ([2.0, 2.0, 2.0, 2.0], [1.0, 2.0, 3.0, 4.0]),
    ],
)
@pytest.mark.parametrize("leaf", ["constant", "linear"])
def test_tables_without_a_test_are_one_leaf(x, y, leaf) -> None:
    trace = engine.run(KEY, table(x=x, y=y), leaf=leaf, min_leaf=1)
    assert trace[-1].state.leaves == 1
    assert trace.predict([[9.0]]).tolist() == pytest.approx([np.mean(y)])


SLOPE = table(x=[1.0, 2.0, 3.0, 4.0], y=[1.0, 2.0, 3.0, 4.0])


@pytest.mark.parametrize(
    ("data", "params", "reason"),
    [
        (SLOPE, {"min_leaf": 3}, "branches of at least 3"),
        (SLOPE, {"stop": "depth", "depth": 0}, "The depth 0 is reached"),
        (
            SLOPE,
            {"stop": "no-gain", "least_gain": 0.9, "min_leaf": 1},
            "takes away no more than 90 %",
        ),
        (SLOPE, {"leaf": "linear", "min_leaf": 1}, "One line runs through all 4 examples"),
        (table(x=[1.0, 2.0], y=[5.0, 5.0]), {"min_leaf": 1}, "Each example here has the value 5"),
        (table(x=[2.0, 2.0], y=[1.0, 5.0]), {"min_leaf": 1}, "No test divides these 2 examples"),
    ],
)
def test_a_tree_of_one_leaf_names_what_ended_it(data, params, reason: str) -> None:
    """The slope's best test, x > 2.5, takes 4 of the squares 5 away: only the rule that is named
    keeps it out.
    """
    trace = engine.run(KEY, data, **params)
    said = trace[-1].note.text()
    assert trace[-1].state.tests == 0
    assert reason in said and "one leaf" in said
    assert "squares less" not in said


def test_rows_without_a_value_are_not_learnt() -> None:
    trace = engine.run(KEY, table(x=[1.0, 2.0, 3.0, 4.0], y=[1.0, None, 3.0, 3.0]), min_leaf=1)
    assert trace[0].note["n"] == 3
    assert trace.predict([[2.4], [2.1], [1.9]]).tolist() == [3, 3, 1]


def test_what_it_cannot_take_is_said() -> None:
    with pytest.raises(EngineError, match="some are missing"):
        engine.run(KEY, table(x=[1.0, None], y=[1.0, 2.0]))
    with pytest.raises(EngineError, match="needs a column of numbers as target"):
        engine.run(KEY, engine.generate("moons", 20))
    with pytest.raises(EngineError, match="too large to be squared"):
        engine.run(KEY, table(x=[1.0, 2.0], y=[1e145, 2.0]))


# -- paces and pictures ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "params", [{}, {"leaf": "linear"}, {"min_leaf": 1}, {"stop": "depth"}, {"ties": "random"}]
)
def test_every_pace_ends_alike(params) -> None:
    _, _, data = waves(60)
    ends = [engine.run(KEY, data, pace=Pace(level), **params)[-1].state for level in Level]
    assert all(end.nodes == ends[0].nodes and end.squares == ends[0].squares for end in ends)


STOPS = [
    {},
    {"stop": "depth", "depth": 2},
    {"stop": "no-gain", "least_gain": 0.1},
    {"leaf": "linear"},
]


@pytest.mark.slow
@given(
    st.integers(0, 10_000),
    st.integers(1, 60),
    st.integers(1, 3),
    st.sampled_from([2, 5, 1000]),
    st.integers(1, 4),
    st.sampled_from(STOPS),
    st.sampled_from([1e-30, 1.0, 1e30]),
    st.sampled_from([0.0, 1e6]),
)
@settings(max_examples=60)
def test_whole_levels_make_the_tree_of_the_page(
    seed: int, n: int, d: int, few: int, least: int, params, unit: float, away: float
) -> None:
    """To the last bit; few values have many twins."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, few, (n, d)) / 7
    y = (np.round(rng.normal(size=n), 1) + away) * unit
    problem = engine.prepare(table(**{f"x{j}": X[:, j] for j in range(d)}, y=y))
    leapt, watched = (
        engine.run(KEY, problem, min_leaf=least, pace=Pace(level), **params)[-1].state
        for level in (Level.ROUND, Level.STEP)
    )
    assert leapt.nodes == watched.nodes
    assert leapt.squares == watched.squares


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"min_leaf": 1},
        {"stop": "depth", "depth": 2},
        {"subset_tests": True},
        {"ties": "random"},
    ],
)
@pytest.mark.parametrize("words", [False, True])
def test_a_tree_that_grew_at_once_has_the_log_of_the_page(params, words: bool) -> None:
    """Decision by decision, as it was at every length; with words branches of several children,
    some without examples.
    """
    data = ALGORITHM.example() if words else engine.prepare(waves(60, d=2)[2])
    watched, leapt = (
        engine.run(KEY, data, pace=Pace(level), **params) for level in (Level.DETAIL, Level.ROUND)
    )
    assert [step.line for step in leapt] == ["start", "end"]
    one, other = watched[-1].state.log, leapt[-1].state.log
    assert isinstance(other.items, Grown)
    assert b"".join(parts(tuple(one))) == b"".join(parts(tuple(other)))
    assert b"".join(parts(one[2:-1])) == b"".join(parts(other[2:-1]))
    for length in range(1, len(one) + 1):
        before, after = (
            tree_at(Prefix(log.items, length), watched[-1].state.nominal) for log in (one, other)
        )
        for name in (*ARRAYS, "nominal"):
            np.testing.assert_array_equal(getattr(before, name), getattr(after, name))
    assert leapt.bytes > other.items.own_bytes > 0
    assert b"".join(parts(other.plus(one[0]))) == b"".join(parts((*other, one[0])))


@pytest.mark.parametrize("leaf", ["constant", "linear"])
def test_the_surface_is_what_is_predicted(leaf: str) -> None:
    _, y, data = waves(60, d=2)
    problem = engine.prepare(data, plane=("x0", "x1"))
    trace = engine.run(KEY, problem, leaf=leaf)
    grid = Grid.over((-3.0, 3.0), (-2.0, 2.5), 21)
    found = ALGORITHM.fields["value"](trace.given, trace[-1].state, grid)
    np.testing.assert_allclose(
        found.ravel() + y.mean(), trace.predict(problem.from_plane(grid.points()))
    )


def test_steps_and_slanted_pieces_end_where_the_tests_stand() -> None:
    for leaf in ("constant", "linear"):
        trace = engine.run(KEY, STAIR, leaf=leaf, min_leaf=3)
        layers = ALGORITHM.scene(trace.given, trace[-1]).layers
        (drawn,) = (
            layer for layer in layers if isinstance(layer, Segments) and layer.role is Role.BOUNDARY
        )
        assert drawn.ends[:, :, 0].tolist() == [[-0.5, 3.5], [3.5, 7.5]]
        level = drawn.ends[1, :, 1] if leaf == "constant" else drawn.ends[0, :, 1]
        assert level.tolist() == pytest.approx([5, 5] if leaf == "constant" else [1, 1])


def test_bars_of_the_split_points() -> None:
    """Of 1, 1, 1, 4, 4, 7 with the mean 3: S² / (n₁ n₂) = (2·1)²/5, 4²/8, 6²/9, 5²/8, 4²/5."""
    trace = engine.run(KEY, STAIR, min_leaf=1)
    (plot,) = (f for f in ALGORITHM.scene(trace.given, trace[1]).figures if isinstance(f, Plot))
    bars = sorted(end.tolist() for layer in plot.layers for end in layer.ends)
    assert [top[0] for _, top in bars] == [1.5, 2.5, 3.5, 4.5, 5.5]
    assert [top[1] for _, top in bars] == pytest.approx([4 / 5, 16 / 8, 36 / 9, 25 / 8, 16 / 5])


def test_why_a_value_follows_from_its_way() -> None:
    trace = engine.run(KEY, STAIR, min_leaf=1)
    said = ALGORITHM.explain(trace.given, trace[-1].state, np.array([4.2]))
    assert said.note["rule"] == "x > 3.50 ∧ x ≤ 5.50"
    assert (said.note["value"], said.note["n"]) == (4, 2)
    assert said.path == (0, 2, 3)


def test_a_split_shows_the_part_of_the_plane_that_it_concerns() -> None:
    """Dashed at the thresholds above it; the root has all of the plane."""
    x = np.arange(12.0)
    trace = engine.run(KEY, table(x=x, y=[0.0, 1, 0, 1, 5, 6, 5, 6, 9, 9, 8, 8]), min_leaf=2)
    seen = 0
    for step in trace:
        if step.line != "choose":
            continue
        strips = [k for k in trace.algorithm.scene(trace.given, step).layers if k.tag == "node"]
        s = step.state
        if s.current == 0:
            assert not strips
            continue
        (low, _, high, _) = strips[0].bounds[0]
        assert (
            x[(x > low) & (x <= high)].tolist()
            == x[members_of(s.tree, s.current, trace.problem)].tolist()
        )
        seen += 1
    assert seen
