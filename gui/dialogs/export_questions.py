"""The dialog that exports questions for a course.

It asks for their kind, the kind of file and the number of sheets. Looking for questions and making
the file happen in the background.
"""

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFileDialog, QWidget

from engine.base.errors import EngineError
from engine.base.notation import counted
from engine.base.records import replace
from engine.courses.exercises import Exercise
from engine.courses.files import EXAMPLE
from engine.courses.sheets import MOST_QUESTIONS, MOST_SHEETS, Assignment, Sheet, sheets
from engine.files.atomic import write_atomic
from engine.judge.questions.asking import Ask, Every
from engine.judge.questions.question import Kind
from engine.runs.trace import Trace
from gui.base.guard import guarded
from gui.dialogs.job import Job, Tick
from gui.dialogs.saving import Saving
from gui.export.course import course_content, plane_picture
from gui.session.session import Session
from gui.widgets.controls import Combo, IntBox

FORMATS = (
    ("Worksheet to print (PDF)", "worksheet", ".pdf", "PDF (*.pdf)"),
    ("Worksheet as a web page (HTML)", "worksheet", ".html", "Web page (*.html)"),
    ("Moodle question bank (XML)", "moodle", ".xml", "Moodle XML (*.xml)"),
    ("Canvas and others, by text2qti (text)", "qti", ".txt", "Text for text2qti (*.txt)"),
)  # name, kind, ending, filter of the file dialog
WHEN = (
    ("Decisions of the run", Every.CHOICE),
    ("Each step", Every.STEP),
    ("Each round", Every.ROUND),
)
KINDS = (
    ("The most telling of each step", None),
    ("Numbers to work out", Kind.NUMBER),
    ("Which point", Kind.POINT),
    ("Which column", Kind.COLUMN),
    ("Which class or side", Kind.SIDE),
    ("Which part of a figure", Kind.CELL),
    ("Which candidate", Kind.BAR),
    ("Which line of the pseudo-code", Kind.LINE),
)
PAPERS = (("A4", "a4"), ("Letter", "letter"))
SHOWN = 6  # steps that the summary names
THREE_LINES = 57  # pixels of the summary


class ExportQuestions(Saving):
    """Asks for questions, kind of file and sheets, and shows which steps they ask about."""

    TITLE = "Questions for a course"
    SAID = "The questions of Predict, with a key; each sheet asks about other data."

    def __init__(
        self, parent: QWidget | None, wanted: Assignment, start: Path, session: Session
    ) -> None:
        """wanted: the run that the questions are about
        start: the suggested path, without its ending
        """
        super().__init__(parent, session)
        self._wanted, self._start = wanted, start
        self.looking = Job()
        self.looking.done.connect(self._on_looked)
        self._make_fields()
        self.summary.setWordWrap(True)
        self.summary.setMinimumHeight(THREE_LINES)
        self.fill(
            [
                ("Format", self.format),
                ("Ask about", self.when),
                ("Kind", self.kind),
                ("From step", self.first),
                ("Questions", self.most),
                ("Sheets", self.sheets),
                ("Paper", self.paper),
            ]
        )
        for combo in (self.format, self.when, self.kind):
            combo.currentIndexChanged.connect(self.sum_up)
        for number in (self.first, self.most):
            number.valueChanged.connect(self.sum_up)
        self.sum_up()

    def _make_fields(self) -> None:
        self.format, self.when = Combo("Format of the file"), Combo("When to ask")
        self.kind, self.paper = Combo("Kind of question"), Combo("Paper")
        for combo, entries in (
            (self.format, FORMATS),
            (self.when, WHEN),
            (self.kind, KINDS),
            (self.paper, PAPERS),
        ):
            for entry in entries:
                combo.addItem(entry[0], entry[1])
            combo.setMinimumContentsLength(30)
        self.first = IntBox(0, 100_000, 0, "Begin at step number")
        self.most = IntBox(1, MOST_QUESTIONS, EXAMPLE, "Questions on each sheet")
        self.sheets = IntBox(1, MOST_SHEETS, 1, "Number of sheets")

    # -- what is wanted ----------------------------------------------------------------------------

    @property
    def assignment(self) -> Assignment:
        """The run with the questions that are chosen in the fields."""
        ask = Ask(self.when.currentData(), self.kind.currentData(), self._wanted.ask.unit)
        return replace(self._wanted, ask=ask, questions=self.most.value(), first=self.first.value())

    def sum_up(self, *_: object) -> None:
        """Look for the questions in the background, to show their steps or that there are none."""
        wanted = self.assignment
        self.error.show_error("")
        self.paper.setEnabled(self._is_sheet)
        self.summary.setText("Looking for questions…")
        self.go.setEnabled(False)
        self.looking.start(lambda tick: sheets(wanted, 1, tick=tick))

    def _on_looked(self, result: Any) -> None:
        if self.job.busy:
            return
        failed = isinstance(result, EngineError)
        self.go.setEnabled(not failed)
        self.summary.setText("" if failed else self._found_text(result[0]))
        if failed:
            self.error.show_error(str(result))

    def _found_text(self, sheet: Sheet) -> str:
        found = sheet.exercises
        names = ", ".join(each.name for each in found[:SHOWN])
        more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        done = " The first one is done as an example." if self._is_sheet and len(found) > 1 else ""
        return f"{counted(len(found), 'question')}: {names}{more}.{done}"

    @property
    def _is_sheet(self) -> bool:
        return bool(self.format.currentData() == "worksheet")

    # -- the file ----------------------------------------------------------------------------------

    @guarded
    def accept(self) -> None:
        """Ask for the file, then make it."""
        for number in (self.first, self.most, self.sheets):
            number.interpretText()
        if not self.go.isEnabled():
            return
        try:
            self.refuse_covered()
        except EngineError as sentence:
            self.error.show_error(str(sentence))
            return
        _, _, ending, kinds = FORMATS[self.format.currentIndex()]
        path, _ = QFileDialog.getSaveFileName(self, self.TITLE, f"{self._start}{ending}", kinds)
        if path:
            self.make(path if Path(path).suffix.lower() == ending else f"{path}{ending}")

    def make(self, path: str) -> None:
        """Make the sheets in the background and write them to `path`, whole or not at all."""
        wanted = self.assignment
        variants = self.sheets.value()
        paper = self.paper.currentData()
        kind = self.format.currentData()
        job = self.job

        def picture_of(trace: Trace, exercise: Exercise) -> bytes:
            """Draw on the window's thread, which alone may make pixmaps."""
            return job.ask(partial(plane_picture, trace, exercise))

        picture = None if kind == "qti" else picture_of

        def work(tick: Tick) -> int:
            made = sheets(wanted, variants, picture, lambda share: tick(0.7 * share))
            content = list(
                course_content(kind, path, made, paper, lambda share: tick(0.7 + 0.3 * share))
            )
            if tick(1.0):
                write_atomic(path, content)
            return len(made)

        self.looking.cancel()
        self.begin(path, work)

    def _show_busy(self, busy: bool) -> None:
        super()._show_busy(busy)
        self.paper.setEnabled(not busy and self._is_sheet)

    def _on_done(self, result: Any) -> None:
        super()._on_done(result)
        if isinstance(result, EngineError):  # allow another try, with another file
            self.looking.cancel()
            self.summary.setText("")
            self.go.setEnabled(True)

    def saved_text(self, result: Any) -> str:
        return f"{self.saved_as}: {counted(result, 'sheet')}."

    def give_up(self) -> None:
        super().give_up()
        self.looking.cancel()
