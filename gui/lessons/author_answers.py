"""Wrong answers with a reply each, and the choices of a question of one's own."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.base.records import Record
from gui.base.plain_text import tip
from gui.lessons.quiet import quiet
from gui.look import style
from gui.widgets.controls import describe, label

WRONG = "+ another wrong answer"
CHOICE = "+ another choice"


class Given(Record, eq=True):
    """An answer. right: whether it is one of the right ones of a choice"""

    answer: str = ""
    reply: str = ""
    right: bool = False


class AnswerRow(QWidget):
    """An answer, what the page replies, and a button that removes both."""

    changed = Signal()
    removed = Signal()

    def __init__(self, choice: bool) -> None:
        super().__init__()
        self.right = QCheckBox()
        describe(self.right, "Right answer", "This choice is right")
        self.answer, self.reply = QLineEdit(), QLineEdit()
        for field, words in (
            (self.answer, "Choice" if choice else "Wrong answer"),
            (self.reply, "What the page replies"),
        ):
            field.setPlaceholderText(words)
            describe(field, words)
            field.textEdited.connect(lambda _: self.changed.emit())
        self.right.toggled.connect(lambda _: self._on_right())
        self.right.setVisible(choice)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(6)
        line.addWidget(self.right)
        line.addWidget(self.answer, 2)
        line.addWidget(self.reply, 3)
        line.addWidget(quiet("close", "Remove this answer", self.removed.emit))

    def show_given(self, given: Given) -> None:
        self.answer.setText(given.answer)
        self.answer.setCursorPosition(0)
        self.reply.setText(given.reply)
        self.reply.setCursorPosition(0)
        self.reply.setToolTip(tip(given.reply))
        self.right.setChecked(given.right)
        self.reply.setEnabled(not given.right)

    def given(self) -> Given:
        right = self.right.isChecked()
        reply = "" if right else self.reply.text().strip()
        return Given(self.answer.text().strip(), reply, right)

    def _on_right(self) -> None:
        self.reply.setEnabled(not self.right.isChecked())
        self.changed.emit()


class AnswerRows(QWidget):
    """Rows of answers, and a button that adds one.

    changed: the author wrote in one; resized: a row came or went
    """

    changed = Signal()
    resized = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[AnswerRow] = []
        self.choice = False
        self._filling = False
        self.heading = QWidget()
        heads = QHBoxLayout(self.heading)
        heads.setContentsMargins(0, 0, 0, 0)
        self.first = label("wrong answer", "caption")
        heads.addWidget(self.first, 2)
        heads.addWidget(label("what the page replies", "caption"), 3)
        self.more = QPushButton(WRONG)
        style.mark(self.more, "quiet")
        self.more.clicked.connect(lambda *_: self._add(Given()).answer.setFocus())
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(4)
        self.column.addWidget(self.heading)
        line = QHBoxLayout()
        line.addWidget(self.more)
        line.addStretch(1)
        self.column.addLayout(line)

    def show_given(self, given: Sequence[Given], choice: bool) -> None:
        """Show these answers; choice: each can be marked as right."""
        if choice == self.choice and list(given) == self.given():
            return
        self._filling = True
        for row in self.rows:
            row.hide()
            row.deleteLater()
        self.rows, self.choice = [], choice
        self.more.setText(CHOICE if choice else WRONG)
        self.first.setText("choice, ticked where right" if choice else "wrong answer")
        for each in given:
            self._add(each)
        self._filling = False
        self._show_heading()

    def given(self) -> list[Given]:
        """The answers that are not empty."""
        return [given for row in self.rows if (given := row.given()).answer or given.reply]

    def _add(self, given: Given) -> AnswerRow:
        row = AnswerRow(self.choice)
        row.show_given(given)
        row.changed.connect(self._on_changed)
        row.removed.connect(lambda: self._remove(row))
        self.rows.append(row)
        self.column.insertWidget(len(self.rows), row)
        self._show_heading()
        return row

    def _remove(self, row: AnswerRow) -> None:
        self.rows.remove(row)
        row.hide()
        row.deleteLater()
        self._show_heading()
        self._on_changed()

    def _show_heading(self) -> None:
        self.heading.setVisible(bool(self.rows))
        if not self._filling:
            self.resized.emit()

    def _on_changed(self) -> None:
        if not self._filling:
            self.changed.emit()
