"""What a step costs at the pace of the window, for every method: its notes stay untold, as they are
until it is shown.
"""

import time
from collections.abc import Iterator

import engine
from engine import Level, Pace
from engine.protocol.registry import algorithm
from engine.runs.run import Run
from tests.benchmarks.measure import Row, Sizes, problem_for

AIM_US = 15.0  # for the visit of one row
STEPS = 10_000
ALL_ROWS = (
    "a step is no single visit: it looks at all rows, for the change and for the loss after it"
)
READING = "to read all forecasts, which a run does once, is a third of this short one"
# that go from row to row, or on by small steps; and why a step takes longer than a visit may
LEARNERS = {
    "perceptron": "",
    "kernel_perceptron": "",
    "streaming_perceptron": "every row is drawn, and its true class reckoned, before it is visited",
    "perceptron_network": "a visit keeps the aim; a mistake judges all rows anew",
    "mapreduce_perceptron": (
        "a step is no single visit: a part goes over its rows, or the sum judges all of them"
    ),
    "multiclass_perceptron": (
        "a visit keeps the aim; a mistake, every third, judges all rows by all classes"
    ),
    "logistic_regression": ALL_ROWS,
    "gradient_descent": ALL_ROWS,
    "hinge_descent": ALL_ROWS,
    "winnow": (
        "scores near the threshold are compared in whole numbers, and a mistake judges all rows"
    ),
    "weighted_majority": READING,
    "randomized_weighted_majority": READING,
    "adaboost": "a step is no single visit: the cuts of all rows are raced, and all weights change",
    "svm": (
        "a step is no single visit: a pair is chosen among all rows, and what all rows ask for"
        " changes with it"
    ),
}


def rows(sizes: Sizes) -> Iterator[Row]:
    for key in engine.algorithms():
        work, wall = (
            1e6 * min(clock)
            for clock in zip(*(stepped(key, sizes) for _ in range(sizes.passes)), strict=True)
        )
        most = 1.0 if key in LEARNERS else None
        yield Row(
            f"a step of {key}, {sizes.points} points",
            work,
            AIM_US,
            "µs",
            "aim for single visits",
            most,
            LEARNERS.get(key, ""),
            wall / AIM_US,
        )


def stepped(key: str, sizes: Sizes) -> tuple[float, float]:
    """Seconds of processor time, and on the wall, for a step, over a run or its beginning."""
    chosen = algorithm(key)
    run = Run(chosen, problem_for(key, sizes.points), chosen.params(), pace=Pace(Level.STEP))
    began = time.perf_counter()
    busy = time.thread_time()
    run.advance(max_steps=min(STEPS, sizes.run_steps), seconds=10.0)
    steps = max(1, len(run.trace))
    return (time.thread_time() - busy) / steps, (time.perf_counter() - began) / steps
