"""Finds the step for a place on a scrubber."""

from bisect import bisect_left

from engine.protocol.step import Level
from engine.runs.trace import Trace


def nearest_step(trace: Trace, unit: Level, wanted: float) -> int:
    """The step of `unit` or coarser nearest to the place `wanted`, counted in steps."""
    indices = trace.indices(unit)
    if not indices:
        return min(max(round(wanted), 0), len(trace) - 1)
    place = bisect_left(indices, wanted)
    return min(indices[max(0, place - 1) : place + 1], key=lambda index: abs(index - wanted))
