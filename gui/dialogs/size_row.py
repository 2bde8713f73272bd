"""A row that asks for the size of a picture: from a list, or as numbers of pixels."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.export.render import LARGEST
from gui.widgets.controls import Combo, IntBox, label

Size = tuple[int, int]
SMALLEST = 100  # pixels


class SizeRow(QWidget):
    """A list of sizes, and below it fields for width and height.

    changed: signal that another size is chosen
    """

    changed = Signal()

    def __init__(self, screen: Size, offered: Sequence[Size], start: Size) -> None:
        """screen: the size of the plane, first in the list
        offered: the other sizes of the list
        start: the size chosen at first
        """
        super().__init__()
        self._known = [screen, *offered]
        self.sizes = Combo("Size of the picture")
        self.sizes.addItem(f"As on the screen, {screen[0]} × {screen[1]}", screen)
        for size in offered:
            self.sizes.addItem(f"{size[0]} × {size[1]}", size)
        self.sizes.addItem("Another size")
        self.wide = IntBox(SMALLEST, LARGEST, start[0], "Width in pixels")
        self.high = IntBox(SMALLEST, LARGEST, start[1], "Height in pixels")
        pixels = QHBoxLayout()
        for part in (self.wide, label("×"), self.high, label("pixels", "muted")):
            pixels.addWidget(part)
        pixels.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.sizes)
        column.addLayout(pixels)
        self.sizes.currentIndexChanged.connect(self._take_size)
        for number in (self.wide, self.high):
            number.valueChanged.connect(self._name_size)
        self._name_size()

    def size_wanted(self) -> Size:
        """(width, height) in pixels, with numbers that are still being typed."""
        for number in (self.wide, self.high):
            number.interpretText()
        return self.wide.value(), self.high.value()

    def _take_size(self, index: int) -> None:
        if (size := self.sizes.itemData(index)) is not None:
            self.wide.setValue(size[0])
            self.high.setValue(size[1])

    def _name_size(self) -> None:
        """Select in the list the size that the two fields hold."""
        size = self.wide.value(), self.high.value()
        place = self._known.index(size) if size in self._known else len(self._known)
        self.sizes.blockSignals(True)
        self.sizes.setCurrentIndex(place)
        self.sizes.blockSignals(False)
        self.changed.emit()
