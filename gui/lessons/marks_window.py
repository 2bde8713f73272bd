"""The window with the marks of a class: who did what, the commonest wrong answers, one state."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.base.errors import EngineError
from engine.base.notation import counted, cut
from engine.files.atomic import write_atomic
from engine.lessons.handin import HandIn
from engine.lessons.lesson import TaskKind
from engine.lessons.marks import (
    AT_ONCE,
    LATER,
    MISFIT,
    Marks,
    csv_text,
    in_words,
    mark_of,
    marks,
    score_of,
)
from gui.base.guard import guarded
from gui.dialogs.job import Job
from gui.look import style, theme
from gui.look.ink import face, write_centred
from gui.predict.predict_score import folding_label
from gui.widgets.controls import Divider, ErrorLine, Segments, describe, label

FILTER = "Hand-ins (*.handin);;All files (*)"
EMPTY = "Drop hand-ins or a folder here, or press “Add hand-ins…”."
CHANGED = (
    "This answer does not fit its digest: the file was changed after the hand-in. Ask the student"
    " for the file again."
)
ORDERS = ("name", "score", "time")
KINDS = {TaskKind.STEP: "do it", TaskKind.STATE: "prove", TaskKind.TEXT: "write", "": "read"}
LEGEND = "● right at once   ○ after a hint or another try   ✕ not right   – not reached   · read"
SIDE, RADIUS = 300, 8  # pixels of the column at the right; of a mark
MARK = int(Qt.ItemDataRole.UserRole)
Index = QModelIndex | QPersistentModelIndex
Student = tuple[str, HandIn]


class MarkPainter(QStyledItemDelegate):
    """Paints a mark: its shape tells all, without colour."""

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        mark = index.data(MARK)
        if mark is None:
            super().paint(painter, option, index)
            return
        look = theme.current()
        area = QRectF(option.rect)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen:
            painter.setPen(QPen(look.colour("ink"), 2))
            painter.drawRect(area.adjusted(1, 1, -1, -1))
        paint_mark(painter, area.center(), str(mark))
        painter.restore()


def paint_mark(painter: QPainter, centre: QPointF, mark: str) -> None:
    """A disc for at once, a ring for later, a square for wrong, a diamond for a misfit."""
    look = theme.current()
    radius = style.scale(look, RADIUS)
    plain = mark.removesuffix(MISFIT)
    painter.setPen(QPen(look.colour("ink"), 1.5))
    painter.setBrush(look.colour("field"))
    bold = face("caption", 700)
    if mark.endswith(MISFIT):
        painter.translate(centre)
        painter.rotate(45)
        painter.drawRect(QRectF(-radius * 0.8, -radius * 0.8, radius * 1.6, radius * 1.6))
        painter.rotate(-45)
        painter.translate(-centre)
        write_centred(painter, centre.x(), centre.y(), "!", bold)
    elif plain in (AT_ONCE, LATER):
        painter.setBrush(look.colour("ink" if plain == AT_ONCE else "field"))
        painter.drawEllipse(centre, radius, radius)
        ink = "field" if plain == AT_ONCE else "ink"
        write_centred(painter, centre.x(), centre.y(), "✓", bold, ink)
    elif plain == "0":
        painter.setPen(QPen(look.colour("error"), 1.5))
        painter.drawRect(
            QRectF(centre.x() - radius + 1, centre.y() - radius + 1, 2 * radius - 2, 2 * radius - 2)
        )
        write_centred(painter, centre.x(), centre.y(), "✕", bold, "error")
    else:
        write_centred(painter, centre.x(), centre.y(), plain or "–", bold, "ink3")


class MarksWindow(QDialog):
    """The hand-ins of one lesson. It is not modal, and takes dropped files and folders.

    open_state: opens the state of an answer in the lab, see `LessonCommands.open_answer`
    """

    def __init__(
        self, parent: QWidget, folder: Callable[[], str], open_state: Callable[[HandIn, int], str]
    ) -> None:
        """folder: where files are looked for; open_state: returns why it could not, "" if it did"""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Marks")
        self.setAcceptDrops(True)
        self._folder, self._open_state = folder, open_state
        self.paths: list[str] = []
        self.found = Marks(())
        self.shown: list[Student] = []
        self._only: tuple[int, str] | None = None  # the page and answer of the shown students
        self._job = Job("These hand-ins could not be read.")
        self._job.done.connect(self._on_read)
        self._build()
        self.resize(1120, 720)
        self._refresh()

    # -- layout ------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.title, self.count = label("Marks", "heading"), label("", "muted")
        self.order = Segments(ORDERS, accessible="Order")
        self.order.picked.connect(lambda _: self._refresh())
        head = QHBoxLayout()
        for part in (self.title, self.count):
            head.addWidget(part)
        head.addStretch(1)
        head.addWidget(self.order)
        self.buttons: dict[str, QPushButton] = {}
        for words, effect in (("Add hand-ins…", self.add), ("Save as CSV…", self.save)):
            button = self.buttons[words] = QPushButton(words)
            button.setAutoDefault(False)
            button.clicked.connect(lambda *_, run=effect: run())
            head.addWidget(button)
        self.table = QTableWidget()
        self.table.setItemDelegate(MarkPainter(self.table))
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        describe(self.table, "Students and pages")
        self.table.setToolTip("")
        self.table.currentCellChanged.connect(lambda *_: self._show_answer())
        self.table.cellActivated.connect(lambda *_: self._open())
        self.wrong = QListWidget()
        describe(self.wrong, "Commonest wrong answers", "A click shows who gave this answer")
        self.wrong.itemClicked.connect(self._filter)
        self.all = QPushButton("Show all students")
        self.all.setAutoDefault(False)
        self.all.clicked.connect(lambda *_: self._show_all())
        self.remarks = ErrorLine()
        self.empty = folding_label("lead")
        self.empty.setText(EMPTY)
        left = QVBoxLayout()
        left.addWidget(self.empty)
        left.addWidget(self.table, 3)
        left.addWidget(label(LEGEND, "caption"))
        row = QHBoxLayout()
        row.addWidget(label("Commonest wrong answer of each page", "heading"))
        row.addStretch(1)
        row.addWidget(self.all)
        left.addLayout(row)
        left.addWidget(self.wrong, 1)
        left.addWidget(self.remarks)
        body = QHBoxLayout()
        body.addLayout(left, 1)
        body.addWidget(Divider(vertical=True))
        body.addWidget(self._answer_side())
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 12, 16, 12)
        whole.addLayout(head)
        whole.addLayout(body, 1)

    def _answer_side(self) -> QWidget:
        side = QFrame()
        side.setFixedWidth(style.scale(theme.current(), SIDE))
        column = QVBoxLayout(side)
        self.who, self.page_title = folding_label("caption"), folding_label("title")
        self.tries, self.words = folding_label("body"), folding_label("reading")
        self.open_button, self.next_button = (
            QPushButton("Open in the lab"),
            QPushButton("Next with this answer"),
        )
        style.mark(self.open_button, "main")
        for button, effect in ((self.open_button, self._open), (self.next_button, self._go_on)):
            button.setAutoDefault(False)
            button.clicked.connect(lambda *_, run=effect: run())
        self.error = ErrorLine()
        parts = (self.who, self.page_title, self.tries, self.words, self.error)
        for part in (*parts, self.open_button, self.next_button):
            column.addWidget(part)
        column.addStretch(1)
        return side

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
        wanted = tuple(self.paths)
        if wanted:
            self._job.start(lambda tick: marks(wanted))

    def _on_read(self, found: object) -> None:
        if isinstance(found, Marks):
            self.found = found
            self._only = None
            self._refresh()
        else:
            self.remarks.show_error(str(found))

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
        self.title.setText(found.handins[0].progress.title if there else "Marks")
        misfits = sum(1 for each in found.handins if each.misfits)
        odd = f", {misfits} to look at" if misfits else ""
        self.count.setText(f"{counted(len(found.handins), 'hand-in')}{odd}" if there else "")
        self.buttons["Save as CSV…"].setEnabled(there)
        self.all.setVisible(self._only is not None)
        self.remarks.show_error("\n".join(found.left_out[:4]))
        self._fill_table()
        if self._only is None:
            self._fill_wrong()
        self._show_answer()

    def _fill_table(self) -> None:
        pages = self.found.pages
        heads = ["name", *(f"{k}\n{kind_words(each.kind)}" for k, each in enumerate(pages, 1))]
        most = self.found.handins[0].progress.most if pages else 0
        self.table.clear()
        self.table.setColumnCount(len(heads) + 2)
        self.table.setRowCount(len(self.shown))
        self.table.setHorizontalHeaderLabels([*heads, f"score\nof {most}", "time\nmin"])
        for row, (name, handin) in enumerate(self.shown):
            self._put(row, 0, name)
            for page in range(len(pages)):
                self._put(row, page + 1, "", mark_of(handin, page))
            self._put(row, len(heads), score_of(handin))
            seconds = handin.progress.seconds
            self._put(row, len(heads) + 1, f"{seconds // 60}:{seconds % 60:02}")
        header = self.table.horizontalHeader()
        header.setMinimumHeight(2 * theme.current().line_height("body") + 6)
        self.table.verticalHeader().setDefaultSectionSize(style.scale(theme.current(), 24))
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)

    def _put(self, row: int, column: int, text: str, mark: str | None = None) -> None:
        item = QTableWidgetItem(text)
        item.setData(MARK, mark)
        if column:
            item.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
        if mark is not None:
            item.setData(int(Qt.ItemDataRole.AccessibleTextRole), mark_words(mark))
        self.table.setItem(row, column, item)

    def _fill_wrong(self) -> None:
        """List the commonest wrong answer of each page with the number of students who gave it."""
        self.wrong.clear()
        for page, answer in enumerate(self.found.pages):
            for given, count in self.found.wrong(page)[:1]:
                words = f"{page + 1}. {answer.title}: {cut(given, 80)}"
                item = QListWidgetItem(f"{words}   ({counted(count, 'student')})")
                item.setData(MARK, (page, given))
                self.wrong.addItem(item)

    def _filter(self, item: QListWidgetItem) -> None:
        page, given = item.data(MARK)
        self._only = (int(page), str(given))
        self._refresh()
        self.table.setCurrentCell(0, int(page) + 1)

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
        for part in (self.open_button, self.next_button):
            part.setVisible(found is not None)
        self.error.show_error("")
        if found is None:
            for words in (self.who, self.page_title, self.tries, self.words):
                words.setText("")
            return
        (name, handin), page = found
        answer = handin.progress.answers[page]
        minutes = f"{answer.seconds // 60}:{answer.seconds % 60:02} min"
        self.who.setText(f"{name}, page {page + 1}, {minutes}")
        self.page_title.setText(answer.title)
        said = [f"{k}. {given}" for k, given in enumerate(answer.tries, 1)]
        extra = ["The hint was shown."] * answer.hinted + ["The answer was shown."] * answer.shown
        misfit = [CHANGED] * (page in handin.misfits)
        self.tries.setText("\n".join([*said, *extra, *misfit]) or "Nothing was answered.")
        self.words.setText(answer.sentence or answer.fork)
        self.next_button.setVisible(len(self._same(handin, page)) > 1)

    def _same(self, handin: HandIn, page: int) -> list[int]:
        """The rows of the shown students with the same first wrong answer."""
        first = _first(handin, page)
        return [
            row
            for row, (_, other) in enumerate(self.shown)
            if first and _first(other, page) == first
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
            self.error.show_error(self._open_state(handin, page))

    @guarded
    def done(self, code: int) -> None:
        self._job.cancel()
        super().done(code)


def _first(handin: HandIn, page: int) -> str:
    """The first answer to a page, as it is counted; "" without one."""
    answer = handin.progress.answers[page]
    return in_words(answer, answer.tries[0]) if answer.tries else ""


def kind_words(kind: str) -> str:
    known: dict[Any, str] = KINDS
    return known.get(kind, "answer")


def mark_words(mark: str) -> str:
    words = {AT_ONCE: "right at once", LATER: "right later", "0": "not right", "·": "read"}
    odd = ", does not fit its digest" if mark.endswith(MISFIT) else ""
    return words.get(mark.removesuffix(MISFIT), "not reached") + odd


def _local(urls: Sequence[QUrl]) -> list[str]:
    return [url.toLocalFile() for url in urls if url.isLocalFile()]
