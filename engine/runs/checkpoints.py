"""Checkpoints of a run, spread evenly over its running time, with a budget of their own."""

from bisect import bisect_right
from typing import NamedTuple

from engine.base.records import cached_property, replace
from engine.protocol.moment import Checkpoint
from engine.runs.packing import Changes, Signs, alone, packed, unpacked
from engine.runs.weighing import Scales

SOON = 0.1  # seconds of a run that may be replayed in full


class Placed(NamedTuple):
    """A checkpoint before step `number`, and its size in bytes.

    changes: the packed arrays of its state, by field
    """

    number: int
    size: int
    checkpoint: Checkpoint
    changes: dict[str, Changes | Signs]

    def whole(self) -> Checkpoint:
        """The checkpoint with its arrays unpacked."""
        checkpoint, changes = self.checkpoint, self.changes
        return (
            replace(checkpoint, state=unpacked(checkpoint.state, changes))
            if changes
            else checkpoint
        )


class Checkpoints:
    """The checkpoints of one run, in order.

    bytes: what they hold, also where steps hold the same objects
    placed: the checkpoints with their places, ascending
    """

    _scales = cached_property(lambda _: Scales())  # short runs have none

    def __init__(self) -> None:
        self.bytes = 0
        # never changed but replaced: a replay reads it while the run goes on
        self.placed: list[Placed] = []

    def add(self, number: int, checkpoint: Checkpoint, room: int, each: float) -> None:
        """Add a checkpoint before step `number`.

        each: bytes for every step since the checkpoint before; a larger one is dropped where the
            run comes to it within `SOON` seconds
        room: bytes of all checkpoints; beyond it those go that leave the shortest gap in time
        """
        if changes := packed(checkpoint.state, lambda _, array: alone(array)):
            checkpoint = replace(checkpoint, state=replace(checkpoint.state, **changes))
        size = self._scales.weigh((checkpoint.state, checkpoint.known))
        self._scales.let_go_of_all()
        last = self.placed[-1] if self.placed else None
        soon = last is None or checkpoint.seconds - last.checkpoint.seconds < SOON
        if soon and size > each * (number - (last.number if last else 0)):
            return
        self.placed = [*self.placed, Placed(number, size, checkpoint, changes)]
        self.bytes += size
        while self.bytes > room and len(self.placed) > 1:
            times = [0.0, *(placed.checkpoint.seconds for placed in self.placed)]
            least = min(range(len(times) - 2), key=lambda k: times[k + 2] - times[k])
            self.bytes -= self.placed[least].size
            self.placed = self.placed[:least] + self.placed[least + 1 :]

    def before(self, number: int) -> Placed | None:
        """The last checkpoint from which the run reaches step `number`; None: only its
        first step.
        """
        placed = self.placed
        at = bisect_right(placed, number, key=lambda one: one.number)
        return placed[at - 1] if at else None
