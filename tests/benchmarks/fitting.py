"""The engine beside scikit-learn: fitting at ROUND pace, and colouring a square of the plane. Plain library calls both."""

import gc
from collections.abc import Iterator
from unittest.mock import patch

import numpy as np
from threadpoolctl import threadpool_limits

from engine import Level, Pace, Problem
from engine.core.grid import Grid
from engine.core.params import build
from engine.core.registry import algorithm
from engine.evaluation.surface import surface
from engine.numerics.compiled import Loop
from engine.timeline.run import Run
from engine.timeline.trace import Trace
from tests.benchmarks.measure import Row, Sizes, seconds
from tests.benchmarks.rivals import Rival, rivals


def rows(sizes: Sizes) -> Iterator[Row]:
    gc.collect()
    gc.freeze()  # the windows of earlier benchmarks: neither side shall search them for garbage
    with threadpool_limits(1):  # both sides: threads of small matrix products would measure who else is at work
        for rival in rivals():
            for n in sizes.rows:
                if n <= rival.most:
                    yield from compared(rival, rival.data(n), sizes.side)


def compared(rival: Rival, problem: Problem, side: int) -> Iterator[Row]:
    at = f"{rival.name}, n = {problem.n:,}"
    ours, theirs = lambda: fitted(rival, problem), lambda: rival.fitted(problem)
    what, beside, why = f"fit {at}", 1000 * seconds(theirs), rival.reason
    if rival.loop is not None and rival.loop.compiled() is not None:
        with patch.object(Loop, "compiled_for", return_value=None):
            plain = 1000 * seconds(ours)
        yield Row(f"{what}, before the process has compiled it", plain, beside, "ms", "scikit-learn")
    yield Row(what, 1000 * seconds(ours), beside, "ms", "scikit-learn", rival.fit, reason=why)
    if rival.surface is None:
        return
    trace, model = ours(), theirs()
    if problem.regress:
        yield _predicting(f"{side}² values {at}", trace, model, rival.surface, side**2)
        return
    grid = square(problem, side)
    colour, predict = lambda: surface(trace, "class", fresh(grid)), lambda: model.predict(grid.points())
    yield Row(
        f"surface {at}, {side}²", 1000 * seconds(colour), 1000 * seconds(predict), "ms", "scikit-learn", rival.surface
    )


def _predicting(what: str, trace: Trace, model: object, goal: float, count: int) -> Row:
    """Values have no surface of classes: as many predictions instead."""
    X = trace.problem.X
    places = np.random.default_rng(0).uniform(X.min(axis=0), X.max(axis=0), (count, X.shape[1]))
    ours, theirs = lambda: trace.codes(places.copy()), lambda: model.predict(places)  # type: ignore[attr-defined]
    return Row(what, 1000 * seconds(ours), 1000 * seconds(theirs), "ms", "scikit-learn", goal)


def fitted(rival: Rival, problem: Problem) -> Trace:
    """A whole run that shows nothing but its rounds."""
    chosen = algorithm(rival.key)
    run = Run(chosen, problem, build(chosen.params, rival.params(problem.n)), pace=Pace(Level.ROUND))
    run.advance()
    return run.trace


def square(problem: Problem, side: int) -> Grid:
    (x0, y0), (x1, y1) = problem.xy.min(axis=0), problem.xy.max(axis=0)
    return Grid.over((x0, x1), (y0, y1), side)


def fresh(grid: Grid) -> Grid:
    """The same places as another object, so that nothing remembered helps."""
    return Grid(grid.x, grid.y)
