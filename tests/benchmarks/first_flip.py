"""`python -m tests.benchmarks.first_flip KEY POINTS TIMES`: milliseconds of each nearest flip of a
process, the first one too.
"""

import sys
import time

import numpy as np

from engine.judge.nearest_flip import exact_flip
from engine.protocol.step import Level, Pace
from engine.runs.run import run_problem
from tests.benchmarks.measure import problem_for


def main(key: str, points: str, times: str) -> None:
    problem = problem_for(key, int(points))
    trace = run_problem(key, problem, pace=Pace(Level.STEP), max_steps=3_000)
    # as in the window, where it is drawn before anybody asks
    trace.algorithm.scene(trace.given, trace[-1])
    low = problem.xy.min(axis=0)
    high = problem.xy.max(axis=0)
    for place in np.random.default_rng(0).uniform(low, high, (int(times), 2)):
        began = time.thread_time()
        flip = exact_flip(trace, problem.from_plane(place[None])[0])
        print(1000 * (time.thread_time() - began))
        assert flip is None or flip.exact


if __name__ == "__main__":
    main(*sys.argv[1:])
