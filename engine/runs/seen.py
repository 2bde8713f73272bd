"""How many examples a run has learnt from by each step: compares online with batch methods."""

import numpy as np

from engine.base.arrays import Float
from engine.protocol.step import Level
from engine.runs.trace import Trace


def examples_seen(trace: Trace) -> Float:
    """(len(trace),) numbers of examples, ascending from 0.

    A round goes once over all n examples, in equal shares for its steps; the unfinished round
    counts as long as the one before. A run without rounds goes over them once: one per step while
    it runs, equal shares once it has ended.
    """
    n = trace.problem.n
    count = len(trace)
    # one that goes on from another has no step for its beginning
    begun = [-1] if trace.start is not None else []
    ends = np.asarray([*begun, *trace.indices(Level.ROUND)], np.float64)
    steps = np.arange(count, dtype=np.float64)
    if len(ends) < 2:
        return steps * n / max(1, count - 1) if trace.finished else np.minimum(steps, n)
    seen = np.interp(steps, ends, n * np.arange(len(ends), dtype=np.float64))
    rest = steps[int(ends[-1]) :] - ends[-1]
    seen[int(ends[-1]) :] += (
        n * np.minimum(rest / (ends[-1] - ends[-2]), 1.0) * (not trace.finished)
    )
    return seen
