"""The lessons as cards: each its picture, title, source, minutes and how far it is done."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from engine.lessons.library import Head
from engine.lessons.progress import Progress
from gui.base.guard import guarded
from gui.lessons.thumbnails import Thumbnails
from gui.look import style, theme
from gui.look.ink import face, write, write_right
from gui.widgets.controls import describe

CARD, PICTURE, GAP = (240, 178), 124, 16  # pixels of a card, of its picture, between two cards
HEAD = int(Qt.ItemDataRole.UserRole)
Index = QModelIndex | QPersistentModelIndex


def mark_of(head: Head, progress: Mapping[str, Progress]) -> str:
    """'✓ done', 'page 3 of 8' where a lesson was begun, or ''."""
    found = progress.get(head.key)
    if found is None or found.title != head.title:
        return ""
    if found.done:
        return "✓ done"
    begun = any(answer.reached for answer in found.answers)
    return f"page {found.page + 1} of {head.pages}" if begun else ""


class Lessons(QAbstractListModel):
    """The lessons that are listed, in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Head] = []
        self.progress: dict[str, Progress] = {}

    def show_rows(self, rows: Sequence[Head]) -> None:
        if list(rows) == self.rows[: len(rows)] == self.rows:
            return
        if self.rows == list(rows[: len(self.rows)]):  # more were read
            self.beginInsertRows(QModelIndex(), len(self.rows), len(rows) - 1)
            self.rows = list(rows)
            self.endInsertRows()
            return
        self.beginResetModel()
        self.rows = list(rows)
        self.endResetModel()

    @guarded
    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.rows)

    @guarded
    def data(self, index: Index, role: int = 0) -> Any:
        if not 0 <= index.row() < len(self.rows):
            return None
        head = self.rows[index.row()]
        if role == HEAD:
            return head
        if role in (int(Qt.ItemDataRole.AccessibleTextRole), int(Qt.ItemDataRole.DisplayRole)):
            return f"{head.title}, {head.source}, {head.minutes} minutes, {self.mark(head)}"
        return None

    def mark(self, head: Head) -> str:
        """See `mark_of`."""
        return mark_of(head, self.progress)


class LessonCard(QStyledItemDelegate):
    """Paints a lesson. size: of a card, in pixels"""

    def __init__(self, lessons: Lessons, thumbnails: Thumbnails) -> None:
        super().__init__()
        self.lessons, self.thumbnails = lessons, thumbnails
        self.size = card_size()
        self.cell = self.size.width() + GAP  # width of a column
        self.columns = 1

    @property
    def picture_high(self) -> int:
        """The height of the picture, which keeps its proportions."""
        return round(PICTURE / CARD[0] * self.size.width())

    @guarded
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(self.cell, self.size.height() + GAP)

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        head = index.data(HEAD)
        if head is None:
            return
        look = theme.current()
        # the gaps lie between the columns, not behind the last one
        column = option.rect.x() // max(1, self.cell)
        area = QRect(option.rect.topLeft(), self.size).translated(column * GAP // self.columns, 0)
        state = option.state
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        held = chosen or bool(state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setBrush(look.colour("field"))
        painter.setPen(QPen(look.colour("ink" if held else "line"), 2.0 if held else 1.0))
        frame = QRectF(area).adjusted(1, 1, -1, -1)
        painter.drawRoundedRect(frame, theme.CARD_RADIUS, theme.CARD_RADIUS)
        high = self.picture_high
        picture = self.thumbnails.picture(head)
        place = QRect(area.x() + 2, area.y() + 2, area.width() - 4, high)
        if picture is not None:
            painter.drawPixmap(place, picture)
        rule = QRect(place.x(), place.bottom() + 1, place.width(), 1)
        painter.fillRect(rule, look.colour("line"))
        self._write(painter, area, high, head)
        painter.restore()

    def _write(self, painter: QPainter, area: QRect, high: int, head: Head) -> None:
        look = theme.current()
        left, right = float(area.x() + 12), float(area.right() - 12)
        body, caption = face("body", 600), face("caption")
        first = area.y() + high + look.line_height("body") * 0.95
        write(painter, left, first, body.cut(head.title, right - left), body)
        second = first + look.line_height("body")
        mark = self.lessons.mark(head)
        end = mark or f"{head.minutes} min"
        write_right(painter, right, second, end, face("caption", 700 if mark else 400), "ink")
        room = right - left - caption.width(end) - 16
        write(painter, left, second, caption.cut(head.source, room), caption, "ink2")


def card_size() -> QSize:
    """The least size of a card."""
    look = theme.current()
    return QSize(style.scale(look, CARD[0]), style.scale(look, CARD[1]))


class CardList(QListView):
    """The cards in as many columns as there is room for; together they are as wide as the list."""

    def __init__(self, lessons: Lessons, thumbnails: Thumbnails) -> None:
        super().__init__()
        self.thumbnails = thumbnails
        style.mark(self, "flat")
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMovement(QListView.Movement.Static)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setModel(lessons)
        self.card = LessonCard(lessons, thumbnails)
        self.setItemDelegate(self.card)
        # those that are seen next are drawn first
        self.verticalScrollBar().valueChanged.connect(lambda _: thumbnails.forget())
        describe(self, "Lessons", "")
        self.setToolTip("")

    def fill(self) -> None:
        """Make the cards as wide as the columns."""
        least = card_size()
        room = self.viewport().width() - 1
        columns = max(1, (room + GAP) // (least.width() + GAP))
        wide = max(least.width() // 2, (room - (columns - 1) * GAP) // columns)
        grown = round(PICTURE / CARD[0] * wide) - round(PICTURE / CARD[0] * least.width())
        self.card.size = QSize(wide, least.height() + grown)
        self.card.cell, self.card.columns = max(wide, room // columns), columns
        self.setGridSize(QSize(self.card.cell, self.card.size.height() + GAP))

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        self.fill()
        super().resizeEvent(event)
