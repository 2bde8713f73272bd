"""The line above a view: its name, and the legend of its marks, each of which a click hides."""

from collections.abc import Sequence
from itertools import accumulate

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from engine.scene.legend import ABOUT, Mark
from gui.base.guard import guarded
from gui.look import style, theme
from gui.look.ink import face, folded, write
from gui.look.style import describe
from gui.painters.mark_picture import HIGH, WIDE, mark_pixmap

EDGE, GAP, BETWEEN = 10, 4, 12  # pixels: beside the line; picture to words; of two entries
BROAD = 560  # pixels from which name and legend have room on one line
PALE = 0.35  # opacity of a mark that is hidden


class Entry(QAbstractButton):
    """One mark with its words: checked while it is shown."""

    def __init__(self, parent: QWidget, mark: Mark) -> None:
        super().__init__(parent)
        self.mark = mark
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        about = ABOUT.get(mark.words, "")
        describe(self, f"Show: {mark.words}", f"{about} Click: hide it, or show it again.".strip())

    @guarded
    def sizeHint(self) -> QSize:
        look = theme.current()
        wide = style.scale(look, WIDE) + GAP + face("caption").width(self.mark.words)
        return QSize(round(wide) + 2, max(style.scale(look, HIGH), look.line_height("caption")))

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        with QPainter(self) as painter:
            painter.setOpacity(1.0 if self.isChecked() else PALE)
            middle = self.height() / 2
            high = style.scale(look, HIGH)
            picture = mark_pixmap(self.mark, self.devicePixelRatioF())
            painter.drawPixmap(0, round(middle - high / 2), picture)
            left = style.scale(look, WIDE) + GAP
            struck = not self.isChecked()
            write(painter, left, middle, self.mark.words, face("caption", struck=struck), "ink2")


class Heading(QWidget):
    """The name of a view, and beside or below it its legend.

    Entries stay from step to step, so that nothing below jumps; those that find no room are left
    out. A double click hides the legend or brings it back.

    toggled: (words, whether their mark is shown); folded: the legend was hidden or brought back
    """

    toggled = Signal(str, bool)
    folded = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.title = ""
        self.entries: dict[str, Entry] = {}
        self.legend_shown = True
        self.capable = False
        self.named: object = None  # what the last name belonged to
        self.least = 1  # lines that it has at least: as many as the heading beside it
        self._about: object = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_view(
        self,
        title: str,
        marks: Sequence[Mark],
        hidden: frozenset[str],
        about: object,
        capable: bool,
        view: object,
    ) -> None:
        """Show a name, "" for none, and the marks, of which those with `hidden` words are pale.

        about: what the entries belong to; with another one they begin anew
        view: what the name belongs to; once it had one, the room for it stays
        capable: whether a step of such a view may have marks, for which room is kept
        """
        if about != self._about:
            self._about = about
            for entry in self.entries.values():
                entry.hide()
                entry.deleteLater()
            self.entries = {}
        for mark in marks:
            if mark.words not in self.entries:
                self.entries[mark.words] = entry = Entry(self, mark)
                entry.clicked.connect(lambda on, words=mark.words: self.toggled.emit(words, on))
        for words, entry in self.entries.items():
            if entry.isChecked() == (words in hidden):
                entry.setChecked(words not in hidden)
        self.title = title
        self.capable = capable
        self.named = view if title or view == self.named else None
        name = f"{title}. Double click: hide the legend, or show it again."
        describe(self, title, name if self.entries else title)
        self.setVisible(self.named is not None or capable)
        self._lay_out()
        self.update()

    @property
    def lines(self) -> int:
        """The number of lines: what a view of this kind may need, whatever this step has, so that
        no step moves what is below.
        """
        if self.isHidden():
            return 0
        broad = self.width() >= style.scale(theme.current(), BROAD)
        return 2 if self.capable and self.named is not None and not broad else 1

    def set_least(self, lines: int) -> None:
        """Give it at least so many lines."""
        self.least = lines
        self._lay_out()

    def _rows(self) -> list[list[Entry]]:
        """The entries of each line; the name stands at the beginning of the first."""
        entries = list(self.entries.values()) if self.legend_shown else []
        wide = [entry.sizeHint().width() + BETWEEN for entry in entries]
        named = face("heading", 600).width(self.title) + BETWEEN if self.title else 0.0
        room = self.width() - 2 * EDGE + BETWEEN
        if self.lines < 2:
            return [_fitting(entries, wide, room - named)]
        return [[], _fitting(entries, wide, room)]

    def _title_lines(self) -> list[str]:
        """The name, on two lines where one is too short and the other is free."""
        bold = face("heading", 600)
        room = self.width() - 2 * EDGE
        free = self.height() // self._line() > 1 and not any(self._rows()[1:])
        if bold.width(self.title) <= room or not free:
            return [bold.cut(self.title, room)]
        first, *rest = folded(bold.metrics, [self.title], room)
        return [bold.cut(first, room), *([bold.cut(" ".join(rest), room)] if rest else [])]

    def _line(self) -> int:
        look = theme.current()
        return max(style.scale(look, HIGH), look.line_height("heading")) + 2

    def _lay_out(self) -> None:
        """Place the entries: on the line of the name at the right end, else below it."""
        rows = self._rows()
        line = self._line()
        high = max(self.lines, self.least, 1) * line
        if high != self.height() or self.minimumHeight() != high:
            self.setFixedHeight(high)
        placed = set[Entry]()
        for k, row in enumerate(rows):
            whole = sum(entry.sizeHint().width() + BETWEEN for entry in row) - BETWEEN
            x = self.width() - EDGE - whole if k == 0 and self.title else EDGE
            for entry in row:
                size = entry.sizeHint()
                entry.setGeometry(x, k * line + (line - size.height()) // 2, *size.toTuple())
                x += size.width() + BETWEEN
                placed.add(entry)
        for entry in self.entries.values():
            entry.setVisible(entry in placed)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._lay_out()

    @guarded
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.folded.emit()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        bold = face("heading", 600)
        with QPainter(self) as painter:
            for k, text in enumerate(self._title_lines()):
                write(painter, EDGE, (k + 0.5) * self._line(), text, bold)


def _fitting(entries: list[Entry], wide: list[int], room: float) -> list[Entry]:
    """The first entries that find room. wide: of each, with the gap behind it"""
    ends = accumulate(wide)
    return [entry for entry, end in zip(entries, ends, strict=True) if end <= room]
