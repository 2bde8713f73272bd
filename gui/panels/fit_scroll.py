"""A column of widgets that wants exactly the height it needs and scrolls when it gets less."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from gui.widgets import Section

USUAL = 292


class FitScroll(QScrollArea):
    """Its `column` takes the widgets. The place scrolled to stays when the content changes."""

    def __init__(self, least: int = 60, spacing: int = 10, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.least = least
        self.content = QWidget()
        self.column = QVBoxLayout(self.content)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(spacing)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setWidget(self.content)
        self.viewport().setAutoFillBackground(False)
        self.content.setAutoFillBackground(False)
        self.content.installEventFilter(self)

    def needed(self, width: int) -> int:
        """The height that shows everything."""
        return (
            self.column.totalHeightForWidth(width)
            if self.column.hasHeightForWidth()
            else self.column.sizeHint().height()
        )

    def sizeHint(self) -> QSize:
        width = self.width() if self.testAttribute(Qt.WidgetAttribute.WA_WState_Created) else USUAL
        return QSize(USUAL, max(0, self.needed(max(width, 80))))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, min(self.least, self.sizeHint().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
        self._settle()

    def _settle(self) -> None:
        """No bar when everything fits without it: the bar takes width, and narrower text can be too tall again."""
        fits = self.needed(self.width()) <= self.height()
        wanted = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if fits else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        if self.verticalScrollBarPolicy() != wanted:
            self.setVerticalScrollBarPolicy(wanted)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.content and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._settle()
        taken = super().eventFilter(watched, event)
        told = watched is self.content and event.type() in (QEvent.Type.Resize, QEvent.Type.Show)
        if told and self.column.geometry().size() != self.content.size():  # narrowed by a bar in the midst of it
            self.column.setGeometry(self.content.rect())
        return taken


def fill(section: Section, scroll: FitScroll) -> None:
    """Let `scroll` take all the room of a section below its heading, so that the heading stays at the top."""
    for line in (section.heading, section.caption):
        line.setSizePolicy(line.sizePolicy().horizontalPolicy(), QSizePolicy.Policy.Fixed)
    scroll.column.addStretch(1)
    section.content.addWidget(scroll, 1)
    section.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
