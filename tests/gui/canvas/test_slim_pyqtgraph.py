"""pyqtgraph without what the lab does not use: the same plane, and all the rest where somebody asks
for it.
"""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
USED = ("PlotWidget", "PlotItem", "ViewBox", "GraphicsObject", "AxisItem", "mkPen")

pytestmark = pytest.mark.slow


def printed(script: str) -> list[str]:
    """What a process of its own prints, word by word."""
    script = f"import sys\nfrom PySide6.QtWidgets import QApplication\n{script}"
    return subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()


def test_half_of_it_stays_out_and_qt_makes_no_class_that_nobody_uses() -> None:
    names = "[m for m in sys.modules if m.startswith('pyqtgraph')]"
    slim = int(printed(f"import gui.canvas.slim_pyqtgraph\nprint(len({names}))")[0])
    whole = int(printed(f"import pyqtgraph\nprint(len({names}))")[0])
    assert slim < whole / 2
    made = "print('QWizard' in vars(sys.modules['pyqtgraph.Qt.QtWidgets']))"
    assert printed(f"import gui.canvas.slim_pyqtgraph\n{made}") == ["False"]
    assert printed(f"import pyqtgraph\n{made}") == ["True"]


def test_what_is_used_is_pyqtgraphs_own() -> None:
    told = f"print(*(getattr(pg, name).__module__ for name in {USED!r}))"
    slim = printed(f"from gui.canvas.slim_pyqtgraph import pg\n{told}")
    assert slim == printed(f"import pyqtgraph as pg\n{told}")


def test_whoever_asks_for_more_gets_all_of_it() -> None:
    """Another script may plot beside the window, by the same classes."""
    found = printed("""
from gui.canvas.slim_pyqtgraph import pg
import pyqtgraph
from pyqtgraph.parametertree import Parameter
print(pyqtgraph.ImageItem.__module__, pyqtgraph.ColorMapMenu is not None, pyqtgraph.PlotWidget is pg.PlotWidget)
print(hasattr(pyqtgraph, "nonsense"), len(dir(pyqtgraph.QtWidgets)) > 0, pyqtgraph.QtWidgets.QWizard.__name__)
""")
    assert found == [
        "pyqtgraph.graphicsItems.ImageItem",
        "True",
        "True",
        "False",
        "True",
        "QWizard",
    ]


def test_qt_itself_is_left_as_it_was() -> None:
    found = printed("""
import PySide6.QtWidgets as Qt
before = set(dir(Qt))
import gui.canvas.slim_pyqtgraph
print(len(before) > 100, before <= set(dir(Qt)))
""")
    assert found == ["True", "True"]


def test_another_version_is_imported_as_it_is() -> None:
    found = printed("""
import importlib, pathlib
place = pathlib.Path("gui/canvas/slim_pyqtgraph.py")
space = {"__name__": "another"}
exec(compile(place.read_text("utf-8").replace('TRIED = "', 'TRIED = "not '), str(place), "exec"), space)
print("pyqtgraph.imageview" in sys.modules, space["pg"].ImageItem.__name__, space["pg"] is sys.modules["pyqtgraph"])
""")
    assert found == ["True", "ImageItem", "True"]


def test_one_that_is_imported_already_is_taken() -> None:
    assert printed(
        "import pyqtgraph\nfrom gui.canvas.slim_pyqtgraph import pg\nprint(pg is pyqtgraph)"
    ) == ["True"]
