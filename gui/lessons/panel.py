"""The panel of the open lesson, in the place of the left dock: text, task, answers and pages."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, QTimer
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from engine.base.notation import counted, quoted
from engine.lessons.lesson import TaskKind
from gui.base.guard import guarded
from gui.lessons.answers import Blanks, Choices, SentenceField
from gui.lessons.cover import FoldingCover
from gui.lessons.player import LessonPlayer, as_question
from gui.lessons.quiet import quiet
from gui.lessons.sketch_bar import SketchBar
from gui.look import style, theme
from gui.predict.predict_score import folding_label
from gui.session.session import Session
from gui.widgets.controls import Divider, ErrorLine, describe, label

CLICK = {
    TaskKind.POINT: "or click it where a picture shows it",
    TaskKind.COLUMN: "or click it where a picture shows it",
    TaskKind.CELL: "or click it in the picture",
}
PAD = 20  # pixels beside the words
DOT = 8  # pixels of a page's dot
MOST_DOTS = 16


class LessonPanel(FoldingCover):
    """Covers the left dock while a lesson is open. Folded, its strip shows the task."""

    def __init__(
        self, player: LessonPlayer, session: Session, dock: QScrollArea, menu: Callable[[], QMenu]
    ) -> None:
        """menu: makes the menu of the lesson"""
        super().__init__(dock)
        self.player, self.session = player, session
        self.folded = False
        self.setAccessibleName("Lesson")
        self.page = LessonPage(player, session)
        self.page.settings.clicked.connect(lambda *_: self.fold(True))
        self.area = QScrollArea()
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidgetResizable(True)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(self.page)
        self.head = LessonHead(player, menu)
        self.foot = LessonFoot(player)
        self.strip = LessonStrip(player)
        self.strip.back.clicked.connect(lambda *_: self.fold(False))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.rule = Divider()
        for part in (self.head, self.area, self.strip, self.rule, self.foot):
            column.addWidget(part, int(part is self.area))
        player.changed.connect(self.refresh)
        self._at = -1

    def refresh(self) -> None:
        """Show the page of the player."""
        on = self.player.running
        if on:
            if self.player.at != self._at:
                self._at = self.player.at
                self.folded = False
                self.area.verticalScrollBar().setValue(0)
            for part in (self.head, self.page, self.foot, self.strip):
                part.refresh()
            self._show_parts()
        else:
            self._at = -1
        self.setVisible(on)
        self.place()
        if on:
            self._fit()
            self._show_reply()

    def _show_reply(self) -> None:
        """Scroll to what is said about an answer."""
        page = self.page
        said = [part for part in (page.said, page.answer, page.error) if not part.isHidden()]
        if said and self.player.reply is not None:
            QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
            for part in reversed(said):
                self.area.ensureWidgetVisible(part, 0, 12)

    def fold(self, folded: bool) -> None:
        """Leave the settings below free, or cover them again."""
        if self.player.running and folded != self.folded:
            self.folded = folded
            self._show_parts()
            self.place()

    def _show_parts(self) -> None:
        for part in (self.head, self.area, self.foot, self.rule):
            part.setVisible(not self.folded)
        self.strip.setVisible(self.folded)

    def strip_height(self) -> int:
        if not self.folded:
            return 0
        whole = self.dock.rect()
        return min(self.strip.heightForWidth(whole.width()), whole.height() // 2)

    def _fit(self) -> None:
        """Make the page as high as its words are at this width."""
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        layout = self.page.layout()
        if layout is not None:
            layout.invalidate()
            high = layout.totalHeightForWidth(self.area.viewport().width())
            self.page.setMinimumHeight(max(0, high))

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "page"):
            QTimer.singleShot(0, self, self.refresh)


class LessonHead(QWidget):
    """The lesson’s title, the number of its page, its menu and the button that closes it."""

    def __init__(self, player: LessonPlayer, menu: Callable[[], QMenu]) -> None:
        super().__init__()
        self.player, self._menu = player, menu
        self.title = folding_label("caption")
        self.number = label("", "caption")
        self.more = quiet("chevron-down", "More of this lesson: start again, hand in", self._open)
        self.close_button = quiet("close", "Leave the lesson (Esc)", player.leave)
        line = QHBoxLayout(self)
        line.setContentsMargins(PAD, 10, 8, 2)
        line.setSpacing(4)
        line.addWidget(self.title, 1)
        for part in (self.number, self.more, self.close_button):
            line.addWidget(part)

    def refresh(self) -> None:
        lesson = self.player.lesson
        self.title.setText(lesson.title)
        self.number.setText(f"{self.player.at + 1} of {len(lesson.pages)}")

    def _open(self) -> None:
        menu = self._menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))


class LessonPage(QFrame):
    """The words, the picture and the task of a page."""

    def __init__(self, player: LessonPlayer, session: Session) -> None:
        super().__init__()
        style.mark(self, "dock")
        self.player, self.session = player, session
        self.title, self.text = folding_label("title"), folding_label("reading")
        self.picture = QLabel()
        self.prompt, self.where = folding_label("lead"), folding_label("caption")
        self.choices = Choices()
        self.blanks = Blanks(session.predicting)
        self.sketch = SketchBar(session)
        self.sentence = SentenceField()
        self.said, self.hint = folding_label("body"), folding_label("reading")
        self.answer, self.fault = folding_label("reading"), folding_label("caption")
        self.error = ErrorLine()
        self.hint_button = QPushButton("Hint")
        self.show_button = QPushButton("Show answer")
        self.settings = QPushButton()
        self.again = QPushButton("Set it up again")
        describe(self.again, "Set it up again", "Data, lanes and step as this page has them")
        self._connect()
        self.rule, self.rule_below = Divider(), Divider()
        self.score = LessonScore(player)
        column = QVBoxLayout(self)
        column.setContentsMargins(PAD, 0, PAD, 12)
        column.setSpacing(10)
        ways, lab = QHBoxLayout(), QHBoxLayout()
        for line, buttons in (
            (lab, (self.settings, self.again)),
            (ways, (self.hint_button, self.show_button)),
        ):
            for button in buttons:
                line.addWidget(button)
            line.addStretch(1)
        for part in (
            self.title,
            self.text,
            self.picture,
            self.fault,
            self.rule,
            self.prompt,
            self.choices,
            self.blanks,
            self.sketch,
            self.sentence,
            self.where,
            self.error,
            self.said,
            self.hint,
            self.answer,
        ):
            column.addWidget(part)
        column.addLayout(lab)
        column.addLayout(ways)
        column.addWidget(self.rule_below)
        column.addWidget(self.score)
        column.addStretch(1)
        self._asked: object = None

    def _connect(self) -> None:
        player = self.player
        self.choices.chosen.connect(lambda words: player.answer((words,)))
        self.blanks.sent.connect(lambda texts: player.answer(tuple(texts)))
        self.sketch.sent.connect(lambda text: player.answer((text,)))
        self.sentence.sent.connect(lambda text: player.answer((text,)))
        self.hint_button.clicked.connect(lambda *_: player.ask_hint())
        self.show_button.clicked.connect(lambda *_: player.show_answer())
        self.again.clicked.connect(lambda *_: player.again())

    def refresh(self) -> None:
        player = self.player
        page = player.page
        self.title.setText(page.title)
        self.text.setText(player.text)
        faults = " ".join(filter(None, (player.fault, self._show_picture())))
        self.fault.setText(faults)
        self.fault.setVisible(bool(faults))
        self._show_task()
        self._show_reply()
        self.score.refresh()
        scored = player.progress is not None and player.progress.most > 0
        self.score.setVisible(scored)
        self.rule_below.setVisible(scored)

    def _show_picture(self) -> str:
        """Show the picture of the page; returns why that is not possible, "" where it is."""
        found, name = self.player.found, self.player.page.picture
        raw = found.files.get(name) if found is not None else None
        picture = QPixmap()
        if raw is not None:
            picture.loadFromData(raw)
        self.picture.setVisible(not picture.isNull())
        if not picture.isNull():
            wide = max(80, self.width() - 2 * PAD)
            self.picture.setPixmap(
                picture.scaledToWidth(
                    min(wide, picture.width()), Qt.TransformationMode.SmoothTransformation
                )
            )
        if not name or not picture.isNull():
            return ""
        if raw is None:
            return f"The picture {quoted(name)} is missing: put it beside the lesson."
        return f"{quoted(name)} cannot be shown: a picture is a PNG or a JPEG."

    def _show_task(self) -> None:
        player = self.player
        asked, task = player.asked, player.task
        self.rule.setVisible(task is not None)
        self.prompt.setText(asked.prompt if asked is not None else task.ask if task else "")
        self.prompt.setVisible(bool(self.prompt.text()))
        question = (
            as_question(asked, player.stand.asked[0])
            if asked is not None and player.stand is not None
            else None
        )
        if asked is not self._asked:
            self._asked = asked
            self.choices.show_choices(player.listed)
            self.blanks.show_question(question if asked is not None and asked.blanks else None)
        known = player.done
        self.choices.setVisible(bool(self.choices.cards))
        self.choices.show_states(
            player.answer_so_far.tries, asked.right if asked is not None else (), known
        )
        self.choices.show_hands(player.hands)
        self.blanks.setVisible(asked is not None and bool(asked.blanks))
        self.blanks.show_known(question, known)
        self.sketch.refresh()
        self.sketch.setVisible(self.session.predicting.pen is not None)
        writes = asked is not None and asked.task.kind is TaskKind.TEXT
        self.sentence.setVisible(writes)
        if writes:
            self.sentence.show_sentence(player.answer_so_far.sentence)
        where = CLICK.get(task.kind, "") if task is not None and asked is not None else ""
        self.where.setText(where if self.choices.cards else where.removeprefix("or ").capitalize())
        self.where.setVisible(bool(where) and not known)

    def _show_reply(self) -> None:
        player = self.player
        asked, answer = player.asked, player.answer_so_far
        self.error.show_error(player.refused)
        self.said.setText(reply_words(player))
        self.said.setVisible(bool(self.said.text()))
        self.hint.setText(f"Hint: {player.hint}" if player.hint else "")
        self.hint.setVisible(bool(player.hint))
        explained = asked.answer if asked is not None and player.done else ""
        shown = answer.shown and asked is not None and not explained and bool(asked.right)
        self.answer.setText(", ".join(asked.right) if shown and asked is not None else explained)
        self.answer.setVisible(bool(self.answer.text()))
        self.hint_button.setVisible(player.may_hint)
        judged = asked is not None and asked.task.kind is not TaskKind.TEXT
        self.show_button.setVisible(judged and not player.done)
        self.settings.setText(f"Change the {' or '.join(player.to_change)}")
        self.settings.setVisible(bool(player.to_change))
        proves = player.task is not None and player.task.kind is TaskKind.STATE
        self.again.setVisible(proves and bool(self.session.history.done))


def reply_words(player: LessonPlayer) -> str:
    """What is said about the latest answer, or about the state of the lab."""
    answer, reply, task = player.answer_so_far, player.reply, player.task
    if task is None:
        return ""
    if task.kind is TaskKind.TEXT:
        return "✓ Kept: it goes into your hand-in." if answer.right else ""
    if answer.right:
        return " ".join(filter(None, ("✓ Right.", reply.measure if reply is not None else "")))
    if answer.shown and task.kind is not TaskKind.STATE:
        said = (reply.says, reply.measure) if reply is not None else ("",)
        return f"✕ {' '.join(said)}" if any(said) else "The answer was shown."
    if answer.shown:
        return "The answer was shown."
    if reply is None:
        return ""
    if task.kind is TaskKind.STATE:
        return f"Not yet. {reply.says}".strip()
    if reply.says:
        return f"✕ {reply.says}"
    wrong = sum(1 for part in reply.parts if not part)
    if len(reply.parts) > 1 and wrong < len(reply.parts):
        return f"✕ Not yet: {counted(wrong, 'number')} of {len(reply.parts)} wrong."
    return "✕ Not right: try again."


class LessonScore(QWidget):
    """How many tasks were right, with a mark for each page."""

    def __init__(self, player: LessonPlayer) -> None:
        super().__init__()
        self.player = player
        self.points, self.of = label("", "counter"), label("", "muted")
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        for part in (label("score", "muted"), self.points, self.of):
            line.addWidget(part)
        line.addStretch(1)

    def refresh(self) -> None:
        progress = self.player.progress
        if progress is not None:
            self.points.setText(str(progress.score))
            self.of.setText(f"of {progress.most}")


class LessonFoot(QWidget):
    """Back, a dot for each page, and Next."""

    def __init__(self, player: LessonPlayer) -> None:
        super().__init__()
        self.player = player
        self.back, self.next = QPushButton("Back"), QPushButton("Next")
        describe(self.back, "Back", "The page before (Page Up)")
        describe(self.next, "Next", "The next page (Page Down)")
        self.back.clicked.connect(lambda *_: player.step(-1))
        self.next.clicked.connect(lambda *_: player.step(1))
        self.dots = PageDots(player)
        line = QHBoxLayout(self)
        line.setContentsMargins(PAD, 8, PAD, 8)
        line.setSpacing(12)
        line.addWidget(self.back)
        line.addWidget(self.dots, 1)
        line.addWidget(self.next)

    def refresh(self) -> None:
        player = self.player
        last = player.at == len(player.lesson.pages) - 1
        self.back.setEnabled(player.at > 0)
        self.next.setEnabled(not last)
        ready = not last and (player.task is None or player.done)
        style.mark(self.next, "main" if ready else "")
        self.dots.refresh()


class PageDots(QWidget):
    """A dot for each page, filled where its task was done; a click goes there."""

    def __init__(self, player: LessonPlayer) -> None:
        super().__init__()
        self.player = player
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def refresh(self) -> None:
        progress = self.player.progress
        count = len(self.player.lesson.pages)
        done = sum(1 for answer in progress.answers if answer.right) if progress else 0
        self.setAccessibleName(
            f"Page {self.player.at + 1} of {count}, {counted(done, 'task')} done"
        )
        self.update()

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(60, style.scale(theme.current(), 2 * DOT + 6))

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(20, self.sizeHint().height())

    def _centres(self) -> list[float]:
        count = len(self.player.lesson.pages)
        pitch = min(style.scale(theme.current(), 18), self.width() / max(1, count))
        start = (self.width() - pitch * (count - 1)) / 2
        return [start + k * pitch for k in range(count)]

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.player.running or self.player.progress is None:
            return
        look = theme.current()
        places = self._centres()
        pitch = places[1] - places[0] if len(places) > 1 else 18.0
        radius = min(style.scale(look, DOT) / 2, pitch / 2 - 1)
        answers = self.player.progress.answers
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for k, x in enumerate(places):
                centre = QPointF(x, self.height() / 2)
                full = answers[k].right or answers[k].shown or not answers[k].kind
                reached = answers[k].reached and full
                painter.setPen(QPen(look.colour("ink" if reached else "strong"), 1.25))
                painter.setBrush(look.colour("ink" if reached else "dock"))
                painter.drawEllipse(centre, max(1.0, radius), max(1.0, radius))
                if k == self.player.at:
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                    painter.setPen(QPen(look.colour("ink"), 2))
                    painter.drawEllipse(centre, radius + 3, radius + 3)

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        places = self._centres()
        x = event.position().x()
        self.player.go(min(range(len(places)), key=lambda k: abs(places[k] - x)))


class LessonStrip(QFrame):
    """The task in a few words, while the settings are shown."""

    def __init__(self, player: LessonPlayer) -> None:
        super().__init__()
        style.mark(self, "panel")
        self.player = player
        self.ask, self.said = folding_label("strong"), folding_label("body")
        self.back = QPushButton("Back to the lesson")
        style.mark(self.back, "main")
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 10)
        column.setSpacing(6)
        for part in (self.ask, self.said, self.back):
            column.addWidget(part)

    def refresh(self) -> None:
        player = self.player
        asked = player.asked
        self.ask.setText(asked.prompt if asked is not None else player.page.title)
        self.said.setText(reply_words(player))
        self.said.setVisible(bool(self.said.text()))
