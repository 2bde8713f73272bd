"""An exception raised in C code inside a method that Qt calls reaches Python; the
process lives on.
"""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

FAULTY = """
import sys
import numpy as np
from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication, QListView, QWidget
from gui.base.guard import guarded, guarded_filter

told = []
sys.excepthook = lambda kind, fault, where: told.append(kind.__name__)

class Faulty(QWidget):
    @guarded
    def resizeEvent(self, event): [][0]
    @guarded
    def paintEvent(self, event):
        with QPainter(self) as painter:
            np.reshape(np.zeros(3), (2, 2))
    @guarded
    def sizeHint(self): return QSize(1 // 0, 1)
    @guarded_filter
    def eventFilter(self, watched, event): return 1 / 0 if event.type() == QEvent.Type.User else False

class Rows(QAbstractListModel):
    @guarded
    def rowCount(self, parent=QModelIndex()): return 1
    @guarded
    def data(self, index, role=0): return {}["none"]

def enter(call, *given):
    try:
        call(*given)
    except Exception as fault:
        told.append(type(fault).__name__)

app = QApplication([])
one, rows = Faulty(), QListView()
one.installEventFilter(one)
rows.setModel(Rows())
for call, *given in (
    (one.resize, 30, 40), (one.show,), (one.grab,), (one.adjustSize,), (QApplication.sendEvent, one, QEvent(QEvent.Type.User)),
    (rows.show,), (rows.grab,), (app.processEvents,),
):
    enter(call, *given)
print(" ".join(sorted(set(told))))
"""


def after(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120
    )


def test_a_fault_of_c_code_inside_qt_is_reported_and_ends_nothing() -> None:
    done = after(FAULTY)
    assert (done.returncode, done.stdout.split()) == (
        0,
        ["IndexError", "KeyError", "ValueError", "ZeroDivisionError"],
    )


WINDOW = """
import sys
import tempfile
from PySide6.QtCore import QSettings
from gui.app import application, open_window, report_faults
import gui.timeline.timeline as timeline, gui.timeline.counter as counter, gui.figures.plot as plot

app = application(["learnscope"])
with tempfile.TemporaryDirectory() as folder:
    window = open_window(QSettings(folder + "/settings.ini", QSettings.Format.IniFormat))
    told = []
    report_faults(window)
    hook = sys.excepthook
    sys.excepthook = lambda kind, fault, where: (told.append(kind.__name__), hook(kind, fault, where))
    window.show()
    def broken(self, *given): return [][0]
    timeline.Timeline._now = broken
    for call, *given in ((window.resize, 1000, 700), (window.grab,), (app.processEvents,)):
        try:
            call(*given)
        except IndexError as fault:
            told.append(type(fault).__name__)
    print(*sorted(set(told)), flush=True)
    del timeline.Timeline._now
    window.session.close()
    import os
    os._exit(0)
"""


@pytest.mark.slow
def test_the_window_outlives_a_fault_in_its_timeline() -> None:
    done = after(WINDOW)
    assert done.returncode == 0
    assert (
        "IndexError" in done.stdout.split()
    )  # PySide adds a SystemError where Python is called while one is under way
