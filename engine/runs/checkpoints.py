"""Checkpoints, from which a run goes on as it did: spread evenly by the time that the run takes,
with a budget of their own.
"""

from bisect import bisect_right
from typing import NamedTuple

from engine.base.records import cached_property, replace
from engine.protocol.moment import Checkpoint
from engine.runs.packing import Changes, Signs, alone, packed, unpacked
from engine.runs.weighing import Scales

SOON = 0.1  # seconds of a run that nobody minds to wait for once more


class Placed(NamedTuple):
    """A checkpoint before step `number`, and its bytes; changes: how its state tells some of its
    arrays.
    """

    number: int
    size: int
    checkpoint: Checkpoint
    changes: dict[str, Changes | Signs]

    def whole(self) -> Checkpoint:
        checkpoint, changes = self.checkpoint, self.changes
        return (
            replace(checkpoint, state=unpacked(checkpoint.state, changes))
            if changes
            else checkpoint
        )


class Checkpoints:
    """Those of one run, in their order. bytes: what they hold, be it that steps hold it too."""

    _scales = cached_property(lambda _: Scales())  # short runs have none

    def __init__(self) -> None:
        self.bytes = 0
        # never changed but replaced: a replay reads it while the run goes on
        self._placed: list[Placed] = []

    def add(self, number: int, checkpoint: Checkpoint, room: int, each: float) -> None:
        """One more, before step `number`, unless it takes more than `each` bytes for every step
        since the one before, from where the run comes to it soon; where all of them would take more
        than `room` bytes, those go without which the run still is taken up soonest.
        """
        if changes := packed(checkpoint.state, lambda _, array: alone(array)):
            checkpoint = replace(checkpoint, state=replace(checkpoint.state, **changes))
        size = self._scales.weigh((checkpoint.state, checkpoint.known))
        self._scales.let_go_of_all()
        last = self._placed[-1] if self._placed else None
        soon = last is None or checkpoint.seconds - last.checkpoint.seconds < SOON
        if soon and size > each * (number - (last.number if last else 0)):
            return
        self._placed = [*self._placed, Placed(number, size, checkpoint, changes)]
        self.bytes += size
        while self.bytes > room and len(self._placed) > 1:
            times = [0.0, *(placed.checkpoint.seconds for placed in self._placed)]
            least = min(range(len(times) - 2), key=lambda k: times[k + 2] - times[k])
            self.bytes -= self._placed[least].size
            self._placed = self._placed[:least] + self._placed[least + 1 :]

    def before(self, number: int) -> Placed | None:
        """The last one from which the run comes to step `number`; None: only from its beginning."""
        placed = self._placed
        at = bisect_right(placed, number, key=lambda one: one.number)
        return placed[at - 1] if at else None
