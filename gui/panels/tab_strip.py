"""Tabs for any number of figures: on one line when they fit, else on as many as they need, never cut to riddles."""

from functools import partial

from PySide6.QtCore import QEvent, QRect, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from gui import style
from gui.ink import face
from gui.sheet import scale
from gui.theme import current
from gui.widgets import describe

PADS = (12, 9, 6)  # left and right of a name: the widest with which all tabs stand on one line
GAP = 2
WIDEST = 0.62  # of a line, for one name among several
USUAL = 292


class TabStrip(QWidget):
    """chosen: the index of the tab that was pressed. A long name stands up to its colon; tool tip and accessible name say
    all of it."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.titles: list[str] = []
        self.tabs: list[QToolButton] = []
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_titles(self, titles: list[str], index: int) -> None:
        """Offer these, the one at `index` chosen. Tabs are kept: the sheet takes its time to dress a new one."""
        while len(self.tabs) < len(titles):
            self._add()
        for k, tab in enumerate(self.tabs):
            if k < len(titles) and (k >= len(self.titles) or self.titles[k] != titles[k]):
                describe(tab, f"Show {titles[k]}")
            tab.setChecked(k == index)
            tab.setVisible(k < len(titles))
        self.titles = list(titles)
        self._place()

    def sizeHint(self) -> QSize:
        return QSize(USUAL, self.height())

    def _add(self) -> None:
        tab = QToolButton(self)
        tab.setCheckable(True)
        style.mark(tab, "tab")
        tab.clicked.connect(partial(self._press, len(self.tabs)))
        self.tabs.append(tab)

    def _press(self, index: int) -> None:
        self.tabs[index].setChecked(True)  # a second press does not let it go
        self.chosen.emit(index)

    def _place(self) -> None:
        """Give every tab its text and place; the strip is as high as its lines."""
        room, bold = max(self.width(), 80), face("body", 600)  # bold: no tab moves when it is chosen
        texts = [bold.cut(title.split(": ")[0], WIDEST * room) for title in self.titles]
        wide = [bold.width(text) for text in texts]
        pads = (scale(current(), pad) for pad in PADS)
        pad = next(
            (p for p in pads if sum(wide) + (2 * p + 2 + GAP) * len(wide) - GAP <= room), scale(current(), PADS[1])
        )
        high = self.tabs[0].sizeHint().height() if self.tabs else 0
        x, y = 0, 0
        for tab, text, width in zip(self.tabs, texts, wide, strict=False):
            whole = round(width) + 2 * pad + 2
            if x and x + whole > room:
                x, y = 0, y + high + GAP
            if tab.text() != text:
                tab.setText(text)
            tab.setGeometry(QRect(x, y, whole, high))
            x += whole + GAP
        self.setFixedHeight(y + high if texts else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange) and hasattr(self, "titles"):
            self._place()
