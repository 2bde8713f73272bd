"""A declared class that no row has, and a declared category that no row has, are in the way of no
method and no experiment.
"""

import re
import warnings
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

import engine
from engine.judge.held_out_figures import confusion_matrix, roc_layers, roc_plot
from engine.protocol.step import Level, Pace
from engine.table.dataset import ColumnRole, Dataset, category_column, number_column
from engine.table.prepare import Split
from engine.table.problem import Problem
from engine.table.transforms import Transform
from tests.engine.digests import fewer
from tests.engine.test_contract import every, is_whole, quick, record  # noqa: F401

pytestmark = [pytest.mark.sweep, pytest.mark.usefixtures("quick")]
ROWS, MOST = 30, 60
# ∞ is a threshold, a norm, a vote: the texts have it
NO_NUMBER = re.compile(r"\b(?:nan|inf)\b|\{|\}")
RNG = np.random.default_rng(4)
CODES = RNG.permutation(ROWS) % 3
X = RNG.normal(size=(ROWS, 2)) + CODES[:, None]


def target(used: str, *classes: str) -> Any:
    """Classes of the rows, drawn from `used`; the table declares `classes`."""
    return category_column(
        "k", [used[code % len(used)] for code in CODES], classes, ColumnRole.TARGET
    )


def words(name: str, used: str, *categories: str) -> Any:
    return category_column(
        name, [used[code] for code in RNG.integers(0, len(used), ROWS)], categories
    )


def numbers() -> list[Any]:
    return [number_column("x1", X[:, 0]), number_column("x2", X[:, 1])]


def bits() -> list[Any]:
    return [number_column(f"b{j}", RNG.integers(0, 2, ROWS)) for j in range(3)]


def truths() -> list[Any]:
    return [category_column(f"t{j}", RNG.integers(0, 2, ROWS) > 0, (False, True)) for j in range(3)]


def unused_words() -> list[Any]:
    return [
        words("a", "xy", "z", "x", "y"),
        words("b", "pqs", "p", "q", "r", "s"),
        words("c", "u", "u", "v"),
    ]


def value() -> Any:
    return number_column("v", X[:, 0] + CODES, ColumnRole.TARGET)


TABLES = {
    "numbers, two classes of three": Dataset((*numbers(), target("ab", "a", "b", "c"))),
    "numbers, the first class unused": Dataset((*numbers(), target("abc", "z", "a", "b", "c"))),
    "numbers, one class of two": Dataset((*numbers(), target("a", "a", "b"))),
    "numbers, the second class of two": Dataset((*numbers(), target("b", "a", "b"))),
    "words, two classes of three": Dataset((*unused_words(), target("ab", "a", "b", "c"))),
    "words, a class in the middle unused": Dataset(
        (*unused_words(), target("abc", "a", "z", "b", "c"))
    ),
    "words and numbers": Dataset((*numbers(), *unused_words(), target("ab", "a", "b", "c"))),
    "0 and 1": Dataset((*bits(), target("ab", "a", "b", "c"))),
    "truth values": Dataset((*truths(), target("ab", "a", "b", "c"))),
    "forecasts": Dataset(
        (words("e", "ab", "a", "b", "c"), words("f", "ab", "a", "b"), target("ab", "a", "b", "c"))
    ),
    "a value, words": Dataset((*unused_words(), value())),
    "a value, words and numbers": Dataset((*numbers(), *unused_words(), value())),
    "no target": Dataset((*numbers(), *unused_words())),
}
WAYS: dict[str, dict[str, Any]] = {
    "as it is": {},
    "0/1 columns": {"transforms": (Transform("one_hot"),)},
    "held out": {"split": Split(0.3)},
}


@cache
def prepared(name: str, way: str) -> Problem:
    return engine.prepare(TABLES[name], **WAYS[way])


def problems(algorithm: Any) -> Iterator[tuple[str, Problem]]:
    """Each table as it is, and in one of the other ways in turn, where the algorithm takes it."""
    for number, (name, way) in enumerate(product(TABLES, WAYS)):
        if way != "as it is" and number // len(WAYS) % 2 == (way == "held out"):
            continue
        numeric = all(f.feature.numeric for f in TABLES[name].features)
        if way == "0/1 columns" and (numeric or algorithm.is_experiment):
            continue
        problem = prepared(name, way)
        if algorithm.needs.reason(problem) is None:
            yield f"{name}, {way}", problem


def said(step: Any) -> list[str]:
    return [
        *step.note.lines(),
        *(str(option.label) for option in (step.choice.options if step.choice else ())),
    ]


@every
def test_unused_classes_and_categories_are_in_the_way_of_no_method(algorithm: Any) -> None:
    taken = 0
    for name, problem in problems(algorithm):
        taken += 1
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            looked_through(algorithm, name, problem)
    assert taken


def recorded(algorithm: Any, problem: Problem, level: Level, most: int) -> Any:
    """The trace; None where the page itself says what it needs, as a metric for words."""
    try:
        return record(algorithm, problem, pace=Pace(level), most=most, **fewer(algorithm))
    except engine.EngineError as sentence:
        assert str(sentence).endswith(".")
        return None


def looked_through(algorithm: Any, name: str, problem: Problem) -> None:
    """Everything that a run shows: words, pictures, curves, answers and their reasons."""
    trace = recorded(algorithm, problem, Level.DETAIL, MOST)
    if trace is None:
        return
    for column in trace.metrics.values():
        assert not np.isinf(column).any(), name
    for step in trace[:: max(1, len(trace) // 10)]:
        for line in said(step):
            assert not NO_NUMBER.search(line), (name, line)
        is_whole(algorithm.scene(trace.given, step), f"{name}, {step.line}")
    if algorithm.predict is not None:
        answers_are_whole(algorithm, name, trace)


def answers_are_whole(algorithm: Any, name: str, trace: Any) -> None:
    problem = trace.problem
    last = trace[-1].state
    X = np.vstack([problem.X, *others(problem)])
    answers = algorithm.predict(trace.given, last, X)
    if problem.regress and algorithm.needs.values:
        assert np.isfinite(answers).all(), name
    elif problem.classes:
        known = (
            np.flatnonzero(problem.counts)
            if not algorithm.needs.forecasts
            else range(len(problem.classes))
        )
        assert set(answers.tolist()) <= {-1, *known}, name
    if algorithm.scores is not None:
        assert not np.isposinf(algorithm.scores(trace.given, last, X)).any(), name
    for x in X[-4:]:
        for line in algorithm.explain(trace.given, last, x).note.lines():
            assert not NO_NUMBER.search(line), (name, line)


@every
def test_what_is_held_out_is_judged_whatever_class_has_no_row(algorithm: Any) -> None:
    """The confusion matrix and the curves beside it; experiments judge themselves."""
    if algorithm.predict is None:
        return
    for name, problem in problems(algorithm):
        if problem.held_out is None or not problem.classes:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            trace = recorded(algorithm, problem, Level.ROUND, 10)
            if trace is None:
                continue
            said = trace.codes(problem.held_out.X)
            matrix = confusion_matrix(problem.held_out, said)
            scores = trace.scores(problem.held_out.X) if algorithm.scores is not None else None
            roc_plot(roc_layers(problem.held_out, said, scores))
        assert np.isfinite(matrix.values[: len(problem.classes)]).all(), name


def others(problem: Problem) -> Iterator[np.ndarray]:
    """Rows with each category in turn, also those that no row has."""
    for j, feature in enumerate(problem.features):
        for code in range(len(feature.categories)):
            row = problem.X[:1].copy()
            row[0, j] = code
            yield row
