"""A problem that was pickled, as a helping process has it, is learnt from as before, with compiled
loops in use.
"""

import pickle
from importlib.util import find_spec
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from engine.core.pickled import packed
from engine.core.step import Level, Pace
from engine.numerics.compiled import Loop, Numbers
from tests.engine.digests import fewer
from tests.engine.test_contract import every, record, some_rows, suitable, whole

MOST = 20  # steps of a run
needs_compiler = pytest.mark.xfail(find_spec("numba") is None, reason="there is none", strict=True)
always = patch.object(Loop, "compiled_for", lambda loop, turns: loop.compiled())


def total(values: Numbers) -> float:
    result = 0.0
    for value in values:
        result += value
    return result


@needs_compiler
def test_a_loop_takes_an_array_that_was_pickled() -> None:
    """Its dtype equals that of the loop and is another object."""
    array = pickle.loads(pickle.dumps(np.array([1.0, 2.5])))
    assert array.dtype is not np.dtype(np.float64)
    run = Loop(total).compiled()
    assert run is not None
    assert run(array) == 3.5


@pytest.mark.slow
@every
def test_every_algorithm_learns_the_same_from_an_unpickled_problem(algorithm: Any) -> None:
    problem = suitable(algorithm, *some_rows(algorithm))
    given = fewer(algorithm)
    with always:
        trace = record(algorithm, problem, pace=Pace(Level.ROUND), most=MOST, **given)
        again = record(
            algorithm, pickle.loads(packed(problem)), pace=Pace(Level.ROUND), most=MOST, **given
        )
    assert [step.line for step in again] == [step.line for step in trace]
    assert [whole(step.state) for step in again] == [whole(step.state) for step in trace]
