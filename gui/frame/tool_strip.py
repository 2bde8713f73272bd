"""The strip beside the stage: the tools of the plane, and the classes for new points."""

from functools import partial

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QToolButton, QVBoxLayout

from engine.base.notation import class_text
from gui.base.guard import guarded
from gui.look import icons, style, theme
from gui.plane.tool import Tool, no_plane
from gui.session.changes import Change, Changes
from gui.session.session import Session
from gui.widgets.controls import Divider, describe, marker_pixmap

MAX_CLASSES = 9
GAP, TIGHT = 4, 2  # pixels between buttons; in a low window
LEAST = 23  # least height of a class button in pixels
MARGINS = 12  # pixels beside the buttons, both sides together
AT_HAND = 4  # classes visible before the tools become lower


class ToolStrip(QFrame):
    """One button per tool, and below one per class (keys 1–9) up to the chosen one, which the data
    need not have yet.
    """

    def __init__(self, session: Session, tools: dict[str, Tool]) -> None:
        super().__init__()
        self.session, self.tools = session, tools
        style.mark(self, "dock")
        self._fit()
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(6, 8, 6, 8)
        self.column.setSpacing(GAP)
        self.group = QButtonGroup(self)
        self.buttons: dict[str, QToolButton] = {}
        for key in tools:
            button = QToolButton()
            style.mark(button, "tool")
            icons.put(button, key, "ink2", icons.TOOL)
            button.setCheckable(True)
            button.clicked.connect(partial(self._choose, key))
            self.group.addButton(button)
            self.column.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
            self.buttons[key] = button
        self.column.addWidget(Divider())
        self.classes = QVBoxLayout()
        self.classes.setSpacing(GAP)
        self.column.addLayout(self.classes)
        self.column.addStretch(1)
        self._shown: object = None
        session.changed.connect(self._on_changed)
        self.refresh()

    def _on_changed(self, changes: Changes) -> None:
        if changes.window & (Change.SETTINGS | Change.DOCUMENT | Change.ACTIVE):
            self.refresh()

    def _fit(self) -> None:
        self.setFixedWidth(style.bar(theme.current(), "tool") + MARGINS)

    def _choose(self, key: str) -> None:
        self.session.set_settings(tool=key)

    def refresh(self) -> None:
        for key, button in self.buttons.items():
            chosen = key == self.session.tool
            button.setChecked(chosen)
            # arrow keys reach the other buttons of the group
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus if chosen else Qt.FocusPolicy.NoFocus)
        target = self.session.data.target
        classes = target.categories if target is not None and not target.feature.numeric else ()
        count = len(classes)
        refusal = no_plane(self.session)
        wanted = (classes, self.session.current_class, refusal)
        if wanted == self._shown:
            return
        self._shown = wanted
        self._refresh_tools()
        while self.classes.count():
            surplus = self.classes.takeAt(0).widget()
            surplus.hide()  # else it is painted until it is deleted
            surplus.deleteLater()
        shown = max(count, self.session.current_class + 1) if count else 0
        for index in range(min(shown, MAX_CLASSES)):
            self.classes.addWidget(
                self._class_button(index, refusal), 0, Qt.AlignmentFlag.AlignHCenter
            )
        self._make_room()

    def _refresh_tools(self) -> None:
        """Disable tools that have nothing to work on; their tool tips say why."""
        for key, tool in self.tools.items():
            refusal = tool.refusal()
            name = f"{tool.title} ({tool.shortcut})"
            self.buttons[key].setEnabled(not refusal)
            describe(
                self.buttons[key],
                tool.title,
                f"{name}. {refusal}" if refusal else f"{name}: {tool.hint}",
            )

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fit()
            self._make_room()

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Fit the buttons to the height: first closer together, then lower tools. Where not all
        classes fit, those around the current one are shown; keys 1–9 reach all.
        """
        count = self.classes.count()
        if not count:
            self._lower_tools(False)
            return
        for low, gap, wanted in (
            (False, GAP, count),
            (False, TIGHT, min(count, AT_HAND)),
            (True, TIGHT, count),
        ):
            look = theme.current()
            side = style.scale(look, theme.LOW_TOOL) if low else style.bar(look, "tool")
            free = self.height() - len(self.buttons) * side - 17 - (len(self.buttons) + 2) * gap
            fits = max(1, free // style.scale(look, LEAST))
            if fits >= wanted:
                break
        self._lower_tools(low)
        self.column.setSpacing(gap)
        roomy = free >= count * (self.classes.itemAt(0).widget().sizeHint().height() + GAP)
        self.classes.setSpacing(GAP if roomy else 0)
        first = max(0, min(self.session.current_class - fits // 2, count - fits))
        for k in range(count):
            self.classes.itemAt(k).widget().setVisible(first <= k < first + fits)

    def _lower_tools(self, low: bool) -> None:
        for button in self.buttons.values():
            if bool(button.property("low")) != low:
                style.mark(button, "tool", low=low)

    def _class_button(self, index: int, refusal: str) -> QToolButton:
        target = self.session.data.target
        assert target is not None
        button = QToolButton()
        style.mark(button, "class")
        button.setCheckable(True)
        button.setChecked(index == self.session.current_class)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setText(str(index + 1))
        icons.bind(button, lambda: QIcon(marker_pixmap(index)))
        there = index < len(target.categories)
        called = (
            class_text(target.categories[index], target.categories)
            if there
            else "that a click begins"
        )
        name = f"Class {called} (key {index + 1})"
        describe(button, name, f"{name}. {refusal}" if refusal else "")
        button.setEnabled(not refusal)
        button.clicked.connect(partial(self.session.set_settings, current_class=index))
        return button
