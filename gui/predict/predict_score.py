"""The parts below the question of the mode “Predict”: the verdict with its step, the score, and the
choice of what to ask.
"""

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from engine.judge.questions import Every, Kind, Tally
from engine.judge.questions.tally import KEPT
from gui.base.guard import guarded
from gui.figures.bars import MUCH
from gui.look import style, theme
from gui.look.ink import face, write_centred
from gui.reading.this_step import ThisStepPanel
from gui.session.predicting import Predicting
from gui.widgets.controls import Combo, Segments, label

ALL = "all kinds"
DOT, DOT_GAP = 22, 7  # pixels of a mark of the score, and between two marks


def padded(widget: QWidget, above: int = theme.PAD_Y) -> QVBoxLayout:
    column = QVBoxLayout(widget)
    column.setContentsMargins(theme.PAD_X, above, theme.PAD_X, theme.PAD_Y)
    column.setSpacing(theme.GAP)
    return column


def folding_label(kind: str) -> QLabel:
    made = label("", kind)
    made.setWordWrap(True)
    made.setMinimumWidth(1)
    made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    return made


class VerdictView(QWidget):
    """The verdict on an answer, with the rule of a tie and the step itself."""

    def __init__(self, predicting: Predicting) -> None:
        super().__init__()
        self.predicting = predicting
        self.said = folding_label("lead")
        self.rule = folding_label("muted")
        self.go_on = QPushButton("Go on")
        style.mark(self.go_on, "main")
        self.go_on.clicked.connect(lambda *_: predicting.go_on())
        self.step = ThisStepPanel()
        head = QWidget()
        column = padded(head, 0)
        column.addWidget(self.said)
        column.addWidget(self.rule)
        line = QHBoxLayout()
        line.addWidget(self.go_on)
        line.addWidget(label("→ or Enter", "caption"))
        line.addStretch(1)
        column.addLayout(line)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(head)
        whole.addWidget(self.step)
        self._shown: object = None

    def fit(self, wide: int, bar: int) -> None:
        """Give the step its full height at the width `wide`; bar: pixels of the scroll bar beside
        it.
        """
        self.step.lend_padding(bar)
        self.step.setFixedHeight(self.step.fit(wide, MUCH))

    def refresh(self) -> None:
        predicting = self.predicting
        verdict = self.predicting.verdict
        self.setVisible(verdict is not None)
        if verdict is None or predicting.question is None:
            self._shown = None
            return
        if verdict is self._shown:
            return
        self._shown = verdict
        self.said.setText(("✓ " if verdict.right else "✕ ") + verdict.said)
        self.said.setAccessibleName(" ".join((verdict.said, *verdict.why)))
        tie = [row for row in verdict.why if row.startswith("A tie, ")]
        self.rule.setText(tie[0] if tie else "")
        self.rule.setVisible(bool(tie))
        lane = predicting.lane
        self.step.show_step(predicting.question.step, lane.number, lane.unit.name.lower())


class ScoreView(QWidget):
    """“7 of 9 right”, the latest answers as marks, and the same by kind."""

    def __init__(self) -> None:
        super().__init__()
        self.right, self.of, self.row = (
            label("0", "counter"),
            label("", "body"),
            label("", "caption"),
        )
        self.kinds = folding_label("caption")
        self.marks = Marks()
        line = QHBoxLayout()
        line.addWidget(self.right)
        line.addWidget(self.of)
        line.addStretch(1)
        line.addWidget(self.row)
        column = padded(self, 4)
        column.addLayout(line)
        column.addWidget(self.marks)
        column.addWidget(self.kinds)

    def show_tally(self, tally: Tally) -> None:
        self.right.setText(str(tally.right))
        self.of.setText(f"of {tally.answered} right")
        self.row.setText(f"{tally.row} in a row" if tally.row > 1 else "")
        self.kinds.setText(tally.words())
        self.kinds.setVisible(bool(tally.kinds))
        self.marks.show_last(tally.last)


class Marks(QWidget):
    """The latest answers: a check for a right one, a cross for a wrong one, a ring for the next
    one.
    """

    def __init__(self) -> None:
        super().__init__()
        self.last: tuple[bool, ...] = ()

    def show_last(self, last: tuple[bool, ...]) -> None:
        self.last = last[-(KEPT - 1) :]
        words = ", ".join("right" if right else "wrong" for right in self.last)
        self.setAccessibleName(f"The latest answers: {words}" if words else "No answers yet")
        self.update()

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(100, style.scale(theme.current(), DOT) + 4)

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(10, self.sizeHint().height())

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            side = min(style.scale(look, DOT), self.width() / KEPT - 3)
            pitch = min(side + DOT_GAP, self.width() / KEPT)
            y = self.height() / 2
            for k, right in enumerate((*self.last, None)):
                centre = QPointF(k * pitch + side / 2 + 1, y)
                painter.setPen(QPen(look.colour("ink"), 1.5))
                painter.setBrush(
                    look.colour("now" if right is None else "sel" if right else "field")
                )
                painter.drawEllipse(centre, side / 2 - 1, side / 2 - 1)
                if right:
                    write_centred(
                        painter, centre.x(), centre.y(), "✓", face("caption", 700), "sel_ink"
                    )
                elif right is not None:
                    write_centred(painter, centre.x(), centre.y(), "✕", face("caption", 700))


class WishesView(QWidget):
    """Chooses when to ask, and which kind of question."""

    def __init__(self, predicting: Predicting) -> None:
        super().__init__()
        self.predicting = predicting
        self.every = Segments(list(Every), accessible="Ask at", words=lambda every: every.value)
        self.every.picked.connect(lambda every: predicting.want(every, predicting.ask.only))
        self.only = Combo("Only questions of this kind")
        self.only.setMinimumContentsLength(10)
        self.only.addItem(ALL, None)
        for kind in Kind:
            self.only.addItem(kind.value, kind)
        self.only.activated.connect(lambda at: predicting.want(None, self.only.itemData(at)))
        column = padded(self, 8)
        for words, control in (("ask at", self.every), ("only", self.only)):
            line = QHBoxLayout()
            line.addWidget(label(words, "muted"))
            line.addWidget(control)
            line.addStretch(1)
            column.addLayout(line)
        column.addWidget(label("A, B … answer · Esc leaves", "caption"))

    def refresh(self) -> None:
        self.every.set_value(self.predicting.ask.every)
        self.only.setCurrentIndex(max(0, self.only.findData(self.predicting.ask.only)))
