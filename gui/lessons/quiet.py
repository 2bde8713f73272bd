"""A small button with an icon."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from gui.look import icons
from gui.look.style import describe


def quiet(icon: str, words: str, effect: Callable[[], object]) -> QToolButton:
    button = QToolButton()
    icons.put(button, icon, "ink2", icons.SMALL)
    describe(button, words)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.clicked.connect(lambda *_: effect())
    return button
