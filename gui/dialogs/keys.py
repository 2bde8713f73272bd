"""The dialog that lists all keys: of menus, tools, the plane and the table."""

from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gui.base.guard import guarded
from gui.look import style, theme
from gui.look.style import describe
from gui.widgets.controls import label

Row = tuple[str, str]
COLUMNS, EDGE = 3, QSize(24, 40)  # at most; margin to the window
PLANE: tuple[Row, ...] = (
    ("Wheel", "Zoom at the pointer"),
    ("Middle drag", "Move the view"),
    ("Space + drag", "Move the view"),
    ("Right click", "Menu of a point"),
    ("Shift + click", "Add a point of the next class"),
    ("Ctrl + click", "Add a point on another one"),
    ("1 … 9", "Choose the class"),
    ("Arrows", "Nudge the selected points"),
    ("Shift + arrows", "Nudge them further"),
    ("Ctrl + arrows", "Move a cross over the plane"),
    ("Ctrl + Shift + arrows", "Move it by single pixels"),
    ("Enter", "Click at the cross"),
    ("Shift, Ctrl + Enter", "Shift, Ctrl + click there"),
    ("Enter, Enter", "Begin and end a line there"),
    ("Menu, Shift + F10", "Menu of the point there"),
    ("Ctrl + wheel", "Radius of the spray"),
    ("Alt + wheel", "Density of the spray"),
    ("N", "Spray normal or uniform"),
)
TIME: tuple[Row, ...] = (
    ("Space", "Play or pause"),
    ("37 Enter", "Go to step 37"),
    ("Page Down", "One step, station or page of a lesson on"),
    ("Page Up", "One step, station or page back"),
    ("Alt+1, 2, 3", "After a run: what to try next"),
    ("Ctrl+Enter, F5", "Writing a lesson: a page, a preview"),
    ("Alt+Up, Alt+Down", "The page up or down"),
    ("Wheel over a curve", "Zoom the time"),
    ("Double click there", "Show all steps"),
)
ELSEWHERE: tuple[Row, ...] = (
    ("Ctrl+K", "Search everything"),
    ("Tab", "Next control"),
    ("Drag an edge", "Size of a dock"),
    ("Escape", "Close a dialog"),
)
TABLE: tuple[Row, ...] = (
    ("Enter", "Edit a cell, then the one below"),
    ("Del", "Empty the selected cells"),
    ("Ctrl++", "Add a row"),
    ("Ctrl+−", "Delete the rows"),
)


class KeysDialog(QDialog):
    """Shows all keys in groups. It is not modal; a second one replaces the first."""

    def __init__(self, parent: Any) -> None:
        super().__init__(parent)
        for previous in parent.findChildren(KeysDialog) if isinstance(parent, QWidget) else ():
            if previous is not self:
                previous.close()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Keys")
        self.groups = groups(parent)
        self._build()

    def _build(self) -> None:
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        describe(self.area, "All keys, in groups", "")
        close = QPushButton("Close")
        close.setDefault(True)
        describe(close, "Close", "Close (Escape)")
        close.clicked.connect(self.close)
        foot = QHBoxLayout()
        foot.setContentsMargins(theme.PAD_X, 0, theme.PAD_X, 12)
        foot.addStretch(1)
        foot.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.area, 1)
        column.addLayout(foot)
        close.setFocus()
        self._fit()

    def _fit(self) -> None:
        """Lay the groups out in as many columns as fit, and size the dialog.

        It scrolls if it is too small.
        """
        room = self.parentWidget().size() if self.parentWidget() is not None else QSize(1280, 800)
        for columns in range(COLUMNS, 0, -1):
            self.area.setWidget(_sheet(self.groups, columns))
            wanted = self.area.widget().sizeHint() + QSize(
                14, style.scale(theme.current(), 28) + 26
            )
            if wanted.width() <= room.width() - EDGE.width():
                break
        self.resize(wanted.boundedTo(room - EDGE))

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "area"):
            self._fit()


def groups(window: Any) -> list[tuple[str, list[Row]]]:
    """(title, [(key, what it does), …]) of each group: menus, table, tools, plane and others."""
    found: list[tuple[str, list[Row]]] = [("Time", list(TIME))]
    for menu in window.actions_.menus:
        rows = [
            (key_text(a.shortcut()), _words(a.text()))
            for a in menu.actions()
            if not a.shortcut().isEmpty()
        ]
        title = menu.title().replace("&", "")
        if title == "Run":
            found[0][1].extend(rows)
        elif rows:
            found.append((title, rows))
    tools = [(tool.shortcut, tool.title) for tool in window.plane.tools.values() if tool.shortcut]
    found.insert(2, ("Table", list(TABLE)))
    return [*found, ("Tools", tools), ("On the plane", list(PLANE)), ("Anywhere", list(ELSEWHERE))]


def key_text(shortcut: QKeySequence) -> str:
    """A shortcut in words as on the keys: arrows, “Escape”, a true minus."""
    text = shortcut.toString(QKeySequence.SequenceFormat.NativeText)
    for word, sign in (("Left", "←"), ("Right", "→"), ("Esc", "Escape")):
        parts = text.split("+")
        if parts[-1] == word:
            text = "+".join([*parts[:-1], sign])
    return text[:-1] + "−" if text.endswith("-") else text


def _words(text: str) -> str:
    """The words of a command, without the edit that Undo or Redo names, and without “…”."""
    return text.split(":")[0].rstrip("…") if text.startswith(("Undo", "Redo")) else text.rstrip("…")


def _sheet(all_groups: list[tuple[str, list[Row]]], count: int) -> QWidget:
    """A widget with the groups in `count` columns."""
    sheet = QWidget()
    columns = QHBoxLayout(sheet)
    columns.setContentsMargins(theme.PAD_X, 12, theme.PAD_X, 4)
    columns.setSpacing(28)
    for part in _shared_out(all_groups, count):
        columns.addLayout(_column(part))
    for words in sheet.findChildren(QLabel):
        words.ensurePolished()  # else it is measured with another font than it is painted with
    return sheet


def _shared_out(
    all_groups: list[tuple[str, list[Row]]], count: int
) -> list[list[tuple[str, list[Row]]]]:
    """The groups in `count` columns of about the same height."""
    heights = [len(rows) + 2 for _, rows in all_groups]
    goal, parts, filled = sum(heights) / count, [[]], 0.0  # type: ignore[var-annotated]
    for group, height in zip(all_groups, heights, strict=True):
        if filled + height / 2 > goal * len(parts) and len(parts) < count:
            parts.append([])
        parts[-1].append(group)
        filled += height
    return parts


def _column(part: list[tuple[str, list[Row]]]) -> QGridLayout:
    """A column of groups: keys at the left, what they do at the right, aligned in all groups."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(3)
    grid.setColumnStretch(1, 1)
    for title, rows in part:
        if grid.count():
            grid.setRowMinimumHeight(grid.rowCount(), 8)
        grid.addWidget(label(title, "heading"), grid.rowCount() + 1, 0, 1, 2)
        for key, words in rows:
            place = grid.rowCount()
            line = label(words)
            line.setAccessibleName(f"{words}: {key}")
            grid.addWidget(
                label(key, "key"),
                place,
                0,
                Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
            )
            grid.addWidget(line, place, 1)
    grid.setRowStretch(grid.rowCount(), 1)
    return grid
