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
gui.launch.check_start = lambda: print("engine.timeline.run" in sys.modules, "PySide6" in sys.modules, gc.isenabled()) or "enough"
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
import threading
from engine.core import registry
import gui.app
gui.app.application(())
import gui.window.warm_up as warm
before = registry.algorithms.cache_info().currsize
beside = threading.Thread(target=warm._beside, args=(threading.Event(),))
beside.start(), beside.join()
print(before, registry.algorithms.cache_info().currsize)
import sys
trees = "engine.algorithms.trees.regression_tree"
print(*(f"{trees}.{part}" in sys.modules for part in ("words", "picture")))
""")
    assert found == [
        "0",
        "1",
        "True",
        "True",
    ], "with the files that its picture and its words stand in"
