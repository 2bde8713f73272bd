"""Independent jobs on both cores, with the same results in the same order as on one.

Two threads fit trees no faster than one, which is Python's lock; a second process does, once it
runs. So a run begins alone, and a helping process is asked when there is work left for it that
takes longer than its start.
"""

import os
import pickle
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from os import cpu_count
from typing import Any, TypeVar

from engine.core.errors import EngineError
from engine.core.pickled import packed
from engine.core.registry import own_pages
from engine.core.work import Work, finished
from engine.experiments.parts.helper import Fault, Gone, ask

R = TypeVar("R")
J = TypeVar("J")
C = TypeVar("C")
Task = Callable[[C, J], Work[R]]  # (what all jobs share, one job) -> its result, in parts
ALONE = 0.3  # seconds before it is clear how long the rest takes
WORTH = 2.0  # seconds of work left for which a second process is started
CHUNK = 0.25  # seconds of work that it is handed at a time
NAP = 0.005
FAILED = {
    Gone: "The process that helps to fit learners could not be used.",
    Fault: (
        "A fit raised an error in the process that helps, which is a fault of the program or of an"
        " algorithm of your own."
    ),
}


class HelperWarning(RuntimeWarning):
    """The helping process failed: the results are whole, made in this process alone."""


def done(task: Task[C, J, R], common: C, jobs: Sequence[J]) -> Iterator[R | EngineError | None]:
    """The result of each job in order, an EngineError where it raised one; None is a pulse. task: a
    function of a module. Nobody is asked to help where LEARNSCOPE_HELPER=never.
    """
    todo = deque(range(len(jobs)))
    found = dict[int, Any]()
    told = 0
    count = 0
    shared = b""
    begun = time.perf_counter()
    handed: tuple[list[int], Future[list[Any]]] | None = None
    alone = (cpu_count() or 1) < 2 or os.environ.get("LEARNSCOPE_HELPER") == "never"
    try:
        while told < len(jobs):
            if handed is not None and handed[1].done():
                todo, alone = _taken(handed, found, todo)
                handed = None
            seconds = time.perf_counter() - begun
            each = seconds / max(count, 1)
            if (
                not alone
                and handed is None
                and seconds > ALONE
                and each * len(todo) > (CHUNK if shared else WORTH)
            ):
                shared = shared or packed(common)
                chunk = [
                    todo.popleft() for _ in range(min(len(todo) // 2, max(1, int(CHUNK / each))))
                ]
                handed = chunk, ask(serve, (own_pages(), task, shared, [jobs[i] for i in chunk]))
            if todo:
                number = todo.popleft()
                found[number] = yield from _tried(task(common, jobs[number]))
                count += 1
            elif told not in found:
                time.sleep(NAP)
                yield None
            while told in found:
                yield found.pop(told)
                told += 1
    finally:
        if handed is not None:
            handed[1].cancel()


def serve(
    pages: Sequence[str], task: Task[Any, Any, Any], common: bytes, jobs: Sequence[Any]
) -> list[Any]:
    """What the other process does with its part; pages: files of algorithms that are not the lab's
    own.
    """
    known = own_pages()
    for page in pages:
        if page not in known:
            from engine.core.registry import add_algorithms

            add_algorithms(page)
    shared = pickle.loads(common)
    return [finished(_tried(task(shared, job))) for job in jobs]


def _tried(work: Work[R]) -> Work[R | EngineError]:
    try:
        return (yield from work)
    except EngineError as sentence:
        return sentence


def _taken(
    handed: tuple[list[int], Future[list[Any]]], found: dict[int, Any], todo: deque[int]
) -> tuple[deque[int], bool]:
    """What is left to do, and whether it is done alone from now on.

    A process that died has done nothing; a warning says of what.
    """
    try:
        found.update(zip(handed[0], handed[1].result(), strict=True))
        return todo, False
    except Gone as gone:
        warnings.warn(
            f"{FAILED[type(gone)]} The work goes on without it.\n{gone}",
            HelperWarning,
            stacklevel=2,
        )
        return deque(sorted([*handed[0], *todo])), True
