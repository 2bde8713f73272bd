"""An open lesson in the window: its panel over the left dock, its keys, and what it locks."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QMenu, QPlainTextEdit, QWidget

from gui.frame.left_dock import LeftDock
from gui.lessons.locks import Locks
from gui.lessons.panel import LessonPanel
from gui.lessons.player import LessonPlayer
from gui.look import focus
from gui.session.session import Session
from gui.window.keys import CONTROLS, WRITING, Keys
from gui.window.predict_mode import PredictMode
from gui.window.room import Room

if TYPE_CHECKING:
    from gui.lessons.locks import LockCover

Key = Qt.Key
Kind = QEvent.Type
KEYS = (Kind.ShortcutOverride, Kind.KeyPress)


class LessonMode(QObject):
    """Shows the open lesson. Page Down and Page Up walk through its pages, letters answer, Enter
    goes on once the task is done, Escape leaves.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        player: LessonPlayer,
        dock: LeftDock,
        room: Room,
        predict: PredictMode,
        locks: Locks,
        menu: Callable[[], QMenu],
        dismiss: Callable[[], bool],
    ) -> None:
        """locks: of the window; menu: makes the menu of the lesson; dismiss: closes what lies over
        the picture, and returns whether there was anything
        """
        super().__init__(window)
        self.window, self.session, self.player = window, session, player
        self.dock, self.room, self.predict = dock, room, predict
        self._dismiss = dismiss
        self.panel = LessonPanel(player, session, dock, menu)
        self.locks = locks
        dock.wanted.connect(lambda: self.panel.fold(True))
        self._was = False
        player.changed.connect(self._follow)
        player.left.connect(self._follow)

    @property
    def keys(self) -> Keys | None:
        return self.predict.keys

    @property
    def covers(self) -> "list[LockCover]":
        return self.locks.covers

    def _follow(self) -> None:
        on = self.player.running
        if not on:
            self.panel.refresh()
        if on == self._was:
            return
        self._was = on
        self.predict.button.setEnabled(not on)
        self.room.show_lesson(self.dock if on else None)
        if self.keys is not None:
            self.keys.ahead = self.hears if on else None
        if on:
            self.panel.refresh()
            self.window.setFocus()

    def hears(self, watched: QObject, event: QEvent) -> bool:
        """Filter an event before all other filters; True if the lesson used it."""
        if event.type() in KEYS and isinstance(event, QKeyEvent):
            return self.predict.mine(watched) and self._key(event)
        if (
            event.type() == Kind.MouseButtonPress
            and isinstance(event, QMouseEvent)
            and isinstance(watched, QWidget)
        ):
            return self.predict.press(watched, event)
        return False

    def _key(self, event: QKeyEvent) -> bool:
        effect = self._effect(event)
        if effect is None:
            return False
        event.accept()
        if event.type() == Kind.KeyPress:
            effect()
        return True

    def _effect(self, event: QKeyEvent) -> Callable[[], object] | None:
        """What a key does in a lesson; None if it keeps its usual effect."""
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return None
        key, here = event.key(), QApplication.focusWidget()
        if key in (Key.Key_PageDown, Key.Key_PageUp) and not isinstance(here, QPlainTextEdit):
            way = 1 if key == Key.Key_PageDown else -1
            return lambda: self.player.step(way)
        if key == Key.Key_Escape:
            return self._escape
        if isinstance(here, WRITING):
            return None
        if key in (Key.Key_Return, Key.Key_Enter):
            held = isinstance(here, CONTROLS) and focus.ring() is not None
            done = self.player.task is None or self.player.done
            return None if held or not done else lambda: self.player.step(1)
        cards = self.panel.page.choices.cards
        place = key - Key.Key_A
        if 0 <= place < len(cards) and cards[place].isEnabled() and not self.panel.folded:
            return lambda: self.player.answer((cards[place].words,))
        return None

    def _escape(self) -> None:
        """Close what lies over the picture or the panel, or leave the lesson."""
        here = QApplication.focusWidget()
        if isinstance(here, WRITING):
            self.window.setFocus()
        elif self.panel.folded:
            self.panel.fold(False)
        elif not self._dismiss():
            self.player.leave()
