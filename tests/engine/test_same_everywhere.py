"""A run has the same steps, to the last bit, on every Python and with every seed of its hashes: a
lesson opens where it was.
"""

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from digests import collect, compensated
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.base.sums import add_up

pytestmark = [pytest.mark.slow, pytest.mark.sweep]

numbers = st.lists(st.floats(-1e9, 1e9) | st.integers(-9, 9), max_size=30)


def test_runs_are_the_same_where_the_built_in_sum_carries_its_rounding_along() -> None:
    """As it does from Python 3.12 on; here in a Python whose `sum` is replaced.

    Every algorithm, table and choice.
    """
    place = Path(__file__).with_name("digests.py")
    surroundings = os.environ | {"PYTHONHASHSEED": "7", "PYTHONPATH": str(place.parents[2])}
    other = subprocess.Popen(
        [sys.executable, str(place), "--compensated"],
        stdout=subprocess.PIPE,
        text=True,
        env=surroundings,
    )
    here = collect()
    said, _ = other.communicate(timeout=600)
    assert other.returncode == 0
    there = json.loads(said)
    assert {name.split()[0] for name in here} == set(engine.algorithms())
    assert [name for name in here if here[name] != there.get(name)] == []


@pytest.mark.parametrize(
    "values", [[0.1] * 10, [1e16, 1.0, -1e16], [1, *[0.1] * 10], [Fraction(1, 3), 2, 0.25]]
)
def test_the_replaced_sum_loses_nothing(values: list[Any]) -> None:
    """In these one float can carry what another has lost."""
    assert compensated(values) == float(sum(map(Fraction, values)))


@given(numbers)
def test_add_up_goes_from_left_to_right(values: list[float]) -> None:
    total = 0.0
    for value in values:
        total += value
    assert add_up(values) == total
