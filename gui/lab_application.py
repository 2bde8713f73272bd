"""The application object of the lab: it also hears which files the desktop wants opened."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from gui.base.guard import guarded


class LabApplication(QApplication):
    """On macOS a double click on a file comes as an event to the application, not as an argument of
    the program.
    """

    file_wanted = Signal(str)

    @guarded
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self.file_wanted.emit(event.file())
            return True
        return super().event(event)
