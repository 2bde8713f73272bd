"""The dialog that takes a view of the shown step, or of several steps, away as a picture."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.base.errors import EngineError
from engine.base.records import Record
from gui.dialogs.rows import Size, SizeRow, without_check
from gui.widgets.controls import Combo, ErrorLine, describe, label

SIZES: tuple[Size, ...] = ((1280, 800), (1920, 1080), (2560, 1440), (3840, 2160))
COLOURS = (("As on the screen", ""), ("Light", "light"), ("Dark", "dark"))
STEPS = "the shown one; for a strip 2 to 6: 0, 3, 9"


class Wanted(Record, eq=True):
    """What a person chose for a picture.

    size: width and height in pixels
    caption: with algorithm, data, step and its sentence
    legend: with classes and marks
    view: name of the view; "" for what the stage shows
    steps: the steps of a strip as they were typed; "" for the shown step
    theme: name of the theme; "" for that of the screen
    """

    size: Size
    caption: bool = False
    legend: bool = False
    view: str = ""
    steps: str = ""
    theme: str = ""

    def scale(self, screen: Size) -> float:
        """The scale of type and marks, relative to the screen; at least 1.

        They are as large relative to the picture as in a window of 1280 × 800; in a picture of the
        view's own size (`screen`) they are as on the screen.
        """
        base = screen if self.size == screen else SIZES[0]
        return max(1.0, min(self.size[0] / base[0], self.size[1] / base[1]))


class Effects(Record):
    """What the dialog does with what was chosen.

    check: raises EngineError where it cannot be drawn
    """

    check: Callable[[Wanted], object]
    save: Callable[[Wanted], object]
    copy: Callable[[Wanted], object]


class ExportPicture(QDialog):
    """Asks what is drawn, how large and with which words; saves or copies it. It is not modal."""

    def __init__(
        self,
        parent: QWidget,
        screen: Size,
        before: Wanted | None,
        views: Sequence[str],
        effects: Effects,
    ) -> None:
        """screen: the size of what the stage shows
        before: what was chosen last, None the first time
        views: the names of the views, first what the stage shows
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Save a picture")
        self.effects = effects
        self.views = Combo("What is drawn")
        for name in views:
            self.views.addItem(name)
        self.steps = QLineEdit()
        self.steps.setPlaceholderText(STEPS)
        describe(self.steps, "Steps", f"Steps: {STEPS}")
        self.size_row = SizeRow(screen, SIZES, before.size if before is not None else screen)
        self.sizes, self.wide, self.high = (
            self.size_row.sizes,
            self.size_row.wide,
            self.size_row.high,
        )
        self.colours = Combo("Colours")
        for words, theme in COLOURS:
            self.colours.addItem(words, theme)
        if before is not None:
            self.colours.setCurrentIndex(self.colours.findData(before.theme))
        self.caption = QCheckBox("Caption: algorithm, data, step and its sentence")
        self.legend = QCheckBox("Legend: classes and marks")
        for box in (self.caption, self.legend):
            box.setChecked(
                before is None or (before.caption if box is self.caption else before.legend)
            )
            describe(box, box.text())
        self.error = ErrorLine()
        self._build()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(10)
        for title, parts in (
            ("Picture of", (self.views,)),
            ("Steps", (self.steps,)),
            ("Size", (self.size_row,)),
            ("Colours", (self.colours,)),
            ("Below the picture", (self.caption, self.legend)),
        ):
            column.addWidget(label(title, "heading"))
            for part in parts:
                column.addWidget(part)
        column.addWidget(self.error)
        column.addLayout(self._foot())
        self.save_button.setFocus()

    def _foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        cancel, self.copy_button = QPushButton("Cancel"), QPushButton("Copy")
        self.save_button = QPushButton("Save…")
        describe(cancel, "Cancel", "Cancel (Escape)")
        describe(self.copy_button, "Copy", "Copy the picture to the clipboard")
        describe(self.save_button, "Save", "Choose the file: .png, .svg or .pdf")
        without_check(cancel, self.close)
        without_check(self.copy_button, lambda: self._take(self.effects.copy))
        without_check(self.save_button, lambda: self._take(self.effects.save))
        self.save_button.setDefault(True)
        foot.addWidget(self.copy_button)
        foot.addStretch(1)
        for button in (cancel, self.save_button):
            foot.addWidget(button)
        return foot

    def wanted(self) -> Wanted:
        """What the fields say."""
        return Wanted(
            self.size_row.size_wanted(),
            self.caption.isChecked(),
            self.legend.isChecked(),
            self.views.currentText() if self.views.currentIndex() else "",
            self.steps.text().strip(),
            self.colours.currentData(),
        )

    def _take(self, effect: Callable[[Wanted], object]) -> None:
        """Close, then save or copy what was chosen; say here what cannot be drawn."""
        wanted = self.wanted()
        try:
            self.effects.check(wanted)
        except EngineError as sentence:
            self.error.show_error(str(sentence))
            return
        self.close()
        effect(wanted)
