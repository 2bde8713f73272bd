"""The engine beside scikit-learn, or the plainest numpy: fitting at ROUND pace, and colouring a
square of the plane.
"""

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from statistics import median
from unittest.mock import patch

import numpy as np
from threadpoolctl import threadpool_limits

import engine
from engine import Level, Pace, Problem
from engine.base.grid import Grid
from engine.judge.surface import surface
from engine.numerics import jit
from engine.protocol.params import build
from engine.protocol.registry import algorithm
from engine.runs.run import Run
from engine.runs.trace import Trace
from tests.benchmarks.measure import Both, Row, Sizes, alternated, points_for, problem_for
from tests.benchmarks.rivals import SURFACE, Rival, rivals

# numbers, rows, steps, seconds, models
SORTED, MANY, ROUNDS, LONGEST, NEW = 100_000, 2_000, 1_000, 5.0, 3
ROOT = Path(__file__).parents[2]


def rows(sizes: Sizes) -> Iterator[Row]:
    gc.collect()
    gc.freeze()  # the windows of earlier benchmarks: neither side shall search them for garbage
    peers = rivals()  # imported before the limit, which holds only for libraries that are there
    # both sides: threads of small matrix products would measure who else is at work
    with threadpool_limits(1):
        for rival in peers:
            for n in sizes.rows:
                if n <= rival.most:
                    yield from compared(rival, n, sizes)
        for key in engine.algorithms():
            if key in {rival.key for rival in peers}:
                continue
            yield from alone(key, sizes)


def alone(key: str, sizes: Sizes) -> Iterator[Row]:
    """What has no peer, beside a sort, so that an earlier table of another day can be compared
    with.
    """
    chosen = algorithm(key)
    numbers = np.random.default_rng(0).random(SORTED)

    def fit(problem: Problem) -> None:
        Run(chosen, problem, chosen.params(), pace=Pace(Level.ROUND)).advance(
            seconds=LONGEST, max_steps=ROUNDS
        )

    for n in sizes.rows if points_for(key, min(sizes.rows)) is not None else sizes.rows[:1]:
        if n <= MANY:
            made = partial(problem_for, key, n)
            both = alternated(fit, lambda _: np.sort(numbers), made, sizes.repeats)
            yield Row(
                f"fit {key}, n = {made().n:,}, or its first {ROUNDS:,} rounds",
                1000 * both.ours,
                1000 * both.theirs,
                "ms",
                f"a sort of {SORTED:,} numbers",
                wall=both.wall,
            )


def compared(rival: Rival, n: int, sizes: Sizes) -> Iterator[Row]:
    """The first fit of a process, and later ones, as a window makes them; with compiled loops, as
    long commands and experiments do; and what the model predicts.
    """
    at = f"{rival.name}, n = {n:,}"

    def made() -> Problem:
        return rival.data(n)

    def row(what: str, both: Both, most: float | None, reason: str = "") -> Row:
        return Row(
            what,
            1000 * both.ours,
            1000 * both.theirs,
            "ms",
            rival.peer,
            most,
            reason,
            both.wall,
            watched=what.startswith("fit"),
        )

    def fits() -> Both:
        return alternated(lambda problem: fitted(rival, problem), rival.fitted, made, sizes.repeats)

    if sizes.firsts:
        yield row(
            f"fit {at}, first of a process",
            first_fits(rival, n, sizes.firsts),
            rival.fit,
            rival.reason,
        )
    yield row(f"fit {at}", fits(), rival.fit, rival.reason)
    if rival.compiled and find_spec("numba") is not None:
        with patch.multiple(jit, allowed=True, spent=jit.WORTH):
            fitted(rival, made())
            yield row(f"fit {at}, compiled", fits(), rival.fit, rival.reason)
    if rival.surface is None:
        return
    problem = made()
    trace = fitted(rival, problem)
    model = rival.fitted(problem)
    if problem.regress:
        X = problem.X
        places = np.random.default_rng(0).uniform(
            X.min(axis=0), X.max(axis=0), (sizes.side**2, X.shape[1])
        )
        both = alternated(trace.codes, model.predict, places.copy, sizes.repeats)
        yield row(f"{sizes.side}² values {at}", both, rival.surface)
    else:
        grid = square(problem, sizes.side)
        points = grid.points()
        both = alternated(
            lambda grid: surface(trace, "class", grid),
            lambda _: model.predict(points),
            lambda: fresh(grid),
            sizes.repeats,
        )
        yield row(f"surface {at}, {sizes.side}²", both, rival.surface)
        sides = cycle((fitted, Rival.fitted))  # whose turn it is
        both = alternated(
            lambda trace: surface(trace, "class", grid),
            lambda model: model.predict(points),
            lambda: next(sides)(rival, made()),
            min(NEW, sizes.repeats),
        )
        yield row(f"surface {at}, {sizes.side}², the model new", both, SURFACE, rival.laid)


def first_fits(rival: Rival, n: int, times: int) -> Both:
    """Each in a process of its own, in turn."""
    command = [sys.executable, "-m", "tests.benchmarks.first_fit", rival.name, str(n)]
    given = dict(os.environ)
    # from the second start on, modules are compiled already
    given.pop("PYTHONDONTWRITEBYTECODE", None)
    taken = [
        [
            float(word)
            for side in ("ours", "theirs")
            for word in subprocess.check_output([*command, side], cwd=ROOT, env=given).split()
        ]
        for _ in range(times)
    ]
    ours, wall, theirs, wall_theirs = (median(column) for column in zip(*taken, strict=True))
    return Both(ours, theirs, wall / wall_theirs)


def fitted(rival: Rival, problem: Problem) -> Trace:
    """A whole run that shows nothing but its rounds."""
    chosen = algorithm(rival.key)
    run = Run(
        chosen, problem, build(chosen.params, rival.params(problem.n)), pace=Pace(Level.ROUND)
    )
    run.advance()
    return run.trace


def square(problem: Problem, side: int) -> Grid:
    x0, y0 = problem.xy.min(axis=0)
    x1, y1 = problem.xy.max(axis=0)
    return Grid.over((x0, x1), (y0, y1), side)


def fresh(grid: Grid) -> Grid:
    """The same places as another object, so that nothing remembered helps."""
    return Grid(grid.x, grid.y)
