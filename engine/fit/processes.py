"""Workers that are processes on this machine, by loky: unlike those of `multiprocessing` they do
not run the script again that this process began with, which few people have written for that.
"""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from loky import ProcessPoolExecutor

from engine.base.place import ROOT
from engine.numerics.jit import allow_compiling

# What a worker begins with: it finds the engine, which may stand within a package, and nothing else
# there.
FIRST = (
    "import sys; sys.path.insert(0, root); from engine.fit.processes import begin;"
    " sys.path.remove(root); begin(parent)"
)
PATIENCE = 0.5  # seconds between two looks whether the parent is alive


class Processes(ProcessPoolExecutor):  # type: ignore[misc]  # loky has no types
    """An executor with worker processes that import the engine and installed packages, nothing from
    the folder in which the user works.

    ends_work: that `shutdown` ends all work by itself. Loky's thread fails, and logs it as its own
    fault, where work has been cancelled before.
    """

    ends_work = True

    def __init__(self, count: int) -> None:
        places = outside_the_working_folder()
        with in_environment(places):  # loky's own helper, which watches over what processes share
            super().__init__(
                count,
                initializer=exec,
                initargs=(FIRST, {"root": str(ROOT), "parent": os.getpid()}),
                env={**places, "LEARNSCOPE_JOBS": "1"},
            )
            if os.name == "posix":  # a second one, of the standard library
                from multiprocessing.resource_tracker import ensure_running

                ensure_running()

    def shutdown(self, wait: bool = True, kill_workers: bool = True) -> None:
        """End the processes at once, whatever they work on."""
        super().shutdown(wait, kill_workers)


def begin(parent: int) -> None:
    """Prepares a new worker process. parent: the id of the process that started it"""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C ends the parent, and so this one
    if sys.stderr is None:  # of a window on Windows
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - kept to the end
    sys.stdout = sys.stderr  # the parent's output is the parent's
    allow_compiling()
    threading.Thread(target=end_with, args=(parent,), daemon=True).start()


def end_with(parent: int) -> None:
    """End this process when its parent has ended, in whatever way."""
    known = multiprocessing.parent_process()
    if sys.platform == "win32":
        assert known is not None
        known.join()
    else:
        while os.getppid() == parent:
            time.sleep(PATIENCE)
    os._exit(1)


def outside_the_working_folder() -> dict[str, str]:
    """The environment of a process that finds no modules in the folder in which it happens to work.

    Of PYTHONPATH the entries stay that name a folder by its whole path, other than this one: an
    empty or relative entry means the folder in which a process works.
    """
    here: set[str] = set()
    with suppress(OSError):  # the working folder may have been deleted
        here.add(os.path.realpath(os.getcwd()))
    listed = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    paths = [path for path in listed if os.path.isabs(path) and os.path.realpath(path) not in here]
    return {"PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(paths)}


@contextmanager
def in_environment(values: dict[str, str]) -> Iterator[None]:
    """A context in which new processes get these environment variables."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
