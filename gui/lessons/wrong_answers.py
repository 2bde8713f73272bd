"""The commonest wrong answer of each page, in words, with the number of students who gave it."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from engine.base.notation import counted
from engine.base.records import Record
from gui.base.guard import guarded
from gui.base.plain_text import tip
from gui.look import style, theme
from gui.look.ink import face, pen, write, write_centred, write_right
from gui.look.style import describe

ROW, CIRCLE = 20, 8  # pixels of a row; radius of the number's circle
DATA = int(Qt.ItemDataRole.UserRole)
Index = QModelIndex | QPersistentModelIndex


class Wrong(Record, eq=True):
    """A wrong answer.

    page: from 0; title: of the page
    given: as the students gave it; says: what the lesson replies, "" without a reply
    count: of the students
    """

    page: int
    title: str
    given: str
    count: int
    says: str = ""

    def words(self) -> str:
        return f"{joined(self.given)} {self.says}" if self.says else self.given


def joined(given: str) -> str:
    """An answer before the reply to it: a sentence keeps its full stop."""
    return given if given.endswith((".", "?", "!")) else f"{given}:"


class WrongPainter(QStyledItemDelegate):
    @guarded
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, style.scale(theme.current(), ROW))

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        wrong: Wrong = index.data(DATA)
        look = theme.current()
        area = QRectF(option.rect)
        middle, radius = area.center().y(), float(style.scale(look, CIRCLE))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        state = option.state
        if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            painter.fillRect(area, look.colour("hover"))
        painter.setPen(pen("strong", 1.0, scaled=False))
        painter.drawEllipse(QPointF(area.left() + radius + 2, middle), radius, radius)
        small, strong, body = face("caption", 600), face("body", 600), face("body")
        write_centred(painter, area.left() + radius + 2, middle, str(wrong.page + 1), small)
        count = str(wrong.count)
        left, right = area.left() + 2 * radius + 14, area.right() - 8
        room = right - strong.width(count) - 16 - left
        title = strong.cut(wrong.title, room * 0.6)
        write(painter, left, middle, title, strong)
        beside = strong.width(title) + 8
        words = body.cut(wrong.words(), room - beside)
        write(painter, left + beside, middle, words, body, "ink2")
        write_right(painter, right, middle, count, strong)
        painter.restore()


class WrongAnswers(QListWidget):
    """chosen: (page, answer) of the row that was clicked or entered"""

    chosen = Signal(int, str)

    def __init__(self) -> None:
        super().__init__()
        style.mark(self, "flat")
        describe(self, "Commonest wrong answers", "A click shows who gave this answer")
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(WrongPainter(self))
        self.itemClicked.connect(self._choose)
        self.itemActivated.connect(self._choose)

    def show_rows(self, rows: list[Wrong]) -> None:
        self.clear()
        for wrong in rows:
            students = counted(wrong.count, "student")
            item = QListWidgetItem(f"{wrong.page + 1}. {wrong.title}: {wrong.words()} ({students})")
            item.setToolTip(tip(f"{wrong.words()}\nClick: show who gave this answer"))
            item.setData(DATA, wrong)
            self.addItem(item)
        high = style.scale(theme.current(), ROW) * min(len(rows), 6) + 4
        self.setFixedHeight(high)

    def _choose(self, item: QListWidgetItem) -> None:
        wrong: Wrong = item.data(DATA)
        self.chosen.emit(wrong.page, wrong.given)
