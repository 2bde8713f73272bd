"""The base of the dialogs that export many steps: which steps, and how many they are."""

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
    """Asks which steps, in which unit, one in how many.

    Subclasses add fields, check the choice and do the work.
    """

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
        """(name, widget) of each further field."""
        return ()

    def suggested(self) -> str:
        """The text of the field of steps at first."""
        return "0:"

    def check(self, chosen: Chosen, count: int | None) -> None:
        """Raise EngineError for what cannot be saved.

        count: the number of steps, None if it is not known yet
        """

    def size_text(self, count: int) -> str:
        """The size of the export of `count` steps, in words."""
        return counted(count, "step")

    def start_name(self) -> str:
        """The suggested name of the file."""
        raise NotImplementedError

    def filters(self) -> str:
        """The filter of the file dialog."""
        raise NotImplementedError

    def complete(self, path: str) -> str:
        """The path with the ending of the chosen kind of file."""
        raise NotImplementedError

    def work(self, run: Run, chosen: Chosen, path: str) -> Work:
        """A function (ask, tick) that saves; it returns the numbers of the steps.

        It is called on a thread of its own.
        """
        raise NotImplementedError

    # -- what is chosen ----------------------------------------------------------------------------

    def chosen(self) -> Chosen:
        """The chosen steps; raises EngineError if the text names none."""
        return Chosen(read_steps(self.steps.text()), self.every.value(), self.units.currentData())

    def known_count(self, chosen: Chosen) -> int | None:
        """The number of chosen steps; None if it depends on how long the run will be."""
        trace = self.session.trace
        if trace is not None and trace.finished and trace.pace.level <= chosen.unit:
            return len(chosen.numbers(len(trace.indices(chosen.unit))))
        return chosen.most

    def sum_up(self) -> None:
        """Show the size of the export, or what is wrong with the choice."""
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
        """Ask for the file, then begin to save."""
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
        """The run of the active lane.

        The recorded one if it has ended and has all steps of the unit, else a new run with the same
        recipe, for the thread that saves. Raises EngineError if there is nothing to save, or while
        steps are predicted.
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
