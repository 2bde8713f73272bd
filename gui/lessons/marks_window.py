"""The window with the marks of a class: who did what, the commonest wrong answers, one state."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QFont
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QPushButton,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.base.errors import EngineError
from engine.base.notation import counted
from engine.base.records import Record
from engine.files.atomic import write_atomic
from engine.lessons.answered import Known, first_wrong, known_lesson, replies
from engine.lessons.handin import HandIn
from engine.lessons.lesson import TaskKind
from engine.lessons.marks import Marks, csv_text, in_words, mark_of, marks, score_of
from gui.base.guard import guarded
from gui.base.plain_text import tip
from gui.dialogs.job import Job, Tick
from gui.lessons.answer_side import AnswerSide
from gui.lessons.mark_shapes import MARK, Legend, mark_words
from gui.lessons.marks_table import MarksTable
from gui.lessons.shares import Shares, shares
from gui.lessons.wrong_answers import Wrong, WrongAnswers
from gui.predict.predict_score import folding_label
from gui.widgets.controls import Divider, ErrorLine, Segments, label

FILTER = "Hand-ins (*.handin);;All files (*)"
EMPTY = "Drop hand-ins or a folder here, or press “Add hand-ins…”."
ORDERS = ("name", "score", "time")
KINDS = {
    TaskKind.STEP: "do it",
    TaskKind.STATE: "make true",
    TaskKind.TEXT: "write",
    TaskKind.NUMBER: "number",
    TaskKind.CHOICE: "choose",
    "": "read",
}
MOST_SAID = 4  # files left out that are listed, the others are counted
Student = tuple[str, HandIn]


class ClassLesson(Record):
    """The lesson of a class, with what it replies to the commonest wrong answers, by page."""

    known: Known | None
    replies: dict[int, str]


class MarksWindow(QDialog):
    """The hand-ins of one lesson. It is not modal, and takes dropped files and folders.

    open_state: opens the state of an answer in the lab, see `LessonCommands.open_answer`
    """

    def __init__(
        self,
        parent: QWidget,
        folder: Callable[[], str],
        open_state: Callable[[HandIn, int, Known | None], str],
        recent: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        """folder: where files are looked for
        open_state: gets the lesson too, where it was found; returns why it could not, "" if it did
        recent: the files that were opened or saved last, among which the lesson may be
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Marks")
        self.setAcceptDrops(True)
        self._folder, self._open_state, self._recent = folder, open_state, recent
        self.paths: list[str] = []
        self.found = Marks(())
        self.replies: dict[int, str] = {}
        self.shown: list[Student] = []
        self._only: tuple[int, str] | None = None  # the page and answer of the shown students
        self._job = Job("These hand-ins could not be read.")
        self._job.done.connect(self._on_read)
        self._lesson_job = Job("The lesson of these hand-ins could not be read.")
        self._lesson_job.done.connect(self._on_lesson)
        self._build()
        self.resize(1240, 780)
        self._refresh()

    # -- layout ------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.table = MarksTable()
        self.table.currentCellChanged.connect(lambda *_: self._show_answer())
        self.table.opened.connect(self._open)
        self.table.next_wanted.connect(self._go_on)
        self.shares, self.legend = Shares(self.table), Legend()
        self.wrong = WrongAnswers()
        self.wrong.chosen.connect(self._filter)
        self.all = QPushButton("Show all students")
        self.all.setAutoDefault(False)
        self.all.clicked.connect(lambda *_: self._show_all())
        self.remarks = ErrorLine()
        self.empty = folding_label("lead")
        self.empty.setText(EMPTY)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.side = AnswerSide()
        self.side.opened.connect(self._open)
        self.side.next_wanted.connect(self._go_on)
        left = QVBoxLayout()
        left.addWidget(self.empty, 1)
        left.addWidget(self.table, 1)
        for part in (self.shares, self.legend):
            left.addWidget(part)
        left.addLayout(self._wrong_head())
        left.addWidget(self.wrong)
        left.addWidget(self.remarks)
        self.rule = Divider(vertical=True)
        body = QHBoxLayout()
        body.addLayout(left, 1)
        body.addWidget(self.rule)
        body.addWidget(self.side)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 12, 16, 12)
        whole.addLayout(self._head())
        whole.addLayout(body, 1)

    def _head(self) -> QHBoxLayout:
        self.title, self.count = label("", "body"), label("", "muted")
        self.order = Segments(ORDERS, accessible="Order")
        self.order.picked.connect(lambda _: self._refresh())
        line = QHBoxLayout()
        line.setSpacing(10)
        for part in (label("Marks", "title"), self.title, self.count):
            line.addWidget(part)
        line.addStretch(1)
        line.addWidget(label("sort", "muted"))
        line.addWidget(self.order)
        self.buttons: dict[str, QPushButton] = {}
        for words, effect in (("Add hand-ins…", self.add), ("Save as CSV…", self.save)):
            button = self.buttons[words] = QPushButton(words)
            button.setAutoDefault(False)
            button.clicked.connect(lambda *_, run=effect: run())
            line.addWidget(button)
        return line

    def _wrong_head(self) -> QHBoxLayout:
        self.wrong_title = label("Commonest wrong answer of each page", "heading")
        self.wrong_count = label("students who gave it", "caption")
        line = QHBoxLayout()
        line.addWidget(self.wrong_title)
        line.addStretch(1)
        line.addWidget(self.all)
        line.addWidget(self.wrong_count)
        return line

    # -- files -------------------------------------------------------------------------------------

    def add(self) -> None:
        """Ask for hand-ins, and read them."""
        paths, _ = QFileDialog.getOpenFileNames(self, "Add hand-ins", self._folder(), FILTER)
        self.read(paths)

    def read(self, paths: Sequence[str]) -> None:
        """Read these files, and all hand-ins of folders among them, with those that are there."""
        for path in paths:
            folder = Path(path)
            inside = sorted(map(str, folder.glob("*.handin"))) if folder.is_dir() else [path]
            self.paths += [each for each in inside if each not in self.paths]
            if folder.is_dir() and not inside:
                self.remarks.show_error("This folder holds no hand-ins (*.handin).")
        wanted = tuple(self.paths)
        if wanted:
            self._job.start(lambda tick: marks(wanted))

    def _on_read(self, found: object) -> None:
        if isinstance(found, Marks):
            self.found = found
            self._only, self.replies = None, {}
            self.side.known, self.side.searched = None, False
            self._refresh()
            if found.handins:
                places = [*map(Path, self._recent()), *dict.fromkeys(map(_folder_of, self.paths))]
                self._lesson_job.start(lambda tick: class_lesson(found, places, tick))
        else:
            self.remarks.show_error(str(found))

    def _on_lesson(self, found: object) -> None:
        if isinstance(found, ClassLesson):
            self.side.known, self.replies = found.known, found.replies
            if self._only is None:
                self._fill_wrong()
        self.side.searched = True
        self._show_answer()

    def save(self) -> None:
        """Ask for a file, and write the table for a spreadsheet."""
        start = str(Path(self._folder()) / "marks.csv")
        path, _ = QFileDialog.getSaveFileName(self, "Save as CSV", start, "CSV (*.csv)")
        if not path:
            return
        try:
            write_atomic(path, [csv_text(self.found).encode()])
        except EngineError as sentence:
            self.remarks.show_error(str(sentence))

    @guarded
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    @guarded
    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.read(_local(event.mimeData().urls()))

    # -- the table ---------------------------------------------------------------------------------

    def _students(self) -> list[Student]:
        """The students that are shown, in their order."""
        rows = list(zip(self.found.names(), self.found.handins, strict=True))
        if self._only is not None:
            gave = self.found.gave(*self._only)
            rows = [each for each in rows if each[1] in gave]
        order = self.order.value()
        if order == "score":
            rows.sort(key=lambda each: -each[1].progress.score)
        elif order == "time":
            rows.sort(key=lambda each: each[1].progress.seconds)
        return rows

    def _refresh(self) -> None:
        found = self.found
        self.shown = self._students()
        there = bool(found.handins)
        self.empty.setVisible(not there)
        for part in (self.table, self.legend, self.rule, self.side):
            part.setVisible(there)
        self.title.setText(found.handins[0].progress.title if there else "")
        misfits = sum(1 for each in found.handins if each.misfits)
        odd = f", {misfits} to look at" if misfits else ""
        self.count.setText(f"{counted(len(found.handins), 'hand-in')}{odd}" if there else "")
        self.buttons["Save as CSV…"].setEnabled(there)
        self.all.setVisible(self._only is not None)
        self.remarks.show_error(_listed(found.left_out))
        self._fill_table()
        if self._only is None:
            self._fill_wrong()
        self._show_answer()

    def _fill_table(self) -> None:
        pages = self.found.pages
        heads = ["name\nas typed", *(f"{k}\n{kind_words(p.kind)}" for k, p in enumerate(pages, 1))]
        most = self.found.handins[0].progress.most if pages else 0
        table = self.table
        table.clear()
        table.setColumnCount(len(heads) + 2)
        table.setRowCount(len(self.shown))
        table.setHorizontalHeaderLabels([*heads, f"score\nof {most}", "time\nmin"])
        for row, (name, handin) in enumerate(self.shown):
            self._put(row, 0, name)
            for page in range(len(pages)):
                self._put(row, page + 1, "", mark_of(handin, page))
            self._put(row, len(heads), score_of(handin), bold=True)
            seconds = handin.progress.seconds
            self._put(row, len(heads) + 1, f"{seconds // 60}:{seconds % 60:02}")
        table.fit()
        points = [[each.points for each in handin.progress.answers] for _, handin in self.shown]
        self.shares.show_shares(shares(points, lambda page: pages[page].counts))

    def _put(
        self, row: int, column: int, text: str, mark: str | None = None, bold: bool = False
    ) -> None:
        item = QTableWidgetItem(text)
        item.setData(MARK, mark)
        if bold:
            font = QFont()
            font.setBold(True)
            item.setFont(font)
        if mark is not None:
            item.setData(int(Qt.ItemDataRole.AccessibleTextRole), mark_words(mark))
            item.setToolTip(tip(mark_words(mark)))
        self.table.setItem(row, column, item)

    def _fill_wrong(self) -> None:
        """List the commonest wrong answer of each page with the number of students who gave it."""
        rows = [
            Wrong(page, answer.title, given, count, self.replies.get(page, ""))
            for page, answer in enumerate(self.found.pages)
            for given, count in self.found.wrong(page)[:1]
        ]
        self.wrong.show_rows(rows)
        for part in (self.wrong, self.wrong_title, self.wrong_count):
            part.setVisible(bool(rows))

    def _filter(self, page: int, given: str) -> None:
        self._only = (page, given)
        self._refresh()
        self.table.setCurrentCell(0, page + 1)
        self.table.setFocus()

    def _show_all(self) -> None:
        self._only = None
        self._refresh()

    # -- one answer --------------------------------------------------------------------------------

    def chosen(self) -> tuple[Student, int] | None:
        """The student and the page, from 0, of the chosen cell; None where it is no page."""
        row, page = self.table.currentRow(), self.table.currentColumn() - 1
        if not 0 <= row < len(self.shown) or not 0 <= page < len(self.found.pages):
            return None
        return self.shown[row], page

    def _show_answer(self) -> None:
        found = self.chosen()
        if found is None:
            self.side.show_answer("", None, 0, 0)
            return
        (name, handin), page = found
        self.side.show_answer(name, handin, page, max(0, len(self._same(handin, page)) - 1))

    def _same(self, handin: HandIn, page: int) -> list[int]:
        """The rows of the shown students with the same first wrong answer."""
        wanted = _first_in_words(handin, page)
        return [
            row
            for row, (_, other) in enumerate(self.shown)
            if wanted and _first_in_words(other, page) == wanted
        ]

    def _go_on(self) -> None:
        """Go to the next student with this answer."""
        found = self.chosen()
        if found is not None:
            (_, handin), page = found
            rows = self._same(handin, page)
            here = self.table.currentRow()
            after = next((row for row in rows if row > here), rows[0] if rows else here)
            self.table.setCurrentCell(after, page + 1)

    def _open(self) -> None:
        found = self.chosen()
        if found is not None:
            (_, handin), page = found
            self.side.error.show_error(self._open_state(handin, page, self.side.known))

    @guarded
    def done(self, code: int) -> None:
        self._job.cancel()
        self._lesson_job.cancel()
        self.side.stop()
        super().done(code)


def _first_in_words(handin: HandIn, page: int) -> str:
    """The first wrong answer to a page, as it is counted; "" without one."""
    answer = handin.progress.answers[page]
    return in_words(answer, first_wrong(answer))


def _folder_of(path: str) -> Path:
    return Path(path).parent


def class_lesson(found: Marks, places: Sequence[Path], tick: Tick) -> ClassLesson:
    """The lesson of a class, and its replies to the commonest wrong answers.

    places: files and folders where it may be, if it is none of the program's
    """
    known = known_lesson(found.handins[0].progress, places)
    if known is None:
        return ClassLesson(None, {})
    wrong = [
        (page, given)
        for page in range(min(len(found.pages), len(known.lesson.pages)))
        for given, _ in found.wrong(page)[:1]
    ]
    return ClassLesson(known, replies(known, wrong, lambda: not tick(0.0)))


def kind_words(kind: str) -> str:
    known: dict[Any, str] = KINDS
    return known.get(kind, "predict")


def _listed(left_out: Sequence[str]) -> str:
    """The files that are not among the hand-ins, a sentence each; of many the first ones."""
    more = len(left_out) - MOST_SAID
    rest = [f"And {counted(more, 'more file')} left out."] if more > 0 else []
    return "\n".join([*left_out[:MOST_SAID], *rest])


def _local(urls: Sequence[QUrl]) -> list[str]:
    return [url.toLocalFile() for url in urls if url.isLocalFile()]
