"""What long runs hold in memory, beside the budget of a run."""

import tracemalloc
from collections.abc import Iterator

from engine import Level, Pace, prepare
from engine.core.params import build
from engine.core.registry import algorithm
from engine.timeline.run import Run
from engine.timeline.trace import BUDGET
from tests.benchmarks.measure import KEYS, LONG, Row, Sizes

MB = 2**20


def rows(sizes: Sizes) -> Iterator[Row]:
    for key in KEYS:
        steps, held = kept(key, sizes)
        what = f"memory of {steps:,} steps of {key}"
        yield Row(what, held / MB, BUDGET / MB, "MB", "budget", 1.0)


def kept(key: str, sizes: Sizes) -> tuple[int, int]:
    """(steps recorded in full detail, bytes that Python says they hold, notes and choices included)"""
    problem = prepare(LONG[key].data(sizes.run_steps))
    chosen = algorithm(key)
    tracemalloc.start()
    run = Run(chosen, problem, build(chosen.params, LONG[key].params), pace=Pace(Level.DETAIL))
    run.advance(max_steps=sizes.run_steps)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return len(run.trace), held
