"""The base of the dialogs that save something of a run.

They have rows, progress, and Cancel, which first stops the work and then closes.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QHideEvent
from PySide6.QtWidgets import QDialog, QProgressBar, QVBoxLayout, QWidget

from engine.base.errors import EngineError
from engine.base.notation import cut
from gui.base.guard import guarded
from gui.dialogs.job import Job, Tick
from gui.dialogs.rows import lay_out
from gui.session.session import EXPORT_COVERED, Session
from gui.widgets.controls import ErrorLine, describe, label

UNFORESEEN = "This could not be saved because of a fault of the program. Your data are safe."
CANCELLED = "Cancelled; nothing was saved."
THOUSAND = 1_000  # parts of the progress
NARROWEST = 420  # pixels


class Saving(QDialog):
    """A dialog that saves a file in the background; it is not modal.

    It stays open until the file is made. Subclasses fill the rows and begin the work in `accept`.
    """

    TITLE = ""
    SAID = ""

    def __init__(self, parent: QWidget | None, session: Session) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.TITLE)
        self.session = session
        self.summary = label("", "muted")
        self.error = ErrorLine()
        self.bar = QProgressBar()
        self.bar.setRange(0, THOUSAND)
        describe(self.bar, "How much is done")
        self.job = Job(UNFORESEEN)
        self.job.done.connect(self._on_done)
        self.job.moved.connect(self._on_moved)
        self.path = ""
        self._parts: list[QWidget] = []

    def fill(self, rows: Sequence[tuple[str, QWidget]]) -> None:
        """Lay out the rows, (name, widget), above the summary and the buttons."""
        self._parts = [part for _, part in rows]
        self.go = lay_out(self, [*rows, ("", self.summary)], self.error, self.SAID, "Save…")
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(column.count() - 1, self.bar)
        keep_room = self.bar.sizePolicy()
        keep_room.setRetainSizeWhenHidden(True)
        self.bar.setSizePolicy(keep_room)
        self.bar.hide()
        self.setMinimumWidth(NARROWEST)

    def sum_up(self) -> None:
        """Show in the summary how much will be saved, or what is wrong."""
        raise NotImplementedError

    def saved_text(self, result: Any) -> str:
        """The sentence after saving.

        result: what the work returned
        """
        raise NotImplementedError

    def refuse_covered(self) -> None:
        """Raise EngineError while the person predicts steps, which a file would give away."""
        if self.session.predicting.on:
            raise EngineError(EXPORT_COVERED)

    def begin(self, path: str, work: Callable[[Tick], Any]) -> None:
        """Run `work(tick)` in the background; it writes the file `path`, whole or not at all."""
        self.path = path
        self.error.show_error("")
        self._show_busy(True)
        self.job.start(work)

    def _show_busy(self, busy: bool) -> None:
        for part in self._parts:
            part.setEnabled(not busy)
        self.go.setEnabled(not busy)
        self.bar.setValue(0)
        self.bar.setVisible(busy)
        if busy:
            self.summary.setText("The run is made…")

    def _on_moved(self, fraction: float) -> None:
        self.bar.setValue(round(THOUSAND * fraction))
        if fraction:
            self.summary.setText(f"{fraction:.0%} done")

    def _on_done(self, result: Any) -> None:
        self._show_busy(False)
        if isinstance(result, EngineError):
            self.sum_up()
            self.error.show_error(str(result))
        else:
            self.session.say(self.saved_text(result))
            super().accept()

    @property
    def saved_as(self) -> str:
        """The beginning of the sentence after saving: “Saved as run.gif”."""
        return f"Saved as {cut(Path(self.path).name)}"

    @guarded
    def reject(self) -> None:
        """Stop the work and stay open; without work, close."""
        if not self.job.busy:
            super().reject()
            return
        self.job.cancel()
        self._show_busy(False)
        self.summary.setText(CANCELLED)

    def give_up(self) -> None:
        """Stop all work, since the dialog closes."""
        self.job.cancel()

    @guarded
    def closeEvent(self, event: QCloseEvent) -> None:
        self.give_up()
        super().closeEvent(event)

    @guarded
    def hideEvent(self, event: QHideEvent) -> None:
        """Stop all work also when the parent window is closed."""
        if not event.spontaneous():
            self.give_up()
        super().hideEvent(event)
