"""Imports and lists needed soon, prepared on a thread while the window is shown."""

import gc
import importlib
import threading
import time

from engine.files.books import in_my_book
from engine.lessons import library
from engine.protocol.registry import algorithms
from gui.setup import picker_catalogue

WAIT = 0.4  # seconds until the window has been painted for the first time
LIBRARIES = ("engine.read.guess", "scipy.spatial", "scipy.optimize", "contourpy")


def start() -> threading.Thread:
    """Start the thread; it creates no widgets and ends by itself."""
    thread = threading.Thread(target=_prepare, name="warm-up", daemon=True)
    thread.start()
    return thread


def _prepare() -> None:
    time.sleep(WAIT)
    for method in algorithms().values():
        method.beside.read()  # the words and the picture of each method
    in_my_book()
    library.shipped()  # the search finds lessons
    picker_catalogue.load_all()  # the list of data marks which tables suit
    for name in LIBRARIES:  # to open a table; for surfaces, cells and borders
        importlib.import_module(name)
    gc.freeze()  # else a garbage collection would scan all of this and stall a frame
