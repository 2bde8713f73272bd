"""What a step costs at the pace of the window, for every method: its notes stay untold, as they are until somebody looks."""

import time
from collections.abc import Iterator
from statistics import median

import engine
from engine import Level, Pace
from engine.core.registry import algorithm
from engine.timeline.run import Run
from tests.benchmarks.measure import Row, Sizes, problem_for

AIM_US = 15.0  # for the visit of one row
STEPS = 10_000


def rows(sizes: Sizes) -> Iterator[Row]:
    for key in engine.algorithms():
        work, wall = (
            1e6 * median(clock) for clock in zip(*(stepped(key, sizes) for _ in range(sizes.passes)), strict=True)
        )
        what = f"a step of {key}, {sizes.points} points"
        yield Row(what, work, AIM_US, "µs", "aim for single visits", wall=wall / AIM_US)


def stepped(key: str, sizes: Sizes) -> tuple[float, float]:
    """Seconds of processor time, and on the wall, for a step, over a run or its beginning."""
    chosen = algorithm(key)
    run = Run(chosen, problem_for(key, sizes.points), chosen.params(), pace=Pace(Level.STEP))
    began, busy = time.perf_counter(), time.thread_time()
    run.advance(max_steps=min(STEPS, sizes.run_steps), seconds=10.0)
    steps = max(1, len(run.trace))
    return (time.thread_time() - busy) / steps, (time.perf_counter() - began) / steps
