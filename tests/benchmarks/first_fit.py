"""`python -m tests.benchmarks.first_fit NAME ROWS ours|theirs`: seconds of processor time, and on
the wall, of a process's first fit.
"""

import gc
import sys
import time

from threadpoolctl import threadpool_limits

from engine.protocol.registry import algorithm
from tests.benchmarks.fitting import fitted
from tests.benchmarks.rivals import rivals


def main(name: str, n: str, side: str) -> None:
    rival = next(rival for rival in rivals() if rival.name == name)
    algorithm(rival.key)
    problem = rival.data(int(n))
    gc.collect()
    # as the program does: the thousandth object would start a search for garbage in all that
    # was imported
    gc.freeze()
    with threadpool_limits(1):
        wall = time.perf_counter()
        busy = time.process_time()
        fitted(rival, problem) if side == "ours" else rival.fitted(problem)
        print(time.process_time() - busy, time.perf_counter() - wall)


if __name__ == "__main__":
    main(*sys.argv[1:])
