"""What the program to double-click begins with: the lab, or one of the further processes that the
lab starts.

A frozen program is its own Python: where a checkout starts `python -m …` or `python -c …`, it is
started itself with these arguments.
"""

import multiprocessing
import runpy
import sys

WORKER = "loky.backend.popen_loky_posix"  # a process that fits learners
WATCHER = "from loky.backend.resource_tracker import main"  # tidies up behind those that died


def main() -> int:
    """The exit code."""
    multiprocessing.freeze_support()  # the watcher of the standard library
    if sys.argv[1:3] == ["-m", WORKER]:
        del sys.argv[1:3]
        runpy.run_module(WORKER, run_name="__main__", alter_sys=True)
        return 0
    if sys.argv[-2:-1] == ["-c"] and sys.argv[-1].startswith(WATCHER):
        exec(sys.argv[-1], {"__name__": "__main__"})
        return 0
    from main import main as learnscope

    return learnscope()


if __name__ == "__main__":
    sys.exit(main())
