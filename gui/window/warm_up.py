"""What a person would wait for at its first use, made ready on a thread while the window stands."""

import gc
import importlib
import threading
import time

from engine.files.books import in_my_book
from engine.protocol.registry import algorithms
from gui.setup import picker_catalogue

WAIT = 0.4  # seconds until the window has been painted for the first time
LIBRARIES = ("engine.read.guess", "scipy.spatial", "scipy.optimize", "contourpy")


def start() -> threading.Thread:
    """The thread at work; it makes no widget and ends by itself."""
    thread = threading.Thread(target=_prepare, name="warm-up", daemon=True)
    thread.start()
    return thread


def _prepare() -> None:
    time.sleep(WAIT)
    for method in algorithms().values():
        method.beside.read()  # the words and the picture of a method that is chosen
    in_my_book()
    picker_catalogue.load_all()  # the list of data says of each whether it suits
    for name in LIBRARIES:  # opening a table; surfaces, cells and borders
        importlib.import_module(name)
    gc.freeze()  # the collector would look through all of it, longer than a frame takes
