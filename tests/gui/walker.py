"""A walk that tries everything that the window offers, with real events: what walks over the
window are made of.
"""

import gc
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from laboratory import ALT, CTRL, LEFT, MIDDLE, NONE, RIGHT, SHIFT, Key, Lab, double_click
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QLineEdit,
    QListView,
    QMenu,
    QSlider,
    QWidget,
)

# actions between two full collections; tests/gui/test_long_walk.py has one at each action
COLLECTED = 10
THEMES = {"light", "dark", "projector"}  # half a second each, so they come seldom
LEAVES = {
    "quit",
    "full",
    "open",
    "save_as",
    "export",
    "export_questions",
    "export_page",
    "own_algorithms",
}  # these end the walk or only open a dialogue of the system
TEXTS = (
    "",
    "0",
    "1",
    "3.5",
    "-2",
    "1e9",
    "abc",
    "(1, 2)",
    "0,5",
    "50",
    "nan",
    "decision",
    "iris",
    "theme",
    "moons",
)
KEYS = [
    *"0123456789ABEFGHILMNORSV",
    "[",
    "]",
    ".",
    Key.Key_Space,
    Key.Key_Left,
    Key.Key_Right,
    Key.Key_Up,
    Key.Key_Down,
    Key.Key_Home,
    Key.Key_End,
    Key.Key_PageUp,
    Key.Key_PageDown,
    Key.Key_Escape,
    Key.Key_Delete,
    Key.Key_Return,
    Key.Key_Tab,
    Key.Key_Backspace,
]
WITH_CTRL = ["Z", "A", "C", "V", "K", "+", "-"]


class Walker:
    """Chooses what to do next, does it with real events, and tidies up the popups and dialogues it
    opened.
    """

    def __init__(self, lab: Lab, seed: int) -> None:
        self.lab = lab
        self.chance = random.Random(seed)
        self.done: Counter[str] = Counter()
        self.trail: list[str] = []
        chances = {
            self.click: 16,
            self.drag: 14,
            self.tool: 8,
            self.wheel: 3,
            self.pan: 2,
            self.key: 22,
            self.button: 16,
            self.combo: 3,
            self.slider: 4,
            self.field: 4,
            self.list: 2,
            self.command: 8,
            self.timeline: 5,
            self.hover: 3,
            self.menu: 4,
            self.resize: 1,
            self.theme: 0.4,
        }
        self.ways: list[Callable[[], str]] = list(chances)
        self.weights = list(chances.values())

    def step(self) -> None:
        way = self.chance.choices(self.ways, self.weights)[0]
        self.trail.append(f"{way.__name__} {way()}")
        self.done[way.__name__] += 1
        QApplication.processEvents()
        self.tidy()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        if len(self.trail) % COLLECTED == 0:
            # what Python gave away too early goes now, and not a thousand actions later
            gc.collect()

    def tidy(self) -> None:
        """Close what opened; of a menu one entry is taken first, now and then."""
        for _ in range(5):
            popup = QApplication.activePopupWidget()
            if popup is None:
                break
            if isinstance(popup, QMenu) and self.chance.random() < 0.5:
                self.take_from(popup)
            else:
                popup.close()
        for window in QApplication.topLevelWidgets():
            if isinstance(window, QDialog) and window.isVisible():
                window.grab()
                window.close()
        if QApplication.activeWindow() is None:
            self.lab.window.activateWindow()

    def take_from(self, menu: QMenu) -> None:
        entries = [
            a
            for a in menu.actions()
            if a.isEnabled() and not a.isSeparator() and a not in self.forbidden()
        ]
        if entries:
            entry = self.chance.choice(entries)
            if entry.menu() is None:
                entry.trigger()
                self.trail.append(f"  took {entry.text()}")
        menu.close()

    def forbidden(self) -> list[Any]:
        return [self.lab.window.action(name) for name in LEAVES | THEMES]

    # -- the plane ---------------------------------------------------------------------------------

    def spot(self) -> QPoint:
        view = self.lab.plane.viewport().rect()
        shown = self.lab.plane.shown()
        if len(shown.xy) and self.chance.random() < 0.5:
            return self.lab.pixel(*self.chance.choice(shown.xy.tolist()))
        return QPoint(
            *(self.chance.randrange(max(1, size)) for size in (view.width(), view.height()))
        )

    def keys(self) -> Any:
        return self.chance.choices([NONE, SHIFT, CTRL, ALT], [8, 2, 1, 1])[0]

    def click(self) -> str:
        where = self.spot()
        button = self.chance.choices([LEFT, MIDDLE], [9, 1])[0]
        viewport = self.lab.plane.viewport()
        keys = self.keys()
        if self.chance.random() < 0.1:
            double_click(viewport, where, button, keys)
        else:
            QTest.mouseClick(viewport, button, keys, where)
        return f"{where.x()} {where.y()}"

    def drag(self, button: Any = LEFT) -> str:
        viewport = self.lab.plane.viewport()
        places = [self.spot() for _ in range(self.chance.randint(2, 4))]
        QTest.mousePress(viewport, button, self.keys(), places[0])
        for place in places[1:]:
            QTest.mouseMove(viewport, place)
            if self.chance.random() < 0.3:
                QApplication.processEvents()
            if self.chance.random() < 0.08:
                self.key()
        QTest.mouseRelease(viewport, button, NONE, places[-1])
        return self.lab.session.tool

    def pan(self) -> str:
        return self.drag(MIDDLE)

    def wheel(self) -> str:
        view = self.lab.plane.view()
        x, y = (self.chance.uniform(*side) for side in (view.x, view.y))
        self.lab.wheel(x, y, self.chance.choice([-3, -1, 1, 3]), self.keys())
        if self.chance.random() < 0.5:
            self.lab.plane.fit()
        return ""

    def hover(self) -> str:
        for _ in range(4):
            QTest.mouseMove(self.lab.plane.viewport(), self.spot())
        if self.chance.random() < 0.2:
            QApplication.sendEvent(self.lab.plane.viewport(), QEvent(QEvent.Type.Leave))
        return ""

    def menu(self) -> str:
        QTest.mouseClick(self.lab.plane.viewport(), RIGHT, NONE, self.spot())
        form = QApplication.activePopupWidget()
        if form is not None and not isinstance(form, QMenu):
            self.write_into(form.findChildren(QLineEdit))
        return ""

    # -- keys and controls -------------------------------------------------------------------------

    def key(self) -> str:
        if self.chance.random() < 0.15:
            letter, keys = self.chance.choice(WITH_CTRL), self.chance.choice([CTRL, CTRL | SHIFT])
        else:
            letter = self.chance.choice(KEYS)
            keys = self.chance.choices([NONE, SHIFT], [6, 1])[0]
        reader = QApplication.focusWidget() or self.lab.window
        QTest.keyClick(reader, ord(letter) if isinstance(letter, str) else letter, keys)
        return str(letter)

    def tool(self) -> str:
        letter = self.chance.choice("VASMERLOI")
        self.lab.plane.setFocus()
        QTest.keyClick(self.lab.plane, ord(letter))
        return letter

    def some(self, kind: type) -> Any:
        """A usable control of this kind that the person can see; now and then none."""
        window = self.lab.window
        if window.blank.isVisible():
            return None
        there = [
            w
            for w in window.findChildren(kind)
            if w.isVisible() and w.isEnabled() and w.width() > 2
        ]
        return self.chance.choice(there) if there else None

    def button(self) -> str:
        button = self.some(QAbstractButton)
        if button is None or button.accessibleName().startswith("Open"):
            return "none"
        if hasattr(button, "menu") and button.menu() is not None:
            button.menu().aboutToShow.emit()
            self.take_from(button.menu())
            return f"menu of {button.text()}"
        name = button.accessibleName() or button.text()
        if name.startswith(("Dark or light", "Projector", "Leave")):
            return "none"
        QTest.mouseClick(button, LEFT)
        return name

    def combo(self) -> str:
        combo = self.some(QComboBox)
        if combo is None or not combo.count():
            return "none"
        index = self.chance.randrange(combo.count())
        if combo.itemData(index) is None and combo.itemText(index) == "":
            return "separator"
        combo.setCurrentIndex(index)
        combo.activated.emit(index)
        return combo.itemText(index) if index < combo.count() else ""

    def slider(self) -> str:
        slider = self.some(QSlider)
        if slider is None:
            return "none"
        y = slider.height() // 2
        QTest.mousePress(slider, LEFT, NONE, QPoint(self.chance.randrange(slider.width()), y))
        QTest.mouseMove(slider, QPoint(self.chance.randrange(slider.width()), y))
        QApplication.processEvents()
        QTest.mouseRelease(slider, LEFT, NONE, QPoint(self.chance.randrange(slider.width()), y))
        return slider.accessibleName()

    def field(self) -> str:
        field = self.some(QLineEdit)
        return "none" if field is None else self.write_into([field])

    def write_into(self, fields: list[QLineEdit]) -> str:
        for field in fields:
            QTest.mouseClick(field, LEFT)
            field.selectAll()
            text = self.chance.choice(TEXTS)
            QTest.keyClicks(field, text)
            end = self.chance.choice([Key.Key_Return, Key.Key_Escape, Key.Key_Tab, Key.Key_Down])
            QTest.keyClick(field, end)
        return ", ".join(field.accessibleName() for field in fields)

    def list(self) -> str:
        view = self.some(QListView)
        if view is None or view.model() is None or not view.model().rowCount():
            return "none"
        index = view.model().index(self.chance.randrange(view.model().rowCount()), 0)
        name = str(index.data())  # the list may be another one after the click
        QTest.mouseClick(view.viewport(), LEFT, NONE, view.visualRect(index).center())
        return name

    def command(self) -> str:
        name = self.chance.choice(
            [n for n in self.lab.window.actions_.all if n not in LEAVES | THEMES]
        )
        self.lab.window.action(name).trigger()
        return name

    def theme(self) -> str:
        """Never long in the projector theme, which hides most controls."""
        name = self.chance.choice(["dark", "light"])
        self.lab.window.action("projector").trigger()
        for _ in range(3):
            self.chance.choice([self.button, self.timeline, self.key, self.click])()
            self.tidy()
        self.lab.window.action(name).trigger()
        return name

    def timeline(self) -> str:
        line: QWidget = self.lab.window.timeline
        if not line.isVisible():
            line = self.lab.window.caption_band
        places = [
            QPoint(self.chance.randrange(max(1, line.width())), line.height() // 2)
            for _ in range(4)
        ]
        QTest.mousePress(line, LEFT, NONE, places[0])
        for place in places[1:]:
            QTest.mouseMove(line, place)
        QTest.mouseRelease(line, LEFT, NONE, places[-1])
        return ""

    def resize(self) -> str:
        self.lab.window.resize(*self.chance.choice([(1280, 800), (1024, 640), (1440, 900)]))
        return ""
