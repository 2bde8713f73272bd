"""Processes that fit find the engine and nothing of the user's, and end with the one that started
them.
"""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.engine.fit.test_executors import no_process_is_left

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]
# Values of PYTHONPATH; HERE is the folder in which the user works.
PATHS = (None, "", ".", os.pathsep, "HERE", "HERE" + os.pathsep + ".")
# A script as people write them, without `if __name__ == "__main__"`. PYTHONPATH is set within the
# process, so that it itself starts with modules that are none of the folder's.
EXPERIMENT = f"""
import os, sys
sys.path[:] = [{str(ROOT)!r}, *(path for path in sys.path if os.path.realpath(path) != os.getcwd())]
import engine
from engine.fit import fits
fits.WORTH, fits.ALONE, collected = 0.0, 0.05, fits.Crew.collect
came = 0
def collect(crew, found):
    global came
    before = len(found)
    collected(crew, found)
    came += len(found) - before
fits.Crew.collect = collect
data = engine.generate("blobs", 60)
for paths in {PATHS!r}:
    os.environ.pop("PYTHONPATH", None)
    if paths is not None:
        os.environ["PYTHONPATH"] = paths.replace("HERE", os.getcwd())
    came = 0
    trace = engine.run("learning_curve", data, learner="perceptron", trials=200)
    assert came > 0, paths
    print(len(trace), "steps")
"""
# Prints the numbers of its workers, and goes on for a minute.
LONG = """
import os
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # also where the shell ignores it
from engine.fit import fits
from tests.engine.fit import tasks
fits.WORTH, fits.ALONE = 0.0, 0.05
common = tasks.Common(os.getpid(), FOLDER, 2)
shown = False
for _ in fits.fits(tasks.long_in_a_worker, common, range(100_000)):
    if not shown and len(os.listdir(FOLDER)) == 2:
        shown = True
        print(*os.listdir(FOLDER), flush=True)
"""


def surroundings(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return {**kept, "LEARNSCOPE_JOBS": "2", **more}


def test_nothing_of_the_folder_in_which_the_user_works_is_imported(tmp_path: Path) -> None:
    """By an experiment whose learners are fitted by other processes; whatever folders PYTHONPATH
    names.
    """
    for name in ("numpy", "pickle", "engine", "sitecustomize", "random"):
        mark = tmp_path / f"{name} was run"
        (tmp_path / f"{name}.py").write_text(
            f"open({str(mark)!r}, 'w').close(); raise SystemExit(7)"
        )
    done = subprocess.run(
        [sys.executable, "-P", "-W", "error", "-c", EXPERIMENT],
        cwd=tmp_path,
        env=surroundings(),
        capture_output=True,
        text=True,
        timeout=120,
    )
    said = done.stderr
    assert not list(tmp_path.glob("* was run"))
    # seldom loky's tracker finds a semaphore gone already, and says so as a warning, here an error
    gone = re.fullmatch(r".*resource_tracker: /loky-\S+: FileNotFoundError.*\n", said, re.DOTALL)
    assert done.returncode == 0
    assert said == "" or gone
    assert done.stdout.count("steps\n") == len(PATHS)


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_their_parent_however_it_ends(
    tmp_path: Path, sent: signal.Signals
) -> None:
    """In the middle of a fit of a minute, whether the parent can say goodbye or not."""
    parent = subprocess.Popen(
        [sys.executable, "-c", LONG.replace("FOLDER", repr(str(tmp_path)))],
        cwd=ROOT,
        env=surroundings(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert parent.stdout is not None
        workers = set(map(int, parent.stdout.readline().split()))
        assert len(workers) == 2
        begun = time.monotonic()
        parent.send_signal(sent)
        parent.wait(30)
        no_process_is_left(workers)
        assert time.monotonic() - begun < 30
    finally:
        parent.kill()
        parent.wait()
