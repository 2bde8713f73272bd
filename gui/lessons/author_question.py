"""What a page asks: a question of the step, one of the author's own, or a task in the lab."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from engine.base.errors import EngineError
from engine.base.records import Record, replace
from engine.judge.conditions import Moment
from engine.lessons.drafting import FREE, kinds_at, sketch_line, with_sketch
from engine.lessons.lesson import Task, TaskKind
from engine.lessons.slips import likely_slip
from engine.lessons.tasks import Asked, asked
from gui.lessons.author import Author
from gui.lessons.author_answers import AnswerRows, Given
from gui.lessons.author_condition import ConditionPart
from gui.predict.predict_score import folding_label
from gui.widgets.controls import ElidedLabel, describe, label

WORDS = {
    TaskKind.CHOICE: "A choice of your own",
    TaskKind.NUMBER: "A number to find out",
    TaskKind.PLACE: "Click a place in the picture",
    TaskKind.CURVE: "Draw the curve before it is shown",
    TaskKind.STATE: "Make something true in the lab",
    TaskKind.TEXT: "Write a sentence",
}
SORTS = {
    TaskKind.POINT: "points",
    TaskKind.COLUMN: "columns",
    TaskKind.SIDE: "sides",
    TaskKind.CELL: "cells",
    TaskKind.BAR: "candidates",
    TaskKind.LINE: "lines",
    TaskKind.STEP: "numbers",
    TaskKind.STATE: "proved by the lab",
    TaskKind.TEXT: "you read it",
}
NONE = "No question"
MOST_RIGHT = 4  # right answers that are named
ASK = "What is asked"
FIELDS = {
    "ask": "Other words for the question (empty: these)",
    "hint": "Hint after two wrong answers",
    "answer": "Explanation once it is answered",
}


class QuestionPart(QWidget):
    """A radio button for each thing that can be asked here; below it what belongs to it.

    changed: the author chose or wrote something; task: see `task`
    """

    changed = Signal()

    def __init__(self, author: Author) -> None:
        super().__init__()
        self.author = author
        self._filling = False
        self._offered: tuple[object, ...] = ()
        self._task: Task | None = None
        self.asked: Asked | None = None  # the task as a student meets it; None where it cannot be
        self.group = QButtonGroup(self)
        self.group.buttonClicked.connect(lambda _: self._on_kind())
        self.choices: dict[TaskKind | None, QRadioButton] = {}
        self.fits = label("", "caption")
        self.list = QVBoxLayout()
        self.list.setSpacing(4)
        self.detail = self._detail()
        head = QHBoxLayout()
        head.addWidget(label("Question", "heading"))
        head.addStretch(1)
        head.addWidget(self.fits)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(head)
        column.addLayout(self.list)

    def _detail(self) -> QWidget:
        """What belongs to the chosen question; it stands below its radio button."""
        made = QWidget()
        self.fields = {name: QLineEdit() for name in FIELDS}
        for name, field in self.fields.items():
            field.setPlaceholderText(FIELDS[name])
            describe(field, FIELDS[name])
            field.textEdited.connect(lambda _: self._on_written())
        self.formula, self.right = folding_label("lead"), folding_label("strong")
        self.fault = folding_label("caption")
        self.number = QLineEdit()
        self.number.textEdited.connect(lambda _: self._on_written())
        self.answers, self.condition = AnswerRows(), ConditionPart(self.author)
        self.answers.changed.connect(self._on_written)
        self.condition.changed.connect(self._on_written)
        column = self.column = QVBoxLayout(made)
        column.setContentsMargins(20, 2, 0, 6)
        column.setSpacing(6)
        for part in (
            self.fields["ask"],
            self.formula,
            self.right,
            self.fault,
            self.number,
            self.answers,
            self.condition,
            self.fields["hint"],
            self.fields["answer"],
        ):
            column.addWidget(part)
        return made

    # -- the task ----------------------------------------------------------------------------------

    @property
    def task(self) -> Task | None:
        """The task that is chosen and written here."""
        return self._task

    def show_task(self, task: Task | None, place: Sequence[Moment]) -> None:
        """Show a task; place: the lanes at the step that the page asks about, () for none."""
        self._filling = True
        self._task = task
        self._offer(place)
        kind = task.kind if task is not None else None
        self.choices[kind].setChecked(True)
        self._fill(place)
        self._filling = False

    def _offer(self, place: Sequence[Moment]) -> None:
        """List the questions of this step, those of one's own, and none."""
        fitting = list(kinds_at(place[0].trace, place[0].cursor)) if place else list(FREE)
        own = len([kind for kind in fitting if kind not in FREE])
        chosen = self._task.kind if self._task is not None else None
        kinds: list[TaskKind | None] = [*fitting, None]
        if chosen not in kinds:
            kinds.insert(0, chosen)
        rows = tuple((kind, _prompt(kind, place)) for kind in kinds)
        self.fits.setText(f"{own} fit this step" if own != 1 else "1 fits this step")
        if (rows, chosen) == self._offered:
            return
        self._offered = rows, chosen
        self.detail.setParent(None)
        while self.list.count():
            gone = self.list.takeAt(0).widget()
            if gone is not None:
                gone.hide()
                gone.deleteLater()
        self.choices = {}
        for kind, prompt in rows:
            self.list.addWidget(self._row(kind, prompt))
            if kind is chosen and kind is not None:
                self.list.addWidget(self.detail)
                self.detail.show()

    def _row(self, kind: TaskKind | None, prompt: str) -> QWidget:
        made = QWidget()
        line = QHBoxLayout(made)
        line.setContentsMargins(0, 0, 0, 0)
        button = self.choices[kind] = QRadioButton(prompt)
        self.group.addButton(button)
        line.addWidget(button)
        line.addWidget(caption_at_right(SORTS.get(kind, "") if kind is not None else ""), 1)
        return made

    def _fill(self, place: Sequence[Moment]) -> None:
        """Show what belongs to the chosen kind of question."""
        task = self._task
        if task is None:
            self.asked = None
            return
        self.asked, fault = None, ""
        try:
            self.asked = asked(task, place) if place else None
        except EngineError as sentence:
            fault = str(sentence)
        for name, field in self.fields.items():
            if field.text().strip() != getattr(task, name):
                field.setText(getattr(task, name))
                field.setCursorPosition(0)
        # a question of the step has its own words, any other begins with them
        self.column.insertWidget(0 if task.kind in FREE else 6, self.fields["ask"])
        self.fields["ask"].setPlaceholderText(ASK if task.kind in FREE else FIELDS["ask"])
        self.fault.setText(fault)
        self.fault.setVisible(bool(fault))
        self._show_right(task)
        line = ONE_LINE.get(task.kind)
        self.number.setVisible(line is not None)
        if line is not None:
            self.number.setPlaceholderText(line.hint)
            describe(self.number, "Right answer", line.hint)
            if line.taken(task, self.number.text().strip()) != task:
                self.number.setText(line.written(task))
        state, text = task.kind is TaskKind.STATE, task.kind is TaskKind.TEXT
        self.condition.setVisible(state)
        self.answers.setVisible(not state and not text)
        self.fields["hint"].setVisible(not text)
        self.answers.show_given(given_of(task), task.kind is TaskKind.CHOICE)
        if state:
            self.condition.show_condition(task.condition)

    def _show_right(self, task: Task) -> None:
        """The right answer, as the run fills it in."""
        found = self.asked
        formula, right = "", ""
        if found is not None and task.kind not in FREE:
            several = len(found.right) > MOST_RIGHT and not found.blanks
            named = found.right[:MOST_RIGHT] if several else found.right
            more = f" and {len(found.right) - MOST_RIGHT} more" if several else ""
            right = f"Right: {', '.join(named)}{more}"
            if found.blanks:
                right += f"  {found.blanks[0].tolerance}"
            question = found.question
            if question is not None and question.text:
                formula = "\n".join(question.text)
        elif found is not None and found.blanks:
            right = f"Here {', '.join(found.right)}  {found.blanks[0].tolerance}"
        self.formula.setText(formula)
        self.formula.setVisible(bool(formula))
        self.right.setText(right)
        self.right.setVisible(bool(right))

    # -- what the author does ----------------------------------------------------------------------

    def _on_kind(self) -> None:
        """Another kind is chosen: the words that fit every kind stay."""
        kind = next((each for each, box in self.choices.items() if box.isChecked()), None)
        old = self._task
        if kind is None:
            self._take(None)
            return
        if old is not None and old.kind is kind:
            return
        made = Task(kind)
        if old is not None:
            made = replace(made, ask=old.ask, hint=old.hint, answer=old.answer)
        self._take(with_slip(made, self._place()))

    def _place(self) -> Sequence[Moment]:
        place = self.author.stand(self.author.at)
        return place.asked if place is not None else ()

    def _take(self, task: Task | None) -> None:
        self._task = task
        self.changed.emit()

    def _on_written(self) -> None:
        if self._filling or self._task is None:
            return
        words = {name: field.text().strip() for name, field in self.fields.items()}
        task = replace(self._task, **words)
        if task.kind is TaskKind.STATE:
            task = replace(task, condition=self.condition.condition)
        elif task.kind in ONE_LINE:
            task = ONE_LINE[task.kind].taken(task, self.number.text().strip())
        if task.kind not in (TaskKind.STATE, TaskKind.TEXT):
            task = with_given(task, self.answers.given())
        self._take(task)


def caption_at_right(words: str) -> ElidedLabel:
    """A few words in the rest of a line; they are cut where that is short."""
    made = ElidedLabel(words, "caption")
    made.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return made


def _prompt(kind: TaskKind | None, place: Sequence[Moment]) -> str:
    """A question in its usual words."""
    if kind is None:
        return NONE
    if kind in FREE:
        return WORDS.get(kind, kind.value)
    try:
        return asked(Task(kind), place).prompt or kind.value
    except (EngineError, IndexError):
        return f"Asked no more at this step: {SORTS.get(kind, kind.value)}"


def with_slip(task: Task, place: Sequence[Moment]) -> Task:
    """The task with the likeliest wrong answer, where the run gives one."""
    if not place or task.kind in FREE:
        return task
    try:
        slip = likely_slip(asked(task, place), place[0])
    except EngineError:
        slip = None
    return task if slip is None else replace(task, wrong=(slip,))


def given_of(task: Task) -> list[Given]:
    """The answers of a task as rows."""
    replies = dict(task.wrong)
    if task.kind is TaskKind.CHOICE:
        return [Given(each, replies.get(each, ""), each in task.right) for each in task.choices]
    return [Given(*each) for each in task.wrong]


def with_given(task: Task, rows: Sequence[Given]) -> Task:
    """The task with the answers of these rows."""
    wrong = tuple((row.answer, row.reply) for row in rows if row.answer and not row.right)
    if task.kind is not TaskKind.CHOICE:
        return replace(task, wrong=wrong)
    return replace(
        task,
        choices=tuple(row.answer for row in rows if row.answer),
        right=tuple(row.answer for row in rows if row.answer and row.right),
        wrong=tuple(each for each in wrong if each[1]),
    )


def as_number(text: str) -> str | float:
    """A number, or an expression of one."""
    try:
        return float(text.replace("−", "-").replace(",", "."))
    except ValueError:
        return text


def _number_line(task: Task) -> str:
    """The right number as it is typed."""
    return next((f"{each:g}" if isinstance(each, float) else each for each in task.right), "")


def _with_number(task: Task, line: str) -> Task:
    return replace(task, right=(as_number(line),) if line else ())


class OneLine(Record):
    """What is right, as one line. written: of a task; taken: the task with what a line says"""

    hint: str
    written: Callable[[Task], str]
    taken: Callable[[Task, str], Task]


ONE_LINE = {
    TaskKind.NUMBER: OneLine(
        'Right number, or an expression such as score("Type")', _number_line, _with_number
    ),
    TaskKind.PLACE: OneLine(
        "(x, y) within 0.5; of several places (1, 2); (3, 4)", sketch_line, with_sketch
    ),
    TaskKind.CURVE: OneLine(
        "within 0.5 in loss: at most so far from that curve; without “within” its shape counts",
        sketch_line,
        with_sketch,
    ),
}
