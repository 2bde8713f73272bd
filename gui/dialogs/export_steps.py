"""What the exports of many steps have in common: which steps, a file, and progress that can be stopped."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QHideEvent
from PySide6.QtWidgets import QDialog, QFileDialog, QLineEdit, QProgressBar, QVBoxLayout, QWidget

from engine.core.errors import EngineError
from engine.core.notation import counted, cut
from engine.core.step import Level
from engine.timeline.chosen_steps import Chosen, again, read_steps
from engine.timeline.run import Run
from engine.timeline.trace import Trace
from gui.dialogs.job import Job, Tick
from gui.dialogs.remembered import Remembered
from gui.dialogs.rows import lay_out
from gui.export.film import Ask, Cancelled
from gui.session.session import Session
from gui.widgets.controls import Combo, ErrorLine, IntBox, describe, label
from gui.widgets.guard import guarded

UNFORESEEN = "This could not be saved because of a fault of the program. Your data are safe."
NOTHING = "There is nothing to save yet: the algorithm has not run."
COVERED = "What would be saved is covered while you predict: leave it first (Esc)."
CANCELLED = "Cancelled; nothing was saved."
Work = Callable[[Ask, Tick], Any]


class ExportSteps(QDialog):
    """Stays open beside the work, and while the file is made. Subclasses say what more is chosen, and do the work."""

    TITLE = ""
    SAID = ""
    UNITS = "steps"

    def __init__(self, parent: QWidget, session: Session, remembered: Remembered) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.TITLE)
        self.session, self.remembered = session, remembered
        self.units = Combo("Unit in which the steps are counted")
        for level in Level:
            self.units.addItem(f"{level.name.lower()}s", level)
        self.units.setCurrentIndex(self.units.findData(session.unit))
        self.steps = QLineEdit(self.suggested())
        describe(
            self.steps, "Which steps", "0:200 from 0 to 200, 12: from 12 to the end, single ones with commas: 0, 5, 12"
        )
        self.every = IntBox(1, 100_000, 1, "One step in so many")
        self.summary = label("", "muted")
        self.error = ErrorLine()
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        describe(self.bar, "How much is done")
        self.job = Job(UNFORESEEN)
        self.job.done.connect(self._on_done)
        self.job.moved.connect(self._on_moved)
        self.path = ""
        self._parts: list[QWidget] = []
        self._build()

    def _build(self) -> None:
        rows: list[tuple[str, QWidget]] = [
            ("Steps", self.steps), ("Counted in", self.units), ("One in", self.every), *self.rows(), ("", self.summary),
        ]  # fmt: skip
        self._parts = [part for _, part in rows]
        self.go = lay_out(self, rows, self.error, self.SAID, "Save…")
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(column.count() - 1, self.bar)
        keep_room = self.bar.sizePolicy()
        keep_room.setRetainSizeWhenHidden(True)
        self.bar.setSizePolicy(keep_room)
        self.bar.hide()
        self.setMinimumWidth(420)
        self.steps.textChanged.connect(self.sum_up)
        self.units.currentIndexChanged.connect(self.sum_up)
        self.every.valueChanged.connect(self.sum_up)
        self.sum_up()

    # -- of the subclasses -----------------------------------------------------------------------------------------

    def rows(self) -> Sequence[tuple[str, QWidget]]:
        """What more is chosen: name and widget."""
        return ()

    def suggested(self) -> str:
        """The steps that stand in the field at first."""
        return "0:"

    def check(self, chosen: Chosen, count: int | None) -> None:
        """Raises EngineError for what cannot be saved. count: of the steps, None where nobody knows yet"""

    def size_text(self, count: int) -> str:
        """How much so many steps are."""
        return counted(count, "step")

    def start_name(self) -> str:
        """The name of the file that is suggested."""
        raise NotImplementedError

    def filters(self) -> str:
        """The kinds of file, for the dialog that asks for the name."""
        raise NotImplementedError

    def complete(self, path: str) -> str:
        """The path with the ending of the kind that was chosen."""
        raise NotImplementedError

    def work(self, run: Run, chosen: Chosen, path: str) -> Work:
        """What is done on a thread of its own; it gives the numbers of the steps."""
        raise NotImplementedError

    # -- what is chosen --------------------------------------------------------------------------------------------

    def chosen(self) -> Chosen:
        """Raises EngineError where the text names no steps."""
        return Chosen(read_steps(self.steps.text()), self.every.value(), self.units.currentData())

    def known_count(self, chosen: Chosen) -> int | None:
        """How many steps are chosen; None where the run has to be longer first to say so."""
        trace = self.session.trace
        if trace is not None and trace.finished and trace.pace.level <= chosen.unit:
            return len(chosen.numbers(len(trace.indices(chosen.unit))))
        return chosen.most

    def sum_up(self) -> None:
        """Say how much it is, or what is wrong with it."""
        self.error.show_error("")
        try:
            chosen = self.chosen()
            count = self.known_count(chosen)
            self.check(chosen, count)
            self.summary.setText("as many as the run has" if count is None else self.size_text(count))
        except EngineError as sentence:
            self.summary.setText("")
            self.error.show_error(str(sentence))

    # -- doing it --------------------------------------------------------------------------------------------------

    @guarded
    def accept(self) -> None:
        """Ask for the file and begin."""
        self.every.interpretText()
        self.sum_up()
        if self.job.busy or self.error.text():
            return
        try:
            run, chosen = self._run(), self.chosen()
        except EngineError as sentence:
            self.error.show_error(str(sentence))
            return
        start = str(Path(self.remembered.folder()) / self.start_name())
        path, _ = QFileDialog.getSaveFileName(self, self.TITLE, start, self.filters())
        if path:
            self.path = self.complete(path)
            self._begin(self.work(run, chosen, self.path))

    def _run(self) -> Run:
        """The run of the active lane: as it is recorded where it has ended, else made again by the thread that saves it."""
        session, unit = self.session, self.units.currentData()
        lane_run = session.lane_run
        if lane_run is None or not len(lane_run.trace):
            raise EngineError(NOTHING)
        if session.predicting.on:
            raise EngineError(COVERED)
        trace: Trace = lane_run.trace
        whole = trace.finished and not trace.thinned and trace.pace.level <= unit
        return lane_run.run if whole else again(trace, unit)

    def _begin(self, work: Work) -> None:
        job = self.job

        def do(tick: Tick) -> Any:
            try:
                return work(job.ask, tick)
            except Cancelled:
                return None

        self._show_busy(True)
        job.start(do)

    def _show_busy(self, busy: bool) -> None:
        for part in self._parts:
            part.setEnabled(not busy)
        self.go.setEnabled(not busy)
        self.bar.setValue(0)
        self.bar.setVisible(busy)
        if busy:
            self.summary.setText("The run is made…")

    def _on_moved(self, fraction: float) -> None:
        self.bar.setValue(round(1000 * fraction))
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

    def saved_text(self, result: Any) -> str:
        return f"Saved as {cut(Path(self.path).name)}: {self.size_text(len(result))}."

    @guarded
    def reject(self) -> None:
        """Stop what is being made, and stay; else leave."""
        if not self.job.busy:
            super().reject()
            return
        self.job.cancel()
        self._show_busy(False)
        self.summary.setText(CANCELLED)

    @guarded
    def closeEvent(self, event: QCloseEvent) -> None:
        self.job.cancel()
        super().closeEvent(event)

    @guarded
    def hideEvent(self, event: QHideEvent) -> None:
        """Also where the window below is closed."""
        if not event.spontaneous():
            self.job.cancel()
        super().hideEvent(event)
