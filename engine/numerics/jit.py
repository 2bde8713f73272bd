"""Loops over single numbers: plain Python, or compiled by numba (the extra `fast`) in a process
that allows it. The numbers are the same to the last bit either way.

Commands and processes that fit for an experiment allow it. A window does not: to import numba and
load a first loop takes over a second, and holds up the other threads meanwhile.
"""

import time
from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from typing import Any

import numpy as np

WORTH = 1.0  # seconds in plain loops after which it pays to load the compiler

_allowed = False
_spent = 0.0  # seconds in plain loops so far


def allow_compiling() -> None:
    """This process compiles its loops once it has spent a second in them."""
    global _allowed
    _allowed = True


def jit(loop: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which takes arrays and numbers and changes none of the arrays.

    What it calls and takes from other modules must be known to numba and never change: numba looks
    for changes in the function's own file alone. Plain Python gets its arrays as lists, which it
    reads many times as fast, and may return one.
    """

    @wraps(loop)
    def run(*arguments: Any) -> Any:
        global _spent
        quick = compiled(loop) if _allowed and _spent >= WORTH else None
        if quick is not None:
            return quick(*(_as_numba_wants(value) for value in arguments))
        begin = time.perf_counter()
        found = loop(*(_listed(value) for value in arguments))
        _spent += time.perf_counter() - begin
        return found

    return run


@cache
def compiled(loop: Callable[..., Any]) -> Callable[..., Any] | None:
    """numba's form of a plain loop; None where there is no numba that works with this numpy."""
    try:
        numba: Any = import_module("numba")
    except ImportError:
        return None
    try:
        return numba.njit(loop, cache=True)  # type: ignore[no-any-return]
    except RuntimeError:  # there is no folder where machine code can be kept
        return numba.njit(loop)  # type: ignore[no-any-return]


def _listed(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _as_numba_wants(value: Any) -> Any:
    """Arrays of one kind, for each of which numba would compile the loop anew."""
    return np.require(value, requirements=["C", "W"]) if isinstance(value, np.ndarray) else value
