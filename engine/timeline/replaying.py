"""A run made again from its beginning, for the steps that its recording had to forget."""

from collections.abc import Callable, Iterator
from threading import RLock
from typing import Any

from engine.core.errors import EngineError
from engine.core.step import Step

BLOCK = 100  # steps that are kept together: who looks at one looks at its neighbours next


class Replay:
    """It stays where it is between two calls and goes on from there: only who goes back begins anew.

    block: the steps by number that are kept, those around the place that was last asked for
    """

    def __init__(self, recipe: Callable[[], Iterator[Step[Any] | None]]) -> None:
        """recipe: gives the steps from the first on, and pulses."""
        self._recipe = recipe
        self._steps: Iterator[Step[Any] | None] | None = None
        self._next = 0  # the number of the step that comes
        self._first = -1  # of the block
        self.block: dict[int, Step[Any]] = {}
        self._lock = RLock()

    def step(self, index: int) -> Step[Any]:
        """Step `index`, however long it takes."""
        with self._lock:
            self.go_to(index)
            return self.block[index]

    def go_to(self, index: int, stop: Callable[[], bool] = lambda: False) -> bool:
        """Whether step `index` is in the block now, and those before it; False when `stop()` held before, asked after each
        step and pulse."""
        with self._lock:
            first = index - index % BLOCK
            if first != self._first:
                if self._steps is None or self._next > first:
                    self._steps, self._next = self._recipe(), 0
                self._first, self.block = first, {}
            assert self._steps is not None
            while index not in self.block:
                try:
                    step = next(self._steps)
                except StopIteration:
                    raise EngineError("This step is no longer in memory.") from None
                if step is not None:
                    if self._next >= first:
                        self.block[self._next] = step
                    self._next += 1
                if stop():
                    break
            return index in self.block


def nothing() -> Iterator[Step[Any] | None]:
    """The recipe of a recording whose run nobody can make again."""
    return iter(())
