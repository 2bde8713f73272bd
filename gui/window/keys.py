"""Keys that are not menu shortcuts (Space, digits, number + Enter, tools, nudging, clickers), and
which widget gets a key.
"""

import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QSplitterHandle,
    QTextEdit,
    QWidget,
)

from gui.base.guard import guarded_filter
from gui.look import focus
from gui.plane.plane import Plane
from gui.plane.tool import no_plane
from gui.widgets.edge import Edge
from gui.widgets.number_slider import NumberField
from gui.window.blank import Blank
from gui.window.commands import Commands

Key = Qt.Key
Modifier = Qt.KeyboardModifier
Kind = QEvent.Type
WRITING = (QLineEdit, QTextEdit, QPlainTextEdit, QAbstractSpinBox)
CONTROLS = (QAbstractButton, QAbstractItemView, QAbstractSlider, QComboBox, QSplitterHandle, Edge)
OWN = {
    Key.Key_Left,
    Key.Key_Right,
    Key.Key_Up,
    Key.Key_Down,
    Key.Key_Home,
    Key.Key_End,
    Key.Key_PageUp,
    Key.Key_PageDown,
    Key.Key_Space,
    Key.Key_Return,
    Key.Key_Enter,
}
ARROWS = {Key.Key_Left: (-1, 0), Key.Key_Right: (1, 0), Key.Key_Up: (0, 1), Key.Key_Down: (0, -1)}
INPUT = (QKeyEvent, QMouseEvent)
VIEWS = Key.Key_V  # V and a digit choose a view of the stage; V alone the tool
MODIFIERS = (Key.Key_Shift, Key.Key_Control, Key.Key_Alt)
NUDGE, FAR = 1, 10  # pixels; FAR with Shift
STRIDE = 12  # pixels that the keyboard's pointer moves
PATIENCE = 1.5  # seconds between the digits of one number


def _nothing_to_undo(field: QWidget, event: Any) -> bool:
    if not isinstance(field, QLineEdit):
        return False
    undo, redo = (
        event.matches(key) for key in (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)
    )
    return bool(undo and not field.isUndoAvailable()) or bool(redo and not field.isRedoAvailable())


def _is_entered(field: QWidget) -> bool:
    """Whether this is a number field that is not being edited: a space would mean nothing in it."""
    return isinstance(field, NumberField) and not field.isModified()


class Keys(QObject):
    """An event filter for the keys that are not shortcuts: Space plays (unless held to pan), 1–9
    choose the class, 37 Enter jumps to step 37, PgUp and PgDn step or walk through a playlist, V 2
    shows the second view on the stage.

    Text fields get all keys, except undo where nothing was written. A control gets its keys
    (arrows, Space …) only while it has the focus frame, that is after Tab; after a click they still
    steer the run, so that Space plays whatever was clicked last.
    """

    def __init__(self, window: QWidget, commands: Commands, blank: Blank) -> None:
        super().__init__(window)
        self.window = window
        self.commands = commands
        self.blank = blank
        self.session = commands.session
        self.lanes = commands.lanes
        # the filter of a mode, which gets events first
        self.ahead: Callable[[QObject, QEvent], bool] | None = None
        self.over: QWidget | None = None  # a page over the window, which gets all keys
        self.digits = ""
        self._class_before = 0
        self._last_digit = 0.0
        self._view_key = (-PATIENCE, "")  # when V was pressed, and the tool chosen before
        app = QApplication.instance()
        assert app is not None
        app.installEventFilter(self)

    @property
    def plane(self) -> Plane:
        """The plane of the active lane."""
        return self.lanes.plane

    @guarded_filter
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Filter the application's events; returns whether one was used here.

        A dialog that opens causes thousands of events, so most are passed on at once.
        """
        self.session.worker.hear()
        return (isinstance(event, INPUT) or watched is self.window) and self.filter(watched, event)

    def filter(self, watched: QObject, event: QEvent) -> bool:
        if self.over is not None and self.over.isVisible():
            return False
        if self.ahead is not None and self.ahead(watched, event):
            return True
        kind = event.type()
        if kind in (Kind.MouseButtonPress, Kind.ShortcutOverride, Kind.KeyPress):
            focus.hear(mouse=kind == Kind.MouseButtonPress)
        if kind == Kind.MouseButtonPress:
            self._leave_field(watched)
            return self._go_to_lane(watched)
        elif kind == Kind.MouseButtonRelease and isinstance(watched, QWidget):
            for plane in self.lanes.planes:
                plane.redraw()  # the drag has ended: the surface may be refined
        elif kind == Kind.WindowDeactivate and watched is self.window:
            self.plane.space_held = False
        elif kind in (Kind.ShortcutOverride, Kind.KeyPress, Kind.KeyRelease) and self._mine(
            watched
        ):
            return {Kind.ShortcutOverride: self._claim, Kind.KeyPress: self._press}.get(
                kind, self._release
            )(event)
        return False

    def _mine(self, watched: QObject) -> bool:
        """Whether a key event is for this window.

        Key events reach the window's handle first and then its widgets; only the widgets' count.
        """
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

    def _leave_field(self, watched: QObject) -> None:
        """Let a click elsewhere in the window end a number being typed and commit the text of a
        field.
        """
        here = QApplication.focusWidget()
        if not isinstance(watched, QWidget) or watched.window() is not self.window:
            return
        self.digits = ""
        list_of_field = getattr(here, "popup", None)
        if list_of_field is not None and (
            watched in (list_of_field, list_of_field.field) or list_of_field.isAncestorOf(watched)
        ):
            return
        if isinstance(here, QLineEdit) and here.window() is self.window and watched is not here:
            here.clearFocus()

    def _go_to_lane(self, watched: QObject) -> bool:
        """Make the lane under a mouse press the active one.

        True when the press must do nothing else: a tool that adds or removes points does so in the
        active lane only.
        """
        cell = self.lanes.cell_of(watched) if isinstance(watched, QWidget) else None
        if cell is None or cell.active:
            return False
        self.session.activate(cell.place)
        tool = cell.plane.tool
        return watched is cell.plane.viewport() and tool is not None and tool.makes

    # -- which widget gets the key -----------------------------------------------------------------

    def _claim(self, event: Any) -> bool:
        """Whether a key is kept from the menu's shortcuts."""
        here = QApplication.focusWidget()
        key = event.key()
        if not (
            Key.Key_0 <= key <= Key.Key_9 or key in (Key.Key_Return, Key.Key_Enter, *MODIFIERS)
        ):
            self.digits = ""  # also when a shortcut of the menu takes the key
        if self.blank.isVisible():
            claimed = key != Key.Key_Period
        elif isinstance(here, WRITING):
            if _nothing_to_undo(here, event):
                event.ignore()
                # the field has nothing to undo, so the menu's shortcut undoes the last edit
                return True
            claimed = key == Key.Key_Escape
        else:
            claimed = self._control_has(key) or self._nudges(event) or self._points(event)
        event.setAccepted(claimed)
        return claimed

    def _control_has(self, key: int) -> bool:
        ring = focus.ring()
        here = QApplication.focusWidget()
        return (
            key in OWN and isinstance(here, CONTROLS) and ring is not None and ring.target is here
        )

    def _nudges(self, event: Any) -> bool:
        plain = not event.modifiers() & ~(
            Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier
        )
        return (
            plain
            and event.key() in ARROWS
            and self.session.tool == "select"
            and bool(self.plane.selected)
        )

    def _points(self, event: Any) -> bool:
        """Whether this is Ctrl and an arrow, with or without Shift, which move the keyboard's
        pointer.
        """
        keys = event.modifiers() & ~(
            Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier
        )
        # without a plane too: a message then says so
        seen = self.lanes.stage.plane_shown or bool(no_plane(self.session))
        return event.key() in ARROWS and keys == Qt.KeyboardModifier.ControlModifier and seen

    # -- what it does ------------------------------------------------------------------------------

    def _press(self, event: Any) -> bool:
        key = event.key()
        here = QApplication.focusWidget()
        if self.blank.isVisible() and key not in (Key.Key_Period, *MODIFIERS):
            self.blank.toggle()
            return True
        if isinstance(here, WRITING) and not (key == Key.Key_Space and _is_entered(here)):
            return False
        if self._control_has(key):
            return False
        if self._nudges(event):
            far = FAR if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else NUDGE
            self.commands.nudge(*(far * way for way in ARROWS[key]))
            return True
        if self._points(event):
            far = NUDGE if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else STRIDE
            self.plane.pointer.move(*(far * way for way in ARROWS[key]))
            return True
        if key in (Key.Key_Return, Key.Key_Enter):
            return self._jump() if self._means_a_step() else self._click(event)
        if self._asks_for_menu(event) and self.plane.pointer.open_menu():
            return True
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if plain and Key.Key_0 <= key <= Key.Key_9:
            return event.isAutoRepeat() or self._digit(key - Key.Key_0)
        if key not in MODIFIERS:
            self.digits = ""
        return plain and self._plain(key, event.isAutoRepeat())

    def _plain(self, key: int, repeated: bool) -> bool:
        """Act on a key without modifiers: play, step, another tool. True if it was used."""
        session, plane = self.session, self.plane
        if key == Key.Key_Space:
            if not repeated:
                plane.space_held, plane.panned = True, False
            return True
        if key in (Key.Key_PageDown, Key.Key_PageUp):
            walk = self.commands.playlist
            on = key == Key.Key_PageDown
            if self.commands.lessons.running:
                self.commands.lessons.player.step(1 if on else -1)
            elif walk.running:
                walk.step(1 if on else -1)
            else:
                (session.next if on else session.previous)()
            return True
        if key == VIEWS:
            self._view_key = (time.monotonic(), session.tool)
        tool = next(
            (
                name
                for name, tool in plane.tools.items()
                if tool.shortcut and ord(tool.shortcut) == key
            ),
            None,
        )
        if tool is not None:
            self.commands.take_tool(tool)
            return True
        return plane.tool is not None and plane.tool.key_pressed(key)

    def _digit(self, digit: int) -> bool:
        """Choose a class at once, and begin or continue a step number."""
        now = time.monotonic()
        pressed, tool = self._view_key
        if now - pressed <= PATIENCE:  # V began the name of a view
            self._view_key = (-PATIENCE, "")
            self.session.set_settings(tool=tool)
            self.lanes.stage.choose_nth(digit)
            return True
        if now - self._last_digit > PATIENCE:
            self.digits = ""
        self._last_digit = now
        self.digits = (self.digits + str(digit))[-7:]
        if len(self.digits) == 1:
            self._class_before = self.session.current_class
        if len(self.digits) == 1 and digit > 0:
            self.commands.choose_class(digit - 1)
        if len(self.digits) > 1 or digit == 0:
            self.session.say(f"Enter jumps to {self.session.unit.name.lower()} {int(self.digits)}.")
        return True

    def _means_a_step(self) -> bool:
        """Whether Enter jumps to the digits as a step number.

        A single digit has chosen a class: it counts only for a moment, and not while the keyboard's
        cross waits to place a point.
        """
        if len(self.digits) > 1 or self.digits == "0":
            return True
        soon = time.monotonic() - self._last_digit <= PATIENCE
        return bool(self.digits) and soon and self.plane.pointer.at is None

    def _click(self, event: Any) -> bool:
        """Click at the keyboard's cross; a key that is held down clicks once."""
        self.digits = ""
        shift, ctrl = (
            bool(event.modifiers() & key)
            for key in (Modifier.ShiftModifier, Modifier.ControlModifier)
        )
        pointer = self.plane.pointer
        return (event.isAutoRepeat() and pointer.at is not None) or pointer.click(shift, ctrl)

    def _asks_for_menu(self, event: Any) -> bool:
        """Whether this is the menu key, or Shift+F10, on the plane."""
        keys = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        ring = focus.ring()
        wanted = event.key() == Key.Key_Menu or (
            event.key() == Key.Key_F10 and keys == Qt.KeyboardModifier.ShiftModifier
        )
        return wanted and (ring is None or ring.target is self.plane)

    def _jump(self) -> bool:
        """Jump to the step number and restore the class that its first digit chose."""
        count = int(self.digits)
        self.digits = ""
        if self.session.current_class != self._class_before:
            self.session.set_settings(current_class=self._class_before)
        self.session.say("")  # the step itself is the answer
        self.commands.jump(count)
        return True

    def _release(self, event: Any) -> bool:
        plane = self.plane
        if event.isAutoRepeat():
            return False
        if event.key() in ARROWS and plane.selected:
            self.session.history.seal()
        if event.key() != Key.Key_Space or not plane.space_held:
            return False
        plane.space_held = False
        if not plane.panned:
            self.session.player.toggle()
        return True
