"""How many examples a run has learnt from by each of its steps: what compares a method that steps
from example to example with one that takes all of them at once.
"""

import numpy as np

from engine.base.arrays import Float
from engine.protocol.step import Level
from engine.runs.trace import Trace


def examples_seen(trace: Trace) -> Float:
    """(len(trace),) ascending, from 0.

    A round goes over all n examples once, its steps over equal shares of them; the round under way
    takes as many steps as the one before. A run without rounds goes over them once, one by one
    until it has ended.
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
