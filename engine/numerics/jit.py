"""Loops over single numbers, in plain Python or compiled by numba (the extra `fast`).

Both give bit-identical results. A process has to allow compiling: commands and worker processes do.
A window does not, because importing numba and loading a first loop blocks its threads.
"""

import time
from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from typing import Any

import numpy as np

WORTH = 1.0  # seconds in plain loops after which loading the compiler pays

allowed = False  # whether this process may compile, see allow_compiling
spent = 0.0  # seconds in plain loops so far


def allow_compiling() -> None:
    """Let this process compile its loops once they have taken WORTH seconds."""
    global allowed
    allowed = True


def jit(loop: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a loop that takes arrays and numbers and changes none of the arrays.

    What it calls and takes from other modules must be known to numba and never change: numba's
    cache watches the function's own file only. In plain Python it gets lists instead of arrays, and
    may return a list.
    """

    @wraps(loop)
    def run(*arguments: Any) -> Any:
        global spent
        quick = compiled(loop) if allowed and spent >= WORTH else None
        if quick is not None:
            return quick(*(_as_numba_wants(value) for value in arguments))
        begin = time.perf_counter()
        found = loop(*(_listed(value) for value in arguments))
        spent += time.perf_counter() - begin
        return found

    return run


@cache
def compiled(loop: Callable[..., Any]) -> Callable[..., Any] | None:
    """The loop compiled by numba; None without a numba that works with this numpy."""
    try:
        numba: Any = import_module("numba")
    except ImportError:
        return None
    try:
        return numba.njit(loop, cache=True)  # type: ignore[no-any-return]
    except RuntimeError:  # no folder for the cache of machine code
        return numba.njit(loop)  # type: ignore[no-any-return]


def _listed(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _as_numba_wants(value: Any) -> Any:
    """Contiguous, writable arrays, so that numba compiles the loop for one kind only."""
    return np.require(value, requirements=["C", "W"]) if isinstance(value, np.ndarray) else value
