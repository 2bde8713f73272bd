"""A small dialog of named rows, what it does, and the buttons that do it or leave."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.widgets.controls import ErrorLine, label


def without_check(button: QPushButton, done: Callable[[], None]) -> None:
    """`done()` at a click: `clicked` also sends whether the button is checked, which a guarded
    override would be given.
    """

    def on_click() -> None:
        done()

    button.clicked.connect(on_click)


def lay_out(
    dialog: QDialog, rows: Sequence[tuple[str, QWidget]], error: ErrorLine, said: str, go: str
) -> QPushButton:
    """rows: name and what is filled in; said: what comes of it; go: on the button that accepts,
    which is given back.
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
