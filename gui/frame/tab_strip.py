"""Tabs for any number of figures, on one line where they nearly fit, else on several."""

from functools import partial
from math import ceil

from PySide6.QtCore import QEvent, QRect, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from engine.scene.views import short_names
from gui.base.guard import guarded
from gui.base.plain_text import as_words
from gui.look import style
from gui.look.ink import face
from gui.look.style_sheet import scale
from gui.look.theme import current
from gui.widgets.controls import describe

PADS = (12, 9, 5)  # pixels left and right of a name: the first that fits one line is taken
GAP = 2
WIDEST = 0.62  # largest share of a line for a name where there are several lines
# least width in pixels to which names are cut for one line; shorter ones cannot be understood
LEAST = 64
USUAL = 292


class TabStrip(QWidget):
    """A strip of tabs with short titles; tool tip and accessible name have the full ones.

    The number of lines grows from step to step but does not shrink, so that widgets below do not
    move back and forth.

    chosen: the index of the pressed tab
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.titles: list[str] = []
        self.tabs: list[QToolButton] = []
        self.lines = 1
        self._about: object = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_titles(self, titles: list[str], index: int, about: object = None) -> None:
        """Offer these titles, with the one at `index` chosen.

        about: the lines are counted again when it changes. Tabs are reused, as styling new ones is
        slow.
        """
        if about != self._about:
            self._about = about
            self.lines = 1
        while len(self.tabs) < len(titles):
            self._add()
        for k, tab in enumerate(self.tabs):
            if k < len(titles) and (k >= len(self.titles) or self.titles[k] != titles[k]):
                describe(tab, f"Show {titles[k]}")
            tab.setChecked(k == index)
            tab.setVisible(k < len(titles))
        self.titles = list(titles)
        self._place()

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(USUAL, self.height())

    def _add(self) -> None:
        tab = QToolButton(self)
        tab.setCheckable(True)
        style.mark(tab, "tab")
        tab.clicked.connect(partial(self._press, len(self.tabs)))
        self.tabs.append(tab)

    def _press(self, index: int) -> None:
        self.tabs[index].setChecked(True)  # a second press does not uncheck it
        self.chosen.emit(index)

    def _place(self) -> None:
        """Set the text and place of every tab, and the height of the strip."""
        # bold: no tab moves when it is chosen
        room, bold = max(self.width(), 80), face("body", 600)
        short = short_names(self.titles)
        pad, most = _fitting([bold.width(text) for text in short], room)
        short = [bold.cut(text, most) for text in short]
        for tab, text in zip(self.tabs, short, strict=False):
            if tab.text() != as_words(text):
                tab.setText(as_words(text))
        # a tab without text has another height
        high = self.tabs[0].sizeHint().height() if self.tabs else 0
        x, lines = 0, 1
        for tab, text in zip(self.tabs, short, strict=False):
            whole = ceil(bold.width(text)) + 2 * pad + 2
            if x and x + whole > room:
                x = 0
                lines = lines + 1
            tab.setGeometry(QRect(x, (lines - 1) * (high + GAP), whole, high))
            x += whole + GAP
        self.lines = max(lines, self.lines)
        self.setFixedHeight(self.lines * (high + GAP) - GAP if short else 0)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.lines = 1
            self._place()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange) and hasattr(
            self, "titles"
        ):
            self._place()


def _fitting(wide: list[float], room: float) -> tuple[int, float]:
    """(pad, largest width of a name) in pixels for names of these widths.

    One line with the widest pad that fits; else one line with the narrowest pad and the longest
    names cut a little; else values for several lines.
    """
    look = current()
    for pad in (scale(look, p) for p in PADS):
        if sum(wide) + (2 * pad + 3 + GAP) * len(wide) - GAP <= room:
            return pad, room
    pad = scale(look, PADS[-1])
    free = room - (2 * pad + 3 + GAP) * len(wide) + GAP
    left = sorted(wide)
    while left and left[0] <= free / len(left):
        free -= left.pop(0)
    if left and free / len(left) >= scale(look, LEAST):
        return pad, free / len(left)
    return scale(look, PADS[1]), WIDEST * room
