"""`import learnscope` in a checkout is release/learnscope, in a fresh environment the wheel: the
tests here run in both.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

if find_spec("learnscope") is None:
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "release"))


def pytest_configure(config: pytest.Config) -> None:
    """Beside the wheel alone there is no pyproject.toml that declares the mark."""
    config.addinivalue_line("markers", "slow: takes long")
