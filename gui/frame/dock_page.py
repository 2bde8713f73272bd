"""The scrolling part of the right dock: its sections of text, one below the other."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from gui.look import theme
from gui.widgets.controls import Divider, Section

RULE = 1  # below each section but the last


class DockPage(QScrollArea):
    """A scroll area whose sections get their heights from `place`.

    The padding always keeps room for the scroll bar, so that its appearance does not wrap the words
    again. The scroll position stays when the words change.
    """

    def __init__(self, sections: Sequence[Section]) -> None:
        super().__init__()
        self.sections = tuple(sections)
        self.page = QWidget()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # Tab reaches the scroll bar while it is visible
        self.verticalScrollBar().setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.verticalScrollBar().setAccessibleName("Scroll the text above and below")
        for section in self.sections:
            section.setParent(self.page)
        self.rules = [Divider(parent=self.page) for _ in self.sections[1:]]
        self.setWidget(self.page)
        self.viewport().setAutoFillBackground(False)
        self.page.setAutoFillBackground(False)

    def bar(self) -> int:
        """The width of the scroll bar in pixels."""
        return self.verticalScrollBar().sizeHint().width()

    def section_width(self) -> int:
        """The width in pixels of each section with its padding, which lends the scroll bar room."""
        bar = min(self.bar(), theme.PAD_X)
        for section in self.sections:
            section.lend_padding(bar)
        return self.width() - bar

    def place(self, heights: Sequence[int]) -> None:
        """Give each section its height, in pixels."""
        wide = self.section_width()
        y = 0
        whole = sum(heights) + RULE * len(self.rules)
        self.page.resize(self.width(), max(whole, self.height()))
        for k, (section, high) in enumerate(zip(self.sections, heights, strict=True)):
            section.setGeometry(QRect(0, y, wide, high))
            y += high
            if k < len(self.rules):
                self.rules[k].setGeometry(0, y, self.width(), RULE)
                y += RULE

    def show_section(self, section: QWidget) -> None:
        """Scroll to a section, to its top where it is higher than the page."""
        bar = self.verticalScrollBar()
        bottom = section.geometry().bottom() - self.viewport().height()
        if section.y() < bar.value() or bottom > bar.value():
            bar.setValue(min(section.y(), max(bottom, 0)))
