"""A column of widgets that wants exactly the height it needs and scrolls when it gets less."""

from typing import Protocol

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from gui.widgets.controls import Section
from gui.widgets.guard import guarded

USUAL, NARROW = 292, 80


class Giving(Protocol):
    """A widget that can do with less height than it needs. withheld: so many pixels are missing to it now."""

    def isHidden(self) -> bool: ...
    def withheld(self) -> int: ...
    def give_up(self, pixels: int) -> None: ...


class FitScroll(QScrollArea):
    """Its `column` takes the widgets. The place scrolled to stays when the content changes.

    Room for the scroll bar is kept free: words are laid out once for each step.
    """

    def __init__(self, least: int = 60, spacing: int = 10, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.least = least
        self.content = QWidget()
        self.column = QVBoxLayout(self.content)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(spacing)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.verticalScrollBar().setFocusPolicy(Qt.FocusPolicy.TabFocus)  # Tab reaches it while there is one
        self.verticalScrollBar().setAccessibleName("Scroll the text above and below")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setWidget(self.content)
        self.viewport().setAutoFillBackground(False)
        self.content.setAutoFillBackground(False)
        self.content.installEventFilter(self)
        self.giving: Giving | None = None  # of the widgets, the one that scrolls by itself before all of them scroll
        self._hint = QSize()

    def bar(self) -> int:
        """The width of a scroll bar."""
        return self.verticalScrollBar().sizeHint().width()

    def text_width(self) -> int:
        """What the words have."""
        return max(NARROW, self.width() - self.bar())

    def needed(self) -> int:
        """The height that shows everything."""
        return self._taken() + (0 if self.giving is None or self.giving.isHidden() else self.giving.withheld())

    def _taken(self) -> int:
        """The height of the widgets as they are."""
        if not self.column.hasHeightForWidth():
            return self.column.sizeHint().height()
        return self.column.totalHeightForWidth(
            self.text_width() if self.testAttribute(Qt.WidgetAttribute.WA_WState_Created) else USUAL
        )

    def sizeHint(self) -> QSize:
        return QSize(USUAL, max(0, self.needed()))

    def minimumSizeHint(self) -> QSize:
        return QSize(NARROW, min(self.least, self.sizeHint().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()
        if event.size().width() != event.oldSize().width():
            self._tell()

    @guarded
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.content and event.type() == QEvent.Type.LayoutRequest:
            self._place()
            self._tell()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        """The content as wide as its words may be, whether there is a bar or not, and at least as high as what is seen of
        it. Qt, asked to do it, lays the words out for both widths."""
        high = self.viewport().height()
        if self.giving is not None and not self.giving.isHidden():
            self.giving.give_up(max(0, self.needed() - high))
        self.content.resize(self.text_width(), max(self._taken(), high))

    def _tell(self) -> None:
        """Ask for the room that the content needs now, when that is new."""
        hint = self.sizeHint()
        if hint != self._hint:
            self._hint = hint
            self.updateGeometry()


def fill(section: Section, scroll: FitScroll) -> None:
    """Let `scroll` take all the room of a section below its heading, so that the heading stays at the top; its bar lies
    on the padding."""
    for line in (section.heading, section.caption):
        line.setSizePolicy(line.sizePolicy().horizontalPolicy(), QSizePolicy.Policy.Fixed)
    scroll.column.addStretch(1)
    section.content.addWidget(scroll, 1)
    section.lend_padding(scroll.bar())
    section.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
