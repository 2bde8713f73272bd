"""Which steps a page is to have, how large it will be, and how far its making is."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from engine.core.errors import EngineError
from engine.core.notation import counted
from engine.core.step import Level
from engine.document.document import Document
from engine.files.atomic import write_atomic
from engine.timeline.trace import Trace
from engine.web.lanes import page_of
from engine.web.page import MOST, Cancelled, Shown, estimated
from gui.dialogs.job import Job, Tick
from gui.widgets.controls import IntBox, describe, label
from gui.widgets.guard import guarded

THOUSAND = 1_000


class ExportPage(QDialog):
    """Stays beside the work. ask: gives the file to write to, "" for none; said: takes a sentence, and whether it is a fault."""

    def __init__(
        self, parent: QWidget, document: Document, traces: list[Trace], unit: Level, ask: Callable[[], str],
        said: Callable[[str, bool], object],
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Save a page to step through")
        self._document, self._traces, self._unit, self._ask, self._said = document, traces, unit, ask, said
        self._each = 0.0  # bytes of a step, 0: not known yet
        self._path = ""
        last = max(0, max(len(trace.indices(unit)) for trace in traces) - 1)
        self.first = IntBox(0, last, 0, f"First {unit.name.lower()}")
        self.last = IntBox(0, last, min(last, MOST - 1), f"Last {unit.name.lower()}")
        self.told = label("", "muted")
        self.bar = QProgressBar()
        self.bar.setRange(0, THOUSAND)
        self.bar.setTextVisible(False)
        self.bar.hide()
        self.job, self.measure = Job(), Job()
        self.job.moved.connect(lambda share: self.bar.setValue(round(THOUSAND * share)))
        self.job.done.connect(self._on_done)
        self.measure.done.connect(self._on_measured)
        self._build(last)
        for box in (self.first, self.last):
            box.valueChanged.connect(self._tell_size)
        self._tell_size()
        some = [Shown(trace, document.data.name) for trace in traces]
        count = max(1, min(MOST, last + 1))
        self.measure.start(lambda tick: estimated(some, unit, range(count)) / count)

    def _build(self, last: int) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(10)
        ends = QHBoxLayout()
        for part in (self.first, label("to"), self.last, label(f"of 0 to {last:,}", "muted")):
            ends.addWidget(part)
        ends.addStretch(1)
        foot = QHBoxLayout()
        foot.addStretch(1)
        cancel, save = QPushButton("Cancel"), QPushButton("Save…")
        describe(cancel, "Cancel", "Cancel (Escape)")
        describe(save, "Save", "Choose the file: .html")
        cancel.clicked.connect(self.close)
        save.clicked.connect(self.take)
        save.setDefault(True)
        self.save_button = save
        for button in (cancel, save):
            foot.addWidget(button)
        column.addWidget(label(f"{self._unit.name.capitalize()}s", "heading"))
        column.addLayout(ends)
        column.addWidget(self.told)
        column.addWidget(self.bar)
        column.addLayout(foot)

    @property
    def count(self) -> int:
        """How many steps are wanted; 0 for none."""
        return max(0, self.last.value() - self.first.value() + 1)

    def _tell_size(self, *_: object) -> None:
        """What will come of it, before it is made."""
        self.save_button.setEnabled(0 < self.count <= MOST and not self.job.busy)
        if not self.count:
            self.told.setText("The first is behind the last: nothing to step through.")
        elif self.count > MOST:
            size = f", about {self.count * self._each / 1e6:.1f} MB" if self._each else ""
            self.told.setText(f"{counted(self.count, 'step')}{size}: a page takes {MOST:,} at most.")
        elif self._each:
            self.told.setText(
                f"{counted(self.count, 'step')}, about {max(1.0, self.count * self._each / 1e3):,.0f} KB."
            )
        else:
            self.told.setText(counted(self.count, "step"))

    def _on_measured(self, found: object) -> None:
        if isinstance(found, float):
            self._each = found
            self._tell_size()

    def take(self) -> None:
        """Ask where to, and make it meanwhile the window goes on."""
        for number in (self.first, self.last):
            number.interpretText()
        if not 0 < self.count <= MOST or self.job.busy:
            return
        self._path = self._ask()
        if not self._path:
            return
        document, unit, first, last, path = (
            self._document,
            self._unit,
            self.first.value(),
            self.last.value(),
            self._path,
        )
        self.measure.cancel()

        def make(tick: Tick) -> str:
            with suppress(Cancelled):  # then nothing is written
                text = page_of(document, unit, first, last, lambda done, of: tick(done / max(1, of)))
                if tick(1.0):
                    write_atomic(path, [text.encode("utf-8")])
            return path

        self.bar.setValue(0)
        self.bar.show()
        self.job.start(make)
        self._tell_size()

    def _on_done(self, result: object) -> None:
        if isinstance(result, EngineError):
            self._said(str(result), True)
            self.bar.hide()
            self._tell_size()
            return
        self._said(f"Saved as {Path(self._path).name}: open it in a browser.", False)
        self.close()

    @guarded
    def closeEvent(self, event: QCloseEvent) -> None:
        """What is under way is given up."""
        self.job.cancel()
        self.measure.cancel()
        super().closeEvent(event)
