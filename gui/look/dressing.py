"""Another style sheet while the program runs: every widget is dressed once, what is seen at once,
what is hidden in spare time or when it is shown.

`QApplication.setStyleSheet` by itself dresses each widget once more for every widget that it lies
in, hidden or not.
"""

import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager

import shiboken6
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from gui.base.guard import guarded_filter

SLICE = 0.008  # seconds of work on hidden widgets at a time
PAINTING = 60  # milliseconds in which what is seen is painted first


def change(app: QApplication, sheet: str, folded: Collection[QWidget] = ()) -> None:
    """Put a style sheet in force; folded: parts that are there with another one only."""
    if app.styleSheet():
        (dresser(app) or Dresser(app)).change(app, sheet, folded)
    else:  # nobody is dressed yet
        app.setStyleSheet(sheet)


def dresser(app: QObject) -> "Dresser | None":
    """The application's, which it has from the first change on."""
    return app.findChild(Dresser)


def dress_now(widgets: Iterable[QWidget]) -> None:
    """Those that are about to be measured: what is hidden may have the sizes of another sheet until
    somebody sees it.
    """
    app = QApplication.instance()
    found = dresser(app) if app is not None else None
    if found is not None:
        found.dress_now(widgets)


@contextmanager
def held(app: QObject) -> Iterator[None]:
    """What is shown meanwhile is dressed at the end, when its sheet is in force."""
    found = dresser(app)
    if found is None:
        yield
        return
    found.held = True
    try:
        yield
    finally:
        found.held = False
        found.dress_seen()


class Dresser(QObject):
    """waiting: of each hidden part, the topmost widget and all that comes into sight with it; what
    stays hidden in it (menus, lists, scroll bars) is a part of its own. folded: the same for parts
    that come back with another sheet, most often the one that they wear: they wait for that, and
    are dressed before only if they are shown.
    """

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.waiting: dict[QWidget, list[QWidget]] = {}
        self.folded: dict[QWidget, list[QWidget]] = {}
        self.held = False
        self._laid_out = False  # since the last change
        self._spare = QTimer(self)
        self._spare.timeout.connect(self._dress_some)

    def change(self, app: QApplication, sheet: str, folded: Collection[QWidget]) -> None:
        before = app.styleSheet()
        wore = dict(_worn)
        app.style().unpolish(app)  # Qt forgets whom it has dressed, and leaves it to us
        app.setStyleSheet(sheet)
        self.waiting.clear()
        self.folded.clear()
        _worn.clear()
        seen: list[QWidget] = []
        part: dict[QObject | None, list[QWidget]] = {}
        away = set(folded)
        for window in app.topLevelWidgets():
            if window.parent() is None:
                for widget in (window, *window.findChildren(QWidget)):  # parents first
                    parent = widget.parent()
                    if parent in away:
                        away.add(widget)
                    mates = (
                        seen
                        if widget.isVisible()
                        else None
                        if widget.isHidden()
                        else part.get(parent)
                    )
                    if mates is None:
                        mates = (self.folded if widget in away else self.waiting)[widget] = []
                        widget.installEventFilter(self)
                    if mates is not seen:
                        part[widget] = mates
                    mates.append(widget)
                    if widget in away or widget in wore:
                        _worn[widget] = wore.get(widget, before)
        _dress(seen, sheet)
        self._laid_out = False
        self._spare.start(0)

    def finish(self) -> None:
        """Dress all who wait."""
        for part in [*self.waiting, *self.folded]:
            self._dress_part(part)

    def dress_now(self, widgets: Iterable[QWidget]) -> None:
        """Those of them who wait."""
        for part in widgets:
            if part in self.waiting or part in self.folded:
                self._dress_part(part)

    def dress_seen(self) -> None:
        """Whom nobody has dressed as they were shown."""
        for part in [*self.waiting, *self.folded]:
            if shiboken6.isValid(part) and part.isVisible():
                self._dress_part(part)

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not self.held and event.type() == QEvent.Type.Show and isinstance(watched, QWidget):
            self._dress_part(watched)
        return False

    def _dress_some(self) -> None:
        if not self._laid_out:  # now it is: the time to paint it begins
            self._laid_out = True
            self._spare.setInterval(PAINTING)
            return
        self._spare.setInterval(0)
        end = time.perf_counter() + SLICE
        while self.waiting and time.perf_counter() < end:
            self._dress_part(next(iter(self.waiting)))
        if not self.waiting:
            self._spare.stop()

    def _dress_part(self, part: QWidget) -> None:
        widgets = self.waiting.pop(part, None) or self.folded.pop(part, [])
        if shiboken6.isValid(part):
            part.removeEventFilter(self)
        app = self.parent()
        assert isinstance(app, QApplication)
        _dress(widgets, app.styleSheet())


_worn: dict[QWidget, str] = {}  # the sheets of parts that fold and come back


def dressed(widget: QWidget) -> None:
    """One that waits has been dressed by somebody else."""
    _worn.pop(widget, None)


def _dress(widgets: list[QWidget], sheet: str) -> None:
    """Parents first, whose palette and font go on to what lies in them; then all may fit
    themselves, parents last, who measure what lies in them. What wears this sheet already has its
    sizes, palette and font.
    """
    for widget in filter(shiboken6.isValid, widgets):
        if _worn.pop(widget, "") != sheet:
            polish(widget)
    for widget in filter(shiboken6.isValid, reversed(widgets)):
        QApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))


def polish(widget: QWidget) -> None:
    widget.style().polish(widget)
