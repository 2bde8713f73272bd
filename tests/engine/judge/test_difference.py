"""Where two models disagree, and the first step at which two runs do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.base.arrays import Log
from engine.base.records import Record, replace
from engine.document.document import Document
from engine.document.lane import lane
from engine.judge.difference import (
    Comparison,
    disagreement,
    first_difference,
    rows_apart,
    same_clusters,
)
from engine.judge.likeness import Likeness
from engine.protocol.registry import algorithm, algorithms
from engine.protocol.step import Level, Pace
from engine.runs.run import Run

NAN = float("nan")


def problem_of(X: object, y: object):
    return Document(engine.Dataset.from_arrays(X, y), (lane("perceptron"),)).problem()


SQUARE = problem_of([[1.0, 2.0], [2.0, 1.0], [-1.0, 0.5], [-1.0, -2.0]], [1, -1, 1, -1])


def test_no_answer_is_an_answer_too() -> None:
    one, other = np.array([0, 1, NAN, NAN, -1]), np.array([0, 0, NAN, 1, -1])
    assert disagreement(one, other).tolist() == [False, True, False, True, False]


@given(st.lists(st.tuples(st.integers(-1, 1), st.integers(-1, 1)), min_size=4, max_size=4))
def test_a_row_that_only_one_gets_right_is_one_on_which_they_differ(
    pairs: list[tuple[int, int]],
) -> None:
    one, other = np.array(pairs, float).T
    apart = rows_apart(SQUARE, one, other)
    truth = SQUARE.codes
    assert apart.share == sum(a != b for a, b in pairs) / 4
    for k, (a, b) in enumerate(pairs):
        assert apart.only_one[k] == (a == truth[k] != b) and apart.only_other[k] == (
            b == truth[k] != a
        )


def test_values_are_apart_by_the_root_of_their_mean_square() -> None:
    problem = Document(engine.textbook("regression_points"), (lane("linear_regression"),)).problem()
    one = np.zeros(problem.n)
    other = np.full(problem.n, 3.0)
    other[0] = NAN
    assert rows_apart(problem, one, other).apart == 3.0


def test_numbers_of_clusters_say_nothing() -> None:
    one, other = np.array([0.0, 0, 1, 1, 2, -1]), np.array([2.0, 2, 0, 0, 1, 1])
    assert same_clusters(one, other).tolist() == [0, 0, 1, 1, 2, 2]


class Held(Record):
    w: np.ndarray
    more: object = None


def test_values_are_alike_part_by_part() -> None:
    alike = Likeness()
    log = Log[np.ndarray]()
    twin = Log[np.ndarray]()
    assert alike(Held(np.array([1.0, NAN])), Held(np.array([1.0, NAN])))
    assert not alike(Held(np.array([1.0])), Held(np.array([1.0 + 1e-15])))
    assert not alike(Held(np.zeros(1), (1, {"a": 2})), Held(np.zeros(1), (1, {"a": 3})))
    for k in range(3):
        mine, theirs = log.append(np.array([k])), twin.append(np.array([k]))
        assert alike(mine, theirs)
    assert not alike(log.append(np.array([7])), twin.append(np.array([8])))


def test_first_difference_of_two_perceptrons_is_the_first_update_with_another_rate() -> None:
    """By hand: w begins (0, 0), and 0 is wrong: the first example moves it by η y x at step 1."""
    runs = []
    for rate in (1.0, 0.5):
        run = Run(
            algorithm("perceptron"),
            SQUARE,
            lane("perceptron", rate=rate).params,
            0,
            Pace(Level.STEP),
        )
        run.advance(max_steps=50)
        runs.append(run.trace)
    found = first_difference(*runs)
    assert found is not None and found.at == (1, 1) and runs[0][1].line == "update"
    assert (found.what, found.values) == ("operand", ("1", "0.5")), found


def test_the_same_run_twice_does_not_differ() -> None:
    """Of every method, whatever its states are made of."""
    for key, method in algorithms().items():
        problem = method.example()
        twice = []
        for _ in range(2):
            run = Run(method, problem, method.params(), 0, Pace(Level.STEP))
            run.advance(max_steps=20)
            twice.append(run.trace)
        assert first_difference(*twice) is None, key


def test_a_run_that_goes_on_from_a_round_is_the_run_it_goes_on_from() -> None:
    """Where the method keeps no order of its own; and one that ends before the other
    differs there.
    """
    for key in (
        "perceptron",
        "winnow",
        "logistic_regression",
        "backpropagation",
        "weighted_majority",
    ):
        method = algorithm(key)
        run = Run(method, method.example(), method.params(), 0, Pace(Level.STEP))
        run.advance(max_steps=400)
        at = int(run.trace.indices(Level.ROUND)[1])
        forked = Run(
            method, method.example(), method.params(), 0, Pace(Level.STEP), run.trace.start_at(at)
        )
        forked.advance(max_steps=100)
        assert first_difference(run.trace, forked.trace, (at + 1, 0)) is None, key


def test_a_run_that_ends_before_the_other() -> None:
    traces = []
    xor = problem_of([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]], [1, -1, -1, 1])
    for rounds in (2, 4):
        params = lane("perceptron", stop="rounds", rounds=rounds).params
        run = Run(algorithm("perceptron"), xor, params, 0, Pace(Level.STEP))
        run.advance()
        traces.append(run.trace)
    found = first_difference(*traces)
    last = len(traces[0]) - 1
    assert found is not None and found.at == (last, last)
    assert (found.what, found.name, found.values) == ("operand", "done", ("yes", "no"))
    ended = Comparison(traces[1], traces[1], (len(traces[1]) - 1, len(traces[1]))).advance()
    assert ended is not None and (ended.what, ended.values) == ("end", ("goes on", "has ended"))


def test_forgotten_steps_are_passed_over_and_it_says_so() -> None:
    xor = problem_of([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]], [1, -1, -1, 1])
    params = lane("perceptron", stop="rounds", rounds=200).params
    method = algorithm("perceptron")
    traces = []
    for rate in (1.0, 0.5):
        run = Run(method, xor, replace(params, rate=rate), 0, Pace(Level.STEP), budget=60_000)
        run.advance()
        traces.append(run.trace)
    assert traces[0].thinned and not traces[0].holds(1)
    replayed = traces[0].replay.block
    found = first_difference(*traces)
    assert found is not None and found.after_gap and found.at[0] == found.at[1] > 1
    assert traces[0].replay.block is replayed, "no replay is needed"


@pytest.mark.parametrize("size", [(0, 1), (3, 3)])
def test_steps_that_are_not_there_are_none(size: tuple[int, int]) -> None:
    run = Run(algorithm("perceptron"), SQUARE, lane("perceptron").params, 0, Pace(Level.STEP))
    assert first_difference(run.trace, run.trace, size) is None
