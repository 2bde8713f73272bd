"""Opening the lab: the application, the first document, what the last session left behind."""

import gc
import os
import sys
from collections.abc import Sequence
from types import TracebackType

from PySide6.QtCore import QSettings, QSize, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QStyle

import engine
from engine.base.place import ASSETS
from engine.document.document import Document
from engine.document.lane import lane
from engine.sources.own_points import empty_plane
from gui.base import remembered
from gui.lab_application import LabApplication
from gui.look import style, theme
from gui.session.session import Session
from gui.window import warm_up
from gui.window.main_window import MainWindow

FIRST_DATA, FIRST_ALGORITHM = "leaning_clouds", "perceptron"
SWITCH = 0.001  # seconds: the worker gives way to the window at once


def first_document() -> Document:
    """What the lab opens with: points on the plane, an algorithm chosen and paused at step 0."""
    try:
        data = engine.generate(FIRST_DATA)
    except engine.EngineError:
        data = empty_plane()
    return Document(data, (lane(FIRST_ALGORITHM, start=(-1.0, 0.5)),))


def application(argv: Sequence[str]) -> QApplication:
    """The one QApplication, named so that settings find their place."""
    # For each translucent line or area Qt wakes threads to share a few rows of pixels: that takes 3
    # to 10 times as long.
    os.environ.setdefault("QT_NO_GUI_THREADPOOL", "1")
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else LabApplication(list(argv))
    app.setApplicationName("Learnscope")
    app.setOrganizationName("Learnscope")
    app.setApplicationVersion(engine.__version__)
    app.setWindowIcon(QIcon(str(ASSETS / "learnscope.svg")))
    return app


def open_window(settings: QSettings | None = None, document: Document | None = None) -> MainWindow:
    """A window on a document, not shown yet."""
    settings = settings if settings is not None else QSettings()
    app = application(())
    name = remembered.text(settings, "theme", "light")
    style.prepare(app, name)  # before any widget: they take their fonts from it
    window = MainWindow(Session(document if document is not None else first_document()), settings)
    style.apply(app, *theme.current().key)
    window.commands.own.load()
    return window


def fit_into(window: MainWindow, room: QSize) -> None:
    """Make the window no larger than what a screen leaves for windows, in logical pixels, and leave
    room for its title bar: what lies outside of the screen, such as Play at the bottom, could not
    be clicked.
    """
    title_bar = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    inside = QSize(room.width(), room.height() - title_bar)
    window.setMinimumSize(window.minimumSize().boundedTo(inside))
    window.resize(window.size().boundedTo(inside))


def report_faults(window: MainWindow) -> None:
    """A bug in the program is told in the message line and on stderr; the window lives on."""

    def tell(kind: type[BaseException], fault: BaseException, where: TracebackType | None) -> None:
        sys.__excepthook__(kind, fault, where)
        window.session.say(
            f"A fault of the program ({kind.__name__}): your data are safe, please report it.",
            "fault",
        )

    sys.excepthook = tell


def main(argv: Sequence[str]) -> int:
    """Run the window until it is closed; argv[1] may name a project or table to open."""
    sys.setswitchinterval(SWITCH)
    app = application(argv)
    window = open_window()
    report_faults(window)
    fit_into(window, window.screen().availableSize())
    window.show()
    gc.freeze()  # to look for garbage in all that was imported would hold up the first frames
    window.activateWindow()  # keys work at once, also where no window manager gives the focus
    if isinstance(app, LabApplication):
        app.file_wanted.connect(window.commands.open_path)
    if len(argv) > 1:
        QTimer.singleShot(0, lambda: window.commands.open_path(argv[1]))
    QTimer.singleShot(0, window.commands.files.offer)
    warm_up.start()
    code = app.exec()
    window.session.close()
    return code
