"""Steps chosen for an export, '0:200' or '0, 5, 12:20', counted in a unit, with a stride."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.base.records import Record
from engine.protocol.step import Level
from engine.runs.run import MAX_STEPS, Run, pace_of
from engine.runs.trace import Trace

BATCH = 500  # steps of a run that are made between two checks whether they are enough
HOW = (
    "write 0:200 for the steps 0 to 200, 12: for those from 12 to the end, or single ones with"
    " commas, 0, 5, 12"
)
_PART = re.compile(r"(?P<first>-?\d{1,9})?\s*(?P<to>:)?\s*(?P<last>-?\d{1,9})?", re.ASCII)
Tick = Callable[[float], bool]


class Stretch(NamedTuple):
    """Steps from first to last, both included; negative numbers count from the end, −1 is the last
    step.
    """

    first: int
    last: int

    @property
    def from_end(self) -> bool:
        """Whether a number counts from the end, so that the length of the run has to be known."""
        return self.first < 0 or self.last < 0

    @property
    def single(self) -> bool:
        return self.first == self.last


class Chosen(Record, eq=True):
    """Stretches of steps, in this order.

    every: the stride within each stretch, which begins with its first step
    unit: the level in which steps are counted
    """

    stretches: tuple[Stretch, ...] = (Stretch(0, -1),)
    every: int = 1
    unit: Level = Level.STEP

    @property
    def last(self) -> int | None:
        """The greatest step number; None where it depends on the length of the run."""
        if any(stretch.from_end for stretch in self.stretches):
            return None
        return max(stretch.last for stretch in self.stretches)

    @property
    def most(self) -> int | None:
        """How many steps these are in a run that is long enough; None where it depends on the
        length.
        """
        if self.last is None:
            return None
        return sum(len(range(first, last + 1, self.every)) for first, last in self.stretches)

    def numbers(self, count: int) -> list[int]:
        """The chosen steps of a run with `count` steps of the unit; stretches may reach beyond its
        end.

        Raises EngineError where a single step is beyond the end, or nothing is left.
        """
        found: list[int] = []
        for stretch in self.stretches:
            first, last = (number + count if number < 0 else number for number in stretch)
            if stretch.single and not 0 <= first < count:
                unit = self.unit.name.lower()
                raise EngineError(
                    f"There is no {unit} {stretch.first:,}; the run has {unit}s 0 to {count - 1:,}."
                )
            found += range(max(0, first), min(last, count - 1) + 1, self.every)
        if not found:
            raise EngineError(_nothing_in(self, count))
        return found


def read_steps(text: str) -> tuple[Stretch, ...]:
    """The stretches in a text: '0:200', '12:', ':5', '7', '-1', several with commas.

    Raises EngineError for other texts, and where a stretch ends before it begins.
    """
    return tuple(_read_part(part.strip()) for part in text.replace("−", "-").split(","))


def _read_part(part: str) -> Stretch:
    found = _PART.fullmatch(part)
    if not part or found is None or not (found["to"] or found["first"]):
        raise EngineError(f"{quoted(part)} names no steps: {HOW}.")
    first = int(found["first"] or 0)
    if not found["to"]:
        return Stretch(first, first)
    last = int(found["last"] or -1)
    if (first < 0) == (last < 0) and last < first:
        raise EngineError(f"{quoted(part)} is empty, 0 steps: the first one comes after the last.")
    return Stretch(first, last)


def _nothing_in(chosen: Chosen, count: int) -> str:
    unit = chosen.unit.name.lower()
    return (
        f"These {unit}s are none, 0 of the run's: it has {unit}s 0 to {count - 1:,}; choose some of"
        " them."
    )


def follow(
    run: Run, chosen: Chosen, tick: Tick = lambda fraction: True
) -> tuple[list[int], list[int]]:
    """Advance the run far enough; returns (numbers in the unit, step numbers of the trace) of the
    chosen steps.

    tick: called with 0.0 between two batches of steps; False stops the run there
    Raises EngineError where a step is beyond the end of the run, or of what was recorded of it.
    """
    places = run.trace.indices(chosen.unit)
    last = chosen.last
    while last is None or len(places) <= last:
        if not tick(0.0) or not run.advance(max_steps=min(len(run.trace) + BATCH, MAX_STEPS)):
            break
    if not run.finished and len(run.trace) == MAX_STEPS and (last is None or len(places) <= last):
        unit = chosen.unit.name.lower()
        raise EngineError(
            f"The run is followed for {unit}s 0 to {len(places) - 1:,}; choose some of them."
        )
    numbers = chosen.numbers(len(places))
    return numbers, [places[number] for number in numbers]


def again(trace: Trace, unit: Level) -> Run:
    """A new run with the recipe of `trace`, not yet advanced, recorded finely enough for `unit`.

    It can run in a thread of its own.
    """
    pace = min(trace.pace, pace_of(unit, trace.problem.n), key=lambda pace: pace.level)
    return Run(
        trace.algorithm,
        trace.problem,
        trace.params,
        trace.seed,
        pace,
        trace.start,
        shared=trace.shared,
        branches=trace.branches,
    )


def numbers_text(numbers: Sequence[int]) -> str:
    """The range of step numbers as text: '0 to 200', or '37' for a single one."""
    return f"{numbers[0]:,} to {numbers[-1]:,}" if len(numbers) > 1 else f"{numbers[0]:,}"
