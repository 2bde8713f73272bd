"""The layout of small dialogs: named rows, a caption, a button that accepts and Cancel."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.export.render import LARGEST
from gui.widgets.controls import Combo, ErrorLine, IntBox, label

Size = tuple[int, int]
SMALLEST = 100  # pixels


class SizeRow(QWidget):
    """A list of sizes, and below it fields for width and height.

    changed: signal that another size is chosen
    """

    changed = Signal()

    def __init__(self, screen: Size, sizes: Sequence[Size], start: Size) -> None:
        """screen: the size of the plane, first in the list
        sizes: the other sizes of the list
        start: the size chosen at first
        """
        super().__init__()
        self._known = [screen, *sizes]
        self.sizes = Combo("Size of the picture")
        self.sizes.addItem(f"As on the screen, {screen[0]} × {screen[1]}", screen)
        for size in sizes:
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


def without_check(button: QPushButton, done: Callable[[], object]) -> None:
    """Call `done()` at a click.

    `clicked` also passes whether the button is checked; a method wrapped by `guarded` would get
    that as an argument.
    """

    def on_click() -> None:
        done()

    button.clicked.connect(on_click)


def lay_out(
    dialog: QDialog, rows: Sequence[tuple[str, QWidget]], error: ErrorLine, said: str, go: str
) -> QPushButton:
    """Lay out a dialog; returns the button that accepts.

    rows: (name, widget) of each row
    said: the caption, which says what the dialog does
    go: the words on the button that accepts
    """
    grid = QGridLayout()
    for row, (words, part) in enumerate(rows):
        grid.addWidget(label(words), row, 0)
        grid.addWidget(part, row, 1)
    accept, leave = QPushButton(go), QPushButton("Cancel")
    accept.setDefault(True)
    without_check(accept, dialog.accept)
    without_check(leave, dialog.reject)
    buttons = QHBoxLayout()
    buttons.addStretch(1)
    buttons.addWidget(leave)
    buttons.addWidget(accept)
    column = QVBoxLayout(dialog)
    column.setContentsMargins(16, 14, 16, 14)
    column.setSpacing(10)
    column.addLayout(grid)
    column.addWidget(error)
    column.addWidget(label(said, "caption"))
    column.addLayout(buttons)
    return accept
