"""The recorded run: a sequence of steps within a memory budget.

Going back is an index. When steps fill a quarter of the budget, they are packed; where that is not
enough, they are thinned. A thinned step is replayed from the last checkpoint of the run, or from
the seed.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import islice
from numbers import Integral
from typing import Any

import numpy as np

from engine.base.arrays import Bool, Float, Int
from engine.base.errors import EngineError
from engine.base.notation import counted
from engine.base.records import cached_property
from engine.base.sums import add_up
from engine.base.tags import names_in, steps_of
from engine.protocol.algorithm import Algorithm
from engine.protocol.moment import Branches, Checkpoint
from engine.protocol.step import Level, Pace, Step
from engine.runs.checkpoints import Checkpoints
from engine.runs.last_words import closing
from engine.runs.packing import Packed, Packer
from engine.runs.replaying import BLOCK, Replay, nothing
from engine.runs.showing import Showing
from engine.runs.start import Change, Start
from engine.runs.weighing import OVERHEAD, Scales
from engine.table.given import check_type, seen
from engine.table.problem import Problem

BUDGET = 256 * 2**20
_AT_HAND = 8  # so many of the last unpacked steps are kept
AT_ONCE = 4_000  # at most so many steps or weighed objects are freed in one go
# at most so many steps wait to be weighed together
_WAITING = 1_024


class Trace(Showing, Sequence[Step[Any]]):
    """Steps 0 … n−1 of one run, with metric columns that stay complete where steps are thinned."""

    _scales, _scales_of_packed = (
        cached_property(lambda _: Scales()),
        cached_property(lambda _: Scales()),
    )
    _packer = cached_property(lambda _: Packer())  # lazy: short runs are neither weighed nor packed

    def __init__(
        self,
        algorithm: Algorithm[Any, Any],
        problem: Problem,
        params: Any,
        seed: int,
        start: Any = None,
        branches: Branches = (),
        pace: Pace = Pace(),
        shared: Problem | None = None,
    ) -> None:
        """start: what the run goes on from, a `Start` or a state; None: it begins with its first
        step

        branches, pace, shared: see `Run`
        """
        self.algorithm, self.problem, self.params, self.seed, self.start = (
            algorithm,
            problem,
            params,
            seed,
            start,
        )
        self.branches, self.pace, self.shared = branches, pace, shared
        self.given = algorithm.given(problem, params)
        self.finished = False
        self.checkpoints = Checkpoints()
        self.replay = Replay(nothing, self.checkpoints)
        self.budget = BUDGET
        self._bytes = 0
        self._kept = 0  # number of weighed steps that are held
        # how many steps may wait to be weighed; this many until the weight of one is known
        self._patience = 8
        self._heaviest = 0  # bytes of the heaviest of the recent steps
        self._steps: list[Step[Any] | Packed | None] = []
        self._sizes: list[int] = []
        self._levels: list[Level] = []
        self._events: list[tuple[str, ...]] = []
        self._metrics: dict[str, array[float]] = {}
        self._by_level: tuple[list[int], ...] = ([], [], [])
        self._by_event: dict[str, list[int]] = {}
        self._by_line: dict[str, list[int]] = {}
        self._packed = 0  # the steps before this one were packed, or tried
        self._thinning: Iterator[int] | None = None  # numbers of the steps to forget next
        self._again: Iterator[int] = iter(())  # numbers of the steps to weigh again next
        self._pinned: dict[int, Step[Any]] = {}
        self._unpacked: dict[int, Step[Any]] = {}  # the last few that were unpacked

    # -- recording ---------------------------------------------------------------------------------

    def append(self, step: Step[Any]) -> None:
        """Record `step`; older steps are packed or thinned when they fill the budget."""
        index = len(self._steps)
        metrics = step.metrics
        columns = self._metrics
        if metrics.keys() != columns.keys():
            for name in metrics.keys() - columns.keys():
                columns[name] = array("d", [np.nan]) * index
            metrics = {name: metrics.get(name, np.nan) for name in columns}
        for name, value in metrics.items():
            columns[name].append(value)
        self._levels.append(step.level)
        self._events.append(step.events)
        for event in step.events:
            self._by_event.setdefault(event, []).append(index)
        self._by_line.setdefault(step.line, []).append(index)
        for places in self._by_level[: step.level + 1]:
            places.append(index)
        self._steps.append(step)
        if index - len(self._sizes) >= self._patience:
            self._weigh()

    def finish(self) -> None:
        """Mark the run as ended: its last step gets the closing words, see `last_words`."""
        last = self._steps[-1] if self._steps else None
        if isinstance(last, Step):
            self._steps[-1] = closing(last, self.algorithm, self.given)
        self.finished = True

    def add_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Keep a checkpoint before the next step, from which the run can be taken up again.

        Checkpoints get half of the budget, because the earliest steps are the first to be
        forgotten. Each may take a third of the bytes of the steps since the one before, see
        `Checkpoints.add`.
        """
        each = self._bytes / max(1, self._kept)
        self.checkpoints.add(len(self._steps), checkpoint, self.budget // 2, each / 3)

    def _weigh(self) -> None:
        """Weigh the steps that wait; then pack, weigh again and thin.

        Few steps may wait at first, and later the fewer, the heavier the recent ones are: as many
        as would fill a 256th of the budget. This bounds the pause, since four times as many are
        packed in one call.
        """
        new = self._steps[len(self._sizes) :]
        sizes = [self._scales.weigh_step(step) if step is not None else 0 for step in new]
        self._sizes += sizes
        self._bytes += add_up(sizes)
        self._kept += len(new)
        # the second heaviest: one step alone carries the weight of what all of them share
        self._heaviest = max(OVERHEAD, self._heaviest // 2, sorted(sizes)[-2:][0])
        self._patience = min(
            _WAITING, 8 * len(self._sizes) ** 2, self.budget // (256 * self._heaviest)
        )
        if self._bytes > self.budget // 4:
            self._pack(4 * len(new))
        self._weigh_again(8 * len(new))
        self._thin()
        for scales in (self._scales, self._scales_of_packed):
            scales.let_go_of_some(AT_ONCE)

    def _pack(self, most: int) -> None:
        """Pack the next `most` steps, but never the last one, which may be on show."""
        for index in range(self._packed, min(self._packed + most, len(self._sizes) - 1)):
            step = self._steps[index]
            if isinstance(step, Step) and (packed := self._packer.pack(step)) is not None:
                size = self._scales_of_packed.weigh_step(packed)
                self._bytes += size - self._sizes[index]
                self._steps[index], self._sizes[index] = packed, size
                for part in (step.state, *(getattr(step.state, name) for name in packed.changes)):
                    self._scales.let_go(part)  # the record too: it holds the arrays
            self._packed = index + 1

    @property
    def bytes(self) -> int:
        """Bytes that the recorded steps and the checkpoints hold."""
        if len(self._sizes) < len(self._steps):
            self._weigh()
        return self._bytes + self.checkpoints.bytes

    def _thin(self) -> None:
        """Forget steps when the budget is exceeded, over several calls, until a fifth of it is
        free.

        The older half goes first, details before steps before rounds, every second one before the
        others. The first and the last step stay.
        """
        if self._bytes + self.checkpoints.bytes > self.budget:
            self._thinning = self._least_missed()
        if self._thinning is None:
            return
        for count, index in enumerate(self._thinning, 1):
            self._steps[index] = None
            self._bytes -= self._sizes[index]
            self._kept -= 1
            used = self._bytes + self.checkpoints.bytes
            if used <= 0.8 * self.budget:
                break
            if count >= AT_ONCE and used <= self.budget:
                return
        self._thinning, self._again = (
            None,
            iter([i for i, step in enumerate(self._steps) if step is not None]),
        )
        self._scales.forget()
        self._scales_of_packed.forget()

    def _weigh_again(self, most: int) -> None:
        """Weigh the next `most` kept steps again: what they share with forgotten steps was counted
        for those.
        """
        for index in islice(self._again, most):
            step = self._steps[index]
            if step is not None:
                scales = self._scales if isinstance(step, Step) else self._scales_of_packed
                size = scales.weigh_step(step)
                self._bytes += size - self._sizes[index]
                self._sizes[index] = size

    def _least_missed(self) -> Iterator[int]:
        steps, levels = self._steps, self._levels
        middle = len(steps) // 2
        last = len(steps) - 1
        for half in (range(1, middle), range(middle, last)):
            for level in Level:
                kept = [i for i in half if steps[i] is not None and levels[i] is level]
                yield from kept[::2]
                yield from kept[1::2]

    # -- reading -----------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._steps)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        index = range(len(self))[index]
        step = self._steps[index]
        if isinstance(step, Step):
            return step
        kept = self._in_memory(index)
        return kept if kept is not None else self.replay.step(index)

    def __iter__(self) -> Iterator[Step[Any]]:
        return (self[i] for i in range(len(self)))

    def __contains__(self, step: object) -> bool:
        return self.count(step) > 0

    def index(self, step: Any, start: int = 0, stop: int | None = None) -> int:
        """The number of this very step; raises EngineError when the recording does not hold it."""
        places = range(len(self))[slice(start, stop)]
        found = (
            next((i for i in places if self._at_hand(i) is step), None)
            if step is not None
            else None
        )
        if found is None:
            raise EngineError("The recording does not hold this step.")
        return found

    def count(self, step: Any) -> int:
        """1 for a step of the recording, else 0."""
        return int(step is not None and any(self._at_hand(i) is step for i in range(len(self))))

    def _at_hand(self, index: int) -> Step[Any] | None:
        """The step object that was last handed out, if it is still held; else None.

        Steps are compared by identity: comparing their arrays gives no single truth value.
        """
        step = self._steps[index]
        if isinstance(step, Step):
            return step
        return self._pinned.get(index) or self.replay.block.get(index) or self._unpacked.get(index)

    def _in_memory(self, index: int) -> Step[Any] | None:
        """The step, from memory or unpacked; None where it has to be replayed."""
        packed = self._steps[index]
        known = self._at_hand(index)
        if known is None and isinstance(packed, Packed):
            known = packed.step()
            self._unpacked = dict([*list(self._unpacked.items())[1 - _AT_HAND :], (index, known)])
        return known

    def holds(self, index: int) -> bool:
        """Whether step `index`, from 0, is in memory; else it has to be replayed, see `recall`."""
        return self._steps[index] is not None or index in self._pinned or index in self.replay.block

    def pin(self, index: int) -> bool:
        """Keep step `index`, the one on show, in memory until another one is pinned.

        Returns False, and changes nothing, where it has to be recalled first.
        """
        step = self._in_memory(index)
        if step is not None:
            self._pinned = {index: step}
        return step is not None

    def recall(self, index: int, stop: Callable[[], bool] = lambda: False) -> bool:
        """Replay the run until step `index` is held; False when `stop()` was true before.

        The next call goes on from there.
        """
        return self.holds(index) or self.replay.go_to(index, stop)

    def block_end(self, index: int) -> int | None:
        """The last step after `index` in its replay block that is not held; None where all are."""
        end = min(index - index % BLOCK + BLOCK, len(self))
        return next((i for i in range(end - 1, index, -1) if not self.holds(i)), None)

    @property
    def thinned(self) -> int:
        """How many steps are not held in memory."""
        return sum(step is None for step in self._steps)

    @property
    def metrics(self) -> Mapping[str, Float]:
        """Every metric as a column (n,) over the steps; NaN where a step does not have it."""
        return {
            name: np.array(column[: len(self)], np.float64)
            for name, column in self._metrics.items()
        }

    @property
    def events(self) -> Sequence[tuple[str, ...]]:
        return self._events

    def when(self, event: str) -> Sequence[int]:
        """Step numbers of this event, ascending."""
        return self._by_event.get(event, ())

    def named(self, tag: str) -> int | None:
        """The number of the step that a tag names, see `step_tag`.

        None where the tag names no step, or one that is not recorded.
        """
        for line, nth in steps_of(names_in(tag)):
            places = self._by_line.get(line, ())
            if nth < len(places):
                return places[nth]
        return None

    def lines(self, last: int) -> list[str]:
        """The labels of the lines of the steps 0 … `last`, thinned or not."""
        labels = [""] * (last + 1)
        for line, places in self._by_line.items():
            for place in places[: bisect_right(places, last)]:
                labels[place] = line
        return labels

    @property
    def levels(self) -> Sequence[Level]:
        return self._levels

    def indices(self, level: Level) -> Sequence[int]:
        """Step numbers of `level` or coarser, ascending."""
        return self._by_level[level]

    def at(self, level: Level, n: int) -> Step[Any]:
        """The n-th step of `level` or coarser: at(Level.ROUND, −1) is the last round.

        Raises EngineError where there is no such step.
        """
        check_type("The level of a step", level, Level, "Level.ROUND")
        places = self._by_level[level]
        if not (isinstance(n, Integral) and -len(places) <= int(n) < len(places)):
            raise EngineError(
                f"The run has {counted(len(places), 'step')} of the level {level.name} or coarser,"
                f" numbered from 0, −1 is the last one; it has no step {seen(n)} of them."
            )
        return self[places[int(n)]]

    def codes(self, X: Float, at: int = -1) -> Int:
        """(m,) the predictions of the model at step `at` for prepared rows X (m, d).

        (m,) class indices (−1 = no class) or values; of a mixture the number of the component that
        owns each row. Raises EngineError where the algorithm does not predict.
        """
        answer = self.algorithm.component or self.algorithm.predict
        if answer is None:
            raise EngineError(f"{self.algorithm.title} does not predict.")
        return np.asarray(self._answered(answer, X, at))

    def _answered(self, answer: Callable[..., Any], X: Float, at: int) -> Any:
        return answer(self.given, self[self._place(at)].state, X)

    def _place(self, at: int) -> int:
        """Step number `at` counted from 0."""
        if not (isinstance(at, Integral) and -len(self) <= int(at) < len(self)):
            raise EngineError(
                f"The run has the steps 0 to {len(self) - 1}, −1 is the last one; it has no step"
                f" {at!s:.40}."
            )
        return range(len(self))[int(at)]

    def start_at(self, at: int = -1, change: Change | None = None) -> Start:
        """The start of a run that goes on from step `at` of this one: `engine.run(…,
        go_on_from=trace.start_at(40), rate=0.1)`.

        change: (place, value), a number of the state set by hand
        Raises EngineError where the algorithm cannot go on, or this run began with a bare state.
        """
        if self.start is not None and not isinstance(self.start, Start):
            raise EngineError(
                "This run began with a state of its own, which cannot be found again to go on from."
            )
        index = self._place(at)
        # counted at the coarsest level that holds the step: a replay has to make fewer steps
        level = self._levels[index]
        number = bisect_left(self._by_level[level], index)
        start = Start(
            self.algorithm.key,
            self.params,
            number,
            self.seed,
            level,
            self.start,
            change,
            branches=self.branches,
        )
        start.check(self.algorithm)
        return start

    def predict(self, X: Any, at: int = -1) -> Any:
        """Predictions of the model at step `at` for rows X: (m,) labels as in the table, or values.

        Of a mixture the number of the component that owns each row, from 0, −1 where none is ahead.
        """
        found = self.codes(self.problem.encode(X), at)
        return (
            self.problem.labels(found)
            if self.problem.classes and self.algorithm.component is None
            else found
        )

    def scores(self, X: Any, at: int = -1) -> Float:
        """The scores by which the model at step `at` decides, for rows X.

        (m,) for two classes, positive means the first; or (m, k), one for each class, of which the
        largest wins. NaN where nothing can be said. Raises EngineError for an algorithm without
        scores.
        """
        if self.algorithm.scores is None or self.problem.regress:
            raise EngineError(
                f"{self.algorithm.title} has no"
                f" scores{' for values' if self.algorithm.scores else ''}."
            )
        return np.asarray(
            self._answered(self.algorithm.scores, self.problem.encode(X), at), np.float64
        )

    def wrong(self, problem: Problem | None = None, at: int = -1) -> Bool:
        """(n,) which labelled rows the model at step `at` gets wrong; unclassified rows count as
        wrong.

        problem: the rows to judge; None: those learnt from
        Raises EngineError where the model numbers groups, or `problem` is no Problem.
        """
        given = problem if problem is not None else self.problem
        if self.algorithm.component is not None:
            raise EngineError(
                f"{self.algorithm.title} numbers its groups: these numbers are no classes that"
                " could be wrong."
            )
        if not isinstance(given, Problem):
            raise EngineError(
                "The rows to judge are those of a Problem; this is of the type"
                f" {type(given).__name__}."
            )
        mask: Bool = given.labelled & (self.codes(given.X, at) != given.codes)
        return mask

    def script(self, file: Any = None) -> str:
        """A Python script with numpy or scikit-learn that makes the same model from the same data.

        It does not need the lab. file: where to write it too, with a large table as CSV beside it.
        Raises EngineError for a method without one.
        """
        text: str = import_module("engine.scripts").script(
            self, file
        )  # a layer above: the script knows tables and files
        return text
