"""Evaluates the surfaces of a model on a grid of the plane."""

from typing import Any

import numpy as np

from engine.base.arrays import Float
from engine.base.errors import EngineError
from engine.base.grid import Grid
from engine.base.notation import quoted
from engine.protocol.algorithm import Algorithm
from engine.protocol.setting import AnySetting
from engine.runs.trace import Trace

LADDER = (48, 96, 192, 384)


def evaluate_field(
    algorithm: Algorithm[Any, Any], given: AnySetting, state: Any, name: str, grid: Grid
) -> Float:
    """Surface `name` of the model `state`: (ny, nx) floats, NaN where undefined.

    'class' holds class indices; without a function of its own it uses `predict`. Raises EngineError
    for an unknown surface.
    """
    function = algorithm.fields.get(name)
    if function is not None:
        values = function(given, state, grid)
    elif name == "class" and algorithm.predict is not None:
        values = algorithm.predict(given, state, given.problem.from_plane(grid.points())).reshape(
            grid.shape
        )
    else:
        raise EngineError(f"{algorithm.title} has no surface {quoted(name)}.")
    return np.asarray(values, dtype=np.float64)


def surface(trace: Trace, name: str, grid: Grid, at: int = -1) -> Float:
    """Surface `name` of the model at step `at` of a trace: (ny, nx)."""
    return evaluate_field(trace.algorithm, trace.given, trace[at].state, name, grid)
