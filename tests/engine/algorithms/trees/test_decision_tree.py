"""The decision tree against the printed numbers of AIMA 18.3 and MIT 2.4, scikit-learn, and its own
laws.
"""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

import engine
from engine.algorithms.trees.decision_tree import log
from engine.algorithms.trees.decision_tree.notes import leaf_note
from engine.algorithms.trees.parts.model import Why
from engine.algorithms.trees.parts.naming import TreeWords
from engine.base.notation import row_name
from engine.judge.surface import surface
from engine.protocol.params import params_fields
from engine.protocol.step import Level, Pace
from engine.scene.scene import Role, Segments, Table, Tree
from engine.sources.textbook import textbook
from engine.table.prepare import Split, prepare

STEP = Pace(Level.STEP)
XOR = ([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1, 0])


def run(data, pace=STEP, **params):
    return engine.run(
        "decision_tree", textbook(data) if isinstance(data, str) else data, pace=pace, **params
    )


def splits(trace):
    return [step for step in trace if step.line == "choose"]


def scores(step):
    return {option.label: option.score for option in step.choice.options}


def scene(trace, at):
    return trace.algorithm.scene(trace.given, trace[at])


def outline(trace, at=-1):
    """The tree as nested text: {'Patrons': {'None': 'No', …}}."""
    nodes = trace[at].state.nodes
    features = trace.problem.features

    def as_pairs(node):
        if node.kind != "test":
            return trace.problem.class_text(node.label)
        feature = features[node.column]
        if node.point is not None:
            return {
                f"{feature.name} {'>' if feature.numeric else '='} {node.point:g}": [
                    as_pairs(nodes[c]) for c in node.children
                ]
            }
        return {
            feature.name: {
                feature.categories[nodes[c].branch]: as_pairs(nodes[c]) for c in node.children
            }
        }

    return as_pairs(nodes[0])


AIMA = {
    "Patrons": {
        "None": "No",
        "Some": "Yes",
        "Full": {
            "Hungry": {
                "Yes": {
                    "Type": {
                        "French": "Yes",
                        "Italian": "No",
                        "Thai": {"Fri": {"Yes": "Yes", "No": "No"}},
                        "Burger": "Yes",
                    }
                },
                "No": "No",
            }
        },
    }
}


# -- AIMA: the restaurant --------------------------------------------------------------------------


def test_restaurant_gives_the_induced_tree_of_fig_18_6() -> None:
    """aima C06, D15: no error; Rain and Res do not occur."""
    trace = run("restaurant")
    assert outline(trace) == AIMA
    assert trace.metrics["errors"][-1] == 0
    assert trace.metrics["leaves"][-1] == 8
    assert not trace.wrong().any()
    assert len(trace) == 14  # the start, four tests, eight leaves, the end


def test_printed_gains_at_the_root() -> None:
    """aima D04, D09-D12: Patrons 0.541, the largest; Type 0."""
    root = splits(run("restaurant"))[0]
    found = scores(root)
    assert found["Patrons"] == pytest.approx(0.541, abs=5e-4)
    assert found["Type"] == pytest.approx(0, abs=1e-12)
    assert root.choice.options[root.choice.chosen].label == "Patrons"
    assert root.choice.winners == (root.choice.chosen,)
    assert root.note["gain"] == pytest.approx(0.541, abs=5e-4)
    assert root.note["rest"] == pytest.approx(0.459, abs=5e-4)
    assert tuple(root.note["q"]) == (6, 12)


def test_remaining_bits_fall_from_1_to_0_459_to_0() -> None:
    """slides D59; the curve of bits still unknown."""
    trace = run("restaurant")
    bits = trace.metrics["bits"]
    assert bits[0] == pytest.approx(1)
    assert bits[1] == pytest.approx(0.459, abs=5e-4)
    assert bits[-1] == pytest.approx(0, abs=1e-12)
    assert (np.diff(bits) <= 1e-12).all()


def test_five_attributes_tie_below_full_and_hungry_comes_first() -> None:
    """aima D13: Hungry shares the best gain 0.2516 with Price, Res, Type and Est.

    Manners: on paper that is B of fractions.
    """
    step = splits(run("restaurant"))[1]
    assert {step.choice.options[i].label for i in step.choice.winners} == {
        "Hungry",
        "Price",
        "Res",
        "Type",
        "Est",
    }
    assert step.choice.options[step.choice.chosen].label == "Hungry"
    assert step.choice.options[step.choice.chosen].score == pytest.approx(0.2516, abs=5e-5)
    assert step.choice.rule == "equal importance: the first column in the table"
    assert step.events == ("split", "tie")
    assert "Patrons" not in scores(step)
    assert [scores(step)[n] for n in ("Alt", "Fri", "Rain", "Bar")] == pytest.approx(
        [0.1092, 0.1092, 0.0441, 0], abs=5e-5
    )
    said = step.note.lines()
    assert said[1] == "Gain = B(2/6) − [4/6 B(2/4) + 2/6 B(0/2)]"
    assert said[2].endswith("= 0.9183 − 0.6667 = 0.2516 bits")


def test_value_that_no_example_has_gets_the_parents_plurality() -> None:
    """aima C06: the French leaf has no example and its parent is tied, so a rule decides."""
    trace = run("restaurant")
    step = next(s for s in trace if s.line == "empty")
    assert step.events == ("leaf", "plurality tie")
    assert "French" in step.note.text()
    drawn = {
        outline(run("restaurant", plurality="random", seed=seed))["Patrons"]["Full"]["Hungry"][
            "Yes"
        ]["Type"]["French"]
        for seed in range(20)
    }
    assert drawn == {"Yes", "No"}


def test_random_ties_give_other_trees_that_fit_as_well() -> None:
    """aima A16, F05: tie-breaking alone changes the structure, never the twelve answers."""
    trees = [run("restaurant", ties="random", seed=seed) for seed in range(12)]
    assert len({str(outline(t)) for t in trees}) > 3
    assert all(not t.wrong().any() for t in trees)
    assert all(list(outline(t)) == ["Patrons"] for t in trees)
    assert str(outline(trees[5])) == str(outline(run("restaurant", ties="random", seed=5)))


def test_exact_time_is_favoured_by_gain_and_not_by_ratio() -> None:
    """aima F11, E17: an attribute with a value of its own for every row."""
    data = textbook("restaurant")
    columns = {"ExactTime": [f"18:{i:02d}" for i in range(12)]} | {
        c.name: c.labels() for c in data.columns[1:]
    }
    table = engine.Dataset.from_columns(columns, target="WillWait")
    by_gain, by_ratio = run(table), run(table, importance="ratio")
    assert list(outline(by_gain)) == ["ExactTime"]
    assert list(outline(by_ratio)) == ["Patrons"]
    root = splits(by_ratio)[0]
    assert scores(root)["ExactTime"] == pytest.approx(1 / np.log2(12))
    assert scores(root)["Patrons"] == pytest.approx(0.5409 / 1.4591, abs=1e-4)


def test_ratio_skips_an_attribute_without_split_information() -> None:
    """aima A22, trap: all rows in one branch."""
    table = engine.Dataset.from_columns(
        {"a": ["p", "p", "p"], "b": [1.0, 2.0, 3.0], "y": ["n", "m", "m"]}, target="y"
    )
    step = next(s for s in run(table, importance="ratio", pace=Pace()) if s.line == "choose")
    option = next(o for o in step.choice.options if o.label == "a")
    assert option.detail == "split information is 0"
    assert np.isnan(option.score)


def test_boolean_tests_on_values() -> None:
    """aima A23: the root asks for one value; the attribute may be tested again further down."""
    trace = run("restaurant", subset_tests=True)
    assert not trace.wrong().any()
    root = splits(trace)[0]
    assert root.choice.options[root.choice.chosen].label == "Patrons = Some"
    tested = [
        trace.problem.features[n.column].name for n in trace[-1].state.nodes if n.kind == "test"
    ]
    assert tested.count("Patrons") >= 2 or len(set(tested)) == len(tested)


def test_detail_tries_every_attribute_by_hand() -> None:
    trace = run("restaurant", pace=Pace())
    tried = [s for s in trace if s.line == "score"]
    assert [trace.problem.features[s.state.column].name for s in tried[:10]] == [
        f.name for f in trace.problem.features
    ]
    assert tried[4].note["gain"] == pytest.approx(0.5409, abs=5e-5)
    assert all(s.level is Level.DETAIL for s in tried)


# -- stopping --------------------------------------------------------------------------------------


@pytest.mark.parametrize("copies", [1, 3])
def test_no_gain_stop_fails_on_xor(copies) -> None:
    """aima A20, F10; mit C30: no test gains at the root, so early stopping sees nothing."""
    data = (np.repeat(XOR[0], copies, axis=0), np.repeat(XOR[1], copies))
    assert len(run(data, stop="no-gain")[-1].state.nodes) == 1
    full = run(data)
    assert not full.wrong().any()
    assert splits(full)[0].note["gain"] == 0


def test_chi_squared_pruning_spares_xor_with_enough_copies() -> None:
    """aima F10: with one copy of the four rows the tree falls, with many the lower tests hold. Δ =
    2m at each of them.
    """
    once = run(XOR, prune="chi2")
    assert len(once[-1].state.nodes) == 1
    many = run((np.repeat(XOR[0], 3, axis=0), np.repeat(XOR[1], 3)), prune="chi2")
    assert not many.wrong().any()
    deltas = [s.note["delta"] for s in many if s.line == "prune" and "delta" in s.note.operands]
    assert deltas == pytest.approx([6, 6])


def test_thresholds_of_entropy_size_and_depth() -> None:
    """mit A24, A26."""
    assert list(outline(run("restaurant", stop="depth", depth=1))) == ["Patrons"]
    assert run("restaurant", stop="depth", depth=0)[-1].state.nodes[0].why == "stopped"
    assert outline(run("restaurant", stop="size", size=7))["Patrons"]["Full"] == "No"
    assert outline(run("restaurant", stop="entropy", entropy=0.92))["Patrons"]["Full"] == "No"
    assert outline(run("restaurant", stop="entropy", entropy=0.91)) == AIMA


def test_nodes_are_counted_breadth_first_best_gain_first() -> None:
    """aima A10: tests or all nodes may be counted."""
    for count in (1, 2, 3):
        trace = run("restaurant", stop="nodes", nodes=count)
        assert len(splits(trace)) == count
    assert len(splits(run("restaurant", stop="nodes", nodes=4, counted="all"))) == 1
    assert len(splits(run("restaurant", stop="nodes", nodes=5, counted="all"))) == 1
    assert len(splits(run("restaurant", stop="nodes", nodes=6, counted="all"))) == 2
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    trace = run((X, (X[:, 0] * X[:, 1] > 0).astype(int)), stop="nodes", nodes=9)
    nodes = {n.index: n for n in trace[-1].state.nodes}
    tests = [step.state.current for step in splits(trace)]
    depths = [nodes[i].depth for i in tests]
    assert depths == sorted(depths)
    gains = [
        (nodes[i].depth, -step.note["gain"]) for i, step in zip(tests, splits(trace), strict=True)
    ]
    assert gains == sorted(gains)


def test_equal_rows_of_different_class_end_in_a_leaf() -> None:
    """mit A24: without that rule the recursion never ends."""
    trace = run(([[1.0, 1.0]] * 4 + [[2.0, 1.0]], [0, 1, 1, 0, 0]))
    step = next(s for s in trace if s.line == "none")
    assert step.events == ("leaf", "plurality tie")
    assert [o.score for o in step.choice.options] == [2, 2]
    assert step.choice.winners == (0, 1)
    assert trace.metrics["errors"][-1] == 2


# -- MIT -------------------------------------------------------------------------------------------


def rest(step):
    """Average entropies by attribute name: what is left after each test. mit A23."""
    before = step.note["before"]
    return [before - option.score for option in step.choice.options]


def test_printed_average_entropies_of_mit() -> None:
    """mit D21a-d, C29: H = 1 at the root [E]; 0.92, 0.92, 0.81, 1; then 0.55, 0.55, 0.95 with f1
    first; then f2.
    """
    trace = run("mit_tree")
    first, second, third = splits(trace)
    assert first.note["before"] == pytest.approx(1)
    assert rest(first) == pytest.approx([0.92, 0.92, 0.81, 1], abs=5e-3)
    names = [o.label.split()[0] for o in second.choice.options]
    left = dict(zip(names, rest(second), strict=True))
    assert [left[n] for n in ("f1", "f₁") if n in left] == pytest.approx([0.55], abs=5e-3)
    assert sorted(v for n, v in left.items() if n[1:] not in ("3", "₃")) == pytest.approx(
        [0.55, 0.55, 0.95], abs=5e-3
    )
    columns = [trace.problem.features[s.state.column].name for s in (first, second, third)]
    assert columns == ["f3", "f1", "f2"]
    assert not trace.wrong().any()


def test_xnor_is_solved_after_a_split_without_gain_to_speak_of() -> None:
    """mit D22, B09, C30: H 0.92 and every average entropy 0.92; f1 anyway; then f2 solves both
    children.
    """
    trace = run("mit_xor")
    first = splits(trace)[0]
    assert first.note["before"] == pytest.approx(0.92, abs=5e-3)
    assert rest(first) == pytest.approx([0.92] * 4, abs=5e-3)
    columns = [trace.problem.features[s.state.column].name for s in splits(trace)]
    assert columns == ["f1", "f2", "f2"]
    assert trace.metrics["bits"][-1] == 0
    assert len(run("mit_xor", stop="no-gain", least_gain=0.05)[-1].state.nodes) == 1


# -- pruning ---------------------------------------------------------------------------------------


def test_chi_squared_steps_show_delta_and_say_prune_or_keep() -> None:
    """aima A19, E16: from below; Fri (1 against 1) has Δ = 2, its critical value at 5 % and 1
    degree is 3.84.
    """
    trace = run("restaurant", prune="chi2", significance=0.05)
    tested = [s for s in trace if "delta" in s.note.operands]
    assert tested[0].note["question"] == "Fri"
    assert tested[0].note["delta"] == pytest.approx(2)
    assert tested[0].note["freedom"] == 1
    assert tested[0].note["critical"] == pytest.approx(3.84, abs=5e-3)
    assert tested[0].note["p"] == pytest.approx(0.1573, abs=5e-5)
    assert tested[0].events == ("prune",)
    assert tested[-1].events == ("keep",)
    assert outline(trace) == {"Patrons": {"None": "No", "Some": "Yes", "Full": "No"}}
    assert trace.metrics["errors"][-1] == 2
    assert trace.metrics["leaves"][-1] == 3
    assert len(run("restaurant", prune="chi2", significance=0.001)[-1].state.nodes) == 1


def test_degrees_of_freedom_may_leave_empty_branches_out() -> None:
    """aima A19: Type has an empty French branch below Hungry = Yes."""
    for freedom, expected in (("branches", 3), ("non-empty branches", 2)):
        tested = [
            s
            for s in run("restaurant", prune="chi2", freedom=freedom)
            if "freedom" in s.note.operands
        ]
        kinds = next(s for s in tested if s.note["question"] == "Type")
        assert kinds.note["freedom"] == expected


def test_pruned_trees_are_smaller_and_win_under_noise() -> None:
    """aima F08: eight Boolean attributes, the first two matter, one label in five is flipped."""
    rng = np.random.default_rng(1)
    X = rng.random((600, 8)) < 0.5
    fresh = rng.random((3000, 8)) < 0.5
    truth = X[:, 0] & X[:, 1]
    right = fresh[:, 0] & fresh[:, 1]
    data = (X, np.where(rng.random(600) < 0.2, ~truth, truth))
    full = run(data, pace=Pace(Level.ROUND))
    for changes in ({"prune": "chi2"}, {"prune": "held-out", "split": engine.Split(0.3)}):
        pruned = run(data, pace=Pace(Level.ROUND), **changes)
        shares = [(t.predict(fresh.astype(float)) == right).mean() for t in (full, pruned)]
        assert shares[1] > shares[0] + 0.05
        assert len(pruned[-1].state.nodes) < len(full[-1].state.nodes) / 2


def test_held_out_pruning_never_adds_held_out_errors_and_needs_rows() -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 2))
    codes = rng.integers(0, 2, 200)
    trace = run((X, codes), prune="held-out", split=engine.Split(0.4))
    held = trace.problem.held_out
    errors = [trace.wrong(held, i).sum() for i in range(len(trace)) if trace[i].line == "prune"]
    assert (np.diff(errors) <= 0).all()
    for step in trace:
        if "kept" in step.note.operands:
            assert step.events == (
                ("keep",) if step.note["kept"] < step.note["leaf"] else ("prune",)
            )
    with pytest.raises(engine.EngineError, match="test split"):
        run((X, codes), prune="held-out")


def test_running_numbers_agree_with_the_model_at_every_step() -> None:
    for params in ({}, {"prune": "chi2"}, {"stop": "nodes", "nodes": 7}):
        trace = run("restaurant", **params)
        for i, step in enumerate(trace):
            assert trace.wrong(at=i).sum() == step.metrics["errors"]
            ends = [n for n in step.state.nodes if n.kind != "test"]
            assert step.metrics["leaves"] == sum(n.kind == "leaf" for n in ends)
            share = np.array([n.counts for n in ends])
            size = share.sum(1, keepdims=True)
            p = np.divide(share, size, out=np.zeros_like(share), where=size > 0)
            bits = -(size * p * np.log2(p, out=np.zeros_like(p), where=p > 0)).sum() / 12
            assert step.metrics["bits"] == pytest.approx(bits, abs=1e-9)


# -- laws ------------------------------------------------------------------------------------------

MIXED = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(0, 6)),
        st.sampled_from(["p", "q", "r", None]),
        st.integers(0, 4),
        st.sampled_from(["A", "B", "C"]),
    ),
    min_size=2,
    max_size=24,
)
OPTIONS = st.fixed_dictionaries(
    {
        "importance": st.sampled_from(["gain", "ratio", "gini"]),
        "ties": st.sampled_from(["first", "random"]),
        "plurality": st.sampled_from(["first", "random"]),
        "subset_tests": st.booleans(),
        "numeric": st.sampled_from(["class changes", "all"]),
        "missing": st.sampled_from(["weights", "largest branch"]),
        "stop": st.sampled_from(["pure", "entropy", "size", "no-gain", "depth", "nodes"]),
        "counted": st.sampled_from(["tests", "all"]),
        "prune": st.sampled_from(["none", "chi2"]),
    }
)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(MIXED, OPTIONS, st.integers(0, 5))
def test_node_by_node_and_level_by_level_grow_the_same_tree(rows, params, seed) -> None:
    names = ("x", "w", "z", "y")
    data = engine.Dataset.from_columns(
        {n: [row[i] for row in rows] for i, n in enumerate(names)}, target="y"
    )
    fine, fast = (
        run(data, pace=Pace(), seed=seed, **params),
        run(data, pace=Pace(Level.ROUND), seed=seed, **params),
    )
    assert fine[-1].state.nodes == fast[-1].state.nodes
    rounds = [fine.at(Level.ROUND, i) for i in range(len(fast))]
    assert len(fine.indices(Level.ROUND)) == len(fast)
    for slow, quick in zip(rounds, fast, strict=True):
        assert slow.state.nodes == quick.state.nodes
        assert slow.events == quick.events
        assert slow.metrics == pytest.approx(quick.metrics, abs=1e-6)
    for step in fine:
        assert step.metrics["bits"] >= 0
        fine.algorithm.scene(fine.given, step)
        for option in step.choice.options if step.choice else ():
            assert not option.score < 0


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=2, max_size=40, unique=True),
    st.integers(0, 99),
)
def test_full_tree_makes_no_error_on_distinct_points(places, seed) -> None:
    codes = np.random.default_rng(seed).integers(0, 3, len(places))
    trace = run((np.array(places, float), codes))
    assert not trace.wrong().any()
    assert trace.metrics["errors"][-1] == 0
    assert (np.diff(trace.metrics["bits"]) <= 1e-9).all()


def test_agrees_with_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4)).astype(np.float32).astype(float)
    codes = ((X[:, 0] + X[:, 1] > 0) ^ (X[:, 2] > 0.4)).astype(int)
    trace = run((X, codes))
    peer = DecisionTreeClassifier(criterion="entropy", random_state=0).fit(X, codes)
    root = trace[-1].state.nodes[0]
    assert root.column == peer.tree_.feature[0]
    assert root.point == pytest.approx(peer.tree_.threshold[0], abs=1e-5)
    assert (trace.predict(X) == peer.predict(X)).all()
    shallow = run((X, codes), stop="depth", depth=4)
    peer = DecisionTreeClassifier(criterion="entropy", random_state=0, max_depth=4).fit(X, codes)
    fresh = rng.normal(size=(4000, 4))
    assert (shallow.predict(fresh) == peer.predict(fresh)).mean() > 0.99


# -- missing values, states, pictures --------------------------------------------------------------


def test_missing_value_is_classified_by_all_branches() -> None:
    """aima A24: without Patrons the row goes down all three branches: 2, 4 and 6 of twelve."""
    trace = run("restaurant", stop="depth", depth=1)
    x = np.full(trace.problem.d, np.nan)
    why = trace.algorithm.explain(trace.given, trace[-1].state, x)
    assert why.bars.values == pytest.approx([4 / 12 + 2 / 12, 2 / 12 + 4 / 12])
    assert "three ways" in why.note.text()
    assert why.label == trace.codes(x[None])[0] == 0


def test_explanation_is_the_conjunction_of_the_way() -> None:
    """aima A26."""
    trace = run("restaurant")
    why = trace.algorithm.explain(trace.given, trace[-1].state, trace.problem.X[4])
    assert why.note["rule"].split(" ∧ ") == ["Patrons = Full", "Hungry = No"]
    assert why.note["target"] == "WillWait = No"
    figure = scene(trace, -1).figures[0]
    assert [figure.nodes[i].text for i in why.path] == ["Patrons", "Hungry", "No"]
    assert why.path[0] == 0


def test_tree_as_logic() -> None:
    """aima A26: the goal is the disjunction of the ways to Yes."""
    trace = run("restaurant", stop="depth", depth=1)
    assert trace[-1].note["formula"] == "Patrons = Some"


def test_open_nodes_answer_with_their_plurality() -> None:
    trace = run("restaurant")
    assert set(trace.predict(trace.problem.X, at=0)) == {"Yes"}
    after = trace.predict(trace.problem.X, at=1)
    assert after[4] == "No"
    assert after[0] == "Yes"


def test_numeric_columns_stay_available_further_down() -> None:
    """aima A21, trap."""
    trace = run(([[1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 1]))
    assert sum(n.kind == "test" for n in trace[-1].state.nodes) == 3
    assert trace[1].choice.options[0].label.startswith("x₁ > ")


def test_states_share_their_decisions_and_survive_pickling() -> None:
    trace = run("restaurant")
    assert all(step.state.log.items is trace[0].state.log.items for step in trace)
    again = pickle.loads(pickle.dumps(trace[5].state))
    assert again.nodes == trace[5].state.nodes
    rng = np.random.default_rng(0)
    noisy = run((rng.normal(size=(2000, 2)), rng.integers(0, 2, 2000)))
    assert noisy.bytes / len(noisy) < 4000


def test_examples_keep_their_numbers_of_the_whole_table() -> None:
    """Rows set aside for testing leave gaps in the boxes of the tree and of the table."""
    problem = prepare(textbook("restaurant"), split=Split(0.3))
    assert problem.names == tuple(row_name(number - 1) for number in problem.numbers)
    assert len(problem.numbers) == 8 < max(problem.numbers)
    assert set(problem.numbers).isdisjoint(problem.held_out.numbers)
    tree, table = scene(run(problem), 0).figures[:2]
    assert table.numbers == problem.numbers
    assert {row + 1 for row, _ in tree.nodes[0].boxes} == set(problem.numbers)


def test_tree_figure_shows_examples_and_what_comes_next() -> None:
    """The mock-up's second split: Hungry is lit, its branches are open, Patrons is struck in the
    table.
    """
    trace = run("restaurant")
    at = next(i for i, s in enumerate(trace) if s.state.column == 3)
    tree, table = scene(trace, at).figures[:2]
    assert isinstance(tree, Tree)
    assert isinstance(table, Table)
    hungry = next(n for n in tree.nodes if n.text == "Hungry")
    assert hungry.role is Role.ACTIVE
    assert {row + 1 for row, _ in hungry.boxes} == {2, 4, 5, 9, 10, 12}
    opened = [n for n in tree.nodes if n.kind == "open"]
    assert [n.branch for n in opened] == ["Yes", "No"]
    assert [n.note for n in opened] == ["2 against 2", "pure"]
    roles = {c.feature.name: c.role for c in table.columns}
    assert roles["Hungry"] is Role.ACTIVE
    assert roles["Patrons"] is Role.REJECTED
    assert (np.flatnonzero(table.active) + 1).tolist() == [2, 4, 5, 9, 10, 12]


def test_pruned_nodes_are_struck_until_the_step_ends() -> None:
    trace = run("restaurant", prune="chi2")
    at = next(i for i, s in enumerate(trace) if s.events == ("prune",))
    struck = [n for n in scene(trace, at).figures[0].nodes if n.role is Role.REJECTED]
    assert len(struck) == 2
    assert not [
        n for n in scene(trace, at + 1).figures[0].nodes if n.role is Role.REJECTED and n in struck
    ]
    assert len(trace[at].state.nodes) == len(trace[at - 1].state.nodes) - 2


def test_chosen_split_is_drawn_inside_its_box() -> None:
    trace = run(([[0.0, 0.0], [0.0, 2.0], [4.0, 0.0], [4.0, 3.0]], [0, 1, 2, 2]))
    chosen = [
        layer.ends
        for i, s in enumerate(trace)
        for layer in scene(trace, i).layers
        if isinstance(layer, Segments) and layer.role is Role.ACTIVE
    ]
    assert chosen[0].tolist() == [[[2, -np.inf], [2, np.inf]]]
    assert chosen[1].tolist() == [[[-np.inf, 1], [2, 1]]]


def test_large_trees_are_drawn_in_part() -> None:
    rng = np.random.default_rng(0)
    trace = run((rng.normal(size=(1500, 2)), rng.integers(0, 2, 1500)), pace=Pace(Level.ROUND))
    for at in (0, len(trace) // 2, -1):
        figure = scene(trace, at).figures[0]
        assert len(figure.nodes) <= 300
        assert all(n.parent < i for i, n in enumerate(figure.nodes))
        why = trace.algorithm.explain(trace.given, trace[at].state, trace.problem.X[0])
        assert max(why.path) < len(figure.nodes)


def test_surfaces_of_earlier_steps_do_not_depend_on_earlier_calls() -> None:
    rng = np.random.default_rng(0)
    trace = run((rng.normal(size=(60, 2)), rng.integers(0, 2, 60)), prune="chi2")
    grid = engine.base.grid.Grid.over((-3, 3), (-3, 3), 20)
    for at in (len(trace) - 1, 3, len(trace) // 2, 0):
        painted = surface(trace, "class", grid, at)
        assert (
            painted.ravel().tolist()
            == trace.codes(trace.problem.from_plane(grid.points()), at).tolist()
        )
        score = surface(trace, "score", grid, at)
        assert np.abs(score).max() <= 1
        assert (np.where(score > 0, 0, 1) == painted)[score != 0].all()


# -- manners: sentences that must be true ----------------------------------------------------------


def stopped(trace) -> list[str]:
    return [step.note.text().split(":")[0] for step in trace if step.line == "none"]


def test_the_drop_of_the_gini_impurity_is_not_reported_in_bits() -> None:
    """Restaurant: 1/2 at the root; Full keeps 1 − 1/9 − 4/9 = 4/9 for half of the rows, so Patrons
    drops it by 5/18.
    """
    note = run("restaurant", pace=Pace(Level.ROUND), importance="gini")[1].note
    assert note["gain"] == pytest.approx(5 / 18)
    assert note["question"] == "Patrons"
    said = "\n".join(note.lines())
    assert "I(" in said and "bit" not in said
    assert " bits" in "\n".join(run("restaurant", pace=Pace(Level.ROUND))[1].note.lines())
    words = stopped(run("restaurant", importance="gini", stop="no-gain", least_gain=0.3))
    assert words == ["No attribute lowers the Gini impurity by more than 0.3"]


def test_a_leaf_counts_parts_of_examples() -> None:
    """The row without a value goes half to s and half to q: at s there is b with weight 1.5."""
    data = engine.Dataset.from_columns({"A": ["s", None, "q"], "y": ["b", "b", "a"]}, "y")
    (leaf,) = [step for step in run(data) if step.line == "pure"]
    assert leaf.note["size"] == 1.5
    assert leaf.note.text() == "All 1.50 examples here are b: a leaf."


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (0.5, "The part of an example here, 0.50, is b"),
        (1.0, "The one example here is b"),
        (2.0 - 1e-12, "Both examples here are b"),
        (2.4, "All 2.40 examples here are b"),
        (3.0, "All 3 examples here are b"),
    ],
)
def test_how_many_examples_a_pure_leaf_has(size: float, said: str) -> None:
    data = engine.prepare(engine.Dataset.from_columns({"A": ["s", "q"], "y": ["b", "a"]}, "y"))
    totals = np.where([data.class_text(k) == "b" for k in range(2)], size, 0.0)
    words = leaf_note(
        TreeWords(data), Why.PURE, "", totals, int(totals.argmax()), False, "first", ""
    )
    assert words.text() == said + ": a leaf."


@pytest.mark.parametrize("nodes", [4, 5])
def test_a_count_of_nodes_that_the_next_test_does_not_fit(nodes: int) -> None:
    """Patrons and its three branches make 4 nodes; the next test would bring at least two more."""
    trace = run("restaurant", stop="nodes", counted="all", nodes=nodes)
    assert len(trace[-1].state.nodes) == 4
    assert stopped(trace) == [f"A count of {nodes} nodes has no room for the next test"]


def test_the_test_of_best_ratio_may_gain_too_little_while_another_gains_more() -> None:
    """A1 leaves 2/2 and 1/1 mixed: it gains H(5/9) − 6/9 = 0.3244 bits, more than the 0.3 asked
    for.
    """
    columns = {"A0": [3, 2, 0, 0, 1, 1, 3, 0, 0], "A1": list("rrrsrsppq"), "y": list("abaabbaab")}
    data = engine.Dataset.from_columns(columns, "y")
    trace = run(data, importance="ratio", stop="no-gain", least_gain=0.3)
    assert stopped(trace) == ["The test of best gain ratio gains no more than 0.3 bits"]
    gains = scores(splits(run(data, stop="no-gain", least_gain=0.3))[0])
    share = 5 / 9
    entropy = -share * np.log2(share) - (1 - share) * np.log2(1 - share)
    assert gains["A₁"] == pytest.approx(entropy - 6 / 9) and gains["A₁"] > 0.3


def test_a_missing_value_is_predicted_by_weight_even_when_training_took_the_largest_branch() -> (
    None
):
    """Three rows s of class a, two q of class b: a row without A is 3/5 a and 2/5 b."""
    data = engine.Dataset.from_columns({"A": list("sssqq"), "y": list("aaabb")}, "y")
    for missing in ("weights", "largest branch"):
        trace = run(data, missing=missing)
        bars = trace.algorithm.explain(trace.given, trace[-1].state, np.array([np.nan])).bars
        assert bars.values.tolist() == pytest.approx([0.6, 0.4])
    (field,) = [f for f in params_fields(trace.algorithm.params) if f.name == "missing"]
    assert "asked about goes down all branches" in field.help


def test_errata_of_the_cards() -> None:
    """AIMA D103 (A27): gain, not entropy. MIT D20: the plain mean of 0 and 1."""
    said = " ".join(engine.algorithms()["decision_tree"].errata)
    assert "ID3" in said
    assert "MIT 2.4.19" in said and "½" in said


@pytest.mark.parametrize("name", ["and", "or", "two_bit_adder"])
def test_rounding_is_no_bit(name):
    """Sums of logarithms leave 1e-16 bits where nothing is unknown."""
    bits = run(name).metrics["bits"]
    assert bits[-1] == 0
    assert not ((bits > 0) & (bits < 1e-9)).any()


def test_where_values_are_missing_wrong_rows_are_counted_and_not_their_parts() -> None:
    """Row 6 lacks its value: 3/5 of it go with the three A of p, which is a weight of 0.60.

    It is called A, so one row of the six is wrong.
    """
    columns = {"c": ["p", "p", "p", "q", "q", None], "y": ["A", "A", "A", "B", "B", "B"]}
    for pace in (Pace(), Pace(Level.ROUND)):
        trace = engine.run(
            "decision_tree", engine.Dataset.from_columns(columns, target="y"), pace=pace
        )
        assert trace.predict([[np.nan]], at=-1).tolist() == ["A"]
        assert trace.metrics["errors"].tolist() == [
            trace.wrong(at=i).sum() for i in range(len(trace))
        ]
        assert trace.metrics["errors"][0] == 3
        assert trace.metrics["errors"][-1] == 1
        assert [trace[-1].note[name] for name in ("tests", "leaves", "wrong")] == [1, 2, 1]


@pytest.mark.slow
@pytest.mark.parametrize(
    "params", [{}, {"prune": "chi2"}, {"stop": "nodes", "nodes": 5}, {"missing": "largest branch"}]
)
def test_running_errors_are_the_models_where_values_are_missing(params: dict[str, object]) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 3))
    X[rng.random(X.shape) < 0.2] = np.nan
    trace = run((X, rng.integers(0, 3, 40)), **params)
    for i, step in enumerate(trace):
        assert trace.wrong(at=i).sum() == step.metrics["errors"]


def test_a_long_run_counts_wrong_rows_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between, no number stands rather than one that counts parts."""
    monkeypatch.setattr(log, "COUNTED", 50)
    X = np.random.default_rng(3).normal(size=(40, 2))
    X[0, 0] = np.nan
    trace = run((X, np.arange(40) % 2))
    errors = trace.metrics["errors"]
    known = np.flatnonzero(~np.isnan(errors))
    assert known[-1] == len(trace) - 1 > len(known)
    assert [trace.wrong(at=int(i)).sum() for i in known] == errors[known].tolist()


@pytest.mark.parametrize("y", [["a", "a"], ["a", "b"]])
def test_a_tree_without_tests_says_so_at_any_time(y: list[str]) -> None:
    """Before the first test, and when there will be none: "no test yet" would be untrue
    at the end.
    """
    trace = engine.run("decision_tree", (np.array([[1.0], [1.0]]), y))
    for step in (trace[0], trace[-1]):
        text = trace.algorithm.explain(trace.given, step.state, trace.problem.X[0]).note.text()
        assert text == "No test: the plurality of all examples is a."


def test_the_figures_are_the_same_at_every_step() -> None:
    """A tab that comes and goes moves the others; what is compared stands in the step's
    own choice.
    """
    for params in ({}, {"prune": "chi2"}, {"importance": "gini", "stop": "nodes"}):
        trace = run("restaurant", **params)
        titles = {
            tuple(f.title for f in trace.algorithm.scene(trace.given, s).figures) for s in trace
        }
        assert titles == {("Tree", "Examples")}
