"""What 10,000 steps of every method hold in memory, beside the budget of a run, the longest that
one of them takes, how long it takes until a step is there again that a run was too long to keep,
and what the picture of one with many multipliers takes.
"""

import gc
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import engine
from engine import Level, Pace
from engine.protocol.params import build
from engine.protocol.registry import algorithm
from engine.runs.run import Run
from engine.runs.trace import BUDGET
from tests.benchmarks.measure import LONG, Row, Sizes, p95, problem_for

MB = 2**20
PAUSE_MS = 50.0  # so long a run cannot be stopped
LONGEST = 20.0  # seconds of work for the runs of dear steps
OUTGROWN = 60.0  # seconds of work until a run has outgrown its budget
SHOWN_MS = 100.0
DRAWN_MS = 5.0
KERNELS = "linear", "rbf"
# runs that outgrow the budget where there are many points
GROWING: tuple[tuple[str, dict[str, Any]], ...] = (
    ("adaboost", {}),
    ("kernel_perceptron", {}),
    *(("svm", {"kernel": kernel}) for kernel in KERNELS),
)


def rows(sizes: Sizes) -> Iterator[Row]:
    for key in [*LONG, *(key for key in engine.algorithms() if key not in LONG)][: sizes.methods]:
        steps, n, held = kept(key, sizes)
        what = f"{steps:,} steps of {key}, n = {n:,}"
        yield Row(f"memory of {what}", held / MB, BUDGET / MB, "MB", "budget", 1.0)
        work, wall = min(longest(key, sizes) for _ in range(sizes.passes))
        pause = f"longest time in which a run of {key}, n = {n:,}, cannot be stopped"
        yield Row(pause, work, PAUSE_MS, "ms", "limit", 1.0, wall=wall / PAUSE_MS)
    for key, params in GROWING[: sizes.methods]:
        steps, gone, times = recalled(key, sizes, params)
        case = ", ".join([key, *params.values(), f"n = {max(sizes.rows):,}"])
        what = f"until one of {gone:,} forgotten of {steps:,} steps of {case}, is there, p95"
        if gone:
            yield Row(what, p95(times), SHOWN_MS, "ms", "limit", 1.0)
    for n in sorted(sizes.rows)[len(sizes.rows) // 2 :]:
        for kernel in KERNELS[: sizes.methods]:
            yield Row(
                f"scene() of svm, {kernel}, n = {n:,}, longest",
                drawn(kernel, sizes, n),
                DRAWN_MS,
                "ms",
                "limit",
                1.0,
            )


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
    """Milliseconds of work, and on the wall, of the longest piece of the same run between two
    places where it can stop.
    """
    run = made(key, sizes)
    found = [(0.0, 0.0)]
    enough = time.thread_time() + LONGEST
    with on_the_worker():
        while not run.finished and len(run.trace) < sizes.run_steps and time.thread_time() < enough:
            busy = time.thread_time()
            wall = time.perf_counter()
            run.advance(0.0)
            found.append((1000 * (time.thread_time() - busy), 1000 * (time.perf_counter() - wall)))
    return max(found)


def recalled(key: str, sizes: Sizes, params: dict[str, Any]) -> tuple[int, int, list[float]]:
    """(steps of a run of ten times as many on the largest table; how many of them it forgot;
    milliseconds of work for each of some of these, in any order)
    """
    run = made(key, sizes, max(sizes.rows), **params)
    most = 10 * sizes.run_steps
    with on_the_worker():
        enough = time.thread_time() + OUTGROWN
        while not run.finished and len(run.trace) < most and time.thread_time() < enough:
            run.advance(0.1, max_steps=most)
        trace = run.trace
        times = list[float]()
        gone = [step for step in range(len(trace)) if not trace.holds(step)]
        for step in np.random.default_rng(0).permutation(gone)[: sizes.scrubs].tolist():
            began = time.thread_time()
            trace.recall(step)
            times.append(1000 * (time.thread_time() - began))
    return len(trace), len(gone), times


def drawn(kernel: str, sizes: Sizes, n: int) -> float:
    """Milliseconds of work of the longest picture of a step, of some of a run; each is made
    once. What it imports was there for another run.
    """
    longest = 0.0
    with on_the_worker():
        for rows in (min(sizes.rows), n):
            run = made("svm", sizes, rows, kernel=kernel)
            longest = 0.0
            run.advance(LONGEST / 4, max_steps=sizes.run_steps)
            for place in np.linspace(0, len(run.trace) - 1, sizes.scrubs).astype(int).tolist():
                step = run.trace[place]
                began = time.thread_time()
                run.algorithm.scene(run.trace.given, step)
                longest = max(longest, 1000 * (time.thread_time() - began))
    return longest


@contextmanager
def on_the_worker() -> Iterator[None]:
    """Garbage is collected on another thread, as in the running program, see
    `gui.session.garbage`.
    """
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def made(key: str, sizes: Sizes, n: int = 0, **params: Any) -> Run:
    """As long a run as the method has, on as many points as it takes of n, 0: of those of the table
    in the middle.
    """
    chosen = algorithm(key)
    n = n or sorted(sizes.rows)[len(sizes.rows) // 2]
    params |= LONG[key].params if key in LONG else {}
    return Run(chosen, problem_for(key, n), build(chosen.params, params), pace=Pace(Level.DETAIL))
