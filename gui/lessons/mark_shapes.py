"""How marks look: each has a shape of its own, so that a grey print loses nothing."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from engine.lessons.marks import AT_ONCE, LATER, MISFIT, NOT_REACHED, READ, SHOWN
from gui.base.guard import guarded
from gui.look import style, theme
from gui.look.ink import face, pen, write

MARK = int(Qt.ItemDataRole.UserRole)  # of an item of the table
RADIUS, EDGE = 8, 8  # pixels of a mark; beside the words of a cell
GAP, BETWEEN = 8, 20  # pixels of the legend: from a mark to its words, and between two
WORDS = {
    AT_ONCE: "right at once",
    LATER: "after a hint or 2nd try",
    SHOWN: "wrong",
    NOT_REACHED: "not reached",
    READ: "read",
    MISFIT: "does not fit its digest",
}
Index = QModelIndex | QPersistentModelIndex


def mark_words(mark: str) -> str:
    """A mark in words, for a reader that speaks."""
    plain = mark.removesuffix(MISFIT)
    odd = f", {WORDS[MISFIT]}" if mark.endswith(MISFIT) else ""
    return WORDS.get(plain, WORDS[NOT_REACHED]) + odd


def paint_mark(painter: QPainter, centre: QPointF, mark: str) -> None:
    """A disc for at once, a ring for later, a square for wrong, a diamond for what does not fit
    its digest, a dash for not reached, a dot for read.
    """
    radius = float(style.scale(theme.current(), RADIUS))
    if mark.endswith(MISFIT):
        _diamond(painter, centre, radius)
    elif mark in (AT_ONCE, LATER):
        _disc(painter, centre, radius, full=mark == AT_ONCE)
    elif mark == SHOWN:
        _square(painter, centre, radius)
    elif mark == READ:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.current().colour("ink3"))
        painter.drawEllipse(centre, radius / 4, radius / 4)
    else:
        painter.setPen(pen("ink3", 1.5, scaled=False))
        half = QPointF(radius / 2.5, 0)
        painter.drawLine(centre - half, centre + half)


def _disc(painter: QPainter, centre: QPointF, radius: float, full: bool) -> None:
    look = theme.current()
    painter.setPen(pen("ink", 1.5, scaled=False))
    painter.setBrush(look.colour("ink") if full else Qt.BrushStyle.NoBrush)
    painter.drawEllipse(centre, radius - 0.75, radius - 0.75)
    stroke = pen("field" if full else "ink", 1.75, scaled=False)
    stroke.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(stroke)
    painter.drawPolyline(
        [
            centre + place * radius
            for place in (QPointF(-0.42, 0.02), QPointF(-0.1, 0.34), QPointF(0.45, -0.3))
        ]
    )


def _square(painter: QPainter, centre: QPointF, radius: float) -> None:
    painter.setPen(pen("error", 1.5, scaled=False))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    half = radius - 1
    painter.drawRoundedRect(
        QRectF(centre.x() - half, centre.y() - half, 2 * half, 2 * half), 2.5, 2.5
    )
    painter.setPen(pen("error", 1.75, scaled=False))
    arm = radius * 0.34
    for way in (QPointF(arm, arm), QPointF(arm, -arm)):
        painter.drawLine(centre - way, centre + way)


def _diamond(painter: QPainter, centre: QPointF, radius: float) -> None:
    painter.setPen(pen("ink", 1.5, scaled=False))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    corners = ((0, -1), (1, 0), (0, 1), (-1, 0))
    painter.drawPolygon(QPolygonF([centre + QPointF(x, y) * (1.15 * radius) for x, y in corners]))
    stroke = pen("ink", 2.0, scaled=False)
    painter.setPen(stroke)
    painter.drawLine(centre + QPointF(0, -0.5 * radius), centre + QPointF(0, 0.15 * radius))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.current().colour("ink"))
    painter.drawEllipse(centre + QPointF(0, 0.5 * radius), 1.25, 1.25)


class MarkPainter(QStyledItemDelegate):
    """Paints the cells of the table: marks, and a frame around the chosen one."""

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        look = theme.current()
        area = QRectF(option.rect)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        mark = index.data(MARK)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if bool(option.state & QStyle.StateFlag.State_HasFocus) or self._in_row(option, index):
            painter.fillRect(area, look.colour("hover"))
        painter.fillRect(
            QRectF(area.left(), area.bottom() - 1, area.width(), 1), look.colour("line")
        )
        if mark is not None:
            paint_mark(painter, area.center(), str(mark))
        else:
            self._write(painter, area, index)
        if chosen:
            painter.setPen(pen("ink", 2.0, scaled=False))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(area.adjusted(1, 1, -1, -1))
        painter.restore()

    def _in_row(self, option: QStyleOptionViewItem, index: Index) -> bool:
        table = option.widget
        return table is not None and table.currentIndex().row() == index.row()  # type: ignore[attr-defined]

    def _write(self, painter: QPainter, area: QRectF, index: Index) -> None:
        bold = index.data(int(Qt.ItemDataRole.FontRole)) is not None
        look = face("body", 600 if bold else 0)
        text = look.cut(str(index.data() or ""), area.width() - 2 * EDGE)
        right = area.right() - EDGE - look.width(text)
        left = area.left() + EDGE if index.column() == 0 else right
        write(painter, left, area.center().y(), text, look)


class Legend(QWidget):
    """The marks with their words."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Marks: " + ", ".join(WORDS.values()))

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(200, 2 * style.scale(theme.current(), RADIUS) + 8)

    @guarded
    def minimumSizeHint(self) -> QSize:
        return QSize(1, self.sizeHint().height())

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        words = face("caption")
        radius = style.scale(theme.current(), RADIUS)
        x, middle = float(radius + 1), self.height() / 2
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for mark, text in WORDS.items():
                paint_mark(painter, QPointF(x, middle), mark)
                write(painter, x + radius + GAP, middle, text, words, "ink2")
                x += 2 * radius + GAP + words.width(text) + BETWEEN
