"""What the first window does not wait for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.slow


def printed(script: str) -> list[str]:
    around = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    given = [sys.executable, "-c", script]
    return subprocess.run(
        given, cwd=ROOT, env=around, capture_output=True, text=True, check=True
    ).stdout.split()


def test_the_engine_is_there_before_qt_and_no_garbage_is_looked_for_meanwhile() -> None:
    """Qt's binding reads the source of each module that is imported after it."""
    found = printed("""
import gc, sys
import gui.launch, main
gui.launch.check_start = lambda: print("engine.runs.run" in sys.modules, "PySide6" in sys.modules, gc.isenabled()) or "enough"
main.main([])
""")
    assert found == ["True", "False", "False"]


def test_methods_are_not_imported_for_it_and_what_was_imported_is_no_garbage() -> None:
    found = printed("""
import gc, sys, time
import gui.app
from PySide6.QtWidgets import QApplication
def some_time():
    end = time.monotonic() + 0.2
    while time.monotonic() < end:
        QApplication.processEvents()
    pages = [name for name in sys.modules if name.startswith("engine.algorithms.rules.")]
    print(any(each.isVisible() for each in QApplication.topLevelWidgets()), pages, gc.get_freeze_count() > 50_000)
    return 0
QApplication.exec = lambda *given: some_time()
gui.app.main([])
""")
    assert found == ["True", "[]", "True"]


def test_soon_after_they_are_all_there_from_another_thread() -> None:
    found = printed("""
import sys
from engine.protocol import registry
from engine.files import books
import gui.app
from gui.window import warm_up
before = registry.algorithms.cache_info().currsize
warm_up.start().join()
print(before, registry.algorithms.cache_info().currsize, books.ready())
trees = "engine.algorithms.trees.regression_tree"
print(*(f"{trees}.{part}" in sys.modules for part in ("words", "picture")))
""")
    assert found == [
        "0",
        "1",
        "True",
        "True",
        "True",
    ], "with the files that its picture and its words stand in"


def least(script: str, limit: float) -> float:
    """The least number that one of three processes prints, the first below the limit: what a busy
    machine adds to processor time differs from one to the next.
    """
    found: list[float] = []
    while len(found) < 3 and min(found, default=limit) >= limit:
        found.append(float(printed(script)[-1]))
    return min(found)


def test_in_my_book_opens_at_once_also_before_anything_was_made_ready() -> None:
    """Milliseconds of the window's thread, which has loaded the methods for nothing else yet."""
    took = least(
        """
import time
from engine.protocol.registry import algorithms
import gui.app
window = gui.app.open_window()
window.show()
algorithms()
began = time.thread_time()
window.action("book").trigger()
print(1000 * (time.thread_time() - began), flush=True)
import os
os._exit(0)
""",
        300,
    )
    assert took < 300


def test_nothing_holds_the_window_up_while_more_is_made_ready() -> None:
    """Milliseconds of the window's thread for the longest turn of its event loop, from its second
    frame on.
    """
    took = least(
        """
import os, time
import gui.app
from gui.window import warm_up
from PySide6.QtWidgets import QApplication
window = gui.app.open_window()
window.show()
for _ in range(20):
    QApplication.processEvents()
    time.sleep(0.02)
warming = warm_up.start()
longest = 0.0
while warming.is_alive():
    began = time.thread_time()
    QApplication.processEvents()
    longest = max(longest, time.thread_time() - began)
    time.sleep(0.005)
print(1000 * longest, flush=True)
os._exit(0)
""",
        50,
    )
    assert took < 50
