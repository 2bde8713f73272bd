"""The pages of a lesson that is being written, in place of the left dock."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QPushButton,
    QScrollArea,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from engine.base.notation import counted
from engine.lessons.lesson import TaskKind
from engine.lessons.states import lane_words
from gui.base.guard import guarded
from gui.base.plain_text import tip
from gui.lessons.author import Author
from gui.lessons.author_question import caption_at_right
from gui.lessons.cover import FoldingCover
from gui.lessons.moments import Moments
from gui.lessons.quiet import quiet
from gui.look import style, theme
from gui.look.ink import Face, face, folded, write_centred
from gui.predict.predict_score import folding_label
from gui.widgets.controls import ErrorLine, IntBox, describe, label

PICTURE, ROW, NUMBER = (60, 40), 58, 24  # pixels of a picture; height of a row; of its number
EMPTY = "Go to a moment worth seeing, then add a page."
NUMBERED = int(Qt.ItemDataRole.UserRole)
MOST_MINUTES = 600
Index = QModelIndex | QPersistentModelIndex
ASKS = {
    TaskKind.STEP: "do it",
    TaskKind.STATE: "make it true",
    TaskKind.TEXT: "write",
    TaskKind.NUMBER: "a number",
    TaskKind.CHOICE: "choose",
    TaskKind.PLACE: "click a place",
    TaskKind.CURVE: "draw",
}


class PageRow(QStyledItemDelegate):
    """Paints a page: its number, the picture of its moment, its title, its place and its task."""

    def __init__(self, author: Author, moments: Moments) -> None:
        super().__init__()
        self.author, self.moments = author, moments

    @guarded
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, style.scale(theme.current(), ROW))

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        number = index.row()
        if not number < len(self.author.drafts):
            return
        look = theme.current()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        area = option.rect.adjusted(0, 1, 0, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        held = chosen or bool(option.state & QStyle.StateFlag.State_MouseOver)
        if held:
            painter.setBrush(look.colour("sel" if chosen else "hover"))
            painter.drawRoundedRect(area, theme.RADIUS, theme.RADIUS)
        ink = "sel_ink" if chosen else "ink"
        wide, high = (style.scale(look, side) for side in PICTURE)
        left = area.x() + style.scale(look, NUMBER)
        middle = area.y() + area.height() / 2
        write_centred(
            painter, (area.x() + left) / 2, middle, str(number + 1), face("caption", 600), ink
        )
        place = QRect(left, round(middle - high / 2), wide, high)
        self._picture(painter, place, number)
        self._words(painter, area.adjusted(place.right() + 8 - area.x(), 0, -4, 0), number, ink)
        painter.restore()

    def _picture(self, painter: QPainter, place: QRect, number: int) -> None:
        """The moment of the page; hatched where the run no longer shows it."""
        look = theme.current()
        picture = self.moments.picture(number)
        painter.setBrush(look.colour("plane"))
        painter.setPen(look.colour("line"))
        painter.drawRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5))
        if picture is not None:
            painter.drawPixmap(place.adjusted(1, 1, -1, -1), picture)
        if self.author.gone[number : number + 1] not in ([], [""]):
            hatch = QBrush(look.colour("ink"), Qt.BrushStyle.BDiagPattern)
            painter.fillRect(place, look.colour("field", 0.6))
            painter.fillRect(place, hatch)

    def _words(self, painter: QPainter, area: QRect, number: int, ink: str) -> None:
        look = theme.current()
        drafted = self.author.drafts[number]
        room = area.width()
        strong, caption = face("body", 600), face("caption")
        lines = _two_lines(drafted.page.title or "(no title)", strong, room)
        asks = asked_words(drafted.page.task.kind) if drafted.page.task else "text"
        second = caption.cut(f"{drafted.page.where.words()}, {asks}", room)
        high = look.line_height("body") * len(lines) + look.line_height("caption")
        y = float(area.y() + (area.height() - high) / 2)
        painter.setPen(look.colour(ink))
        for line in lines:
            strong.draw(painter, area.x(), round(y + strong.ascent), line)
            y += look.line_height("body")
        painter.setPen(look.colour("sel_ink" if ink == "sel_ink" else "ink2"))
        caption.draw(painter, area.x(), round(y + caption.ascent), second)


def _two_lines(text: str, strong: Face, room: float) -> list[str]:
    """A title on one line, or on two, of which the second is cut."""
    rows = folded(strong.metrics, [text], room)
    return [*rows[:1], *([strong.cut(" ".join(rows[1:]), room)] if len(rows) > 1 else [])]


def asked_words(kind: TaskKind) -> str:
    """What a page asks, in one or two words."""
    return ASKS.get(kind, "predict")


class PageList(QListWidget):
    """The pages, which can be dragged to other places: a page goes where the pointer is."""

    def __init__(self, author: Author) -> None:
        super().__init__()
        self.author = author
        self._dragged = -1
        style.mark(self, "flat")
        describe(self, "Pages", "")
        self.setToolTip("")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self._dragged = self.indexAt(event.position().toPoint()).row()

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        to = self.indexAt(event.position().toPoint()).row()
        if not event.buttons() & Qt.MouseButton.LeftButton or self._dragged < 0:
            super().mouseMoveEvent(event)
        elif to >= 0 and to != self._dragged:
            place, self._dragged = self._dragged, to
            self.author.put(place, to)

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragged = -1
        super().mouseReleaseEvent(event)


class PagesPanel(FoldingCover):
    """Title and source, the pages, and what the lesson takes from the lab."""

    def __init__(self, author: Author, ground: QScrollArea, leave: Callable[[], object]) -> None:
        """leave: closes the panel and leaves the lab to itself"""
        super().__init__(ground)
        self.author = author
        self.setAccessibleName("Pages of the lesson")
        self.moments = Moments(author)
        self.moments.made.connect(self._on_made)
        self._filling = False
        self._build(leave)
        author.changed.connect(self.refresh)
        author.edited.connect(self.refresh)
        author.moved.connect(self._on_moved)

    def _on_made(self) -> None:
        self.list.viewport().update()

    def _build(self, leave: Callable[[], object]) -> None:
        self.title, self.source = QLineEdit(), QLineEdit()
        for field, words in ((self.title, "Title of the lesson"), (self.source, "Book, chapter")):
            field.setPlaceholderText(words)
            describe(field, words)
            field.textEdited.connect(lambda _: self._name())
        self.minutes = IntBox(1, MOST_MINUTES, 5, "Minutes that the lesson takes")
        self.minutes.setSuffix(" min")
        self.minutes.valueChanged.connect(lambda _: self._name())
        self.state = label("", "caption")
        self.list = PageList(self.author)
        self.row = PageRow(self.author, self.moments)
        self.list.setItemDelegate(self.row)
        self.list.currentRowChanged.connect(self._choose)
        self.empty = folding_label("muted")
        self.empty.setText(EMPTY)
        self.add = QPushButton("Page at this step")
        style.mark(self.add, "main")
        describe(self.add, "Page at this step", "Add a page where the lab stands (Ctrl+Enter)")
        self.add.clicked.connect(lambda *_: self.author.add_page())
        self.remark = ErrorLine()
        self.taken = folding_label("caption")
        self.settings = QPushButton("Change them…")
        describe(self.settings, "Change them", "Show data, method and parameters of the lab")
        self.settings.clicked.connect(lambda *_: self.fold(True))
        self.back = QPushButton("Back to the pages")
        style.mark(self.back, "main")
        self.back.clicked.connect(lambda *_: self.fold(False))
        first, second, heading = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        first.addWidget(self.title, 1)
        first.addWidget(quiet("close", "Stop writing; the pages are kept until you go on", leave))
        second.addWidget(self.source, 1)
        second.addWidget(self.minutes)
        heading.addWidget(label("Pages", "heading"))
        heading.addWidget(self.state)
        heading.addWidget(caption_at_right("drag to reorder"), 1)
        self.whole = QWidget()
        column = QVBoxLayout(self.whole)
        column.setContentsMargins(10, 8, 10, 10)
        column.setSpacing(8)
        for line in (first, second, heading):
            column.addLayout(line)
        for part in (self.empty, self.list, self.remark, self.add, self.taken, self.settings):
            column.addWidget(part, int(part is self.list))
        self.strip = QWidget()
        QHBoxLayout(self.strip).addWidget(self.back)
        both = QVBoxLayout(self)
        both.setContentsMargins(0, 0, 0, 0)
        both.addWidget(self.whole, 1)
        both.addWidget(self.strip)
        self.strip.hide()

    def _name(self) -> None:
        if not self._filling:
            self.author.name(
                title=self.title.text().strip(),
                source=self.source.text().strip(),
                minutes=self.minutes.value(),
            )

    def _choose(self, row: int) -> None:
        if not self._filling and row != self.author.at:
            self.author.choose(row)

    def refresh(self) -> None:
        """Show the pages as they are now."""
        author, lesson = self.author, self.author.lesson
        self._filling = True
        count = len(author.drafts)
        while self.list.count() > count:
            self.list.takeItem(self.list.count() - 1)
        while self.list.count() < count:
            self.list.addItem("")
        for number, drafted in enumerate(author.drafts):
            gone = author.gone[number] if number < len(author.gone) else ""
            words = ". ".join(filter(None, (drafted.page.title, drafted.page.where.words(), gone)))
            item = self.list.item(number)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"Page {number + 1}: {words}")
            item.setToolTip(tip(gone))
        self.list.setCurrentRow(author.at)
        if lesson.title != self.title.text().strip():
            self.title.setText(lesson.title)
            self.title.setCursorPosition(0)
        if lesson.source != self.source.text().strip():
            self.source.setText(lesson.source)
        self.minutes.setValue(lesson.minutes)
        self._filling = False
        self.state.setText("" if author.saved else "not saved" if count else "")
        self.remark.show_error(author.remark)
        self.empty.setVisible(not count)
        self._show_taken()
        self.moments.refresh()
        self.list.viewport().update()

    def _on_moved(self) -> None:
        """Another step is shown, or a run is recorded further: more pages may have their moment."""
        self._show_taken()
        self.moments.refresh()

    def _show_taken(self) -> None:
        """Say what the lesson takes from the lab."""
        session = self.author.session
        rows = counted(len(session.lane_views[0].data), "row")
        lanes = lane_words(session.document)
        self.taken.setText(f"Data, method and parameters come from the lab: {rows}; {lanes}.")

    def fold(self, folded: bool) -> None:
        """Leave the settings of the lab free, or cover them again."""
        self.whole.setHidden(folded)
        self.strip.setHidden(not folded)
        self.place()
        if not folded:
            self.refresh()

    def appear(self, shown: bool) -> None:
        """Cover the dock, or leave it free."""
        self.setVisible(shown)
        self.place()

    def strip_height(self) -> int:
        return self.strip.sizeHint().height() if self.whole.isHidden() else 0

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "moments"):
            self.moments.refresh()
            self.list.scheduleDelayedItemsLayout()
