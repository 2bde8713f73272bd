"""A problem that was pickled, as a helping process has it, is learnt from as before, with compiled
loops in use.
"""

import pickle
from typing import Any

import pytest

from engine.base.pickled import packed
from engine.protocol.step import Level, Pace
from tests.engine.digests import fewer
from tests.engine.numerics.test_jit import always
from tests.engine.test_contract import every, record, some_rows, suitable, whole

MOST = 20  # steps of a run


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
