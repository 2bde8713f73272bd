"""A sum that is the same in every Python.

From 3.12 on the built-in `sum` compensates rounding errors of floats, so that its last digits
differ.
"""

from collections.abc import Iterable
from functools import reduce
from operator import add
from typing import Any, TypeVar

T = TypeVar("T")


def add_up(values: Iterable[T], start: Any = 0) -> T:
    """start + Σ values, from left to right, of numbers, fractions or arrays."""
    result: T = reduce(add, values, start)
    return result
