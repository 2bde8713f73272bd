"""What came of a run beside another one, in the numbers that both methods record themselves."""

from math import isfinite

from engine.base.notation import number, plural
from engine.protocol.algorithm import Curve
from engine.protocol.step import Level
from engine.runs.trace import Trace

MOST = 2  # numbers in one sentence
UNITS = {Level.DETAIL: "detail", Level.STEP: "step", Level.ROUND: "round"}
MISTAKES = "mistakes"  # the metric that counts them


def measured(trace: Trace) -> list[tuple[Curve, str]]:
    """The curves of a method with their values, as text, at the last recorded step.

    Bounds from theory are left out, and what that step does not measure. Mistakes come first,
    measures of how near the end is last.
    """
    if not len(trace):
        return []
    last = trace[len(trace) - 1].metrics
    found = [
        (curve, number(last[curve.metric], curve.digits))
        for curve in trace.algorithm.curves
        if not curve.bound and isfinite(last.get(curve.metric, float("nan")))
    ]
    return sorted(found, key=lambda each: (each[0].metric != MISTAKES, each[0].log))


def came_of(changed: Trace, before: Trace, unit: Level = Level.STEP) -> str:
    """How a changed run ended beside the one before: 'mistakes so far 13, before 8; 300 steps,
    before 216'.

    A run that has not ended is said to have no end after the steps that are recorded.
    """
    steps, usual = _length(changed, unit), _length(before, unit)
    known = {curve.metric: text for curve, text in measured(before)}
    differing = [
        f"{curve.title} {text}, before {known[curve.metric]}"
        for curve, text in measured(changed)
        if known.get(curve.metric, text) != text
    ]
    if not changed.finished:
        parts = [f"no end after {_counted(steps, unit)}", *differing]
    elif steps != usual:
        parts = [*differing[: MOST - 1], f"{_counted(steps, unit)}, before {usual:,}"]
    else:
        parts = differing or [f"the same numbers after {_counted(steps, unit)}"]
    return "; ".join(parts[:MOST])


def _length(trace: Trace, unit: Level) -> int:
    return max(0, len(trace.indices(unit)) - 1)


def _counted(count: int, unit: Level) -> str:
    return f"{count:,} {plural(count, UNITS[unit])}"
