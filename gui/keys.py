"""Keys that are not menu shortcuts: Space, digits, number + Enter, clickers."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
)

if TYPE_CHECKING:
    from gui.main_window import MainWindow

WRITING = (QLineEdit, QTextEdit, QPlainTextEdit, QAbstractSpinBox, QComboBox, QAbstractItemView)


class Keys(QObject):
    """Space plays (unless it was held to pan), 1–9 choose the class, 37 Enter jumps to step 37, PgUp and PgDn step."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self.window = window
        self.digits = ""
        app = QApplication.instance()
        assert app is not None
        app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return self.filter(watched, event)

    def filter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() not in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            return False
        if QApplication.activeModalWidget() is not None or not self._mine(watched):
            return False
        if isinstance(QApplication.focusWidget(), WRITING):
            return False
        return self._press(event) if event.type() == QEvent.Type.KeyPress else self._release(event)

    def _mine(self, watched: QObject) -> bool:
        """Key events reach the window's handle first and then its widgets; only the widgets' are taken."""
        return watched is QApplication.focusWidget() or (watched is self.window and QApplication.focusWidget() is None)

    def _press(self, event: Any) -> bool:
        key, window = event.key(), self.window
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if window.blank.isVisible() and key != Qt.Key.Key_Period:
            window.toggle_blank()
            return True
        if key == Qt.Key.Key_Space and plain and not isinstance(QApplication.focusWidget(), QAbstractButton):
            if not event.isAutoRepeat():
                window.plane.space_held, window.plane.panned = True, False
            return True
        if plain and Qt.Key.Key_0 <= key <= Qt.Key.Key_9:
            return self._digit(key - Qt.Key.Key_0)
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.digits:
            window.hands.jump(int(self.digits))
            self.digits = ""
            return True
        if plain and key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            (window.session.next if key == Qt.Key.Key_PageDown else window.session.previous)()
            return True
        if key not in (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt):
            self.digits = ""
        return False

    def _digit(self, digit: int) -> bool:
        """Chooses a class at once, and begins or goes on with a step number."""
        self.digits = (self.digits + str(digit))[-7:]
        if len(self.digits) == 1 and digit > 0:
            self.window.hands.choose_class(digit - 1)
        if len(self.digits) > 1 or digit == 0:
            self.window.session.say(f"Enter jumps to step {int(self.digits)}.")
        return True

    def _release(self, event: Any) -> bool:
        if event.key() != Qt.Key.Key_Space or event.isAutoRepeat() or not self.window.plane.space_held:
            return False
        plane = self.window.plane
        plane.space_held = False
        if not plane.panned:
            self.window.session.player.toggle()
        return True
