"""The engine beside scikit-learn: fitting at ROUND pace, and colouring a square of the plane. Plain library calls both."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from engine import Level, Pace, Problem, generate, prepare
from engine.core.grid import Grid
from engine.core.params import build
from engine.core.registry import algorithm
from engine.evaluation.surface import surface
from engine.timeline.run import Run
from engine.timeline.trace import Trace
from tests.benchmarks.measure import KEYS, Row, Sizes, seconds

FIT_GOAL, SURFACE_GOAL, STUMPS_GOAL = 2.0, 1.0, 0.1
ROUNDS, NEIGHBOURS = 20, 5
PARAMS: dict[str, dict[str, Any]] = {
    "perceptron": {"stop": "rounds", "rounds": ROUNDS, "threshold": "learned"},
    "nearest_neighbours": {"k": NEIGHBOURS},
    "decision_tree": {},
    "adaboost": {"rounds": 2 * ROUNDS},
}


def rows(sizes: Sizes) -> Iterator[Row]:
    problems = {n: prepare(generate("moons", n, 0.3)) for n in sizes.rows}
    for key in KEYS:
        for n, problem in problems.items():
            yield from _compared(key, n, problem, sizes.side)


def _compared(key: str, n: int, problem: Problem, side: int) -> Iterator[Row]:
    goal = STUMPS_GOAL if key == "adaboost" else FIT_GOAL
    theirs, codes = peers()[key], np.asarray(problem.codes)
    ours, fit = lambda: fitted(key, problem), lambda: theirs().fit(problem.X, codes)
    yield Row(f"fit {key}, n = {n:,}", 1000 * seconds(ours), 1000 * seconds(fit), "ms", "scikit-learn", goal)
    trace, model, grid = ours(), fit(), square(problem, side)
    colour, predict = lambda: surface(trace, "class", fresh(grid)), lambda: model.predict(grid.points())
    goal = STUMPS_GOAL if key == "adaboost" else SURFACE_GOAL
    what = f"surface {key}, n = {n:,}, {side}²"
    yield Row(what, 1000 * seconds(colour), 1000 * seconds(predict), "ms", "scikit-learn", goal)


def fitted(key: str, problem: Problem) -> Trace:
    """A whole run that shows nothing but its rounds."""
    chosen = algorithm(key)
    run = Run(chosen, problem, build(chosen.params, PARAMS[key]), pace=Pace(Level.ROUND))
    run.advance()
    return run.trace


def square(problem: Problem, side: int) -> Grid:
    (x0, y0), (x1, y1) = problem.xy.min(axis=0), problem.xy.max(axis=0)
    return Grid.over((x0, x1), (y0, y1), side)


def fresh(grid: Grid) -> Grid:
    """The same places as another object, so that nothing remembered helps."""
    return Grid(grid.x, grid.y)


def peers() -> dict[str, Callable[[], Any]]:
    """The same models of scikit-learn, told to do the same work."""
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.linear_model import Perceptron
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier

    return {
        "perceptron": lambda: Perceptron(max_iter=ROUNDS, tol=None, shuffle=False),
        "nearest_neighbours": lambda: KNeighborsClassifier(NEIGHBOURS),
        "decision_tree": lambda: DecisionTreeClassifier(criterion="entropy", random_state=0),
        "adaboost": lambda: AdaBoostClassifier(n_estimators=2 * ROUNDS, random_state=0),
    }
