"""Bagging: bags, the trees on them, the rows outside, the vote; and the random forest, whose nodes
try a few columns each.
"""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import engine
from engine.algorithms.ensembles.parts.bags import races
from engine.algorithms.ensembles.parts.forests import grown_to, said
from engine.algorithms.trees.parts.entries import Examples, Sample, beside
from engine.algorithms.trees.parts.grove import grove
from engine.algorithms.trees.parts.growth import Growth, Tries
from engine.algorithms.trees.parts.levels import root
from engine.algorithms.trees.parts.model import Tree, predict
from engine.base.arrays import frozen
from engine.base.errors import EngineError
from engine.base.grid import Grid
from engine.base.records import field_names
from engine.base.work import finished
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.scene.scene import Forest, Points, Role
from engine.table.dataset import Feature
from tests.engine.algorithms.trees.grown import GAIN

BOTH = ("bagging", "random_forest")


def clouds(n: int = 60, d: int = 2, classes: int = 2, seed: int = 0) -> engine.Dataset:
    rng = np.random.default_rng(seed)
    code = np.arange(n) % classes
    return engine.Dataset.from_arrays(
        rng.normal(size=(n, d)) + np.eye(max(d, classes))[code, :d], code
    )


def step(trace, line, number=0):
    return [s for s in trace if s.line == line][number]


def whole(tree) -> list[list]:
    return [
        np.nan_to_num(getattr(tree, name), nan=-7.0).tolist()
        for name in ("column", "point", "first", "totals", "label", "why")
    ]


@pytest.mark.parametrize(("key", "params"), [("bagging", {}), ("random_forest", {"features": 4})])
def test_columns_are_drawn_only_where_some_are_left_out(key: str, params: dict[str, int]) -> None:
    """Bagging, and a forest that tries all columns, draw none: a column of words that is missing
    was spent by a test above.
    """
    rng = np.random.default_rng(3)
    words = {f"w{j}": list(rng.choice(["a", "b", "c"], 40)) for j in range(4)}
    data = engine.Dataset.from_columns({**words, "y": list(rng.choice(["yes", "no"], 40))}, "y")
    splits = [s for s in engine.run(key, data, members=3, **params) if s.line == "split"]
    assert any(len(s.choice.options) < 4 for s in splits)
    assert not any("drawn" in s.note.text() for s in splits)
    resampled = [
        s for s in engine.run("random_forest", data, members=3, features=1) if s.line == "split"
    ]
    deep = [s for s in resampled if s.note["free"] < 4]
    assert deep and all(
        "no test above it has spent, drawn" in s.note.text()
        for s in deep
        if s.note["free"] > s.note["tried"]
    )
    assert all(("drawn" in s.note.text()) == (s.note["tried"] < s.note["free"]) for s in resampled)


def test_a_bag_is_drawn_with_return_from_labelled_rows_alone() -> None:
    X = np.arange(12.0).reshape(6, 2)
    data = engine.Dataset.from_arrays(X, np.array(["a", "b", None, "a", None, "b"], dtype=object))
    trace = engine.run("bagging", data, members=20)
    bags = np.array(trace[-1].state.bags)
    assert (bags.sum(axis=1) == 4).all()
    assert not bags[:, [2, 4]].any()
    assert bags.max() > 1
    assert step(trace, "draw").note["out"] == int((bags[0][[0, 1, 3, 5]] == 0).sum())
    assert step(trace, "draw").note["expected"] == pytest.approx(4 * 0.75**4)


def test_about_a_third_stays_outside() -> None:
    bags = np.array(engine.run("bagging", clouds(200), members=40, depth=1)[-1].state.bags)
    assert (bags == 0).mean() == pytest.approx((1 - 1 / 200) ** 200, abs=0.01)


def test_the_size_of_a_bag_is_a_share_of_the_rows() -> None:
    state = engine.run("bagging", clouds(50), members=3, size=40)[-1].state
    assert [int(bag.sum()) for bag in state.bags] == [20, 20, 20]


@pytest.mark.parametrize("importance", ["gain", "gini"])
def test_the_first_test_is_that_of_scikit_learn_on_the_copies_as_weights(importance: str) -> None:
    trace = engine.run("bagging", clouds(80), members=6, depth=1, importance=importance)
    problem = trace.problem
    state = trace[-1].state
    for tree, bag in zip(state.learners, state.bags, strict=True):
        peer = DecisionTreeClassifier(
            criterion={"gain": "entropy"}.get(importance, "gini"), max_depth=1
        )
        peer.fit(problem.X, problem.codes, sample_weight=bag)
        assert (tree.column[0], tree.point[0]) == (
            peer.tree_.feature[0],
            pytest.approx(peer.tree_.threshold[0]),
        )
        assert tree.totals[0].sum() == 80


def test_a_whole_tree_is_right_on_its_bag() -> None:
    trace = engine.run("bagging", clouds(60, classes=3), members=5)
    X = trace.problem.X
    codes = trace.problem.codes
    state = trace[-1].state
    for tree, bag in zip(state.learners, state.bags, strict=True):
        assert (predict(tree, X)[bag > 0] == codes[bag > 0]).all()
    assert [s.note["wrong"] for s in trace if s.line == "learn"] == [0] * 5


@pytest.mark.parametrize("key", BOTH)
def test_rows_outside_are_judged_by_trees_that_never_saw_them(key: str) -> None:
    trace = engine.run(key, clouds(40, classes=3), members=7)
    X = trace.problem.X
    codes = trace.problem.codes
    state = trace[-1].state
    missed = tested = errors = 0
    for i in range(40):
        votes, blind = np.zeros(3), np.zeros(3)
        for tree, bag in zip(state.learners, state.bags, strict=True):
            label = predict(tree, X[[i]])[0]
            votes[label] += 1
            blind[label] += bag[i] == 0
        errors += int(votes.argmax() != codes[i])
        tested += int(blind.any())
        missed += int(blind.any() and blind.argmax() != codes[i])
    assert (state.errors, state.tested, state.missed) == (errors, tested, missed)
    assert trace.metrics["oob"][-1] == pytest.approx(40 * missed / tested)
    assert step(trace, "vote", -1).note["share"] == pytest.approx(missed / tested)


@pytest.mark.parametrize("key", BOTH)
@pytest.mark.parametrize("classes", [2, 3])
def test_painted_boxes_are_the_votes_of_every_place(key: str, classes: int) -> None:
    trace = engine.run(key, clouds(50, 3, classes), members=8)
    xs, ys = np.linspace(-3, 3, 23), np.linspace(-2, 4, 17)
    grid = Grid(xs, ys)
    places = trace.problem.from_plane(grid.points())
    fields = trace.algorithm.fields
    for at in (0, len(trace) // 2, -1):
        state = trace[at].state
        painted = fields["class"](trace.given, state, grid)
        assert np.array_equal(painted.ravel(), trace.algorithm.predict(trace.given, state, places))
        if classes == 2:
            score = fields["score"](trace.given, state, grid).ravel()
            assert np.array_equal(
                score, trace.algorithm.scores(trace.given, state, places), equal_nan=True
            )


@pytest.mark.parametrize("key", BOTH)
def test_going_on_is_the_run_that_was_never_stopped(key: str) -> None:
    """Every tree has chances of its own, whatever was drawn before."""
    data = clouds(30)
    long, short = engine.run(key, data, members=6, seed=4), engine.run(key, data, members=3, seed=4)
    run = Run(long.algorithm, long.problem, long.params, 4, start=short[-1].state)
    run.advance()
    end = run.trace[-1].state
    assert [whole(tree) for tree in end.learners] == [
        whole(tree) for tree in long[-1].state.learners
    ]
    assert (end.errors, end.missed, end.tested) == (
        long[-1].state.errors,
        long[-1].state.missed,
        long[-1].state.tested,
    )
    with pytest.raises(EngineError, match="start again"):
        Run(
            long.algorithm, engine.prepare(clouds(31)), long.params, start=short[-1].state
        ).advance()


def test_the_choice_at_a_node_is_its_gain() -> None:
    """Six points of one column: A A A B B A, all in the bag once or more; the best cut by hand from
    the counts.
    """
    trace = engine.run(
        "bagging",
        engine.Dataset.from_arrays(np.arange(6.0)[:, None], list("AAABBA")),
        members=1,
        seed=1,
    )
    first = step(trace, "split")
    bag = trace[-1].state.bags[0]
    codes = np.repeat(trace.problem.codes, bag)

    def bits(c):
        p = np.bincount(c, minlength=2) / max(len(c), 1)
        return -sum(q * np.log2(q) for q in p if q)

    x = np.repeat(np.arange(6.0), bag)
    gains = {
        v: (
            bits(codes)
            - sum(len(part) / len(x) * bits(part) for part in (codes[x <= v], codes[x > v]))
        )
        for v in x[x < x.max()]
    }
    assert first.note["gain"] == pytest.approx(max(gains.values()))
    assert first.choice.options[first.choice.chosen].score == pytest.approx(max(gains.values()))
    assert first.state.learner.column[first.state.node] == 0


def test_columns_that_part_alike_tie() -> None:
    x = np.arange(4.0)
    trace = engine.run(
        "bagging", engine.Dataset.from_arrays(np.column_stack([x, x]), list("AABB")), members=2
    )
    first = step(trace, "split")
    assert first.events == ("tie",)
    assert first.choice.winners == (0, 1)
    assert first.choice.chosen == 0


def test_a_tree_half_grown_has_the_tests_shown_so_far() -> None:
    trace = engine.run("bagging", clouds(40), members=1)
    for s in (s for s in trace if s.line == "split"):
        part = grown_to(s.state.learner, s.state.node)
        assert np.flatnonzero(part.column >= 0).max() == s.state.node
        assert len(part.parent) == part.first[s.state.node] + 2


@pytest.mark.parametrize("key", BOTH)
def test_words_gaps_and_contradictions_come_to_a_vote(key: str) -> None:
    columns = {
        "w": ["p", "q", None, "p", "q", "r"],
        "x": [1.0, None, 2.0, 1.0, 3.0, 3.0],
        "y": list("aababb"),
    }
    for table in (
        columns,
        {name: values[:1] for name, values in columns.items()},
        {"x": [1.0] * 4, "y": list("abab")},
    ):
        trace = engine.run(key, engine.Dataset.from_columns(table, target="y"), members=4)
        assert trace[-1].line == "return"
        assert (trace.codes(trace.problem.X) >= 0).all()


def test_nothing_votes_before_the_first_tree() -> None:
    trace = engine.run("bagging", clouds(10), members=1)
    assert trace.codes(trace.problem.X, 0).tolist() == [-1] * 10
    assert trace.algorithm.explain(trace.given, trace[0].state, trace.problem.X[0]).label == -1
    explanation = trace.algorithm.explain(trace.given, trace[-1].state, trace.problem.X[0])
    assert explanation.bars.values.sum() == 1


def test_earlier_trees_do_not_vote_again() -> None:
    trace = engine.run("bagging", clouds(20), members=4)
    learners = trace[-1].state.learners
    X = frozen(trace.problem.X + 0.01)
    labels = said(learners[:2], X)
    with patch(
        "engine.algorithms.ensembles.parts.forests.predict", side_effect=predict
    ) as predicted:
        assert np.array_equal(said(learners, X)[:2], labels)
        assert predicted.call_count == 2
        assert np.array_equal(said(learners[1:], X), said(learners, X)[1:])


# -- the random forest -----------------------------------------------------------------------------


def test_trying_all_columns_is_bagging() -> None:
    data = clouds(40, 3)
    forest, bags = (
        engine.run(key, data, members=4, **p)[-1].state
        for key, p in (("random_forest", {"features": 3}), ("bagging", {}))
    )
    assert [whole(tree) for tree in forest.learners] == [whole(tree) for tree in bags.learners]


def test_a_node_tries_as_many_columns_as_set_and_takes_the_best_of_them() -> None:
    trace = engine.run("random_forest", clouds(60, 9), members=3)
    seen = [s for s in trace if s.line == "split"]
    tried = [{option.value[0] for option in s.choice.options} for s in seen]
    assert {len(columns) for columns in tried} == {3}
    assert set.union(*tried) == set(range(9))
    assert len({frozenset(columns) for columns in tried}) > 5
    for s in seen:
        scores = [option.score for option in s.choice.options]
        assert scores[s.choice.chosen] == pytest.approx(np.nanmax(scores))
        assert s.note["tried"] == 3


def test_where_none_of_the_drawn_columns_divides_it_tries_on() -> None:
    """One column of numbers among five constant ones: every tree finds it, and says how many it has
    tried.
    """
    X = np.column_stack([np.zeros((8, 5)), np.arange(8.0)])
    trace = engine.run(
        "random_forest", engine.Dataset.from_arrays(X, list("AAAABBBB")), members=12, features=1
    )
    seen = [s for s in trace if s.line == "split"]
    assert len(seen) >= 10
    assert all(s.state.learner.column[s.state.node] == 5 for s in seen)
    assert len({len(s.choice.options) for s in seen}) > 2


@pytest.mark.slow
@given(
    st.integers(0, 10_000),
    st.integers(2, 40),
    st.integers(1, 4),
    st.integers(1, 3),
    st.sampled_from([2, 5, 1000]),
    st.integers(1, 4),
)
@settings(max_examples=40, deadline=None)
def test_one_by_one_and_together_the_same_trees_grow_with_the_tests_that_are_shown(
    seed: int, n: int, d: int, classes: int, values: int, many: int
) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, values, (n, d)) / 7
    codes = rng.integers(0, classes, n)
    table = Examples.of(X, tuple(Feature(f"x{j}") for j in range(d)), codes, classes)
    bags = [np.bincount(rng.integers(n, size=n), minlength=n) for _ in range(3)]
    samples = [Sample.root(table).resampled(bag) for bag in bags]

    def tries(k: int) -> Tries:
        return Tries(np.random.default_rng(seed + k), d, many)

    alone = [
        finished(grove(table, sample, Growth(GAIN), [tries(k)]))[0]
        for k, sample in enumerate(samples)
    ]
    together = finished(grove(table, beside(samples), Growth(GAIN), [tries(k) for k in range(3)]))
    for k, (one, other) in enumerate(zip(alone, together, strict=True)):
        same(one, other)
        seen = list(races(root(table, Growth(GAIN, tries=tries(k)), sample=samples[k])))
        assert [race.node for race in seen] == np.flatnonzero(one.column >= 0).tolist()
        chosen = [(race.columns[race.winners[0]], race.points[race.winners[0]]) for race in seen]
        assert chosen == [
            (one.column[node], one.point[node]) for node in (race.node for race in seen)
        ]


def same(one: Tree, other: Tree) -> None:
    for name in field_names(Tree):
        if name not in ("whole", "memo"):
            a, b = getattr(one, name), getattr(other, name)
            assert np.array_equal(a, b, equal_nan=a.dtype.kind == "f"), name
            assert a.dtype == b.dtype, name
            assert not a.flags.writeable
            assert not b.flags.writeable


@pytest.mark.parametrize("key", BOTH)
def test_trees_grown_ahead_are_those_that_grow_one_by_one(key: str) -> None:
    """At the pace of rounds many grow together; a run that is resumed there finds the same ones."""
    data = clouds(40, 5)
    rounds, one_by_one = (
        engine.run(key, data, members=7, pace=Pace(level))[-1].state
        for level in (Level.ROUND, Level.STEP)
    )
    assert [whole(tree) for tree in rounds.learners] == [
        whole(tree) for tree in one_by_one.learners
    ]


@pytest.mark.slow
@pytest.mark.parametrize("key", BOTH)
def test_as_good_as_scikit_learn(key: str) -> None:
    """Errors on 1,000 new rows, over two tables."""
    ours, theirs = [], []
    for seed in range(2):
        data = clouds(100, 6, seed=seed)
        new = engine.prepare(clouds(1000, 6, seed=seed + 50))
        trace = engine.run(key, data, members=30, seed=seed, pace=Pace(Level.ROUND))
        tree = DecisionTreeClassifier(criterion="entropy")
        peer = (
            BaggingClassifier(tree, 30, random_state=seed)
            if key == "bagging"
            else RandomForestClassifier(30, criterion="entropy", random_state=seed)
        )
        peer.fit(trace.problem.X, trace.problem.codes)
        ours.append((trace.codes(new.X) != new.codes).mean())
        theirs.append((peer.predict(new.X) != new.codes).mean())
    assert np.mean(ours) == pytest.approx(np.mean(theirs), abs=0.03)


@pytest.mark.slow
@pytest.mark.parametrize("key", BOTH)
def test_the_error_outside_forecasts_that_on_new_rows(key: str) -> None:
    trace = engine.run(key, clouds(400, 6), members=40, pace=Pace(Level.ROUND))
    new = engine.prepare(clouds(2000, 6, seed=9))
    assert trace[-1].state.oob == pytest.approx((trace.codes(new.X) != new.codes).mean(), abs=0.05)


@pytest.mark.parametrize("key", ["bagging", "random_forest"])
def test_an_answer_with_a_gap_says_that_a_value_is_missing(key: str) -> None:
    trace = engine.run(key, engine.generate("moons", 40, 0.2), members=3)
    whole, gap = trace.problem.X[0].copy(), trace.problem.X[0].copy()
    gap[1] = np.nan
    said = [
        trace.algorithm.explain(trace.given, trace[-1].state, x).note.text() for x in (whole, gap)
    ]
    assert ["A value is missing" in text for text in said] == [False, True]


@pytest.mark.parametrize("key", BOTH)
def test_at_the_vote_amber_is_on_the_rows_that_unseen_trees_get_wrong(key: str) -> None:
    """As many as the note says; no tree and no border is lit, as all of them vote."""
    trace = engine.run(key, clouds(seed=3), members=6)
    lit = 0
    for each in trace:
        if each.line != "vote":
            continue
        scene = trace.algorithm.scene(trace.given, each)
        active = [layer for layer in scene.layers if layer.role is Role.ACTIVE]
        assert all(isinstance(layer, Points) for layer in active)
        assert sum(layer.size for layer in active) == each.state.missed
        for layer in active:
            assert (layer.shown != layer.group).all()
        forest = next(figure for figure in scene.figures if isinstance(figure, Forest))
        assert forest.current == -1
        if each.state.tested:
            assert f"{each.state.missed} of {each.state.tested}" in scene.plane
        lit += each.state.missed
    assert lit


@pytest.mark.parametrize("key", BOTH)
def test_the_tree_at_hand_is_lit_and_the_heading_counts_as_the_words_do(key: str) -> None:
    trace = engine.run(key, clouds(seed=3), members=4)
    for each in trace:
        scene = trace.algorithm.scene(trace.given, each)
        forest = next(figure for figure in scene.figures if isinstance(figure, Forest))
        own = each.line not in ("start", "vote", "return")
        assert forest.current == (each.state.round - 1 if own else -1), each.line
        if each.line == "draw":
            assert f"has {each.note['inside']} of" in forest.title
        elif each.line in ("learn", "out"):
            assert f", {each.note['wrong']} of " in forest.title
            assert not (forest.votes >= 0).any(), "no row's way is drawn"
