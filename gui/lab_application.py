"""The application object, which receives the files that macOS asks it to open."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from gui.base.guard import guarded


class LabApplication(QApplication):
    """The application of the lab.

    On macOS a double click on a file sends the application an event, not an argument.

    file_wanted: signal (path) that a file is to be opened
    """

    file_wanted = Signal(str)

    @guarded
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self.file_wanted.emit(event.file())
            return True
        return super().event(event)
