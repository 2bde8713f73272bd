"""How many were right: a bar below each page of the table, dark at once, hatched later."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QPainter, QPaintEvent
from PySide6.QtWidgets import QTableWidget, QWidget

from engine.base.records import Record
from gui.base.guard import guarded
from gui.look import style, theme
from gui.look.ink import face, pen, write, write_centred
from gui.look.style import describe

HIGH, BAR, WIDEST = 40, 8, 64  # pixels: of the row; of a bar, and its greatest width


class Share(Record, eq=True):
    """Of a page: how many students were right at once, how many later, of how many."""

    at_once: int
    later: int
    of: int

    def words(self) -> str:
        return f"{self.at_once} of {self.of}"


class Shares(QWidget):
    """Paints a bar below each column of a table that stands for a page with a task."""

    def __init__(self, table: QTableWidget) -> None:
        super().__init__()
        self.table = table
        self.shares: dict[int, Share] = {}
        self.setFixedHeight(style.scale(theme.current(), HIGH))
        for signal in (
            table.horizontalHeader().sectionResized,
            table.horizontalHeader().geometriesChanged,
            table.horizontalScrollBar().valueChanged,
        ):
            signal.connect(self._moved)

    def _moved(self, *_: object) -> None:
        self.update()

    def show_shares(self, shares: dict[int, Share]) -> None:
        """Show these by the number of their column."""
        self.shares = shares
        lines = [f"column {k}: {each.words()} right at once" for k, each in shares.items()]
        describe(self, "Right at once. " + ", ".join(lines), "Dark: right at once. Hatched: later")
        self.setVisible(bool(shares))
        self.update()

    def place(self, column: int) -> QRectF:
        """Where the bar of a column is."""
        left = self.table.viewport().x() + self.table.columnViewportPosition(column)
        wide = self.table.columnWidth(column)
        bar = min(style.scale(theme.current(), WIDEST), wide - 8)
        return QRectF(left + (wide - bar) / 2, 6, bar, style.scale(theme.current(), BAR))

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(200, self.height())

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        small = face("caption")
        with QPainter(self) as painter:
            write(painter, 8, self.place(0).bottom() + 6, "right at once", small, "ink2")
            for column, share in self.shares.items():
                bar = self.place(column)
                painter.fillRect(bar, look.colour("field"))
                x = bar.left()
                for count, brush in (
                    (share.at_once, QBrush(look.colour("ink"))),
                    (share.later, QBrush(look.colour("ink"), Qt.BrushStyle.BDiagPattern)),
                ):
                    wide = bar.width() * count / max(1, share.of)
                    painter.fillRect(QRectF(x, bar.top(), wide, bar.height()), brush)
                    x += wide
                painter.setPen(pen("strong", 1.0, scaled=False))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(bar)
                below = bar.bottom() + look.line_height("caption") * 0.75
                write_centred(painter, bar.center().x(), below, share.words(), small, "ink2")


def shares(points: Sequence[Sequence[int]], counts: Callable[[int], bool]) -> dict[int, Share]:
    """The share of each page that counts, by its column in the table.

    points: of each student on each page; counts: whether a page, from 0, gives points
    """
    pages = range(len(points[0])) if points else range(0)
    return {
        page + 1: Share(
            sum(row[page] == 2 for row in points),
            sum(row[page] == 1 for row in points),
            len(points),
        )
        for page in pages
        if counts(page)
    }
