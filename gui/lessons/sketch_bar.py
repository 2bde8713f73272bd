"""What a task asks to be drawn, beside the picture: how much is drawn, Check and Clear."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from engine.base.notation import counted
from engine.lessons.drawings import Pen
from gui.look import style
from gui.predict.predict_score import folding_label
from gui.session.changes import Change, Changes
from gui.session.session import Session
from gui.widgets.controls import describe

CURVE, PLANE = "Draw it from the left end to the right end {}.", "on the plane"


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
        line = QHBoxLayout()
        line.addWidget(self.check)
        line.addWidget(self.clear)
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
            self.how.setText(_how(pen))
            self.check.setEnabled(pen.whole)
            self.clear.setEnabled(pen.begun)

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
