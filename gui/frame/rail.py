"""The rail that replaces a dock in a narrow window: upright section names that open the dock."""

from functools import partial
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QSizePolicy, QVBoxLayout

from gui.base.guard import guarded
from gui.look import style, theme
from gui.look.ink import face
from gui.look.sizes import RAIL
from gui.widgets.controls import describe

PAD = 20  # pixels by which a button is longer than its name


class RailName(QAbstractButton):
    """The button of one section, its name written from bottom to top."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setText(name)
        describe(self, name, f"Show: {name}")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @guarded
    def sizeHint(self) -> QSize:
        return QSize(RAIL, int(face("body", 600).width(self.text())) + PAD)

    @guarded
    def enterEvent(self, event: Any) -> None:
        self.update()

    @guarded
    def leaveEvent(self, event: Any) -> None:
        self.update()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        with QPainter(self) as painter:
            if self.isChecked() or self.underMouse():
                painter.fillRect(self.rect(), look.colour("sel" if self.isChecked() else "hover"))
            painter.setPen(look.colour("sel_ink" if self.isChecked() else "ink"))
            painter.setFont(look.font("body", weight=600))
            painter.translate(0, self.height())
            painter.rotate(-90)
            painter.drawText(
                QRectF(0, 0, self.height(), self.width()), Qt.AlignmentFlag.AlignCenter, self.text()
            )


class Rail(QFrame):
    """A column of section names.

    names: the sections of the dock, each with the function that shows it
    """

    def __init__(self, names: dict[str, Any]) -> None:
        super().__init__()
        style.mark(self, "dock")
        self.setFixedWidth(RAIL)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(4)
        self.buttons: dict[str, RailName] = {}
        for name, effect in names.items():
            button = RailName(name)
            button.clicked.connect(partial(self._choose, effect))
            column.addWidget(button)
            self.buttons[name] = button
        column.addStretch(1)

    def _choose(self, effect: Any, *_: object) -> None:
        effect()

    def tick(self, name: str) -> None:
        """Highlight the section at which the dock is open; "" for none."""
        for each, button in self.buttons.items():
            button.setChecked(each == name)
