"""The 2-px ink frame around the focused control, shown after Tab or a shortcut, not a click."""

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QMenu, QMenuBar, QWidget

from gui.base.guard import guarded, guarded_filter
from gui.look import theme

GAP, WIDTH = 2, 2
_MOVES = {
    QEvent.Type.Move,
    QEvent.Type.Resize,
    QEvent.Type.Show,
    QEvent.Type.Hide,
    QEvent.Type.ParentChange,
}


class FocusRing(QWidget):
    """A frame around `target`, drawn over its surroundings; the mouse passes through."""

    def __init__(self, target: QWidget) -> None:
        super().__init__(_ground(target))
        self._target = target
        self._watched = [target]
        while (
            above := self._watched[-1].parentWidget()
        ) is not None and above is not self.parentWidget():
            self._watched.append(above)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for widget in self._watched:
            widget.installEventFilter(self)
        self._place()

    @property
    def target(self) -> QWidget:
        return self._target

    def leave(self) -> None:
        """Remove the frame."""
        for widget in self._watched:
            if shiboken6.isValid(widget):
                widget.removeEventFilter(self)
        self.hide()
        self.deleteLater()

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVES and shiboken6.isValid(self._target):
            self._place()
        return False

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.current().colour("ink"), WIDTH))
            inset = WIDTH / 2
            radius = theme.RADIUS + GAP
            painter.drawRoundedRect(
                QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), radius, radius
            )

    def _place(self) -> None:
        ground = self.parentWidget()
        assert ground is not None  # given in __init__
        corner = self._target.mapTo(ground, QPoint(0, 0))
        out = GAP + WIDTH
        frame = QRect(corner, self._target.size()).adjusted(-out, -out, out, out)
        self.setGeometry(frame.intersected(ground.rect()))
        self.setVisible(self._target.isVisibleTo(ground))
        self.raise_()


def _ground(target: QWidget) -> QWidget:
    """The widget that the frame is painted on: the contents of the nearest scroll area, so that it
    scrolls along, or the window.
    """
    inner = target
    outer = target.parentWidget()
    while outer is not None and not inner.isWindow():
        area = outer.parentWidget()
        if isinstance(area, QAbstractScrollArea) and area.viewport() is outer:
            return outer if inner is target else inner
        inner = outer
        outer = outer.parentWidget()
    return inner


_ring: list[FocusRing] = []
_by_mouse = [False]  # whether the last input was a click


def hear(mouse: bool) -> None:
    """Record whether the last input was a mouse press (True) or a key (False)."""
    _by_mouse[0] = mouse


def give(widget: QWidget) -> None:
    """Give a widget the focus at the end of a command.

    After a key the frame shows where; after a click it does not, and the keys still steer the run.
    """
    if _by_mouse[0]:
        # older Qt leaves it set
        widget.window().setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange, False)
    widget.setFocus(
        Qt.FocusReason.MouseFocusReason if _by_mouse[0] else Qt.FocusReason.ShortcutFocusReason
    )


def install(app: QApplication) -> None:
    """Follow the application's focus from now on; may be called again."""
    if not app.property("focus ring"):
        app.setProperty("focus ring", True)
        app.focusChanged.connect(_follow)


def ring() -> FocusRing | None:
    """The visible frame, or None."""
    return _ring[0] if _ring and shiboken6.isValid(_ring[0]) else None


def _follow(old: QWidget | None, new: QWidget | None) -> None:
    if (shown := ring()) is not None:
        shown.leave()
    _ring.clear()
    if new is None or isinstance(new, (QMenu, QMenuBar)) or new.isWindow():
        return
    # older Qt leaves the attribute set after a click
    by_mouse = QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton
    if new.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange) and not by_mouse:
        _ring.append(FocusRing(new))
