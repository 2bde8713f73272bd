"""The other branch of a tie: which methods can take it, that it is really taken, and that nothing
before it changes.
"""

from itertools import pairwise
from math import log2
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import engine
from engine.algorithms.rules.parts import bits
from engine.base.errors import EngineError
from engine.base.tags import column_tag
from engine.document.document import Document
from engine.document.lane import Lane, lane
from engine.document.lane_run import LaneRun
from engine.files.project import from_plain, to_plain
from engine.judge.difference import first_difference
from engine.judge.questions.question import of_choice
from engine.protocol.moment import At
from engine.protocol.step import BY_HAND, Level, Pace
from engine.runs.run import Run
from engine.table.prepare import prepare
from tests.engine.digests import parts

# all as far from the middle
CROSS = {"x1": [0.0, 2.0, 1.0, 1.0], "x2": [1.0, 1.0, 0.0, 2.0], "c": list("aabb")}
TWICE = {
    "a": [0.0, 0, 1, 1, 2, 2],
    "b": [0.0, 0, 1, 1, 2, 2],
    "y": [1.0, 2, 5, 5, 9, 9],
}  # one column says what the other says
COPIED = {"x1": [0.0, 1, 2, 3, 4, 5], "x2": [0.0, 1, 2, 3, 4, 5], "y": list("aaabbb")}
LINE = {"x1": [0.0, 1, 2, 3, 4, 5, 6, 7], "x2": [0.0, 1, 0, 1, 0, 1, 0, 1], "y": [-1] * 4 + [1] * 4}


def columns(
    cells: dict[str, Any], target: str | None = None, query: Any = None, task: Any = None
) -> Any:
    return prepare(engine.Dataset.from_columns(cells, target, task=task), query=query)


def example(key: str) -> Any:
    return engine.algorithm(key).example()


CASES: dict[str, tuple[Any, dict[str, Any]]] = {
    "active_learning": (lambda: columns(LINE, "y"), {}),
    "adaboost": (lambda: example("adaboost"), {}),
    "axis_weights": (lambda: columns(COPIED, "y"), {}),
    "decision_list": (lambda: engine.textbook("restaurant"), {}),
    "decision_tree": (lambda: engine.textbook("restaurant"), {}),
    "feature_selection": (
        lambda: columns(COPIED, "y"),
        {"learner": "nearest_neighbours", "k": 2},
    ),
    "gradient_boosting": (
        lambda: columns(TWICE, "y", task="regress"),
        {"min_leaf": 1, "members": 3},
    ),
    "greedy_conjunction": (lambda: bits("111 101 011 000", "1000"), {}),
    "greedy_dnf": (lambda: example("greedy_dnf"), {}),
    "halving": (lambda: example("halving"), {}),
    "k2_search": (lambda: columns({name: list("yynn") for name in "ABC"}), {}),
    "kd_search": (lambda: columns(CROSS, "c", (1.0, 1.0)), {"k": 1}),
    "kmeans": (lambda: columns({"x": [0.0, 1, 2, 3, 4]}), {"k": 2, "start": (0.0, 4.0)}),
    "nearest_neighbours": (lambda: columns(CROSS, "c", (1.0, 1.0)), {"k": 1}),
    "optimal_brain_damage": (
        lambda: engine.textbook("xor"),
        {"start": (1.0,) * 9, "hidden": (2.0,), "epochs": 1},
    ),
    "regression_tree": (lambda: columns(TWICE, "y", task="regress"), {"min_leaf": 1}),
    "tiling": (lambda: engine.generate("checkerboard", 60), {}),
    "weighted_majority": (lambda: engine.generate("pundits", 40), {"beta": 0.0}),
}
each = pytest.mark.parametrize("key", sorted(CASES))
MOST = 400


def run_of(key: str, branches: Any = (), pace: Level = Level.DETAIL, **more: Any) -> Any:
    data, params = CASES[key]
    return engine.run(
        key, data(), pace=Pace(pace), max_steps=MOST, branches=branches, **(params | more)
    )


def ties(trace: Any) -> list[int]:
    return [i for i, step in enumerate(trace) if step.tie is not None]


def whole(state: Any) -> bytes:
    return b"".join(parts(state))


def other(step: Any) -> tuple[tuple[int, int], ...]:
    """The branch that is not taken there."""
    return ((step.tie.number, 0 if step.tie.taken else 1),)


def test_these_are_all_the_methods_that_take_ties_by_hand() -> None:
    taking = set()
    for key, algorithm in engine.algorithms().items():
        page = Path(__import__(algorithm.beside.page, fromlist=["_"]).__file__ or "")
        taking |= (
            {key}
            if any("at.take" in file.read_text("utf-8") for file in page.parent.glob("*.py"))
            else set()
        )
    assert taking == set(CASES)


@each
def test_the_other_branch_is_taken_and_nothing_before_it_changes(key: str) -> None:
    usual = run_of(key)
    at = ties(usual)[0]
    tie = usual[at].tie
    branches = other(usual[at])
    by_hand = run_of(key, branches)
    assert [step.line for step in usual[:at]] == [step.line for step in by_hand[:at]]
    assert [whole(step.state) for step in usual[:at]] == [
        whole(step.state) for step in by_hand[:at]
    ]
    mine, theirs = (usual[at].choice, by_hand[at].choice)
    taken = branches[0][1]
    assert mine.winners == theirs.winners and len(mine.winners) > 1
    assert [repr(option.value) for option in mine.options] == [
        repr(option.value) for option in theirs.options
    ]
    assert (
        mine.chosen == mine.winners[tie.taken]
        and theirs.chosen == theirs.winners[taken] != mine.chosen
    )
    assert theirs.rule == BY_HAND != mine.rule
    assert (by_hand[at].tie.number, by_hand[at].tie.taken, by_hand[at].tie.by_hand) == (
        tie.number,
        taken,
        True,
    )
    changed = [
        (a.line, whole(a.state)) != (b.line, whole(b.state))
        for a, b in zip(usual, by_hand, strict=False)
    ]
    assert any(changed) or len(usual) != len(by_hand)
    assert all(step.note.text() for step in by_hand)


@each
def test_every_tie_that_is_reported_is_that_of_its_choice(key: str) -> None:
    trace = run_of(key)
    numbers = [trace[i].tie.number for i in ties(trace)]
    assert numbers == list(range(len(numbers)))
    for i in ties(trace):
        choice = trace[i].choice
        assert not trace[i].tie.by_hand and choice.rule != BY_HAND
        if trace[i].tie.taken < len(choice.winners):  # of very many not all are listed
            assert choice.chosen == choice.winners[trace[i].tie.taken], (i, trace[i].line)


@each
def test_ties_have_the_same_numbers_at_every_pace_and_branches_the_same_states(key: str) -> None:
    usual = run_of(key)
    branches = other(usual[ties(usual)[-1]])
    fine = run_of(key, branches)
    for level in (Level.STEP, Level.ROUND):
        rough = run_of(key, branches, level)
        expected = [step for step in fine if step.level >= level]
        shown = min(len(rough), len(expected))
        assert shown and [step.line for step in rough[:shown]] == [
            step.line for step in expected[:shown]
        ]
        assert [whole(step.state) for step in rough[:shown]] == [
            whole(step.state) for step in expected[:shown]
        ]
        assert [step.tie for step in rough[:shown]] == [step.tie for step in expected[:shown]]


@each
def test_the_first_difference_of_the_two_runs_is_that_tie(key: str) -> None:
    """Whatever else a line tells its words: what a later step computed of it is none of its own."""
    usual = run_of(key)
    at = ties(usual)[0]
    by_hand = run_of(key, other(usual[at]))
    found = first_difference(usual, by_hand)
    labels = [step.choice.options[step.choice.chosen].label for step in (usual[at], by_hand[at])]
    assert found is not None and (found.at, found.what, found.values) == (
        (at, at),
        "tie",
        tuple(labels),
    )


# either cut leaves one example apart, and two that differ
CUTS = {"x": [0.0, 1, 2], "c": list("aba")}
VALUES = {"x": [0.0, 1, 2], "y": [0.0, 1, 0]}
ONE_COLUMN: dict[str, tuple[Any, dict[str, Any]]] = {
    "decision_tree": (lambda: columns(CUTS, "c"), {}),
    "adaboost": (lambda: columns(CUTS, "c"), {"rounds": 1}),
    "regression_tree": (lambda: columns(VALUES, "y", task="regress"), {"min_leaf": 1}),
    "gradient_boosting": (lambda: columns(VALUES, "y", task="regress"), {"members": 1, "depth": 1}),
}


def first_cut(state: Any) -> float:
    """The split point at the root of the only tree."""
    if hasattr(state, "learners"):
        learner = state.learners[0]
        return float(learner.value) if hasattr(learner, "value") else float(learner.point[0])
    return float(state.tree.point[0])


@pytest.mark.parametrize("key", sorted(ONE_COLUMN))
def test_two_equally_good_cuts_of_one_column_are_a_tie(key: str) -> None:
    data, params = ONE_COLUMN[key]
    usual = engine.run(key, data(), **params)
    at = ties(usual)[0]
    assert "tie" in usual[at].events and first_cut(usual[-1].state) == 0.5
    choice = usual[at].choice
    assert [choice.options[k].value for k in choice.winners] == [
        (0, 0.5),
        (0, 1.5),
    ] and choice.chosen == 0
    by_hand = engine.run(key, data(), branches=((0, 1),), **params)
    assert first_cut(by_hand[-1].state) == 1.5
    assert by_hand[at].choice.chosen == 1 and by_hand[at].choice.rule == BY_HAND
    assert [option.value for option in by_hand[at].choice.options] == [
        option.value for option in choice.options
    ]
    question = of_choice(usual.problem, usual[at])
    assert question is not None and [c.value for c in question.candidates if c.right] == [
        (0, 0.5),
        (0, 1.5),
    ]
    assert question.answering(frozenset((column_tag("x"),))) == 0, "the column itself is an answer"


@pytest.mark.parametrize("key", ["decision_tree", "regression_tree"])
def test_where_ties_are_drawn_each_cut_of_a_column_is_drawn_by_some_seed(key: str) -> None:
    data, params = ONE_COLUMN[key]
    drawn = []
    for seed in range(12):
        trace = engine.run(key, data(), seed=seed, ties="random", **params)
        choice = trace[ties(trace)[0]].choice
        drawn.append(first_cut(trace[-1].state))
        assert choice.options[choice.chosen].value == (0, drawn[-1])
        leapt = engine.run(key, data(), seed=seed, ties="random", pace=Pace(Level.ROUND), **params)
        assert first_cut(leapt[-1].state) == drawn[-1]
    assert set(drawn) == {0.5, 1.5}


def test_values_of_words_tie_too_and_so_do_the_cuts_of_two_columns() -> None:
    words = columns({"x": list("pqrs"), "c": list("abab")}, "c")
    trace = engine.run("decision_tree", words, subset_tests=True)
    options = trace[ties(trace)[0]].choice.options
    assert [option.value for option in options] == [(0, 0.0), (0, 1.0), (0, 2.0), (0, 3.0)]
    two = columns({"x": [0.0, 1, 2], "y": [2.0, 4, 6], "c": list("aba")}, "c")
    trace = engine.run("decision_tree", two)
    choice = trace[ties(trace)[0]].choice
    assert [choice.options[k].value for k in choice.winners] == [
        (0, 0.5),
        (0, 1.5),
        (1, 3.0),
        (1, 5.0),
    ]


def test_a_tree_in_a_bag_shows_the_cuts_that_tie() -> None:
    trace = engine.run("bagging", columns(CUTS, "c"), members=9)
    tied = [step for step in trace if step.choice is not None and len(step.choice.winners) > 1]
    assert tied and all("tie" in step.events for step in tied)
    assert {tuple(o.value for o in step.choice.options) for step in tied} == {((0, 0.5), (0, 1.5))}


@given(
    x=st.lists(st.integers(0, 4), min_size=3, max_size=9),
    labels=st.lists(st.booleans(), min_size=9, max_size=9),
)
@settings(max_examples=60)
def test_every_cut_that_leaves_as_few_bits_is_offered(x: list[int], labels: list[bool]) -> None:
    """Against a count by hand of what every midpoint leaves unknown."""
    c = ["a" if label else "b" for label in labels[: len(x)]]
    assume(len(set(c)) == 2 and len(set(x)) > 1)
    trace = engine.run(
        "decision_tree", columns({"x": [float(v) for v in x], "c": c}, "c"), numeric="all"
    )
    values = sorted(set(x))
    cuts = [(low + high) / 2 for low, high in pairwise(values)]
    left = dict[float, float]()
    for cut in cuts:
        sides = [
            [label for v, label in zip(x, c, strict=True) if (v > cut) is above]
            for above in (False, True)
        ]
        left[cut] = sum(map(bits_of, sides))
    least = min(left.values())
    expected = [(0, cut) for cut in cuts if left[cut] <= least + 1e-9]
    step = next(step for step in trace if step.line == "choose")
    assert [step.choice.options[k].value for k in step.choice.winners] == expected
    assert (step.tie is not None) == ("tie" in step.events) == (len(expected) > 1)


def bits_of(labels: list[str]) -> float:
    """How many bits all these labels together need."""
    counts = [labels.count(name) for name in set(labels)]
    return -sum(count * log2(count / len(labels)) for count in counts)


@each
def test_where_a_run_leaps_it_tells_no_ties(key: str) -> None:
    assert not ties(run_of(key, pace=Level.ROUND))


def test_words_that_name_the_rule_say_that_the_hand_broke_it() -> None:
    for key, said in (
        ("decision_tree", "Price was taken by hand"),
        ("greedy_dnf", "is taken by hand"),
        ("halving", "By hand"),
    ):
        usual = run_of(key)
        at = ties(usual)[0]
        assert "hand" not in usual[at].details and said not in usual[at].note.text()
        by_hand = run_of(key, other(usual[at]))
        assert said in by_hand[at].note.text() and not any(
            "hand" in step.details for step in by_hand[at + 1 :]
        )


def test_a_branch_that_does_not_come_changes_nothing() -> None:
    usual, same = run_of("decision_tree"), run_of("decision_tree", ((7, 1), (0, 40)))
    assert [whole(step.state) for step in usual] == [whole(step.state) for step in same]


def test_the_tree_that_the_other_branch_grows_is_the_one_without_the_first_column() -> None:
    """Restaurants: below Patrons = Full five attributes tie; with Hungry out of the table the next
    of them is first.
    """
    data = engine.textbook("restaurant")
    usual = engine.run("decision_tree", data)
    at = ties(usual)[0]
    names = [option.label for option in usual[at].choice.options]
    taken = [names[k] for k in usual[at].choice.winners]
    assert taken[0] == "Hungry" and len(taken) == 5
    by_hand = engine.run("decision_tree", data, branches=((0, 1),))
    without = engine.run("decision_tree", data.with_role("Hungry", engine.ColumnRole.IGNORED))
    mine, theirs = by_hand[-1].state.tree, without[-1].state.tree
    kept = [j for j, feature in enumerate(by_hand.problem.features) if feature.name != "Hungry"]
    assert [mine.column[0], mine.column[3]] == [kept[theirs.column[0]], kept[theirs.column[3]]]
    assert np.array_equal(mine.totals, theirs.totals)
    assert (by_hand.codes(by_hand.problem.X) == by_hand.problem.codes).all()


def test_k_nearest_neighbours_by_hand() -> None:
    """Four examples as near as each other: of one neighbour the second may be taken, of four votes
    the other class.
    """
    by_hand = run_of("nearest_neighbours", ((1, 1),))
    assert by_hand[-1].state.neighbours.tolist() == [2] and by_hand[-1].state.label == 1
    votes = run_of("nearest_neighbours", ((0, 1),), k=4)
    assert votes[-1].state.label == 1 and run_of("nearest_neighbours", k=4)[-1].state.label == 0


def test_a_step_of_such_a_run_is_replayed_with_its_branches() -> None:
    data = CASES["greedy_dnf"][0]()
    params = {}
    algorithm = engine.algorithm("greedy_dnf")
    whole_run = run_of("greedy_dnf", ((0, 1),))
    run = Run(algorithm, data, algorithm.params(**params), budget=4000, branches=((0, 1),))
    run.advance()
    assert run.trace.thinned
    assert [whole(step.state) for step in run.trace] == [whole(step.state) for step in whole_run]
    assert [step.tie for step in run.trace] == [step.tie for step in whole_run]


def test_a_run_goes_on_from_a_step_of_one_with_branches() -> None:
    before = run_of("adaboost", ((0, 1),))
    start = before.start_at(before.indices(Level.ROUND)[1])
    assert start.branches == ((0, 1),)
    on = engine.run("adaboost", CASES["adaboost"][0](), go_on_from=start)
    assert (
        on[0].state.learners[0]
        == before[-1].state.learners[0]
        != run_of("adaboost")[-1].state.learners[0]
    )


def test_a_lane_keeps_its_branches_in_its_file_and_gives_them_up_with_its_method() -> None:
    data = engine.textbook("restaurant")
    branched = Lane(
        "decision_tree", engine.algorithm("decision_tree").params(), branches=((0, 1), (2, 3))
    )
    document = Document(data, (branched,))
    plain = to_plain(document)
    assert from_plain(plain).document == document
    run = LaneRun(branched, document.problem(), Pace())
    run.advance(10.0, 400)
    assert run.trace[ties(run.trace)[0]].tie.by_hand
    assert document.with_lane(0, key="perceptron").lanes[0].branches == ()
    assert "branches" not in to_plain(Document(data, (lane("decision_tree"),)))["lanes"][0]


@pytest.mark.parametrize("odd", [[[1]], [[0, 1], [0, 2]], [[1, 0], [0, 0]], [[-1, 0]], "first", []])
def test_branches_of_a_file_that_make_no_sense_are_refused(odd: Any) -> None:
    document = Document(engine.textbook("restaurant"), (lane("decision_tree"),))
    plain = to_plain(document)
    plain["lanes"][0]["branches"] = odd
    with pytest.raises(EngineError, match="branches"):
        from_plain(plain)


def test_take_counts_only_ties_and_gives_one_to_the_next_moment_alone() -> None:
    algorithm = engine.algorithm("nearest_neighbours")
    given = algorithm.setting(algorithm.example(), algorithm.params())
    at = At(algorithm, given, branches=((1, 2), (2, 9)))
    assert [at.take("a", "a"), at.take("", "z")] == ["a", "z"] and at("vote", None)[0].tie is None
    assert (
        at.take("ab", "a") == "a"
        and at("vote", None)[0].tie.number == 0
        and at("vote", None)[0].tie is None
    )
    assert at.take("abc", "b") == "c" and at("vote", None)[0].details == {"hand": True}, (
        "its words name the rule"
    )
    assert at.take("ab", "b") == "b", "there is no tenth"
    (step,) = at.end("vote", None)
    assert (step.tie.number, step.tie.taken, step.tie.by_hand) == (2, 1, False) and not step.details
