"""The row under the timeline: play buttons, unit, speed, where to stop."""

from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QMenu, QSlider, QToolButton, QWidget

from engine.protocol.step import Level
from gui.base.guard import guarded
from gui.look import icons, style, theme
from gui.session.changes import Change, Changes
from gui.session.lane_events import LANE_EVENTS
from gui.session.player import SPEEDS
from gui.session.session import Session
from gui.session.sync_mode import END
from gui.widgets.controls import Segments, describe, label

NOTCH = 120  # eighths of a degree that one notch of the wheel turns
UNITS = {Level.DETAIL: "detail", Level.STEP: "step", Level.ROUND: "round"}
BUTTONS = (
    ("first", "To the start (Home)"),
    ("back", "One step back (←)"),
    ("play", "Play or pause (Space)"),
    ("next", "One step on (→)"),
    ("last", "To the end (End)"),
)


class SpeedSlider(QSlider):
    """A slider that one notch of the wheel moves by one speed."""

    turned = 0  # eighths of a degree that the wheel turned since the last notch

    @guarded
    def wheelEvent(self, event: QWheelEvent) -> None:
        self.turned += event.angleDelta().y()
        notches = int(self.turned / NOTCH)
        self.turned -= notches * NOTCH
        self.setValue(self.value() + notches)
        event.accept()


class Transport(QFrame):
    """The buttons that play and step, the unit of time, the speed, and the events to stop at."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        style.mark(self, "dock")
        self._fit()
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.PAD_X - 4, 0, theme.PAD_X, 4)
        row.setSpacing(4)
        self.buttons = {name: self._button(name, tip) for name, tip in BUTTONS}
        effects = (
            lambda: session.seek(0),
            session.previous,
            session.player.toggle,
            session.next,
            lambda: session.seek(END),
        )
        for button, effect in zip(self.buttons.values(), effects, strict=True):
            button.clicked.connect(lambda *_, run=effect: run())
            row.addWidget(button)
        row.addSpacing(14)
        self.units = Segments(list(UNITS), session.unit, "Unit of time", UNITS.__getitem__)
        self.units.picked.connect(session.set_unit)
        row.addWidget(label("unit", "muted"))
        row.addWidget(self.units)
        row.addSpacing(14)
        self._add_speed(row)
        row.addSpacing(14)
        self.stop_row = QHBoxLayout()
        self.stop_row.setSpacing(10)
        row.addLayout(self.stop_row)
        self.more = self._more_button()
        row.addWidget(self.more)
        row.addSpacing(14)
        row.addStretch(1)
        self.what_next = QToolButton()
        self.what_next.setText("What next?")
        describe(self.what_next, "What next?", "What to try after this run")
        self.what_next.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.what_next.hide()
        row.addWidget(self.what_next)
        self.hints = self._hints()
        row.addWidget(self.hints)
        self.checks: dict[str, QCheckBox] = {}
        session.changed.connect(self._on_changed)
        self._events: tuple[str, ...] | None = None
        self._on_run()

    def _on_changed(self, changes: Changes) -> None:
        here = changes.of(self.session.lane_view)
        if here & (Change.RUN | Change.LANES):
            self._on_run()
        elif here & (Change.PLAYING | Change.SETTINGS):
            self._refresh()

    def _button(self, name: str, tip: str) -> QToolButton:
        button = QToolButton()
        style.mark(button, "play" if name == "play" else "transport")
        icons.put(button, name, "sel_ink" if name == "play" else "ink", 20)
        describe(button, tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _add_speed(self, row: QHBoxLayout) -> None:
        row.addWidget(label("speed", "muted"))
        self.speed = SpeedSlider(Qt.Orientation.Horizontal)
        self.speed.setRange(0, len(SPEEDS) - 1)
        self.speed.setFixedWidth(76)
        self.speed.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        describe(self.speed, "Speed ( [ slower, ] faster )")
        self.speed.valueChanged.connect(lambda k: self.session.set_settings(speed=SPEEDS[k]))
        self.speed_text = label("")
        self.speed_text.setMinimumWidth(72)
        row.addWidget(self.speed)
        row.addWidget(self.speed_text)

    def _hints(self) -> QWidget:
        box = QWidget()
        row = QHBoxLayout(box)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        self.stride = label("one step", "muted")
        for part in (
            label("Space", "key"),
            label("play", "muted"),
            label("←", "key"),
            label("→", "key"),
            self.stride,
        ):
            row.addWidget(part)
        return box

    def _more_button(self) -> QToolButton:
        """A button with a menu of the events whose boxes are hidden; it is pressed while one of
        them is checked.
        """
        button = QToolButton()
        button.setText("…")
        describe(button, "More events to stop at")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setCheckable(True)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        menu.aboutToShow.connect(self._fill_more)
        button.setMenu(menu)
        return button

    def _fill_more(self) -> None:
        menu = self.more.menu()
        menu.clear()
        for event, check in self.checks.items():
            if check.isHidden():
                action = menu.addAction(event)
                action.setCheckable(True)
                action.setChecked(check.isChecked())
                action.toggled.connect(check.setChecked)

    def _fit(self) -> None:
        self.setFixedHeight(style.bar(theme.current(), "transport"))

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fit()
            self.make_room()  # a new style of its parts need not resize it

    @guarded
    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        self.make_room()

    def make_room(self) -> None:
        """Hide the key hints, then the boxes of the last events, until the row fits the width.

        The menu offers the hidden events.
        """
        for part in (*self.checks.values(), self.hints):
            part.setVisible(True)
        self.more.setVisible(False)
        if not self._fits():
            self.hints.setVisible(False)
        for check in reversed(self.checks.values()):
            if self._fits():
                break
            check.setVisible(False)
            self.more.setVisible(True)
        self._mark_more()

    def _mark_more(self) -> None:
        self.more.setChecked(
            any(check.isHidden() and check.isChecked() for check in self.checks.values())
        )

    def _fits(self) -> bool:
        self.stop_row.invalidate()
        self.layout().invalidate()
        return self.layout().sizeHint().width() <= self.width()

    def _on_run(self) -> None:
        """Show the events of the present algorithm and lanes."""
        events = self.session.events
        if events != self._events:
            self._events = events
            self._rebuild_checks()
        self._refresh()

    def _rebuild_checks(self) -> None:
        while self.stop_row.count():
            previous = self.stop_row.takeAt(0).widget()
            previous.hide()  # it would be painted under the new ones until it is deleted
            previous.deleteLater()
        self.checks = {}
        events = self.session.events
        if events:
            words = label("stop at", "muted")
            self.stop_row.addWidget(words)
            words.show()  # a label that is not shown yet would not count in `_fits`
        for event in events:
            check = QCheckBox(event)
            check.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            when = (
                f"when {LANE_EVENTS[event]}" if event in LANE_EVENTS else f"at the event “{event}”"
            )
            describe(check, f"Stop playing {when} (B switches all)")
            check.toggled.connect(self._on_checks)
            self.checks[event] = check
            self.stop_row.addWidget(check)
            check.ensurePolished()  # otherwise it is measured with another font
        self.make_room()

    def _on_checks(self) -> None:
        chosen = frozenset(event for event, check in self.checks.items() if check.isChecked())
        if chosen != self.session.stop_at:
            self.session.set_settings(stop_at=chosen)

    def _refresh(self) -> None:
        session = self.session
        icons.put(
            self.buttons["play"], "pause" if session.player.playing else "play", "sel_ink", 20
        )
        self.units.set_value(session.unit)
        self.speed.blockSignals(True)
        self.speed.setValue(min(range(len(SPEEDS)), key=lambda k: abs(SPEEDS[k] - session.speed)))
        self.speed.blockSignals(False)
        words = (
            (self.speed_text, f"{session.speed:g} {UNITS[session.unit]}s/s"),
            (self.stride, f"one {UNITS[session.unit]}"),
        )
        wide = [part.sizeHint().width() for part, _ in words]
        for part, text in words:
            part.setText(text)
        if [part.sizeHint().width() for part, _ in words] != wide:
            self.make_room()
        for event, check in self.checks.items():
            check.blockSignals(True)
            check.setChecked(event in session.stop_at)
            check.blockSignals(False)
        self._mark_more()
        self.setEnabled(self.session.trace is not None)
