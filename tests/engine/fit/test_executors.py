"""Jobs on several workers give what they give on one, in order, whatever befalls the workers."""

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.base.errors import EngineError
from engine.fit import fits as module
from engine.fit.fits import WorkersWarning, fits, processes, use, workers
from tests.engine.fit import tasks


class Threads(ThreadPoolExecutor):
    """Counts the chunks that it was given; open: those that began their life and are not ended."""

    chunks = 0
    open = 0

    def __init__(self, count: int) -> None:
        super().__init__(count)
        Threads.open += 1

    def submit(self, *call: Any, **named: Any) -> Any:
        Threads.chunks += 1
        return super().submit(*call, **named)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        Threads.open -= 1
        super().shutdown(wait, cancel_futures=cancel_futures)


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two workers, processes, that are inspected after the first job or two."""
    monkeypatch.setenv("LEARNSCOPE_JOBS", "2")
    monkeypatch.setattr(module, "ALONE", 0.005)
    monkeypatch.setattr(module, "WORTH", 0.0)
    monkeypatch.setattr(module, "CHUNK", 0.02)


@pytest.fixture
def threads(two: None) -> Iterator[type[Threads]]:
    """The two are threads."""
    Threads.chunks = Threads.open = 0
    use(Threads)
    yield Threads
    use(processes)


@pytest.fixture
def start() -> Iterator[Callable[[Any], None]]:
    """Sets where workers come from, until the end of the test."""
    yield use
    use(processes)


def results(task: Any, common: Any, jobs: Any) -> list[Any]:
    return [found for found in fits(task, common, jobs) if found is not None]


def test_one_worker_starts_no_executor(
    start: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEARNSCOPE_JOBS", "1")
    monkeypatch.setattr(module, "WORTH", 0.0)
    monkeypatch.setattr(module, "ALONE", 0.0)
    start(lambda count: pytest.fail("an executor was started"))
    assert results(tasks.inverse, 1, range(1, 5)) == [1, 1 / 2, 1 / 3, 1 / 4]


def test_a_small_run_starts_no_executor(
    start: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEARNSCOPE_JOBS", "2")
    start(lambda count: pytest.fail("an executor was started"))
    assert len(results(tasks.inverse, 1, range(1, 80))) == 79


@pytest.mark.parametrize("wanted", ["never", "0", "-1", "1.5"])
def test_a_number_of_workers_that_is_none_is_said(
    wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEARNSCOPE_JOBS", wanted)
    with pytest.raises(EngineError, match=r"LEARNSCOPE_JOBS must be a whole number from 1"):
        results(tasks.inverse, 1, [1])


def test_there_are_as_many_workers_as_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LEARNSCOPE_JOBS")
    assert 1 <= workers() <= (os.cpu_count() or 1)


def test_results_come_in_order_with_refusals_among_them_and_pulses(threads: type[Threads]) -> None:
    found = list(fits(tasks.inverse, 1, range(1, 60)))
    answers = [each for each in found if each is not None]
    assert str(answers[6]) == "Not seven."
    assert isinstance(answers[6], EngineError)
    assert answers[:6] + answers[7:] == [1 / job for job in range(1, 60) if job != 7]
    assert None in found
    assert threads.chunks > 0
    assert threads.open == 0


def test_few_chunks_are_in_the_hands_of_the_workers(
    two: None, start: Callable[[Any], None]
) -> None:
    """So that little is left undone when a run is stopped; and nothing of it goes on."""
    made: list[Any] = []

    class Never(Executor):
        """Begins nothing."""

        def __init__(self, count: int) -> None:
            made.append(self)
            self.given: list[Future[Any]] = []

        def submit(self, *call: Any, **named: Any) -> Any:
            self.given.append(Future())
            return self.given[-1]

    start(Never)
    run = fits(tasks.inverse, 1, range(1, 100))
    pulses = [next(run) for _ in range(300)]
    assert len([each for each in pulses if each is not None]) >= 1
    (never,) = made
    assert len(never.given) == module.EACH * 2
    run.close()  # type: ignore[attr-defined]
    assert all(future.cancelled() for future in never.given)


def test_workers_that_cannot_be_started_are_done_without(
    two: None, start: Callable[[Any], None]
) -> None:
    def broken(count: int) -> Executor:
        raise OSError("no semaphores here")

    start(broken)
    with pytest.warns(WorkersWarning, match=r"(?s)could not be used.*without them.*no semaphores"):
        assert results(tasks.inverse, 1, range(1, 7)) == [1 / job for job in range(1, 7)]


def test_workers_that_die_again_and_again_are_done_without(
    two: None, start: Callable[[Any], None]
) -> None:
    started = []

    class Dies(Executor):
        def __init__(self, count: int) -> None:
            started.append(count)

        def submit(self, *call: Any, **named: Any) -> Any:
            raise BrokenExecutor("a worker died")

    start(Dies)
    with pytest.warns(WorkersWarning, match=r"(?s)could not be used.*a worker died"):
        assert results(tasks.inverse, 1, range(1, 7)) == [1 / job for job in range(1, 7)]
    assert len(started) == module.DEATHS + 1


def test_an_error_is_a_fault_that_is_said_with_its_traceback(threads: type[Threads]) -> None:
    """And raised where the job is done again."""
    with (
        pytest.warns(WorkersWarning, match=r"(?s)fault of the program.*ZeroDivisionError"),
        pytest.raises(ZeroDivisionError),
    ):
        results(tasks.inverse, 1, [1, 2, 3, 4, 5, 6, 8, 0, 9])


# -- processes -------------------------------------------------------------------------------------


@pytest.fixture
def common(tmp_path: Path) -> tasks.Common:
    return tasks.Common(os.getpid(), str(tmp_path))


@pytest.mark.slow
def test_processes_do_the_work_and_this_one_only_its_begin(two: None, common: tasks.Common) -> None:
    found = results(tasks.place, common, range(1_000))
    others = set(found) - {os.getpid()}
    assert found[0] == os.getpid()
    assert found[-1] != os.getpid()
    assert {str(number) for number in others} == set(os.listdir(common.folder))
    assert 1 <= len(others) <= 2
    no_process_is_left(others)


@pytest.mark.slow
def test_arrays_that_cannot_be_written_to_stay_so_on_their_way_there_and_back(
    two: None, common: tasks.Common
) -> None:
    shared = np.arange(12.0).reshape(3, 4)[:, ::2]
    shared.setflags(write=False)
    for again, own, writeable in results(
        tasks.same_array, common._replace(shared=shared), range(500)
    ):
        assert (writeable, again.flags.writeable, own.flags.writeable) == (False, False, False)
        assert again.tolist() == shared.tolist()
    assert again is not shared


@pytest.mark.slow
def test_the_chunks_of_a_worker_that_is_killed_are_sent_again(
    two: None, common: tasks.Common, tmp_path_factory: pytest.TempPathFactory
) -> None:
    mark = tmp_path_factory.mktemp("marks") / "killed"
    awaited = common._replace(awaited=3, shared=str(mark))  # the third comes after the death
    assert results(tasks.kills_its_worker_once, awaited, range(1_000)) == list(range(1_000))
    assert mark.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "awaited", "said"),
    [
        (tasks.kills_every_worker, module.DEATHS + 1, "could not be used"),
        (tasks.leaves, 1, r"fault of the program.*SystemExit"),
        (tasks.not_to_be_packed, 1, r"fault of the program.*pickle"),
        (tasks.not_to_be_read, 1, r"fault of the program.*no number"),
    ],
)
def test_whatever_workers_do_the_results_are_whole(
    two: None, common: tasks.Common, task: Any, awaited: int, said: str
) -> None:
    with pytest.warns(WorkersWarning, match=f"(?s){said}"):
        found = results(task, common._replace(awaited=awaited), range(1_000))
    assert found == list(range(1_000))


@pytest.mark.slow
def test_what_a_page_prints_in_a_worker_is_not_among_the_output(
    two: None, common: tasks.Common, capfd: pytest.CaptureFixture[str]
) -> None:
    there = results(tasks.prints, common, range(500)).count(True)
    said = capfd.readouterr()
    assert there > 0
    assert said.err.count("a page prints") >= there
    assert said.out.count("a page prints") == 500 - there


@pytest.mark.slow
def test_a_run_that_is_stopped_ends_its_workers_at_once(two: None, common: tasks.Common) -> None:
    """Also those in the middle of a fit of a minute."""
    run = fits(tasks.long_in_a_worker, common._replace(awaited=2), range(100_000))
    begun = time.monotonic()
    while len(os.listdir(common.folder)) < 2 and time.monotonic() < begun + 60:
        next(run)
    found = set(map(int, os.listdir(common.folder)))
    assert len(found) == 2
    begun = time.monotonic()
    run.close()  # type: ignore[attr-defined]
    assert time.monotonic() - begun < 1.0
    no_process_is_left(found)


@pytest.mark.slow
def test_a_run_that_is_stopped_says_nothing(
    two: None, common: tasks.Common, caplog: pytest.LogCaptureFixture
) -> None:
    """Loky's thread logs a fault of its own where work was cancelled before its end."""
    for attempt in range(4):
        folder = Path(common.folder, str(attempt))
        folder.mkdir()
        run = fits(tasks.place, common._replace(folder=str(folder)), range(10**6))
        while not os.listdir(folder):
            next(run)
        for _ in range(50):
            next(run)
        run.close()  # type: ignore[attr-defined]
        no_process_is_left(set(map(int, os.listdir(folder))))
    assert caplog.messages == []


def no_process_is_left(numbers: set[int]) -> None:
    """None of them is running after a while."""
    begun = time.monotonic()
    while any(map(running, numbers)):
        assert time.monotonic() < begun + 20
        time.sleep(0.02)


def running(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True
