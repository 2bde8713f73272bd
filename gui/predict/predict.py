"""The panel of the mode “Predict”, in place of the right dock: question, answers, verdict and
score.
"""

from functools import partial

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from engine.document.lane_edits import LETTERS
from engine.judge.questions import Blank, Kind, Question
from engine.judge.questions.dividing import sides
from gui.base.guard import guarded, guarded_filter
from gui.base.plain_text import as_words
from gui.look import style, theme
from gui.look.ink import face, write, write_centred, write_right
from gui.look.swatches import boxed, paint_class
from gui.predict.predict_score import ScoreView, VerdictView, WishesView, folding_label, padded
from gui.session.changes import Change, Changes
from gui.session.predicting import Predicting, refused
from gui.session.session import Session
from gui.widgets.controls import Divider, ErrorLine, describe, label

WHERE = {
    Kind.POINT: "Click it on the plane or in the table.",
    Kind.COLUMN: "Click its line on the plane, the column in the table, or an answer.",
    Kind.SIDE: "Choose an answer.",
    Kind.CELL: "Click it in the picture, or choose an answer.",
    Kind.BAR: "Choose an answer.",
    Kind.NUMBER: "Fill the blanks. Fractions such as 3/8 are taken too.",
    Kind.LINE: "Choose a line.",
}
WITHOUT_PLANE = {
    Kind.POINT: "Click its row in the table.",
    Kind.COLUMN: "Click the column in the table, or an answer.",
}
CODE = "next line: "
# pixels of a letter's ring; pixels beside it; the most classes whose counts have room
BADGE, PAD, MOST_CLASSES = 28, 12, 3


class PredictPanel(QScrollArea):
    """Covers the widget `ground` while the mode is on."""

    def __init__(self, session: Session, ground: QWidget) -> None:
        super().__init__(ground)
        self.predicting = session.predicting
        self.ground = ground
        self.page = QFrame()
        style.mark(self.page, "dock")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setWidget(self.page)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.question = QuestionView(session)
        self.verdict = VerdictView(self.predicting)
        self.score = ScoreView()
        self.wishes = WishesView(self.predicting)
        column = QVBoxLayout(self.page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self.question, self.verdict, Divider(), self.score, Divider(), self.wishes):
            column.addWidget(part)
        column.addStretch(1)
        self.setAccessibleName("Predict")
        self.hide()
        ground.installEventFilter(self)

    def refresh(self) -> None:
        """Show the state of the mode; call it at each `Change.QUESTION`."""
        on = self.predicting.on
        if on:
            self.question.refresh()
            self.verdict.refresh()
            self.score.show_tally(self.predicting.tally)
            self.wishes.refresh()
            self._cover()
        self.setVisible(on)
        if on:
            self._fit()

    def _cover(self) -> None:
        self.setGeometry(self.ground.rect())
        self.raise_()

    def _fit(self) -> None:
        """Make the page as high as its words are at this width.

        A scroll area does not ask its widget for the height that belongs to a width.
        """
        wide = self.viewport().width()
        self.verdict.fit(wide, self.width() - wide)
        # the layout learns of shown and hidden parts only with these events
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        layout = self.page.layout()
        layout.invalidate()
        self.page.setMinimumHeight(layout.totalHeightForWidth(wide))

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "page"):
            QTimer.singleShot(0, self, self._fit)

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.ground and event.type() == QEvent.Type.Resize and self.predicting.on:
            self._cover()
        return super().eventFilter(watched, event)


class QuestionView(QWidget):
    """The question, its answers and the buttons below them."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.predicting = predicting = session.predicting
        self.number = label("", "caption")
        head = QHBoxLayout()
        head.addWidget(label("Predict", "strong"), 1)
        head.addWidget(self.number)
        self.prompt, self.where, self.hint = (
            folding_label("title"),
            folding_label("muted"),
            folding_label("caption"),
        )
        self.code = folding_label("caption")
        self.answers = Answers(session)
        self.form = Form(predicting)
        self.show_answer, self.skip, self.back = (
            QPushButton("Show answer"),
            QPushButton("Skip"),
            QPushButton("Back to the question"),
        )
        for button, effect in (
            (self.show_answer, predicting.show_answer),
            (self.skip, predicting.skip),
            (self.back, predicting.back),
        ):
            button.clicked.connect(lambda *_, run=effect: run())
        ways = QHBoxLayout()
        for button in (self.show_answer, self.skip, self.back):
            ways.addWidget(button)
        ways.addStretch(1)
        column = padded(self)
        column.addLayout(head)
        for part in (self.prompt, self.where, self.answers, self.form, self.code, self.hint):
            column.addWidget(part)
        column.addLayout(ways)
        self._shown: Question | None = None

    def refresh(self) -> None:
        predicting = self.predicting
        question = self.predicting.question
        number = predicting.tally.answered + (predicting.verdict is None)
        self.number.setText(f"{self._lane()}question {number}" if question is not None else "")
        back = predicting.looks_back and predicting.verdict is None
        words = predicting.said or (
            "The run goes on; a question comes." if question is None else question.prompt
        )
        self.prompt.setText("You look back." if back else words)
        self.where.setText(question.context if question is not None and not back else "")
        self.where.setVisible(bool(self.where.text()))
        opened = predicting.open and question is not None
        self.answers.setVisible(
            opened and question is not None and bool(question.options) and not question.blanks
        )
        self.form.setVisible(opened and question is not None and bool(question.blanks))
        if question is not self._shown:
            self._shown = question
            self.answers.show_question(question)
            self.form.show_question(question)
        self.code.setText(self._line(question) if opened and question is not None else "")
        self.code.setVisible(bool(self.code.text()))
        problem = predicting.lane.problem
        where = WHERE if problem is not None and problem.plane else WHERE | WITHOUT_PLANE
        self.hint.setText(where[question.kind] if opened and question is not None else "")
        self.hint.setVisible(opened)
        for button in (self.show_answer, self.skip):
            button.setVisible(opened)
        self.back.setVisible(back)

    def _lane(self) -> str:
        """The lane of the question as the beginning of a caption; "" if there is only one lane."""
        lane = self.predicting.lane
        return f"lane {LETTERS[lane.place]}, " if len(lane.document.lanes) > 1 else ""

    def _line(self, question: Question) -> str:
        """The next line of the pseudo-code in words; "" if the question names none, as it would
        give the answer away.
        """
        lines = dict(self.predicting.lane.algorithm.code_lines())
        return f"{CODE}{lines[question.line].strip()}" if question.line in lines else ""


class Answers(QWidget):
    """A button for each option of the question, with its letter."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.predicting = session.predicting
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(6)
        self.buttons: list[AnswerButton] = []
        session.changed.connect(self._on_changed)

    def show_question(self, question: Question | None) -> None:
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        options = question.options if question is not None else ()
        self.buttons = [
            AnswerButton(self.predicting, k, i, question)
            for i, k in enumerate(options)
            if question is not None
        ]
        for button in self.buttons:
            self.column.addWidget(button)

    def _on_changed(self, changes: Changes) -> None:
        if changes.window & Change.CANDIDATE:
            for button in self.buttons:
                button.update()


class AnswerButton(QPushButton):
    """One answer, “A   x₁ ≤ 0.41”; while it is pointed at, the plane shows its line."""

    def __init__(
        self, predicting: Predicting, candidate: int, place: int, question: Question
    ) -> None:
        words = question.candidates[candidate].label
        super().__init__(as_words(f"{letter_of(place)}    {words}"))
        self.predicting, self.candidate = predicting, candidate
        style.mark(self, "answer", many=len(question.options) > 4)
        describe(self, f"{letter_of(place)}: {words}")
        self.setMinimumWidth(1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(lambda: predicting.answer(candidate))

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the letter in a ring, then the words.

        While the answer is pointed at, the ring is filled and the counts of each class on either
        side stand at the right.
        """
        painter = QStylePainter(self)
        look = theme.current()
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        if self.predicting.pointed == self.candidate:
            option.state |= QStyle.StateFlag.State_MouseOver
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pointed = self.predicting.pointed == self.candidate
        middle = self.height() / 2
        radius = min(style.scale(look, BADGE), self.height() - 8) / 2
        centre = QPointF(PAD + radius, middle)
        painter.setPen(QPen(look.colour("ink"), 1.25))
        painter.setBrush(look.colour("ink") if pointed else look.colour("field"))
        painter.drawEllipse(centre, radius, radius)
        letter, _, words = self.text().partition("    ")
        write_centred(
            painter, centre.x(), middle, letter, face("caption", 700), "field" if pointed else "ink"
        )
        left = centre.x() + radius + PAD
        right = float(self.width() - PAD)
        if pointed:
            right -= self._paint_sides(painter, right, middle)
        write(
            painter,
            left,
            middle,
            face("body", 600).cut(words.replace("&&", "&"), right - left),
            face("body", 600),
        )

    def _paint_sides(self, painter: QPainter, right: float, middle: float) -> float:
        """Paint “● 2  ■ 10 │ ● 8  ■ 9”, ending at `right`; return the width in pixels.

        Return 0 and paint nothing if the answer is no split or there are more than MOST_CLASSES
        classes.
        """
        problem = self.predicting.lane.problem
        question = self.predicting.question
        if problem is None or question is None:
            return 0.0
        counts = sides(problem, question.step.choice, question.candidates[self.candidate].cut)
        if counts is None or len(counts[0]) > MOST_CLASSES:
            return 0.0
        x = right
        look = theme.current()
        for side in reversed(counts):
            for k, count in reversed(list(enumerate(side))):
                write_right(painter, x, middle, str(count), face("body", 600))
                x -= face("body", 600).width(str(count)) + 9
                paint_class(painter, look, k, QPointF(x, middle), 5.0, boxed(problem))
                x -= 14
            if side is counts[1]:
                painter.fillRect(QRectF(x - 1, middle - 8, 1, 16), look.colour("ink2"))
                x -= 9
        return right - x

    @guarded
    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.predicting.show_pointed(self.candidate)

    @guarded
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.predicting.show_pointed(None)


def letter_of(place: int) -> str:
    return chr(ord("A") + place)


class Form(QWidget):
    """The blanks of a question, with the text around them."""

    def __init__(self, predicting: Predicting) -> None:
        super().__init__()
        self.predicting = predicting
        self.text = folding_label("lead")
        self.rows = QVBoxLayout()
        self.rows.setSpacing(6)
        self.error = ErrorLine()
        self.enter = QPushButton("Answer")
        style.mark(self.enter, "main")
        self.enter.clicked.connect(lambda *_: self.send())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.GAP)
        column.addWidget(self.text)
        column.addLayout(self.rows)
        column.addWidget(self.error)
        line = QHBoxLayout()
        line.addWidget(self.enter)
        line.addStretch(1)
        column.addLayout(line)
        self.lines: list[QWidget] = []
        self.fields: list[QLineEdit] = []

    def show_question(self, question: Question | None) -> None:
        for line in self.lines:
            line.hide()
            line.deleteLater()
        blanks = question.blanks if question is not None else ()
        self.text.setText("\n".join(question.text) if question is not None else "")
        self.error.show_error("")
        self.lines, self.fields = [], []
        for blank in blanks:
            self.add(blank)
        if self.fields:
            QTimer.singleShot(0, self.fields[0], self.fields[0].setFocus)

    def add(self, blank: Blank) -> None:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        field = QLineEdit()
        describe(field, f"{blank.mark} {blank.about}".strip(), f"{blank.mark}: {blank.tolerance}")
        field.setFixedWidth(style.scale(theme.current(), 120))
        field.returnPressed.connect(partial(self.go_on, field))
        line.addWidget(label(f"{blank.mark} =", "strong"))
        line.addWidget(field)
        line.addWidget(label(blank.tolerance, "caption"), 1)
        self.rows.addWidget(row)
        self.lines.append(row)
        self.fields.append(field)

    def go_on(self, field: QLineEdit) -> None:
        """Go to the next empty blank, or send the answer if no other is empty."""
        empty = next((other for other in self.fields if not other.text().strip()), None)
        if empty is None or empty is field:
            self.send()
        else:
            empty.setFocus()

    def send(self) -> None:
        self.error.show_error(refused(self.predicting, [field.text() for field in self.fields]))
