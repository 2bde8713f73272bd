"""The answers of a task: cards to choose from, blanks for numbers, room for a sentence."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from engine.judge.questions import Blank
from engine.judge.questions.question import Question
from gui.base.guard import guarded
from gui.look import style, theme
from gui.look.ink import face, folded, write_centred, write_right
from gui.look.style import describe
from gui.predict.predict import Form
from gui.session.predicting import Predicting
from gui.widgets.controls import label

BADGE, PAD, AIR = 26, 8, 8  # pixels of a letter's ring, beside it, above and below the words
LOW_BADGE, LOW_AIR, MANY = 22, 3, 6  # the same of more than MANY answers
OPEN, WRONG, RIGHT = "open", "wrong", "right"
MARKS = {WRONG: "✕", RIGHT: "✓"}
BAR = 4  # pixels of the height of a bar
SENTENCE_LINES = 4
SHORT = 9  # letters of answers of which two have room side by side
FIELD = 88  # pixels of a blank, of which two stand side by side


class AnswerCard(QAbstractButton):
    """One answer with its letter; its words take as many lines as they need.

    hands, share: how many chose it of a class, and which part of all
    state: OPEN, WRONG once it was tried, or RIGHT once that is known
    """

    def __init__(self, letter: str, words: str, many: bool = False) -> None:
        """many: whether it is one of so many that each is low"""
        super().__init__()
        self.letter, self.words, self.state = letter, words, OPEN
        self.hands, self.share = 0, 0.0
        self.ring, self.air = (LOW_BADGE, LOW_AIR) if many else (BADGE, AIR)
        describe(self, f"{letter}: {words}")
        self.setToolTip("")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        # not fixed: the size hint knows no width before the first layout, and would hold it there
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_state(self, state: str) -> None:
        if state != self.state:
            self.state = state
            known = {WRONG: ", wrong", RIGHT: ", right"}.get(state, "")
            self.setAccessibleName(f"{self.letter}: {self.words}{known}")
            self.update()

    def show_hands(self, hands: int, share: float) -> None:
        """Show how many of a class chose it, with a bar of this share of the width."""
        if (hands, share) != (self.hands, self.share):
            self.hands, self.share = hands, share
            counted = f", {hands} hands" if share else ""
            self.setAccessibleDescription(counted.removeprefix(", "))
            self.updateGeometry()
            self.update()

    def _ring(self) -> int:
        return style.scale(theme.current(), self.ring)

    def _lines(self, width: int) -> list[str]:
        room = width - self._ring() - 3 * PAD - (self._number() if self.hands else 0)
        return folded(QFontMetrics(theme.current().font("body", weight=500)), [self.words], room)

    def _number(self) -> int:
        """The room of the number of hands, in pixels."""
        return round(face("body", 700).width(f"{self.hands:,}")) + PAD

    @guarded
    def hasHeightForWidth(self) -> bool:
        return True

    @guarded
    def heightForWidth(self, width: int) -> int:
        high = theme.current().line_height("body") * len(self._lines(width)) + 2 * self.air
        return max(self._ring() + 2 * self.air, high)

    @guarded
    def sizeHint(self) -> QSize:
        wide = max(200, self.width())
        return QSize(wide, self.heightForWidth(wide))

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.heightForWidth(max(80, self.width())))

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        held = self.underMouse() and self.isEnabled()
        known = self.state == RIGHT
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            wide = 2.0 if held or known else 1.0
            frame = QRectF(self.rect()).adjusted(wide / 2, wide / 2, -wide / 2, -wide / 2)
            painter.setPen(QPen(look.colour("ink" if held or known else "strong"), wide))
            painter.setBrush(look.colour("field" if self.state != WRONG else "dock"))
            painter.drawRoundedRect(frame, theme.CARD_RADIUS, theme.CARD_RADIUS)
            self._paint_hands(painter, frame)
            self._paint_badge(painter, dark=held or known)
            self._paint_words(painter)

    def _paint_hands(self, painter: QPainter, frame: QRectF) -> None:
        """Paint a bar along the lower edge below the words, and the number at the right."""
        if not self.hands:
            return
        look = theme.current()
        high = style.scale(look, BAR)
        left, top = frame.left() + 2 * PAD + self._ring(), frame.bottom() - high
        room = frame.right() - theme.CARD_RADIUS - left
        painter.fillRect(QRectF(left, top, room * self.share, high), look.colour("ink"))
        number = f"{self.hands:,}"
        write_right(
            painter, self.width() - PAD, self.height() / 2, number, face("body", 700), "ink"
        )

    def _paint_badge(self, painter: QPainter, dark: bool) -> None:
        look = theme.current()
        radius = self._ring() / 2
        centre = QPointF(PAD + radius, self.height() / 2)
        painter.setPen(QPen(look.colour("ink"), 1.25))
        painter.setBrush(look.colour("ink" if dark else "field"))
        painter.drawEllipse(centre, radius, radius)
        mark = MARKS.get(self.state, self.letter)
        write_centred(
            painter, centre.x(), centre.y(), mark, face("caption", 700), "field" if dark else "ink"
        )

    def _paint_words(self, painter: QPainter) -> None:
        look = theme.current()
        lines = self._lines(self.width())
        pitch = look.line_height("body")
        painter.setFont(look.font("body", weight=500))
        painter.setPen(look.colour("ink3" if self.state == WRONG else "ink"))
        ascent = painter.fontMetrics().ascent() + (pitch - painter.fontMetrics().height()) / 2
        top = (self.height() - pitch * len(lines)) / 2 + ascent
        for k, line in enumerate(lines):
            painter.drawText(QPointF(2 * PAD + self._ring(), round(top + k * pitch)), line)


class Choices(QWidget):
    """A card for each answer. chosen: the words of the one that was pressed."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.grid = QGridLayout(self)
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.grid.setSpacing(6)
        self.cards: list[AnswerCard] = []

    def show_choices(self, words: Sequence[str]) -> None:
        for card in self.cards:
            self.grid.removeWidget(card)
            card.hide()
            card.deleteLater()
        many = len(words) > MANY
        self.cards = [AnswerCard(chr(ord("A") + k), each, many) for k, each in enumerate(words)]
        across = 2 if all(len(each) <= SHORT for each in words) else 1
        for k, card in enumerate(self.cards):
            card.clicked.connect(lambda *_, words=card.words: self.chosen.emit(words))
            self.grid.addWidget(card, k // across, k % across)

    def show_states(self, tried: Sequence[str], right: Sequence[str], known: bool) -> None:
        """Mark the answers that were tried, and once it is known the right ones.

        known: whether the task is done, so that none can be chosen any more
        """
        for card in self.cards:
            is_right = card.words in right
            state = RIGHT if known and is_right else OPEN
            card.show_state(WRONG if card.words in tried and not is_right else state)
            card.setEnabled(not known)

    def show_hands(self, hands: Mapping[str, int]) -> None:
        """Show how many of a class chose each answer."""
        whole = sum(hands.values())
        for card in self.cards:
            count = hands.get(card.words, 0)
            card.show_hands(count, count / whole if whole else 0.0)


class Blanks(Form):
    """The numbers of a step, or others, to type. sent: the texts of all blanks"""

    sent = Signal(list)

    def __init__(self, predicting: Predicting) -> None:
        super().__init__(predicting)
        self.enter.setText("Check")
        self.near = label("", "caption")
        self.layout().insertWidget(2, self.near)

    def show_question(self, question: Question | None) -> None:
        super().show_question(question)
        blanks = question.blanks if question is not None else ()
        self.near.setText(", ".join(dict.fromkeys(blank.tolerance for blank in blanks)))
        self.text.setVisible(bool(self.text.text()))

    def add(self, blank: Blank) -> None:
        """Add a blank; two share a line."""
        if len(self.fields) % 2 == 0:
            line = QWidget()
            self.lines.append(line)
            row = QHBoxLayout(line)
            row.setContentsMargins(0, 0, 0, 0)
            row.addStretch(1)
            self.rows.addWidget(line)
        across = self.lines[-1].layout()
        assert isinstance(across, QHBoxLayout)
        field = QLineEdit()
        describe(field, f"{blank.mark} {blank.about}".strip(), f"{blank.mark}: {blank.tolerance}")
        field.setFixedWidth(style.scale(theme.current(), FIELD))
        field.returnPressed.connect(partial(self.go_on, field))
        name = f"{blank.mark} =" if len(blank.mark) > 1 else "="
        across.insertWidget(across.count() - 1, label(name, "strong"))
        across.insertWidget(across.count() - 1, field)
        self.fields.append(field)

    def send(self) -> None:
        self.sent.emit([field.text() for field in self.fields])

    def show_known(self, question: Question | None, known: bool) -> None:
        """Fill in the right numbers once they are known."""
        blanks = question.blanks if question is not None else ()
        for field, blank in zip(self.fields, blanks, strict=False):
            field.setReadOnly(known)
            if known:
                field.setText(blank.shown)
        self.enter.setVisible(not known)


class SentenceField(QWidget):
    """Room for a sentence. sent: what was written"""

    sent = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.field = QPlainTextEdit()
        self.field.setTabChangesFocus(True)
        describe(self.field, "Your sentence", "Your sentence: your teacher reads it")
        self.keep = QPushButton("Keep")
        style.mark(self.keep, "main")
        self.keep.clicked.connect(lambda *_: self.sent.emit(self.field.toPlainText()))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.field)
        line = QHBoxLayout()
        line.addWidget(self.keep)
        line.addStretch(1)
        column.addLayout(line)

    def show_sentence(self, sentence: str) -> None:
        self.field.setFixedHeight(SENTENCE_LINES * theme.current().line_height("body") + 16)
        if sentence != self.field.toPlainText():
            self.field.setPlainText(sentence)
