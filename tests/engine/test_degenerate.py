"""Tables of which nothing much can be learnt: each of the 26 methods of issue 18 ends in a step
that says what happened, or is refused with the sentence of the picker.
"""

import re
from typing import Any

import numpy as np
import pytest

import engine
from engine.protocol.step import Level, Pace
from engine.read.column_kinds import read_for
from tests.engine.digests import fewer

pytestmark = pytest.mark.slow
KEYS = [
    "streaming_perceptron",
    "mapreduce_perceptron",
    "kernel_perceptron",
    "rbf_network",
    "lsh",
    "va_file",
    "table_lookup",
    "regression_tree",
    "bagging",
    "random_forest",
    "gradient_boosting",
    "majority_vote",
    "half_plane_and",
    "exhaustive_rules",
    "find_s",
    "candidate_elimination",
    "halving",
    "k_cnf",
    "bayes_net_gradient",
    "k2_search",
    "ridge_and_bump",
    "optimal_brain_damage",
    "tiling",
    "kmeans",
    "active_learning",
    "uv_descent",
]


def both(X: Any, y: Any) -> list[engine.Dataset]:
    """The rows as numbers and, where they are 0, 1 and gaps, as truth values."""
    X, made = np.array(X, np.float64), [engine.Dataset.from_arrays(np.array(X, np.float64), y)]
    if np.isin(X[~np.isnan(X)], (0, 1)).all() and not isinstance(y[0], float):
        columns = {
            f"f{j + 1}": [None if v != v else bool(v) for v in X[:, j]] for j in range(X.shape[1])
        }
        made.append(engine.Dataset.from_columns({**columns, "y": list(y)}, "y"))
    return made


RNG = np.random.default_rng(0)
MANY = RNG.integers(0, 2, (60, 4))
THIRTY = [f"c{i % 30:02d}" for i in range(60)]
SQUARE = [[0, 0], [0, 1], [1, 0], [1, 1]]
TABLES = {
    "one row": both([[1, 0]], ["a"]) + both([[1, 2]], [1.5]),
    "equal rows": both([[1, 1]] * 6, list("ababab")) + both([[1, 1]] * 4, [1.5, 2.5, 3.5, 4.5]),
    "one class": both(SQUARE, list("aaaa")) + both(SQUARE, [2.5] * 4),
    "constant columns": (
        both([[1, 0]] * 4, list("aabb"))
        + both([[0, 5], [1, 5], [2, 5], [3, 5]], [1.5, 1.5, 3.0, 4.0])
    ),
    "contradictions": both([[0, 0], [0, 0], [1, 1], [1, 1]], list("abab")),
    "missing values": (
        both([[0, np.nan], [1, 0], [np.nan, 1], [1, 1], [0, 0]], list("ababa"))
        + both([[0, np.nan], [1, 0], [np.nan, 1], [1, 1], [2, 3]], [1.5, 2.5, 3.5, 4.5, 2.0])
    ),
    "30 classes": both(MANY, THIRTY),
}
ENDS = [
    "answer",
    "back",
    "best",
    "breaks",
    "done",
    "end",
    "found",
    "judge",
    "return",
    "sum",
    "tally",
    "and",
    "until",
    "vote",
]  # lines that may be the last


@pytest.mark.parametrize("key", KEYS)
def test_it_ends_in_words_or_is_refused_in_those_of_the_picker(key: str) -> None:
    algorithm = engine.algorithms()[key]
    for name, data in ((name, data) for name, tables in TABLES.items() for data in tables):
        problem = engine.prepare(read_for(data, algorithm.needs))
        reason = algorithm.needs.reason(problem)
        try:
            trace = engine.run(key, data, pace=Pace(Level.ROUND), max_steps=150, **fewer(algorithm))
        except engine.EngineError as sentence:
            assert str(sentence).endswith(".") and len(str(sentence)) > 30, name
            assert reason is None or str(sentence) == f"{algorithm.title} {reason}.", name
            continue
        assert reason is None, name
        said = trace[-1].note.lines()
        assert len(said[0]) > 20 and not re.search(r"\bnan\b|\{|\}", " ".join(said)), name
        assert trace[-1].line in ENDS or not trace.finished, (name, trace[-1].line)


LAST = {  # the sentences for the tables that have no good answer
    ("mapreduce_perceptron", "contradictions"): "w stays as it is for ever",
    ("kernel_perceptron", "contradictions"): "no such boundary separates the classes",
    ("rbf_network", "equal rows"): "h is the sum of 1 bump",
    ("lsh", "equal rows"): "6 of 6 examples were in one and measured",
    ("va_file", "equal rows"): "left out 0 of 6 examples",
    ("table_lookup", "contradictions"): "its repeats tie",
    ("regression_tree", "equal rows"): "The tree is one leaf.",
    ("bagging", "contradictions"): "gets 2 of 4 rows wrong",
    ("random_forest", "contradictions"): "gets 2 of 4 rows wrong",
    ("gradient_boosting", "one class"): "Nothing is left to learn",
    ("exhaustive_rules", "contradictions"): "2 examples wrong",
    ("find_s", "contradictions"): "no hypothesis of H fits all",
    ("candidate_elimination", "contradictions"): "The version space is empty",
    ("halving", "contradictions"): "V is empty, and there is no answer",
    ("k_cnf", "contradictions"): "no k-CNF with k = 2 fits all",
    ("k2_search", "equal rows"): "0 arcs between 3 variables",
    ("optimal_brain_damage", "equal rows"): "says the same to every example",
    ("tiling", "equal rows"): "equal rows have one answer",
    ("kmeans", "equal rows"): "2 centres of 3 own no example",
    ("active_learning", "contradictions"): "says neither class",
}


@pytest.mark.parametrize(("key", "name"), LAST)
def test_the_last_words_say_what_happened(key: str, name: str) -> None:
    algorithm = engine.algorithms()[key]
    for data in TABLES[name]:
        if algorithm.needs.reason(engine.prepare(read_for(data, algorithm.needs))) is None:
            last = engine.run(key, data, pace=Pace(Level.ROUND), max_steps=150)[-1]
            assert LAST[key, name] in last.note.text()
            return
    raise AssertionError("no such table is taken")


def test_more_neighbours_than_rows_are_all_rows() -> None:
    data = engine.Dataset.from_arrays(np.array([[0.0, 0], [1, 0], [5, 5]]), ["a", "b", "b"])
    assert engine.run("va_file", data, k=50, query=(0.0, 0.0))[-1].state.neighbours.tolist() == [
        0,
        1,
        2,
    ]
    last = engine.run("lsh", data, k=50, query=(0.0, 0.0))[-1]
    assert [*last.state.neighbours.tolist(), *last.state.missed.tolist()] == [0, 1, 2]
    with pytest.raises(
        engine.EngineError, match="For k = 5 there are only 3 examples to start from"
    ):
        engine.run("kmeans", data, k=5)


@pytest.mark.parametrize("key", ["regression_tree", "gradient_boosting"])
def test_a_gap_is_refused_alike_by_the_picker_and_the_run(key: str) -> None:
    """No card asks these two for rows with gaps: both say so, and where to fill them."""
    (data,) = TABLES["missing values"][2:]
    sentence = "needs every value, some are missing: fill or drop them in the data panel"
    assert engine.algorithms()[key].needs.reason(engine.prepare(data)) == sentence
    with pytest.raises(engine.EngineError, match=re.escape(sentence)):
        engine.run(key, data)
