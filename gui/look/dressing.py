"""Another style sheet while the program runs: every widget is dressed once, what is seen at once, what is hidden in spare
time or when it is shown.

`QApplication.setStyleSheet` by itself dresses each widget once more for every widget that it lies in, hidden or not.
"""

import time

import shiboken6
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from gui.widgets.guard import guarded

SLICE = 0.008  # seconds of work on hidden widgets at a time


def change(app: QApplication, sheet: str) -> None:
    """Put a style sheet in force."""
    if app.styleSheet():
        (dresser(app) or Dresser(app)).change(app, sheet)
    else:  # nobody is dressed yet
        app.setStyleSheet(sheet)


def dresser(app: QObject) -> "Dresser | None":
    """The application's, which it has from the first change on."""
    return app.findChild(Dresser)


class Dresser(QObject):
    """waiting: of each hidden part, the topmost widget and all that still wear what was in force before."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.waiting: dict[QWidget, list[QWidget]] = {}
        self._spare = QTimer(self, interval=0)
        self._spare.timeout.connect(self._dress_some)

    def change(self, app: QApplication, sheet: str) -> None:
        app.style().unpolish(app)  # Qt forgets whom it has dressed, and leaves it to us
        app.setStyleSheet(sheet)
        self.waiting.clear()
        seen: list[QWidget] = []
        part: dict[QObject | None, list[QWidget]] = {}
        for window in app.topLevelWidgets():
            if window.parent() is None:
                for widget in (window, *window.findChildren(QWidget)):  # parents first
                    mates = seen if widget.isVisible() else part.get(widget.parent())
                    if mates is None:
                        mates = self.waiting[widget] = []
                        widget.installEventFilter(self)
                    if mates is not seen:
                        part[widget] = mates
                    mates.append(widget)
        _dress(seen)
        self._spare.start()

    def finish(self) -> None:
        """Dress all who wait."""
        for part in list(self.waiting):
            self._dress_part(part)

    @guarded
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget):
            self._dress_part(watched)
        return False

    def _dress_some(self) -> None:
        end = time.perf_counter() + SLICE
        while self.waiting and time.perf_counter() < end:
            self._dress_part(next(iter(self.waiting)))
        if not self.waiting:
            self._spare.stop()

    def _dress_part(self, part: QWidget) -> None:
        widgets = self.waiting.pop(part, [])
        if shiboken6.isValid(part):
            part.removeEventFilter(self)
        _dress(widgets)


def _dress(widgets: list[QWidget]) -> None:
    """Parents first, whose palette and font go on to what lies in them; then all may fit themselves, parents last, who
    measure what lies in them."""
    for widget in filter(shiboken6.isValid, widgets):
        widget.style().polish(widget)
    for widget in filter(shiboken6.isValid, reversed(widgets)):
        QApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))
