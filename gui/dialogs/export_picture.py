"""The dialog that exports the shown step as a picture."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from engine.base.records import Record
from gui.dialogs.rows import Size, SizeRow
from gui.widgets.controls import describe, label

SIZES: tuple[Size, ...] = ((1280, 800), (1920, 1080), (2560, 1440), (3840, 2160))


class Wanted(Record, eq=True):
    """What a person chose for a picture.

    size: width and height in pixels
    caption: with algorithm, data, step and its sentence
    legend: with classes and marks
    """

    size: Size
    caption: bool = False
    legend: bool = False

    def scale(self, screen: Size) -> float:
        """The scale of type and marks, relative to the screen; at least 1.

        They are as large relative to the picture as in a window of 1280 × 800; in a picture of the
        plane's own size (`screen`) they are as on the screen.
        """
        base = screen if self.size == screen else SIZES[0]
        return max(1.0, min(self.size[0] / base[0], self.size[1] / base[1]))


class ExportPicture(QDialog):
    """Asks for size and words below, and calls `save` with what was chosen. It is not modal."""

    def __init__(
        self, parent: QWidget, screen: Size, before: Wanted | None, save: Callable[[Wanted], object]
    ) -> None:
        """screen: the size of the plane
        before: what was chosen last, None the first time
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Save the plane as a picture")
        self._save = save
        self.size_row = SizeRow(screen, SIZES, before.size if before is not None else screen)
        self.sizes, self.wide, self.high = (
            self.size_row.sizes,
            self.size_row.wide,
            self.size_row.high,
        )
        self.caption = QCheckBox("Caption: algorithm, data, step and its sentence")
        self.legend = QCheckBox("Legend: classes and marks")
        for box in (self.caption, self.legend):
            box.setChecked(
                before is None or (before.caption if box is self.caption else before.legend)
            )
            describe(box, box.text())
        self._build()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(10)
        foot = QHBoxLayout()
        foot.addStretch(1)
        cancel, save = QPushButton("Cancel"), QPushButton("Save…")
        describe(cancel, "Cancel", "Cancel (Escape)")
        describe(save, "Save", "Choose the file: .png or .svg")
        cancel.clicked.connect(self.close)
        save.clicked.connect(self.take)
        save.setDefault(True)
        self.save_button = save
        for button in (cancel, save):
            foot.addWidget(button)
        column.addWidget(label("Size", "heading"))
        column.addWidget(self.size_row)
        column.addWidget(label("Below the plane", "heading"))
        column.addWidget(self.caption)
        column.addWidget(self.legend)
        column.addLayout(foot)
        save.setFocus()

    def take(self) -> None:
        """Close, then call `save` with what was chosen."""
        wanted = Wanted(
            self.size_row.size_wanted(), self.caption.isChecked(), self.legend.isChecked()
        )
        self.close()
        self._save(wanted)
