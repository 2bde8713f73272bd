"""The background thread: it stands aside while the window paints, and goes on afterwards."""

import threading
import time
from collections.abc import Iterator

import pytest

import engine
from engine.document.lane import lane
from engine.document.lane_run import LaneRun
from engine.protocol.step import Level, Pace
from gui.session.workers import ASIDE, Wish, Worker

PATIENCE = 10.0


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker(lambda run_id: None, lambda key, raster: None)
    yield made
    made.close()


def endless() -> LaneRun:
    """Contradicting rows: the perceptron goes on until it is stopped."""
    problem = engine.prepare(engine.Dataset.from_arrays([[0.0, 1.0], [0.0, 1.0]], [1, -1]))
    return LaneRun(
        lane("perceptron", threshold="learned", rounds=100_000), problem, Pace(Level.STEP)
    )


def until(holds) -> bool:
    deadline = time.perf_counter() + PATIENCE
    while not holds() and time.perf_counter() < deadline:
        time.sleep(0.001)
    return holds()


def test_it_goes_on_as_soon_as_the_window_has_painted(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gui.session.workers.ASIDE", PATIENCE)
    run = endless()
    worker.give_way()
    worker.work_on([Wish(run, 2_000)])
    time.sleep(0.05)
    assert len(run.trace) == 0
    worker.go_on()
    assert until(lambda: len(run.trace) >= 2_000)


def test_a_window_that_never_tells_makes_it_wait_for_one_frame_only(worker: Worker) -> None:
    run = endless()
    began = time.perf_counter()
    worker.give_way()
    worker.work_on([Wish(run, 50)])
    assert until(lambda: len(run.trace) >= 50)
    assert time.perf_counter() - began >= ASIDE


def test_a_busy_hand_cannot_hold_it_for_ever(worker: Worker) -> None:
    run = endless()
    done = threading.Event()
    worker.work_on([Wish(run, 1_000_000)])

    def wave() -> None:
        while not done.is_set():
            worker.give_way()
            time.sleep(0.002)

    hand = threading.Thread(target=wave)
    hand.start()
    try:
        assert until(lambda: len(run.trace) >= 5)
    finally:
        done.set()
        hand.join()
        run.cancel()


def test_it_stands_aside_while_one_event_follows_the_other(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else each event that Python handles waits for the interpreter; the rest of a quiet window
    belongs to the run.
    """
    monkeypatch.setattr("gui.session.workers.QUIET", PATIENCE)
    monkeypatch.setattr("gui.session.workers.ASIDE", 2 * PATIENCE)
    run = endless()
    worker.hear()
    worker.work_on([Wish(run, 2_000)])
    time.sleep(0.05)
    assert len(run.trace) == 0
    monkeypatch.setattr("gui.session.workers.QUIET", 0.001)
    assert until(lambda: len(run.trace) >= 2_000)


def test_events_without_an_end_leave_it_a_slice_now_and_then(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gui.session.workers.QUIET", PATIENCE)
    run = endless()
    worker.hear()
    worker.work_on([Wish(run, 1_000_000)])
    assert until(lambda: len(run.trace) > 0)
    before = len(run.trace)
    assert until(lambda: len(run.trace) > before)


def test_spare_steps_wait_until_the_picture_stands_still(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a person scrubs over steps that are there no other thread has the interpreter."""
    monkeypatch.setattr("gui.session.workers.REST", PATIENCE)
    run = endless()
    worker.give_way()
    worker.go_on()
    worker.work_on([Wish(run, 2_000, 30)])
    assert until(lambda: len(run.trace) >= 30)
    time.sleep(0.05)
    assert len(run.trace) == 30 and not worker.idle
    monkeypatch.setattr("gui.session.workers.REST", 0.01)
    worker.give_way()
    worker.go_on()
    worker.work_on([Wish(run, 2_000, 30)])
    assert until(lambda: len(run.trace) >= 2_000)
    assert until(lambda: worker.idle)


def test_the_wishes_for_surfaces_are_looked_at_under_the_lock(worker: Worker) -> None:
    """The window's thread may add one at any moment: a dictionary must not grow while a loop goes
    through it.
    """
    looks = list[bool]()

    class Watched(dict):
        def values(self):
            looks.append(worker.wake._is_owned())
            return super().values()

    with worker.wake:
        worker.surfaces = Watched()
    worker.work_on([Wish(run := endless(), 1_000)])
    assert until(lambda: len(run.trace) >= 1_000)
    assert looks and all(looks)
