"""No run holds its worker: at every pace it can be stopped within 50 ms of processor time, on
problems of real size.
"""

import gc
import time
from functools import cache
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

import engine
from engine.protocol.params import build
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from tests.engine.test_contract import blobs, curve, experts

pytestmark = [pytest.mark.slow, pytest.mark.sweep]

LONGEST = 0.05
TRIES = 3
# seconds: a round does most between looks
WATCHED = {Level.ROUND: 0.03, Level.STEP: 0.015, Level.DETAIL: 0.015}
ALGORITHMS = engine.algorithms()


def bits() -> Any:
    """400 × 100; nothing but chance decides the class, so that no small test is uniform."""
    rng = np.random.default_rng(1)
    columns = {f"f{j + 1}": rng.random(400) < 0.5 for j in range(100)}
    return engine.Dataset.from_columns({**columns, "y": rng.random(400) < 0.5}, target="y")


def thirty() -> Any:
    """30 classes × 60 rows."""
    rng = np.random.default_rng(0)
    y = np.arange(1800) % 30
    middles = 6 * np.column_stack([np.cos(0.7 * y), np.sin(0.7 * y)]) * (1 + y[:, None] / 10)
    return engine.Dataset.from_arrays(rng.normal(size=(1800, 2)) + middles, y)


def wide() -> Any:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 20))
    columns = {f"x{j + 1}": X[:, j] for j in range(20)}
    return engine.Dataset.from_columns(
        {**columns, "y": X.sum(1) + rng.normal(size=2000)}, target="y", task="regress"
    )


DATA = {
    "points": lambda: blobs(2000),
    "bits": bits,
    "digits": lambda: engine.real("digits"),
    "classes": thirty,
    "curve": lambda: curve(2000),
    "long curve": lambda: curve(5000),
    "columns": wide,
    "experts": lambda: experts(2000),
}
HARD: dict[str, list[dict[str, Any]]] = {  # beside the defaults
    "decision_list": [{"k": 4}, {"k": 4, "prefer": "widest"}],
    "adaboost": [{"learner": "tree", "depth": 6}, {"learner": "line"}, {"learner": "tree",
    "depth": 6, "criterion": "gain"}],
    "locally_weighted_regression": [{"k": 10_000}],
    "nearest_neighbours": [{"metric": "hamming"}, {"p": 1.0}],
    "kd_search": [{"k": 10_000}],
    "va_file": [{"k": 10_000}, {"bits": 8}],
    "lsh": [{"tables": 50, "bits": 8}, {"k": 10_000, "bits": 1}],
    "table_lookup": [{"rounding": 1.0, "default": "commonest"}],
    "rbf_network": [{"k": 60}, {"k": 20, "fit": "descent"}],
}  # fmt: skip


@cache
def problem(name: str) -> Any:
    return engine.prepare(DATA[name]())


def cases(key: str) -> list[tuple[str, dict[str, Any]]]:
    """On all data that it takes, by its defaults and by what makes it hard."""
    names = [name for name in DATA if ALGORITHMS[key].needs.reason(problem(name)) is None]
    return [(name, params) for name in names for params in ({}, *HARD.get(key, ()))]


def longest_gap(key: str, name: str, params: dict[str, Any], level: Level) -> float:
    """Seconds of processor time between two looks at stop, of a run that is watched for a while."""
    algorithm = ALGORITHMS[key]
    longest = 0.0
    spent = 0.0
    run = Run(algorithm, problem(name), build(algorithm.params, params), pace=Pace(level))
    while not run.finished and spent < WATCHED[level]:
        before = time.thread_time()
        try:
            run.advance(seconds=0.0)
        except engine.EngineError:  # a sentence ends the run
            break
        gap = time.thread_time() - before
        longest = max(longest, gap)
        spent = spent + gap
    return longest


@pytest.mark.parametrize("key", ALGORITHMS)
def test_no_step_holds_the_worker(key: str, request: pytest.FixtureRequest) -> None:
    gc.disable()  # a round over what other tests left behind is no step of the algorithm's
    request.addfinalizer(gc.enable)
    # to wait for a busy core would count as work
    request.addfinalizer(threadpool_limits(1).restore_original_limits)
    assert cases(key)
    for number, (name, params) in enumerate(cases(key)):
        # what a run that records details does between two looks is part of what one that records
        # steps does: one set will do
        for level in Level if number == 0 else (Level.STEP, Level.ROUND):
            gap = longest_gap(key, name, params, level)
            # what is imported at the first use, or waits for a busy cache, is no silence of the
            # step's
            for _ in range(TRIES):
                gap = min(gap, longest_gap(key, name, params, level)) if gap > LONGEST else gap
            assert gap <= LONGEST, (name, params, level.name)
