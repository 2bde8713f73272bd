"""Finding algorithms: all of them, and one without the others."""

import subprocess
import sys
from pathlib import Path

import pytest

from engine.core.errors import EngineError
from engine.core.registry import algorithm, algorithms

ROOT = Path(__file__).parents[3]


def test_every_algorithm_is_found_by_its_key() -> None:
    assert all(algorithm(key) is chosen for key, chosen in algorithms().items())


def test_one_algorithm_does_not_import_the_others() -> None:
    asked = "import sys; from engine.core.registry import algorithm; algorithm('perceptron'); "
    told = "print(*(m for m in sys.modules if m.startswith('engine.algorithms.') and m.count('.') == 3))"
    out = subprocess.run([sys.executable, "-c", asked + told], cwd=ROOT, capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["engine.algorithms.linear.perceptron"]


def test_unknown_keys_are_answered_with_the_known_ones() -> None:
    with pytest.raises(EngineError, match="perceptron"):
        algorithm("nonsense")
