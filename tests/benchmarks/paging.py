"""Pages to step through: 200 steps at 500 points of every method, their size and the time they
take.
"""

import time
from collections.abc import Iterator

from engine import Level, Pace, Problem
from engine.protocol.registry import algorithm, algorithms
from engine.read.column_kinds import read_for
from engine.runs.run import run_problem
from engine.sources.generators import generate
from engine.table.prepare import prepare
from engine.web.page import Shown, chips_of, page
from tests.benchmarks.measure import Row, Sizes

ROWS, STEPS = 500, 200
MOST_KB = 1_000
MOST_SECONDS = 10.0
DATA = ("leaning_clouds", "sine", "restaurant", "pundits", "boolean_rule")


def rows(sizes: Sizes) -> Iterator[Row]:
    for key in [*algorithms()][: sizes.methods]:
        began = time.process_time()
        kb = len(page_of(key, min(STEPS, sizes.run_steps)).encode()) / 1000
        took = time.process_time() - began
        yield Row(f"a page of {key}: its size", kb, MOST_KB, "KB", "limit", 1.0)
        yield Row(f"a page of {key}: run and page, CPU", took, MOST_SECONDS, "s", "limit", 1.0)


def page_of(key: str, steps: int = STEPS) -> str:
    trace = run_problem(key, problem_for(key), pace=Pace(Level.STEP), max_steps=steps)
    return page([Shown(trace, "points", chips_of(trace))])


def problem_for(key: str) -> Problem:
    """Five hundred rows that the method takes; its own example where it takes none of these."""
    method = algorithm(key)
    for name in DATA:
        problem = prepare(
            read_for(generate(name, ROWS, seed=3), method.needs), most=method.needs.sample
        )
        if not method.needs.reason(problem):
            return problem
    return method.example()
