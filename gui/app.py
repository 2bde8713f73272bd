"""Opens the lab: the application, its window and the first document."""

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
SWITCH = 0.001  # seconds between switches of threads: the worker must not hold up the window


def first_document() -> Document:
    """The document that the lab opens with: points on the plane and a perceptron."""
    try:
        data = engine.generate(FIRST_DATA)
    except engine.EngineError:
        data = empty_plane()
    return Document(data, (lane(FIRST_ALGORITHM, start=(-1.0, 0.5)),))


def application(argv: Sequence[str]) -> QApplication:
    """The QApplication, created on first use; its names decide where settings are stored."""
    # Qt would share the few rows of pixels of each translucent line or area among threads, which is
    # much slower.
    os.environ.setdefault("QT_NO_GUI_THREADPOOL", "1")
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else LabApplication(list(argv))
    app.setApplicationName("Learnscope")
    app.setOrganizationName("Learnscope")
    app.setApplicationVersion(engine.__version__)
    app.setWindowIcon(QIcon(str(ASSETS / "learnscope.svg")))
    return app


def open_window(settings: QSettings | None = None, document: Document | None = None) -> MainWindow:
    """A window on a document, not shown yet.

    settings: those of the application by default
    document: `first_document` by default
    """
    settings = settings if settings is not None else QSettings()
    app = application(())
    name = remembered.text(settings, "theme", "light")
    style.prepare(app, name)  # before any widget is made: widgets take their fonts from it
    window = MainWindow(Session(document if document is not None else first_document()), settings)
    style.apply(app, *theme.current().key)
    window.commands.own.load()
    return window


def fit_into(window: MainWindow, room: QSize) -> None:
    """Make the window no larger than a screen has room for, including its title bar.

    What lies outside of the screen, such as Play at the bottom, could not be clicked.

    room: the screen's size available for windows, in logical pixels
    """
    title_bar = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    inside = QSize(room.width(), room.height() - title_bar)
    window.setMinimumSize(window.minimumSize().boundedTo(inside))
    window.resize(window.size().boundedTo(inside))


def report_faults(window: MainWindow) -> None:
    """Show unhandled exceptions on stderr and in the message line; the window stays open."""

    def report(
        kind: type[BaseException], fault: BaseException, where: TracebackType | None
    ) -> None:
        sys.__excepthook__(kind, fault, where)
        window.session.say(
            f"A fault of the program ({kind.__name__}): your data are safe, please report it.",
            "fault",
        )

    sys.excepthook = report


def main(argv: Sequence[str], playlist: str = "") -> int:
    """Run the window until it is closed; returns the exit code.

    argv: argv[1] may name a project or a table to open
    playlist: the file of a playlist to walk through, "" for none
    """
    sys.setswitchinterval(SWITCH)
    app = application(argv)
    window = open_window()
    report_faults(window)
    fit_into(window, window.screen().availableSize())
    window.show()
    gc.freeze()  # collections skip all that was imported, which would hold up the first frames
    window.activateWindow()  # takes the focus even where no window manager gives it
    if isinstance(app, LabApplication):
        app.file_wanted.connect(window.commands.open_path)
    if len(argv) > 1:
        QTimer.singleShot(0, lambda: window.commands.open_path(argv[1]))
    if playlist:
        QTimer.singleShot(0, lambda: window.commands.playlist.open(playlist))
    if len(argv) < 2 and not playlist and window.commands.lessons.first:
        QTimer.singleShot(0, window.commands.lessons.browse)
    QTimer.singleShot(0, window.commands.files.offer)
    warm_up.start()
    code = app.exec()
    window.session.close()
    return code
