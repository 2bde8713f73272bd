"""Tasks for tests of `fits`, in a module that workers can import."""

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from engine.base.errors import EngineError
from engine.base.work import Work


class Common(NamedTuple):
    """parent: the process of the test; folder: in which each worker leaves a file with its number;
    awaited: how many of them the parent waits for; shared: whatever else.
    """

    parent: int
    folder: str
    awaited: int = 1
    shared: Any = None


def inverse(common: int, job: int) -> Work[float]:
    """Refuses 7."""
    yield
    time.sleep(0.01)
    if job == 7:
        raise EngineError("Not seven.")
    return common / job


def in_worker(common: Common) -> bool:
    """Whether this is one; the parent works slowly until so many workers have begun as it awaits,
    so that jobs are left for them.
    """
    if os.getpid() != common.parent:
        Path(common.folder, str(os.getpid())).touch()
        time.sleep(0.001)
        return True
    if len(os.listdir(common.folder)) < common.awaited:
        time.sleep(0.05)
    return False


def place(common: Common, job: int) -> Work[int]:
    """The process that does the job."""
    in_worker(common)
    yield
    return os.getpid()


def same_array(common: Common, job: int) -> Work[tuple[Any, Any, bool]]:
    """What is shared, whether it can be written to, and a new array that cannot."""
    in_worker(common)
    yield
    own = np.arange(float(job))
    own.setflags(write=False)
    return common.shared, own[::2], common.shared.flags.writeable


def kills_its_worker_once(common: Common, job: int) -> Work[int]:
    """By the signal that no process can refuse."""
    if in_worker(common) and not os.path.exists(common.shared):
        Path(common.shared).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    yield
    return job


def kills_every_worker(common: Common, job: int) -> Work[int]:
    if in_worker(common):
        os.kill(os.getpid(), signal.SIGKILL)
    yield
    return job


def leaves(common: Common, job: int) -> Work[int]:
    """Calls sys.exit() in a worker, as a page of one's own may."""
    if in_worker(common):
        sys.exit(5)
    yield
    return job


def not_to_be_packed(common: Common, job: int) -> Work[Any]:
    """In a worker a result that pickle refuses."""
    yield
    return memoryview(b"x") if in_worker(common) else job


class Unreadable:
    """Its pickle raises an error where it is read."""

    def __reduce__(self) -> Any:
        return int, ("no number",)


def not_to_be_read(common: Common, job: int) -> Work[Any]:
    """In a worker a result that cannot be read here."""
    yield
    return Unreadable() if in_worker(common) else job


def prints(common: Common, job: int) -> Work[bool]:
    """Whether it was printed in a worker."""
    yield
    print("a page prints")
    return in_worker(common)


def long_in_a_worker(common: Common, job: int) -> Work[int]:
    """A minute in a worker."""
    yield
    if in_worker(common):
        time.sleep(60)
    return job
