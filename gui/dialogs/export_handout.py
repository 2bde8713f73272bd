"""The dialog that exports chosen steps as a handout, a PDF."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtWidgets import QWidget

from engine.base.notation import counted
from engine.base.records import replace
from engine.runs.chosen_steps import Chosen
from engine.runs.run import Run
from gui.dialogs.export_steps import ExportSteps, Work
from gui.dialogs.remembered import Remembered
from gui.export.handout import LAYOUTS, PAPERS, Handout, save_handout
from gui.export.kinds import Kind, check_size
from gui.session.session import Session
from gui.widgets.controls import Combo


class ExportHandout(ExportSteps):
    """Asks for the number of steps on a page and for the paper."""

    TITLE = "Handout"
    SAID = "Picture, line of code, sentence and formula of each step, as PDF."

    def __init__(
        self, parent: QWidget, session: Session, remembered: Remembered, handout: Handout
    ) -> None:
        """> handout: the look of the plane on the screen"""
        self.handout = handout
        self.per_page, self.paper = Combo("Steps on a page"), Combo("Paper")
        for number in LAYOUTS:
            self.per_page.addItem(str(number), number)
        for paper in PAPERS:
            self.paper.addItem(paper, paper)
        self.per_page.setCurrentIndex(self.per_page.findData(remembered.values.get("per_page", 4)))
        self.paper.setCurrentIndex(self.paper.findData(remembered.values.get("paper", "A4")))
        super().__init__(parent, session, remembered)
        self.per_page.currentIndexChanged.connect(self.sum_up)

    def rows(self) -> Sequence[tuple[str, QWidget]]:
        return ("On a page", self.per_page), ("Paper", self.paper)

    def suggested(self) -> str:
        """The shown step and the three after it, as text for the field."""
        number = max(0, self.session.number)
        return f"{number}:{number + 3}"

    def check(self, chosen: Chosen, count: int | None) -> None:
        if count is not None:
            check_size(Kind.PDF, count, (1, 1))

    def size_text(self, count: int) -> str:
        return (
            f"{counted(count, 'step')} on"
            f" {counted(-(-count // self.per_page.currentData()), 'page')}"
        )

    def start_name(self) -> str:
        return f"{self.remembered.name()}.pdf"

    def filters(self) -> str:
        return "PDF (*.pdf)"

    def complete(self, path: str) -> str:
        return path if path.lower().endswith(".pdf") else f"{path}.pdf"

    def work(self, run: Run, chosen: Chosen, path: str) -> Work:
        values = {"per_page": self.per_page.currentData(), "paper": self.paper.currentData()}
        self.remembered.values |= values
        return partial(
            save_handout, run, self.session.data.name, chosen, path, replace(self.handout, **values)
        )
