"""One answer of the class: the state as a picture, right beside answered, in numbers and words."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from engine.base.errors import EngineError
from engine.base.notation import counted
from engine.base.records import Record, replace
from engine.judge.conditions import Moment
from engine.lessons.answered import Known, Looked, looked_at, scene_of
from engine.lessons.handin import HandIn
from engine.scene.axes import AIR
from engine.scene.layers import Arrows, Layer
from engine.scene.views import PLANE
from gui.base.guard import guarded
from gui.dialogs.job import Job, Tick
from gui.lessons.wrong_answers import joined
from gui.look import style, theme
from gui.look.ink import pen
from gui.painters.axes import fit_view, plane_rect
from gui.painters.view import View
from gui.predict.predict_score import folding_label
from gui.widgets.controls import Divider, ErrorLine, label

SIDE, PICTURE = 420, 340  # pixels: width of the column, height of its picture
SAMPLE = 34  # pixels of the sample of a line
SOON_MS = 80  # of rest before a picture is made
CHANGED = (
    "This answer does not fit its digest: the file was changed after the hand-in. Ask the student"
    " for the file again."
)
if TYPE_CHECKING:  # imported with the first picture
    from gui.export.shown import Shown

Draw = Callable[[QPainter, QRectF], object]


class Painted(Record):
    """An answer with what paints it, each into its part of the picture."""

    looked: Looked
    parts: tuple[tuple[QRectF, Draw], ...]


class StatePicture(QWidget):
    """The picture of an answer.

    resized: it has another size, in which the picture is to be made again
    """

    resized = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(style.scale(theme.current(), PICTURE))
        self.setAccessibleName("The state of the student")
        self.picture: QPixmap | None = None

    def show_painted(self, found: Painted | None) -> None:
        """Paint an answer; None: nothing."""
        self.picture = None
        if found is not None and not self.size().isEmpty():
            ratio = self.devicePixelRatioF()
            self.picture = QPixmap(self.size() * ratio)
            self.picture.setDevicePixelRatio(ratio)
            self.picture.fill(theme.current().colour("plane"))
            with QPainter(self.picture) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                for area, draw in found.parts:
                    draw(painter, area)
        self.update()

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if self.picture is not None:
                painter.drawPixmap(0, 0, self.picture)


class Sample(QWidget):
    """The line in which the picture draws an answer: solid for the right one, else dashed."""

    def __init__(self, dashed: bool) -> None:
        super().__init__()
        self.dashed = dashed
        self.setFixedSize(SAMPLE, theme.current().line_height("body"))

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setPen(pen("ink", 2.0, (5, 4) if self.dashed else ()))
            middle = self.height() / 2
            painter.drawLine(QPointF(0, middle), QPointF(self.width(), middle))


class AnswerSide(QFrame):
    """opened: the state is wanted in the lab; next_wanted: the next student with this answer"""

    opened = Signal()
    next_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFixedWidth(style.scale(theme.current(), SIDE))
        self.known: Known | None = None
        self.searched = False  # whether the lesson was looked for
        self._others = 0
        self._shown: tuple[HandIn, int] | None = None
        self._job = Job("This answer could not be drawn.")
        self._job.done.connect(self._on_painted)
        self._soon = QTimer(self, singleShot=True, interval=SOON_MS)
        self._soon.timeout.connect(self._draw)
        self._build()

    def _build(self) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 0, 0, 0)
        self.area, self.inside = QScrollArea(), QWidget()  # a student may write much
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(self.inside)
        whole.addWidget(self.area)
        column = self.column = QVBoxLayout(self.inside)
        column.setContentsMargins(0, 0, theme.PAD_X, 0)
        self.who, self.time = label("", "heading"), label("", "caption")
        self.page_title = folding_label("title")
        head = QHBoxLayout()
        head.addWidget(self.who)
        head.addStretch(1)
        head.addWidget(self.time)
        column.addLayout(head)
        column.addWidget(self.page_title)
        self.picture = StatePicture()
        self.picture.resized.connect(self._soon.start)
        column.addWidget(self.picture)
        column.addLayout(self._answers())
        self.tries, self.words = folding_label("body"), folding_label("reading")
        self.why = label("", "heading")
        self.rule = Divider()
        self.error = ErrorLine()
        for part in (self.tries, self.rule, self.why, self.words, self.error):
            column.addWidget(part)
        column.addLayout(self._buttons())
        column.addStretch(1)

    def _answers(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setColumnStretch(2, 1)
        self.right, self.given = folding_label("body"), folding_label("body")
        self.rows: list[tuple[QWidget, ...]] = []
        for k, (name, words) in enumerate((("right", self.right), ("answered", self.given))):
            row = (label(name, "muted"), Sample(dashed=k == 1), words)
            for place, part in enumerate(row):
                grid.addWidget(part, k, place)
            self.rows.append(row)
        return grid

    def _fit(self) -> None:
        """Give what it shows the height that its words need in this width."""
        room = self.area.viewport().size()
        wide = self.area.width()
        self.inside.resize(wide, max(self.column.totalHeightForWidth(wide), room.height()))

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _buttons(self) -> QHBoxLayout:
        line = QHBoxLayout()
        self.open_button = QPushButton("Open this state in the lab")
        self.next_button = QPushButton("Next with this answer")
        style.mark(self.open_button, "main")
        for button, signal in (
            (self.open_button, self.opened),
            (self.next_button, self.next_wanted),
        ):
            button.setAutoDefault(False)
            button.clicked.connect(lambda *_, signal=signal: signal.emit())
            line.addWidget(button)
        line.addStretch(1)
        return line

    # -- what it shows -----------------------------------------------------------------------------

    def show_answer(self, name: str, handin: HandIn | None, page: int, others: int) -> None:
        """Show the answer of a student to a page, from 0; a None shows nothing.

        others: how many more students gave this wrong answer
        """
        self._shown = None if handin is None else (handin, page)
        self.error.show_error("")
        self._job.cancel()
        self.picture.show_painted(None)
        self._others = others
        for part in (self.open_button, self.rule, self.why, self.words):
            part.setVisible(handin is not None)
        self.next_button.setVisible(handin is not None and others > 0)
        if handin is None:
            for words in (self.who, self.time, self.page_title, self.tries):
                words.setText("")
            self._tell(None)
            return
        self._tell_words(name, handin, page)
        self._tell(None)
        self._soon.start()

    def _tell_words(self, name: str, handin: HandIn, page: int) -> None:
        answer = handin.progress.answers[page]
        tries = f"{counted(len(answer.tries), 'try', 'tries')}, " if answer.tries else ""
        self.who.setText(f"{name}, page {page + 1}")
        self.time.setText(f"{tries}{answer.seconds // 60}:{answer.seconds % 60:02} min")
        self.page_title.setText(answer.title)
        said = [f"{k}. {given}" for k, given in enumerate(answer.tries, 1)]
        extra = ["The hint was shown."] * answer.hinted + ["The answer was shown."] * answer.shown
        misfit = [CHANGED] * (page in handin.misfits)
        self.tries.setText("\n".join([*said, *extra, *misfit]) or "Nothing was answered.")
        written = answer.sentence or answer.fork
        self.words.setText(written)
        self.why.setText(f"In {name}’s words" if answer.sentence else f"What {name} made")
        for part in (self.rule, self.why, self.words):
            part.setVisible(bool(written))

    def _tell(self, looked: Looked | None) -> None:
        """Tell the right answer and the given one."""
        given = looked.given if looked is not None else ""
        self.right.setText(looked.right if looked is not None else "")
        also = f"so did {counted(self._others, 'other')}" if self._others else ""
        says = looked.says if looked is not None else ""
        words = f"{joined(given)} {says}" if says else given
        self.given.setText(f"{words.removesuffix('.')}; {also}" if given and also else words)
        drawn = looked is not None and any(isinstance(each, Arrows) for each in looked.marks)
        texts = self.right.text(), self.given.text()
        for (name, sample, words_of_it), text in zip(self.rows, texts, strict=True):
            name.setVisible(bool(text))
            words_of_it.setVisible(bool(text))
            sample.setVisible(bool(text) and drawn)
        self._fit()

    # -- its picture -------------------------------------------------------------------------------

    def _draw(self) -> None:
        if self._shown is not None and self.searched:
            handin, page = self._shown
            self._job.start(partial(painted, self.known, handin, page, QRectF(self.picture.rect())))

    def _on_painted(self, found: object) -> None:
        if isinstance(found, Painted):
            self.picture.show_painted(found)
            self._tell(found.looked)
        else:
            self.error.show_error(str(found))

    def stop(self) -> None:
        """Give up the picture that is being made."""
        self._soon.stop()
        self._job.cancel()


def painted(known: Known | None, handin: HandIn, page: int, area: QRectF, tick: Tick) -> Painted:
    """The picture of an answer in this area; raises EngineError."""
    answer = handin.progress.answers[page]
    looked = looked_at(known, page, answer, lambda: not tick(0.0))
    if not looked.lanes:
        raise EngineError("There is no run to show.")
    names = known.lesson.view.pictures if known is not None and not looked.own else ()
    places = _places(area, len(looked.lanes))
    parts = []
    for k, (lane, place) in enumerate(zip(looked.lanes, places, strict=True)):
        marks = looked.marks if k == 0 else ()
        parts.append((place, _drawn(lane, marks, names, place)))
    return Painted(looked, tuple(parts))


def _places(area: QRectF, count: int) -> list[QRectF]:
    """The parts of an area for so many lanes: beside each other, of more than two in rows."""
    across = min(2, count)
    rows = -(-count // 2)
    wide, high = area.width() / across, area.height() / rows
    return [QRectF(k % 2 * wide, k // 2 * high, wide, high) for k in range(count)]


def _drawn(lane: Moment, marks: tuple[Layer, ...], names: tuple[str, ...], area: QRectF) -> Draw:
    from gui.export.shown import Look, Shown, prepared_draw
    from gui.lessons.thumbnails import leading

    scene = scene_of(lane)
    scene = replace(scene, layers=(*scene.layers, *marks))
    found = leading(Shown(lane.trace, lane.cursor, scene=scene), names)
    ranges = _with_arrows(found.shown, area) if found.name == PLANE else None
    return prepared_draw(found.shown, found.name, Look(theme.current(), ranges=ranges), area)


def _with_arrows(shown: "Shown", area: QRectF) -> View | None:
    """The section of the plane with all points and all arrows; None where there are no arrows."""
    layers = [each for each in shown.scene.layers if isinstance(each, Arrows)]
    if not layers:
        return None
    rect = plane_rect(area, theme.current())
    whole = fit_view(shown.trace.problem, rect, False)
    ends = np.concatenate([end for each in layers for end in (each.start, each.end)])
    low = np.minimum((whole.x[0], whole.y[0]), ends.min(axis=0) - AIR * np.ptp(ends, axis=0))
    high = np.maximum((whole.x[1], whole.y[1]), ends.max(axis=0) + AIR * np.ptp(ends, axis=0))
    return View((low[0], high[0]), (low[1], high[1]), QRectF())
