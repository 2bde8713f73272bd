"""Replays a run, from a checkpoint or its beginning, for steps that the recording forgot."""

from collections.abc import Callable
from threading import RLock
from typing import Any

from engine.base.errors import EngineError
from engine.protocol.moment import Checkpoint, Steps
from engine.protocol.step import Step
from engine.runs.checkpoints import Checkpoints

BLOCK = 100  # steps that are kept together: the neighbours of a step are often shown next


class Replay:
    """A run that is made again, step by step, and keeps one block of steps.

    It stays where it is between two calls and goes on from there. It begins again only for a step
    behind it, or where a checkpoint before the block is a shorter way.

    recipe: (checkpoint) -> the steps and pulses from there on; None: from the first step
    block: the kept steps by number, around the step that was last read
    """

    def __init__(
        self, recipe: Callable[[Checkpoint | None], Steps[Any]], checkpoints: Checkpoints
    ) -> None:
        self.recipe, self._checkpoints = recipe, checkpoints
        self._steps: Steps[Any] | None = None
        self._next = 0  # the number of the next step
        self._first = -1  # of the block
        self.block: dict[int, Step[Any]] = {}
        self._lock = RLock()

    def step(self, index: int) -> Step[Any]:
        """Step `index`; blocks until it is replayed."""
        with self._lock:
            self.go_to(index)
            return self.block[index]

    def go_to(self, index: int, stop: Callable[[], bool] = lambda: False) -> bool:
        """Replay until step `index` is in the block; False when `stop()` was true before.

        `stop` is called after each step and pulse. Raises EngineError where the run ends earlier.
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
    """The recipe of a recording whose run cannot be made again: no steps."""
    return iter(())
