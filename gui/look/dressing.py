"""Changes of the style sheet at run time: visible widgets are styled at once, hidden ones when idle
or when shown.

`QApplication.setStyleSheet` alone would style each widget again for every widget that contains it,
hidden or not.
"""

import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager

import shiboken6
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from gui.base.guard import guarded_filter

SLICE = 0.008  # seconds of work on hidden widgets between two events
PAINTING = 60  # milliseconds for painting the visible widgets first


def change(app: QApplication, sheet: str, folded: Collection[QWidget] = ()) -> None:
    """Apply a style sheet; folded: parts that this sheet's theme hides."""
    if app.styleSheet():
        (dresser(app) or Dresser(app)).change(app, sheet, folded)
    else:  # no widget is styled yet
        app.setStyleSheet(sheet)


def dresser(app: QObject) -> "Dresser | None":
    """The application's Dresser; None before the first change of sheet."""
    return app.findChild(Dresser)


def dress_now(widgets: Iterable[QWidget]) -> None:
    """Style these widgets now, as they are about to be measured: hidden ones may still have the
    sizes of the last sheet.
    """
    app = QApplication.instance()
    found = dresser(app) if app is not None else None
    if found is not None:
        found.dress_now(widgets)


@contextmanager
def postponed(app: QObject) -> Iterator[None]:
    """A context in which shown widgets are styled at its end, with the new sheet."""
    found = dresser(app)
    if found is None:
        yield
        return
    found.postponed = True
    try:
        yield
    finally:
        found.postponed = False
        found.dress_seen()


class Dresser(QObject):
    """Styles widgets after a change of the sheet.

    waiting: hidden parts: the topmost widget, and all that becomes visible with it. What stays
    hidden inside it (menus, lists, scroll bars) is a part of its own. folded: the same for parts
    that the theme hides. They mostly return with the sheet they still have, so they are styled only
    when shown. postponed: whether styling waits for the end of `postponed()`.
    """

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.waiting: dict[QWidget, list[QWidget]] = {}
        self.folded: dict[QWidget, list[QWidget]] = {}
        self.postponed = False
        self._laid_out = False  # since the last change
        self._spare = QTimer(self)
        self._spare.timeout.connect(self._dress_some)

    def change(self, app: QApplication, sheet: str, folded: Collection[QWidget]) -> None:
        before = app.styleSheet()
        wore = dict(_worn)
        app.style().unpolish(app)  # Qt then styles no widget by itself
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
        """Style all parts that wait."""
        for part in [*self.waiting, *self.folded]:
            self._dress_part(part)

    def dress_now(self, widgets: Iterable[QWidget]) -> None:
        """Style those of the parts that wait."""
        for part in widgets:
            if part in self.waiting or part in self.folded:
                self._dress_part(part)

    def dress_seen(self) -> None:
        """Style the waiting parts that are visible by now."""
        for part in [*self.waiting, *self.folded]:
            if shiboken6.isValid(part) and part.isVisible():
                self._dress_part(part)

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not self.postponed and event.type() == QEvent.Type.Show and isinstance(watched, QWidget):
            self._dress_part(watched)
        return False

    def _dress_some(self) -> None:
        if not self._laid_out:  # it is now: leave time to paint it
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


_worn: dict[QWidget, str] = {}  # the last sheets of parts that fold and return


def dressed(widget: QWidget) -> None:
    """Remove a widget from the list of those to be styled: it was styled elsewhere."""
    _worn.pop(widget, None)


def _dress(widgets: list[QWidget], sheet: str) -> None:
    """Style these widgets with a sheet.

    Parents are polished first, as palette and font pass down; then all get a StyleChange event,
    parents last, as they measure their children. A widget that already has this sheet is not
    polished again.
    """
    for widget in filter(shiboken6.isValid, widgets):
        if _worn.pop(widget, "") != sheet:
            polish(widget)
    for widget in filter(shiboken6.isValid, reversed(widgets)):
        QApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))


def polish(widget: QWidget) -> None:
    widget.style().polish(widget)
