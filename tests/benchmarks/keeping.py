"""What 10,000 steps of every method hold in memory, beside the budget of a run, and the longest that one of them takes."""

import time
import tracemalloc
from collections.abc import Iterator

import engine
from engine import Level, Pace
from engine.core.params import build
from engine.core.registry import algorithm
from engine.timeline.run import Run
from engine.timeline.trace import BUDGET
from tests.benchmarks.measure import LONG, Row, Sizes, problem_for

MB = 2**20
PAUSE_MS = 50.0  # so long nobody can stop a run
LONGEST = 20.0  # seconds of work for the runs of dear steps


def rows(sizes: Sizes) -> Iterator[Row]:
    for key in [*LONG, *(key for key in engine.algorithms() if key not in LONG)][: sizes.methods]:
        steps, n, held = kept(key, sizes)
        what = f"{steps:,} steps of {key}, n = {n:,}"
        yield Row(f"memory of {what}", held / MB, BUDGET / MB, "MB", "budget", 1.0)
        work, wall = min(longest(key, sizes) for _ in range(sizes.passes))
        pause = f"longest time in which a run of {key}, n = {n:,}, cannot be stopped"
        yield Row(pause, work, PAUSE_MS, "ms", "limit", 1.0, wall=wall / PAUSE_MS)


def kept(key: str, sizes: Sizes) -> tuple[int, int, int]:
    """(steps recorded in full detail, rows, bytes that Python says they hold)"""
    run = made(key, sizes)
    tracemalloc.start()
    enough = time.thread_time() + LONGEST
    while not run.finished and len(run.trace) < sizes.run_steps and time.thread_time() < enough:
        run.advance(0.1, max_steps=sizes.run_steps)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return len(run.trace), run.problem.n, held


def longest(key: str, sizes: Sizes) -> tuple[float, float]:
    """Milliseconds of work, and on the wall, of the longest piece of the same run between two places where it can stop."""
    run, found, enough = made(key, sizes), [(0.0, 0.0)], time.thread_time() + LONGEST
    while not run.finished and len(run.trace) < sizes.run_steps and time.thread_time() < enough:
        busy, wall = time.thread_time(), time.perf_counter()
        run.advance(0.0)
        found.append((1000 * (time.thread_time() - busy), 1000 * (time.perf_counter() - wall)))
    return max(found)


def made(key: str, sizes: Sizes) -> Run:
    """As long a run as the method has, on as many points as it takes of those of the table in the middle."""
    chosen, n = algorithm(key), sorted(sizes.rows)[len(sizes.rows) // 2]
    params = LONG[key].params if key in LONG else {}
    return Run(chosen, problem_for(key, n), build(chosen.params, params), pace=Pace(Level.DETAIL))
