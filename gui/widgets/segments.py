"""A few options side by side, one of them chosen."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from gui.base.guard import guarded
from gui.base.plain_text import tip
from gui.look import style, theme
from gui.look.style import describe


def abreast(texts: Sequence[str]) -> int:
    """The width in pixels of segments with these texts, with their frame."""
    return sum(_wide(text, k == 0) for k, text in enumerate(texts)) + 2


def _wide(text: str, first: bool) -> int:
    """The width in pixels of one segment; all but the first have an edge at the left."""
    bold = theme.current().font("body", weight=600)
    return (
        QFontMetrics(bold).horizontalAdvance(text)
        + 2 * style.scale(theme.current(), 10)
        + (not first)
    )


class Segments(QFrame):
    """A few options side by side, of which one is chosen. picked(value): signal that the person
    chose an option; set_value() does not emit it
    """

    picked = Signal(object)

    def __init__(
        self,
        options: Sequence[Any],
        value: Any = None,
        accessible: str = "",
        words: Callable[[Any], str] = str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        style.mark(self, "segments")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        describe(self, accessible)
        self._options = list(options)
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._buttons = [
            self._button(i, words(option), accessible) for i, option in enumerate(self._options)
        ]
        for button in self._buttons:
            row.addWidget(button)
        self._group.idClicked.connect(lambda i: self.picked.emit(self._options[i]))
        self.set_value(self._options[0] if value is None and self._options else value)

    def value(self) -> Any:
        """The chosen option, None where none is chosen."""
        return self._options[self._group.checkedId()] if self._group.checkedId() >= 0 else None

    def set_value(self, value: Any) -> None:
        if value in self._options:
            self._buttons[self._options.index(value)].setChecked(True)
        self._keep_one_tab_stop()

    def buttons(self) -> list[QPushButton]:
        return self._buttons

    def set_enabled(self, value: Any, enabled: bool, why: str = "") -> None:
        """Enable or disable one option; `why` is its tool tip."""
        button = self._buttons[self._options.index(value)]
        button.setEnabled(enabled)
        button.setToolTip(tip(why or button.text()))

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            for button in self.buttons():
                self._size(button)

    def _button(self, i: int, text: str, accessible: str) -> QPushButton:
        button = _Segment(text, self)
        button.setCheckable(True)
        last = len(self._options) - 1
        place = "only" if last == 0 else "first" if i == 0 else "last" if i == last else "middle"
        style.mark(button, "segment", place=place)
        describe(button, f"{accessible}: {text}" if accessible else text, text)
        self._size(button)
        button.toggled.connect(self._keep_one_tab_stop)
        self._group.addButton(button, i)
        return button

    def _size(self, button: QPushButton) -> None:
        """Make room for the bold face, so that nothing moves when the choice changes."""
        button.setFixedWidth(_wide(button.text(), button.property("place") in ("first", "only")))

    def _keep_one_tab_stop(self) -> None:
        """Let Tab reach only the chosen option; the arrow keys go on from there."""
        for button in self.buttons():
            chosen = button.isChecked() or self._group.checkedId() < 0
            button.setFocusPolicy(
                Qt.FocusPolicy.StrongFocus if chosen else Qt.FocusPolicy.ClickFocus
            )


class _Segment(QPushButton):
    """A button of Segments: Left and Right choose its neighbours, Home and End the ends."""

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        segments = self.parentWidget()
        assert isinstance(segments, Segments)
        usable = [button for button in segments.buttons() if button.isEnabled()]
        here = usable.index(self) if self in usable else 0
        steps = {
            Qt.Key.Key_Left: here - 1,
            Qt.Key.Key_Right: here + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(usable) - 1,
        }
        there = steps.get(Qt.Key(event.key()))
        if there is None:
            super().keyPressEvent(event)
        elif 0 <= there < len(usable) and there != here:
            usable[there].click()
            usable[there].setFocus(Qt.FocusReason.TabFocusReason)
