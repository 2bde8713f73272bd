"""Long work in parts, so that whoever waits for it can stop it.

No run is silent for more than 50 ms: between two `next` of `Algorithm.steps` a worker cannot look at its "stop". What takes
longer is a `Work`, a generator that yields None, a pulse, between its parts and returns what it found. A page passes the
pulses on, at every pace alike: `picks = yield from choose(…)`. The run drops them: they are no steps, no part of the trace,
and change no state.
"""

from collections.abc import Generator
from typing import TypeVar

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
