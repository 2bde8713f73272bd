"""Finding algorithms: all of them, and one without the others."""

import subprocess
import sys
from pathlib import Path

import pytest

from engine.base.errors import EngineError
from engine.protocol.registry import algorithm, algorithms

ROOT = Path(__file__).parents[3]


def test_every_algorithm_is_found_by_its_key() -> None:
    assert all(algorithm(key) is chosen for key, chosen in algorithms().items())


def test_one_algorithm_does_not_import_the_others() -> None:
    program = (
        "import sys; from engine.protocol.registry import algorithm; algorithm('perceptron'); "
    )
    printing = (
        "print(*(m for m in sys.modules if m.startswith('engine.algorithms.') and m.count('.')"
        " == 3))"
    )
    out = subprocess.run(
        [sys.executable, "-c", program + printing],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert out.stdout.split() == [
        "engine.algorithms.linear.parts",
        "engine.algorithms.linear.perceptron",
    ]


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("percepton", "There is no algorithm “percepton”; did you mean “perceptron”?"),
        ("Decision-Tree", "There is no algorithm “Decision-Tree”; did you mean “decision_tree”?"),
        ("nonsense", "There is no algorithm “nonsense”; “main.py list” shows all there are."),
        ("z" * 400, f"There is no algorithm “{'z' * 59}…”; “main.py list” shows all there are."),
    ],
)
def test_an_unknown_key_is_answered_with_the_most_similar_one(key: str, answer: str) -> None:
    with pytest.raises(EngineError) as caught:
        algorithm(key)
    assert str(caught.value) == answer


@pytest.mark.parametrize(
    ("written", "first"),
    [
        ("tree", "decision_tree"),
        ("Decision Tree", "decision_tree"),
        ("trees", "decision_tree"),
        ("bayes", "bayes_net_em” or “bayes_net_gradient” or “naive_bayes"),
        ("perceptrn", "perceptron"),
        ("nearest neighbor", "nearest_neighbours"),
        ("k-d tree", "kd_tree"),
        ("svn", "svm"),
    ],
)
def test_an_unknown_key_names_what_may_be_meant(written: str, first: str) -> None:
    with pytest.raises(EngineError, match=f"did you mean “{first}”"):
        algorithm(written)


def test_an_unknown_key_far_from_all_names_none() -> None:
    with pytest.raises(EngineError, match="shows all there are"):
        algorithm("qqqq")
