"""One lane at work: its run belongs to one thread at a time."""

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import engine
from engine.document.lane import lane
from engine.document.lane_run import LaneRun
from engine.protocol.step import Level, Pace

STEPS = 400
THREADS = 4
PATIENCE = 30.0


def a_run() -> LaneRun:
    problem = engine.prepare(engine.generate("moons", 40, noise=0.4, seed=1))
    return LaneRun(lane("perceptron", rounds=1000), problem, Pace(Level.STEP))


def at_once(work: Callable[[], None]) -> None:
    """Done by several threads at the same time."""
    threads = [threading.Thread(target=work, daemon=True) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert not any(thread.is_alive() for thread in threads)


@pytest.mark.parametrize("wait", [0.0, 0.001, -1.0])
def test_several_threads_record_the_run_that_one_does(wait: float) -> None:
    alone, run = a_run(), a_run()
    alone.advance(float("inf"), STEPS)

    def record() -> None:
        while not run.over and len(run.trace) < STEPS:
            run.advance(1e-4, STEPS, wait=wait)

    at_once(record)
    assert run.error == ""
    assert len(run.trace) == STEPS
    assert all(
        one.line == other.line and np.array_equal(one.state.w, other.state.w)
        for one, other in zip(run.trace, alone.trace, strict=True)
    )


def test_a_thread_that_does_not_wait_leaves_a_run_in_which_another_one_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The window's thread never waits for a long step of the worker."""
    run = a_run()
    inside = threading.Event()
    leave = threading.Event()
    real: Any = run.run.advance

    def long_step(*args: Any, **named: Any) -> int:
        inside.set()
        assert leave.wait(PATIENCE)
        return int(real(*args, **named))

    monkeypatch.setattr(run.run, "advance", long_step)
    worker = threading.Thread(target=run.advance, args=(0.0, 1), daemon=True)
    worker.start()
    assert inside.wait(PATIENCE)
    begun = time.perf_counter()
    assert not run.advance(10.0, STEPS, wait=0.0)
    assert time.perf_counter() - begun < 5.0
    assert len(run.trace) == 0
    leave.set()
    worker.join(PATIENCE)
    assert run.advance(10.0, 2, wait=0.0)
    assert len(run.trace) == 2
    assert run.error == ""


def test_a_run_that_failed_is_free_again() -> None:
    run = a_run()

    def broken(*_: Any) -> int:
        raise ZeroDivisionError("of a page")

    run.run.advance = broken  # type: ignore[method-assign]
    assert run.advance(1.0, 5)
    assert "ZeroDivisionError" in run.error
    assert run.advance(1.0, 5, wait=0.0)


@pytest.mark.parametrize("fault", [SystemExit(1), GeneratorExit(), RuntimeError("no luck")])
def test_whatever_a_method_raises_ends_its_run_alone(
    monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    """sys.exit() in a page of one's own too."""

    def raises(*_: object) -> None:
        raise fault

    run = a_run()
    run.advance(float("inf"), 5)
    monkeypatch.setattr(run.run, "advance", raises)
    run.advance(float("inf"), 10)
    assert type(fault).__name__ in run.error
    assert len(run.trace) == 5
    assert run.over


def test_a_step_that_cannot_be_made_again_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def raises(*_: object) -> None:
        raise SystemExit

    run = a_run()
    run.advance(float("inf"), 5)
    monkeypatch.setattr(run.run.trace, "recall", raises, raising=False)
    assert run.recall(1, lambda: False)
    assert "SystemExit" in run.error
