"""What a task asks to be drawn, beside the picture: how much is drawn, Check and Clear."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from engine.base.notation import counted
from engine.lessons.drawings import Pen
from gui.base.guard import guarded
from gui.look import style
from gui.predict.predict_score import folding_label
from gui.session.changes import Change, Changes
from gui.session.predicting import Predicting
from gui.session.session import Session
from gui.widgets.controls import describe

HOW_KEYS = "Arrows move the pen, with Shift less far; Enter draws a line to where it is"
WAYS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}
ACROSS, UP, FINER = 1 / 16, 1 / 25, 4  # shares of width and height that a key moves the pen
CURVE, PLANE = "Draw it from the left end to the right end {}.", "on the plane"


class KeyPen(QPushButton):
    """Draws a curve by keys: the arrows move the pen, with Shift less far, Enter draws to there.

    moved: the pen was taken, moved, used or left
    """

    moved = Signal()

    def __init__(self, predicting: Predicting) -> None:
        super().__init__("Draw by keys")
        self.predicting = predicting
        self.setAutoDefault(False)
        describe(self, "Draw by keys", HOW_KEYS)
        self.clicked.connect(lambda *_: self.setFocus(Qt.FocusReason.TabFocusReason))

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        pen, key = self.predicting.pen, Qt.Key(event.key())
        if pen is None or pen.hand is None:
            super().keyPressEvent(event)
            return
        fine = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key in WAYS:
            (across, up), part = WAYS[key], 1 / FINER if fine else 1
            pen.move(across * part * ACROSS, up * part * UP)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            pen.move(1 if key == Qt.Key.Key_End else -1, 0)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            pen.draw()
        else:
            super().keyPressEvent(event)
            return
        self._say()

    @guarded
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.predicting.pen is not None:
            self.predicting.pen.take()
            self._say()

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.predicting.pen is not None:
            self.predicting.pen.hand = None
            self._say()

    def _say(self) -> None:
        pen = self.predicting.pen
        if pen is not None and pen.hand is not None:
            x, y = (f"{value:.3g}" for value in pen.hand)
            self.setAccessibleDescription(f"The pen is at {x}, {y}.")
        self.moved.emit()


class SketchBar(QWidget):
    """Visible while there is something to draw. sent: the drawing as an answer"""

    sent = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.predicting = session.predicting
        self.how = folding_label("caption")
        self.check, self.clear = QPushButton("Check"), QPushButton("Clear")
        style.mark(self.check, "main")
        describe(self.check, "Check", "Compare the drawing with the run")
        describe(self.clear, "Clear", "Take away what is drawn")
        self.check.clicked.connect(self._send)
        self.clear.clicked.connect(self._clear)
        self.keys = KeyPen(self.predicting)
        self.keys.moved.connect(self.predicting.show_drawn)
        self.keys.moved.connect(self.refresh)
        line = QHBoxLayout()
        line.addWidget(self.check)
        line.addWidget(self.clear)
        line.addWidget(self.keys)
        line.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.how)
        column.addLayout(line)
        session.changed.connect(self._on_changed)

    def _on_changed(self, changes: Changes) -> None:
        if changes.window & (Change.CANDIDATE | Change.QUESTION):
            self.refresh()

    def refresh(self) -> None:
        pen = self.predicting.pen
        if pen is not None:
            self.how.setText(_how(pen) if pen.hand is None else f"{HOW_KEYS}.")
            self.check.setEnabled(pen.whole)
            self.clear.setEnabled(pen.begun)
            self.keys.setVisible(pen.sketch.is_curve)

    def _send(self) -> None:
        pen = self.predicting.pen
        if pen is not None:
            self.sent.emit(pen.text)

    def _clear(self) -> None:
        pen = self.predicting.pen
        if pen is not None:
            pen.clear()
            self.predicting.show_drawn()


def _how(pen: Pen) -> str:
    """What is still to be drawn, and where."""
    sketch = pen.sketch
    where = f"in “{sketch.title}”" if sketch.title else PLANE
    if sketch.is_curve:
        return CURVE.format(where) if not pen.whole else "Draw over a part to change it."
    count, done = len(sketch.places), len(pen.given)
    if done < count:
        left = f"{done} of {counted(count, 'place')}" if count > 1 else "the place"
        return f"Click {where}: {left}."
    return "Click again to move the place." if count == 1 else "Click beside a place to move it."
