"""The layout of small dialogs: named rows, a caption, a button that accepts and Cancel."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.widgets.controls import ErrorLine, label


def without_check(button: QPushButton, done: Callable[[], None]) -> None:
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
