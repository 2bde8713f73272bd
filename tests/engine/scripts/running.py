"""Running a script in a namespace of its own, and how often it answers as the lab does."""

import contextlib
import io
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from engine.scripts import script_of
from engine.table.problem import Problem, Task

SIDE = 15  # places of the grid along each axis


def executed(text: str, file: Path | None = None) -> dict[str, Any]:
    """What a script leaves behind.

    It must bring all that it needs: nothing of the lab is named in it.
    """
    assert "engine" not in [word.strip("(),.") for word in text.split()]
    space: dict[str, Any] = {"__name__": "__main__", "__file__": str(file or "script.py")}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(text, "script", "exec"), space)
    space["__printed__"] = printed.getvalue()
    return space


def grid(problem: Problem) -> Any:
    """(m, d) places: over the plane a little beyond the rows, or rows with one value of another row
    without a plane.
    """
    if len(problem.plane) and problem.n:
        low, high, _ = problem.bounds
        away = 0.1 * (high - low) + 1e-3
        x, y = (np.linspace(a, b, SIDE) for a, b in zip(low - away, high + away, strict=True))
        return problem.from_plane(np.column_stack([axis.ravel() for axis in np.meshgrid(x, y)]))
    rng = np.random.default_rng(1)
    X = problem.X[rng.integers(problem.n, size=60)].copy()
    j = rng.integers(problem.d, size=len(X))
    X[np.arange(len(X)), j] = problem.X[rng.integers(problem.n, size=len(X)), j]
    return X


def equal_share(trace: Any, space: dict[str, Any], X: Any, close: float = 1e-6) -> float:
    """How many of the rows X get the answer of the lab; values are equal where they are as close,
    for their size.
    """
    if not len(X):
        return 1.0
    lab, own = np.asarray(trace.predict(X)), np.asarray(space["predict"](X))
    assert own.shape == lab.shape
    if trace.algorithm.task is not Task.CLUSTER and not trace.problem.classes:
        size = max(1e-9, float(np.nanmax(np.abs(lab), initial=0.0)))
        same = np.isclose(
            own.astype(float), lab.astype(float), rtol=close, atol=close * size, equal_nan=True
        )
        return float(same.mean())
    return float(np.mean([a == b for a, b in zip(own.tolist(), lab.tolist(), strict=True)]))


def shares(trace: Any) -> tuple[float, float, float, str]:
    """(equal on the rows, on the grid, the share that is stated, the script)."""
    made = script_of(trace)
    space = executed(made.text)
    assert np.allclose(
        space["X"],
        learnt_from(trace.problem, trace.algorithm),
        equal_nan=True,
        rtol=1e-12,
        atol=1e-12,
    )
    if not made.answers or trace.algorithm.predict is None:
        assert space["__printed__"].strip()
        return 1.0, 1.0, made.share, made.text
    X = learnt_from(trace.problem, trace.algorithm)
    found = [equal_share(trace, space, places, made.close) for places in (X, grid(trace.problem))]
    return found[0], found[1], made.share, made.text


def learnt_from(problem: Problem, algorithm: Any) -> Any:
    """The rows of a script's X: those with a class where classes are learnt."""
    if problem.classes and algorithm.task is not Task.CLUSTER:
        return problem.X[problem.labelled]
    if problem.regress and algorithm.task is not Task.CLUSTER:
        return problem.X[np.isfinite(problem.y)]
    return problem.X
