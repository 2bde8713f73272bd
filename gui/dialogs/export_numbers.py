"""The dialog that exports the numbers of a run, or the table, as CSV."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtWidgets import QWidget

from engine.base.notation import counted, listed
from engine.files.csv_table import save_csv
from engine.files.numbers import Numbers, save_numbers
from engine.runs.chosen_steps import Chosen
from engine.runs.run import Run
from gui.dialogs.export_steps import ExportSteps, Work
from gui.dialogs.job import Tick
from gui.dialogs.remembered import Remembered
from gui.export.film import Ask, Cancelled, followed
from gui.session.session import Session
from gui.widgets.controls import Combo

DATA = "data"


class ExportNumbers(ExportSteps):
    """Asks which numbers: the metrics of the steps, their states, or the table.

    left_out: what the last export of a run could not write
    """

    TITLE = "Numbers as CSV"
    SAID = "A row for each step of the active lane. Vectors have a column for each entry."

    def __init__(self, parent: QWidget, session: Session, remembered: Remembered) -> None:
        self.what = Combo("Which numbers")
        for words, what in (
            ("Metrics", Numbers.METRICS),
            ("States", Numbers.STATES),
            ("The table", DATA),
        ):
            self.what.addItem(words, what)
        self.left_out: tuple[str, ...] = ()
        super().__init__(parent, session, remembered)
        self.what.currentIndexChanged.connect(self._on_what)

    def rows(self) -> Sequence[tuple[str, QWidget]]:
        return (("Numbers", self.what),)

    def _on_what(self) -> None:
        for part in (self.steps, self.units, self.every):
            part.setEnabled(self.what.currentData() != DATA)
        self.sum_up()

    def chosen(self) -> Chosen:
        return Chosen() if self.what.currentData() == DATA else super().chosen()

    def known_count(self, chosen: Chosen) -> int | None:
        return 0 if self.what.currentData() == DATA else super().known_count(chosen)

    def size_text(self, count: int) -> str:
        rows = len(self.session.data) if self.what.currentData() == DATA else count
        return counted(rows, "row")

    def start_name(self) -> str:
        return (
            f"{self.remembered.name()} {self.what.currentText().lower().removeprefix('the ')}.csv"
        )

    def filters(self) -> str:
        return "CSV table (*.csv)"

    def complete(self, path: str) -> str:
        return path if path.lower().endswith(".csv") else f"{path}.csv"

    def work(self, run: Run, chosen: Chosen, path: str) -> Work:
        what = self.what.currentData()
        if what == DATA:
            return partial(_save_table, self.session.data, path)
        return partial(self._save, run, chosen, what, path)

    def _save(
        self, run: Run, chosen: Chosen, what: Numbers, path: str, ask: Ask, tick: Tick
    ) -> list[int]:
        numbers, places = followed(run, chosen, tick)
        left_out = save_numbers(run.trace, numbers, places, chosen.unit, what, path, tick)
        if left_out is None:
            raise Cancelled
        self.left_out = left_out
        return numbers

    def saved_text(self, result: Any) -> str:
        more = (
            f" Left out, no numbers or too many: {listed(self.left_out)}." if self.left_out else ""
        )
        return f"{super().saved_text(result)}{more}"


def _save_table(data: Any, path: str, ask: Ask, tick: Tick) -> list[int]:
    save_csv(data, path)
    return []
