"""Writing a lesson: pages at the steps of the lab, their words, questions and conditions."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from engine.base.errors import EngineError
from engine.base.notation import counted
from engine.base.records import replace
from engine.judge.conditions import Moment
from engine.lessons import SUFFIX
from engine.lessons.checking import check
from engine.lessons.conditions import state_words
from engine.lessons.digest import digest_of
from engine.lessons.drafting import (
    draft,
    kinds_at,
    page_at,
    pairs_of,
    sketch_line,
    where_of,
    with_sketch,
)
from engine.lessons.lesson import HIDDEN, LOCKED, Lesson, Page, Task, TaskKind
from engine.lessons.package import Found, lesson_of, save_lesson
from engine.lessons.tasks import SKETCHED
from engine.lessons.writing import as_text
from gui.look import style, theme
from gui.predict.predict_score import folding_label
from gui.session.changes import Change, Changes
from gui.session.session import Session
from gui.widgets.controls import Combo, ErrorLine, describe, label

FILTER = f"Lessons (*.toml *{SUFFIX})"
EMPTY = "Go to a moment worth seeing, then add a page."
NONE = "no question"
WORDS = {
    TaskKind.POINT: "click the example",
    TaskKind.COLUMN: "click the column",
    TaskKind.SIDE: "which class or side",
    TaskKind.CELL: "click the cell",
    TaskKind.BAR: "which candidate",
    TaskKind.LINE: "which line comes next",
    TaskKind.STEP: "do this step yourself",
    TaskKind.NUMBER: "a number",
    TaskKind.CHOICE: "a choice of your own",
    TaskKind.PLACE: "click a place on the plane",
    TaskKind.CURVE: "draw the curve",
    TaskKind.STATE: "make something true in the lab",
    TaskKind.TEXT: "write a sentence",
}
ANSWERS = {
    TaskKind.CHOICE: "One choice a line: * before the right one, | and a reply behind a wrong one",
    TaskKind.NUMBER: "The right number first, then a wrong one a line, each with | and a reply",
    TaskKind.PLACE: "(x, y) within 0.5, then a wrong place a line, with | and a reply",
    TaskKind.CURVE: "within 0.5, or nothing where its shape counts; in loss: a curve of the run;"
    " then a wrong shape a line, such as  falls | and a reply",
    TaskKind.STATE: 'A condition, such as  metric("errors") == 0  or  event("converged")',
}
REPLIES = "A wrong answer a line, then | and your reply (the right answer comes from the run)"
PROVING_MS = 300


class Author(QDialog):
    """Stands beside the lab, which shows what the pages will show. It is not modal.

    lesson: as it is written so far
    """

    def __init__(
        self,
        parent: QWidget,
        session: Session,
        folder: Callable[[], str],
        preview: Callable[[Found, int], object],
    ) -> None:
        """folder: where the file is saved at first; preview: shows a page as a student sees it.

        Raises EngineError where the lab shows nothing that a lesson could hold.
        """
        super().__init__(parent)
        self.lesson = draft(session.document, session.unit)
        self.session, self._folder, self._preview = session, folder, preview
        self.setWindowTitle("Make a lesson")
        self.at = -1
        self._filling = False
        self._build()
        self._proof = QTimer(self, singleShot=True, interval=PROVING_MS)
        self._proof.timeout.connect(self._prove)
        session.changed.connect(self._on_changed)
        QShortcut(QKeySequence("Ctrl+Return"), self).activated.connect(self.add_page)
        QShortcut(QKeySequence("F5"), self).activated.connect(self.preview)
        self.resize(style.scale(theme.current(), 560), style.scale(theme.current(), 720))
        self._list()
        self._fill()

    # -- layout ------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.title, self.source = QLineEdit(), QLineEdit()
        self.title.setPlaceholderText("Title of the lesson")
        self.source.setPlaceholderText("Book and chapter")
        self.pages = QListWidget()
        describe(self.pages, "Pages", "")
        self.pages.setToolTip("")
        self.pages.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.pages.setWordWrap(True)
        self.pages.setFixedWidth(style.scale(theme.current(), 180))
        self.pages.currentRowChanged.connect(self._choose)
        self.empty = folding_label("muted")
        self.empty.setText(EMPTY)
        side = QVBoxLayout()
        side.addWidget(label("Pages", "heading"))
        side.addWidget(self.pages, 1)
        side.addWidget(self.empty)
        self.buttons: dict[str, QPushButton] = {}
        for words, about, effect in (
            ("Page at this step", "Add a page where the lab stands (Ctrl+Enter)", self.add_page),
            ("Up", "Move this page up", lambda: self.shift(-1)),
            ("Down", "Move this page down", lambda: self.shift(1)),
            ("Remove", "Remove this page", self.remove),
        ):
            side.addWidget(self._button(words, about, effect))
        self.form = self._form()
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setWidget(self.form)
        policy = self.area.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # without a page the list stays where it is
        self.area.setSizePolicy(policy)
        body = QHBoxLayout()
        body.addLayout(side)
        body.addWidget(self.area, 1)
        foot = QHBoxLayout()
        self.remark = ErrorLine()
        ways: tuple[tuple[str, str, Callable[[], object]], ...] = (
            ("Check", "List what is wrong with the lesson", self.check),
            ("Preview", "Show this page as a student sees it (F5)", self.preview),
            ("Save as file…", "Save the lesson as one file to mail", self.save),
        )
        for words, about, way in ways:
            foot.addWidget(self._button(words, about, way))
        foot.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 12, 16, 12)
        for part in (self.title, self.source):
            part.textEdited.connect(lambda _: self._keep())
            whole.addWidget(part)
        whole.addLayout(body, 1)
        whole.addWidget(self.remark)
        whole.addLayout(foot)

    def _button(self, words: str, about: str, effect: Callable[[], object]) -> QPushButton:
        button = self.buttons[words] = QPushButton(words)
        button.setAutoDefault(False)
        describe(button, words, about)
        button.clicked.connect(lambda *_: effect())
        return button

    def _form(self) -> QWidget:
        form = QWidget()
        self.name, self.ask = QLineEdit(), QLineEdit()
        self.hint, self.answer = QLineEdit(), QLineEdit()
        self.text, self.answers = QPlainTextEdit(), QPlainTextEdit()
        self.where, self.truth = label("", "muted"), folding_label("caption")
        self.how = folding_label("caption")
        self.before = QCheckBox("one step earlier, and ask about this one")
        self.value, self.kind = Combo("Insert a value of the step"), Combo("Question")
        for field, words in (
            (self.name, "Title of the page"),
            (self.ask, "What is asked (empty: the usual words)"),
            (self.hint, "Hint after two wrong answers"),
            (self.answer, "Explanation once it is answered"),
        ):
            field.setPlaceholderText(words)
            describe(field, words)
            field.textEdited.connect(lambda _: self._keep())
        for box, lines in ((self.text, 5), (self.answers, 4)):
            box.setTabChangesFocus(True)
            box.setFixedHeight(lines * theme.current().line_height("body") + 16)
            box.textChanged.connect(self._keep)
        describe(self.text, "Text of the page")
        describe(self.answers, "Answers and replies")
        self.before.toggled.connect(lambda _: self._move())
        self.kind.activated.connect(lambda _: self._keep())
        self.value.activated.connect(self._insert)
        place = QHBoxLayout()
        place.addWidget(self.where, 1)
        place.addWidget(
            self._button("Use this step", "Move the page to the shown step", self._move)
        )
        column = QVBoxLayout(form)
        column.addWidget(self.name)
        column.addLayout(place)
        parts = (self.before, self.text, self.value, self._boxes(), label("Question", "heading"))
        asking = (self.kind, self.ask, self.how, self.answers, self.truth, self.hint, self.answer)
        for part in (*parts, *asking):
            column.addWidget(part)
        column.addStretch(1)
        return form

    def _boxes(self) -> QWidget:
        """A box for each part that a page can hide or lock."""
        made = QWidget()
        grid = QGridLayout(made)
        grid.setContentsMargins(0, 0, 0, 0)
        self.hide_boxes = {name: QCheckBox(name) for name in HIDDEN}
        self.lock_boxes = {name: QCheckBox(name) for name in LOCKED}
        for row, (words, boxes) in enumerate(
            (("Hide", self.hide_boxes), ("Lock", self.lock_boxes))
        ):
            grid.addWidget(label(words, "muted"), 3 * row, 0)
            for k, box in enumerate(boxes.values()):
                box.toggled.connect(lambda _: self._keep())
                grid.addWidget(box, 3 * row + k // 3, 1 + k % 3)
        return made

    # -- pages -------------------------------------------------------------------------------------

    @property
    def page(self) -> Page:
        return self.lesson.pages[self.at]

    def add_page(self) -> None:
        """Add a page at the shown step, behind the chosen one."""
        trace = self.session.lead.trace
        if trace is None or not len(trace):
            self.remark.show_error("The lab shows no step: give it data that the method can take.")
            return
        self.remark.show_error("")
        if not self.lesson.pages:
            self._take_lab()
        made = page_at(trace, self.session.lead.cursor, self.session.unit)
        pages = list(self.lesson.pages)
        pages.insert(self.at + 1, replace(made, title=f"Page {len(pages) + 1}"))
        self._put(pages, self.at + 1)

    def _take_lab(self) -> None:
        """Take data and lanes from the lab as it is when the first page is added."""
        made = draft(self.session.document, self.session.unit)
        self.lesson = replace(made, title=self.title.text(), source=self.source.text())

    def shift(self, way: int) -> None:
        pages = list(self.lesson.pages)
        if self.at >= 0 and 0 <= self.at + way < len(pages):
            pages.insert(self.at + way, pages.pop(self.at))
            self._put(pages, self.at + way)

    def remove(self) -> None:
        pages = list(self.lesson.pages)
        if 0 <= self.at < len(pages):
            pages.pop(self.at)
            self._put(pages, min(self.at, len(pages) - 1))

    def _put(self, pages: list[Page], at: int) -> None:
        self.lesson = replace(self.lesson, pages=tuple(pages))
        self.at = at
        self._list()
        self._fill()

    def _choose(self, row: int) -> None:
        if not self._filling and 0 <= row < len(self.lesson.pages):
            self.at = row
            self._fill()

    def _list(self) -> None:
        self._filling = True
        self.pages.clear()
        for number, page in enumerate(self.lesson.pages, 1):
            asks = f", {WORDS[page.task.kind]}" if page.task is not None else ""
            self.pages.addItem(f"{number}  {page.title}\n{page.where.words()}{asks}")
        self.pages.setCurrentRow(self.at)
        self._filling = False
        self.empty.setVisible(not self.lesson.pages)
        for words in ("Up", "Down", "Remove", "Preview", "Save as file…", "Check"):
            self.buttons[words].setEnabled(bool(self.lesson.pages))
        self.area.setVisible(bool(self.lesson.pages))

    # -- the chosen page ---------------------------------------------------------------------------

    def _fill(self) -> None:
        """Show the chosen page in the form."""
        if self.at < 0:
            return
        self._filling = True
        page, task = self.page, self.page.task
        self.name.setText(page.title)
        self.where.setText(f"Opens: {page.where.words()}")
        self.before.setChecked(page.where.before)
        self.text.setPlainText(page.text)
        for boxes, chosen in ((self.hide_boxes, page.hide), (self.lock_boxes, page.lock)):
            for name, box in boxes.items():
                box.setChecked(name in chosen)
        self._offer()
        self.kind.setCurrentIndex(max(0, self.kind.findData(task.kind if task else None)))
        self.ask.setText(task.ask if task else "")
        self.answers.setPlainText(answer_lines(task))
        self.hint.setText(task.hint if task else "")
        self.answer.setText(task.answer if task else "")
        self._filling = False
        self._show_task()

    def _offer(self) -> None:
        """Offer the questions and values of the step that the lab shows."""
        lead = self.session.lead
        trace = lead.trace
        self.kind.clear()
        self.kind.addItem(NONE, None)
        self.value.clear()
        self.value.addItem("Insert a value of this step…", "")
        if trace is None or not len(trace):
            return
        step = min(lead.cursor + self.page.where.before, len(trace) - 1)
        kinds = list(kinds_at(trace, step))
        if self.page.task is not None and self.page.task.kind not in kinds:
            kinds.append(self.page.task.kind)
        for kind in kinds:
            self.kind.addItem(WORDS[kind], kind)
        for name, operand in trace[step].note.operands.items():
            self.value.addItem(f"{name} = {operand.text()}", name)

    def _insert(self, row: int) -> None:
        """Put a value of the step into the text; it follows the run."""
        name = self.value.itemData(row)
        if name:
            self.text.insertPlainText(f"{{{name}}}")
        self.value.setCurrentIndex(0)

    def _move(self) -> None:
        """Move the page to the shown step, or ask about the step behind it."""
        trace = self.session.lead.trace
        if self._filling or self.at < 0 or trace is None:
            return
        before = self.before.isChecked()
        where = where_of(trace, self.session.lead.cursor, self.lesson.view.unit, before)
        self._change(replace(self.page, where=where))
        self._fill()

    def _keep(self) -> None:
        """Take over what stands in the form."""
        if self._filling:
            return
        self.lesson = replace(
            self.lesson, title=self.title.text().strip(), source=self.source.text().strip()
        )
        if self.at >= 0:
            chosen = (
                tuple(name for name, box in boxes.items() if box.isChecked())
                for boxes in (self.hide_boxes, self.lock_boxes)
            )
            hide, lock = chosen
            self._change(
                replace(
                    self.page,
                    title=self.name.text(),
                    text=self.text.toPlainText(),
                    hide=hide,
                    lock=lock,
                    task=self._task(),
                )
            )
        self._show_task()

    def _change(self, page: Page) -> None:
        pages = list(self.lesson.pages)
        pages[self.at] = page
        self.lesson = replace(self.lesson, pages=tuple(pages))
        self._list()

    @property
    def _kind(self) -> TaskKind | None:
        """The chosen kind of question; Qt gives it back as plain text."""
        chosen = self.kind.currentData()
        return None if chosen is None else TaskKind(chosen)

    def _task(self) -> Task | None:
        kind = self._kind
        if kind is None:
            return None
        return task_of(
            kind,
            self.ask.text(),
            self.answers.toPlainText(),
            self.hint.text(),
            self.answer.text(),
        )

    def _show_task(self) -> None:
        kind = self._kind
        for part in (self.ask, self.hint, self.answer):
            part.setVisible(kind is not None)
        self.answers.setVisible(kind is not None and kind is not TaskKind.TEXT)
        self.how.setVisible(not self.answers.isHidden())
        self.how.setText(ANSWERS.get(kind, REPLIES) if kind is not None else "")
        self.truth.setVisible(kind is TaskKind.STATE)
        if kind is TaskKind.STATE:
            self._proof.start()

    def _prove(self) -> None:
        """Say whether the condition holds now, and where the run meets it first."""
        lead = self.session.lead
        if self.at < 0 or self.page.task is None or not self.page.task.condition:
            self.truth.setText("")
            return
        moments = [
            Moment(view.trace, view.cursor)
            for view in self.session.lane_views
            if view.trace is not None and len(view.trace)
        ]
        try:
            said = state_words(self.page.task.condition, moments, unit=lead.unit) if moments else []
        except EngineError as sentence:
            said = [str(sentence)]
        self.truth.setText(" ".join(said))

    def _on_changed(self, changes: Changes) -> None:
        moved = changes.anywhere() & Change.CURSOR and not self.session.player.playing
        if moved and self.at >= 0 and self._kind is TaskKind.STATE:
            self._proof.start()

    # -- what becomes of it ------------------------------------------------------------------------

    def found(self) -> Found:
        """The lesson as a file would hold it."""
        return lesson_of(as_text(self.lesson))

    def check(self) -> bool:
        """List the faults; returns whether there is none."""
        said = list(dict.fromkeys(fault.sentence for fault in check(self.found())))
        if not self.lesson.title:
            said.insert(0, "The lesson has no title yet.")
        more = [f"and {counted(len(said) - 4, 'other remark')}"] if len(said) > 4 else []
        self.remark.show_error("\n".join([*said[:4], *more]))
        if not said:
            self.session.say("No fault was found in the lesson.")
        return not said

    def preview(self) -> None:
        if self.at >= 0:
            self._preview(self.found(), self.at)

    def save(self) -> None:
        """Ask for a file, and save the lesson; it is saved with its faults too."""
        name = self.lesson.title or "lesson"
        start = str(Path(self._folder()) / f"{name}{SUFFIX}")
        path, _ = QFileDialog.getSaveFileName(self, "Save the lesson", start, FILTER)
        if path:
            self.save_to(path if Path(path).suffix else path + SUFFIX)

    def save_to(self, path: str) -> None:
        lesson: Lesson = replace(self.lesson, digest=None)
        try:
            lesson = replace(lesson, digest=digest_of(lesson, {}))
        except EngineError as sentence:
            self.remark.show_error(f"It is saved without a digest: {sentence}")
        try:
            save_lesson(lesson, path)
        except EngineError as sentence:
            self.remark.show_error(str(sentence))
            return
        self.lesson = lesson
        self.session.say(f"Saved as {Path(path).name}: one file to mail.")


def answer_lines(task: Task | None) -> str:
    """The answers of a task as the form has them, see `task_of`."""
    if task is None:
        return ""
    if task.kind is TaskKind.STATE:
        return task.condition
    replies = dict(task.wrong)
    if task.kind is TaskKind.CHOICE:
        return "\n".join(
            f"* {each}" if each in task.right else _with_reply(each, replies.get(each, ""))
            for each in task.choices
        )
    right = [str(each) for each in task.right] if task.kind is TaskKind.NUMBER else []
    if task.kind in SKETCHED and (line := sketch_line(task)):
        right = [line]
    return "\n".join([*right, *(_with_reply(*each) for each in task.wrong)])


def _with_reply(answer: str, reply: str) -> str:
    return f"{answer} | {reply}" if reply else answer


def task_of(kind: TaskKind, ask: str, lines: str, hint: str, answer: str) -> Task:
    """The task that the form describes, see ANSWERS for its lines."""
    made = Task(kind, ask=ask, hint=hint, answer=answer)
    if kind is TaskKind.STATE:
        return replace(made, condition=" ".join(lines.split()))
    rows = pairs_of(lines)
    if kind is TaskKind.CHOICE:
        right = tuple(each[1:].strip() for each, _ in rows if each.startswith("*"))
        choices = tuple(each.lstrip("*").strip() for each, _ in rows)
        wrong = tuple(row for row in rows if row[1] and not row[0].startswith("*"))
        return replace(made, choices=choices, right=right, wrong=wrong)
    if kind in SKETCHED:
        first = lines.strip().partition("\n")[0]
        wrong = tuple(row for row in rows if row[1])
        return replace(with_sketch(made, "" if "|" in first else first), wrong=wrong)
    if kind is TaskKind.NUMBER:
        right_number = tuple(_number(each) for each, _ in rows[:1])
        return replace(made, right=right_number, wrong=tuple(row for row in rows[1:] if row[1]))
    return replace(made, wrong=tuple(row for row in rows if row[1]))


def _number(text: str) -> str | float:
    """A number, or an expression of one."""
    try:
        return float(text.replace("−", "-").replace(",", "."))
    except ValueError:
        return text
