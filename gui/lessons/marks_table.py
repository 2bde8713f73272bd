"""The table of a class: students and pages, under a heading of two lines."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QWidget

from gui.base.guard import guarded
from gui.lessons.mark_shapes import EDGE, MarkPainter
from gui.look import style, theme
from gui.look.ink import face, write
from gui.look.style import describe

HEAD, ROW = 38, 21  # pixels: of the heading, of a row
NAME, MOST_NAME = 96, 180  # pixels of the column of names
SCORE = 72  # pixels of the last two columns


class PageHeader(QHeaderView):
    """A number over what the page asks: '5' over 'do it'."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setFixedHeight(style.scale(theme.current(), HEAD))
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), style.scale(theme.current(), HEAD))

    @guarded
    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        look = theme.current()
        area = QRectF(rect)
        text = str(self.model().headerData(section, Qt.Orientation.Horizontal) or "")
        upper, _, lower = text.partition("\n")
        painter.save()
        painter.fillRect(area, look.colour("window"))
        line = look.line_height("caption")
        for words, type_, middle, colour in (
            (upper, face("body", 600), area.bottom() - 1.7 * line, "ink"),
            (lower, face("caption"), area.bottom() - 0.7 * line, "ink2"),
        ):
            wide = type_.width(words)
            places = {0: area.left() + EDGE}
            if section >= self.count() - 2:
                places[section] = area.right() - EDGE - wide
            write(
                painter,
                places.get(section, area.center().x() - wide / 2),
                middle,
                words,
                type_,
                colour,
            )
        rule = QRectF(area.left(), area.bottom(), area.width(), 1)
        painter.fillRect(rule, look.colour("strong"))
        painter.restore()


class MarksTable(QTableWidget):
    """Arrows move the choice.

    opened: Enter was pressed, or a cell double-clicked; next_wanted: N was pressed
    """

    opened = Signal()
    next_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setHorizontalHeader(PageHeader(self))
        self.setItemDelegate(MarkPainter(self))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.setShowGrid(False)
        style.mark(self, "flat")
        describe(self, "Students and pages")
        self.setToolTip("")
        self.currentCellChanged.connect(lambda *_: self.viewport().update())
        self.cellDoubleClicked.connect(lambda *_: self.opened.emit())

    def fit(self) -> None:
        """Share the width among the columns."""
        look = theme.current()
        header = self.horizontalHeader()
        rows = self.verticalHeader()
        rows.setMinimumSectionSize(1)
        rows.setDefaultSectionSize(style.scale(look, ROW))
        names = [self.item(row, 0) for row in range(self.rowCount())]
        type_ = face("body")
        widest = max((type_.width(item.text()) for item in names if item), default=0.0)
        least, most = style.scale(look, NAME), style.scale(look, MOST_NAME)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        fixed = {0: min(max(round(widest) + 2 * EDGE, least), most)}
        fixed |= dict.fromkeys(range(self.columnCount() - 2, self.columnCount()), SCORE)
        for column, wide in fixed.items():
            if 0 <= column < self.columnCount():
                header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
                self.setColumnWidth(column, style.scale(look, wide) if column else wide)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        elif event.key() == Qt.Key.Key_N and not event.modifiers():
            self.next_wanted.emit()
        else:
            super().keyPressEvent(event)
