"""What the first click on something would have to wait for, done once the window stands and nobody
waits.
"""

import gc
import importlib
import importlib.util
import threading
from collections.abc import Callable, Iterator
from functools import partial
from importlib.abc import InspectLoader

from PySide6.QtCore import QObject, QTimer

from engine.core.registry import algorithms
from gui.look import icons, theme
from gui.look.style_sheet import style_sheet
from gui.look.theme import Theme
from gui.panels import offered
from gui.panels.data_section import AxesRow
from gui.panels.projector import SideStrip

PARTS = 4  # of the drawing of a theme's icons
# after the start; between two pieces of work, each shorter than a frame
WAIT_MS, EVERY_MS = 400, 20
DIALOGS = (
    "job", "table_source", "column_header", "open_columns", "open_options", "open_preview",
    "open_table", "cells_model",
    "cell_editors", "table_editor", "keys", "about", "in_my_book", "sweep", "weight",
)  # fmt: skip
FIGURES = (
    "scrolled", "table_model", "table_widths", "table_cells", "table", "bars", "plot", "tree_words",
    "tree_look", "tree_stamps", "tree_arrangement", "tree_folding", "tree_outline", "tree_legend",
    "tree", "network_layout",
    "network_labels", "network_look", "network", "matrix", "space_view", "space_mesh", "space_look",
    "space",
)  # fmt: skip
WINDOW = (
    "engine.files.books",
    *(f"gui.dialogs.{name}" for name in DIALOGS),
    *(f"gui.figures.{name}" for name in FIGURES),  # each after those that it needs
    "gui.session.flips",
    "gui.forms.learner_row",
    "gui.forms.costs_row",
    "gui.canvas.point_menu",
    "gui.panels.class_rows",
    "gui.window.pasting",
    "gui.panels.predict_score",
    "gui.panels.predict",
    "gui.panels.side_by_side",
    "gui.panels.difference",
    "gui.export.page",
    "gui.export.render",
    "gui.export.worksheet_pdf",
    "gui.export.encoders",
    "gui.dialogs.size_row",
    "gui.dialogs.export_page",
    "gui.dialogs.export_picture",
    "gui.export.course",
    "gui.dialogs.export_questions",
    "gui.export.film",
    "gui.export.handout",
    "gui.dialogs.export_steps",
    "gui.dialogs.export_film",
    "gui.dialogs.export_handout",
    "gui.dialogs.export_numbers",
)  # on the window's thread
FIRST = (
    "engine.files.project",
    "engine.data.tables",
    "engine.questions",
    "engine.courses",
    "engine.evaluation.held_out_figures",
)  # what those need, on a thread of their own
# there too, later
BESIDE = ("scipy.spatial", "scipy.special", "scipy.optimize", "engine.data.excel", "contourpy")


def pieces(window: QObject) -> Iterator[Callable[[], object]]:
    """The work, each piece when the one before is done."""
    yield gc.collect
    read = threading.Event()
    beside = threading.Thread(target=_beside, args=(read,), daemon=True)
    yield beside.start
    while not read.is_set():
        yield int  # nothing: the thread is at work
    for name in WINDOW:
        yield partial(importlib.import_module, name)
    for strip in window.findChildren(SideStrip):
        yield partial(getattr, strip, "buttons")
    for row in window.findChildren(AxesRow):
        yield partial(row.box, 0)
        yield partial(row.box, 1)
    for look in theme.THEMES.values():
        yield partial(style_sheet, look)
        for part in range(PARTS):
            yield partial(_draw_for, look, part)
    while beside.is_alive():
        yield int


class WarmUp(QObject):
    """Begins by itself when the window has stood for a moment. done: nothing is left"""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.done = False
        self._left = pieces(parent)
        self._timer = QTimer(self, interval=WAIT_MS)
        self._timer.timeout.connect(self._go_on)
        self._timer.start()

    def _go_on(self) -> None:
        self._timer.setInterval(EVERY_MS)
        if (piece := next(self._left, None)) is not None:
            piece()
            # what was imported, here and beside, is no garbage: to look for some in it takes longer
            # than a frame
            gc.freeze()
        else:
            self.done = True
            self._timer.stop()


def _beside(read: threading.Event) -> None:
    """What is imported on the window's thread is made ready for that, which takes long where Python
    has never `read` it; then all methods with the files beside their pages, other modules, the sets
    that the list of data judges, and what the texts show.
    """
    try:
        for name in FIRST:
            importlib.import_module(name)
        for name in WINDOW:
            found = importlib.util.find_spec(name)
            if found is not None and isinstance(found.loader, InspectLoader):
                found.loader.get_code(name)
    finally:
        read.set()
    for method in algorithms().values():
        method.beside.read()  # else whoever chooses one for the first time waits for its files
    from engine.files.books import in_my_book

    for name in BESIDE:
        importlib.import_module(name)
    for _ in offered.warm_up():
        pass
    in_my_book()


def _draw_for(look: Theme, part: int) -> None:
    """Some of the icons in the colours and sizes of a theme that is perhaps the next one."""
    here = theme.current().key
    theme.use(look.name)
    icons.draw(part, PARTS)
    theme.use(*here)
