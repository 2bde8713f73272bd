"""A run made again from its beginning, or its last checkpoint, for the steps that its recording had
to forget.
"""

from collections.abc import Callable
from threading import RLock
from typing import Any

from engine.base.errors import EngineError
from engine.protocol.moment import Checkpoint, Steps
from engine.protocol.step import Step
from engine.runs.checkpoints import Checkpoints

BLOCK = 100  # steps that are kept together: who looks at one looks at its neighbours next


class Replay:
    """It stays where it is between two calls and goes on from there: only who goes back, or beyond
    a checkpoint and the block, begins anew.

    recipe: gives the steps from a checkpoint on, None: from the first on, and pulses; block: the
    steps by number that are kept, those around the place that was last asked for
    """

    def __init__(
        self, recipe: Callable[[Checkpoint | None], Steps[Any]], checkpoints: Checkpoints
    ) -> None:
        self.recipe, self._checkpoints = recipe, checkpoints
        self._steps: Steps[Any] | None = None
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
        """Whether step `index` is in the block now, and those before it; False when `stop()` held
        before, asked after each step and pulse.
        """
        with self._lock:
            first = index - index % BLOCK
            if first != self._first:
                self._first = first
                self.block = {}
            if index not in self.block:
                placed = self._checkpoints.before(index)
                begin = placed.number if placed else 0
                # a checkpoint within the block is no short cut: its steps are wanted next
                if self._steps is None or not min(begin, first) <= self._next <= index:
                    self._steps = self.recipe(placed.whole() if placed else None)
                    self._next = begin
            assert self._steps is not None
            while index not in self.block:
                try:
                    step = next(self._steps)
                except StopIteration:
                    raise EngineError("This step is no longer in memory.") from None
                if isinstance(step, Step):
                    if self._next >= first:
                        self.block[self._next] = step
                    self._next += 1
                if stop():
                    break
            return index in self.block


def nothing(_: Checkpoint | None) -> Steps[Any]:
    """The recipe of a recording whose run nobody can make again."""
    return iter(())
