"""What the exports of many steps have in common: which steps, and how many they are."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget

from engine.base.errors import EngineError
from engine.base.notation import counted
from engine.protocol.step import Level
from engine.runs.chosen_steps import Chosen, again, read_steps
from engine.runs.run import Run
from engine.runs.trace import Trace
from gui.base.guard import guarded
from gui.dialogs.job import Tick
from gui.dialogs.remembered import Remembered
from gui.dialogs.saving import Saving
from gui.export.film import Ask, Cancelled
from gui.session.session import Session
from gui.widgets.controls import Combo, IntBox, describe

NOTHING = "There is nothing to save yet: the algorithm has not run."
Work = Callable[[Ask, Tick], Any]


class ExportSteps(Saving):
    """Subclasses say what more is chosen, and do the work."""

    def __init__(self, parent: QWidget, session: Session, remembered: Remembered) -> None:
        super().__init__(parent, session)
        self.remembered = remembered
        self.units = Combo("Unit in which the steps are counted")
        for level in Level:
            self.units.addItem(f"{level.name.lower()}s", level)
        self.units.setCurrentIndex(self.units.findData(session.unit))
        self.steps = QLineEdit(self.suggested())
        describe(
            self.steps,
            "Which steps",
            "0:200 from 0 to 200, 12: from 12 to the end, single ones with commas: 0, 5, 12",
        )
        self.every = IntBox(1, 100_000, 1, "One step in so many")
        self.fill(
            [
                ("Steps", self.steps),
                ("Counted in", self.units),
                ("One in", self.every),
                *self.rows(),
            ]
        )
        self.steps.textChanged.connect(self.sum_up)
        self.units.currentIndexChanged.connect(self.sum_up)
        self.every.valueChanged.connect(self.sum_up)
        self.sum_up()

    # -- of the subclasses -------------------------------------------------------------------------

    def rows(self) -> Sequence[tuple[str, QWidget]]:
        """What more is chosen: name and widget."""
        return ()

    def suggested(self) -> str:
        """The steps that stand in the field at first."""
        return "0:"

    def check(self, chosen: Chosen, count: int | None) -> None:
        """Raises EngineError for what cannot be saved. count: of the steps, None where nobody knows
        yet
        """

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

    # -- what is chosen ----------------------------------------------------------------------------

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
            self.summary.setText(
                "as many as the run has" if count is None else self.size_text(count)
            )
        except EngineError as sentence:
            self.summary.setText("")
            self.error.show_error(str(sentence))

    # -- doing it ----------------------------------------------------------------------------------

    @guarded
    def accept(self) -> None:
        """Ask for the file and begin."""
        self.every.interpretText()
        self.sum_up()
        if self.job.busy or self.error.text():
            return
        try:
            run = self._run()
            chosen = self.chosen()
        except EngineError as sentence:
            self.error.show_error(str(sentence))
            return
        start = str(Path(self.remembered.folder()) / self.start_name())
        path, _ = QFileDialog.getSaveFileName(self, self.TITLE, start, self.filters())
        if path:
            path = self.complete(path)
            self._begin(path, self.work(run, chosen, path))

    def _run(self) -> Run:
        """The run of the active lane: as it is recorded where it has ended, else made again by the
        thread that saves it.
        """
        session = self.session
        unit = self.units.currentData()
        lane_run = session.lane_run
        if lane_run is None or not len(lane_run.trace):
            raise EngineError(NOTHING)
        self.refuse_covered()
        trace: Trace = lane_run.trace
        whole = trace.finished and not trace.thinned and trace.pace.level <= unit
        return lane_run.run if whole else again(trace, unit)

    def _begin(self, path: str, work: Work) -> None:
        job = self.job

        def do(tick: Tick) -> Any:
            try:
                return work(job.ask, tick)
            except Cancelled:
                return None

        self.begin(path, do)

    def saved_text(self, result: Any) -> str:
        return f"{self.saved_as}: {self.size_text(len(result))}."
