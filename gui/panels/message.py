"""The message line above the plane: what was done, or what is wrong and the way out. Never a dialogue."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout

from gui import style
from gui.session import Session
from gui.widgets import ErrorLine, label

SHOWN_MS = 5000


class MessageLine(QFrame):
    """Errors of the run stay while they hold; other sentences go after five seconds. Takes no room when silent."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        style.mark(self, "row")
        self.error = ErrorLine()
        self.info = label("", "muted")
        self.info.setWordWrap(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 2)
        row.addWidget(self.error, 1)
        row.addWidget(self.info, 1)
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.setInterval(SHOWN_MS)
        self.timer.timeout.connect(self._settle)
        session.said.connect(self.say)
        session.run_changed.connect(self._settle)
        self._settle()

    def text(self) -> str:
        """What is shown now."""
        return self.error.text() or self.info.text()

    def say(self, sentence: str, kind: str = "info") -> None:
        self.error.show_error(sentence if kind == "error" else "")
        self.info.setText("" if kind == "error" else sentence)
        self.info.setVisible(kind != "error")
        self.setVisible(True)
        self.timer.start()

    def _settle(self) -> None:
        """Back to the standing error, or to silence."""
        self.timer.stop()
        self.info.setText("")
        self.info.setVisible(False)
        self.error.show_error(self.session.error)
        self.setVisible(bool(self.session.error))
