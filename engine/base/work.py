"""Long work in parts, so that whoever waits for it can stop it.

No run is silent for more than 50 ms: between two `next` of `Algorithm.steps` a worker cannot look
at its "stop". What takes longer is a `Work`, a generator that yields None, a pulse, between its
parts and returns what it found. A page passes the pulses on, at every pace alike: `picks = yield
from choose(…)`. The run drops them: they are no steps, no part of the trace, and change no state.
"""

from collections.abc import Callable, Generator
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
Work = Generator[None, None, T]


def finished(work: Work[T]) -> T:
    """What `work` finds, for callers that need not stop it."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            found: T = end.value
            return found


def in_parts(
    tell: Callable[[Any], NDArray[Any]], rows: NDArray[Any], size: int
) -> Work[NDArray[Any]]:
    """`tell(rows)`, which says something of each row by itself, of so many of them at a time."""
    told = []
    for at in range(0, max(1, len(rows)), size):
        told.append(tell(rows[at : at + size]))
        yield
    return np.concatenate(told)


def settle(owner: object, name: str, work: Callable[[], Work[Any]]) -> Work[None]:
    """Fill the cached property `name` of `owner` by its work, so that nobody has to wait for it at
    one go.
    """
    if name not in vars(owner):
        vars(owner)[name] = yield from work()
