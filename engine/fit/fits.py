"""Independent jobs on all cores, with the same results in the same order as on one.

Threads fit trees no faster than one, which is Python's lock, so other processes do. A run begins in
this process alone: workers are started once seconds of work are left, and this process goes on
until the first of them has answered. Nothing here knows what kind of workers they are: anything
that is a `concurrent.futures.Executor` will do, the default are processes of loky on this machine.
"""

import os
import sys
import time
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from itertools import islice
from typing import Generic, TypeVar

from engine.base.errors import EngineError
from engine.base.notation import quoted
from engine.base.pickled import packed, unpacked
from engine.base.work import Work, finished
from engine.protocol.registry import add_algorithms, own_pages

R = TypeVar("R")
J = TypeVar("J")
C = TypeVar("C")
Task = Callable[[C, J], Work[R]]  # (what all jobs share, one job) -> its result, in parts
JOBS = "LEARNSCOPE_JOBS"  # in the environment: how many workers, 1: none, all in this process
ALONE = 0.3  # seconds before it is clear how long the rest takes
WORTH = 2.0  # seconds of work left for which workers are started
CHUNK = 0.25  # seconds of work in a chunk
EACH = 2  # chunks of a worker that are handed out at a time: one that it works on, one that waits
LEAST = 1e-6  # seconds, the shortest job that counts
DEATHS = 3  # of workers, after which a run goes on without them
NAP = 0.005  # seconds between two looks whether a worker has answered
UNUSABLE = "The processes that help to fit learners could not be used."
FAULT = (
    "A fit raised an error in a process that helps, which is a fault of the program or of an"
    " algorithm of your own."
)


class WorkersWarning(RuntimeWarning):
    """Workers failed: the results are whole, the rest of them made in this process."""


class Lost(Exception):
    """Raised where workers are of no use; the text says why, with the traceback of the error."""

    def __init__(self, sentence: str, error: BaseException) -> None:
        trace = "".join(traceback.format_exception(error))
        super().__init__(f"{sentence} The work goes on without them.\n{trace}")


def processes(count: int) -> Executor:
    """An executor with `count` worker processes on this machine."""
    from engine.fit.processes import Processes  # its import takes as long as many a small run

    return Processes(count)


_start: Callable[[int], Executor] = processes


def use(start: Callable[[int], Executor]) -> None:
    """From now on runs get their workers from `start(count)`, called by each run that has work for
    them. Its executor is shut down at the end of that run.
    """
    global _start
    _start = start


def workers() -> int:
    """How many there are to be: LEARNSCOPE_JOBS, else as many as this process may use cores.

    Raises EngineError where LEARNSCOPE_JOBS is no whole number from 1.
    """
    wanted = os.environ.get(JOBS)
    frozen = getattr(sys, "frozen", False)
    if not wanted and sys.platform == "win32" and frozen:
        return 1  # loky cannot start processes of a frozen program there
    if not wanted:
        return cores()
    if not (wanted.isdecimal() and int(wanted)):
        raise EngineError(f"{JOBS} must be a whole number from 1; it is {quoted(wanted)}.")
    return int(wanted)


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def fits(task: Task[C, J, R], common: C, jobs: Sequence[J]) -> Iterator[R | EngineError | None]:
    """The result of each job in order, an EngineError where it raised one; None is a pulse.

    task: a function of a module, given `common` and a job; its result depends on nothing else.
    """
    count = workers()
    todo = deque(range(len(jobs)))
    found: dict[int, R | EngineError] = {}
    crew: Crew[C, J, R] | None = None
    alone = count == 1
    made = 0
    begun = time.perf_counter()
    try:
        for number in range(len(jobs)):
            while number not in found:
                seconds = time.perf_counter() - begun
                each = seconds / max(made, 1)
                if crew is None and not alone and seconds > ALONE and each * len(todo) > WORTH:
                    crew = Crew(task, common, jobs, count, each)
                if crew is not None:
                    try:
                        crew.take_turn(todo, found)
                    except Lost as lost:
                        warnings.warn(str(lost), WorkersWarning, stacklevel=2)
                        crew.give_back(todo)
                        crew.dismiss()
                        crew = None
                        alone = True
                if todo and (crew is None or not crew.answered):
                    own = todo.popleft()
                    found[own] = yield from tried(task(common, jobs[own]))
                    made += 1
                elif number not in found:
                    time.sleep(NAP)
                    yield None
            yield found.pop(number)
    finally:
        if crew is not None:
            crew.dismiss()


class Crew(Generic[C, J, R]):
    """The workers of a run and the chunks of jobs they have.

    each: seconds that a job takes
    answered: whether a chunk has come back
    """

    def __init__(
        self, task: Task[C, J, R], common: C, jobs: Sequence[J], count: int, each: float
    ) -> None:
        self.task = task
        self.common = common
        self.packed = packed(common)
        self.jobs = jobs
        self.count = count
        self.each = each
        self.executor: Executor | None = None
        self.chunks: dict[Future[tuple[bytes, float]], list[int]] = {}
        self.deaths = 0
        self.answered = False

    def take_turn(self, todo: "deque[int]", found: dict[int, R | EngineError]) -> None:
        """Add the results that have come back to `found`, by the numbers of their jobs, and hand
        out further chunks of `todo`; those of workers that died are handed to others.

        Raises Lost where no worker can be started, where they die again and again, and where a job
        raised anything but an EngineError.
        """
        try:
            self.collect(found)
            self.hand_out(todo)
        except (BrokenExecutor, CancelledError) as death:
            self.deaths += 1
            if self.deaths > DEATHS:
                raise Lost(UNUSABLE, death) from death
            self.give_back(todo)
            self.dismiss()

    def collect(self, found: dict[int, R | EngineError]) -> None:
        """Add the results of finished chunks to `found`."""
        for future in [future for future in self.chunks if future.done()]:
            error = future.exception()
            if isinstance(error, BrokenExecutor):
                raise error
            if error is not None:
                raise Lost(FAULT, error)
            answer, seconds = future.result()
            try:
                results = unpacked(answer, self.common)
            except Exception as unreadable:
                raise Lost(FAULT, unreadable) from unreadable
            chunk = self.chunks.pop(future)
            found.update(zip(chunk, results, strict=True))
            self.each = seconds / len(chunk)
            self.answered = True

    def hand_out(self, todo: "deque[int]") -> None:
        """Give chunks of `todo` to the workers until they have enough."""
        most = EACH * self.count
        while todo and len(self.chunks) < most:
            size = min(int(CHUNK / max(self.each, LEAST)), len(todo) // most)
            chunk = list(islice(todo, max(1, size)))
            call = packed((self.task, [self.jobs[number] for number in chunk]))
            future = self.submit(call)
            self.chunks[future] = chunk
            for _ in chunk:
                todo.popleft()

    def submit(self, call: bytes) -> Future[tuple[bytes, float]]:
        """A future of one call of `serve`; the first call starts the workers."""
        try:
            if self.executor is None:
                self.executor = _start(self.count)
            return self.executor.submit(serve, own_pages(), self.packed, call)
        except BrokenExecutor:
            raise
        except Exception as error:
            raise Lost(UNUSABLE, error) from error

    def give_back(self, todo: "deque[int]") -> None:
        """Put the chunks that workers have not finished back into `todo`."""
        numbers = sorted(number for chunk in self.chunks.values() for number in chunk)
        self.chunks.clear()
        todo.extendleft(reversed(numbers))

    def dismiss(self) -> None:
        """End the workers without waiting for their work."""
        if self.executor is None:
            return
        if not getattr(self.executor, "ends_work", False):
            for future in self.chunks:
                future.cancel()
        self.executor.shutdown(wait=False)
        self.executor = None


def serve(pages: Sequence[str], common: bytes, call: bytes) -> tuple[bytes, float]:
    """(results of a chunk, packed; seconds that they took), computed in a worker.

    pages: files of algorithms that are not the lab's own; call: a task and its jobs, packed as
    `common` is: pickle alone, of whatever executor, would make read-only arrays writable.
    """
    known = own_pages()
    for page in pages:
        if page not in known:
            add_algorithms(page)
    task, jobs = unpacked(call)
    shared = unpacked(common)
    begun = time.perf_counter()
    results = [finished(tried(task(shared, job))) for job in jobs]
    seconds = time.perf_counter() - begun
    return packed(results, shared), seconds


def tried(work: Work[R]) -> Work[R | EngineError]:
    """The result of the work, or the EngineError that it raised."""
    try:
        return (yield from work)
    except EngineError as refusal:
        return refusal
