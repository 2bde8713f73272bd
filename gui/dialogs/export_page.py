"""The dialog that exports all lanes as a web page to step through."""

from contextlib import suppress
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from engine.base.errors import EngineError
from engine.base.notation import counted
from engine.files.atomic import write_atomic
from engine.runs.trace import Trace
from engine.web.lanes import page_of
from engine.web.page import MOST, Cancelled, Shown, estimated
from gui.base.guard import guarded
from gui.dialogs.job import Job, Tick
from gui.dialogs.remembered import Remembered
from gui.dialogs.saving import Saving
from gui.session.session import Session
from gui.widgets.controls import IntBox


class ExportPage(Saving):
    """Asks for the first and the last step of all lanes; estimates the size of the page."""

    TITLE = "Page to step through"
    SAID = "One file with all lanes, to step through in any browser, without the lab."

    def __init__(
        self, parent: QWidget, session: Session, traces: list[Trace], remembered: Remembered
    ) -> None:
        """> traces: of the lanes, as far as they are recorded"""
        super().__init__(parent, session)
        self.remembered = remembered
        self._unit = session.unit
        self._each = 0.0  # estimated bytes of a step; 0: not known yet
        word = self._unit.name.lower()
        last = max(0, max(len(trace.indices(self._unit)) for trace in traces) - 1)
        self.first = IntBox(0, last, 0, f"First {word}")
        self.last = IntBox(0, last, min(last, MOST - 1), f"Last {word}")
        self.fill([(f"First {word}", self.first), (f"Last {word}", self.last)])
        for box in (self.first, self.last):
            box.valueChanged.connect(self.sum_up)
        self.measure = Job()
        self.measure.done.connect(self._on_measured)
        self.sum_up()
        some = [Shown(trace, session.data.name) for trace in traces]
        count = max(1, min(MOST, last + 1))
        unit = self._unit
        self.measure.start(lambda tick: estimated(some, unit, range(count)) / count)

    @property
    def count(self) -> int:
        """The number of chosen steps, 0 if the first is behind the last."""
        return max(0, self.last.value() - self.first.value() + 1)

    def sum_up(self, *_: object) -> None:
        """Show the number of steps and the estimated size, or what is wrong."""
        self.error.show_error("")
        self.summary.setText("")
        words = counted(self.count, "step")
        if not self.count:
            self.error.show_error("The first is behind the last: nothing to step through.")
        elif self.count > MOST:
            size = f", about {self.count * self._each / 1e6:.1f} MB" if self._each else ""
            self.error.show_error(f"{words}{size}: a page takes {MOST:,} at most.")
        elif self._each:
            self.summary.setText(
                f"{words}, about {max(1.0, self.count * self._each / 1e3):,.0f} KB"
            )
        else:
            self.summary.setText(words)

    def _on_measured(self, found: object) -> None:
        if isinstance(found, float):
            self._each = found
            if not self.job.busy:
                self.sum_up()

    @guarded
    def accept(self) -> None:
        """Ask for the file and make the page in the background."""
        for number in (self.first, self.last):
            number.interpretText()
        self.sum_up()
        if self.error.text() or self.job.busy:
            return
        try:
            self.refuse_covered()
        except EngineError as sentence:
            self.error.show_error(str(sentence))
            return
        start = str(Path(self.remembered.folder()) / f"{self.remembered.name()}.html")
        path, _ = QFileDialog.getSaveFileName(self, self.TITLE, start, "Page (*.html)")
        if path:
            self._make(path if Path(path).suffix else f"{path}.html")

    def _make(self, path: str) -> None:
        document = self.session.document
        unit = self._unit
        first = self.first.value()
        last = self.last.value()
        self.measure.cancel()

        def work(tick: Tick) -> None:
            with suppress(Cancelled):  # then nothing is written
                text = page_of(
                    document, unit, first, last, lambda done, of: tick(done / max(1, of))
                )
                if tick(1.0):
                    write_atomic(path, [text.encode("utf-8")])

        self.begin(path, work)

    def saved_text(self, result: object) -> str:
        return f"{self.saved_as}: open it in a browser."

    def give_up(self) -> None:
        super().give_up()
        self.measure.cancel()
