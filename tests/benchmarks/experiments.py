"""Experiments on one core: beside what the issue allows, and beside the same loop over the same
rows written with scikit-learn.
"""

import os
import time
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import numpy as np
from threadpoolctl import threadpool_limits

from engine import Dataset, Level, Pace, Problem, generate, prepare
from engine.experiments.parts.folds import dealt, labelled_rows
from engine.experiments.parts.trials import one_trial, spread_out
from engine.fit.learners import studying
from engine.protocol.params import build
from engine.protocol.registry import algorithm
from engine.runs.run import Run
from engine.runs.trace import Trace
from engine.sources.real import real
from tests.benchmarks.measure import Row, Sizes, alternated

ROWS, SPLITS, FOLDS, POINTS = 100, 20, 10, 5
CURVE, ALONE, SHATTERED, DIGITS, PULSE = 6_000.0, 1_000.0, 200.0, 5_000.0, 50.0  # milliseconds
Call = Callable[[object], Any]


def rows(sizes: Sizes) -> Iterator[Row]:
    # imported before the limit, which holds only for what is there
    from sklearn.model_selection import cross_val_score

    assert cross_val_score
    restaurant = prepare(generate("restaurant", ROWS, seed=1))
    few, many = min(ROWS - 1, sizes.points), min(2_000, max(sizes.rows))
    with patch.dict(os.environ, {"LEARNSCOPE_JOBS": "1"}), threadpool_limits(1):
        yield from curve(restaurant, few, SPLITS if sizes.repeats > 1 else 1, sizes)
        yield from folds("decision tree", "decision_tree", restaurant, FOLDS, sizes)
        yield from folds(
            "decision tree", "decision_tree", prepare(generate("moons", many, 0.3)), FOLDS, sizes
        )
        yield from folds(
            "neighbours", "nearest_neighbours", prepare(generate("moons", many, 0.3)), many, sizes
        )
        five = prepare(Dataset.from_arrays(np.random.default_rng(0).normal(size=(POINTS, 2))))
        yield within(
            f"shattering of {POINTS} points by lines, every step",
            lambda: ran("shattering", five, Level.STEP, hypotheses="lines"),
            SHATTERED,
            sizes,
        )
        yield from digits(sizes)


def curve(problem: Problem, sizes: int, splits: int, scale: Sizes) -> Iterator[Row]:
    """A learning curve, and `learning_curve` for each of its sizes, whose folds are then as large
    as the size.
    """
    from sklearn.model_selection import learning_curve
    from sklearn.tree import DecisionTreeClassifier

    rows = labelled_rows(problem)
    rng = np.random.default_rng(0)
    tree = studying("decision_tree", problem)
    drawn_sizes = spread_out(len(rows) - 1, sizes, "evenly")
    parts = {m: [one_trial(tree, rows, m, rng) for _ in range(splits)] for m in drawn_sizes}

    def theirs(_: object) -> None:
        for m, trials in parts.items():
            cv = [(trial.rows, trial.test) for trial in trials]
            fresh = DecisionTreeClassifier(criterion="entropy", random_state=0)
            learning_curve(fresh, problem.X, problem.codes, train_sizes=[m], cv=cv, n_jobs=1)

    def ours(_: object) -> Trace:
        return ran(
            "learning_curve",
            problem,
            Level.ROUND,
            learner="decision_tree",
            sizes=sizes,
            trials=splits,
        )

    what = (
        f"learning curve of a decision tree, {len(parts)} sizes × {splits} splits, restaurant, n ="
        f" {problem.n}"
    )
    yield within(what, lambda: ours(None), CURVE, scale)
    yield beside(what, ours, theirs, scale)


def folds(name: str, key: str, problem: Problem, k: int, scale: Sizes) -> Iterator[Row]:
    """Cross-validation, and `cross_val_score` on the same folds; as many folds as rows is
    leave-one-out by its short cut.
    """
    from sklearn.model_selection import PredefinedSplit, cross_val_score
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier

    alone = k == problem.n
    scheme = {"scheme": "leave-one-out", "cheap": True} if alone else {"k": k}
    deal = dealt(problem, labelled_rows(problem), k, None if alone else np.random.default_rng(0))
    made = {"decision_tree": lambda: DecisionTreeClassifier(criterion="entropy", random_state=0)}

    def theirs(_: object) -> None:
        fresh = made.get(key, lambda: KNeighborsClassifier(1))()
        cross_val_score(fresh, problem.X, problem.codes, cv=PredefinedSplit(deal), n_jobs=1)

    def ours(_: object) -> Trace:
        return ran("cross_validation", problem, Level.ROUND, learner=key, **scheme)

    what = (
        f"{'leave-one-out' if alone else f'{k}-fold cross-validation'} of {name}, n = {problem.n:,}"
    )
    if alone:
        yield within(what, lambda: ours(None), ALONE, scale)
    yield beside(what, ours, theirs, scale)


def digits(scale: Sizes) -> Iterator[Row]:
    """From nothing to four learners that answer, by the clock on the wall, and the longest work
    during which they could not be stopped. Once: what is taught is remembered.
    """
    import scipy.spatial  # loading a library is one piece, in whichever run is the first

    assert scipy.spatial
    shipped = (
        prepare(real("digits")) if scale.points >= SPLITS**2 else algorithm("digit_pad").example()
    )
    walls, works = zip(*pieces("digit_pad", shipped), strict=True)
    yield Row(
        "digit pad, taught and asked, by the wall clock", sum(walls), DIGITS, "ms", "limit", 1.0
    )
    yield Row(
        "digit pad, longest work between two pulses",
        max(works),
        PULSE,
        "ms",
        "limit",
        1.0,
        wall=max(walls) / PULSE,
    )


def within(what: str, work: Callable[[], object], limit: float, scale: Sizes) -> Row:
    """The least processor time of one core, and by the clock on the wall."""
    taken = []
    for _ in range(scale.passes):
        wall = time.perf_counter()
        busy = time.process_time()
        work()
        taken.append((1000 * (time.process_time() - busy), 1000 * (time.perf_counter() - wall)))
    busy, wall = map(min, zip(*taken, strict=True))
    return Row(what, busy, limit, "ms", "limit", 1.0, wall=wall / limit)


def beside(what: str, ours: Call, theirs: Call, scale: Sizes) -> Row:
    both = alternated(ours, theirs, object, scale.repeats)
    what = f"{what}, the same loop"
    return Row(
        what, 1000 * both.ours, 1000 * both.theirs, "ms", "scikit-learn", 1.0, wall=both.wall
    )


def begun(key: str, problem: Problem, level: Level, **params: Any) -> Run:
    chosen = algorithm(key)
    return Run(chosen, problem, build(chosen.params, params), pace=Pace(level))


def ran(key: str, problem: Problem, level: Level, **params: Any) -> Trace:
    run = begun(key, problem, level, **params)
    run.advance()
    return run.trace


def pieces(key: str, problem: Problem) -> Iterator[tuple[float, float]]:
    """Milliseconds, by the wall clock and of work, of each piece of a run between places where it
    could be stopped.
    """
    run = begun(key, problem, Level.STEP)
    while not run.finished:
        wall = time.perf_counter()
        busy = time.thread_time()
        run.advance(0.0)
        yield 1000 * (time.perf_counter() - wall), 1000 * (time.thread_time() - busy)
