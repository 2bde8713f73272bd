"""The last step alone, for those who learn many times and look at the end only."""

import pytest

import engine
from engine.base.work import finished
from engine.protocol.step import Level, Pace
from engine.runs.run import Run


@pytest.mark.parametrize("most", [1, 7, 500])
def test_the_last_step_alone_is_that_of_the_recorded_run(most: int) -> None:
    algorithm = engine.algorithm("perceptron")
    problem = engine.prepare(engine.generate("moons", seed=2))
    whole = Run(algorithm, problem, algorithm.params(), 3, Pace(Level.ROUND))
    whole.advance(max_steps=most)
    alone = Run(algorithm, problem, algorithm.params(), 3, Pace(Level.ROUND))
    step = finished(alone.last(most))
    assert (step.line, step.events, dict(step.metrics)) == (
        whole.trace[-1].line,
        whole.trace[-1].events,
        dict(whole.trace[-1].metrics),
    )
    assert step.state.w.tolist() == whole.trace[-1].state.w.tolist()
    assert len(alone.trace) == 0


def test_a_run_may_stop_between_short_runs() -> None:
    algorithm = engine.algorithm("perceptron")
    problem = engine.prepare(engine.generate("moons", n=10, seed=2))
    assert None in list(Run(algorithm, problem, algorithm.params(), 3, Pace(Level.ROUND)).last(1))
