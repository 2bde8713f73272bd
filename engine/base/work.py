"""Long computations in parts, so that the caller can stop them between two parts.

No run is silent for more than 50 ms, because a worker can only stop between two `next` of
`Algorithm.steps`. What takes longer is a `Work`: a generator that yields None, a pulse, between its
parts and returns its result. A page passes the pulses on, at every pace alike: `picks = yield from
choose(…)`. The run drops them: they are no steps, no part of the trace, and change no state.
"""

from collections.abc import Callable, Generator
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
Work = Generator[None, None, T]


def finished(work: Work[T]) -> T:
    """The result of `work`, run to its end, for callers that need not stop it."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            found: T = end.value
            return found


def in_parts(
    answer: Callable[[Any], NDArray[Any]], rows: NDArray[Any], size: int
) -> Work[NDArray[Any]]:
    """`answer(rows)`, computed for `size` rows at a time; it must treat each row by itself."""
    found = []
    for at in range(0, max(1, len(rows)), size):
        found.append(answer(rows[at : at + size]))
        yield
    return np.concatenate(found)


def settle(owner: object, name: str, work: Callable[[], Work[Any]]) -> Work[None]:
    """Compute the cached property `name` of `owner` in parts, so that its first use does
    not block.
    """
    if name not in vars(owner):
        vars(owner)[name] = yield from work()
