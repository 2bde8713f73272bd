"""The mode Predict in the window: its button and panel, the keys that answer, and clicks on
candidates.
"""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from engine.base.records import cached_property
from gui.frame.right_dock import RightDock
from gui.look import style
from gui.session.changes import Change, Changes
from gui.session.session import Session
from gui.widgets.controls import describe
from gui.window.keys import WRITING, Keys
from gui.window.room import Room

if TYPE_CHECKING:
    from gui.predict.predict import PredictPanel

Key = Qt.Key
Kind = QEvent.Type
KEYS = (Kind.ShortcutOverride, Kind.KeyPress)


class PredictMode(QObject):
    """The mode Predict.

    While it is on, its keys come before all others: letters answer, Enter continues, Escape leaves.
    """

    def __init__(self, window: QWidget, session: Session, dock: RightDock, room: Room) -> None:
        super().__init__(window)
        self.window = window
        self.session = session
        self.predicting = session.predicting
        self.dock, self.room = dock, room
        self.keys: Keys | None = None  # the key filter of the window, which comes last
        self.button = QPushButton("?  Predict")
        self.button.setCheckable(True)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        describe(
            self.button,
            "Predict",
            "Predict: say what the next step will be, before it is shown (?)",
        )
        self.button.clicked.connect(lambda *_: self.predicting.toggle())
        self._was = False
        session.changed.connect(self._on_changed)

    @cached_property
    def panel(self) -> "PredictPanel":
        """The panel, created on first use."""
        from gui.predict.predict import PredictPanel

        return PredictPanel(self.session, self.dock)

    def _on_changed(self, changes: Changes) -> None:
        if changes.window & Change.QUESTION:
            self._follow()

    def _follow(self) -> None:
        on = self.predicting.on and self.predicting.given is None
        if on or "panel" in self.__dict__:
            self.panel.refresh()
        if self.button.isChecked() != on:
            self.button.setChecked(on)
        here = QApplication.focusWidget()
        if (
            self.predicting.verdict is not None
            and here is not None
            and self.panel.isAncestorOf(here)
        ):
            self.window.setFocus()  # the blank that had it is removed; Enter, arrows must work
        if on == self._was:
            return
        self._was = on
        self.dock.cover(on)
        self.room.keep(*((self.dock,) if on else ()))
        if self.keys is not None:
            self.keys.ahead = self.hears if on else None
        self.session.announce(Change.POINTER)  # “Why?” is covered, or no longer

    def hears(self, watched: QObject, event: QEvent) -> bool:
        """Filter an event before all other filters; True if this mode used it."""
        if event.type() in KEYS and isinstance(event, QKeyEvent):
            return self.mine(watched) and self._key(event)
        if (
            event.type() == Kind.MouseButtonPress
            and isinstance(event, QMouseEvent)
            and isinstance(watched, QWidget)
        ):
            return self.press(watched, event)
        return False

    def mine(self, watched: QObject) -> bool:
        """Whether a key event is for a widget of this window, as in gui/window/keys.py."""
        if (
            QApplication.activeModalWidget() is not None
            or QApplication.activePopupWidget() is not None
        ):
            return False
        here = QApplication.focusWidget()
        return (
            watched is self.window
            if here is None
            else watched is here and here.window() is self.window
        )

    def _key(self, event: QKeyEvent) -> bool:
        effect = self._effect(event)
        if effect is None:
            return False
        event.accept()
        if event.type() == Kind.KeyPress:
            effect()
        return True

    def _effect(self, event: QKeyEvent) -> Any:
        """The function that a key calls in this mode; None if it keeps its usual effect."""
        predicting = self.predicting
        key = event.key()
        here = QApplication.focusWidget()
        if event.modifiers() & ~(
            Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier
        ):
            return None
        ours = here is not None and self.panel.isAncestorOf(here)
        if key == Key.Key_Escape and (ours or not isinstance(here, WRITING)):
            return predicting.leave
        if isinstance(here, WRITING):
            return None
        if key in (Key.Key_Return, Key.Key_Enter) and predicting.verdict is not None:
            return predicting.go_on
        question = predicting.question
        place = key - Key.Key_A
        if (
            predicting.open
            and question is not None
            and 0 <= place < len(question.options)
            and not question.blanks
        ):
            return lambda: predicting.answer(question.options[place])
        return None

    def press(self, watched: QWidget, event: QMouseEvent) -> bool:
        """Answer with the candidate that was clicked in a figure: its tags are lit, as the pointer
        is on it.
        """
        if (
            event.button() != Qt.MouseButton.LeftButton
            or watched.window() is not self.window
            or not self.predicting.open
        ):
            return False
        if not any(figures.isAncestorOf(watched) for figures in self._figures()):
            return False
        return self.predicting.point_at(self.session.pointer.pointed)

    def _figures(self) -> list[QWidget]:
        stage = self.dock.stage
        return [pane.figures for _, pane in stage.panes() if stage.view is self.predicting.lane]


def add_button(mode: PredictMode, beside: QWidget) -> None:
    """Insert the mode's button to the left of a button of the menu row."""
    row = beside.parentWidget().layout()
    inner = row.itemAt(row.count() - 1).layout() if row is not None else None
    assert inner is not None
    inner.insertWidget(inner.indexOf(beside), mode.button)
    style.refresh(mode.button)
