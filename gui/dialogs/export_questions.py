"""Questions for a course: which ones, in what kind of file, how many sheets. Made in the background, with progress."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.core.errors import EngineError
from engine.core.notation import counted, cut
from engine.courses.exercises import Exercise
from engine.courses.files import EXAMPLE
from engine.courses.sheets import MOST_QUESTIONS, MOST_SHEETS, Assignment, Sheet, sheets
from engine.files.atomic import write_atomic
from engine.questions.asking import Ask, Every
from engine.questions.question import Kind
from engine.timeline.trace import Trace
from gui.dialogs.job import Job, Tick
from gui.dialogs.rows import without_check
from gui.export.course import course_content, plane_picture
from gui.look import style
from gui.widgets.controls import Combo, ErrorLine, IntBox, describe, label
from gui.widgets.guard import guarded

FORMATS = (
    ("Worksheet to print (PDF)", "worksheet", ".pdf", "PDF (*.pdf)"),
    ("Worksheet as a web page (HTML)", "worksheet", ".html", "Web page (*.html)"),
    ("Moodle question bank (XML)", "moodle", ".xml", "Moodle XML (*.xml)"),
    ("Canvas and others, by text2qti (text)", "qti", ".txt", "Text for text2qti (*.txt)"),
)  # name, kind, ending, filter of the file dialog
WHEN = (("Decisions of the run", Every.CHOICE), ("Each step", Every.STEP), ("Each round", Every.ROUND))
KINDS = (
    ("The most telling of each step", None), ("Numbers to work out", Kind.NUMBER), ("Which point", Kind.POINT),
    ("Which column", Kind.COLUMN), ("Which class or side", Kind.SIDE), ("Which part of a figure", Kind.CELL),
    ("Which candidate", Kind.BAR), ("Which line of the pseudo-code", Kind.LINE),
)  # fmt: skip
PAPERS = (("A4", "a4"), ("Letter", "letter"))
UNFORESEEN = "The questions could not be made because of a fault of the program. Your data are safe."
SHOWN = 6  # steps that the preview names


class WindowPainter(QObject):
    """Draws for a worker's thread on the window's thread, where alone pixmaps may be made; the worker waits for it."""

    _asked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._asked.connect(self._draw, Qt.ConnectionType.BlockingQueuedConnection)

    def picture(self, trace: Trace, asked: Exercise) -> bytes:
        """The plane before a step; called from a worker's thread. Raises what drawing raises."""
        wish: list[Any] = [trace, asked]
        self._asked.emit(wish)
        if isinstance(wish[-1], Exception):
            raise wish[-1]
        return bytes(wish[-1])

    def _draw(self, wish: list[Any]) -> None:
        try:
            wish.append(plane_picture(wish[0], wish[1]))
        except Exception as fault:
            wish.append(fault)


class ExportQuestions(QDialog):
    """Stays beside the work until the file is written. wanted: the run that is asked about; said: gets a sentence at the end;
    start: the path that is offered, without its ending"""

    def __init__(self, parent: QWidget | None, wanted: Assignment, start: Path, said: Callable[[str], object]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Questions for a course: {wanted.algorithm.title}")
        self._wanted, self._start, self._said = wanted, start, said
        self._path = ""  # of the file that is being made, "" while only the preview is
        self.job, self._painter = Job(UNFORESEEN), WindowPainter()
        self.job.done.connect(self._on_done)
        self.job.moved.connect(lambda share: self.bar.setValue(round(1000 * share)))
        self._make_fields()
        self._build()
        for combo in (self.format, self.when, self.kind):
            combo.currentIndexChanged.connect(self._on_changed)
        for number in (self.first, self.most):
            number.valueChanged.connect(self._on_changed)
        self.sheets.valueChanged.connect(lambda *_: self._show_state())
        self._preview()

    def _make_fields(self) -> None:
        self.format, self.when = Combo("Format of the file"), Combo("When to ask")
        self.kind, self.paper = Combo("Kind of question"), Combo("Paper")
        for combo, entries in ((self.format, FORMATS), (self.when, WHEN), (self.kind, KINDS), (self.paper, PAPERS)):
            for entry in entries:
                combo.addItem(entry[0], entry[1])
            combo.setMinimumContentsLength(30)
        self.first = IntBox(0, 100_000, 0, "Begin at step number")
        self.most = IntBox(1, MOST_QUESTIONS, EXAMPLE, "Questions on each sheet")
        self.sheets = IntBox(1, MOST_SHEETS, 1, "Number of sheets")

    def _build(self) -> None:
        grid = QGridLayout()
        grid.setVerticalSpacing(8)
        rows = (
            ("Format", self.format), ("Ask about", self.when), ("Kind", self.kind), ("From step", self.first),
            ("Questions", self.most), ("Sheets, each on other data", self.sheets), ("Paper", self.paper),
        )  # fmt: skip
        for row, (words, part) in enumerate(rows):
            grid.addWidget(label(words), row, 0)
            grid.addWidget(part, row, 1)
        self.error, self.preview = ErrorLine(), label("", "muted")
        self.preview.setWordWrap(True)
        self.preview.setMinimumHeight(38)
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        describe(self.bar, "How much is made")
        self.cancel, self.save = QPushButton("Cancel"), QPushButton("Save…")
        describe(self.cancel, "Cancel", "Nothing is saved (Escape)")
        describe(self.save, "Save", "Choose the file")
        self.save.setDefault(True)
        style.mark(self.save, "main")
        without_check(self.cancel, self.reject)
        without_check(self.save, self.ask_path)
        foot = QHBoxLayout()
        foot.addWidget(self.bar, 1)
        foot.addStretch(1)
        foot.addWidget(self.cancel)
        foot.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(10)
        column.addLayout(grid)
        column.addWidget(self.error)
        column.addWidget(self.preview)
        column.addLayout(foot)

    # -- what is wanted --------------------------------------------------------------------------------------------

    @property
    def assignment(self) -> Assignment:
        """The run with the questions that are chosen."""
        ask = Ask(self.when.currentData(), self.kind.currentData(), self._wanted.ask.unit)
        return replace(self._wanted, ask=ask, questions=self.most.value(), first=self.first.value())

    def _on_changed(self, *_: object) -> None:
        if self.sender() is self.format:
            self.paper.setEnabled(self.format.currentData() == "worksheet")
        self._preview()

    def _preview(self) -> None:
        """Look in the background whether anything is asked, and about which steps."""
        wanted = self.assignment
        self.error.show_error("")
        self.preview.setText("Looking for questions…")
        self.preview.setVisible(True)
        self.job.start(lambda tick: sheets(wanted, 1, tick=tick))
        self._show_state(found=False)

    def _show_state(self, found: bool = True) -> None:
        making = bool(self._path)
        self.bar.setVisible(making)
        self.save.setEnabled(found and not making and not self.error.text())
        for part in (self.format, self.when, self.kind, self.first, self.most, self.sheets):
            part.setEnabled(not making)
        self.paper.setEnabled(not making and self.format.currentData() == "worksheet")

    def _show_preview(self, sheet: Sheet) -> None:
        found = sheet.exercises
        names = ", ".join(each.name for each in found[:SHOWN])
        more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        done = " The first one is done as an example." if self._is_sheet and len(found) > 1 else ""
        self.preview.setText(f"{counted(len(found), 'question')}: {names}{more}.{done}")
        self._show_state()

    @property
    def _is_sheet(self) -> bool:
        return bool(self.format.currentData() == "worksheet")

    # -- the file --------------------------------------------------------------------------------------------------

    def ask_path(self) -> None:
        """Ask where to, then make the file."""
        _, _, ending, kinds = FORMATS[self.format.currentIndex()]
        path, _ = QFileDialog.getSaveFileName(self, "Save the questions", f"{self._start}{ending}", kinds)
        if path:
            self.make(path if Path(path).suffix.lower() == ending else f"{path}{ending}")

    def make(self, path: str) -> None:
        """Make the sheets and write them whole, or not at all."""
        wanted, variants, paper = self.assignment, self.sheets.value(), self.paper.currentData()
        kind, painter = self.format.currentData(), self._painter
        picture = None if kind == "qti" else painter.picture

        def work(tick: Tick) -> int:
            made = sheets(wanted, variants, picture, lambda share: tick(0.7 * share))
            content = list(course_content(kind, path, made, paper, lambda share: tick(0.7 + 0.3 * share)))
            if tick(1.0):
                write_atomic(path, content)
            return len(made)

        self._path = path
        self.error.show_error("")
        self.bar.setValue(0)
        self.job.start(work)
        self._show_state()

    def _on_done(self, result: Any) -> None:
        path, self._path = self._path, ""
        if isinstance(result, EngineError):
            self.error.show_error(str(result))
            self.preview.setVisible(False)
            # the file may be written elsewhere; what cannot be asked has to be changed first
            self._show_state()
            self.save.setEnabled(bool(path))
        elif path:
            self._said(f"Saved as {cut(Path(path).name)}: {counted(result, 'sheet')}.")
            self.accept()
        else:
            self._show_preview(result[0])

    @guarded
    def done(self, result: int) -> None:
        """Closing gives up what is under way: no file is left of it."""
        self.job.cancel()
        super().done(result)
