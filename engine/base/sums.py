"""One sum for every Python: from 3.12 on the built-in one carries along what floats lose, so its
last digits differ.
"""

from collections.abc import Iterable
from functools import reduce
from operator import add
from typing import Any, TypeVar

T = TypeVar("T")


def add_up(values: Iterable[T], start: Any = 0) -> T:
    """start + Σ values, from left to right: numbers, fractions, arrays; 0 of nothing."""
    result: T = reduce(add, values, start)
    return result
