"""Edits of the lanes give a new document and the place of the lane to look at."""

import pytest

import engine
from engine.base.errors import EngineError
from engine.base.records import replace
from engine.document.document import Document
from engine.document.lane import lane
from engine.document.lane_edits import (
    add_lane,
    apart_from,
    duplicate_lane,
    lane_name,
    only_lane,
    remove_lane,
    suggested,
    swap_lanes,
    sweep,
    title_of,
)
from engine.document.mending import runs

A, B, C = lane("perceptron"), lane("svm", C=2.0), lane("adaboost", seed=3)


def document(*lanes: object) -> Document:
    return Document(engine.generate("moons", n=20), lanes or (A, B, C))  # type: ignore[arg-type]


def test_each_edit_gives_the_lanes_and_the_one_to_look_at() -> None:
    d = document()
    assert [
        (edited.lanes, at)
        for edited, at in (
            duplicate_lane(d, 1),
            remove_lane(d, 2),
            swap_lanes(d, 0, 2),
            only_lane(d, 1),
        )
    ] == [
        ((A, B, B, C), 2),
        ((A, B), 1),
        ((C, B, A), 2),
        ((B,), 0),
    ]
    assert d.lanes == (A, B, C)


def test_an_added_lane_is_another_method_that_runs_on_the_data() -> None:
    d = document(A)
    for count in (2, 3, 4):
        d, at = add_lane(d, 0)
        assert at == count - 1 and len({each.key for each in d.lanes}) == count
        assert runs(d.lanes[at], d.problem())
        assert d.lanes[at].algorithm.task is A.algorithm.task
    with pytest.raises(EngineError, match="There are 4 lanes already"):
        add_lane(d, 0)


def test_there_is_always_a_lane() -> None:
    with pytest.raises(EngineError, match="This is the only lane"):
        remove_lane(document(A), 0)


def test_a_sweep_changes_one_parameter_and_no_other() -> None:
    swept, at = sweep(document(B), 0, "C", (0.5, 5.0))
    assert at == 0 and swept.lanes == (lane("svm", C=0.5), lane("svm", C=5.0))
    for values, words in (
        ((), "takes one to 4 values"),
        ((1.0,) * 2, "one of these values twice"),
        ((-1.0,), "Cost C must"),
    ):
        with pytest.raises(EngineError, match=words):
            sweep(document(B), 0, "C", values)


def test_suggested_values_hold_the_present_one_and_are_allowed() -> None:
    assert suggested(lane("svm", C=10.0), "C") == (1.0, 10.0, 100.0, 1000.0)
    assert suggested(lane("nearest_neighbours", k=4), "k") == (2, 4, 8, 16)
    assert suggested(A, "rule") == ("mmds", "aima")
    assert suggested(A, "start") == (), "a list of numbers is no value to compare"


def test_lanes_of_one_method_are_called_by_what_tells_them_apart() -> None:
    one, other, seed = lane("svm", C=0.1), lane("svm", C=1.0), lane("adaboost", seed=4)
    assert apart_from(one, (one, other)) == ["C 0.1"]
    assert lane_name(one, (one, other)) == "C 0.1"
    near, far = lane("nearest_neighbours", k=2, weights="1/d"), lane("nearest_neighbours", k=3)
    assert lane_name(near, (near, far)) == "k 2, Weight of a vote 1/d"
    begun = lane("perceptron", start=(-2.0, 2.0))
    assert [lane_name(each, (A, begun)) for each in (A, begun)] == [
        "Start w not set",
        "Start w (−2, 2)",
    ]
    assert lane_name(A, (A, B)) == A.algorithm.title
    assert lane_name(seed, (C, seed)) == "seed 4"
    assert lane_name(A, (A, A)) == A.algorithm.title
    # of several methods each lane says which one it is
    assert lane_name(one, (A, one, other)) == f"{one.algorithm.title}, C 0.1"


def test_lanes_with_data_of_their_own_are_called_by_it() -> None:
    """AIMA Fig 18.21: AND, OR and XOR say more than the weights at the start."""
    sets = [engine.textbook(name) for name in ("and", "or", "xor")]
    lanes = (A, *(replace(lane("perceptron", start=(0, 0, 1)), data=each) for each in sets[1:]))
    document = Document(sets[0], lanes)
    assert [title_of(document, k) for k in range(3)] == ["AND", "OR", "XOR"]
    others = replace(document, lanes=(*lanes, B))  # its data are those of lane A
    assert title_of(others, 1) == "Perceptron, Start w (0, 0, 1), own points"
    mixed = Document(sets[0], (*lanes[:2], replace(B, data=sets[2])))
    assert [title_of(mixed, k) for k in range(3)] == [
        "Perceptron, AND",
        "Perceptron, OR",
        B.algorithm.title,
    ]
    assert lane_name(lanes[1], lanes[:2], brief=True) == "(0, 0, 1), own points"


@pytest.mark.parametrize(
    ("learner", "said"),
    [
        ("decision_list", "Decision list"),
        ("nearest_neighbours(k=3)", "Nearest neighbours (k=3)"),
        ("", "auto"),
    ],
)
def test_a_learner_is_called_by_its_title(learner: str, said: str) -> None:
    tree, other = (lane("learning_curve", learner=key) for key in ("decision_tree", learner))
    assert lane_name(other, (tree, other), brief=True) == said
    assert lane_name(other, (tree, other)) == f"Learner {said}"


def test_learners_are_called_by_their_titles() -> None:
    lanes = tuple(
        lane("learner_comparison", learners=(key, "perceptron"))
        for key in ("decision_tree", "svm(C=2.0)")
    )
    names = [lane_name(each, lanes, brief=True) for each in lanes]
    assert names == ["Decision tree, Perceptron", "Support vector machine (C=2.0), Perceptron"]
